// What a new game is to be: the game, the opponent, the side, rated or casual. The last choice is remembered.

import { gameNamed, gameOrFirst } from "./games.js";
import { recall, remember } from "./store.js";

export const CLOSEST = "closest";

/** The set-up to begin with: what the address says, then what was chosen last, then Connect 4 as first player. */
export function firstSetup(games, query) {
  const last = recall("setup", {});
  const game = gameOrFirst(games, query.get("game") ?? last.game).name;
  return {
    game,
    opponent: query.get("opponent") ?? (last.game === game ? last.opponent : null) ?? CLOSEST,
    side: query.get("side") ?? last.side ?? "first",
    rated: last.rated ?? false, // at first a game that can be taken back
    start: query.get("start") || undefined,
  };
}

/** Whether the game that is set up could be rated: from the start, against somebody with a rating. */
export function ratable(games, { game, opponent, start }) {
  const possible = gameNamed(games, game).agents.filter(({ name }) => opponent === CLOSEST || opponent === name);
  return !start && possible.some((agent) => agent.rating != null);
}

/** Remembers a set-up for the next visit, but for a position that it began from. */
export const keepSetup = ({ start, ...setup }) => remember("setup", setup);

/** What to ask of the server. */
export const wish = (games, setup) => ({ ...setup, rated: setup.rated && ratable(games, setup) });
