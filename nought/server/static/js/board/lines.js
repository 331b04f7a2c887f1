// Where the moves of a line of play come to stand, from a position: for showing a line on the board.

/** The action written as `name`. */
function actionOf(game, name) {
  if (game.notation === "columns") return Number(name) - 1;
  if (game.notation === "numbers") return Number(name);
  const [, letters, row] = /^([a-z]+)(\d+)$/.exec(name) ?? [];
  if (!letters) return -1;
  const column = [...letters].reduce((n, letter) => 26 * n + letter.charCodeAt(0) - 96, 0) - 1;
  return game.cell_of_action?.indexOf((Number(row) - 1) * game.columns + column) ?? -1;
}

/** [{ cell, player, number }] of the first `most` moves of a line. */
export function lineCells(game, position, names, most = 8) {
  const cells = [...position.cells];
  const drawn = new Set(position.edges.filter((edge) => edge.drawn).map((edge) => edge.cell));
  const found = [];
  let player = position.player;
  for (const [i, name] of names.slice(0, most).entries()) {
    let cell = game.cell_of_action?.[actionOf(game, name)];
    if (cell === undefined) break;
    if (game.notation === "columns") {
      while (cell + game.columns < cells.length && cells[cell + game.columns] === null) cell += game.columns;
      cells[cell] = player;
    }
    found.push({ cell, player, number: i + 1 });
    drawn.add(cell);
    if (!(game.board === "dots" && closes(game, drawn, cell))) player = 1 - player;
  }
  return found;
}

/** Whether the edge on `cell` completes a box: its mover goes on. */
function closes(game, drawn, cell) {
  const across = Math.floor(cell / game.columns) % 2 === 0;
  const boxes = across ? [cell - game.columns, cell + game.columns] : [cell - 1, cell + 1];
  const inside = (box) =>
    box >= 0 &&
    box < game.rows * game.columns &&
    (across || Math.floor(box / game.columns) === Math.floor(cell / game.columns));
  return boxes.some(
    (box) => inside(box) && [box - 1, box + 1, box - game.columns, box + game.columns].every((side) => drawn.has(side)),
  );
}
