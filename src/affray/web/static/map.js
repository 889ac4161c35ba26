// The map: closer and farther, tokens to move, areas and ranges of the draft, cells to pick and to paint.
// Geometry only; what may be done there is asked of the server.
import { make, toast, words } from "./affray.js";
import { act, master, told } from "./wire.js";

const pane = document.querySelector(".map-pane");
const note = document.getElementById("map-note");
const state = { overlay: null, pick: null, lifted: null, hover: null };
export const hooks = { tap: () => false, open: () => {}, move: () => false, mayMove: () => false };

const chart = () => document.getElementById("chart");
const box = () => chart()?.closest(".map");
const say = (text) => { if (note) note.textContent = text; };

function frame() {
  const { west, north, cell, metric, unit, metres } = box().dataset;
  return { west: +west, north: +north, cell: +cell, metric, unit, metres: +metres };
}
const centre = ([x, y]) => { const f = frame(); return [(x - f.west + 0.5) * f.cell, (f.north - y + 0.5) * f.cell]; };
function cellAt(event) {
  const f = frame(), point = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart().getScreenCTM().inverse());
  return [Math.floor(point.x / f.cell) + f.west, f.north - Math.floor(point.y / f.cell)];
}
const placeOf = (token) => [Number(token.dataset.x), Number(token.dataset.y)];
const tokenOf = (id) => [...document.querySelectorAll("#tokens .figure")].find((one) => one.dataset.fighter === id);

export function steps([ax, ay], [bx, by]) {
  const dx = Math.abs(ax - bx), dy = Math.abs(ay - by), { metric } = frame();
  if (metric === "manhattan") return dx + dy;
  return metric === "euclidean" ? Math.floor(Math.hypot(dx, dy)) : Math.max(dx, dy);
}
function far(a, b) {
  const n = steps(a, b), { metres, unit } = frame();
  const told = n === 1 ? words.one : words.many.replace("{n}", n);
  return metres && metres !== 1 ? `${told} · ${Math.round(n * metres * 10) / 10} ${unit === "spaces" || !unit ? "m" : unit}` : told;
}

// ---- closer, farther, to and fro

const view = () => chart().getAttribute("viewBox").split(" ").map(Number);
const whole = () => chart().dataset.whole.split(" ").map(Number);
function look(x, y, w, h) {
  const [, , ww, wh] = whole(), least = Math.min(ww, wh, frame().cell * 4);
  const scale = Math.max(least / Math.min(w, h), Math.min(1, Math.max(ww / w, wh / h) * 1.0));
  const bigger = w > ww && h > wh;
  const nw = bigger ? ww : Math.max(w, least), nh = bigger ? wh : Math.max(h, least * (h / w || 1));
  if (!Number.isFinite(scale)) return;
  const nx = Math.max(-nw / 2, Math.min(x, ww - nw / 2)), ny = Math.max(-nh / 2, Math.min(y, wh - nh / 2));
  chart().setAttribute("viewBox", `${nx} ${ny} ${nw} ${nh}`);
  chart().dataset.held = "1";
  scaled();
}

/** What is really seen, which is more than the viewBox where the pane has another shape. */
function seen() {
  const [x, y, w, h] = view(), { clientWidth: across, clientHeight: up } = chart();
  const scale = Math.min(across / w, up / h) || 1;
  return { scale, x: x + w / 2 - across / scale / 2, y: y + h / 2 - up / scale / 2, w: across / scale, h: up / scale };
}
/** Tokens stay large enough to be read and tapped; the numbers of the cells stand at the edge of what is seen. */
function scaled() {
  const svg = chart(), layer = document.getElementById("edges");
  if (!svg?.clientWidth || !layer) return;
  const f = frame(), { scale, x, y, w, h } = seen(), size = f.cell * scale;
  svg.style.setProperty("--grown", String(Math.max(1, Math.min(1.9, 34 / size))));
  svg.style.setProperty("--unit", String(1 / scale));
  svg.classList.toggle("far", size < 34);
  const every = [1, 2, 5, 10, 20, 50].find((n) => n * size >= 30) || 100, font = 11 / scale, marks = [];
  const at = (left, top, n) => marks.push(make("text", { x: left, y: top }, String(n)));
  const first = (from) => Math.ceil(from / every) * every;
  for (let n = first(f.west + x / f.cell); (n - f.west + 0.5) * f.cell < x + w - font; n += every) at((n - f.west + 0.5) * f.cell, y + h - font * 0.5, n);
  for (let n = first(f.north - (y + h) / f.cell + 1); f.north - n + 0.5 > y / f.cell; n += every) at(x + font, (f.north - n + 0.5) * f.cell + font * 0.35, n);
  layer.replaceChildren(...marks);
}
export function zoom(factor, at = null) {
  const [x, y, w, h] = view(), [cx, cy] = at || [x + w / 2, y + h / 2];
  const nw = w / factor, nh = h / factor;
  look(cx - (cx - x) / factor, cy - (cy - y) / factor, nw, nh);
}
/** The fighters, with some ground around them. */
export function fit() {
  if (!chart()) return;
  chart().setAttribute("viewBox", chart().dataset.near);
  delete chart().dataset.held;
  scaled();
}
/** All the ground. */
export function all() {
  if (!chart()) return;
  chart().setAttribute("viewBox", chart().dataset.whole);
  chart().dataset.held = "1";
  scaled();
}
export function pan(dx, dy) {
  const [x, y, w, h] = view();
  look(x + dx * w, y + dy * h, w, h);
}

