// Lesson 7: simulations, curiosity, searches without a network, proofs, and graphs in place of trees.

import { h, s } from "../../dom.js";
import * as api from "../../model/api.js";
import { gameNamed } from "../../model/games.js";
import { signed } from "../../model/words.js";
import { Film } from "../../parts/film.js";
import { button } from "../../parts/form.js";
import { loading } from "../../parts/problem.js";
import { FIGURE_1, edgesFrom, edgesTo, leaves, oneBox, treeSize } from "../maths/graphs.js";
import { lessonBoard } from "../parts/board.js";
import { dial } from "../parts/dial.js";
import { digraph } from "../parts/digraph.js";
import { shareBars } from "../parts/shares.js";
import { MOVES, carried } from "../position.js";
import { filled } from "../words.js";

const BEST = { agent: "agents/connect4", simulations: 30, c_puct: 2 };
const WEAKER = { agent: "agents/connect4-level-7", simulations: 40, c_puct: 1 };
const NO_NETWORK = { agent: "rollout:60", simulations: 40, c_puct: 1.4 };
const WINNING = "7";

const ask = (how, signal) => api.inside({ game: "connect4", moves: MOVES, ...how }, signal);

export async function steps(words, { signal }) {
  const [games, best] = await Promise.all([api.games(), ask(BEST, signal)]);
  const game = gameNamed(games, "connect4");
  const values = {
    value: signed(best.steps[0].value),
    first: best.steps[1].path[0].name,
    simulations: best.steps.length - 1,
  };
  const box = oneBox();
  const size = { nodes: box.nodes.length, edges: box.edges.length, tree: treeSize(box) };
  const room = { game, words };
  return [
    { words: told(words.ahead, values), guess: { kind: "choice", right: "some" }, stage: position },
    {
      words: words.simulation,
      guess: { kind: "choice", right: "prior" },
      values: () => values,
      stage: (stage) => film(game, best, stage),
    },
    { words: words.curiosity, guess: { kind: "choice", right: "prior" }, stage: (stage) => curious(room, stage) },
    {
      words: words.without,
      guess: { kind: "choice", right: "random" },
      values: () => ({ count: NO_NETWORK.simulations }),
      stage: (stage) => compared(room, stage),
    },
    {
      words: told(words.proof, values),
      guess: { kind: "number", min: -1, max: 1, step: 0.05, start: 0, right: 1, close: 0.1, show: (value) => signed(value) },
      values: () => values,
      stage: (stage) => film(game, best, stage, { last: true }),
    },
    {
      words: words.graph,
      guess: { kind: "number", min: 0, max: 8, step: 1, start: 3, right: 1 },
      stage: (stage) => figure(words.graph, stage),
    },
    {
      words: told(words.box, size),
      guess: { kind: "number", min: 16, max: 200, step: 1, start: 30, right: size.tree, close: 4 },
      values: () => size,
      stage: (stage) => boxes(words.box, box, size, stage),
    },
  ]; // prettier-ignore
}

/** A step with values in its text and its question. */
const told = (step, values) => ({
  ...step,
  text: step.text.map((text) => (typeof text === "string" ? filled(text, values) : text)),
  question: filled(step.question, values),
});

function position() {
  const board = lessonBoard("connect4");
  board.show(carried());
  return board.element;
}

/** The film of a search, once the guess is made; `last`: it opens at the end. */
function film(game, answer, stage, { last = false } = {}) {
  const shown = new Film(stage.signal);
  const element = h("div", { class: "stack wide-stage" }, position());
  stage.onReveal(() => {
    element.replaceChildren(shown.element);
    queueMicrotask(() => {
      shown.show(game, answer, true);
      if (last) shown.turn(Infinity);
    });
  });
  return element;
}

/** Where the simulations of a search went. */
function visits(title, { nodes, root }, note = "") {
  const all = nodes[root].edges.reduce((sum, { n }) => sum + n, 0);
  const rows = nodes[root].edges.map(({ name, n }) => ({
    name,
    share: n / Math.max(1, all),
    text: String(n),
    kind: name === WINNING ? "good" : "",
    note: name === WINNING ? note : "",
  }));
  return h("section", {}, h("h3", {}, title), shareBars(title, rows));
}

