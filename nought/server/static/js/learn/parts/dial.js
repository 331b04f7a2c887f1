// A number to drag: a slider with its name and its value, for fingers, mice and keys.

import { h } from "../../dom.js";

/** `show` writes the value, `oninput(value)` is told of changes; `element.value` is the number. */
export function dial(label, { min, max, step = 1, value, show = String, oninput = () => {} }) {
  const shown = h("output", {}, show(value));
  const input = h("input", { type: "range", min, max, step, "aria-label": label });
  input.value = value; // after its limits
  const element = h("label", { class: "field dial" }, h("span", {}, label, " ", shown), input);
  const tell = () => {
    shown.textContent = show(element.value);
    input.setAttribute("aria-valuetext", show(element.value));
  };
  Object.defineProperty(element, "value", {
    get: () => Number(input.value),
    set: (next) => {
      input.value = next;
      tell();
    },
  });
  input.addEventListener("input", () => {
    tell();
    oninput(element.value);
  });
  tell();
  return element;
}
