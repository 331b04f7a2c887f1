// Pieces on cells: dropped into columns (Connect 4), set on squares (Othello, tic-tac-toe and most others), moved from
// one to another (Breakthrough), on hexagons, or counted in pits.

import { s, still } from "../dom.js";
import { legalMove } from "../model/games.js";
import { PLAYERS } from "../model/words.js";
import { CELL, groundOf } from "./ground.js";

/** A player's stone around (0, 0): told apart by its sign, not only by its colour. */
export function stone(player, r = 40) {
  const sign =
    player === 0
      ? s("path", {
          class: "sign",
          d: `M${-r * 0.34} ${-r * 0.34}L${r * 0.34} ${r * 0.34}M${r * 0.34} ${-r * 0.34}L${-r * 0.34} ${r * 0.34}`,
        })
      : s("circle", { class: "sign", r: r * 0.36 });
  return s("g", { class: `stone p${player}` }, s("circle", { class: "disc", r: r - 1.5 }), sign);
}

/** What stands on a cell: a player's stone, with a letter or a number in place of its sign, or the label alone. */
function piece({ owner, label }, pits) {
  if (pits) return s("g", { class: `pit p${owner}` }, s("circle", { class: "disc", r: 43 }), s("text", {}, label));
  if (owner === null) return s("g", { class: "nobody" }, s("text", {}, label));
  if (!label) return stone(owner);
  const written = owner === 0 ? label.toUpperCase() : label.toLowerCase(); // colour is not all that tells whose it is
  return s("g", { class: `stone p${owner}` }, s("circle", { class: "disc", r: 38.5 }), s("text", {}, written));
}