function priors(title, { nodes, root }) {
  const rows = nodes[root].edges.map(({ name, p }) => ({ name, share: p, text: `${Math.round(100 * p)} %` }));
  return h("section", {}, h("h3", {}, title), shareBars(title, rows));
}

/** A search whose curiosity can be turned. */
function curious({ game, words }, stage) {
  const { curiosity } = words;
  const found = h("div", { class: "stack" });
  const shown = new Film(stage.signal);
  const search = (c) =>
    loading(found, stage.signal, async (signal) => {
      const answer = await ask({ ...WEAKER, c_puct: c }, signal);
      queueMicrotask(() => shown.show(game, answer, true));
      const title = filled(curiosity.visits, WEAKER);
      return [
        h("div", { class: "side-by-side" }, visits(title, answer, curiosity.winning), priors(curiosity.priors, answer)),
        h("details", {}, h("summary", {}, curiosity.film), shown.element),
      ];
    });
  const turned = dial(curiosity.c, { min: 0.1, max: 20, step: 0.1, value: WEAKER.c_puct });
  turned.addEventListener("change", () => search(turned.value));
  stage.onReveal(() => search(turned.value));
  return h("div", { class: "stack wide-stage" }, turned, found);
}

/** The same number of simulations with a network and with random games. */
function compared({ words }, stage) {
  const { without, curiosity } = words;
  const found = h("div", { class: "stack" });
  const plays = ({ nodes, root, played }) => nodes[root].edges.find(({ action }) => action === played).name;
  const search = () =>
    loading(found, stage.signal, async (signal) => {
      const [network, alone] = await Promise.all([ask(WEAKER, signal), ask(NO_NETWORK, signal)]);
      const half = (title, answer) =>
        h("div", {}, visits(title, answer, curiosity.winning), h("p", {}, filled(without.plays, { move: plays(answer) })));
      return [
        h("div", { class: "side-by-side" }, half(without.with, network), half(without.alone, alone)),
        button(without.again, search, "small"),
      ];
    }); // prettier-ignore
  stage.onReveal(search);
  return h("div", { class: "stack" }, position(), found);
}

/** Figure 1 of 000: a node's edges, and where they lead. */
function figure(words, stage) {
  const facts = h("dl", { class: "terms", "aria-live": "polite" });
  const title = h("h3", {});
  const list = (names) => names.join(", ") || words.none;
  const show = (node) => {
    const [out, into] = [edgesFrom(FIGURE_1, node), edgesTo(FIGURE_1, node)];
    const rows = [
      [words.kind, leaves(FIGURE_1).includes(node) ? words.leaf : words.node],
      [filled(words.out, { node }), list(out.map(({ name }) => name))],
      [words.to, list(out.map(({ to }) => to))],
      [words.in, list(into.map(({ name }) => name))],
    ];
    title.textContent = filled(words.facts, { node });
    facts.replaceChildren(...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  };
  show("n1");
  const named = (node) => filled(words.press, { node });
  const graph = digraph(words.figure, FIGURE_1, { onPick: show, named });
  stage.onReveal(() => {
    graph.classList.add("told");
    show("n6");
  });
  return h("div", { class: "stack" }, graph, title, facts);
}

/** Dots and boxes with one box: every set of lines is a node. */
function boxes(words, graph, size, stage) {
  const lines = ["M-7 -7H7", "M-7 -7V7", "M7 -7V7", "M-7 7H7"];
  const dots = [[-7, -7], [7, -7], [-7, 7], [7, 7]]; // prettier-ignore
  const draw = (node) => [
    [...node].map((bit, i) => (bit === "1" ? s("path", { class: "line", d: lines[i] }) : null)),
    dots.map(([cx, cy]) => s("circle", { class: "dot", cx, cy, r: 2 })),
  ];
  const drawn = digraph(words.figure, graph, { draw, names: false, wide: 62, high: 96 });
  const count = h("p", { class: "center small muted" });
  stage.onReveal(() => {
    drawn.classList.add("told");
    count.textContent = filled(words.count, size);
  });
  return h("div", { class: "stack" }, drawn, count);
}
