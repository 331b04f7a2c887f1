// Shares as bars, a row each: what it is, how long the bar is, and the number.

import { h } from "../../dom.js";

/** Rows are { name, share (0 to 1), text, kind?, note? }; `label` says what they are. */
export const shareBars = (label, rows) =>
  h(
    "ul",
    { class: "shares", "aria-label": label },
    rows.map(({ name, share, text, kind = "", note = "" }) =>
      h(
        "li",
        { class: kind || null },
        h("span", { class: "share-name" }, name),
        h(
          "span",
          { class: "share-track", "aria-hidden": "true" },
          h("i", { style: { width: `${(100 * Math.max(0, Math.min(1, share))).toFixed(1)}%` } }),
        ),
        h("span", { class: "share-number" }, text, note && h("em", {}, ` ${note}`)),
      ),
    ),
  );
