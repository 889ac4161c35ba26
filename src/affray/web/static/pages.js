// The pages around the fight: what a form answers is put in place by htmx; here are its faults, told to people.
import { toast, words } from "./affray.js";

document.body.addEventListener("htmx:beforeSwap", (event) => {
  const answer = event.detail.xhr;
  const html = (answer.getResponseHeader("content-type") || "").includes("text/html");
  if (answer.status >= 400 && html) { event.detail.shouldSwap = true; event.detail.isError = false; }
});

document.body.addEventListener("htmx:responseError", (event) => {
  let text = words.failed;
  try {
    const told = JSON.parse(event.detail.xhr.responseText);
    text = told.message || text;
  } catch { /* no words came */ }
  toast(text, "bad");
});

document.body.addEventListener("htmx:sendError", () => toast(words.failed, "bad"));

// What is wrong comes first, also for those who listen.
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.xhr?.status >= 400) document.getElementById("problems")?.focus();
});

// "did you mean": puts the value into its field.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-fill]");
  if (!button) return;
  const field = document.getElementById(button.dataset.fill);
  if (!field) return;
  field.value = button.dataset.value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  field.focus();
});

// A file is read here and put into the text field beside it.
document.addEventListener("change", async (event) => {
  if (!event.target.matches?.("input[type=file][data-into]") || !event.target.files.length) return;
  const file = event.target.files[0];
  const into = document.getElementById(event.target.dataset.into);
  if (file.size > 1000000) { toast(event.target.dataset.large || words.failed, "bad"); return; }
  into.value = await file.text();
  into.focus();
});

// A list that is filtered while one types.
document.addEventListener("input", (event) => {
  if (!event.target.matches?.("[data-filter]")) return;
  const wanted = event.target.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const one of document.querySelectorAll(event.target.dataset.filter)) {
    const text = one.textContent.toLowerCase();
    one.hidden = !wanted.every((word) => text.includes(word));
    shown += one.hidden ? 0 : 1;
  }
  const told = document.getElementById(event.target.dataset.count);
  if (told) told.textContent = shown;
});

// Whatever is asked twice before it is done.
document.body.addEventListener("htmx:confirm", (event) => {
  const button = event.detail.triggeringEvent?.submitter;
  if (!button?.dataset.sure) return;
  event.preventDefault();
  if (window.confirm(button.dataset.sure)) event.detail.issueRequest(true);
});

// What is asked for again and again leaves people alone who are in the middle of something there.
document.body.addEventListener("htmx:beforeRequest", (event) => {
  const box = event.detail.elt;
  if (box.matches("[data-poll]") && box.contains(document.activeElement)) event.preventDefault();
});
