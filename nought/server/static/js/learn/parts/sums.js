// One number of a convolution, taken apart: what it looked at, times its weights, added up.

import { h } from "../../dom.js";
import { signed } from "../../model/words.js";
import { filled } from "../words.js";
import { namedGrid } from "./grid.js";

const SHOWN = 2; // inputs that are shown in full

const short = (number) => (Number.isInteger(number) ? String(number) : signed(number));

/** `sum` is what `Layers.sumAt` gives; `inputs(i)` names an input channel. */
export function sumOf(words, { parts, bias, carried, total, output }, inputs) {
  const largest = [...parts].sort((a, b) => Math.abs(b.sum) - Math.abs(a.sum)).slice(0, SHOWN);
  const shown = parts.length <= SHOWN ? parts : largest;
  const rest = parts.filter((part) => !shown.includes(part)).reduce((all, part) => all + part.sum, 0);
  const across = Math.sqrt(parts[0].numbers.length);
  const part = ({ input, numbers, weights, sum }) =>
    h(
      "div",
      { class: "sum-part" },
      namedGrid(filled(words.seen, { input: inputs(input) }), numbers.map(short), across, {
        kind: (_, i) => (numbers[i] ? "on" : ""),
      }),
      h("span", { class: "sign", "aria-hidden": "true" }, "×"),
      namedGrid(words.weights, weights.map((weight) => signed(weight)), across), // prettier-ignore
      h("span", { class: "sign" }, "= ", h("strong", {}, signed(sum))),
    );
  const terms = [
    ...shown.map(({ input, sum }) => [inputs(input), sum]),
    ...(parts.length > SHOWN ? [[filled(words.rest, { count: parts.length - SHOWN }), rest]] : []),
    [words.bias, bias],
    ...(carried ? [[words.carried, carried]] : []),
  ];
  return h(
    "div",
    { class: "stack sum" },
    shown.map(part),
    h(
      "dl",
      { class: "terms" },
      terms.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, signed(value)))),
      h("div", { class: "total" }, h("dt", {}, words.total), h("dd", {}, signed(total))),
      h("div", { class: "total" }, h("dt", {}, words.rectified), h("dd", { class: "output" }, output.toFixed(2))),
    ),
  );
}
