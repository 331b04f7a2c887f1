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

/**
 * Policy iteration (002, section 2.1) for a whole small game: both players begin by playing anything; then, again and
 * again, all positions are evaluated for the present policy and every move is chosen anew by these values. Gives, for each
 * round, the start's value for the first player and how many positions are not yet worth what perfect play makes of them.
 */
export function policyIteration(game) {
  const perfect = solver(game);
  perfect.value(game.start());
  const rounds = [];
  let policy = uniform(game);
  for (;;) {
    const { value, known } = evaluation(game, policy);
    const start = value(game.start());
    const unlike = countUnlike(game, value, perfect);
    rounds.push({ start, unlike, known: known.size });
    if (unlike === 0) return rounds;
    policy = greedy(game, value);
  }
}

/** The policy that makes, everywhere, a move after which the other one's value is least. */
const greedy = (game, value) => (position) => {
  const worth = game.legal(position).map((action) => -value(game.play(position, action)));
  const best = Math.max(...worth);
  const ties = worth.filter((one) => one === best).length;
  return worth.map((one) => (one === best ? 1 / ties : 0));
};

function countUnlike(game, value, perfect) {
  const seen = new Set();
  let unlike = 0;
  const visit = (position) => {
    const name = nameOf(position);
    if (position.finished || seen.has(name)) return;
    seen.add(name);
    if (Math.abs(value(position) - perfect.value(position)) > 1e-9) unlike++;
    for (const action of game.legal(position)) visit(game.play(position, action));
  };
  visit(game.start());
  return unlike;
}

/**
 * What can be proved by looking so many moves ahead: 1 a win for the player to move, −1 a loss, 0 neither, within them.
 * `seen.positions` counts the positions that were looked at.
 */
export function lookAhead(game, position, depth, seen = { positions: 0 }, [low, high] = [-1, 1]) {
  seen.positions++;
  if (position.finished) return ended(game, position);
  if (depth === 0) return 0;
  let best = -1;
  for (const action of game.legal(position)) {
    best = Math.max(
      best,
      0 - lookAhead(game, game.play(position, action), depth - 1, seen, [-high, -Math.max(low, best)]),
    );
    if (best >= high) break; // no other move could matter
  }
  return best;
}

/** All that can follow a position: { position, action, children }. */
export const treeOf = (game, position, action = null) => ({
  position,
  action,
  children: game.legal(position).map((next) => treeOf(game, game.play(position, next), next)),
});

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
