// What a person sees when something fails: what it is, and a way on.

import { announce, h } from "../dom.js";

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
    retry && h("button", { type: "button", class: "primary", onclick: retry }, "Try again"),
  );
}

/** Fills `root` with what `load` gives; a failure is shown in its place, with a way to try again. */
export async function loading(root, signal, load) {
  root.replaceChildren(h("p", { class: "loading muted" }, "Loading …"));
  try {
    const content = await load();
    if (!signal.aborted) root.replaceChildren(...[content].flat().filter(Boolean));
  } catch (error) {
    if (signal.aborted || error.name === "AbortError") return;
    if (error.status === undefined) console.error(error);
    root.replaceChildren(problem(error, () => loading(root, signal, load)));
  }
}
