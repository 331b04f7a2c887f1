// Who learns tic-tac-toe in the page, and what is seen of it: knobs, games, curves, and its opinion of one position.

import { announce, h } from "../../dom.js";
import { lineChart } from "../../parts/charts.js";
import { button, toggle } from "../../parts/form.js";
import { KNOBS } from "../loop/learning.js";
import { boardAfter, legalMoves, stones } from "../loop/tictactoe.js";
import { moveValue } from "../loop/truth.js";
import { filled } from "../words.js";
import { shareBars } from "./shares.js";
import { moveName, smallBoard } from "./board.js";
import { cycle } from "./cycle.js";
import { dial } from "./dial.js";

const SHOWN = {
  simulations: [5, 200, 5],
  games: [6, 60, 6],
  rounds: [10, 100, 10],
  rate: [0.01, 0.5, 0.01],
  noise: [0, 0.9, 0.05],
};
const CENTRE = 4;

export class Pupil {
  /** `watched` are the moves of the position that every version is asked about. */
  constructor(words, watched) {
    Object.assign(this, { words, watched: boardAfter(watched), knobs: { ...KNOBS }, versions: [] });
    this.ready = false; // whether it can play
  }

  /** Its part of the page. What has been learned stays when the step is left; what is under way ends. */
  stage(stage) {
    const { words } = this;
    this.cycle = cycle(words.diagram, words.stations);
    this.button = button(words.learn, () => (this.busy ? this.stop() : this.start()), "primary");
    this.said = h("p", { class: "learned", "aria-live": "polite" });
    this.facts = h("dl", { class: "facts" });
    this.boards = h("div", { class: "small-game", role: "img", "aria-label": words.boards });
    this.curves = h("div", { class: "stack curves" });
    const knobs = Object.entries(SHOWN).map(([name, [min, max, step]]) =>
      dial(words.knobs[name], { min, max, step, value: this.knobs[name], oninput: (value) => (this.knobs[name] = value) }),
    ); // prettier-ignore
    this.slowly = toggle(words.slowly, this.slowly?.input.checked ?? false, (slowly) =>
      this.worker?.postMessage({ slowly }),
    );
    const element = h("div", { class: "stack pupil" }, this.cycle);
    stage.onReveal(() => {
      element.replaceChildren(
        h("div", { class: "knobs" }, knobs),
        h("div", { class: "row" }, this.button, this.slowly),
        this.said,
        this.cycle,
        this.boards,
        this.facts,
        this.curves,
      );
      if (this.versions.length) this.showVersion(this.versions.at(-1));
    });
    stage.signal.addEventListener("abort", () => this.busy && this.stop());
    return element;
  }

