// Play: the landing page. The board is there at once; the first move starts the game.
// This file knows how a game goes; parts/play-view.js shows it.

import { announce, onKey, pause } from "../dom.js";
import * as api from "../model/api.js";
import { canUndo, gameNamed, joinMoves, legalMove } from "../model/games.js";
import { CLOSEST, firstSetup, wish } from "../model/setup.js";
import { recall, remember } from "../model/store.js";
import { agentTitle, count, gameTitle, SIDES } from "../model/words.js";
import { ask } from "../parts/ask.js";
import { PlayView } from "../parts/play-view.js";
import { failure, loading } from "../parts/problem.js";
import { keptAgent, position as positionOf, thinkingHere } from "../thinking/agents.js";
import { beginHere, inBrowser, reopen, sendWaiting } from "../thinking/casual.js";

export const title = "Play";
const BETWEEN_MOVES = 420; // ms, where an opponent moves several times in a row
const OFFLINE_PATIENCE = 10_000; // ms: there is nobody else
const PATIENCE = 2500; // ms in which an agent that is on its way to this browser may arrive; else the server thinks

/** What can be done in a game that the server knows. Each gives the game as it is then. */
const onServer = {
  look: ({ id }, signal) => api.playedGame(id, signal),
  move: ({ id, position }, action) => api.playMove(id, action, position.actions.length),
  undo: ({ id }) => api.undo(id),
  resign: ({ id }) => api.resign(id),
};

export function render(view) {
  return loading(view.root, view.signal, async (signal) => {
    const play = new Play({ ...view, signal }, await api.games());
    await play.open(view.params.id);
    return play.view.element;
  });
}

/** One game after the other: before it, while it is played, when it is over. */
class Play {
  constructor({ query, signal }, games) {
    Object.assign(this, { query, signal, games, setup: firstSetup(games, query) });
    this.played = null; // the game as the server knows it
    this.prepared = null; // what is shown before there is one
    this.doing = null; // the name of what is under way: no move is taken meanwhile
    this.next = null; // what was asked for last meanwhile
    this.under = null; // a promise that what is under way is done
    this.view = new PlayView(games, this.setup, signal, {
      prepare: (setup) => this.prepare(setup),
      start: (setup) => this.start(setup),
      move: (action) => this.move(action),
      undo: () => this.undo(),
      hint: () => this.hint(),
      resign: () => this.resign(),
      again: () => this.again(),
    });
    onKey(signal, (event) => this.view.key(event));
  }

  /** The game to go on with, or an empty board. */
  async open(id) {
    const asked = ["game", "opponent", "start"].some((key) => this.query.has(key));
    const going = id ?? (asked ? null : recall("current"));
    const played = going
      ? await api.playedGame(going, this.signal).catch(unlessAway)
      : !asked && (await reopen(this.games));
    if (played?.status === "playing" && played.you !== null) {
      this.seat(played);
    } else {
      remember("current", null);
      await this.load(this.setup);
    }
    this.present();
    sendWaiting();
  }

  // ---- before a game ----------------------------------------------------------------------------------------
  /** An empty board for what is set up; during a game that is for the next one. */
  prepare(setup) {
    this.setup = setup;
    const act = async () => {
      if (this.playing) return;
      await this.load(setup);
      this.played = null;
    };
    return this.playing ? null : this.guarded("prepare", act, () => this.prepare(setup));
  }

  /** What is to be known of a game before it begins. Who is to move begins by moving. */
  async load(setup) {
    const [position, agent] = await Promise.all([
      positionOf(setup.game, setup.start ?? "", this.signal),
      this.opponentOf(setup),
    ]);
    const ready = SIDES.indexOf(setup.side) === position.player;
    const name = setup.opponent === CLOSEST ? "nought" : agentTitle(this.games, setup.opponent);
    this.prepared = {
      setup,
      position,
      ready,
      you: ready ? position.player : 1 - position.player,
      rated: wish(this.games, setup).rated,
      agent,
      opponent: agent?.title ?? name,
    };
  }

  /** The agent that is set up, as far as it is known. */
  async opponentOf({ game, opponent }) {
    const known = gameNamed(this.games, game);
    if (opponent === CLOSEST) return api.opponent(game, this.signal).catch(() => keptAgent(known));
    return known.agents.find((agent) => agent.name === opponent);
  }

  /** A new game at once, whoever begins. */
  async start(setup) {
    if (this.doing === "start") return;
    let begun = null;
    const act = async () => {
      begun = await this.begin(setup);
      if (begun) this.seat(begun);
    };
    await this.guarded("start", act, () => this.start(setup));
    if (begun && this.played === begun) announce(`New game. You play ${SIDES[begun.you]}.`);
  }

  /** A new game; where it would give up a rated one the person is asked, and may go on with that. Null: neither. */
  async begin(setup) {
    const wanted = wish(this.games, setup);
    const here = !wanted.rated && (await this.beginHere(setup));
    if (here) return here;
    const played = await api.startGame(wanted).catch((error) => {
      if (!error.openGame) throw error;
      return this.insteadOf(error.openGame, wanted);
    });
    if (played) remember("current", played.id);
    return played;
  }

  /** A casual game in which the agent thinks in this browser; null where it cannot. */
  async beginHere(setup) {
    const game = gameNamed(this.games, setup.game);
    const agent = this.prepared?.setup === setup ? this.prepared.agent : await this.opponentOf(setup);
    const name = agent?.name ?? setup.opponent; // a version of a run need not be offered
    const here = name !== CLOSEST && (await thinkingHere(game, name, PATIENCE));
    if (!here) return null;
    remember("current", null);
    return beginHere(game, name, setup);
  }

