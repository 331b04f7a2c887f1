// The mistakes of a game, found by an agent that thinks in this browser: the same that nought.server.thinking.review says.

import * as api from "../model/api.js";
import { forFirst } from "../model/games.js";
import { Thinker } from "./thinker.js";

const NOUNS = { 1: "win", 0: "draw" };

/** What every move of a game did to the chances of who made it. A thread of its own thinks, beside the one of the board. */
export async function reviewHere({ game, found }, moves, signal) {
  const thinker = new Thinker({ ...found, facts: { ...found.facts, game } });
  signal.addEventListener("abort", () => thinker.end(), { once: true });
  try {
    const whole = await thinker.read(moves);
    const truths = game.oracle ? await api.truths(game.name, moves, signal).catch(() => []) : [];
    const searched = [];
    for (let ply = 0; ply <= whole.actions.length; ply++) {
      const over = whole.finished && ply === whole.actions.length;
      searched.push(over ? null : await search(thinker, whole.actions.slice(0, ply), found));
    }
    return whole.actions.map((_, ply) =>
      reviewedMove(whole, ply, searched[ply], searched[ply + 1], truths[ply], found.facts.review),
    );
  } catch (error) {
    if (signal.aborted) throw new DOMException("Nobody waits for it.", "AbortError");
    throw error;
  } finally {
    thinker.end();
  }
}

const search = (thinker, actions, { simulations, facts }) =>
  thinker.think(actions, { simulations: Math.min(simulations, facts.review.simulations), fresh: true });

/** One move: what was found before it and after it, and what perfect play says of it where it is known. */
function reviewedMove({ actions, movers, result }, ply, found, then, truth, { mistake, blunder }) {
  const [action, player] = [actions[ply], movers[ply]];
  const after = then ? (then.position.player === player ? then.value : -then.value) : forFirst(result, player);
  const name = (move) => found.moves.find((one) => one.action === move)?.name ?? "";
  if (truth?.oracle) return exactMove({ ply, player, action, found, after, truth, name });
  const lost = found.value - after;
  const wrong = action !== found.best && lost >= mistake;
  const verdict = !wrong ? null : lost >= blunder ? "blunder" : "mistake";
  const text = wrong ? `this move seems to cost ${(50 * lost).toFixed(0)} % of the points` : "";
  return { ply, player, value_before: found.value, value_after: after, best: name(found.best), verdict, text };
}

function exactMove({ ply, player, action, found, after, truth, name }) {
  const { outcome } = truth.oracle;
  const worth = { wins: 1, draws: 0, loses: -1 };
  const known = new Map(truth.moves.map((move) => [move.action, move]));
  const lost = outcome - worth[known.get(action).verdict];
  const best = known.get(found.best).keeps ? found.best : truth.best;
  const verdict = !lost ? null : lost === 1 ? "mistake" : "blunder";
  const text = verdict
    ? `this move throws away a ${NOUNS[outcome]}`
    : ["every move loses here", "this move holds the draw", "this move keeps the win"][outcome + 1];
  return { ply, player, value_before: found.value, value_after: after, best: name(best), verdict, text };
}