// ---- what the draft shows

export function overlay(shown) {
  state.overlay = shown;
  drawOverlay();
}
const square = (cell, kind) => {
  const f = frame(), [x, y] = centre(cell);
  return make("rect", { class: kind, x: x - f.cell / 2, y: y - f.cell / 2, width: f.cell, height: f.cell });
};
function drawOverlay() {
  if (!chart()) return;
  const shown = state.overlay || {}, bands = document.getElementById("bands"), area = document.getElementById("area");
  bands.replaceChildren();
  area.replaceChildren();
  for (const token of document.querySelectorAll("#tokens .figure")) {
    token.classList.toggle("inside", (shown.inside || []).includes(token.dataset.fighter));
    token.classList.toggle("aim", [].concat(shown.aim || []).includes(token.dataset.fighter));
  }
  for (const cell of shown.cells || []) area.append(square(cell, "cell"));
  if (state.pick?.now) area.append(square(state.pick.now, "ghost"));
  if (!shown.from) return;
  const f = frame(), [cx, cy] = centre(shown.from), round = f.metric === "euclidean";
  const size = (n) => (n + 0.5) * f.cell;
  const labels = [];
  (shown.ranges || []).forEach((range, n) => {
    if (range.to == null || range.to > 200) return;
    const [, , ww, wh] = whole(), farthest = Math.max(cx, ww - cx, cy, wh - cy) / f.cell;
    if (range.from > farthest + 1) return; // wholly outside what is shown
    const outer = size(range.to), inner = range.from > 0 ? size(range.from - 1) : 0;
    const ring = (r) => (round ? `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z` : `M${cx - r} ${cy - r}h${2 * r}v${2 * r}h${-2 * r}z`);
    bands.append(make("path", { class: `range range-${Math.min(n, 3)}`, d: ring(outer) + (inner ? ring(inner) : ""), "fill-rule": "evenodd" }));
    const shown = seen(), u = 1 / shown.scale, left = Math.max(shown.x + 24 * u, Math.min(cx - outer + 5 * u, shown.x + shown.w - 60 * u)), top = Math.max(shown.y + (14 + n * 15) * u, cy - outer + 14 * u);
    labels.push(make("text", { x: left, y: top }, range.name));
  });
  bands.append(...labels);
}

function ruler(a, b) {
  const layer = document.getElementById("ruler");
  layer?.replaceChildren();
  if (!layer || !a || !b || (a[0] === b[0] && a[1] === b[1])) return;
  const [x1, y1] = centre(a), [x2, y2] = centre(b), text = far(a, b), x = (x1 + x2) / 2, y = (y1 + y2) / 2, w = text.length * 6.6 + 12;
  layer.append(make("line", { x1, y1, x2, y2 }), make("rect", { x: x - w / 2, y: y - 11, width: w, height: 20, rx: 4 }), make("text", { x, y: y + 4 }, text));
}
function measure(token) {
  const from = state.overlay?.from;
  if (!token || !from) { ruler(); if (!state.pick && !state.lifted) say(""); return; }
  ruler(from, placeOf(token));
}

// ---- a cell is wanted

export function pick(widget, done) {
  stopPick();
  state.pick = { done, now: null };
  chart()?.classList.add("picking");
  say(words.pick);
}
export function stopPick() {
  if (!state.pick) return false;
  state.pick = null;
  chart()?.classList.remove("picking");
  say("");
  drawOverlay();
  return true;
}

// ---- painting

