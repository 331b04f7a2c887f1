// What filters say about every cell of a board, as small pictures: the more, the darker.

import { h, s } from "../../dom.js";

const [ROWS, COLUMNS] = [6, 7];
const DARKEST = 55; // % of the colour behind a number, which can still be read on it

/** A picture of numbers, `most` being the darkest. */
const picture = (numbers, most) =>
  s(
    "svg",
    { viewBox: `0 0 ${COLUMNS} ${ROWS}`, "aria-hidden": "true" },
    s("rect", { class: "ground", width: COLUMNS, height: ROWS }),
    numbers.map((number, cell) =>
      number > 0
        ? s("rect", {
            class: "active",
            x: cell % COLUMNS,
            y: Math.floor(cell / COLUMNS),
            width: 1,
            height: 1,
            "fill-opacity": Math.min(1, number / most).toFixed(2),
          })
        : null,
    ),
  );

/** The maps of a layer [channel][cell]: each a button. `chosen` is marked, `named(i)` is what one is called. */
export function maps(label, outputs, { chosen, named, onPick, kind = () => "" }) {
  const most = Math.max(1e-6, ...outputs.flat());
  return h(
    "div",
    { class: "maps", role: "group", "aria-label": label },
    outputs.map((numbers, i) =>
      h(
        "button",
        {
          type: "button",
          class: kind(i) || null,
          "aria-label": named(i),
          title: named(i),
          "aria-pressed": String(i === chosen),
          onclick: () => onPick(i),
        },
        picture(numbers, most),
        h("span", { class: "map-name", "aria-hidden": "true" }, i + 1),
      ),
    ),
  );
}

/**
 * One map in numbers: cells can be pointed at and pressed, `onPoint(cell)` is told. `chosen` is marked. The arrow keys are
 * the lesson's, so every cell is reached by Tab.
 */
export function bigMap(label, numbers, { chosen, named, onPoint }) {
  const most = Math.max(1e-6, ...numbers);
  const cells = numbers.map((number, cell) => {
    const strength = Math.max(0, Math.min(1, number / most));
    return h(
      "button",
      {
        type: "button",
        "aria-label": named(cell),
        "aria-pressed": String(cell === chosen),
        style: { "--strength": `${Math.round(DARKEST * strength)}%` },
        onpointerenter: () => onPoint(cell),
        onfocus: () => onPoint(cell),
        onclick: () => onPoint(cell),
      },
      number ? number.toFixed(1) : "0",
    );
  });
  const element = h("div", { class: "big-map", role: "group", "aria-label": label }, cells);
  const mark = (at) => cells.forEach((cell, i) => cell.setAttribute("aria-pressed", String(i === at)));
  return Object.assign(element, { mark });
}