export function stonesPainter(game) {
  const { columns } = game;
  const ground = groundOf(game);
  const { centre, drops } = ground;
  const pits = game.board === "pits";
  const [ghosts, stones, marks] = [s("g"), s("g", { class: "stones" }), s("g", { class: "marks" })];
  const at = new Map(); // cell → { owner, label, element }: what stands there
  const layers = drops
    ? [ground.below, ghosts, stones, ground.above, ground.labels, marks]
    : [ground.below, ground.labels, ghosts, stones, marks];

  /** The cell that a move would fill, or null. */
  const cellOf = (action, position) => legalMove(position, action)?.cell ?? null;

  /** Draws what is new, turns what changed hands, takes away what is gone. */
  function paint(position, { before, hints }) {
    const move = before && !still();
    marks.replaceChildren();
    ghosts.replaceChildren();
    position.cells.forEach((owner, cell) => {
      const label = position.labels[cell] ?? "";
      const old = at.get(cell);
      if (old && old.owner === owner && old.label === label) return;
      old?.element.remove();
      at.delete(cell);
      if (owner === null && !label) return;
      const [x, y] = centre(cell);
      const inner = piece({ owner, label }, pits);
      const element = s("g", { transform: `translate(${x} ${y})` }, inner);
      stones.append(element);
      at.set(cell, { owner, label, element });
      if (move && !pits) enter(inner, cell, Boolean(old), cell === position.last ? position.came_from : null);
    });
    if (position.line.length) {
      position.line.forEach((cell) => mark(cell, "won", 44));
    } else if (position.last !== null) {
      mark(position.last, "last", pits ? 46 : 44);
      if (position.came_from !== null) mark(position.came_from, "came-from", 14);
    }
    stones.classList.toggle("dim", position.line.length > 0);
    for (const [cell, { element }] of at) element.classList.toggle("winner", position.line.includes(cell));
    if (hints && !drops && !pits && !position.finished) hint(position);
  }

  function enter(element, cell, turned, from) {
    const row = Math.floor(cell / columns);
    if (from !== null) {
      const [[x, y], [toX, toY]] = [centre(from), centre(cell)];
      element.animate([{ transform: `translate(${x - toX}px, ${y - toY}px)` }, { transform: "none" }], {
        duration: 240,
        easing: "ease-in-out",
      });
    } else if (drops) {
      const fall = (row + 1) * CELL + 20;
      element.animate(
        [
          { transform: `translateY(${-fall}px)`, easing: "cubic-bezier(.55,0,.9,.5)" },
          { transform: "none", offset: 0.72, easing: "ease-out" },
          { transform: `translateY(${-6 - row * 2.2}px)`, offset: 0.86, easing: "ease-in" },
          { transform: "none" },
        ],
        { duration: 260 + 55 * row },
      );
    } else if (turned) {
      element.animate(
        [
          { transform: "scaleX(-.1)", opacity: 0.6 },
          { transform: "none", opacity: 1 },
        ],
        { duration: 260, delay: 90, easing: "ease-out", fill: "backwards" },
      );
    } else {
      element.animate(
        [
          { transform: "scale(.4)", opacity: 0 },
          { transform: "scale(1.07)", opacity: 1, offset: 0.7 },
          { transform: "none" },
        ],
        { duration: 220, easing: "ease-out" },
      );
    }
  }

  /** The way of a piece to (x, y), seen from there. */
  function way(origin, x, y) {
    if (origin === null) return null;
    const [fromX, fromY] = centre(origin);
    return s("path", { class: "way", d: `M${fromX - x} ${fromY - y}L0 0` });
  }

  function mark(cell, kind, r) {
    marks.append(dot(cell, kind, r));
  }

  /** Dots on the legal cells, where not every empty cell is legal. */
  function hint(position) {
    const cells = new Set(position.legal.filter(({ origin }) => origin === null).map(({ cell }) => cell));
    if (cells.size === position.cells.filter((owner) => owner === null).length) return;
    for (const cell of cells) if (cell !== null) ghosts.append(dot(cell, "legal", 9));
  }

  function dot(cell, kind, r) {
    const [cx, cy] = centre(cell);
    return s("circle", { class: kind, cx, cy, r });
  }

  return {
    viewBox: ground.viewBox,
    ratio: ground.ratio,
    layers,
    ghosts,
    paint,
    area: ground.area,

    /** A piece that was taken up, and where it may go. */
    lifted: (cell, goals) => [
      dot(cell, "lifted", 46),
      ...goals.map((goal) => dot(goal, at.has(goal) ? "goal taken" : "goal", at.has(goal) ? 46 : 16)),
    ],

    /** The stone as it would stand after a move that is pointed at. */
    ghost(action, position) {
      const cell = cellOf(action, position);
      if (cell === null || pits || position.labels.length) return null; // what would stand there is not known here
      const [x, y] = centre(cell);
      return s("g", { class: "ghost", transform: `translate(${x} ${y})` }, stone(position.player));
    },

    /** An analysis's note where the move's stone would stand; smaller and below what stands there already. */
    note({ action, text, more, kind = "", weight = 0 }, position) {
      const cell = cellOf(action, position);
      if (cell === null) return null;
      const [x, y] = centre(cell);
      const taken = at.has(cell);
      const two = more && !taken; // lines
      const written = s(
        "g",
        { transform: taken ? "translate(0 39) scale(0.58)" : "" },
        s("circle", { class: "ground", r: 39 }),
        weight > 0.01 &&
          s("circle", {
            class: "weight",
            r: 36,
            pathLength: 100,
            "stroke-dasharray": `${100 * weight} 100`,
            transform: "rotate(-90)",
          }),
        s("text", { y: two ? -5 : 0 }, text),
        two && s("text", { class: "more", y: 17 }, more),
      );
      return s(
        "g",
        { class: `note ${kind}`, transform: `translate(${x} ${y})` },
        way(legalMove(position, action).origin, x, y),
        written,
      );
    },

    /** A numbered stone on a cell of a line. */
    numbered({ cell, player, number }) {
      const [x, y] = centre(cell);
      return s(
        "g",
        { class: "line", transform: `translate(${x} ${y})` },
        s("circle", { class: `disc p${player}`, r: 36 }),
        s("text", { "aria-label": PLAYERS[player] }, number),
      );
    },
  };
}
