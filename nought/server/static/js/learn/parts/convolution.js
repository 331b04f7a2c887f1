// Convolutions to touch: the papers' two examples, and filters on our position.

import { h } from "../../dom.js";
import { segments } from "../../parts/form.js";
import { convolve, patch } from "../maths/layers.js";
import { planesOf } from "../maths/value.js";
import { carried } from "../position.js";
import { filled } from "../words.js";
import { namedGrid } from "./grid.js";

/** The papers' examples: 002's figure 4.3.2 (its corner; the rest of the image is ours) and 000's equation 24. */
const EXAMPLES = {
  cross: {
    image: [1, 3, 0, 2, 1, 0, 1, 0, 1, 0, 2, 1, 2, 0, 3, 1, 0, 1, 2, 0, 0, 2, 1, 0, 1],
    columns: 5,
    filter: [1, 0, 1, 0, 1, 0, 1, 0, 1],
    bias: 0,
  },
  sobel: {
    image: [3, 0, 1, 5, 2, 6, 2, 4, 2, 4, 1, 0, 3, 0, 1, 5],
    columns: 4,
    filter: [-1, 0, 1, -2, 0, 2, -1, 0, 1],
    bias: 7,
  },
};
const FILTERS = {
  beside: [0, 0, 0, 1, 1, 1, 0, 0, 0],
  above: [0, 1, 0, 0, 1, 0, 0, 1, 0],
  rising: [0, 0, 1, 0, 1, 0, 1, 0, 0],
};
const minus = (number) => String(number).replace("-", "−");

/** An image, a filter and the feature map: a number of the map shows its sum, a weight of the filter can be changed. */
export function convolutionTable(words, stage) {
  let example = structuredClone(EXAMPLES.cross);
  let at = 0; // the place of the map whose sum is shown
  const room = h("div", { class: "stack" });
  const pick = (act, i, grid) => {
    act(i);
    show();
    room.querySelectorAll(`.${grid} button`)[i].focus();
  };
  const show = () => {
    const { image, columns, filter, bias } = example;
    const map = convolve(image, columns, filter, bias);
    const [row, column] = [Math.floor(at / map.columns), at % map.columns];
    const under = (i) => {
      const [r, c] = [Math.floor(i / columns) - row, (i % columns) - column];
      return r >= 0 && r < 3 && c >= 0 && c < 3;
    };
    const known = (value, i) => (stage.revealed || i !== 0 ? minus(value) : "?");
    const filterGrid = namedGrid(words.filter + (bias ? `, b = ${bias}` : ""), filter.map(minus), 3, {
      look: "filter",
      named: (i) => filled(words.edgeFilter, { place: i + 1, value: minus(filter[i]) }),
      onPick: (i) => pick((place) => { filter[place] = filter[place] >= 2 ? -2 : filter[place] + 1; }, i, "filter"),
    }); // prettier-ignore
    const mapGrid = namedGrid(words.result, map.values.map(known), map.columns, {
      look: "feature-map",
      kind: (_, i) => (i === at ? "at" : ""),
      named: (i) => filled(words.resultAt, { row: Math.floor(i / map.columns) + 1, column: (i % map.columns) + 1 }),
      onPick: (i) => pick((place) => { at = place; }, i, "feature-map"),
    }); // prettier-ignore
    const terms = patch(image, columns, row, column, 3).map((number, i) => `${minus(filter[i])}·${minus(number)}`);
    const sum = filled(words.sum, {
      terms: terms.join(" + "),
      bias: bias ? ` + ${bias}` : "",
      value: minus(map.values[at]),
    });
    room.replaceChildren(
      h("div", { class: "row grids" }, namedGrid(words.image, image.map(minus), columns, { kind: (_, i) => (under(i) ? "under" : "") }), filterGrid, mapGrid), // prettier-ignore
      stage.revealed || at !== 0 ? h("p", { class: "working", "aria-live": "polite" }, sum) : "",
    );
  };
  show();
  stage.onReveal(show);
  const choose = segments(words.example, Object.entries(words.examples).reverse(), "cross", (name) => {
    [example, at] = [structuredClone(EXAMPLES[name]), 0];
    show();
  });
  return h("div", { class: "stack" }, choose, room);
}

const stones = () => planesOf(carried(), [carried().player]);
const mapOf = (which) => convolve(stones(), 7, FILTERS[which], 0, 1).values;

/** The greatest number that the filter “three side by side” finds in our position. */
export const strongest = () => Math.max(...mapOf("beside"));

/** Our position's plane, a filter, and what it finds. */
export function onBoard(words, stage) {
  const room = h("div", { class: "stack" });
  const show = (which) => {
    const found = mapOf(which);
    room.replaceChildren(
      namedGrid(words.stones, stones(), 7, { kind: (number) => (number ? "on" : "") }),
      namedGrid(words.filter, FILTERS[which], 3, { kind: (number) => (number ? "on" : "") }),
      ...(stage.revealed ? [namedGrid(words.found, found, 7, { kind: (number) => `heat-${number}` })] : []),
    );
  };
  const choose = segments(words.boardFilter, Object.entries(words.boardFilters), "beside", show);
  show("beside");
  stage.onReveal(() => show(choose.value));
  return h("div", { class: "stack" }, choose, room);
}
