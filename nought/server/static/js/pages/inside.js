// Inside the search: its graph as it grows, one simulation after the other, in four phases each.

import { h, onKey, still } from "../dom.js";
import * as api from "../model/api.js";
import { gameNamed, gameOrFirst } from "../model/games.js";
import { momentOf, moments, PHASES } from "../model/simulations.js";
import { signed } from "../model/words.js";
import { explain, legend } from "../parts/explanation.js";
import { button, field, gameChoice } from "../parts/form.js";
import { searchGraph } from "../parts/graph.js";
import { iconButton } from "../parts/icons.js";
import { pageHead } from "../parts/page.js";
import { loading } from "../parts/problem.js";
import { scrollBox, table } from "../parts/table.js";

export const title = "Inside the search";
const EXAMPLE = "35"; // of Connect 4, where the search hesitates
const CURIOSITY = 2; // c, where the address does not say

export function render(view) {
  return loading(view.root, view.signal, async (signal) => {
    const film = new Film({ ...view, signal }, await api.games());
    await film.search(signal);
    return film.element;
  });
}

class Film {
  constructor(view, games) {
    const { query } = view;
    Object.assign(this, { view, games, timer: null, at: 0, picked: null });
    this.wanted = {
      game: gameOrFirst(games, query.get("game")).name,
      moves: query.get("moves") ?? (query.has("game") ? "" : EXAMPLE),
      simulations: Math.min(60, Math.max(1, Number(query.get("simulations")) || 16)),
      c_puct: Number(query.get("c")) || CURIOSITY,
    };
    this.stage = scrollBox("Search graph, scrolls sideways", "stage");
    this.says = h("p", { class: "explains", "aria-live": "polite" });
    this.steps = h(
      "ol",
      { class: "phases" },
      PHASES.map((phase) => h("li", {}, phase)),
    );
    this.table = scrollBox("Moves with their statistics", "scroll");
    this.problem = h("div");
    this.element = h(
      "div",
      { class: "stack" },
      pageHead(title, "How nought finds a move: the graph of positions grows by one simulation after the other."),
      this.form(),
      this.problem,
      h(
        "section",
        { class: "card film" },
        h("div", { class: "row spread" }, this.steps, (this.counter = h("p", { class: "muted small number" }))),
        this.says,
        this.stage,
        this.controls(),
      ),
      h(
        "section",
        { class: "card" },
        (this.tableTitle = h("h2", {})),
        this.table,
        (this.legend = h("p", { class: "small muted" })),
      ),
    );
    onKey(view.signal, (event) => this.key(event));
    view.signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  form() {
    const change = (values) => {
      Object.assign(this.wanted, values);
      this.again();
    };
    const moves = field("Position (moves)", {
      type: "text",
      value: this.wanted.moves,
      placeholder: "from the start",
      autocomplete: "off",
      onchange: () => change({ moves: moves.input.value.trim() }),
    });
    const slider = (text, props, onchange) => {
      const shown = h("output", {}, props.value);
      const input = h("input", {
        type: "range",
        ...props,
        oninput: () => {
          shown.textContent = input.value;
        },
        onchange: () => onchange(Number(input.value)),
      });
      return h("label", { class: "field" }, h("span", {}, text, " ", shown), input);
    };
    return h(
      "form",
      { class: "card inside-form", onsubmit: (event) => event.preventDefault() },
      gameChoice(this.games, this.wanted.game, (game) => {
        moves.input.value = "";
        change({ game, moves: "" });
      }),
      moves,
      slider("Simulations", { min: 2, max: 60, value: this.wanted.simulations }, (simulations) =>
        change({ simulations }),
      ),
      slider("Curiosity c", { min: 0.2, max: 5, step: 0.1, value: this.wanted.c_puct }, (c_puct) => change({ c_puct })),
    );
  }

  controls() {
    this.playButton = button("Play", () => this.toggle(), "primary");
    this.speed = h("input", { type: "range", min: 1, max: 10, value: 4, "aria-label": "Speed" });
    this.scrub = h("input", {
      type: "range",
      min: 0,
      max: 1,
      value: 0,
      "aria-label": "Moment of the search",
      oninput: () => {
        this.stop();
        this.go(Number(this.scrub.value));
      },
    });
    const icon = (picture, label, by) =>
      iconButton(picture, label, () => {
        this.stop();
        this.go(this.at + by);
      });
    return h(
      "div",
      { class: "controls" },
      this.scrub,
      h(
        "div",
        { class: "row spread" },
        h("div", { class: "row" }, icon("back", "One phase back", -1), this.playButton, icon("on", "One phase on", 1)),
        h("label", { class: "row small muted speed" }, "Speed", this.speed),
      ),
    );
  }

  /** Asks for a search and shows it as it is in the end. */
  async search(signal) {
    const wanted = { ...this.wanted };
    const answer = await api.inside(wanted, signal);
    if (signal.aborted) return; // another one is wanted by now
    const { game, moves, simulations, c_puct: c } = wanted;
    this.view.setQuery({ game, moves, simulations, c });
    this.answer = answer;
    this.game = gameNamed(this.games, game);
    this.learned = this.game.agents.some((agent) => agent.name.startsWith("agents/"));
    this.legend.textContent = legend(this.learned);
    this.frames = moments(answer);
    this.picked = answer.root;
    this.graph = searchGraph(this.game, answer, (key) => {
      this.picked = key;
      this.go(this.at);
    });
    this.stage.replaceChildren(this.graph.element);
    const scale = Math.max(0.68, Math.min(1, (this.view.root.clientWidth - 60) / this.graph.width));
    this.graph.element.style.setProperty("width", `${scale * this.graph.width}px`);
    this.graph.element.style.setProperty("height", "auto");
    this.scrub.max = this.frames.length - 1;
    this.go(this.frames.length - 1);
  }

  again() {
    this.stop();
    return loading(this.problem, this.view.signal, async (signal) => {
      await this.search(signal);
      return [];
    });
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.frames.length - 1, at));
    const { step, phase } = this.frames[this.at];
    const moment = { ...momentOf(this.answer, this.frames[this.at], this.learned), picked: this.picked };
    if (!moment.born.has(this.picked)) this.picked = moment.picked = this.answer.root;
    this.graph.show(moment);
    this.scrub.value = this.at;
    this.scrub.setAttribute("aria-valuetext", `simulation ${step}, ${phase}`);
    this.counter.textContent = step === 0 ? "the root" : `simulation ${step} of ${this.answer.steps.length - 1}`;
    [...this.steps.children].forEach((item) => item.toggleAttribute("aria-current", item.textContent === phase));
    this.says.replaceChildren(...explain(this.answer, step, phase, moment, this.learned));
    this.edgeTable(moment);
    this.follow(moment);
    if (this.at === this.frames.length - 1) this.stop();
  }

  /** Keeps what happens in sight where the graph is wider than the screen. */
  follow(moment) {
    const place = this.graph.place(moment.leaf ?? moment.path.at(-1)?.node ?? this.answer.root);
    const scale = this.graph.element.getBoundingClientRect().width / this.graph.width;
    if (!place || !scale) return;
    const { clientWidth, clientHeight } = this.stage;
    this.stage.scrollTo({
      left: place.x * scale - clientWidth / 2,
      top: place.y * scale - clientHeight / 2,
      behavior: still() ? "auto" : "smooth",
    });
  }

  edgeTable(moment) {
    const node = this.answer.nodes[this.picked];
    const rows = node.edges.map((edge) => ({ edge, ...moment.stats(this.picked, edge) }));
    const chosen = moment.path.find((one) => one.node === this.picked)?.action;
    const number = (value) => (value === null ? "–" : value.toFixed(2));
    this.tableTitle.textContent =
      this.picked === this.answer.root ? "Moves at the root" : `Moves after ${node.position}`;
    const columns = [
      { name: "Move", of: ({ edge }) => h("strong", {}, edge.name) },
      { name: "N", right: true, of: ({ n }) => n },
      { name: "W", right: true, of: ({ w }) => signed(w) },
      { name: "Q", right: true, of: ({ q }) => signed(q) },
      { name: "P", right: true, of: ({ p }) => number(p) },
      { name: "U", right: true, of: ({ u }) => number(u) },
      { name: "Q + U", right: true, of: ({ q, u }) => (u === null ? "–" : signed(q + u)) },
    ];
    const about = ({ edge }) => ({ class: edge.action === chosen ? "mine" : "" });
    this.table.replaceChildren(table(columns, rows, { about }));
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.frames.length - 1) this.go(0);
    this.playButton.textContent = "Pause";
    const tick = () => {
      this.timer = setTimeout(
        () => {
          this.go(this.at + 1);
          if (this.timer) tick();
        },
        2600 / Number(this.speed.value) ** 1.1,
      );
    };
    tick();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.playButton.textContent = "Play";
  }

  key(event) {
    if (!this.frames || event.target.closest("button, .stage")) return;
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      this.stop();
      this.go(this.at + (event.key === "ArrowRight" ? 1 : -1));
    } else if (event.key === " ") {
      event.preventDefault();
      this.toggle();
    }
  }
}
