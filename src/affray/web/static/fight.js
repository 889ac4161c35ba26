// The page of a fight: the draft of an order, questions, the log, corrections, keys.
import { closePopover, icon, make, popover, toast, words } from "./affray.js";
import * as map from "./map.js";
import { morph } from "./morph.js";
import { act, fight, fragment, late, master, told } from "./wire.js";

const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
const parse = (text, otherwise = null) => { try { return JSON.parse(text); } catch { return otherwise; } };
const panelBox = $('[data-part="panel"]');
const wide = matchMedia("(min-width: 40rem)");

// ---- values of widgets: one reader for each kind

export function valueOf(widget) {
  const kind = widget.dataset.kind;
  if (kind === "fixed") return parse(widget.dataset.value);
  if (kind === "list") return parse($("select", widget).value);
  if (kind === "one_of") return parse($("input:checked", widget)?.value ?? "null");
  if (kind === "number") return Number($("input", widget).value);
  if (kind === "split") return $$("input", widget).map((input) => Number(input.value));
  if (kind === "subset") return $$("input:checked", widget).map((input) => parse(input.value));
  if (kind === "ranking") return $$("li", widget).map((item) => parse(item.dataset.value));
  if (kind === "place") { const [x, y] = $$("input", widget).map((input) => input.value); return x === "" || y === "" ? null : [Number(x), Number(y)]; }
  return $("input, textarea", widget).value;
}

function splitLeft(widget) {
  const left = Number(widget.dataset.total) - valueOf(widget).reduce((a, b) => a + b, 0), note = $("[data-left]", widget);
  if (note) note.textContent = (left < 0 ? words.over : words.left).replace("{n}", Math.abs(left));
  return left;
}

// ---- the draft

const DRAFT = `affray.draft.${fight}`;
const draft = { who: "", verb: "", with: [], values: {}, prepare: false };
let asking = null, later = 0;

let waiting = false;
function readPanel() {
  const panel = $(".panel", panelBox);
  if (!panel) return;
  if (waiting && panel.dataset.waiting !== "1" && panel.dataset.who) myTurn();
  waiting = panel.dataset.waiting === "1";
  if (!waiting) draft.prepare = false;
  draft.who = panel.dataset.who;
  draft.verb = panel.dataset.verb;
  draft.with = parse(panel.dataset.with, []);
  draft.values = {};
  for (const widget of $$(".draft .widget", panel)) draft.values[widget.dataset.name.slice(2)] = valueOf(widget);
}
function query() {
  const found = {};
  if (draft.who) found.who = draft.who;
  if (draft.prepare) found.prepare = "1";
  if (draft.verb) found.verb = draft.verb;
  if (draft.with.length > 1) found.with = JSON.stringify(draft.with);
  if (draft.verb) for (const [name, value] of Object.entries(draft.values)) if (value !== null) found[`v.${name}`] = JSON.stringify(value);
  return found;
}
function remember() {
  const asked = new URLSearchParams(draft.verb ? query() : {}), text = asked.toString();
  history.replaceState(null, "", `${location.pathname}${text ? `?${text}` : ""}${location.hash}`);
  try { if (draft.verb) sessionStorage.setItem(DRAFT, text); else sessionStorage.removeItem(DRAFT); } catch { /* the address keeps it */ }
}

