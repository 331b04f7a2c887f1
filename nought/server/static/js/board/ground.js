// The empty board: squares, holes into which stones drop, hexagons or pits, with the names of its rows and columns.

import { s } from "../dom.js";

export const CELL = 100; // units of the drawing
const MARGIN = 5; // for coordinates, in hundredths of the board
const NARROWEST = 0.75; // a board's width, in heights
const SLANT = Math.sqrt(3) / 2; // from row to row of hexagons, in widths of one
const HIGH = CELL / Math.sqrt(3); // from a hexagon's middle to its top
const CORNERS = [
  [0, -HIGH],
  [CELL / 2, -HIGH / 2],
  [CELL / 2, HIGH / 2],
  [0, HIGH],
  [-CELL / 2, HIGH / 2],
  [-CELL / 2, -HIGH / 2],
];
let boards = 0; // each board needs a mask of its own

/** Where the cells of a game's board are, and what is drawn below and above what stands on them. */
export function groundOf(game) {
  const ground = game.board === "hexagons" ? hexagonal(game) : rectangular(game);
  const named = ["squares", "moves", "names"].includes(game.notation);
  const { width, height, frame } = ground;
  const margin = (MARGIN * Math.max(width, height)) / 100;
  const [left, bottom] = [named ? frame + margin : frame, game.notation === "numbers" ? frame : frame + margin];
  const box = { x: -left, y: -frame, width: width + left + frame, height: height + frame + bottom };
  const beside = Math.max(0, NARROWEST * box.height - box.width); // so that the players' names have room
  Object.assign(box, { x: box.x - beside / 2, width: box.width + beside });
  return {
    ...ground,
    labels: labels(game, ground, margin),
    viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`,
    ratio: box.width / box.height,
  };
}

/** The name of a cell: the letters of its column and the number of its row. */
export const square = (game, cell) => letters(cell % game.columns) + rowName(game, Math.floor(cell / game.columns));

const rowName = (game, row) => (game.a1 === "bottom left" ? game.rows - row : row + 1);

/** a … z, aa, ab, … */
function letters(column) {
  return (column >= 26 ? letters(Math.floor(column / 26) - 1) : "") + String.fromCharCode(97 + (column % 26));
}

const everyCell = ({ rows, columns }) => Array.from({ length: rows * columns }, (_, cell) => cell);

const colourOf = (game, cell) => game.colours[cell] ?? "plain";

function labels(game, { centre, height, frame, drops }, margin) {
  const text = (x, y, word) => s("text", { class: "coordinate", x, y, "font-size": margin * 0.58 }, word);
  if (game.notation === "numbers") return s("g");
  const below = (game.rows - 1) * game.columns;
  const across = Array.from({ length: game.columns }, (_, column) =>
    text(centre(below + column)[0], height + frame + margin / 2, drops ? column + 1 : letters(column)),
  );
  if (drops) return s("g", {}, across);
  const down = Array.from({ length: game.rows }, (_, row) => {
    const [x, y] = centre(row * game.columns);
    return text(x - CELL / 2 - frame - margin / 2, y, rowName(game, row));
  });
  return s("g", {}, across, down);
}

// ---- squares, holes and pits ------------------------------------------------------------------------------------
function rectangular(game) {
  const { rows, columns } = game;
  const drops = game.notation === "columns";
  const [width, height, frame] = [columns * CELL, rows * CELL, drops ? 14 : 8];
  const centre = (cell) => [((cell % columns) + 0.5) * CELL, (Math.floor(cell / columns) + 0.5) * CELL];
  const ground = { width, height, frame, drops, centre };
  const area = (cell) => {
    const [x, y] = centre(cell);
    const place = drops
      ? { x: x - CELL / 2, y: 0, width: CELL, height }
      : { x: x - CELL / 2 + 3, y: y - CELL / 2 + 3, width: CELL - 6, height: CELL - 6 };
    return s("rect", { class: "area", ...place, rx: game.board === "pits" ? CELL / 2 : 14 });
  };
  const below = drops ? back(ground) : game.board === "pits" ? trough(ground) : squares(game, ground);
  return { ...ground, area, below, above: drops ? front(game, ground) : null };
}

const around = ({ width, height, frame }) => ({
  x: -frame,
  y: -frame,
  width: width + 2 * frame,
  height: height + 2 * frame,
});

function back({ width, height }) {
  return s("rect", { class: "hole", x: 4, y: 4, width: width - 8, height: height - 8, rx: 20 });
}

/** The front of the board, with holes through which falling stones are seen. */
function front(game, ground) {
  const id = `holes-${++boards}`;
  const cells = everyCell(game).map(ground.centre);
  return s(
    "g",
    { class: "front" },
    s(
      "mask",
      { id, maskUnits: "userSpaceOnUse", ...around(ground) },
      s("rect", { ...around(ground), fill: "white" }),
      cells.map(([cx, cy]) => s("circle", { cx, cy, r: 40, fill: "black" })),
    ),
    s("rect", { class: "face", ...around(ground), rx: 26, mask: `url(#${id})` }),
    cells.map(([cx, cy]) => s("circle", { class: "rim", cx, cy, r: 40 })),
  );
}

function trough(ground) {
  return s("rect", { class: "face", ...around(ground), rx: 48 });
}

function squares(game, ground) {
  const { width, height, centre } = ground;
  const coloured = everyCell(game)
    .filter((cell) => colourOf(game, cell) !== "plain")
    .map((cell) => {
      const [x, y] = centre(cell);
      const place = { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL };
      return s("rect", { class: `cell ${colourOf(game, cell)}`, ...place });
    });
  const lines = [];
  for (let c = 1; c < game.columns; c++) lines.push(s("path", { class: "grid", d: `M${c * CELL} 0V${height}` }));
  for (let r = 1; r < game.rows; r++) lines.push(s("path", { class: "grid", d: `M0 ${r * CELL}H${width}` }));
  const ends = [`M0 0H${width}`, `M${width} 0V${height}`, `M0 ${height}H${width}`, `M0 0V${height}`];
  const sides = ends.map((d, i) => game.sides[i] !== null && s("path", { class: `border p${game.sides[i]}`, d }));
  return s(
    "g",
    {},
    s("rect", { class: "face", ...around(ground), rx: 18 }),
    s("rect", { class: "field", width, height, rx: 10 }),
    coloured,
    lines,
    sides,
  );
}

// ---- hexagons ---------------------------------------------------------------------------------------------------
function hexagonal(game) {
  const { rows, columns } = game;
  const centre = (cell) => {
    const row = Math.floor(cell / columns);
    return [((cell % columns) + 0.5 + row / 2) * CELL, row * SLANT * CELL + HIGH];
  };
  const path = (cell, props) => {
    const [x, y] = centre(cell);
    return s("polygon", { ...props, points: CORNERS.map(([dx, dy]) => `${x + dx},${y + dy}`).join(" ") });
  };
  const cells = everyCell(game).filter((cell) => colourOf(game, cell) !== "off");
  const hexagons = cells.map((cell) => path(cell, { class: `field hexagon ${colourOf(game, cell)}` }));
  return {
    width: (columns + (rows - 1) / 2) * CELL,
    height: (rows - 1) * SLANT * CELL + 2 * HIGH,
    frame: 12,
    drops: false,
    centre,
    area: (cell) => path(cell, { class: "area" }),
    below: s("g", {}, hexagons, hexagonSides(game, centre)),
    above: null,
  };
}

/** The outer edges of the cells along each side that is somebody's. Edge i goes from corner i to the next. */
function hexagonSides(game, centre) {
  const last = (game.rows - 1) * game.columns;
  const along = [
    [(i) => i, game.columns, [5, 0]],
    [(i) => i * game.columns + game.columns - 1, game.rows, [0, 1]],
    [(i) => last + i, game.columns, [2, 3]],
    [(i) => i * game.columns, game.rows, [3, 4]],
  ];
  const edges = new Map(); // an edge at a corner of the board is the first one's: top before right
  along.forEach(([cellAt, count, which], side) => {
    if (game.sides[side] === null) return;
    for (let i = 0; i < count; i++) {
      const [x, y] = centre(cellAt(i));
      for (const edge of which) {
        const [[ax, ay], [bx, by]] = [CORNERS[edge], CORNERS[(edge + 1) % 6]];
        const key = `${cellAt(i)} ${edge}`;
        if (!edges.has(key))
          edges.set(
            key,
            s("path", { class: `border p${game.sides[side]}`, d: `M${x + ax} ${y + ay}L${x + bx} ${y + by}` }),
          );
      }
    }
  });
  return [...edges.values()];
}
