// A board that only its game can draw: as text. Its moves are buttons.

import { h, s } from "../dom.js";

export function textPainter(game) {
  const element = h("pre", { class: "board-text", role: "group", "aria-label": `${game.title} board`, tabindex: 0 });
  return {
    element,
    viewBox: "0 0 1 1",
    ratio: 1,
    layers: [],
    ghosts: s("g"),
    paint: ({ text }) => void (element.textContent = text),
    lifted: () => [],
    ghost: () => null,
    note: () => null,
    numbered: () => null,
  };
}
