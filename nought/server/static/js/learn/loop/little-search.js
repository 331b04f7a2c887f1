// The search of AlphaZero for tic-tac-toe, as short as it can be: a tree, PUCT, and a network that says which moves to
// look at and what a position is worth. (nought's own is a graph, proves what it can, and is compiled.)

import { shares } from "./random.js";
import { after, legalMoves, outcome } from "./tictactoe.js";

const node = (board) => ({ board, ended: outcome(board), edges: null });

/** The network's opinion of a new position: its moves get their priors, and its value is handed back. */
function expand(here, network) {
  const { policy, value } = network.evaluate(here.board);
  here.edges = legalMoves(here.board).map((cell) => ({ cell, prior: policy[cell], visits: 0, total: 0, below: null }));
  return value;
}

/** The edge with the greatest Q + U: what has been good so far, plus curiosity. */
function choose(here, curiosity) {
  const visits = here.edges.reduce((sum, edge) => sum + edge.visits, 0);
  let [best, highest] = [null, -Infinity];
  for (const edge of here.edges) {
    const q = edge.visits ? edge.total / edge.visits : 0;
    const u = (curiosity * edge.prior * Math.sqrt(1 + visits)) / (1 + edge.visits);
    if (q + u > highest) [best, highest] = [edge, q + u];
  }
  return best;
}

/** One way down the tree and back up: the value for who is to move here. */
function simulate(here, network, curiosity) {
  if (here.ended !== null) return here.ended;
  if (!here.edges) return expand(here, network);
  const edge = choose(here, curiosity);
  edge.below ??= node(after(here.board, edge.cell));
  const value = -simulate(edge.below, network, curiosity); // what is good for the other player is bad for this one
  edge.visits++;
  edge.total += value;
  return value;
}

/**
 * What the search found: how often each of the nine moves was looked at, as shares, and the mean of all values that came
 * back. `noise` is the share of chance in the root's priors, so that self-play tries what the network would not. A search
 * of 0 simulations is the network alone.
 */
export function search(board, network, { simulations, curiosity = 1.5, noise = 0, random = null }) {
  const root = node(board);
  const own = expand(root, network);
  if (noise) {
    const chance = shares(root.edges.length, random);
    root.edges.forEach((edge, i) => {
      edge.prior = (1 - noise) * edge.prior + noise * chance[i];
    });
  }
  for (let i = 0; i < simulations; i++) simulate(root, network, curiosity);
  const policy = new Float64Array(9);
  for (const { cell, visits, prior } of root.edges) policy[cell] = simulations ? visits / simulations : prior;
  return { policy, value: root.edges.reduce((sum, { total }) => sum + total, own) / (1 + simulations) };
}

/** The move that is played when it counts: the one looked at most. */
export function bestMove(board, network, simulations) {
  const { policy } = search(board, network, { simulations });
  return policy.indexOf(Math.max(...policy));
}
