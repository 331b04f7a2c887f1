// Analyses by an agent that thinks in this browser, of the shape of the server's. The truth, where one is known, is the
// server's to say.

import * as api from "../model/api.js";

/**
 * Searches a position; `onAnalysis` hears what is found, more and more, until `signal` ends it. Without a number of
 * simulations the agent takes its own.
 */
export async function analyseHere(here, position, { simulations = here.simulations, signal, onAnalysis }) {
  const { thinker, game, found: facts } = here;
  let truth = null;
  let last = null;
  const tell = (analysis) => {
    last = analysis;
    if (!signal.aborted) onAnalysis({ ...withTruth(analysis, truth), agent: facts.agent, note: null, here: true });
  };
  if (game.oracle)
    api.truth(game.name, position.moves, signal).then(
      (known) => {
        truth = known;
        if (last) tell(last);
      },
      () => {}, // the server is away: what is found stands alone
    );
  signal.addEventListener("abort", thinker.stop, { once: true });
  const most = Math.min(simulations, facts.facts.most);
  const whole = await thinker.think(position.actions, { simulations: most, fresh: true }, tell);
  signal.removeEventListener("abort", thinker.stop);
  if (!whole || signal.aborted) throw new DOMException("Something else is thought about.", "AbortError");
  tell(whole);
}

function withTruth(analysis, truth) {
  if (!truth?.oracle) return analysis;
  const known = new Map(truth.moves.map((move) => [move.action, move]));
  return {
    ...analysis,
    oracle: truth.oracle,
    moves: analysis.moves.map((move) => ({ ...move, ...known.get(move.action) })),
  };
}
