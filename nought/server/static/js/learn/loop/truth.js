// What perfect play says of a position of tic-tac-toe, and whether a player ever loses. Neither knows of a network.

import { after, allPositions, keyOf, legalMoves, outcome, start } from "./tictactoe.js";

const known = new Map(); // position → its value
let positions = null; // all of them, once somebody asks

/** The value of a position for the player to move: 1 won, 0 drawn, −1 lost. */
export function trueValue(board) {
  const ended = outcome(board);
  if (ended !== null) return ended;
  const key = keyOf(board);
  if (!known.has(key)) known.set(key, Math.max(...legalMoves(board).map((cell) => moveValue(board, cell))));
  return known.get(key);
}

/** What a move is worth to who makes it. */
export const moveValue = (board, cell) => -trueValue(after(board, cell));

/**
 * Every game that can be played against a player: it answers `choose(board)`, the others try every move. How many games
 * there are, and those that it loses, each as its moves: none means that it never loses, as first and as second player.
 */
export function everyGame(choose) {
  const found = { games: 0, lost: [] };
  const answers = new Map(); // the player is asked once about a position
  const answer = (board) => {
    const key = keyOf(board);
    if (!answers.has(key)) answers.set(key, choose(board));
    return answers.get(key);
  };
  const visit = (board, moves, ours) => {
    const ended = outcome(board);
    if (ended !== null) {
      found.games++;
      if (ended < 0 && ours) found.lost.push(moves);
      return;
    }
    for (const cell of ours ? [answer(board)] : legalMoves(board)) visit(after(board, cell), [...moves, cell], !ours);
  };
  visit(start(), [], true);
  visit(start(), [], false);
  return found;
}

/** The share of all positions in which the chosen move keeps what perfect play would reach. */
export function rightMoves(choose) {
  positions ??= allPositions();
  return positions.filter((board) => moveValue(board, choose(board)) === trueValue(board)).length / positions.length;
}
