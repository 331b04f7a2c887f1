// What is to be said about each moment of a search.

import { h } from "../dom.js";
import { chance, PLAYERS, signed } from "../model/words.js";

/** A sentence for what happens. */
export function explain(search, index, phase, moment, learned) {
  const step = search.steps[index];
  const strong = (text) => h("strong", {}, text);
  const leaf = moment.leaf ? search.nodes[moment.leaf] : null;
  if (phase === "selection") {
    return [
      strong("Selection. "),
      "From the root the search follows, at every position, the move with the greatest Q + U: what has been good so far, plus curiosity. Here: ",
      strong(step.path.map((edge) => edge.name).join(" → ")),
      ".",
    ];
  }
  if (phase === "expansion") {
    return [
      strong("Expansion. "),
      index === 0 ? "The position we ask about becomes the root. " : "The position is new and becomes a node. ",
      learned
        ? "The network gives each of its moves a prior P."
        : "No network has learned this game here: all its moves have the same prior P.",
    ];
  }
  if (phase === "evaluation") {
    if (step.terminal)
      return [
        strong("Evaluation. "),
        `The game is over here: no opinion is needed, the rules say ${signed(step.value)} for who moved.`,
      ];
    const value = moment.value ?? step.value;
    return [
      strong("Evaluation. "),
      `${!step.expanded ? "What is known of this position" : learned ? "The network" : "A game played on at random"} says ${signed(value)} for ${PLAYERS[leaf?.player ?? 0]}, who is to move${learned ? `: ${chance(value)} to win. No game is played out` : ""}.`,
    ];
  }
  return [
    strong("Backup. "),
    "The value goes back along the path; for the other player its sign is turned. Each edge there has one visit N more, its sum W grows by the value, and Q = W / N.",
  ];
}

export const legend = (learned) =>
  `N visits · W sum of values · Q = W / N, mean value for who moves · P prior${learned ? " from the network" : ""} · U = ${learned ? "c P √ΣN / (1 + N)" : "c √(ln ΣN / (1 + N))"}, curiosity. Click a position to see its moves.`;