/** The panel for the draft as it is, from the server. */
async function renew() {
  if (!panelBox) return;
  clearTimeout(later);
  asking?.abort();
  asking = new AbortController();
  const mine = asking;
  panelBox.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`/f/${fight}/part/panel?${new URLSearchParams(query())}`, { signal: mine.signal, headers: { "X-Affray": "1" } });
    if (!answer.ok) return;
    const html = await answer.text();
    if (mine.signal.aborted) return;
    morph(panelBox, html);
    readPanel();
    remember();
    show();
  } catch (wrong) {
    if (wrong.name !== "AbortError") panelBox.dataset.late = "1"; // asked again when the connection is back
  } finally {
    if (mine === asking) panelBox.removeAttribute("aria-busy");
  }
}
/** The turn has come, perhaps with an order that was prepared. */
function myTurn() {
  if (!before) { tab("now"); navigator.vibrate?.(120); }
  if (document.hidden) document.title = `● ${words.turn_now}`;
}
function show() {
  const panel = $(".panel", panelBox);
  map.overlay(panel ? parse(panel.dataset.overlay) : null);
}
const choose = (verb, values = {}) => { draft.verb = verb; draft.values = values; return renew(); };
async function start(verb, values = {}) {
  await choose(verb, values);
  const form = $("#draft");
  form?.scrollIntoView({ block: "nearest" });
  (form?.querySelector("input:checked, select, input, textarea, [data-commit]"))?.focus({ preventScroll: true });
}
async function commit(button) {
  if (waiting) return; // what is prepared is given when it is their turn
  if (button?.getAttribute("aria-disabled") === "true" || button?.getAttribute("aria-busy") === "true") return;
  readPanel();
  const values = Object.fromEntries(Object.entries(draft.values).filter(([, value]) => value !== null));
  const how = button?.dataset.commit === "do" ? "" : button?.dataset.commit || "";
  const by = draft.with.length > 1 ? draft.with : draft.who;
  const before = { verb: draft.verb, values: draft.values };
  draft.verb = "";
  const reply = await act("orders", { order: { do: before.verb, by, ...values }, dice: how }, { button });
  if (!reply) Object.assign(draft, before);
  await renew();
  $(".now h2, .quiet-note", panelBox)?.scrollIntoView({ block: "nearest" });
}

panelBox?.addEventListener("click", (event) => {
  const target = event.target.closest("button");
  if (!target) return;
  if (target.dataset.verb) { if (target.dataset.verb === draft.verb) choose(""); else start(target.dataset.verb); }
  else if ("drop" in target.dataset) choose("");
  else if ("prepare" in target.dataset) { draft.prepare = true; renew().then(() => $(".verbs button", panelBox)?.focus({ preventScroll: true })); }
  else if ("unprepare" in target.dataset) { draft.prepare = false; choose("").then(() => $("[data-prepare]", panelBox)?.focus({ preventScroll: true })); }
  else if (target.dataset.commit && target.type !== "submit") commit(target);
});
function readValues() {
  for (const widget of $$(".draft .widget", panelBox)) draft.values[widget.dataset.name.slice(2)] = valueOf(widget);
}
panelBox?.addEventListener("change", (event) => {
  if ("who" in event.target.dataset) { draft.who = event.target.value; draft.with = []; draft.verb = ""; renew(); return; }
  if ("group" in event.target.dataset) { readValues(); draft.with = event.target.value === "all" ? $$("[data-with]", panelBox).map((one) => one.value) : [draft.who]; renew(); return; }
  if ("with" in event.target.dataset) { readValues(); draft.with = [draft.who, ...$$("[data-with]:checked:not(:disabled)", panelBox).map((one) => one.value)]; renew(); return; }
  const widget = event.target.closest(".draft .widget");
  if (!widget) return;
  if (widget.dataset.kind === "split") splitLeft(widget);
  readValues();
  clearTimeout(later);
  later = setTimeout(renew, 30);
});
panelBox?.addEventListener("input", (event) => {
  const widget = event.target.closest(".draft .widget");
  if (!widget || !event.target.matches("input[type=number], input[type=text], textarea")) return;
  clearTimeout(later);
  later = setTimeout(() => { readValues(); renew(); }, 350);
});
panelBox?.addEventListener("submit", (event) => { event.preventDefault(); commit(event.submitter?.dataset.commit ? event.submitter : $("[data-commit]", panelBox)); });

// ---- widgets anywhere: ranking, places

