// Stones on cells: dropped into columns (Connect 4), or set on squares (Othello, tic-tac-toe and most others).

import { s, still } from "../dom.js";
import { PLAYERS } from "../model/words.js";

const CELL = 100; // units of the drawing
const MARGIN = 5; // for coordinates, in hundredths of the board
let boards = 0; // each board needs a mask of its own

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

export function stonesPainter(game) {
  const { rows, columns } = game;
  const dropped = game.notation === "columns";
  const [width, height] = [columns * CELL, rows * CELL];
  const frame = dropped ? 14 : 8;
  const margin = MARGIN * Math.max(rows, columns);
  const left = game.notation === "squares" ? frame + margin : frame;
  const bottom = game.notation === "numbers" ? frame : frame + margin;
  const box = { x: -left, y: -frame, width: width + left + frame, height: height + frame + bottom };
  const centre = (cell) => [((cell % columns) + 0.5) * CELL, (Math.floor(cell / columns) + 0.5) * CELL];

  const [ghosts, stones, marks] = [s("g"), s("g", { class: "stones" }), s("g", { class: "marks" })];
  const at = new Map(); // cell → the element of its stone
  const layers = dropped
    ? [back(), ghosts, stones, face(), labels(), marks]
    : [squares(), labels(), ghosts, stones, marks];

  function back() {
    return s("rect", { class: "hole", x: 4, y: 4, width: width - 8, height: height - 8, rx: 20 });
  }

  /** The front of the board, with holes through which falling stones are seen. */
  function face() {
    const id = `holes-${++boards}`;
    const cells = Array.from({ length: rows * columns }, (_, cell) => centre(cell));
    return s(
      "g",
      { class: "front" },
      s(
        "mask",
        { id, maskUnits: "userSpaceOnUse", x: -frame, y: -frame, width: width + 2 * frame, height: height + 2 * frame },
        s("rect", { x: -frame, y: -frame, width: width + 2 * frame, height: height + 2 * frame, fill: "white" }),
        cells.map(([cx, cy]) => s("circle", { cx, cy, r: 40, fill: "black" })),
      ),
      s("rect", {
        class: "face",
        x: -frame,
        y: -frame,
        width: width + 2 * frame,
        height: height + 2 * frame,
        rx: 26,
        mask: `url(#${id})`,
      }),
      cells.map(([cx, cy]) => s("circle", { class: "rim", cx, cy, r: 40 })),
    );
  }

  function squares() {
    const lines = [];
    for (let c = 1; c < columns; c++) lines.push(s("path", { class: "grid", d: `M${c * CELL} 0V${height}` }));
    for (let r = 1; r < rows; r++) lines.push(s("path", { class: "grid", d: `M0 ${r * CELL}H${width}` }));
    return s(
      "g",
      {},
      s("rect", { class: "face", x: -frame, y: -frame, width: width + 2 * frame, height: height + 2 * frame, rx: 18 }),
      s("rect", { class: "field", width, height, rx: 10 }),
      lines,
    );
  }

  function labels() {
    const text = (x, y, word) => s("text", { class: "coordinate", x, y, "font-size": margin * 0.58 }, word);
    if (game.notation === "numbers") return s("g");
    const across = Array.from({ length: columns }, (_, c) =>
      text((c + 0.5) * CELL, height + frame + margin / 2, dropped ? c + 1 : letters(c)),
    );
    const down = dropped
      ? []
      : Array.from({ length: rows }, (_, r) => text(-frame - margin / 2, (r + 0.5) * CELL, r + 1));
    return s("g", {}, across, down);
  }

  /** The cell that a move would fill, or null. */
  const cellOf = (action, { legal }) => legal.find((move) => move.action === action)?.cell ?? null;

  const shared = game.cell_of_action && new Set(game.cell_of_action).size < game.actions; // several moves on one cell

  /** Draws what is new, turns what changed hands, takes away what is gone. */
  function paint(position, { before, hints }) {
    const move = before && !still();
    marks.replaceChildren();
    ghosts.replaceChildren();
    position.cells.forEach((owner, cell) => {
      const old = at.get(cell);
      if (old && old.owner === owner) return;
      old?.element.remove();
      at.delete(cell);
      if (owner === null) return;
      const [x, y] = centre(cell);
      const inner = stone(owner);
      const element = s("g", { transform: `translate(${x} ${y})` }, inner);
      stones.append(element);
      at.set(cell, { owner, element });
      if (move) enter(inner, cell, Boolean(old));
    });
    if (position.line.length) {
      position.line.forEach((cell) => mark(cell, "won", 44));
    } else if (position.last !== null) {
      mark(position.last, "last", 44);
    }
    stones.classList.toggle("dim", position.line.length > 0);
    for (const [cell, { element }] of at) element.classList.toggle("winner", position.line.includes(cell));
    if (hints && !dropped && !position.finished) hint(position);
  }

  function enter(element, cell, turned) {
    const row = Math.floor(cell / columns);
    if (dropped) {
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

  function mark(cell, kind, r) {
    const [cx, cy] = centre(cell);
    marks.append(s("circle", { class: kind, cx, cy, r }));
  }

  /** Dots on the legal cells, where not every empty cell is legal. */
  function hint(position) {
    const cells = new Set(position.legal.map(({ cell }) => cell));
    if (cells.size === position.cells.filter((owner) => owner === null).length) return;
    for (const cell of cells) {
      if (cell === null) continue;
      const [cx, cy] = centre(cell);
      ghosts.append(s("circle", { class: "legal", cx, cy, r: 9 }));
    }
  }

  return {
    viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`,
    ratio: box.width / box.height,
    layers,
    ghosts,
    paint,

    /** Where a move is made; null: nowhere on the board. */
    place(action) {
      if (!game.cell_of_action || shared) return null;
      const [x, y] = centre(game.cell_of_action[action]);
      return dropped
        ? { x: x - CELL / 2, y: 0, width: CELL, height }
        : { x: x - CELL / 2 + 3, y: y - CELL / 2 + 3, width: CELL - 6, height: CELL - 6 };
    },

    /** The stone as it would stand after a move that is pointed at. */
    ghost(action, position) {
      const cell = cellOf(action, position);
      if (cell === null) return null;
      const [x, y] = centre(cell);
      return s("g", { class: "ghost", transform: `translate(${x} ${y})` }, stone(position.player));
    },

    /** An analysis's note where the move's stone would stand. */
    note({ action, text, more, kind = "", weight = 0 }, position) {
      const cell = cellOf(action, position);
      if (cell === null) return null;
      const [x, y] = centre(cell);
      return s(
        "g",
        { class: `note ${kind}`, transform: `translate(${x} ${y})` },
        s("circle", { class: "ground", r: 39 }),
        weight > 0.01 &&
          s("circle", {
            class: "weight",
            r: 36,
            pathLength: 100,
            "stroke-dasharray": `${100 * weight} 100`,
            transform: "rotate(-90)",
          }),
        s("text", { y: more ? -5 : 0 }, text),
        more && s("text", { class: "more", y: 17 }, more),
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

/** a … z, aa, ab, … */
function letters(column) {
  return (column >= 26 ? letters(Math.floor(column / 26) - 1) : "") + String.fromCharCode(97 + (column % 26));
}
