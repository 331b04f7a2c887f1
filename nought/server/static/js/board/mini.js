// A small picture of a position: for lists of games and for the nodes of a search.

import { s } from "../dom.js";

/** `board` holds cells, or edges and boxes, as a Position does. Drawn into a square or rectangle `width` wide. */
export function miniBoard(game, board, width = 120) {
  const inner = game.board === "dots" ? miniDots(game, board) : miniStones(game, board);
  const [columns, rows] = miniSize(game);
  return s(
    "svg",
    {
      class: "mini",
      viewBox: `0 0 ${columns} ${rows}`,
      width,
      height: (width * rows) / columns,
      "aria-hidden": "true",
    },
    inner,
  );
}

/** The size of a small board in its own units. */
function miniSize(game) {
  return [game.columns + 0.4 + slant(game) * (game.rows - 1), game.rows + 0.4];
}

/** How much further to the right each row is: half a cell on hexagons. */
const slant = (game) => (game.board === "hexagons" ? 0.5 : 0);

function miniStones(game, { cells, labels = [], line = [] }) {
  const [width, height] = miniSize(game);
  const parts = [s("rect", { class: "face", width, height, rx: 0.5 })];
  cells.forEach((owner, cell) => {
    const row = Math.floor(cell / game.columns);
    const [cx, cy] = [(cell % game.columns) + 0.7 + slant(game) * row, row + 0.7];
    const label = labels[cell] ?? "";
    if (game.board === "pits" && owner === null && !label) return;
    if (game.colours[cell] === "off") return;
    parts.push(s("circle", { class: owner === null ? "hole" : `disc p${owner}`, cx, cy, r: 0.41 }));
    if (label) parts.push(s("text", { class: "label", x: cx, y: cy }, label));
    else if (owner === 1) parts.push(s("circle", { class: "hole-sign", cx, cy, r: 0.15 }));
    if (line.includes(cell)) parts.push(s("circle", { class: "won", cx, cy, r: 0.41 }));
  });
  return parts;
}

function miniDots(game, { edges, boxes }) {
  const parts = [s("rect", { class: "field", width: game.columns + 0.4, height: game.rows + 0.4, rx: 0.5 })];
  const at = (cell) => [(cell % game.columns) + 0.7, Math.floor(cell / game.columns) + 0.7];
  for (const { cell, owner } of boxes) {
    const [x, y] = at(cell);
    if (owner !== null && owner !== undefined)
      parts.push(s("rect", { class: `disc p${owner}`, x: x - 0.75, y: y - 0.75, width: 1.5, height: 1.5, rx: 0.2 }));
  }
  for (const { cell, drawn } of edges) {
    const [x, y] = at(cell);
    const across = Math.floor(cell / game.columns) % 2 === 0;
    if (drawn) parts.push(s("path", { class: "edge", d: across ? `M${x - 1} ${y}h2` : `M${x} ${y - 1}v2` }));
  }
  for (let row = 0; row < game.rows; row += 2) {
    for (let column = 0; column < game.columns; column += 2)
      parts.push(s("circle", { class: "dot", cx: column + 0.7, cy: row + 0.7, r: 0.2 }));
  }
  return parts;
}
