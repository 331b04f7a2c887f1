// A question in a dialog: nothing else on the page can be used until it is answered or left with Esc.

import { h } from "../dom.js";
import { button } from "./form.js";

/** Asks, with a button for each of [[value, text], …], the first of which is the one to take. Null: the question was left. */
export function ask(title, text, choices) {
  return new Promise((resolve) => {
    // Answered at once and not at the event "close", which comes later: a key pressed in between would be lost.
    const answer = (value) => {
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    const dialog = h(
      "dialog",
      { class: "card dialog", "aria-labelledby": "question", "aria-describedby": "question-text" },
      h("h2", { id: "question" }, title),
      h("p", { id: "question-text" }, text),
      h(
        "div",
        { class: "row" },
        choices.map(([value, words], i) => button(words, () => answer(value), i === 0 ? "primary" : "")),
      ),
    );
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      answer(null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
