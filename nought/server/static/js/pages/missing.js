// An address that is none.

import { h } from "../dom.js";
import { emptyCard, linkButton } from "../parts/page.js";

export const title = "Not here";

export function render({ root }) {
  root.replaceChildren(emptyCard(h("h1", {}, "There is nothing at this address"), linkButton("Play a game", "/")));
}
