// Numbers in rows and columns, as a table that can be listened to.

import { h } from "../../dom.js";

/**
 * A grid of `cells` (texts or numbers), `columns` wide. `kind(cell, i)` is a cell's class, `label` says what it is;
 * with `onPick(i)` cells can be pressed, and `named(i)` is what they are called then.
 */
function numberGrid(cells, columns, { label, kind = () => "", onPick = null, named = String } = {}) {
  const rows = Array.from({ length: Math.ceil(cells.length / columns) }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns).map((cell, column) => [cell, row * columns + column]),
  );
  const inner = (cell, i) =>
    onPick ? h("button", { type: "button", "aria-label": named(i), onclick: () => onPick(i) }, cell) : cell;
  return h(
    "table",
    { class: "number-grid", "aria-label": label },
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          row.map(([cell, i]) => h("td", { class: kind(cell, i) || null }, inner(cell, i))),
        ),
      ),
    ),
  );
}

/** A grid with its name above it; `look` is its class. */
export const namedGrid = (name, cells, columns, { look = "", ...more } = {}) =>
  h(
    "figure",
    { class: `named-grid ${look}`.trim() },
    h("figcaption", {}, name),
    numberGrid(cells, columns, { label: name, ...more }),
  );
