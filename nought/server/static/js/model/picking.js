// Making a move by pointing at a board: a cell, or the cell of a piece and then where it goes.

/**
 * The cells to point at: [{ cell, moves, lifts }]. One move that is left is played, of several one is asked for by name;
 * `lifts`: the piece on the cell is taken up, and where it goes is asked next. `lifted` is the cell of such a piece.
 */
export function picks(game, legal, lifted = null) {
  if (game.board === "text") return [];
  const pieces = byCell(legal, "origin");
  const lifting = [...pieces].map(([cell, moves]) => ({ cell, moves, lifts: true }));
  if (pieces.has(lifted)) {
    const goals = byCell(pieces.get(lifted), "cell");
    return [...settling(goals), ...lifting.filter(({ cell }) => !goals.has(cell))];
  }
  const settled = byCell(
    legal.filter(({ origin }) => origin === null),
    "cell",
  );
  return [...lifting, ...settling(settled).filter(({ cell }) => !pieces.has(cell))];
}

/** The moves that can be made by their names alone: passes, and others without a cell. */
export function namedOnly(game, legal) {
  const pointed = new Set(picks(game, legal).flatMap(({ moves }) => moves));
  return legal.filter((move) => !pointed.has(move));
}

const settling = (goals) => [...goals].map(([cell, moves]) => ({ cell, moves, lifts: false }));

/** Cell → its moves. */
function byCell(moves, which) {
  const found = new Map();
  for (const move of moves) {
    if (move[which] !== null) found.set(move[which], [...(found.get(move[which]) ?? []), move]);
  }
  return found;
}
