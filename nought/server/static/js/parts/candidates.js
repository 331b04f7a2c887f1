// The moves of a position as a search compares them: Q and U of each as one bar, its prior below; and what came back.

import { h } from "../dom.js";
import { signed } from "../model/words.js";
import { table } from "./table.js";

const LOWEST = -1; // of Q
const place = (value, highest) => (100 * (value - LOWEST)) / (highest - LOWEST);
const bar = (kind, from, to, highest) =>
  h("i", {
    class: kind,
    style: {
      left: `${place(Math.min(from, to), highest).toFixed(1)}%`,
      width: `${(place(Math.max(from, to), highest) - place(Math.min(from, to), highest)).toFixed(1)}%`,
    },
  });

/** Rows are { name, n, q, p, u, proven, chosen }. Where nobody has chosen yet, u is null, and only priors are shown. */
export function candidates(title, rows) {
  const score = ({ q, u }) => q + (u ?? 0);
  const highest = Math.max(1, ...rows.map(score)) * 1.02;
  const line = (row) => {
    const { name, n, q, p, u, proven, chosen } = row;
    const kind = [chosen && "chosen", proven && "proven", u === null && "prior"].filter(Boolean).join(" ");
    return h(
      "li",
      { class: kind || null },
      h("span", { class: "candidate-name" }, name),
      h(
        "span",
        { class: "candidate-track", "aria-hidden": "true" },
        h("i", { class: "zero", style: { left: `${place(0, highest).toFixed(1)}%` } }),
        u !== null && n > 0 && bar("q", 0, q, highest),
        u !== null && bar("u", q, q + u, highest),
        u !== null && h("i", { class: "sum", style: { left: `${place(q + u, highest).toFixed(1)}%` } }),
        bar("p", 0, p, highest),
      ),
      h("span", { class: "candidate-number" }, u === null ? `P ${p.toFixed(2)}` : signed(q + u)),
    );
  };
  const key = (kind, text) => h("span", {}, h("i", { class: kind }), text);
  return h(
    "section",
    { class: "candidates" },
    h("h3", {}, title),
    h("ul", {}, rows.map(line)),
    h("p", { class: "keys", "aria-hidden": "true" }, key("q", "Q"), key("u", "U"), key("p", "P")),
  );
}

/** What came back to every edge of the path, the last one first: changes of model/simulations.js with their names. */
export function cameBack(title, changes) {
  const columns = [
    { name: "Move", of: ({ name }) => h("strong", {}, name) },
    { name: "N", right: true, of: ({ n, before }) => `${before.n} → ${n}` },
    {
      name: "Q",
      right: true,
      of: ({ q, before, proven }) => `${before.n ? signed(before.q) : "–"} → ${signed(q)}${proven ? " proven" : ""}`,
    },
  ];
  return h("section", { class: "candidates" }, h("h3", {}, title), table(columns, changes, { kind: "came-back" }));
}
