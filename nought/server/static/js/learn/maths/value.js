// What positions of small games are worth: by perfect play, by chance, by any policy. And how many there are.

/** A position's name: what stands on it. Who moves follows from that in these games. */
const nameOf = ({ cells }) => cells.join(); // an empty cell is nothing between two commas

/** The value of a finished game for the player who would be to move. */
const ended = (game, position) => (position.player === 0 ? 1 : -1) * game.result(position) || 0; // never −0

/**
 * Solves a game by working backwards: `value(position)` is 1, 0 or −1 for the player to move, with perfect play on both
 * sides (Bellman's equation with a maximum). `known.size` says how many positions were needed.
 */
export function solver(game) {
  const known = new Map();
  const value = (position) => {
    if (position.finished) return ended(game, position);
    const name = nameOf(position);
    if (!known.has(name))
      known.set(name, Math.max(...game.legal(position).map((action) => 0 - value(game.play(position, action)))));
    return known.get(name);
  };
  return { value, known };
}

/**
 * The value of positions for the player to move if both players follow `policy(position)`, a probability for each legal
 * move (Bellman's equation with a mean); `gamma` discounts a reward for every move that it is away.
 */
export function evaluation(game, policy, gamma = 1) {
  const known = new Map();
  const value = (position) => {
    if (position.finished) return ended(game, position);
    const name = nameOf(position);
    if (!known.has(name)) {
      const chances = policy(position);
      const worth = game.legal(position).map((action, i) => -gamma * chances[i] * value(game.play(position, action)));
      known.set(
        name,
        worth.reduce((sum, one) => sum + one, 0),
      );
    }
    return known.get(name);
  };
  return { value, known };
}

/** The policy of who plays anything: every legal move is as likely as any other. */
export const uniform = (game) => (position) => {
  const { length } = game.legal(position);
  return Array(length).fill(1 / length);
};

/** How many positions there are after each number of moves, and how many of them are finished: [{ moves, positions, finished }]. */
export function countByDepth(game, depth) {
  let level = new Map([["", game.start()]]);
  const found = [];
  for (let moves = 0; moves <= depth && level.size; moves++) {
    const all = [...level.values()];
    found.push({ moves, positions: all.length, finished: all.filter((position) => position.finished).length });
    level = new Map();
    for (const position of all)
      for (const action of game.legal(position)) {
        const next = game.play(position, action);
        level.set(nameOf(next), next);
      }
  }
  return found;
}

/** A board as numbers: a plane of 0 and 1 for each player's stones, one after the other. */
export const planesOf = ({ cells }, players = [0, 1]) =>
  players.flatMap((player) => cells.map((owner) => Number(owner === player)));