const brushes = () => document.querySelector("#paint[open] input[name=paint]:checked");
const brush = () => brushes()?.value || "";
function painted(a, b) {
  const kind = brush(), value = brushes()?.dataset.valued === "1" ? Number(document.getElementById("paint-value")?.value || 0) : 0;
  act("corrections", { do: "paint", kind: kind === "erase" ? "" : kind, erase: kind === "erase", area: [a[0], a[1], b[0], b[1]], value });
}

// ---- pointer

const pointers = new Map();
let grip = null;
function down(event) {
  const svg = chart();
  if (!svg?.contains(event.target) || event.button > 0) return;
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  if (pointers.size === 2) { grip = { kind: "pinch", gap: gap(), at: middle() }; return; }
  const token = event.target.closest(".figure");
  const start = [event.clientX, event.clientY];
  if (state.pick) grip = { kind: "pick", start };
  else if (brush()) { svg.dataset.held = "1"; grip = { kind: "paint", start, cell: cellAt(event) }; }
  else if (token && hooks.mayMove(token.dataset.fighter)) grip = { kind: "token", token, start, from: placeOf(token), moved: false };
  else grip = { kind: "pan", token, start, view: view(), moved: false };
  svg.setPointerCapture(event.pointerId);
}
const gap = () => { const [a, b] = [...pointers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
const middle = () => { const [a, b] = [...pointers.values()]; return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]; };
function move(event) {
  if (!chart()) return;
  if (pointers.has(event.pointerId)) pointers.set(event.pointerId, [event.clientX, event.clientY]);
  if (!grip) {
    if (state.pick && chart().contains(event.target)) { state.pick.now = cellAt(event); drawOverlay(); ruler(state.overlay?.from, state.pick.now); }
    else if (event.pointerType === "mouse") {
      const token = event.target.closest?.(".figure") || null;
      if (token !== state.hover) { state.hover = token; measure(token); }
    }
    return;
  }
  if (grip.kind === "pinch" && pointers.size === 2) {
    const now = gap(), [x, y] = middle(), p = new DOMPoint(x, y).matrixTransform(chart().getScreenCTM().inverse());
    zoom(now / grip.gap, [p.x, p.y]);
    grip.gap = now;
    return;
  }
  const dx = event.clientX - grip.start[0], dy = event.clientY - grip.start[1];
  if (Math.hypot(dx, dy) > 6) grip.moved = true;
  if (!grip.moved) return;
  if (grip.kind === "token") lift(grip.token, grip.from, cellAt(event));
  else if (grip.kind === "pan") {
    const scale = chart().getScreenCTM().a, [x, y, w, h] = grip.view;
    chart().classList.add("panning");
    look(x - dx / scale, y - dy / scale, w, h);
  } else if (grip.kind === "paint") {
    const [a, b] = [grip.cell, cellAt(event)], area = document.getElementById("area"), f = frame();
    const [x1, y1] = centre([Math.min(a[0], b[0]), Math.max(a[1], b[1])]);
    area.replaceChildren(make("rect", { class: "ghost", x: x1 - f.cell / 2, y: y1 - f.cell / 2, width: (Math.abs(a[0] - b[0]) + 1) * f.cell, height: (Math.abs(a[1] - b[1]) + 1) * f.cell }));
  } else if (grip.kind === "pick") { state.pick.now = cellAt(event); drawOverlay(); }
}
function up(event) {
  pointers.delete(event.pointerId);
  const held = grip;
  if (!held) return;
  if (held.kind === "pinch" && pointers.size) return;
  grip = null;
  chart()?.classList.remove("panning");
  if (held.kind === "pick" && state.pick) { const { done } = state.pick; stopPick(); done(cellAt(event)); }
  else if (held.kind === "paint") painted(held.cell, cellAt(event));
  else if (held.kind === "token" && held.moved) drop(held.token, held.from, cellAt(event));
  else if (!held.moved && held.token && event.type === "pointerup") tapped(held.token);
}
function tapped(token) {
  if (!hooks.tap(token.dataset.fighter)) hooks.open(token, token.dataset.fighter);
}

// ---- a token in the hand

function show(token, cell) {
  const [x, y] = centre(cell);
  token.setAttribute("transform", `translate(${x} ${y})`);
}
function lift(token, from, cell) {
  state.lifted = { token, from, cell };
  token.classList.add("lifted");
  show(token, cell);
  document.getElementById("area").replaceChildren(square(cell, "ghost"));
  ruler(from, cell);
  say(words.to.replace("{name}", token.dataset.name).replace("{x}", cell[0]).replace("{y}", cell[1]).replace("{far}", far(from, cell)));
}
function settle(token, from) {
  state.lifted = null;
  token.classList.remove("lifted");
  show(token, from);
  ruler();
  say("");
  drawOverlay();
}
function drop(token, from, cell) {
  settle(token, from);
  if (cell[0] === from[0] && cell[1] === from[1]) return;
  show(token, cell);
  Promise.resolve(hooks.move(token.dataset.fighter, cell, from)).then((kept) => { if (kept !== "moved") show(token, placeOf(token)); }, () => show(token, from));
}

// ---- keys

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
function key(event) {
  const token = event.target.closest?.(".figure"), arrow = ARROWS[event.key];
  if (!token) return;
  if (arrow) {
    event.preventDefault();
    if (!hooks.mayMove(token.dataset.fighter)) { pan(arrow[0] * 0.1, -arrow[1] * 0.1); return; }
    const held = state.lifted?.token === token ? state.lifted : { from: placeOf(token), cell: placeOf(token) };
    lift(token, held.from, [held.cell[0] + arrow[0], held.cell[1] + arrow[1]]);
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    if (state.pick) { const { done } = state.pick; stopPick(); done(placeOf(token)); }
    else if (state.lifted?.token === token) drop(token, state.lifted.from, state.lifted.cell);
    else tapped(token);
  } else if (event.key === "Escape" && state.lifted) { event.stopPropagation(); settle(state.lifted.token, state.lifted.from); }
}

export function raise(id) {
  const token = tokenOf(id);
  if (!token) return;
  token.focus();
  lift(token, placeOf(token), placeOf(token));
  toast(words.pick, "", null, 3000);
  pick(null, (cell) => drop(token, placeOf(token), cell));
}
export const placed = (id) => { const token = tokenOf(id); return token ? placeOf(token) : null; };

/** On a small screen the map begins around the one who acts, near enough to be read. */
function nearby() {
  const svg = chart();
  if (!svg || "held" in svg.dataset || !svg.clientWidth) return;
  const [, , w, h] = whole(), cell = frame().cell;
  scaled();
  if (seen().scale * cell >= 17) return;
  const token = document.querySelector("#tokens .figure.up.mine, #tokens .figure.mine, #tokens .figure.up");
  const [x, y] = token ? centre(placeOf(token)) : [w / 2, h / 2], nw = Math.min(w, (svg.clientWidth / 34) * cell), nh = Math.min(h, (svg.clientHeight / 34) * cell);
  const left = Math.max(0, Math.min(x - nw / 2, w - nw)), top = Math.max(0, Math.min(y - nh / 2, h - nh));
  svg.setAttribute("viewBox", `${left} ${top} ${nw} ${nh}`);
  svg.dataset.held = "1";
  scaled();
}
export { nearby };

/** What is looked at stays where it is when the edges of the map have moved. */
let known = null;
function stay() {
  const now = frame();
  if (known && "held" in chart().dataset && (known.west !== now.west || known.north !== now.north)) {
    const [x, y, w, h] = view();
    chart().setAttribute("viewBox", `${x + (known.west - now.west) * now.cell} ${y + (now.north - known.north) * now.cell} ${w} ${h}`);
  }
  known = now;
}

if (pane) {
  pane.addEventListener("pointerdown", down);
  pane.addEventListener("pointermove", move);
  pane.addEventListener("pointerup", up);
  pane.addEventListener("pointercancel", (event) => { if (grip?.kind === "token") settle(grip.token, grip.from); grip = null; pointers.delete(event.pointerId); });
  pane.addEventListener("keydown", key);
  pane.addEventListener("contextmenu", (event) => { const token = event.target.closest?.(".figure"); if (token) { event.preventDefault(); hooks.open(token, token.dataset.fighter); } });
  pane.addEventListener("wheel", (event) => {
    if (!chart()?.contains(event.target)) return;
    event.preventDefault();
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart().getScreenCTM().inverse());
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, [p.x, p.y]);
  }, { passive: false });
  pane.addEventListener("focusin", (event) => { const token = event.target.closest?.(".figure"); if (token) measure(token); });
  pane.addEventListener("focusout", () => { if (!state.lifted) ruler(); });
  pane.addEventListener("click", (event) => {
    const way = event.target.closest("[data-zoom]")?.dataset.zoom;
    if (way === "fit") fit(); else if (way === "all") all(); else if (way) zoom(way === "in" ? 1.3 : 1 / 1.3);
  });
  told.addEventListener("part", (event) => {
    if (event.detail !== "map" || !chart()) return;
    stay();
    drawOverlay();
    scaled();
  });
  new ResizeObserver(scaled).observe(pane);
  if (chart()) known = frame();
}
export { master };
