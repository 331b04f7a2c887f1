// A search as a film: its graph as it grows, one simulation after the other, with the moves that it compares beside it.

import { h, still } from "../dom.js";
import { momentOf, moments, PHASES } from "../model/simulations.js";
import { signed } from "../model/words.js";
import { cameBack, candidates } from "./candidates.js";
import { explain, legend } from "./explanation.js";
import { button } from "./form.js";
import { searchGraph } from "./graph.js";
import { iconButton } from "./icons.js";
import { scrollBox, table } from "./table.js";

const LEAST = 0.68; // of its size: the smallest that the graph's words are drawn

export class Film {
  /** `signal` ends it. */
  constructor(signal) {
    Object.assign(this, { timer: null, at: 0, picked: null, frames: null });
    this.stage = scrollBox("Search graph, scrolls sideways", "stage");
    this.says = h("p", { class: "explains", "aria-live": "polite" });
    this.steps = h(
      "ol",
      { class: "phases" },
      PHASES.map((phase) => h("li", {}, phase)),
    );
    this.counter = h("p", { class: "muted small number" });
    this.panel = h("div", { class: "panel" });
    this.tableTitle = h("h3", {});
    this.table = scrollBox("Moves with their statistics", "scroll");
    this.legend = h("p", { class: "small muted" });
    this.element = h(
      "div",
      { class: "film" },
      h("div", { class: "row spread" }, this.steps, this.counter),
      this.controls(),
      this.says,
      h("div", { class: "film-room" }, this.stage, this.panel),
      this.tableTitle,
      this.table,
      this.legend,
    );
    signal.addEventListener("abort", () => clearTimeout(this.timer));
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
      oninput: () => this.turn(Number(this.scrub.value)),
    });
    const icon = (picture, label, by) => iconButton(picture, label, () => this.turn(this.at + by));
    return h(
      "div",
      { class: "controls" },
      this.scrub,
      h(
        "div",
        { class: "row spread" },
        h(
          "div",
          { class: "row" },
          icon("back", "One moment back", -1),
          this.playButton,
          icon("on", "One moment on", 1),
          button("To the end", () => this.turn(Infinity)),
        ),
        h("label", { class: "row small muted speed" }, "Speed", this.speed),
      ),
    );
  }

  /** Shows a search from its root on. `learned`: whether a network was asked, or games were played on at random. */
  show(game, answer, learned) {
    this.stop();
    Object.assign(this, { answer, learned, frames: moments(answer), picked: null });
    this.legend.textContent = legend(learned);
    this.graph = searchGraph(game, answer, (key) => {
      this.picked = key;
      this.go(this.at);
    });
    this.stage.replaceChildren(this.graph.element);
    const scale = Math.max(LEAST, Math.min(1, (this.stage.clientWidth - 30) / this.graph.width));
    this.graph.element.style.setProperty("width", `${scale * this.graph.width}px`);
    this.graph.element.style.setProperty("height", "auto");
    this.scrub.max = this.frames.length - 1;
    this.go(0);
  }

  /** By hand: from now on it stands still, and looks where something happens. */
  turn(at) {
    this.stop();
    this.picked = null;
    this.go(at);
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.frames.length - 1, at));
    const frame = this.frames[this.at];
    const moment = momentOf(this.answer, frame, this.learned);
    if (!moment.born.has(this.picked)) this.picked = null;
    this.graph.show({ ...moment, picked: this.picked ?? moment.focus });
    this.scrub.value = this.at;
    this.scrub.setAttribute("aria-valuetext", `simulation ${frame.step}, ${frame.phase}`);
    const last = this.answer.steps.length - 1;
    this.counter.textContent = frame.step === 0 ? "the root" : `simulation ${frame.step} of ${last}`;
    for (const item of this.steps.children) item.toggleAttribute("aria-current", item.textContent === frame.phase);
    this.says.replaceChildren(...explain(this.answer, frame.step, moment, this.learned).filter(Boolean));
    this.showMoves(moment);
    this.follow(moment);
    if (this.at === this.frames.length - 1) this.stop();
  }

  /** The moves of the position that is picked, or that everything is about: as bars and as a table. */
  showMoves(moment) {
    const key = this.picked ?? moment.focus;
    const node = this.answer.nodes[key];
    const chosen = key === moment.focus ? moment.chosen : moment.path.find((one) => one.node === key)?.action;
    const rows = node.edges.map((edge) => {
      const stats = moment.stats(key, edge);
      const u = moment.phase === "expansion" ? null : stats.u;
      return { ...stats, u, name: edge.name, chosen: edge.action === chosen };
    });
    const where = this.placeName(key);
    const named = moment.changes.map((one) => ({ ...one, name: this.moveName(one) }));
    this.panel.replaceChildren(
      named.length && moment.phase === "backup" && !this.picked
        ? cameBack("What came back, from the leaf up", named)
        : candidates(moment.phase === "selection" ? `Choosing ${where}` : `Moves ${where}`, rows),
    );
    this.edgeTable(where, rows);
  }

  moveName = ({ node, action }) => this.answer.nodes[node].edges.find((edge) => edge.action === action).name;

  /** A position as people name it: by the moves since the root. */
  placeName(key) {
    const [root, { position }] = [this.answer.nodes[this.answer.root].position, this.answer.nodes[key]];
    if (key === this.answer.root) return "at the root";
    return `after ${position.startsWith(root) ? position.slice(root.length).trim() : position}`;
  }

  edgeTable(where, rows) {
    const number = (value) => (value === null ? "–" : value.toFixed(2));
    this.tableTitle.textContent = `Moves ${where}, in numbers`;
    const columns = [
      { name: "Move", of: ({ name }) => h("strong", {}, name) },
      { name: "N", right: true, of: ({ n }) => n },
      { name: "W", right: true, of: ({ w }) => signed(w) },
      { name: "Q", right: true, of: ({ q, proven }) => `${signed(q)}${proven ? " proven" : ""}` },
      { name: "P", right: true, of: ({ p }) => number(p) },
      { name: "U", right: true, of: ({ u }) => number(u) },
      { name: "Q + U", right: true, of: ({ q, u }) => (u === null ? "–" : signed(q + u)) },
    ];
    const about = ({ chosen }) => ({ class: chosen ? "mine" : "" });
    this.table.replaceChildren(table(columns, rows, { about }));
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

  toggle() {
    if (this.timer) return this.stop();
    this.picked = null;
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
}
