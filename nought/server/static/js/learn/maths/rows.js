// Games of stones in a row: tic-tac-toe and Connect 4, as the lessons play them. No elements.

const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

/** A game in which `length` stones in a row win; in one that `drops`, a move is a column. */
class RowsGame {
  constructor(rows, columns, length, drops) {
    Object.assign(this, { rows, columns, length, drops });
  }

  /** The position before the first move: who moves, what is on each cell (a player or null), and how it came about. */
  start() {
    return { cells: Array(this.rows * this.columns).fill(null), player: 0, moves: [], line: [], finished: false };
  }

  /** The cell that a move fills: in a column the lowest that is free; null where there is none. */
  cellOf({ cells }, action) {
    if (!this.drops) return cells[action] === null ? action : null;
    for (let cell = (this.rows - 1) * this.columns + action; cell >= 0; cell -= this.columns)
      if (cells[cell] === null) return cell;
    return null;
  }

  /** All moves that can be made. */
  legal(position) {
    if (position.finished) return [];
    const actions = Array.from({ length: this.drops ? this.columns : position.cells.length }, (_, action) => action);
    return actions.filter((action) => this.cellOf(position, action) !== null);
  }

  /** The position after a move. */
  play(position, action) {
    const cell = this.cellOf(position, action);
    const cells = position.cells.with?.(cell, position.player) ?? replaced(position.cells, cell, position.player);
    const line = this.lineThrough(cells, cell);
    const finished = line.length > 0 || !cells.includes(null);
    return { cells, player: 1 - position.player, moves: [...position.moves, action], line, finished, last: cell };
  }

  /** The position after these moves from the start. */
  after(moves) {
    return moves.reduce((position, action) => this.play(position, action), this.start());
  }

  /** A finished game's result for the first player: 1, 0 or −1. */
  result({ cells, line }) {
    return line.length ? (cells[line[0]] === 0 ? 1 : -1) : 0;
  }

  /** The cells of a row that goes through this one, if it is long enough. */
  lineThrough(cells, cell) {
    const [row, column, owner] = [Math.floor(cell / this.columns), cell % this.columns, cells[cell]];
    const mine = (r, c) =>
      r >= 0 && r < this.rows && c >= 0 && c < this.columns && cells[r * this.columns + c] === owner;
    for (const [down, right] of DIRECTIONS) {
      let [r, c] = [row, column];
      while (mine(r - down, c - right)) [r, c] = [r - down, c - right];
      const found = [];
      for (; mine(r, c); r += down, c += right) found.push(r * this.columns + c);
      if (found.length >= this.length) return found;
    }
    return [];
  }
}

function replaced(cells, cell, player) {
  const copy = [...cells];
  copy[cell] = player;
  return copy;
}

export const TICTACTOE = new RowsGame(3, 3, 3, false);
export const CONNECT4 = new RowsGame(6, 7, 4, true);
