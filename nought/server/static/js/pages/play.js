// Play: the landing page. The board is there at once; the first move starts the game.

import * as api from "../api.js";
import { createBoard } from "../board/board.js";
import { announce, h, pause, typing } from "../dom.js";
import { ask } from "../parts/ask.js";
import { button } from "../parts/form.js";
import { moveList } from "../parts/moves.js";
import { strip, thinking } from "../parts/people.js";
import { loading, problem } from "../parts/problem.js";
import { resultCard } from "../parts/result.js";
import { CLOSEST, firstSetup, setupForm, wish } from "../parts/setup.js";
import { recall, remember } from "../store.js";
import { agentTitle, chance, count, gameTitle, joinMoves, moveWords, SIDES, targetWord } from "../words.js";

export const title = "Play";
const BETWEEN_MOVES = 420; // ms, where an opponent moves several times in a row

export function render(view) {
  return loading(view.root, view.signal, async () => {
    const games = await api.games();
    const table = new Table(view, games, firstSetup(games, view.query));
    await table.open(view.params.id);
    return table.element;
  });
}

/** A table with one board: before a game, during it and after it. */
class Table {
  constructor(view, games, setup) {
    Object.assign(this, { view, games, setup, played: null, busy: false });
    this.above = h("div");
    this.below = h("div");
    this.place = h("div", { class: "board-place" });
    this.notice = h("div", { class: "notice" });
    this.actions = h("div", { class: "row actions" });
    this.moves = h("div", { class: "move-box" });
    this.form = setupForm(games, setup, {
      onChange: (next) => this.prepare(next),
      onStart: (next) => this.start(next),
    });
    this.element = h(
      "div",
      { class: "table-top" },
      h("h1", { class: "visually-hidden" }, "Play"),
      h("div", { class: "middle" }, this.above, this.place, this.below),
      h(
        "aside",
        { class: "side stack" },
        this.notice,
        this.actions,
        h("section", { class: "card" }, h("h2", {}, "New game"), this.form),
        this.moves,
      ),
    );
    document.addEventListener("keydown", (event) => this.key(event), { signal: view.signal });
  }

  get game() {
    return this.games.find((game) => game.name === (this.played?.game ?? this.setup.game));
  }

  /** The game to go on with, or an empty board. */
  async open(id) {
    const asked = ["game", "opponent", "start"].some((key) => this.view.query.has(key));
    const going = id ?? (asked ? null : recall("current"));
    const played = going
      ? await api.playedGame(going, this.view.signal).catch((error) => {
          if (error.away) throw error;
          return null;
        })
      : null;
    if (played?.status === "playing" && played.you !== null) return this.seat(played);
    remember("current", null);
    return this.prepare(this.setup);
  }

  /** An empty board for what is set up; as first player the first move starts the game. */
  async prepare(setup) {
    if (this.played?.status === "playing") return void (this.setup = setup); // for the next game
    const before = this.setup;
    Object.assign(this, { setup, played: null });
    if (!this.board || before.game !== setup.game || this.board.position?.actions.length) this.newBoard();
    this.notice.replaceChildren();
    const [position, opponent] = await Promise.all([
      api.position(setup.game, setup.start ?? "", this.view.signal),
      this.opponentOf(setup),
    ]);
    if (this.setup !== setup || this.played) return;
    const ready = SIDES.indexOf(setup.side) === position.player; // who is to move begins by moving
    this.board.show(position, { playable: ready });
    this.strips({
      you: ready ? position.player : 1 - position.player,
      opponent: opponent?.title ?? (setup.opponent === CLOSEST ? "nought" : agentTitle(this.games, setup.opponent)),
      detail: gameKind(wish(this.games, setup).rated, opponent),
    });
    if (ready) this.mine.say(`your move: choose ${targetWord(this.game)}`);
    else this.notice.replaceChildren(button("Start the game", () => this.start(this.setup), "primary"));
    this.mine.active(ready);
    this.actions.replaceChildren();
    this.moves.replaceChildren();
  }

  /** The agent that is set up, as far as it is known. */
  async opponentOf({ game, opponent }) {
    if (opponent === CLOSEST) return api.opponent(game, this.view.signal).catch(() => null);
    return this.game.agents.find((agent) => agent.name === opponent);
  }

  newBoard() {
    this.board = createBoard(this.game, { onMove: (action) => this.move(action) });
    this.place.replaceChildren(this.board.element);
    this.element.style.setProperty("--ratio", this.board.ratio);
  }

