// The bench: what is typed is kept at once and checked; the map is tapped, dragged on, or used by keys.
import { toast, words } from "./affray.js";

const $ = (id) => document.getElementById(id);
const form = () => $("draft");
let timer = 0, sending = null, chosen = null, corner = null;

function say(state) { const told = $("state"); if (told) told.textContent = told.dataset[state] || ""; }

// ---- keeping

function fields(more = {}) {
  const data = new URLSearchParams();
  for (const [name, value] of new FormData(form())) if (typeof value === "string") data.append(name, value);
  for (const [name, value] of Object.entries(more)) data.set(name, value);
  return data;
}

function keepSoon() { clearTimeout(timer); timer = setTimeout(keep, 350); }

async function keep() {
  const here = form();
  if (!here) return;
  if (sending) { keepSoon(); return; }
  say("busy");
  sending = fetch(here.dataset.keep, { method: "POST", headers: { "X-Affray": "1", Accept: "application/json" }, body: fields({ do: "keep" }) });
  try {
    const answer = await sending;
    const told = await answer.json();
    if (!answer.ok) {
      const again = answer.status === 409 ? { text: told.again || "↻", run: () => location.reload() } : null;
      toast(told.message || words.failed, "bad", again, again ? 0 : 8000);
      say("lost");
      return;
    }
    show(told);
  } catch {
    say("lost");
    setTimeout(keepSoon, 3000);
  } finally { sending = null; }
}

function show(told) {
  say(!told.ready ? "wrong" : told.seated ? "ready" : "alone");
  const box = $("map");
  if (box && told.map) {
    const focused = box.contains(document.activeElement);
    const mark = cursor();
    const across = box.scrollLeft, down = box.scrollTop;
    box.innerHTML = told.map;
    sized();
    box.scrollLeft = across; box.scrollTop = down;
    if (focused) { box.querySelector("svg").focus(); place(mark); }
  }
  for (const one of document.querySelectorAll("[data-error-for]")) one.replaceChildren();
  for (const one of document.querySelectorAll("#draft [aria-invalid]")) one.removeAttribute("aria-invalid");
  const rest = [];
  for (const problem of told.problems) {
    const box = home(problem.field);
    if (box) box.append(worded(problem)); else rest.push(problem);
    const field = $(problem.field);
    if (field?.matches("input, select, textarea")) field.setAttribute("aria-invalid", "true");
  }
  const wrong = $("wrong");
  if (!wrong) return;
  wrong.replaceChildren();
  if (rest.length) {
    const list = document.createElement("div");
    list.className = "callout bad"; list.id = "problems";
    for (const problem of rest) list.append(worded(problem, problem.label));
    wrong.append(list);
  }
}

/** The box for the problems of a field, or of the nearest thing around it. */
function home(field) {
  for (let at = field; at; at = at.includes(".") ? at.slice(0, at.lastIndexOf(".")) : "") {
    const box = document.querySelector(`[data-error-for="${CSS.escape(at)}"]`);
    if (box) return box;
  }
  return null;
}

function worded(problem, name = "") {
  const told = document.createElement("p");
  told.className = "error";
  told.append(name ? `${name}: ${problem.text}` : problem.text);
  if (problem.nearest) {
    const button = document.createElement("button");
    button.type = "button"; button.className = "value"; button.textContent = problem.nearest;
    button.dataset.fill = problem.field; button.dataset.value = problem.nearest;
    told.append(" → ", button);
  }
  return told;
}

/** Sends the whole form with something added; the page is put together anew. */
function send(what, more = {}) {
  const here = form();
  clearTimeout(timer);
  for (const [name, value] of Object.entries({ ...more, do: what })) {
    const input = document.createElement("input");
    input.type = "hidden"; input.name = name; input.value = value;
    here.append(input);
  }
  here.requestSubmit();
}

document.addEventListener("change", (event) => {
  if (!event.target.closest?.("#draft") || event.target.closest("#tools")) return;
  const name = event.target.name || "";
  if (!name || name.includes("new.") || name.includes(".add.")) return;
  if ("whole" in event.target.dataset || name.endsWith(".template") || name.endsWith(".side") || /^side\.\d+\.name$/.test(name)
    || (!event.target.value.trim() && /^(space\.(walls|cover|terrain)|distances)\./.test(name))) send("save");
  else keepSoon();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches?.("#draft input:not([type=radio], [type=checkbox])")) return;
  event.preventDefault();
  const what = event.target.dataset.enter;
  if (what) send(what); else keep();
});

