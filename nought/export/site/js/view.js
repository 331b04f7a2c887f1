// What the page shows: two players, the board with its bar, what the agent thinks, the moves, and who the agent is.

import { createBoard } from "./board/board.js";
import { announce, h } from "./dom.js";
import { forFirst, pointsOf } from "./model/games.js";
import { count, moveWords, targetWord } from "./model/words.js";
import { notesOf, evaluationBar, movesTable, sentence } from "./parts/evaluation.js";
import { button, choice, segments, toggle } from "./parts/form.js";
import { moveList } from "./parts/moves.js";
import { strip, thinking } from "./parts/people.js";
import { problem } from "./parts/problem.js";

const SIDES = [
  ["first", "First"],
  ["second", "Second"],
];

const LINE_LENGTH = 8; // moves of a line that are shown

const searchWords = (level) => (level ? `${count(level, "simulation")} a move` : "without search");

/** How much was searched: visits are those of this search, and of earlier ones that came by here. */
function effort({ simulations, moves }) {
  const earlier = moves.reduce((sum, { visits }) => sum + visits, 0) - simulations;
  return `${count(simulations, "simulation")}${earlier > 0 ? `, and ${earlier} of earlier moves` : ""}.`;
}

export class View {
  constructor(facts, setup, acts) {
    Object.assign(this, { facts, setup, acts });
    this.board = createBoard(facts.game, { onMove: acts.move, onPoint: (action) => this.point(action) });
    this.bar = evaluationBar();
    this.framed = h("div", { class: "with-bar" }, this.bar.element, this.board.element);
    const place = () => h("div", {});
    Object.assign(this, { above: place(), below: place(), notice: h("div", { class: "notice" }) });
    this.says = h("p", { class: "says" });
    this.table = h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Moves that were looked at" });
    this.about = h("div", {});
    this.analysis = h("section", { class: "card analysis-box" }, h("h2", {}, "What it thinks"), this.says, this.table);
    this.undo = button("Undo", acts.undo);
    this.moves = h("div", { class: "move-box" });
    this.element = h(
      "div",
      { class: "table-top" },
      h("h1", { class: "visually-hidden" }, facts.game.title),
      (this.middle = h("div", { class: "middle" }, this.above, this.framed, this.below)),
      h(
        "aside",
        { class: "side stack" },
        this.notice,
        h("div", { class: "row actions" }, this.undo, button("New game", acts.start, "primary")),
        this.form(),
        this.analysis,
        this.moves,
        this.about,
      ),
    );
    this.element.style.setProperty("--ratio", this.board.ratio);
    this.open();
  }

  form() {
    const { agents, levels } = this.facts;
    const titles = agents.map(({ title }, number) => [number, title]);
    const simulations = levels.map((level) => [level, searchWords(level)]);
    this.level = choice("Level", simulations, this.setup.level, (level) => this.acts.change({ level: Number(level) }));
    return h(
      "section",
      { class: "card stack" },
      agents.length > 1 &&
        choice("Opponent", titles, this.setup.agent, (agent) => this.acts.change({ agent: Number(agent) })),
      segments("You play", SIDES, this.setup.side, (side) => this.acts.change({ side })),
      this.level,
      toggle("Show what it thinks", this.setup.open, (open) => {
        this.acts.change({ open });
        this.open();
      }),
    );
  }

  /** Shows what the agent thinks, or hides it. */
  open() {
    const { open } = this.setup;
    this.analysis.hidden = !open;
    this.middle.classList.toggle("open", open);
    if (!open) this.board.note([]);
  }

