// What a person sees when something fails: what it is, and a way on.

import { announce, h } from "../dom.js";
import { button } from "./form.js";

/** A card that says what went wrong, with a button to try again. */
export function problem(error, retry) {
  const title = error.away
    ? "The server is away"
    : error.status === 429 || error.status === 503
      ? "The server is busy"
      : "That did not work";
  const text = error.away ? "Nothing is lost. Try again when it is back, or when you are online." : error.message;
  announce(`${title}. ${text}`);
  return h(
    "div",
    { class: "card problem" },
    h("h2", {}, title),
    h("p", {}, text),
    retry && button("Try again", retry, "primary"),
  );
}

/** What to show of a failure: null where nobody waits for it any more. A fault of the page's own is logged, too. */
export function failure(error, signal, retry) {
  if (signal.aborted || error.name === "AbortError") return null;
  if (error.status === undefined) console.error(error);
  return problem(error, retry);
}

const LONG = 4000; // milliseconds after which a person wants to know why
const latest = new WeakMap(); // element → the loading that may fill it

/**
 * Fills `root` with what `load(signal)` gives; a failure is shown in its place, with a way to try again.
 * What was asked for last is shown: a loading that is still under way for this root is ended, and
 * so is this one when the signal `leave` says that the page is left.
 */
export async function loading(root, leave, load) {
  latest.get(root)?.abort();
  if (leave.aborted) return;
  const mine = new AbortController();
  const { signal } = mine;
  latest.set(root, mine);
  leave.addEventListener("abort", () => mine.abort(), { signal });
  const wait = h("p", { class: "loading muted", role: "status" }, "Loading …");
  root.replaceChildren(wait);
  const late = setTimeout(() => {
    wait.textContent = "Loading … After its first start the server compiles the games, which can take a minute.";
  }, LONG);
  let shown;
  try {
    shown = [await load(signal)].flat().filter(Boolean);
  } catch (error) {
    shown = [failure(error, signal, () => loading(root, leave, load))];
  }
  clearTimeout(late);
  if (!signal.aborted) root.replaceChildren(...shown.filter(Boolean));
}
