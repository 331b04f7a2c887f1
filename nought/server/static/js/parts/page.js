// What pages have in common: a head with its title, and what stands where there is nothing yet.

import { h } from "../dom.js";

/** The title of a page and what it is for; `tools` stand at its right. */
export const pageHead = (title, text, ...tools) =>
  h("header", { class: "page-head" }, h("div", {}, h("h1", {}, title), h("p", {}, text)), tools);

/** A card in place of what is not there yet, with what to do about it. */
export const emptyCard = (...content) => h("div", { class: "card empty" }, content);

/** A link that looks like a button. */
export const linkButton = (text, href, kind = "", props = {}) =>
  h("a", { class: `button ${kind}`.trim(), href, ...props }, text);