document.addEventListener("click", (event) => {
  const drop = event.target.closest("[data-drop]");
  if (drop) send("save", { [drop.dataset.drop]: drop.dataset.value });
  const add = event.target.closest("[data-add-area]");
  if (add && $("new.area").value.trim()) addArea(add.dataset.addArea, $("new.area").value.trim());
});

function addArea(kind, box) {
  if (kind === "walls") send("row", { "space.walls.new": box });
  else if (kind === "cover") send("row", { "space.cover.new.area": box, "space.cover.new.value": $("area.value").value || "1" });
  else send("row", { "space.terrain.new.area": box, "space.terrain.new.kind": $("area.kind").value || "Rough" });
}

// ---- the map

const LEAST = 20; // pixels of a cell, so that tokens can be read and tapped; a large map is scrolled
let whole = false;
/** The map large enough, with those who stand on it in sight; `first`: it has just been opened. */
function sized(first = false) {
  const map = svg(), box = $("map");
  if (!map || !box) return;
  const wanted = Number(map.dataset.width) * LEAST, large = wanted > box.clientWidth;
  const button = $("map-whole");
  if (button) button.hidden = !large;
  if ($("map-more")) $("map-more").hidden = !large || whole;
  map.style.minWidth = whole || !large ? "0" : `${wanted}px`;
  if (!first || whole || !large) return;
  const tokens = [...map.querySelectorAll(".token")].map((one) => one.getBoundingClientRect()), at = box.getBoundingClientRect();
  if (!tokens.length) return;
  const left = Math.min(...tokens.map((one) => one.left)), right = Math.max(...tokens.map((one) => one.right));
  box.scrollLeft += right - left < at.width ? (left + right) / 2 - (at.left + at.width / 2) : left - at.left - LEAST * 2;
}
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#map-whole");
  if (!button) return;
  whole = !whole;
  button.setAttribute("aria-pressed", String(whole));
  sized(true);
});
addEventListener("resize", () => sized());
document.body.addEventListener("htmx:afterSettle", () => sized(true));
queueMicrotask(() => sized(true));

const svg = () => document.querySelector("#map svg");
const tool = () => document.querySelector("#tools input:checked")?.value || "move";
function hint(key) { const told = $("map-hint"); if (told) told.textContent = told.dataset[key]; }

function cell(event) {
  const map = svg(), at = map.getBoundingClientRect();
  const wide = Number(map.dataset.width), high = Number(map.dataset.height);
  const x = Math.floor((event.clientX - at.left) / at.width * wide), y = Math.floor((event.clientY - at.top) / at.height * high);
  return { x: Math.max(0, Math.min(wide - 1, x)), y: Math.max(0, Math.min(high - 1, y)) };
}
const real = (at) => ({ x: at.x + Number(svg().dataset.left), y: Number(svg().dataset.height) - 1 - at.y + Number(svg().dataset.bottom) });
function cursor() { const mark = svg()?.querySelector(".cursor"); return mark ? { x: Number(mark.getAttribute("x")), y: Number(mark.getAttribute("y")) } : { x: 0, y: 0 }; }
function place(at) { const mark = svg()?.querySelector(".cursor"); mark?.setAttribute("x", at.x); mark?.setAttribute("y", at.y); }
function tokenAt(at) { const there = real(at); return [...svg().querySelectorAll(".token")].find((one) => Number(one.dataset.x) === there.x && Number(one.dataset.y) === there.y); }

function choose(token) {
  for (const one of svg().querySelectorAll(".token")) one.setAttribute("aria-pressed", one === token ? "true" : "false");
  chosen = token ? { c: token.dataset.c, k: Number(token.dataset.k) } : null;
  hint(token ? "chosen" : "move");
}

function put(at) {
  const there = real(at);
  const input = $(`combatant.${chosen.c}.at`);
  if (!input) return;
  const spots = [...svg().querySelectorAll(`.token[data-c="${chosen.c}"]`)].sort((a, b) => a.dataset.k - b.dataset.k)
    .map((one) => Number(one.dataset.k) === chosen.k ? `${there.x}, ${there.y}` : `${one.dataset.x}, ${one.dataset.y}`);
  input.value = spots.join("; ");
  choose(null);
  keep();
}

