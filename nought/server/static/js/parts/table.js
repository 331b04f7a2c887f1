// Tables of numbers and words.

import { h } from "../dom.js";

/**
 * A table with a row for each of `rows` and a column for each of [{ name, of, right, kind, silent }, …]:
 * `of(row)` is what stands in it, `right` puts it at the right, as numbers are, `kind` is its class, and a `silent`
 * name is heard but not seen. `about(row)` gives a row its properties. Columns that are false are left out.
 */
export function table(columns, rows, { kind = "", about = () => ({}) } = {}) {
  const there = columns.filter(Boolean);
  const look = (column) => [column.right && "right", column.kind].filter(Boolean).join(" ") || null;
  const name = (column) => (column.silent ? h("span", { class: "visually-hidden" }, column.name) : column.name);
  const head = there.map((column) => h("th", { class: look(column) }, name(column)));
  const cells = (row) => there.map((column) => h("td", { class: look(column) }, column.of(row)));
  return h(
    "table",
    { class: `table ${kind}`.trim() },
    h("thead", {}, h("tr", {}, head)),
    h(
      "tbody",
      {},
      rows.map((row) => h("tr", about(row), cells(row))),
    ),
  );
}

/** A box for what may be wider than the screen: it scrolls sideways, with keys, too. */
export const scrollBox = (label, kind, ...content) =>
  h("div", { class: kind, tabindex: 0, role: "group", "aria-label": label }, content);
