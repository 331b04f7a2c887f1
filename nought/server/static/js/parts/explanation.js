// What is to be said about each moment of a search.

import { h } from "../dom.js";
import { chance, PLAYERS, signed } from "../model/words.js";

const strong = (text) => h("strong", {}, text);
const upper = (phase) => strong(`${phase[0].toUpperCase()}${phase.slice(1)}. `);

/** A sentence for what happens. */
export const explain = (search, index, moment, learned) => [
  upper(moment.phase),
  ...SAID[moment.phase](search, search.steps[index], moment, learned, index),
];

const SAID = {
  selection(search, step, { path }) {
    const { name, q, u, n } = path.at(-1);
    return [
      path.length === 1 ? "At the root every move is compared by Q + U: " : "Here, too, by Q + U: ",
      "what has been good so far, plus curiosity. The greatest is ",
      strong(name),
      `: ${n ? signed(q) : "not tried yet, 0"} + ${u.toFixed(2)} = ${signed(q + u)}.`,
    ];
  },

  expansion: (search, step, moment, learned, index) => [
    index === 0 ? "The position we ask about becomes the root. " : "The position is new and becomes a node. ",
    learned
      ? "The network gives each of its moves a prior P: the bars."
      : "No network helps here: all its moves have the same prior P.",
  ],

  evaluation(search, step, { value, leaf }, learned) {
    if (step.terminal)
      return [`The game is over here: no opinion is needed, the rules say ${signed(step.value)} for who moved.`];
    const player = PLAYERS[search.nodes[leaf ?? search.root].player];
    if (!step.expanded)
      return [
        `This position is known already, by another order of moves or by a proof. What is known counts, and nobody is asked: ${signed(value)} for ${player}, who is to move.`,
      ];
    const who = learned ? "The network" : "A game played on at random";
    const words = learned ? `: ${chance(value)} to win. No game is played out` : "";
    return [`${who} says ${signed(value)} for ${player}, who is to move${words}.`];
  },

  backup: (search, step, { changes }) => [
    `${signed(step.value)} for who moved last comes back along the path; for the other player its sign is turned. Each edge has one visit more, and its Q becomes the value of the position below: the mean of all that was found there.`,
    changes.some(({ proven, before }) => proven && !before.proven) &&
      strong(" Something is proven now: it is marked with a ring, and no opinion can change it any more."),
  ],

  move(search) {
    const { edges } = search.nodes[search.root];
    const edge = edges.find(({ action }) => action === search.played);
    const all = edges.reduce((sum, { n }) => sum + n, 0);
    const why =
      edge.proven && edge.q === 1
        ? "it is proven that this wins"
        : `${edge.n} of ${all} simulations went there, more than to any other move`;
    return ["So it plays ", strong(edge.name), `: ${why}.`];
  },
};

export const legend = (learned) =>
  `N visits · Q value for who moves: the mean of what was found below. Where several orders of moves lead to one position, it is that of the position, whoever found it, and no longer the sum of what came back here divided by N · W = N · Q · P prior${learned ? " from the network" : ""} · U = ${learned ? "c P √(1 + ΣN) / (1 + N)" : "c √(ln ΣN / (1 + N))"}, curiosity · ring: proven. Click a position to see its moves.`;
