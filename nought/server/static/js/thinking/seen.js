// What is to be seen of a position, for any game: whose stones, the last move, the row that won, closed boxes, and what the
// moves are called. The same that nought.games.board and notation say.

import { joined, joinMoves } from "../model/games.js";

const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];
const SIDES = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
];

/** The position after these moves, as a board shows it. It is the one at hand in the machine then. */
export function positionAfter(machine, actions) {
  const { game } = machine.facts;
  const boxes = new Map(); // cell → who closed it
  const [names, movers] = [[], []];
  machine.start();
  let seen = machine.look();
  for (const action of actions) {
    if (!seen.legal.includes(action)) throw new Error(`Move ${names.length + 1} is not legal.`);
    names.push(moveName(machine.facts, seen, action));
    movers.push(seen.player);
    machine.play(action);
    const { player } = seen;
    seen = machine.look();
    if (game.board === "dots")
      for (const cell of closedBoxes(game, seen)) if (!boxes.has(cell)) boxes.set(cell, player);
  }
  const stones = game.board === "dots" ? new Map() : stonesOf(machine.facts, seen);
  const [cameFrom, last] = lastCells(machine.facts, stones, actions.at(-1), movers.at(-1));
  return {
    game: game.name,
    moves: joinMoves(game, names),
    actions,
    names,
    movers,
    player: seen.player,
    finished: seen.finished,
    result: seen.finished ? seen.result : null,
    margin: game.counts_points ? seen.margin : null,
    legal: seen.legal.map((action) => legalMove(machine, seen, action)),
    last,
    came_from: cameFrom,
    line: winningLine(machine.facts, seen, stones, last),
    text: null,
    labels: [],
    ...(game.board === "dots" ? drawnDots(machine.facts, seen, boxes) : drawnCells(game, stones)),
  };
}

/** The position after moves that are written as one text. */
export function positionOf(machine, text) {
  const { facts } = machine;
  const [actions, separator] = [[], /^[\s,;]+/];
  let left = text.trim();
  machine.start();
  while (left) {
    const seen = machine.look();
    const word = joined(facts.game) ? left : left.split(/[\s,;]/, 1)[0];
    const names = seen.legal.map((action) => [moveName(facts, seen, action), action]);
    const fitting = names.filter(([name]) =>
      joined(facts.game) ? word.toLowerCase().startsWith(name) : word === name,
    );
    if (!fitting.length) throw new Error(`Move ${actions.length + 1} is not legal: ${word.slice(0, 12)}`);
    const [name, action] = fitting.reduce((long, one) => (one[0].length > long[0].length ? one : long));
    actions.push(action);
    machine.play(action);
    left = left.slice(name.length).replace(separator, "");
  }
  return positionAfter(machine, actions);
}

/** The moves of a line of play that begins after these moves: what each is called, where it is seen, and whose it is. */
export function lineMoves(machine, actions, line) {
  const { facts } = machine;
  machine.start();
  for (const action of actions) machine.play(action);
  let seen = machine.look();
  return line.map((action) => {
    const before = seen;
    machine.play(action);
    seen = machine.look();
    const stones = facts.game.notation === "columns" ? stonesOf(facts, seen) : null;
    const [, cell] = lastCells(facts, stones, action, before.player);
    return { name: moveName(facts, before, action), cell, player: before.player };
  });
}

/** Where on the board a cell stands that a player sees as this number. */
const place = ({ turned }, cell, player) => (cell < 0 ? null : turned && player === 1 ? turned[cell] : cell);

/** Cell → whose stone: plane 0 has the mover's, plane 1 the opponent's. */
function stonesOf(facts, { planes, player }) {
  const { rows, columns } = facts.game;
  const cells = rows * columns;
  const found = new Map();
  for (let seen = 0; seen < cells; seen++) {
    if (planes[seen]) found.set(place(facts, seen, player), player);
    if (planes.length >= 2 * cells && planes[cells + seen]) found.set(place(facts, seen, player), 1 - player);
  }
  return found;
}

function drawnCells({ rows, columns }, stones) {
  return { cells: Array.from({ length: rows * columns }, (_, cell) => stones.get(cell) ?? null), edges: [], boxes: [] };
}

