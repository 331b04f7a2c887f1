// Analyse: any position of any game, what the search thinks of every move, what perfect play knows.

import { createBoard } from "../board/board.js";
import { h, onKey, pause, refill } from "../dom.js";
import * as api from "../model/api.js";
import { forFirst, gameNamed, gameOrFirst, joinMoves, legalMove } from "../model/games.js";
import { Tree } from "../model/tree.js";
import { count, resultWords } from "../model/words.js";
import { Course } from "../parts/course.js";
import { evaluationBar, movesTable, notesOf, sentence } from "../parts/evaluation.js";
import { button, choice, field, gameChoice } from "../parts/form.js";
import { iconButton } from "../parts/icons.js";
import { failure, loading } from "../parts/problem.js";
import { scrollBox } from "../parts/table.js";
import { whereSwitch } from "../parts/where.js";
import { position as positionOf, thinkingHere } from "../thinking/agents.js";
import { analyseHere } from "../thinking/analysis.js";

export const title = "Analyse";
const SETTLE = 130; // ms on a position before it is analysed: stepping through asks for nothing
const LINE_LENGTH = 8; // moves of a line that are shown

export function render(view) {
  return loading(view.root, view.signal, async (signal) => {
    const games = await api.games();
    const here = { ...view, signal };
    const desk = new Desk(here, games);
    await desk.open(await beginning(here, games));
    return desk.element;
  });
}

/** What to look at first: a played game, what the address says, or an empty board. */
async function beginning({ query, signal }, games) {
  if (query.get("id")) {
    const played = await api.playedGame(query.get("id"), signal);
    return { game: played.game, moves: played.position.moves, ply: 0, review: true };
  }
  const moves = query.get("moves") ?? "";
  return {
    game: gameOrFirst(games, query.get("game")).name,
    moves,
    line: query.get("line"),
    ply: query.has("ply") ? Number(query.get("ply")) || 0 : undefined,
    review: Boolean(moves),
  };
}

class Desk {
  constructor(view, games) {
    Object.assign(this, { view, games, live: false, known: new Map(), work: new AbortController() });
    this.turn = Promise.resolve(); // what was asked for before is done by then
    this.shown = Promise.resolve(); // the board shows the present position by then
    this.bar = evaluationBar();
    this.place = h("div", { class: "board-place" });
    this.says = h("p", { class: "says", role: "status" });
    this.facts = h("p", { class: "muted small" });
    this.table = scrollBox("Moves with value, visits and prior", "scroll");
    this.coursePlace = h("div", { class: "course-place" });
    this.notice = h("div", { class: "notice" });
    this.liveButton = button("Think on", () => this.toggleLive());
    this.where = whereSwitch(view.signal);
    this.head = h("div", { class: "row heads" });
    this.paste = field("Moves", { type: "text", autocomplete: "off", spellcheck: "false" });
    this.element = h(
      "div",
      { class: "table-top analysis" },
      h(
        "div",
        { class: "middle" },
        h("div", { class: "with-bar" }, this.bar.element, this.place),
        this.steps(),
        this.coursePlace,
      ),
      h(
        "aside",
        { class: "side stack" },
        h("h1", {}, "Analyse"),
        this.head,
        this.notice,
        h(
          "section",
          { class: "card opinion" },
          this.says,
          this.facts,
          this.table,
          h("div", { class: "row" }, this.liveButton),
          this.where.element,
        ),
        this.pasteForm(),
      ),
    );
    onKey(view.signal, (event) => this.key(event));
    view.signal.addEventListener("abort", () => this.work.abort());
  }

  steps() {
    const step = (picture, label, act) => iconButton(picture, label, () => this.step(act));
    return h(
      "div",
      { class: "row steps" },
      step("start", "To the start (Home)", "toStart"),
      step("back", "One move back (←)", "back"),
      step("on", "One move on (→)", "forward"),
      step("end", "To the end (End)", "toEnd"),
    );
  }

  pasteForm() {
    return h(
      "form",
      {
        class: "card paste",
        onsubmit: (event) => {
          event.preventDefault();
          this.load(this.game.name, this.paste.input.value.trim());
        },
      },
      this.paste,
      h("button", { type: "submit" }, "Show"),
    );
  }

