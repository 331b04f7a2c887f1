// AlphaZero's loop for tic-tac-toe: games against itself, what there is to learn from them, gradient descent, a version;
// and again. It hands on what happens, one thing after the other, and knows of no screen.

import { LittleNetwork, crossEntropy, remembering } from "./little-network.js";
import { bestMove, search } from "./little-search.js";
import { drawn, randomFrom } from "./random.js";
import { SYMMETRIES, after, legalMoves, outcome, start } from "./tictactoe.js";
import { everyGame, rightMoves } from "./truth.js";

/** What can be turned before it begins. */
export const KNOBS = { rounds: 50, games: 24, simulations: 50, rate: 0.1, noise: 0.25 };

const SHOWN = 6, // games that are played side by side and looked at
  WINDOW = 4000, // positions that are learned from, the newest
  BATCH = 32,
  LESSONS = 8, // how often a new position is learned from
  SEARCH_SHARE = 0.5, // of the search's value in what the value learns; a single game's end is a matter of luck
  MOMENTUM = 0.9,
  LAST_RATE = 0.1, // the learning rate at the end, as a share of the first: small steps do not undo each other
  STRANGE_SHARE = 0.5, // of the games begin with random moves, at most so many: opponents do not play as we do
  STRANGE_MOVES = 5;

/**
 * Learns, and yields what happens: { kind: "boards", boards } while games are played, { kind: "step", … } while it learns
 * from them, { kind: "version", … } after each round, first for the untrained network. `watched` is the position that every
 * version is asked about. In the end it hands back who has learned: a network to ask.
 */
export function* learn({ knobs = KNOBS, seed = 1, watched = start() }) {
  const random = randomFrom(seed);
  const network = new LittleNetwork(random);
  const window = [];
  let player = remembering(network);
  yield examined(0, player, knobs, watched, null);
  for (let round = 1; round <= knobs.rounds; round++) {
    const fresh = yield* playGames(player, knobs, random);
    window.push(...fresh);
    window.splice(0, window.length - WINDOW);
    const rate = knobs.rate * (1 - ((1 - LAST_RATE) * round) / knobs.rounds);
    const losses = yield* train(network, window, fresh.length, rate, random);
    player = remembering(network);
    yield examined(round, player, knobs, watched, losses);
  }
  return player;
}

/** Self-play, some games side by side: every position with the search's policy and, at the end, the result. */
function* playGames(network, knobs, random) {
  const finished = [];
  for (let left = knobs.games; left > 0; left -= SHOWN) {
    const games = Array.from({ length: Math.min(SHOWN, left) }, () => ({ board: opening(random), examples: [] }));
    while (games.some(({ board }) => outcome(board) === null)) {
      for (const game of games) if (outcome(game.board) === null) playMove(game, network, knobs, random);
      yield { kind: "boards", boards: games.map(({ board }) => [...board]) };
    }
    for (const { board, examples } of games) finished.push(...withResults(examples, outcome(board)));
  }
  return finished;
}

/** Where a game begins: the empty board, or some random moves later. */
function opening(random) {
  let board = start();
  if (random() >= STRANGE_SHARE) return board;
  for (let left = Math.floor(random() * (STRANGE_MOVES + 1)); left > 0; left--) {
    const moves = legalMoves(board);
    const next = after(board, moves[Math.floor(random() * moves.length)]);
    if (outcome(next) !== null) break;
    board = next;
  }
  return board;
}

function playMove(game, network, { simulations, noise }, random) {
  const { policy, value } = search(game.board, network, { simulations, noise, random });
  game.examples.push({ board: game.board, policy, value });
  game.board = after(game.board, drawn([...policy], random)); // in proportion to the visits
}

/**
 * What the value is to learn: half of it how the game ended, half what the search thought. The end is for the player to
 * move there, and its sign changes with every move back.
 */
const withResults = (examples, end) =>
  examples.map(({ board, policy, value }, i) => {
    const result = (examples.length - i) % 2 ? -end : end;
    return { board, policy, result: SEARCH_SHARE * value + (1 - SEARCH_SHARE) * result };
  });

/** Gradient descent on positions drawn from the window, each turned or mirrored by chance. */
function* train(network, window, fresh, rate, random) {
  const steps = Math.ceil((LESSONS * fresh) / BATCH);
  const sums = { policyLoss: 0, valueLoss: 0, floor: 0 };
  for (let i = 0; i < steps; i++) {
    for (let n = 0; n < BATCH; n++) {
      const example = turned(window[Math.floor(random() * window.length)], random);
      const { policyLoss, valueLoss } = network.study(example);
      sums.policyLoss += policyLoss;
      sums.valueLoss += valueLoss;
      sums.floor += crossEntropy(example.policy, example.policy); // its entropy: no network can do better
    }
    network.step(rate, MOMENTUM, BATCH);
    yield { kind: "step", steps, done: i + 1 };
  }
  const means = Object.entries(sums).map(([name, sum]) => [name, sum / (steps * BATCH)]);
  return { ...Object.fromEntries(means), samples: window.length };
}

function turned({ board, policy, result }, random) {
  const cells = SYMMETRIES[Math.floor(random() * SYMMETRIES.length)];
  return { board: cells.map((cell) => board[cell]), policy: cells.map((cell) => policy[cell]), result };
}

/** What a version is: how it judges the watched position, how often it moves right, and which games it can lose. */
function examined(version, network, { simulations }, watched, losses) {
  const { policy, value } = network.evaluate(watched);
  const alone = (board) => bestMove(board, network, 0);
  const { games, lost } = everyGame((board) => bestMove(board, network, simulations));
  return {
    kind: "version",
    version,
    losses,
    policy: [...policy],
    value,
    right: rightMoves(alone),
    lostAlone: everyGame(alone).lost.length,
    lost: lost.length,
    games,
  };
}
