// A guess before the answer: one of some choices, a number, or something on the stage. It is never graded.

import { h } from "../dom.js";
import { button } from "../parts/form.js";
import { dial } from "./parts/dial.js";
import { marked } from "./prose.js";
import { filled } from "./words.js";

/**
 * Asks. `guess` is { kind: "choice" | "number" | "stage", … }, `words` the step's, `frame` the words around lessons;
 * `answered(value)` is told of the guess, null where none is ventured.
 */
export function ask(guess, words, frame, answered) {
  const skip = button(frame.skip, () => answered(null), "quiet small");
  const how = { choice: choices, number, stage: () => [] }[guess.kind];
  return h(
    "div",
    { class: "guess", role: "group", "aria-label": frame.guess },
    h("p", { class: "question" }, marked(words.question)),
    how(guess, words, frame, answered),
    h("div", { class: "row" }, skip),
  );
}

const choices = (guess, words, frame, answered) =>
  h(
    "div",
    { class: "choices" },
    Object.entries(words.choices).map(([value, text]) =>
      h("button", { type: "button", "data-value": value, onclick: () => answered(value) }, h("span", {}, marked(text))),
    ),
  );

function number({ min, max, step, start, show = String }, words, frame, answered) {
  const slider = dial(words.unit ?? frame.guess, { min, max, step, value: start ?? (min + max) / 2, show });
  return [slider, button(frame.thatIsIt, () => answered(slider.value), "primary")];
}

/** What is said to a guess: kind, and never more than a sentence. */
export function reply({ kind, right, close = 0, show = String, say }, words, frame, value) {
  if (words.replies?.[value]) return words.replies[value];
  const named = (one) => (kind === "choice" ? words.choices[one] : say ? say(one) : show(one));
  const all = [right].flat(); // there may be several that are right
  const values = { right: all.map(named).join(", "), guess: value === null ? "" : named(value) };
  if (right === undefined) return "";
  if (value === null) return filled(frame.shown, values);
  if (all.some((one) => String(one) === String(value))) return frame.yes;
  if (kind === "number" && Math.abs(value - right) <= close) return filled(frame.close, values);
  return filled(frame.other, values);
}
