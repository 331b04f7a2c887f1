// The moves of a game: one as a button, all as a list.

import { h } from "../dom.js";
import { PLAYERS } from "../model/words.js";

export const MARKS = { mistake: "?", blunder: "??" };

/** One move: what it is called, who made it, and what is to be said about it. */
export function moveButton({ ply, name, player, current, mark, title, onclick }) {
  return h(
    "button",
    {
      type: "button",
      class: `move p${player} ${mark ?? ""}`,
      "aria-current": current ? "step" : null,
      title,
      onclick,
      "aria-label": `Move ${ply}: ${name}, by ${PLAYERS[player]}${title ? `. ${title}` : ""}`,
    },
    h("span", { class: "ply" }, ply),
    name,
    mark && h("span", { class: "mark", "aria-hidden": "true" }, MARKS[mark]),
  );
}

/** A plain list of the moves that led to a position. */
export function moveList({ names, movers }) {
  return h(
    "ol",
    { class: "moves", "aria-label": "Moves" },
    names.map((name, i) => h("li", { class: `move p${movers[i]}` }, h("span", { class: "ply" }, i + 1), name)),
  );
}
