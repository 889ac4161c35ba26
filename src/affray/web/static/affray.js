// Affray in the browser: what every page needs. The page of a fight loads fight.js besides.
// No rule of any game lives here: the server says what may be done, what it costs and what came of it.

export const words = JSON.parse(document.getElementById("words")?.textContent || "{}");

/** An element from a tag, attributes and children (text is never read as HTML). */
export function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "circle", "path", "line", "text", "use", "polygon"].includes(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

export const icon = (name) => make("svg", { class: "icon", "aria-hidden": "true" }, make("use", { href: `#i-${name}` }));

/** Words at the foot of the page for a while; `kind`: '', 'bad'. `action`: {text, run}. */
export function toast(text, kind = "", action = null, lasts = 6000) {
  const box = document.getElementById("toasts");
  if (!box) return null;
  const told = make("div", { class: `toast ${kind}` }, icon(kind === "bad" ? "alert" : "check"), make("span", {}, text.charAt(0).toUpperCase() + text.slice(1)));
  if (action) {
    const button = make("button", { class: "btn small", type: "button" }, action.text);
    button.addEventListener("click", () => { told.remove(); action.run(); });
    told.append(button);
  }
  const close = make("button", { class: "btn small only quiet", type: "button", "aria-label": words.close || "Close" }, icon("close"));
  close.addEventListener("click", () => told.remove());
  told.append(close);
  while (box.children.length > 2) box.firstChild.remove();
  box.append(told);
  if (lasts) setTimeout(() => told.remove(), lasts);
  return told;
}

/** Shows an element's words in the popover beside `anchor`. `content`: a node, or HTML of this server. */
export function popover(anchor, content) {
  const pop = document.getElementById("pop");
  if (typeof content === "string") pop.innerHTML = content; else pop.replaceChildren(content);
  if (!pop.matches(":popover-open")) pop.showPopover();
  const at = anchor.getBoundingClientRect(), own = pop.getBoundingClientRect(), edge = 8;
  const wide = document.documentElement.clientWidth, high = document.documentElement.clientHeight;
  const below = at.bottom + 6 + own.height <= high - edge;
  const top = below ? at.bottom + 6 : Math.max(edge, at.top - own.height - 6);
  pop.style.left = `${Math.max(edge, Math.min(at.left, wide - own.width - edge))}px`;
  pop.style.top = `${Math.max(edge, Math.min(top, high - own.height - edge))}px`;
  pop.dispatchEvent(new CustomEvent("filled", { bubbles: true }));
  return pop;
}

export const closePopover = () => { const pop = document.getElementById("pop"); if (pop?.matches(":popover-open")) pop.hidePopover(); };

const rules = new Map();
async function showRule(button) {
  const id = button.dataset.rule;
  if (!rules.has(id)) {
    try {
      const answer = await fetch(`/rules/${id}`, { headers: { "HX-Request": "true", Accept: "text/html" } });
      if (answer.ok) rules.set(id, await answer.text());
    } catch { /* told below */ }
  }
  const html = rules.get(id);
  const box = make("div", { class: "stack tight rule-text" });
  if (html) {
    const told = new DOMParser().parseFromString(html, "text/html");
    box.innerHTML = (told.querySelector("[data-rule-text]") || told.querySelector("main") || told.body).innerHTML;
  } else box.append(make("p", {}, words.rule || id));
  const inside = button.closest("#pop, dialog");
  if (inside) { // what is open stays; the text stands below the line that names the rule
    const line = button.closest("li, p, form, summary, .number") || button;
    const next = line.nextElementSibling;
    if (next?.classList.contains("rule-text")) next.remove(); else line.after(box);
    return;
  }
  const close = make("button", { class: "btn quiet only small", type: "button", "aria-label": words.close }, icon("close"));
  close.addEventListener("click", () => { closePopover(); button.focus(); });
  popover(button, make("div", {}, make("div", { class: "pop-head" }, make("strong", { class: "code" }, id.split("/").pop()), close), box));
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("affray.theme", root.dataset.theme); } catch { /* kept for this page only */ }
  showTheme();
}

function showTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  for (const use of document.querySelectorAll("[data-theme-switch] use")) use.setAttribute("href", dark ? "#i-sun" : "#i-moon");
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-rule], [data-dialog], [data-close], [data-theme-switch], [data-copy], [data-step], [data-print]");
  if (!target) return;
  if (target.dataset.rule) { event.preventDefault(); showRule(target); }
  else if (target.dataset.dialog) document.getElementById(target.dataset.dialog)?.showModal();
  else if ("close" in target.dataset) { target.closest("dialog")?.close(); closePopover(); }
  else if ("themeSwitch" in target.dataset) switchTheme();
  else if ("print" in target.dataset) window.print();
  else if ("copy" in target.dataset) {
    navigator.clipboard?.writeText(new URL(target.dataset.copy || target.href, location.href).href).then(() => toast(words.copied), () => {});
    event.preventDefault();
  } else if (target.dataset.step) { // the buttons beside a number
    const input = target.parentElement.querySelector("input");
    const step = Number(target.dataset.step), now = Number(input.value) || 0;
    const least = input.min === "" ? -Infinity : Number(input.min), most = input.max === "" ? Infinity : Number(input.max);
    input.value = Math.max(least, Math.min(most, now + step));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }
});

document.addEventListener("change", (event) => {
  if (!event.target.matches?.("[data-motion-switch]")) return;
  const off = event.target.checked;
  if (off) document.documentElement.dataset.motion = "off"; else delete document.documentElement.dataset.motion;
  try { localStorage.setItem("affray.motion", off ? "off" : "on"); } catch { /* kept for this page only */ }
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");
  if (event.key === "?" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const keys = document.getElementById("keys");
    if (keys && !keys.open) keys.showModal();
  }
});

for (const box of document.querySelectorAll("[data-motion-switch]")) box.checked = document.documentElement.dataset.motion === "off";
showTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