  /** Opens a line of a game; the address may stand in the middle of it, or in a variation. */
  async open({ game: name, moves, line, ply, review }) {
    const game = gameNamed(this.games, name);
    const ask = (text) => positionOf(name, text, this.view.signal);
    const tree = new Tree(await ask(moves));
    if (ply !== undefined) tree.at = tree.mainAt(ply);
    if (line) tree.add(await ask(line));
    await ask(joinMoves(game, tree.at.path)); // and is known from now on: nothing changes until all is there
    this.tree = tree;
    this.known.clear();
    this.setGame(game);
    await this.show();
    if (review && tree.mainLine.length) this.course.review();
  }

  setGame(game) {
    if (this.game !== game) this.agent = undefined;
    this.game = game;
    this.course = new Course(game, this.tree, this.view.signal, {
      onGo: (node) => this.go(node),
      onStep: (act) => this.step(act),
    });
    this.coursePlace.replaceChildren(this.course.comment, this.course.element);
    this.board = createBoard(game, {
      arrows: false,
      onMove: (action) => this.play(action),
      onPoint: (action) => this.point(action),
    });
    this.place.replaceChildren(this.board.element);
    this.element.style.setProperty("--ratio", this.board.ratio);
    this.heads();
  }

  heads() {
    this.where.watch(this.game, this.agent);
    const searching = this.game.agents.filter((agent) => agent.simulations > 0);
    const agents = [["", "Best agent"], ...searching.map((agent) => [agent.name, agent.title])];
    refill(
      this.head,
      gameChoice(this.games, this.game.name, (name) => this.load(name, "")),
      choice("Judged by", agents, this.agent ?? "", (name) => {
        this.agent = name || undefined;
        this.where.watch(this.game, this.agent);
        this.known.clear();
        this.show();
      }),
    );
  }

  text(names) {
    return joinMoves(this.game, names);
  }

  /** Shows where we are; where that cannot be had we stay where we were. */
  show() {
    const node = this.tree.at;
    this.shown = this.showNode(node).catch((error) => {
      if (this.tree.at !== node) return;
      this.tree.at = this.here;
      this.notice.replaceChildren(failure(error, this.view.signal, () => this.go(node)) ?? "");
    });
    return this.shown;
  }

  /** Board, list, graph, address; then has the position analysed. */
  async showNode(node) {
    const position = await positionOf(this.game.name, this.text(node.path), this.view.signal);
    if (this.tree.at !== node || this.view.signal.aborted) return;
    this.here = node;
    this.board.show(position, { playable: !position.finished });
    this.view.setQuery({
      id: null,
      game: this.game.name,
      moves: this.text(this.tree.mainLine),
      ply: node.main ? node.ply : null,
      line: node.main ? null : this.text(node.path),
    });
    this.paste.input.value = this.text(node.path);
    this.paste.input.placeholder = position.legal.length ? `like ${position.legal[0].name}` : "";
    this.course.show(position);
    this.judge(position);
  }

  /** Asks for an analysis of the position, unless it is known or the game is over. */
  async judge(position) {
    this.work.abort();
    const work = (this.work = new AbortController());
    this.notice.replaceChildren();
    this.liveButton.disabled = position.finished;
    if (position.finished) return this.over(position);
    const request = { game: this.game.name, moves: position.moves, agent: this.agent };
    const known = this.known.get(position.moves);
    this.tell(known ?? null);
    await pause(SETTLE, work.signal);
    if (work.signal.aborted) return;
    try {
      if (!known) await this.search(position, request, work.signal);
      if (this.live && !work.signal.aborted) await this.deepen(position, request, work.signal);
    } catch (error) {
      const problem = failure(error, work.signal, () => this.judge(position));
      if (!problem) return;
      this.says.textContent = "";
      this.notice.replaceChildren(problem);
    }
  }

  async search(position, request, signal) {
    if (!(await this.searchHere(position, signal))) this.keep(await api.analyse(request, signal));
  }

  async deepen(position, request, signal) {
    if (!(await this.searchHere(position, signal, Infinity)))
      await api.analyseLive(request, (analysis) => this.keep(analysis), signal);
    if (!signal.aborted) this.setLive(false);
  }