// ---- moves ------------------------------------------------------------------------------------------------------
/** Where an action begins and ends on the board. */
const cellsOf = (facts, action, player) =>
  [facts.origins, facts.ends].map((cells) => (cells ? place(facts, cells[action], player) : null));

/** Where the last move began and ended; a stone that was dropped has come to rest below. */
function lastCells(facts, stones, action, mover) {
  if (action === undefined) return [null, null];
  const [begin, end] = cellsOf(facts, action, mover);
  if (facts.game.notation !== "columns" || end === null) return [begin, end];
  return [null, landing(facts.game, stones, end)];
}

function landing({ rows, columns }, stones, end) {
  for (let cell = end; cell < rows * columns; cell += columns) if (stones.has(cell)) return cell;
  return null;
}

function legalMove(machine, seen, action) {
  const { facts } = machine;
  let [origin, cell] = cellsOf(facts, action, seen.player);
  if (facts.game.notation === "columns") {
    origin = null;
    cell = cell === null ? null : machine.after(action, (next) => landing(facts.game, stonesOf(facts, next), cell));
  } else if (cell === null) [origin, cell] = [null, origin]; // what begins only is shown where it begins
  return { action, name: moveName(facts, seen, action), cell, origin };
}

/** The move as people write it. */
export function moveName(facts, { player }, action) {
  const { notation } = facts.game;
  if (notation === "names") return facts.names[action]; // the same in every position
  if (notation === "columns") return `${action + 1}`;
  if (notation === "numbers") return `${action}`;
  const cells = cellsOf(facts, action, player).filter((cell) => cell !== null);
  if (cells.length) return cells.map((cell) => square(facts.game, cell)).join("-");
  return facts.passes === 1 ? "pass" : `${action}`;
}

function square({ a1, rows, columns }, cell) {
  let letters = "";
  for (let left = (cell % columns) + 1; left; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(97 + ((left - 1) % 26)) + letters;
  const row = Math.floor(cell / columns);
  return `${letters}${a1 === "top left" ? row + 1 : rows - row}`;
}

/** The cells of the row, or rows, that won; none in games whose file does not say how long a row wins. */
function winningLine({ game, length }, { finished, result }, stones, last) {
  if (!length || !finished || result === 0 || !stones.has(last)) return [];
  const cells = new Set();
  for (const direction of DIRECTIONS) {
    const row = rowThrough(game, stones, last, direction);
    if (row.length >= length) row.forEach((cell) => cells.add(cell));
  }
  return [...cells].sort((a, b) => a - b);
}

function rowThrough({ rows, columns }, stones, cell, [down, right]) {
  const found = [cell];
  for (const way of [1, -1]) {
    let [row, column] = [Math.floor(cell / columns) + way * down, (cell % columns) + way * right];
    while (row >= 0 && row < rows && column >= 0 && column < columns) {
      if (stones.get(row * columns + column) !== stones.get(cell)) break;
      found.push(row * columns + column);
      row += way * down;
      column += way * right;
    }
  }
  return found;
}

// ---- dots and boxes ---------------------------------------------------------------------------------------------
const insideCells = ({ rows, columns }) =>
  Array.from({ length: rows * columns }, (_, cell) => cell).filter(
    (cell) => Math.floor(cell / columns) % 2 === 1 && (cell % columns) % 2 === 1,
  );

const drawnPlane = ({ rows, columns }, planes) => planes.slice(planes.length - rows * columns);

function closedBoxes(game, { planes }) {
  const drawn = drawnPlane(game, planes);
  return insideCells(game).filter((cell) => SIDES.every(([down, right]) => drawn[cell + down * game.columns + right]));
}

function drawnDots({ game, ends }, { planes }, boxes) {
  const drawn = drawnPlane(game, planes);
  return {
    cells: [],
    edges: ends.map((cell, action) => ({ action, cell, drawn: drawn[cell] !== 0 })),
    boxes: insideCells(game).map((cell) => ({ cell, owner: boxes.get(cell) ?? null })),
  };
}