  strips({ you, opponent, detail }) {
    this.theirs = strip(1 - you, opponent, detail);
    const account = recall("account");
    this.mine = strip(you, account && !account.guest ? account.name : "You");
    this.above.replaceChildren(this.theirs.element);
    this.below.replaceChildren(this.mine.element);
  }

  /** Takes a seat at a game that is going on. */
  async seat(played) {
    this.played = played;
    this.newBoard();
    this.introduce(played);
    await this.update(played);
  }

  /** Says who plays whom. */
  introduce(played) {
    const agent = this.game.agents.find((one) => one.name === played.players[1 - played.you].name);
    this.strips({ you: played.you, opponent: this.opponentTitle(played), detail: gameKind(played.rated, agent) });
  }

  async start(setup) {
    await this.guarded(
      async () => {
        const played = await this.begin(setup);
        if (!played) return;
        await this.seat(played);
        announce(`New game. You play ${played.you === 0 ? "first" : "second"}.`);
      },
      () => this.start(setup),
    );
  }

  /** A new game; where it would give up a rated one the person is asked, and may go on with that. Null: neither. */
  async begin(setup) {
    const wanted = wish(this.games, setup);
    const played = await api.startGame(wanted).catch((error) => {
      if (!error.openGame) throw error;
      return this.insteadOf(error.openGame, wanted);
    });
    if (played) remember("current", played.id);
    return played;
  }

  async insteadOf(id, wanted) {
    const open = await api.playedGame(id, this.view.signal);
    const answer = await ask(
      "Give up your rated game?",
      `A rated game of ${gameTitle(this.games, open.game)} against ${this.opponentTitle(open)} is still open, ` +
        `${count(open.position.names.length, "move")} long. Starting another one loses it.`,
      [
        ["go on", "Go on with it"],
        ["give up", "Give it up"],
      ],
    );
    if (answer === "give up") return api.startGame({ ...wanted, give_up: true });
    return answer === "go on" ? open : null;
  }

  /** Makes a move: shown at once, answered when the opponent has thought. */
  async move(action) {
    if (this.busy || (this.played && this.played.status !== "playing")) return;
    const before = this.board.position;
    const name = before.legal.find((move) => move.action === action)?.name;
    if (name === undefined) return;
    await this.guarded(
      async () => {
        const showing = this.showOwnMove(before, name);
        if (!this.played) {
          const played = await this.begin(this.setup);
          if (!played) return this.prepare(this.setup);
          if (played.position.moves !== before.moves) return this.seat(played); // the one that was open
          this.played = played;
          this.introduce(played);
          this.think();
        }
        const played = await api.playMove(this.played.id, action, this.played.position.actions.length);
        await showing;
        await this.update(played, name);
      },
      () => this.moveAgain(action, before),
      () => this.board.show(before, { playable: true }),
    );
  }

  /** Tries a move again, unless it was made and only the answer got lost. */
  async moveAgain(action, before) {
    if (this.played) {
      const look = async () => this.update(await api.playedGame(this.played.id, this.view.signal));
      await this.guarded(look, () => this.moveAgain(action, before));
    }
    if (this.board.position.moves === before.moves && !this.notice.hasChildNodes()) await this.move(action);
  }

  async showOwnMove(before, name) {
    this.think();
    try {
      const game = this.game;
      const position = await api.position(game.name, joinMoves(game, [...before.names, name]), this.view.signal);
      if (this.busy) this.board.show(position);
    } catch {
      /* the answer to the move itself will show it, or say what is wrong */
    }
    await pause(BETWEEN_MOVES, this.view.signal);
  }

  think() {
    this.mine.active(false);
    this.mine.say();
    this.theirs.active(true);
    this.theirs.say(thinking());
  }

  opponentTitle(played) {
    const { kind, name } = played.players[1 - played.you];
    return kind === "agent" ? agentTitle(this.games, name) : name;
  }

  /** Shows a game as the server knows it: every move that is new, one after the other. */
  async update(played, own) {
    this.played = played;
    const shown = this.board.position?.names.length ?? played.position.names.length;
    const { names } = played.position;
    if (names.length > shown + 1) await this.showBetween(names, shown + 1);
    const over = played.status === "finished";
    this.board.show(played.position, { playable: !over && played.position.player === played.you });
    this.say(played, own);
    this.offer(played);
    this.moves.replaceChildren(
      names.length ? h("section", { class: "card" }, h("h2", {}, "Moves"), moveList(played.position)) : "",
    );
    if (over) this.end(played);
  }

