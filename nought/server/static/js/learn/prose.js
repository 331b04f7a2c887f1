// Words with a few marks as elements: *strong*, `code`, $formula$, {value}. Nothing is read as HTML.

import { h } from "../dom.js";
import { formula } from "./formula.js";
import { filled } from "./words.js";

const MARKED = /(\*[^*]+\*|`[^`]+`|\$[^$]+\$)/;

/** A text's words and marks as nodes. */
export const marked = (text, values) =>
  filled(text, values)
    .split(MARKED)
    .filter(Boolean)
    .map((part) => {
      if (!MARKED.test(part)) return part;
      const inner = part.slice(1, -1);
      return part[0] === "$" ? formula(inner) : h(part[0] === "*" ? "strong" : "code", {}, inner);
    });

/**
 * Paragraphs: a text each, or { formula, words } (every formula has its words), { list: [text, …] }, { note: text },
 * { link: [text, address] }.
 */
export function prose(paragraphs, values) {
  return [paragraphs].flat().map((one) => {
    if (typeof one === "string") return h("p", {}, marked(one, values));
    if (one.formula)
      return h(
        "figure",
        { class: "formula" },
        formula(filled(one.formula, values), true),
        h("figcaption", {}, marked(one.words, values)),
      );
    if (one.list) return h("ul", { class: "bullets" }, one.list.map((item) => h("li", {}, marked(item, values)))); // prettier-ignore
    if (one.link) return h("p", {}, h("a", { href: one.link[1] }, one.link[0]));
    return h("p", { class: "note-line" }, marked(one.note, values));
  });
}
