// The moves of a game as a list of buttons, with branches where other moves were tried.

import { h } from "../dom.js";
import { PLAYERS } from "../words.js";

/** One move: what it is called, who made it, and what is to be said about it. */
export function moveButton({ ply, name, player, current, mark, title, onclick }) {
  return h(
    "button",
    {
      type: "button",
      class: `move p${player ?? ""} ${mark ?? ""}`,
      "aria-current": current ? "step" : null,
      title,
      onclick,
      "aria-label": `Move ${ply}: ${name}${player === undefined ? "" : `, by ${PLAYERS[player]}`}${title ? `. ${title}` : ""}`,
    },
    h("span", { class: "ply" }, ply),
    name,
    mark && h("span", { class: "mark", "aria-hidden": "true" }, { mistake: "?", blunder: "??" }[mark]),
  );
}

/** A plain list of moves. */
export function moveList(position, players) {
  return h(
    "ol",
    { class: "moves", "aria-label": "Moves" },
    position.names.map((name, i) =>
      h("li", { class: `move p${players[i] ?? ""}` }, h("span", { class: "ply" }, i + 1), name),
    ),
  );
}