  async showBetween(names, from) {
    for (let ply = from; ply < names.length; ply++) {
      const position = await api.position(this.game.name, joinMoves(this.game, names.slice(0, ply)), this.view.signal);
      this.board.show(position);
      await pause(BETWEEN_MOVES, this.view.signal);
    }
  }

  say(played, own) {
    const { position, you, status } = played;
    const mine = status === "playing" && position.player === you;
    this.mine.active(mine);
    this.theirs.active(status === "playing" && !mine);
    const points = (player) => (this.game.counts_points ? pointsOf(this.game, position, player) : "");
    this.mine.say(mine ? "your move" : "", points(you));
    const opinion =
      status === "playing" && played.opponent_value !== null && played.opponent_value !== undefined
        ? `gives itself ${chance(played.opponent_value)}`
        : "";
    this.theirs.say(h("span", { class: "muted" }, opinion), points(1 - you));
    const last = position.names.at(-1);
    if (mine && last && last !== own)
      announce(`${this.opponentTitle(played)} plays ${moveWords(this.game, last)}. Your move.`);
  }

  offer(played) {
    const playing = played.status === "playing";
    const undo = button("Undo", () => this.guarded(async () => this.update(await api.undo(played.id)), null));
    undo.disabled = played.position.names.length <= played.you; // nothing of one's own
    const hint = button("Hint", () => this.guarded(() => this.hint(played), null));
    const casual = played.rated ? [] : [undo, hint];
    this.actions.replaceChildren(...(playing ? [...casual, this.resignButton(played)] : []));
  }

  /** Shows what the best agent would play. */
  async hint({ position }) {
    const best = await api.bestMove({ game: position.game, moves: position.moves }, this.view.signal);
    if (this.board.position.moves !== position.moves) return;
    const words = moveWords(this.game, best.name);
    this.board.note([{ action: best.action, text: "★", kind: "best", weight: 1 }]);
    this.mine.say(`hint: ${words}`);
    announce(`Hint: ${words}.`);
  }

  /** Asks once more by changing its words; a slip of the finger loses no game. */
  resignButton(played) {
    let sure = false;
    const element = button("Resign", () => {
      if (!sure) {
        sure = true;
        element.textContent = "Really resign?";
        return;
      }
      this.guarded(async () => this.update(await api.resign(played.id)), null);
    });
    element.addEventListener("blur", () => {
      sure = false;
      element.textContent = "Resign";
    });
    return element;
  }

  end(played) {
    remember("current", null);
    const card = resultCard(played, () => {
      this.notice.replaceChildren();
      this.again();
    });
    this.notice.replaceChildren(card);
    if (matchMedia("(max-width: 820px)").matches) card.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  /** Another game of the same kind: an empty board, or where chance says who begins, at once. */
  again() {
    this.played = null;
    if (SIDES.includes(this.setup.side)) return this.prepare({ ...this.setup });
    return this.start(this.setup);
  }

  /** Does one thing at a time; a failure is said, with a way to try again. */
  async guarded(act, retry, restore = () => {}) {
    if (this.busy) return;
    this.busy = true;
    this.notice.replaceChildren();
    try {
      await act();
    } catch (error) {
      if (this.view.signal.aborted) return;
      if (error.status === undefined) console.error(error);
      restore();
      this.theirs.say();
      this.notice.replaceChildren(
        problem(
          error,
          retry &&
            (() => {
              this.notice.replaceChildren();
              retry();
            }),
        ),
      );
    } finally {
      this.busy = false;
    }
  }

  key(event) {
    if (typing(event) || !this.board?.position) return;
    const action = this.board.moveOfKey(event.key);
    if (action !== null) this.move(action);
    else if (event.key.startsWith("Arrow") && !event.defaultPrevented && !this.place.contains(event.target)) {
      event.preventDefault();
      this.board.focus();
    }
  }
}

/** "casual · rating 842" */
const gameKind = (rated, agent) =>
  `${rated ? "rated" : "casual"}${agent?.rating ? ` · rating ${Math.round(agent.rating)}` : ""}`;

/** How many boxes or stones a player has. */
function pointsOf(game, position, player) {
  const owned = (game.board === "dots" ? position.boxes.map((box) => box.owner) : position.cells).filter(
    (owner) => owner === player,
  ).length;
  return h("span", { class: "points" }, owned);
}
