// The line to the server: what is tapped goes out once and arrives once; what changes comes in by itself.
import { icon, make, toast, words } from "./affray.js";
import { morph, morphLog } from "./morph.js";

const body = document.body;
export const fight = body.dataset.fight;
export const master = body.dataset.master === "1";
export const told = new EventTarget(); // events 'part' {name}, 'version' and 'waiting' (what is tapped is late, or has arrived after all)
let version = body.dataset.version || "";
const screen = body.dataset.screen ? "?screen=1" : "";
let source = null, tries = 0, connected = false, wasLost = false;

export const seen = () => version;

function moved(next) {
  if (next === undefined || next === null || String(next) === version) return;
  version = String(next);
  told.dispatchEvent(new Event("version"));
}

// ---- what comes in

function put(name, html) {
  const target = document.querySelector(`[data-part="${name}"]`);
  if (!target) return;
  if (name === "log") morphLog(target, html); else morph(target, html);
  told.dispatchEvent(new CustomEvent("part", { detail: name }));
}

/** Everything as it is now. */
export async function refresh() {
  const answer = await fetch(`/f/${fight}/part/all${screen}`, { headers: { "X-Affray": "1" } });
  if (answer.status === 401 || answer.status === 403 || answer.status === 404) { lost(words.gone); return; }
  if (!answer.ok) throw new Error(String(answer.status));
  const { parts, version: now } = await answer.json();
  for (const [name, html] of Object.entries(parts)) put(name, html);
  moved(now);
}

function lost(text) {
  connected = false;
  wasLost = true;
  const box = document.getElementById("link-state");
  if (!box) return;
  box.hidden = false;
  box.querySelector("span").textContent = text === words.lost && queue.length ? words.lost_kept : text;
}

function found() {
  connected = true;
  tries = 0;
  const box = document.getElementById("link-state");
  if (box) box.hidden = true;
  if (wasLost) {
    toast(words.back, "", null, 3000);
    told.dispatchEvent(new Event("version"));
  }
  wasLost = false;
  send();
}

let again = 0;
export function listen() {
  source?.close();
  clearTimeout(again);
  source = new EventSource(`/f/${fight}/stream${screen}`);
  source.onopen = found;
  source.onerror = () => {
    lost(words.lost);
    if (source.readyState !== EventSource.CLOSED) return;
    tries += 1;
    again = setTimeout(() => { refresh().catch(() => {}); listen(); }, Math.min(500 * 2 ** tries, 5000));
  };
  for (const name of ["head", "order", "map", "prompt", "me", "recent", "log"]) {
    source.addEventListener(name, (event) => put(name, event.data));
  }
  source.addEventListener("panel", (event) => moved(event.data));
  source.addEventListener("gone", () => { source.close(); lost(words.gone); });
}
addEventListener("online", listen);
addEventListener("offline", () => lost(words.lost));
document.addEventListener("visibilitychange", () => { if (!document.hidden && !connected) listen(); });

// ---- what goes out

const KEPT = `affray.queue.${fight}`;
let queue = [];
try { queue = JSON.parse(sessionStorage.getItem(KEPT) || "[]"); } catch { queue = []; }
let sending = false, wait = 0;
const PATIENT = 700; // milliseconds until something that is tapped counts as late

/** What is tapped and has not arrived, though it should have: [{path, data}]. */
export const late = () => queue.filter((one) => !one.at || performance.now() - one.at >= PATIENT || wasLost).map(({ path, data }) => ({ path, data }));
const waiting = () => told.dispatchEvent(new Event("waiting"));
const keep = () => { try { sessionStorage.setItem(KEPT, JSON.stringify(queue.map(({ done, at, ...rest }) => rest))); } catch { /* not kept */ } };
const token = () => [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");

/** One decision. `late`: judged by the view at the time of sending (dice typed one after another). Resolves to the reply or null. */
export function act(path, data = {}, { button = null, late = false } = {}) {
  const entry = { path, at: performance.now(), data: { ...data, key: token(), seen: late ? null : version } };
  button?.setAttribute("aria-busy", "true");
  return new Promise((resolve) => {
    entry.done = (reply) => { button?.removeAttribute("aria-busy"); resolve(reply); };
    queue.push(entry);
    keep();
    setTimeout(waiting, PATIENT);
    send();
  });
}

async function send() {
  if (sending || !queue.length) return;
  sending = true;
  clearTimeout(wait);
  while (queue.length) {
    const entry = queue[0];
    let answer;
    try {
      answer = await fetch(`/api/fights/${fight}/${entry.path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Affray": "1", Accept: "application/json" },
        body: JSON.stringify({ ...entry.data, seen: entry.data.seen ?? version }),
      });
      if (answer.status >= 502) throw new Error("not there");
    } catch {
      lost(words.lost);
      waiting();
      wait = setTimeout(send, 1500);
      break;
    }
    const reply = await answer.json().catch(() => ({}));
    queue.shift();
    keep();
    if (answer.ok) {
      if (!connected) await refresh().catch(() => {});
      moved(reply.version);
    } else await refused(answer.status, reply);
    waiting();
    entry.done?.(answer.ok ? reply : null);
  }
  sending = false;
}

async function refused(status, reply) {
  const text = reply.message || (reply.problems || []).map((one) => one.text).join("; ") || words.failed;
  if (status === 409 || reply.view) await refresh().catch(() => {});
  const shown = toast(status === 409 && !reply.message ? words.stale : text, "bad", null, 9000);
  const rule = typeof reply.rule === "string" ? reply.rule : "";
  if (rule && shown) {
    shown.querySelector("span").append(" ", make("button", { type: "button", class: "rule", "data-rule": `${body.dataset.ruleset}/${rule}` }, rule));
  }
}

export const fragment = async (name, query = {}) => {
  const answer = await fetch(`/f/${fight}/part/${name}?${new URLSearchParams(query)}`, { headers: { "X-Affray": "1" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
};

export { icon };
listen();
if (queue.length) send();
