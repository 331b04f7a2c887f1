// A small network as a picture: neurons as circles with their numbers, weights on the lines between them.

import { s } from "../../dom.js";

const HIGH = 78, // from neuron to neuron
  WIDE = 150, // from layer to layer
  R = 25;

/**
 * `layers` are lists of neurons { name, value, below? }, first the inputs; `weights[l][j][i]` goes from neuron i of layer l
 * to neuron j of the next: a text, or null for no text. `label` says it in words.
 */
export function netPicture(layers, weights, label) {
  const tall = Math.max(...layers.map((layer) => layer.length)) * HIGH;
  const wide = (layers.length - 1) * WIDE + 2 * R + 40;
  const at = (l, i) => [R + 20 + l * WIDE, tall / 2 + (i - (layers[l].length - 1) / 2) * HIGH];
  const lines = weights.flatMap(
    (rows, l) =>
    rows.flatMap((row, j) => row.map((text, i) => line(at(l, i), at(l + 1, j), text, 0.26 + 0.2 * ((i + 2 * j) % 3)))), // prettier-ignore
  );
  const circles = layers.flatMap((layer, l) => layer.map((one, i) => circle(at(l, i), one, l)));
  return s(
    "svg",
    { class: "net", viewBox: `0 0 ${wide} ${tall + 14}`, role: "img", "aria-label": label },
    lines.map(({ way }) => way),
    lines.map(({ words }) => words),
    circles,
  );
}

function line([x0, y0], [x1, y1], text, share) {
  const [x, y] = [x0 + share * (x1 - x0), y0 + share * (y1 - y0)];
  return {
    way: s("path", { class: "way", d: `M${x0 + R} ${y0}L${x1 - R} ${y1}` }),
    words: text === null ? null : s("text", { class: "weight", x, y: y + 4 }, text),
  };
}

const circle = ([x, y], { name, value, below }, layer) =>
  s(
    "g",
    { class: layer === 0 ? "input" : "neuron" },
    s("circle", { cx: x, cy: y, r: R }),
    s("text", { class: "value", x, y: y + 5 }, value),
    name && s("text", { class: "name", x, y: y - R - 5 }, name),
    below && s("text", { class: "below", x, y: y + R + 13 }, below),
  );
