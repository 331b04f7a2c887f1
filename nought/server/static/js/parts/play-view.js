// The table at which a game is played: the board between two strips, what can be done, what is to be said.
// It shows what it is told and decides nothing; pages/play.js knows how a game goes.

import { createBoard } from "../board/board.js";
import { announce, h, refill } from "../dom.js";
import { canUndo, gameNamed, pointsOf } from "../model/games.js";
import { recall } from "../model/store.js";
import { chance, moveWords, playerTitle, targetWord, whole } from "../model/words.js";
import { button } from "./form.js";
import { moveList } from "./moves.js";
import { strip, thinking } from "./people.js";
import { resultCard } from "./result.js";
import { setupForm } from "./setup.js";
import { whereSwitch } from "./where.js";

export class PlayView {
  /** `acts` are told what a person does: prepare(setup), start(setup), move(action), undo(), hint(), resign(), again(). */
  constructor(games, setup, signal, acts) {
    Object.assign(this, { games, acts, game: null, board: null });
    this.above = h("div");
    this.below = h("div");
    this.place = h("div", { class: "board-place" });
    this.notice = h("div", { class: "notice" });
    this.actions = h("div", { class: "row actions" });
    this.moves = h("div", { class: "move-box" });
    const form = setupForm(games, setup, { onChange: acts.prepare, onStart: acts.start });
    this.where = whereSwitch(signal);
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
        h("section", { class: "card" }, h("h2", {}, "New game"), form, this.where.element),
        this.moves,
      ),
    );
  }

  newBoard(name) {
    this.game = gameNamed(this.games, name);
    this.board = createBoard(this.game, { onMove: this.acts.move });
    this.place.replaceChildren(this.board.element);
    this.element.style.setProperty("--ratio", this.board.ratio);
  }

  /** An empty board: whom one would meet, and how to begin. */
  showPrepared({ position, you, ready, rated, agent, opponent, setup }) {
    if (setup.game !== this.game?.name || this.board.position.actions.length) this.newBoard(setup.game);
    this.strips(you, opponent, gameKind(rated, agent));
    if (agent) this.where.watch(!rated && this.game, agent.name);
    this.actions.replaceChildren();
    this.moves.replaceChildren();
    this.mine.active(ready);
    if (ready) this.mine.say(`your move: choose ${targetWord(this.game)}`);
    else this.say(button("Start the game", () => this.acts.start(setup), "primary"));
    this.board.show(position, { playable: ready });
  }

  /** Who plays whom. */
  introduce(played) {
    const { name } = played.players[1 - played.you];
    const agent = this.game.agents.find((one) => one.name === name);
    this.strips(played.you, this.opponentTitle(played), gameKind(played.rated, agent));
    this.where.watch(!played.rated && this.game, name, { begun: !played.seat });
  }

  strips(you, opponent, detail) {
    const account = recall("account");
    this.theirs = strip(1 - you, opponent, detail);
    this.mine = strip(you, account && !account.guest ? account.name : "You");
    this.above.replaceChildren(this.theirs.element);
    this.below.replaceChildren(this.mine.element);
  }

  opponentTitle(played) {
    return playerTitle(this.games, played.players[1 - played.you]);
  }

  /** No move can be made until something is shown again. */
  wait() {
    this.board?.lock();
    this.say();
  }

  /** The opponent's turn. */
  think() {
    this.mine.active(false);
    this.mine.say();
    this.theirs.active(true);
    this.theirs.say(thinking());
  }

  /** A game as it stands: whose turn it is, what can be done, all its moves. */
  showGame(played) {
    const { position, status, you } = played;
    const mine = status === "playing" && position.player === you;
    const theirs = status === "playing" && !mine;
    const points = (player) =>
      this.game.counts_points && h("span", { class: "points" }, pointsOf(this.game, position, player));
    const opinion =
      status === "playing" && played.opponent_value != null ? `gives itself ${chance(played.opponent_value)}` : "";
    this.mine.active(mine);
    this.theirs.active(theirs);
    this.mine.say(mine ? "your move" : "", points(you));
    this.theirs.say(h("span", { class: "muted" }, opinion), points(1 - you));
    this.offer(played);
    const list = () => h("section", { class: "card" }, h("h2", {}, "Moves"), moveList(position));
    this.moves.replaceChildren(...(position.names.length ? [list()] : []));
    this.board.show(position, { playable: mine });
    if (mine && position.names.length && position.movers.at(-1) !== you)
      announce(`${this.opponentTitle(played)} plays ${moveWords(this.game, position.names.at(-1))}. Your move.`);
  }

  /** The buttons below the board. */
  offer(played) {
    const undo = button("Undo", this.acts.undo);
    undo.disabled = !canUndo(played);
    const casual = played.rated ? [] : [undo, button("Hint", this.acts.hint)];
    refill(this.actions, ...(played.status === "playing" ? [...casual, this.resignButton()] : []));
  }

  /** Asks once more by changing its words; a slip of the finger loses no game. */
  resignButton() {
    let sure = false;
    const element = button("Resign", () => {
      if (sure) return this.acts.resign();
      sure = true;
      element.textContent = "Really resign?";
    });
    element.addEventListener("blur", () => {
      sure = false;
      element.textContent = "Resign";
    });
    return element;
  }

  /** What the best agent would play. */
  showHint({ action, name }) {
    const words = moveWords(this.game, name);
    this.board.note([{ action, text: "★", kind: "best", weight: 1 }]);
    this.mine.say(`hint: ${words}`);
    announce(`Hint: ${words}.`);
  }

  showResult(played) {
    const card = resultCard(played, this.acts.again);
    this.say(card);
    if (matchMedia("(max-width: 820px)").matches) card.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  /** Says something beside the board: a card, a button, or nothing any more. */
  say(...content) {
    this.notice.replaceChildren(...content);
  }

  /** A key that is not for a field: a column's number, or an arrow, which brings the keyboard to the board. */
  key(event) {
    if (!this.board?.position) return;
    const action = this.board.moveOfKey(event.key);
    if (action !== null) this.acts.move(action);
    else if (event.key.startsWith("Arrow") && !event.defaultPrevented && !this.place.contains(event.target)) {
      event.preventDefault();
      this.board.focus();
    }
  }
}

/** "casual · rating 842" */
const gameKind = (rated, agent) =>
  `${rated ? "rated" : "casual"}${agent?.rating ? ` · rating ${whole(agent.rating)}` : ""}`;
