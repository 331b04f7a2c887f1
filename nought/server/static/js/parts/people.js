// Who plays: a strip with the sign, the name and what is to be said about them.

import { h, s } from "../dom.js";
import { stone } from "../board/stones.js";

/** A player's stone as a small picture. */
export function sign(player, size = 26) {
  return s(
    "svg",
    {
      class: "sign-picture",
      viewBox: "-42 -42 84 84",
      width: size,
      height: size,
      role: "img",
      "aria-label": player === 0 ? "X, moves first" : "O, moves second",
    },
    stone(player),
  );
}

/** A strip for one player; `say` changes the words at its right, `active` marks whose turn it is. */
export function strip(player, name, detail = "") {
  const words = h("span", { class: "words" });
  const element = h(
    "div",
    { class: `strip p${player}` },
    sign(player, 30),
    h("div", { class: "who" }, h("strong", {}, name), h("span", { class: "muted small" }, detail)),
    words,
  );
  return {
    element,
    active(is) {
      element.classList.toggle("active", is);
    },
    say(...content) {
      words.replaceChildren(...content.filter(Boolean));
    },
  };
}

/** Three dots that move while somebody thinks. */
export const thinking = () => h("span", { class: "thinking" }, "thinking", h("i", {}), h("i", {}), h("i", {}));