  /** Has the agent think in this browser, if it can; whether it did. */
  async searchHere(position, signal, simulations = undefined) {
    const here = await thinkingHere(this.game, this.agent);
    if (!here) return false;
    try {
      await analyseHere(here, position, { simulations, signal, onAnalysis: (analysis) => this.keep(analysis) });
      return true;
    } catch (error) {
      if (error.name === "AbortError") throw error;
      here.fail(error);
      return false;
    }
  }

  keep(analysis) {
    const { moves } = analysis.position;
    const before = this.known.get(moves);
    if (!before || analysis.simulations >= before.simulations) this.known.set(moves, analysis);
    if (moves === this.board.position.moves) this.tell(this.known.get(moves));
  }

  /** Writes an analysis on the page; null while there is none. */
  tell(analysis) {
    this.analysis = analysis;
    this.element.classList.toggle("waiting", !analysis);
    if (!analysis) {
      this.says.textContent = "Thinking …";
      return;
    }
    this.bar.show(forFirst(analysis.value, analysis.position.player));
    this.says.textContent = sentence(analysis);
    this.facts.textContent = `${analysis.note ? `${analysis.note}. ` : ""}${count(analysis.simulations, "simulation")}, ${count(analysis.positions, "position")}${analysis.here ? ", in this browser" : ""}`;
    this.showTable(analysis);
    if (this.pointed == null) this.board.note(notesOf(analysis));
  }

  /** The moves as a table. While the keyboard is in it, it changes only with the position. */
  showTable(analysis) {
    const { moves } = analysis.position;
    const focused = document.activeElement;
    const inside = focused !== this.table && this.table.contains(focused);
    if (inside && this.tableOf === moves) return;
    this.tableOf = moves;
    this.table.replaceChildren(
      movesTable(analysis, {
        onPoint: (move) => this.point(move?.action ?? null),
        onPick: (move) => this.play(move.action),
      }),
    );
    if (inside) this.table.focus({ preventScroll: true });
  }

  over(position) {
    this.analysis = null;
    this.says.textContent = `${resultWords(position.result, "played", position.margin)}.`;
    this.facts.textContent = "";
    this.table.replaceChildren();
    this.bar.show(position.result);
    this.element.classList.remove("waiting");
  }

  /** Shows the best line of the move that is pointed at. */
  point(action) {
    this.pointed = action;
    const move = this.analysis?.moves.find((one) => one.action === action);
    const line = move?.line_moves.slice(0, LINE_LENGTH) ?? [];
    this.board.line(line);
    this.board.note(move || !this.analysis ? [] : notesOf(this.analysis));
    if (this.analysis)
      this.says.textContent = move ? `Best line: ${line.map(({ name }) => name).join(" ")}` : sentence(this.analysis);
  }

  /** One thing after the other: a move is one of the position that is shown when its turn comes. */
  after(act) {
    this.turn = this.turn.catch(() => {}).then(act);
  }

  play(action) {
    this.after(async () => {
      await this.shown;
      const { position } = this.board;
      const move = legalMove(position, action);
      if (!move) return;
      this.tree.play(move.name, position.player);
      this.arrive();
    });
  }

  /** Takes one of the tree's steps. */
  step(act) {
    this.after(() => {
      this.tree[act]();
      this.arrive();
    });
  }

  go(node) {
    this.after(() => {
      this.tree.at = node;
      this.arrive();
    });
  }

  arrive() {
    this.pointed = null;
    this.show();
  }

  setLive(on) {
    this.live = on;
    this.liveButton.textContent = on ? "Stop" : "Think on";
    this.liveButton.setAttribute("aria-pressed", on);
  }

  toggleLive() {
    this.setLive(!this.live);
    if (this.live) this.judge(this.board.position);
    else this.work.abort();
  }

  /** Opens another game or line; what is shown stays if that cannot be had. */
  load(game, moves) {
    this.after(() =>
      this.open({ game, moves, review: true }).catch((error) => {
        this.notice.replaceChildren(failure(error, this.view.signal) ?? "");
      }),
    );
  }

  key(event) {
    if (!this.board) return;
    const act = { ArrowLeft: "back", ArrowRight: "forward", Home: "toStart", End: "toEnd" }[event.key];
    const action = this.board.moveOfKey(event.key);
    if (act) {
      event.preventDefault();
      this.step(act);
    } else if (action !== null) this.play(action);
  }
}