document.addEventListener("click", (event) => {
  const rank = event.target.closest("[data-rank]");
  if (rank) {
    const item = rank.closest("li"), list = item.parentElement, up = rank.dataset.rank === "-1";
    if (up && item.previousElementSibling) list.insertBefore(item, item.previousElementSibling);
    if (!up && item.nextElementSibling) list.insertBefore(item.nextElementSibling, item);
    rank.focus();
    rank.dispatchEvent(new Event("change", { bubbles: true }));
  }
  const picker = event.target.closest("[data-pick]");
  if (picker) {
    const widget = picker.closest(".widget");
    tab("map");
    map.pick(widget, (cell) => {
      const [x, y] = $$("input", widget);
      x.value = cell[0];
      y.value = cell[1];
      tab("now");
      x.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }
});
document.addEventListener("change", (event) => {
  const widget = event.target.closest(".ask .widget[data-kind=split]");
  if (widget) splitLeft(widget);
});

// ---- the map asks

map.hooks.tap = (id) => {
  const input = $$('.draft .widget input[type="radio"], .draft .widget input[type="checkbox"]', panelBox).find((one) => parse(one.value) === id);
  if (!input) return false;
  if (input.type === "checkbox") input.checked = !input.checked; else if (input.checked) return false; else input.checked = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
};
map.hooks.open = (anchor, id) => person(anchor, id);
const able = () => parse($(".panel", panelBox)?.dataset.people, []);
map.hooks.mayMove = (id) => master || able().includes(id);
map.hooks.move = async (id, cell) => {
  if (able().includes(id)) {
    const way = parse($(".panel", panelBox)?.dataset.way);
    if (draft.who !== id) { draft.who = id; draft.with = []; draft.verb = ""; await renew(); }
    const known = parse($(".panel", panelBox)?.dataset.way) || way;
    if (known) {
      await choose(known.verb, { [known.field]: cell });
      tab("now");
      $("[data-commit]", panelBox)?.focus({ preventScroll: true });
      $("#draft")?.scrollIntoView({ block: "nearest" });
      return "draft";
    }
  }
  if (!master) return "no";
  const reply = await act("corrections", { do: "move", who: id, at: cell });
  said(reply);
  return reply ? "moved" : "no";
};

// ---- questions

const asks = $('[data-part="prompt"]');
const requestOf = (node) => { const ask = node.closest(".ask"); return { n: Number(ask.dataset.n), ask }; };
async function answer(node, data) {
  const { n, ask } = requestOf(node);
  if (ask.dataset.sent) return;
  ask.dataset.sent = "1";
  const reply = await act("answers", { n, ...data }, { button: node.matches("button") ? node : null });
  if (!reply) delete ask.dataset.sent;
}
asks?.addEventListener("click", (event) => {
  const target = event.target.closest("button");
  if (!target) return;
  if (target.dataset.answer !== undefined) answer(target, { value: parse(target.dataset.answer) });
  else if ("usual" in target.dataset) answer(target, { usual: true });
  else if ("always" in target.dataset) answer(target, { always: true });
  else if (target.dataset.face) { const { n } = requestOf(target); act("dice", { n, face: Number(target.dataset.face) }, { late: true }); }
  else if ("roll" in target.dataset) { const { n } = requestOf(target); act("dice", { n, roll: true }, { button: target, late: true }); }
  else if ("dieBack" in target.dataset) { const { n } = requestOf(target); act("dice", { n, back: true }, { button: target, late: true }); }
  else if (target.dataset.diceAlways) { const { n } = requestOf(target); act("dice", { n, always: target.dataset.diceAlways }, { button: target, late: true }); }
  else if ("usualAll" in target.dataset) usualAll(target);
});
async function usualAll(button) {
  button.setAttribute("aria-busy", "true");
  for (let left = $$(".ask[data-kind=choose]", asks).length; left > 0; left -= 1) {
    const ask = $(".ask[data-kind=choose]", asks);
    if (!ask || !(await act("answers", { n: Number(ask.dataset.n), usual: true }, { late: true }))) break;
    await new Promise((go) => { const timer = setTimeout(go, 400); told.addEventListener("part", () => { clearTimeout(timer); go(); }, { once: true }); });
  }
  button.removeAttribute("aria-busy");
}
asks?.addEventListener("submit", (event) => {
  event.preventDefault();
  const widget = $(".widget", event.target);
  if (!widget) return;
  if (widget.dataset.kind === "split" && splitLeft(widget) !== 0) { $("input", widget)?.focus(); return; }
  answer(event.submitter || event.target, { value: valueOf(widget) });
});

/** Beside each throw what was tapped for it and has not arrived. */
function unsent() {
  for (const note of $$("[data-unsent]", asks || document)) {
    const some = late().filter((one) => one.path === "dice" && String(one.data.n) === note.dataset.unsent).map(({ data }) => data);
    const what = some.map((data) => (data.face ? String(data.face) : data.back ? words.unsent_back : words.unsent_roll)).join(", ");
    const text = what ? words.unsent.replace("{what}", what) : "";
    note.hidden = !text;
    if (note.textContent !== text) note.textContent = text;
  }
}
told.addEventListener("waiting", unsent);
told.addEventListener("part", (event) => { if (event.detail === "prompt") unsent(); });

const ahead = Number(document.body.dataset.now) ? Number(document.body.dataset.now) - performance.timeOrigin / 1000 : 0; // the server's clock before ours
let before = asks ? Number($(".prompts", asks)?.dataset.mine || 0) : 0;
function asked() {
  for (const ask of $$(".ask", asks || document)) delete ask.dataset.sent;
  const now = Number($(".prompts", asks || document)?.dataset.mine || 0);
  if (now > before && asks) {
    tab("now");
    navigator.vibrate?.(120);
    const first = $(".ask:not(.theirs)", asks);
    first?.scrollIntoView({ block: "nearest" });
    if (document.hidden) document.title = `● ${words.asked}`;
  }
  if (!now) document.title = document.title.replace(/^● .*$/, $(".fight-head h1")?.textContent || "Affray");
  before = now;
}
document.addEventListener("visibilitychange", () => { if (!document.hidden && document.title.startsWith("● ")) document.title = $(".fight-head h1")?.textContent || "Affray"; });
setInterval(() => {
  for (const timer of $$("[data-until]")) {
    const left = Math.max(0, Math.ceil(Number(timer.dataset.until) - Date.now() / 1000 - ahead));
    const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`, shown = $("span", timer);
    if (shown.textContent !== text) shown.textContent = text;
  }
}, 250);

// ---- people, entries, corrections: in the popover

async function open(anchor, name, asked) {
  try { popover(anchor, await fragment(name, asked)); $("#pop button, #pop input")?.focus({ preventScroll: true }); }
  catch { toast(words.failed, "bad"); }
}
const person = (anchor, id) => open(anchor, "person", { who: id });

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-open], [data-entry], [data-add], [data-menu], [data-settings], [data-ask-again], [data-fix], [data-back], [data-move], [data-act], [data-tab-to]");
  if (!target || target.closest(".map-pane .figure")) return;
  if (target.dataset.open) person(target, target.dataset.open);
  else if (target.dataset.entry) open(target, "entry", { id: target.dataset.entry });
  else if ("add" in target.dataset) open(target, "add", {});
  else if ("settings" in target.dataset) open($("[data-menu]"), "settings", {});
  else if ("askAgain" in target.dataset) act("settings", { ask_again: true }, { button: target }).then(said);
  else if ("menu" in target.dataset) popover(target, $("#menu-items").content.cloneNode(true));
  else if (target.dataset.fix) fix(target, parse(target.dataset.fix));
  else if (target.dataset.back) { closePopover(); act("back", { entry: Number(target.dataset.back) }).then(said); }
  else if (target.dataset.move) { closePopover(); tab("map"); map.raise(target.dataset.move); }
  else if (target.dataset.act) act(target.dataset.act, {}, { button: target }).then(said);
  else if (target.dataset.tabTo) tab(target.dataset.tabTo);
});
let lastSaid = null;
/** What has been done, in words; the master may take it back at once. */
const said = (reply) => {
  if (!reply?.told) return;
  lastSaid?.remove();
  lastSaid = toast(reply.told, "", master ? { text: words.undo, run: () => act("undo").then(said) } : null, 5000);
};
async function fix(button, data) {
  if (button?.dataset.sure && !button.dataset.warned) {
    button.dataset.warned = "1";
    button.replaceChildren(icon("alert"), button.dataset.sure);
    return;
  }
  const reply = await act("corrections", data, { button });
  if (!reply) return;
  said(reply);
  const shown = $("#pop [data-person]")?.dataset.person;
  if (shown && data.do !== "remove" && !["group"].includes(data.do)) { try { morph(document.getElementById("pop"), await fragment("person", { who: shown })); } catch { closePopover(); } } else closePopover();
}
document.addEventListener("submit", (event) => {
  const form = event.target.closest(".fix, [data-fix-add], [data-fix-settings]");
  if (!form) return;
  event.preventDefault();
  const values = Object.fromEntries(new FormData(form)), set = form.dataset, button = event.submitter;
  if (set.fixField) fix(button, { do: "set", who: set.fixWho, fields: { [set.fixField]: valueOf($(".widget", form)) } });
  else if (set.fixCondition) fix(button, { do: "condition", who: set.fixCondition, name: values.name.trim(), lasts: values.lasts ? Number(values.lasts) : null });
  else if (set.fixApart) fix(button, { do: "move", who: set.fixApart, other: values.other, value: values.value.trim() });
  else if (set.fixRoll) fix(button, { do: "roll", entry: Number(set.fixRoll), n: Number(set.n), faces: values.faces.split(/[^\d]+/).filter(Boolean).map(Number) });
  else if ("fixSettings" in set) {
    const policies = Object.fromEntries($$("[data-plays]", form).filter((one) => one.value).map((one) => [one.dataset.plays, one.value]));
    const typed = $$("[name=typed]:checked", form).map((one) => one.value);
    const data = { limit: Number(values.limit || 0), numbers: "numbers" in values, forecast: values.forecast, typed, policies };
    act("settings", data, { button }).then((reply) => { if (reply) { closePopover(); toast(words.done); } });
  } else if (set.fixSay) { if (values.text) fix(button, { do: "say", text: values.text }); }
  else {
    const at = values.x && values.y ? [Number(values.x), Number(values.y)] : null;
    fix(button, { do: "add", template: values.template, name: values.name, side: values.side, count: Number(values.count || 1), at });
  }
});

// ---- the log

const logPane = $(".log-pane"), logBody = $('[data-part="log"]'), filter = $("#log-filter");
const atEnd = (box) => !box || box.scrollHeight - box.scrollTop - box.clientHeight < 48;
let following = true;
logBody?.addEventListener("scroll", () => { following = atEnd(logBody); }, { passive: true });
logBody?.addEventListener("toggle", (event) => {
  const entry = event.target.matches("details") && event.target.open && event.target.dataset.tapped ? event.target.closest(".entry") : null;
  if (!entry) return;
  delete event.target.dataset.tapped;
  following = following && !entry.nextElementSibling;
  entry.scrollIntoView({ block: "nearest" });
}, true);
logBody?.addEventListener("click", (event) => { const fold = event.target.closest("summary")?.parentElement; if (fold) fold.dataset.tapped = "1"; });
function filtered() {
  const who = filter?.value || "";
  for (const entry of $$(".entry", logBody || document)) entry.hidden = Boolean(who) && !parse(entry.dataset.who, []).includes(who);
}
function toEnd() { if (logBody && following) logBody.scrollTop = logBody.scrollHeight; }
filter?.addEventListener("change", () => { filtered(); toEnd(); });
let last = Number($(".entries", logBody || document)?.dataset.last || 0);
function logged() {
  filtered();
  const now = Number($(".entries", logBody)?.dataset.last || 0);
  for (const entry of $$(".entry", logBody)) {
    if (Number(entry.dataset.n) > last) { entry.classList.add("new"); for (const dice of $$(".dice", entry)) dice.classList.add("fresh"); }
  }
  if (now > last && document.body.dataset.tab !== "log") $('[data-tab-to="log"]')?.classList.add("news");
  last = now;
  toEnd();
}
function toEntry() {
  const entry = /^#entry-\d+$/.test(location.hash) ? $(location.hash) : null;
  if (!entry) return;
  following = false;
  tab("log");
  $("details", entry).open = true;
  entry.scrollIntoView({ block: "center" });
}

// ---- the track, tabs, keys

document.addEventListener("change", async (event) => {
  if (!event.target.matches("[data-track]")) return;
  const box = event.target.closest("[data-part]");
  morph(box, await fragment("map", { from: event.target.value }));
});

export function tab(name) {
  document.body.dataset.tab = name;
  for (const button of $$("[data-tab-to]")) {
    button.setAttribute("aria-pressed", String(button.dataset.tabTo === name));
    if (button.dataset.tabTo === name) button.classList.remove("news");
  }
  if (!wide.matches) scrollTo(0, 0);
  if (name === "log") toEnd();
  if (name === "map") map.nearby();
}

const jump = (id) => { const box = document.getElementById(id); box?.focus(); };
const KEYS = {
  a: () => $$(".verbs [data-verb]", panelBox)[0]?.click(), d: () => byVerb("dodge", 1), m: () => byVerb("move", 2), e: () => byVerb("end", -1),
  u: () => $('[data-act="undo"]:not([disabled])')?.click(), r: () => $('[data-act="redo"]:not([disabled])')?.click(),
  o: () => { tab("order"); jump("order-pane"); }, p: () => { tab("now"); jump("side"); }, l: () => { tab("log"); jump("log-pane"); },
  f: () => map.fit(), g: () => map.all(), "+": () => map.zoom(1.3), "-": () => map.zoom(1 / 1.3),
};
const byVerb = (verb, place) => ($(`[data-verb="${verb}"]`, panelBox) || $$(".verbs [data-verb]", panelBox).at(place))?.click();
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");
  if (event.key === "Escape") {
    if (map.stopPick() || $("dialog[open]") || $("#pop:popover-open")) return;
    if (draft.verb) choose("");
    return;
  }
  if (typing || $("dialog[open]")) return;
  if (/^[1-6]$/.test(event.key)) { $(`.ask [data-face="${event.key}"]`)?.click(); return; }
  if (event.key === "Enter" && event.target.matches("body, .pane, .side, main, .choice input")) { event.preventDefault(); ($("[data-commit]", panelBox) || $(".ask .primary"))?.click(); return; }
  const key = KEYS[event.key.toLowerCase()];
  if (key && $("#tokens, .track, .panel")) { event.preventDefault(); key(); }
});

// ---- news

told.addEventListener("version", () => { if (panelBox) { readValuesIfOpen(); renew(); } });
function readValuesIfOpen() { if (draft.verb && $("#draft")) readValues(); }
told.addEventListener("part", (event) => {
  if (event.detail === "prompt") asked();
  if (event.detail === "log") logged();
});
addEventListener("hashchange", toEntry);

// ---- who is winning: asked for when it has been quiet for a moment

const odds = $("#forecast");
let oddsLater = 0;
function foretell(_, later = 1500) {
  const who = odds?.dataset.who || "nobody";
  if (who === "nobody" || (who === "master" && !master)) return;
  clearTimeout(oddsLater);
  oddsLater = setTimeout(async () => {
    if (document.hidden || !wide.matches) return;
    try { morph(odds, await fragment("forecast")); } catch { return; /* it stays as it was */ }
    if (odds.querySelector("[data-again]")) foretell(null, 2500); // it grows surer while nobody acts
  }, later);
}
told.addEventListener("version", foretell);
foretell();

// ---- the beginning

document.body.dataset.tab ||= "now";
if (panelBox) {
  readPanel();
  let kept = "";
  try { kept = sessionStorage.getItem(DRAFT) || ""; } catch { /* nothing kept */ }
  const asked = new URLSearchParams(location.search || kept);
  if (!draft.verb && asked.get("verb") && kept) {
    draft.who = asked.get("who") || draft.who;
    draft.verb = asked.get("verb");
    for (const [name, value] of asked) if (name.startsWith("v.")) draft.values[name.slice(2)] = parse(value);
    renew();
  } else { remember(); show(); }
}
asked();
filtered();
toEnd();
toEntry();
void make;
