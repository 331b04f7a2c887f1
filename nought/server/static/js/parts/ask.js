// A question in a dialog: nothing else on the page can be used until it is answered or left with Esc.

import { h } from "../dom.js";
import { button } from "./form.js";

/** Asks, with a button for each of [[value, text], …], the first of which is the one to take. Null: the question was left. */
export function ask(title, text, choices) {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { class: "card dialog", "aria-labelledby": "question", "aria-describedby": "question-text" },
      h("h2", { id: "question" }, title),
      h("p", { id: "question-text" }, text),
      h(
        "div",
        { class: "row" },
        choices.map(([value, words], i) => button(words, () => dialog.close(value), i === 0 ? "primary" : "")),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