function tap(at) {
  const what = tool();
  if (what === "move") {
    const token = tokenAt(at);
    if (token && !(chosen && chosen.c === token.dataset.c && chosen.k === Number(token.dataset.k))) choose(token);
    else if (chosen) put(at);
  } else if (what === "erase") {
    erase(at);
  } else if (!corner) { corner = at; area(at, at); hint("second"); } else { finish(at); }
}

function finish(at) {
  const a = real(corner), b = real(at);
  corner = null;
  addArea(tool(), `${a.x}, ${a.y}, ${b.x}, ${b.y}`);
}

function area(a, b) {
  const box = svg().querySelector(".draft");
  box.setAttribute("x", Math.min(a.x, b.x)); box.setAttribute("y", Math.min(a.y, b.y));
  box.setAttribute("width", Math.abs(a.x - b.x) + 1); box.setAttribute("height", Math.abs(a.y - b.y) + 1);
}

function erase(at) {
  for (const one of [...svg().querySelectorAll(".area")].reverse()) {
    const box = one.querySelector("rect");
    const x = Number(box.getAttribute("x")), y = Number(box.getAttribute("y"));
    if (at.x < x || at.y < y || at.x >= x + Number(box.getAttribute("width")) || at.y >= y + Number(box.getAttribute("height"))) continue;
    const name = one.dataset.kind === "wall" ? `space.walls.${one.dataset.n}` : `space.${one.dataset.kind}.${one.dataset.n}.area`;
    const input = $(name);
    if (input) { input.value = ""; send("save"); }
    return;
  }
}

let pressed = null;
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest?.("#map svg") || event.button) return;
  pressed = cell(event);
  place(pressed);
  if (tool() === "move" && !chosen && tokenAt(pressed)) { choose(tokenAt(pressed)); pressed.fresh = true; }
});
document.addEventListener("pointermove", (event) => {
  if (!pressed || !svg() || ["move", "erase"].includes(tool())) return;
  area(corner || pressed, cell(event));
});
document.addEventListener("pointerup", (event) => {
  if (!pressed || !svg()) return;
  const from = pressed, to = cell(event);
  pressed = null;
  const dragged = from.x !== to.x || from.y !== to.y;
  if (tool() === "move") { if (chosen && dragged) put(to); else if (!from.fresh) tap(to); } else if (dragged && tool() !== "erase" && !corner) { corner = from; finish(to); } else tap(to);
});

document.addEventListener("change", (event) => {
  if (!event.target.closest?.("#tools")) return;
  corner = null;
  if (svg()) choose(null);
  hint(event.target.value === "move" ? "move" : event.target.value === "erase" ? "erase" : "area");
});

document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.("#map svg")) return;
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const at = cursor(), map = svg();
  if (step) {
    event.preventDefault();
    const to = { x: Math.max(0, Math.min(Number(map.dataset.width) - 1, at.x + step[0])), y: Math.max(0, Math.min(Number(map.dataset.height) - 1, at.y + step[1])) };
    place(to);
    if (corner) area(corner, to);
    const there = real(to), token = tokenAt(to);
    $("map-hint").textContent = `${there.x}, ${there.y}${token ? `: ${token.querySelector("title").textContent}` : ""}`;
  } else if (event.key === "Enter" || event.key === " ") { event.preventDefault(); tap(at); } else if (event.key === "n") {
    const all = [...map.querySelectorAll(".token")];
    const now = all.findIndex((one) => chosen && one.dataset.c === chosen.c && Number(one.dataset.k) === chosen.k);
    const next = all[(now + 1) % all.length];
    if (next) { choose(next); place({ x: Number(next.dataset.x) - Number(map.dataset.left), y: Number(map.dataset.height) - 1 - (Number(next.dataset.y) - Number(map.dataset.bottom)) }); }
  } else if (event.key === "Escape") { corner = null; choose(null); area({ x: 0, y: 0 }, { x: -1, y: -1 }); }
});

// The forecast shows where it can be seen.
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id === "forecast" || event.detail.target?.id === "forecast") $("forecast")?.scrollIntoView({ block: "nearest" });
});