  async insteadOf(id, wanted) {
    const open = await api.playedGame(id, this.signal);
    const answer = await ask(
      "Give up your rated game?",
      `A rated game of ${gameTitle(this.games, open.game)} against ${this.view.opponentTitle(open)} is still open, ` +
        `${count(open.position.names.length, "move")} long. Starting another one loses it.`,
      [
        ["go on", "Go on with it"],
        ["give up", "Give it up"],
      ],
    );
    if (answer === "give up") return api.startGame({ ...wanted, give_up: true });
    return answer === "go on" ? open : null;
  }

  /** Takes a seat at a game that is going on. */
  seat(played) {
    this.played = played;
    this.view.newBoard(played.game);
    this.view.introduce(played);
  }

  /** Another game of the same kind: an empty board, or where chance says who begins, at once. */
  again() {
    return SIDES.includes(this.setup.side) ? this.prepare(this.setup) : this.start(this.setup);
  }

  // ---- during a game ----------------------------------------------------------------------------------------
  get table() {
    return this.played.seat ? inBrowser : onServer;
  }

  get playing() {
    return this.played?.status === "playing";
  }

  /** Makes a move: shown at once, answered when the opponent has thought. */
  move(action) {
    const { position } = this.played ?? this.prepared;
    const move = legalMove(position, action);
    if (this.doing || !move || (this.played && !this.playing)) return null;
    return this.guarded(
      "move",
      () => this.makeMove(position, move),
      () => this.moveAgain(position, action),
    );
  }

  async makeMove(before, { action, name }) {
    const showing = this.showOwnMove(before, name);
    try {
      if (!this.played) {
        const played = await this.begin(this.prepared.setup);
        if (!played) return;
        if (played.position.moves !== before.moves) return void this.seat(played); // the one that was open
        this.played = played;
        this.view.introduce(played);
        this.view.think();
      }
      const played = await this.table.move(this.played, action);
      await showing;
      await this.update(played);
    } finally {
      await showing;
    }
  }

  async showOwnMove({ names }, name) {
    const { board, game } = this.view;
    this.view.think();
    try {
      board.show(await positionOf(game.name, joinMoves(game, [...names, name]), this.signal));
    } catch {
      /* the answer to the move itself will show it, or say what is wrong */
    }
    await pause(BETWEEN_MOVES, this.signal);
  }

  /** Tries a move again, unless it was made and only the answer got lost. */
  async moveAgain(before, action) {
    const look = async () => this.played && this.update(await this.table.look(this.played, this.signal));
    const known = await this.guarded("look", look, () => this.moveAgain(before, action));
    if (known && (this.played ?? this.prepared).position.moves === before.moves) await this.move(action);
  }

  /** Takes over a game as the server knows it: every move that is new is shown, one after the other. */
  async update(played) {
    this.played = played;
    const { names } = played.position;
    const { board, game } = this.view;
    for (let ply = board.position.names.length + 1; ply < names.length; ply++) {
      board.show(await positionOf(game.name, joinMoves(game, names.slice(0, ply)), this.signal));
      await pause(BETWEEN_MOVES, this.signal);
    }
  }

  undo() {
    return this.guarded("undo", async () => {
      if (this.playing && canUndo(this.played)) await this.update(await this.table.undo(this.played));
    });
  }

  resign() {
    return this.guarded("resign", async () => {
      if (this.playing) await this.update(await this.table.resign(this.played));
    });
  }

  /** Shows what the best agent would play, unless something else is done by then. */
  async hint() {
    await this.under;
    const { played } = this;
    const wanted = () => this.played === played && !this.doing;
    if (!this.playing) return;
    const { game, moves } = played.position;
    try {
      const best =
        (await hintHere(this.view.game, played.position)) ?? (await api.bestMove({ game, moves }, this.signal));
      if (wanted()) this.view.showHint(best);
    } catch (error) {
      if (wanted()) this.view.say(failure(error, this.signal) ?? "");
    }
  }

  // ---- always -----------------------------------------------------------------------------------------------
  /** Shows what there is; from now on moves are taken. */
  present() {
    if (!this.played) return this.view.showPrepared(this.prepared);
    this.view.showGame(this.played);
    if (this.playing) return;
    remember("current", null);
    this.view.showResult(this.played);
  }

  /**
   * Does one thing at a time; what is asked for meanwhile comes after it. A failure is said, with a way to try again.
   * Whether it was done.
   */
  async guarded(name, act, retry) {
    if (this.doing) {
      this.next = [name, act, retry];
      return false;
    }
    this.doing = name;
    this.view.wait();
    let failed = null;
    this.under = act().catch((error) => {
      failed = error;
    });
    await this.under;
    const { next } = this;
    Object.assign(this, { doing: null, next: null });
    if (this.signal.aborted) return false;
    if (next && !failed) {
      this.guarded(...next);
    } else {
      this.present();
      if (failed) this.view.say(failure(failed, this.signal, retry) ?? "");
    }
    return !failed;
  }
}

/** What the best agent would play, if it is in this browser; else null. */
async function hintHere(game, position) {
  const here = await thinkingHere(game, undefined, navigator.onLine ? 0 : OFFLINE_PATIENCE);
  const found = await here?.thinker.think(position.actions, { simulations: here.simulations, fresh: true });
  return found ? legalMove(position, found.best) : null;
}

/** Null for a game that cannot be had; that nobody answers is another matter. */
function unlessAway(error) {
  if (error.away) throw error;
  return null;
}