  /** The game as it stands. */
  show(position, { you, mine, undo }) {
    this.position = position;
    const { game } = this.facts;
    const agent = this.facts.agents[this.setup.agent];
    const [theirs, own] = [strip(1 - you, agent.title, searchWords(this.setup.level)), strip(you, "You")];
    this.level.select.value = this.setup.level;
    this.about.replaceChildren(about(game, agent));
    this.found = null;
    this.above.replaceChildren(theirs.element);
    this.below.replaceChildren(own.element);
    const points = (player) => game.counts_points && h("span", { class: "points" }, pointsOf(game, position, player));
    own.active(mine);
    theirs.active(!mine && !position.finished);
    own.say(mine ? (position.names.length ? "your move" : `your move: choose ${targetWord(game)}`) : "", points(you));
    theirs.say(!mine && !position.finished ? thinking() : "", points(1 - you));
    this.board.show(position, { playable: mine });
    this.undo.disabled = !undo;
    const list = () => h("section", { class: "card" }, h("h2", {}, "Moves"), moveList(position));
    this.moves.replaceChildren(...(position.names.length ? [list()] : []));
    this.notice.replaceChildren(...(position.finished ? [this.result(position, you)] : []));
    if (position.finished) this.bar.show(Math.sign(position.result));
    if (mine && position.names.length && position.movers.at(-1) !== you)
      announce(`${agent.title} plays ${moveWords(game, position.names.at(-1))}. Your move.`);
  }

  result(position, you) {
    const mine = Math.sign(forFirst(position.result, you));
    const title = ["You lost", "A draw", "You won!"][mine + 1];
    const by = position.margin ? ` by ${Math.abs(position.margin)}` : "";
    announce(`${title}${by}.`);
    return h(
      "section",
      { class: `card result ${["lost", "drawn", "won"][mine + 1]}`, "aria-label": "Result" },
      h("h2", {}, title + by),
      h("div", { class: "row" }, button("Play again", this.acts.start, "primary")),
    );
  }

  /** What a search has found by now; on one's own turn its moves are noted on the board, and can be made in the table. */
  showAnalysis(analysis, { mine }) {
    const { position } = analysis;
    this.found = { analysis, mine };
    this.bar.show(forFirst(analysis.value, position.player));
    if (!this.setup.open) return;
    this.says.textContent = `${sentence(analysis)} ${effort(analysis)}`;
    const pick = (move) => mine && this.acts.move(move.action);
    const onPoint = (move) => this.point(move?.action ?? null);
    this.table.replaceChildren(movesTable(analysis, { onPoint, onPick: pick }));
    if (mine) this.board.note(notesOf(analysis));
  }

  /** Shows the best line of the move that is pointed at. */
  point(action) {
    if (!this.setup.open || !this.found?.mine) return;
    const { analysis } = this.found;
    const move = analysis.moves.find((one) => one.action === action);
    const line = move?.line_moves.slice(0, LINE_LENGTH) ?? [];
    this.board.line(line);
    this.board.note(move ? [] : notesOf(analysis));
    this.says.textContent = move
      ? `Best line: ${line.map(({ name }) => name).join(" ")}`
      : `${sentence(analysis)} ${effort(analysis)}`;
  }

  /** What went wrong, and a way on. */
  fail(error, retry) {
    this.notice.replaceChildren(problem({ message: error.message, status: 0 }, retry));
  }

  /** A key that is not for a field: a column's number, or an arrow, which brings the keyboard to the board. */
  key(event) {
    const action = this.board.moveOfKey(event.key);
    if (action !== null) this.acts.move(action);
    else if (event.key.startsWith("Arrow") && !event.defaultPrevented && !this.framed.contains(event.target)) {
      event.preventDefault();
      this.board.focus();
    }
  }
}

/** Who the agent is, how the game is played, and where it all happens. */
function about(game, agent) {
  const paragraphs = game.rules.split(/\n\s*\n/).filter(Boolean);
  return h(
    "section",
    { class: "card about" },
    h("h2", {}, "About"),
    agent.about && h("p", {}, agent.about),
    h("p", { class: "muted" }, "Rules, search and network run in this browser. Nothing is sent anywhere."),
    h(
      "dl",
      {},
      Object.entries(agent.card).map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]),
    ),
    paragraphs.length > 0 &&
      h(
        "details",
        { class: "rules" },
        h("summary", {}, "How it is played"),
        paragraphs.map((text) => h("p", {}, text)),
      ),
  );
}