  start() {
    this.worker?.terminate();
    Object.assign(this, { versions: [], safe: null, samples: 0, busy: true, ready: false, used: { ...this.knobs } });
    this.worker = new Worker(new URL("../loop/worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.hear(data));
    this.worker.addEventListener("error", () => this.stop());
    this.worker.postMessage({ slowly: this.slowly.input.checked });
    const seed = crypto.getRandomValues(new Uint32Array(1))[0]; // every visitor's pupil is another one
    this.worker.postMessage({ knobs: this.used, seed, watched: [...this.watched] });
    this.button.textContent = this.words.stop;
    this.said.textContent = "";
    this.curves.replaceChildren();
  }

  stop() {
    this.worker.terminate();
    this.busy = false;
    this.cycle.light(-1);
    this.button.textContent = this.words.again;
    this.said.textContent = this.words.stopped;
  }

  /** The move that it makes after these. */
  move(moves) {
    return new Promise((resolve) => {
      this.worker.addEventListener("message", ({ data }) => resolve(data.move), { once: true });
      this.worker.postMessage({ board: [...boardAfter(moves)] });
    });
  }

  hear(event) {
    ({ boards: this.playing, step: this.studying, version: this.passed, done: this.finish })[event.kind]?.call(this, event); // prettier-ignore
  }

  playing({ boards }) {
    this.cycle.light(0, [filled(this.words.notes.games, this.used)]);
    this.boards.replaceChildren(...boards.map((board) => smallBoard("tictactoe", ownersOf(board), 74)));
  }

  studying({ done, steps }) {
    this.cycle.light(2, [, , filled(this.words.notes.step, { done, steps })]); // eslint-disable-line no-sparse-arrays
  }

  /** A version is there. */
  passed(version) {
    this.versions.push(version);
    this.showVersion(version);
    if (version.lost === 0 && !this.safe) {
      this.safe = version;
      this.said.textContent = filled(this.words.never, { ...version, seconds: version.seconds.toFixed(1) });
      announce(this.said.textContent);
    }
  }

  finish({ seconds }) {
    const last = this.versions.at(-1);
    Object.assign(this, { busy: false, ready: true });
    this.cycle.light(-1);
    this.button.textContent = this.words.again;
    const { finished, finishedSafe, finishedOpen } = this.words;
    const end = filled(last.lost ? finishedOpen : finishedSafe, last);
    this.said.textContent = `${filled(finished, { ...this.used, seconds: seconds.toFixed(1) })} ${end}`;
    announce(this.said.textContent);
  }

  showVersion(version) {
    const { facts, notes } = this.words;
    const samples = version.losses?.samples.toLocaleString("en") ?? 0;
    const all = [undefined, filled(notes.samples, { samples }), undefined, filled(notes.version, version)];
    this.cycle.light(3, all);
    const fact = (name, value, kind) =>
      h("div", { class: kind }, h("dt", {}, filled(name, version)), h("dd", {}, value));
    this.facts.replaceChildren(
      fact(facts.version, version.version, "version"),
      fact(facts.seconds, version.seconds.toFixed(1), "seconds"),
      fact(facts.right, `${(100 * version.right).toFixed(1)} %`, "right"),
      fact(facts.lost, version.lost, "lost"),
      fact(facts.alone, version.lostAlone, "alone"),
    );
    this.curves.replaceChildren(...this.drawn(version));
  }

  /** The curves up to a version, and what it says of the watched position. */
  drawn(version) {
    const { charts } = this.words;
    const series = (name, of, more = {}) => ({
      name,
      points: this.versions.filter(({ losses }) => losses || more.first).map((one) => [one.version, of(one)]),
      ...more,
    });
    const curve = (title, lines, more) =>
      h("section", {}, h("h3", {}, title), lineChart(lines, { height: 150, xName: charts.rounds, ...more }));
    const decimals = (value) => value.toFixed(1);
    return [
      curve(charts.loss, [series(charts.loss, ({ losses }) => losses.policyLoss - losses.floor)], {
        label: charts.lossLabel,
        format: (value) => value.toFixed(2),
      }),
      curve(
        charts.lost,
        [
          series(charts.withSearch, ({ lost }) => lost, { first: true }),
          series(charts.alone, ({ lostAlone }) => lostAlone, { first: true }),
        ],
        { label: charts.lostLabel, step: 1 },
      ),
      curve(
        charts.watched,
        [
          series(charts.centre, ({ policy }) => policy[CENTRE], { first: true }),
          series(charts.value, ({ value }) => value, { first: true }),
          series(charts.truth, () => 0, { first: true, quiet: true }),
        ],
        { label: charts.watchedLabel, format: decimals, low: -1, high: 1 },
      ),
      this.opinion(version),
    ];
  }

  /** The moves of the watched position with their chances, and what perfect play says of each. */
  opinion({ version, policy }) {
    const { charts } = this.words;
    const title = filled(charts.chosen, { version });
    const rows = legalMoves(this.watched).map((cell) => {
      const good = moveValue(this.watched, cell) === 0;
      return {
        name: moveName("tictactoe", cell),
        share: policy[cell],
        text: `${Math.round(100 * policy[cell])} %`,
        kind: good ? "good" : "",
        note: good ? charts.draws : charts.loses,
      };
    });
    return h("section", {}, h("h3", {}, title), shareBars(title, rows));
  }
}

/** A board of the player to move as one that can be drawn: X's stones are 0. */
function ownersOf(board) {
  const mover = stones(board) % 2;
  const cells = [...board].map((stone) => (stone === 0 ? null : stone > 0 ? mover : 1 - mover));
  return { cells, player: mover, line: [], finished: true };
}
