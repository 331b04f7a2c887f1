// An address that is none.

import { h } from "../dom.js";

export const title = "Not here";

export function render({ root }) {
  root.replaceChildren(
    h(
      "div",
      { class: "card empty" },
      h("h1", {}, "There is nothing at this address"),
      h("a", { class: "button", href: "/" }, "Play a game"),
    ),
  );
}
