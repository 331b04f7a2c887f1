// Analyse: any position of any game, what the search thinks of every move, what perfect play knows.

import * as api from "../api.js";
import { createBoard } from "../board/board.js";
import { h, pause, typing } from "../dom.js";
import { Course } from "../parts/course.js";
import { evaluationBar, forFirst, movesTable, notesOf, sentence } from "../parts/evaluation.js";
import { button, choice, field } from "../parts/form.js";
import { iconButton } from "../parts/icons.js";
import { loading, problem } from "../parts/problem.js";
import { Tree } from "../tree.js";
import { count, joinMoves, resultWords } from "../words.js";

export const title = "Analyse";
const SETTLE = 130; // ms on a position before it is analysed: stepping through asks for nothing
const LINE_LENGTH = 8; // moves of a line that are shown

export function render(view) {
  return loading(view.root, view.signal, async () => {
    const games = await api.games();
    const desk = new Desk(view, games);
    await desk.open(await beginning(view, games));
    return desk.element;
  });
}

/** What to look at first: a played game, what the address says, or an empty board. */
async function beginning({ query, signal }, games) {
  if (query.get("id")) {
    const played = await api.playedGame(query.get("id"), signal);
    return { game: played.game, moves: played.position.moves, ply: 0, review: true };
  }
  const game = (games.find((one) => one.name === query.get("game")) ?? games[0]).name;
  const moves = query.get("moves") ?? "";
  return {
    game,
    moves,
    line: query.get("line"),
    ply: query.has("ply") ? Number(query.get("ply")) || 0 : undefined,
    review: Boolean(moves),
  };
}

class Desk {
  constructor(view, games) {
    Object.assign(this, { view, games, live: false, known: new Map(), work: new AbortController() });
    this.bar = evaluationBar();
    this.place = h("div", { class: "board-place" });
    this.says = h("p", { class: "says", role: "status" });
    this.facts = h("p", { class: "muted small" });
    this.table = h("div", {
      class: "scroll",
      tabindex: 0,
      role: "group",
      "aria-label": "Moves with value, visits and prior",
    });
    this.coursePlace = h("div", { class: "course-place" });
    this.notice = h("div", { class: "notice" });
    this.liveButton = button("Think on", () => this.toggleLive());
    this.head = h("div", { class: "row heads" });
    this.paste = field("Moves", { type: "text", placeholder: "44325", autocomplete: "off", spellcheck: "false" });
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
        ),
        this.pasteForm(),
      ),
    );
    document.addEventListener("keydown", (event) => this.key(event), { signal: view.signal });
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
          this.load(this.paste.input.value);
        },
      },
      this.paste,
      h("button", { type: "submit" }, "Show"),
    );
  }

  /** Opens a line of a game; the address may stand in the middle of it, or in a variation. */
  async open({ game, moves, line, ply, review }) {
    this.game = this.games.find((one) => one.name === game);
    const end = await api.position(game, moves, this.view.signal);
    this.tree = new Tree(end);
    if (ply !== undefined) this.tree.at = this.tree.mainAt(ply);
    if (line) this.tree.add(await api.position(game, line, this.view.signal));
    this.known.clear();
    this.course = new Course(this.game, this.tree, this.view.signal, (node) => this.go(node));
    this.coursePlace.replaceChildren(this.course.comment, this.course.element);
    this.board = createBoard(this.game, {
      arrows: false,
      onMove: (action) => this.play(action),
      onPoint: (action) => this.point(action),
    });
    this.place.replaceChildren(this.board.element);
    this.element.style.setProperty("--ratio", this.board.ratio);
    this.heads();
    await this.show();
    if (review && end.names.length) this.course.review();
  }

  heads() {
    const searching = this.game.agents.filter((agent) => agent.simulations > 0);
    const agents = [["", "Best agent"], ...searching.map((agent) => [agent.name, agent.title])];
    this.head.replaceChildren(
      choice(
        "Game",
        this.games.map((game) => [game.name, game.title]),
        this.game.name,
        (name) => {
          this.agent = undefined;
          this.guarded(() => this.open({ game: name, moves: "" }));
        },
      ),
      choice("Judged by", agents, this.agent ?? "", (name) => {
        this.agent = name || undefined;
        this.known.clear();
        this.show();
      }),
    );
  }

  text(names) {
    return joinMoves(this.game, names);
  }

  /** Shows where we are: board, list, graph, address; then has it analysed. */
  async show() {
    const node = this.tree.at;
    const position = await api.position(this.game.name, this.text(node.path), this.view.signal);
    if (this.tree.at !== node || this.view.signal.aborted) return;
    this.board.show(position, { playable: !position.finished });
    this.view.setQuery({
      id: null,
      game: this.game.name,
      moves: this.text(this.tree.mainLine),
      ply: node.main ? node.ply : null,
      line: node.main ? null : this.text(node.path),
    });
    this.paste.input.value = this.text(node.path);
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
    if (known) this.tell(known);
    else this.tell(null);
    await pause(SETTLE, work.signal);
    if (work.signal.aborted) return;
    try {
      if (!known) this.keep(await api.analyse(request, work.signal));
      if (this.live && !work.signal.aborted) await this.deepen(request, work.signal);
    } catch (error) {
      if (work.signal.aborted || error.name === "AbortError") return;
      if (error.status === undefined) console.error(error);
      this.says.textContent = "";
      this.notice.replaceChildren(problem(error, () => this.judge(position)));
    }
  }

  async deepen(request, signal) {
    await api.analyseLive(request, (analysis) => this.keep(analysis), signal);
    if (!signal.aborted) this.setLive(false);
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
    this.facts.textContent = `${analysis.note ? `${analysis.note}. ` : ""}${count(analysis.simulations, "simulation")}, ${count(analysis.positions, "position")}`;
    if (!this.table.contains(document.activeElement)) {
      this.table.replaceChildren(
        movesTable(analysis, {
          onPoint: (move) => this.point(move?.action ?? null),
          onPick: (move) => this.play(move.action),
        }),
      );
    }
    if (this.pointed === undefined || this.pointed === null) this.board.note(notesOf(analysis));
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

  play(action) {
    const { legal, player } = this.board.position;
    const move = legal.find((one) => one.action === action);
    if (!move) return;
    this.pointed = null;
    this.tree.play(move.name, player);
    this.show();
  }

  step(act) {
    this.tree[act]();
    this.go(this.tree.at);
  }

  go(node) {
    this.pointed = null;
    this.tree.at = node;
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

  load(text) {
    this.guarded(() => this.open({ game: this.game.name, moves: text.trim(), review: true }));
  }

  async guarded(act) {
    try {
      await act();
    } catch (error) {
      if (error.name !== "AbortError") this.notice.replaceChildren(problem(error));
    }
  }

  key(event) {
    if (typing(event) || !this.board) return;
    const act = { ArrowLeft: "back", ArrowRight: "forward", Home: "toStart", End: "toEnd" }[event.key];
    const action = this.board.moveOfKey(event.key);
    if (act) {
      event.preventDefault();
      this.step(act);
    } else if (action !== null) this.play(action);
  }
}
