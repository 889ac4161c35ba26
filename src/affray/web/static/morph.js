// Puts new HTML in the place of old, keeping what a person has in hand: focus, what is typed, what is open, where it is scrolled.
// Nodes are matched by id or data-keep, else by their place.

const keyOf = (node) => (node.nodeType === 1 ? node.id || node.dataset.keep || "" : "");
const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

function attributes(now, next) {
  for (const { name } of [...now.attributes]) {
    if (next.hasAttribute(name) || mine(now, name)) continue;
    now.removeAttribute(name);
  }
  for (const { name, value } of [...next.attributes]) {
    if (now.getAttribute(name) !== value && !mine(now, name)) now.setAttribute(name, value);
  }
}

/** What belongs to the person in front of the page, not to the server. */
function mine(node, name) {
  if (name === "open") return node.nodeName === "DETAILS";
  if (name === "style") return true;
  if (name === "hidden") return "n" in node.dataset;
  return name === "viewBox" && "held" in node.dataset;
}

function node(now, next) {
  if (now.nodeType !== 1) {
    if (now.data !== next.data) now.data = next.data;
    return;
  }
  attributes(now, next);
  if (now.nodeName === "INPUT") {
    if (now.type === "checkbox" || now.type === "radio") now.checked = next.hasAttribute("checked");
    else if (now !== document.activeElement) now.value = next.getAttribute("value") || "";
    return;
  }
  if (now.nodeName === "TEXTAREA") {
    if (now !== document.activeElement) now.value = next.textContent;
    return;
  }
  children(now, next);
  if (now.nodeName === "SELECT" && now !== document.activeElement) {
    const chosen = [...next.options].findIndex((option) => option.hasAttribute("selected"));
    if (chosen >= 0) now.selectedIndex = chosen;
  }
}

function children(now, next) {
  const keyed = new Map();
  for (const child of now.childNodes) if (keyOf(child)) keyed.set(keyOf(child), child);
  let at = now.firstChild;
  for (const wanted of [...next.childNodes]) {
    const key = keyOf(wanted);
    let found = null;
    if (key) found = keyed.get(key)?.nodeName === wanted.nodeName ? keyed.get(key) : null;
    else if (at && alike(at, wanted)) found = at;
    if (found) {
      keyed.delete(key);
      if (found === at) at = at.nextSibling;
      else now.insertBefore(found, at);
      node(found, wanted);
    } else now.insertBefore(document.importNode(wanted, true), at);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

const parsed = (html) => {
  const box = document.createElement("template");
  box.innerHTML = html;
  return box.content;
};

/** The children of `target` become those of `html`. */
export function morph(target, html) {
  const active = document.activeElement, id = active && target.contains(active) ? active.id : "";
  children(target, parsed(html));
  if (id && document.activeElement !== active) document.getElementById(id)?.focus({ preventScroll: true });
}

/** The log: what comes is its end; what is older stays. */
export function morphLog(target, html) {
  const content = parsed(html), next = content.querySelector("ol.entries"), now = target.querySelector("ol.entries");
  const from = Number(next?.dataset.from || 0), first = Number(now?.querySelector("[data-n]")?.dataset.n || 0);
  if (!next || !now || first >= from) return morph(target, html);
  const older = [...now.children].filter((entry) => Number(entry.dataset.n) < from).map((entry) => entry.cloneNode(true));
  next.prepend(...older);
  next.dataset.from = String(first);
  children(target, content);
  return undefined;
}
