// Boards of lessons: the page's own board, with rules that are here, so that a lesson needs no server.

import { createBoard } from "../../board/board.js";
import { miniBoard } from "../../board/mini.js";
import { CONNECT4, TICTACTOE } from "../maths/rows.js";

const common = { board: "stones", a1: "top left", colours: [], sides: [null, null, null, null] };
const GAMES = {
  tictactoe: { ...common, title: "Tic-tac-toe", notation: "squares", rows: 3, columns: 3, actions: 9, rules: TICTACTOE },
  connect4: { ...common, title: "Connect 4", notation: "columns", rows: 6, columns: 7, actions: 7, rules: CONNECT4 },
}; // prettier-ignore

/** What a move is called: a column's number, or a square's letter and number. */
export const moveName = (name, action) =>
  name === "connect4" ? `${action + 1}` : `${"abc"[action % 3]}${Math.floor(action / 3) + 1}`;

/** The moves that a text names: "4455", "b2a1". */
export const readMoves = (name, text) =>
  name === "connect4"
    ? [...text].map((digit) => Number(digit) - 1)
    : (text.match(/../g) ?? []).map((square) => "abc".indexOf(square[0]) + 3 * (Number(square[1]) - 1));

/** A position of the rules as a board shows it. */
function shown(name, position) {
  const { rules } = GAMES[name];
  const legal = rules.legal(position).map((action) => ({
    action,
    name: moveName(name, action),
    cell: rules.cellOf(position, action),
    origin: null,
  }));
  return { labels: [], came_from: null, margin: null, ...position, last: position.last ?? null, legal };
}

/**
 * A board of "tictactoe" or "connect4"; `show(position)` takes positions of the rules, `onMove(action)` is told of moves
 * that are made on it while it is `playable`. `note` is the page's board's.
 */
export function lessonBoard(name, { onMove = () => {}, onPoint } = {}) {
  const board = createBoard(GAMES[name], { onMove, onPoint });
  board.element.style.setProperty("--ratio", board.ratio);
  return {
    element: board.element,
    note: board.note,
    lock: board.lock,
    show: (position, { playable = false } = {}) => board.show(shown(name, position), { playable }),
  };
}

/** A small picture of a position of the rules. */
export const smallBoard = (name, position, width = 96) => miniBoard(GAMES[name], shown(name, position), width);
