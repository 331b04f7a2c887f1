// Bars for a few numbers side by side, each with its name and its value.

import { h } from "../../dom.js";

/** `numbers` are [{ name, value, kind? }], `most` is a full bar; negative ones go to the left of the middle. */
export function bars(numbers, { most = 1, show = (value) => value.toFixed(2), label } = {}) {
  const both = numbers.some(({ value }) => value < 0);
  const width = (value) => (Math.min(1, Math.abs(value) / most) * 100) / (both ? 2 : 1);
  const left = (value) => (both ? (value < 0 ? 50 - width(value) : 50) : 0);
  return h(
    "ul",
    { class: "bars", "aria-label": label },
    numbers.map(({ name, value, kind = "" }) =>
      h(
        "li",
        {},
        h("span", { class: "bar-name" }, name),
        h(
          "span",
          { class: `bar-room ${both ? "both" : ""}` },
          h("i", { class: kind, style: { left: `${left(value)}%`, width: `${width(value)}%` } }),
        ),
        h("span", { class: "bar-value number" }, show(value)),
      ),
    ),
  );
}
