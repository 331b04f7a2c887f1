// Casual games in which the agent thinks in this browser. They have the shape of the server's, and are sent there when they
// are over, so that they are among one's games.

import * as api from "../model/api.js";
import { gameNamed, joinMoves, legalMove } from "../model/games.js";
import { recall, remember } from "../model/store.js";
import { SIDES } from "../model/words.js";
import { position, resident, thinkingHere } from "./agents.js";

const MOST_UNSENT = 20; // games that wait for the server

/** A new game against an agent that is here, which has moved if it is first. */
export async function beginHere(game, agent, { side, start }) {
  const you = SIDES.includes(side) ? SIDES.indexOf(side) : Math.floor(2 * Math.random());
  const first = await position(game.name, start ?? "");
  return answered({ game, agent, you, id: newId(), given: first.actions.length }, first);
}

/** The game that was left open in this browser; null where there is none, or nobody can show it. */
export async function reopen(games) {
  const { moves, game: name, ...seat } = recall("casual", {});
  const game = gameNamed(games, name);
  if (!game) return null;
  await resident(game, seat.agent).rules;
  const found = await position(name, moves).catch(() => null);
  return found && !found.finished ? as({ ...seat, game }, found) : null;
}

/** What can be done in such a game. Each gives the game as it is then. */
export const inBrowser = {
  look: async (played) => played,

  async move({ seat, position: before }, action) {
    const { name } = legalMove(before, action);
    return answered(seat, await position(before.game, joinMoves(seat.game, [...before.names, name])));
  },

  async undo({ seat, position: before }) {
    const count = Math.max(before.movers.lastIndexOf(seat.you), seat.given);
    return as(seat, await position(before.game, joinMoves(seat.game, before.names.slice(0, count))));
  },

  resign: async ({ seat, position: before }) => as({ ...seat, resigned: true }, before),
};

/** The game when it is the person's turn again, or over. */
async function answered(seat, now, value = null) {
  while (!now.finished && now.player !== seat.you) {
    const chosen = await choose(seat, now);
    value = chosen.value;
    now = await position(now.game, joinMoves(seat.game, [...now.names, chosen.name]));
  }
  return as(seat, now, value);
}

/** What the agent plays: it thinks here or, where it has failed or is to think there by now, on the server. */
async function choose({ game, agent }, now) {
  const here = await thinkingHere(game, agent, Infinity);
  if (here) {
    try {
      const found = await here.thinker.think(now.actions, { simulations: here.simulations, fresh: true });
      return { value: found.value, name: legalMove(now, found.played).name };
    } catch (error) {
      here.fail(error);
    }
  }
  return api.bestMove({ game: game.name, moves: now.moves, agent });
}

/** A game as the page knows games. While it is open it is remembered; when it is over it goes to the server. */
function as(seat, now, value = null) {
  const { game, agent, you, id, resigned } = seat;
  const over = now.finished || resigned;
  const players = [
    { kind: "person", name: "" },
    { kind: "agent", name: agent },
  ];
  remember("casual", over ? null : { ...seat, game: game.name, moves: now.moves });
  const lost = you === 0 ? -1 : 1;
  return {
    id,
    seat,
    game: game.name,
    players: you === 0 ? players : players.reverse(),
    you,
    rated: false,
    repeated: false,
    position: now,
    status: over ? "finished" : "playing",
    ended: !over ? null : resigned ? "resigned" : "played",
    result: !over ? null : resigned ? lost : Math.sign(now.result),
    opponent_value: value,
    rating_change: null,
    sent: over ? send(seat, now) : null,
  };
}

/** Has a game that is over, and those before it, kept by the server; whether it was. What cannot be sent now waits. */
async function send({ game, agent, you, id, given, resigned = false }, { moves }) {
  const record = { id, game: game.name, side: SIDES[you], opponent: agent, given, moves, resigned };
  const waiting = [...recall("unsent", []), record].slice(-MOST_UNSENT);
  remember("unsent", waiting);
  return sendAll(waiting);
}

/** Sends what waits for the server. */
export const sendWaiting = () => sendAll(recall("unsent", []));

async function sendAll(waiting) {
  for (const record of waiting) {
    try {
      await api.recordGame(record);
    } catch (error) {
      if (error.away || error.status === 429 || error.status >= 500) return false;
      // else the server will never take it: its agent is gone, or its rules are others now
    }
    remember(
      "unsent",
      recall("unsent", []).filter(({ id }) => id !== record.id),
    );
  }
  return true;
}

/** 22 letters by chance. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
