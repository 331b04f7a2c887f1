// Tic-tac-toe as the player to move sees it: 1 is a stone of their own, −1 one of the other player, 0 nothing. Cells are
// numbered row by row from the top. After a move the board is the other player's, so every sign is turned.

const LINES = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
];

/** The eight ways to turn and mirror the board: the cell that comes to each place. */
export const SYMMETRIES = [0, 1, 2, 3].flatMap((turns) =>
  [false, true].map((mirrored) =>
    [...Array(9).keys()].map((cell) => {
      let [row, column] = [Math.floor(cell / 3), cell % 3];
      if (mirrored) column = 2 - column;
      for (let i = 0; i < turns; i++) [row, column] = [column, 2 - row];
      return 3 * row + column;
    }),
  ),
);

export const start = () => new Int8Array(9);

/** The board after a move, as the other player sees it. */
export function after(board, cell) {
  const next = board.map((stone) => -stone);
  next[cell] = -1;
  return next;
}

export const legalMoves = (board) => [...board.keys()].filter((cell) => board[cell] === 0);

/** How the game has ended for the player to move, −1 or 0; null while it goes on. Nobody wins by the other's move. */
export function outcome(board) {
  if (LINES.some(([a, b, c]) => board[a] + board[b] + board[c] === -3)) return -1;
  return board.includes(0) ? null : 0;
}

/** How many stones are on the board: X moves when their number is even. */
export const stones = (board) => board.reduce((sum, stone) => sum + Math.abs(stone), 0);

/** A number of its own for every board. */
export const keyOf = (board) => board.reduce((key, stone) => 3 * key + stone + 1, 0);

/** The board after these moves, each a cell's number. */
export const boardAfter = (cells) => cells.reduce(after, start());

/** Every position in which somebody is to move: 4,520 of them. */
export function allPositions() {
  const found = new Map();
  const visit = (board) => {
    if (outcome(board) !== null || found.has(keyOf(board))) return;
    found.set(keyOf(board), board);
    for (const cell of legalMoves(board)) visit(after(board, cell));
  };
  visit(start());
  return [...found.values()];
}
