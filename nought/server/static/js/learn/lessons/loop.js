// Lesson 8: self-play, samples, gradient descent, a version, and again; tic-tac-toe is learned in the page.

import { h } from "../../dom.js";
import { button } from "../../parts/form.js";
import { KNOBS } from "../loop/learning.js";
import { LittleNetwork, crossEntropy } from "../loop/little-network.js";
import { search } from "../loop/little-search.js";
import { randomFrom } from "../loop/random.js";
import { boardAfter, legalMoves } from "../loop/tictactoe.js";
import { TICTACTOE } from "../maths/rows.js";
import { shareBars } from "../parts/shares.js";
import { lessonBoard, moveName } from "../parts/board.js";
import { cycle } from "../parts/cycle.js";
import { dial } from "../parts/dial.js";
import { Pupil } from "../parts/pupil.js";
import { filled } from "../words.js";

const CORNER = [0]; // X has taken a1: the position that is watched
const TEACHER = [0.6, 0.3, 0.1];

export function steps(words) {
  const pupil = new Pupil(words, CORNER);
  const size = new LittleNetwork(randomFrom(1)).size.toLocaleString("en");
  return [
    { words: words.circle, guess: { kind: "choice", right: "ends" }, stage: () => turning(words) },
    {
      words: { ...words.teacher, text: words.teacher.text.map((text) => filled(text, KNOBS)) },
      guess: { kind: "choice", right: "visits" },
      stage: (stage) => teacher(words, stage),
    },
    {
      words: words.floor,
      guess: { kind: "choice", right: "no" },
      values: () => ({ entropy: crossEntropy(TEACHER, TEACHER).toFixed(2) }),
      stage: () => floor(words.floor),
    },
    {
      words: { ...words.now, text: words.now.text.map((text) => filled(text, { ...KNOBS, size })) },
      guess: { kind: "number", min: 1, max: KNOBS.rounds, step: 1, start: 10 },
      stage: (stage) => pupil.stage(stage),
    },
    { words: words.play, values: () => ({ size }), stage: (stage) => playing(words.play, pupil, stage) },
  ];
}

const turning = (words) => cycle(words.diagram, words.stations);

/** A position before an untrained network, and after a search with it. */
function teacher(words, stage) {
  const network = new LittleNetwork(randomFrom(1));
  const board = boardAfter(CORNER);
  const picture = lessonBoard("tictactoe");
  picture.show(TICTACTOE.after(CORNER));
  const rows = (policy) =>
    legalMoves(board).map((cell) => ({
      name: moveName("tictactoe", cell),
      share: policy[cell],
      text: `${Math.round(100 * policy[cell])} %`,
    }));
  const shown = (title, policy) => h("section", {}, h("h3", {}, title), shareBars(title, rows(policy)));
  const found = h("div", { class: "side-by-side" }, shown(words.prior, network.evaluate(board).policy));
  const { simulations } = KNOBS;
  stage.onReveal(() =>
    found.append(shown(filled(words.visits, { simulations }), search(board, network, { simulations }).policy)),
  );
  return h("div", { class: "stack" }, h("div", { class: "small-board tiny" }, picture.element), found);
}

/** Cross-entropy and entropy of three shares that can be dragged. */
function floor(words) {
  const names = ["A", "B", "C"];
  const facts = h("dl", { class: "facts", "aria-live": "polite" });
  const fact = (name, value, kind) => h("div", { class: kind }, h("dt", {}, name), h("dd", {}, value.toFixed(3)));
  const dials = names.map((name, i) =>
    dial(filled(words.said, { name }), {
      min: 1,
      max: 98,
      value: [33, 33, 34][i],
      show: (share) => `${share} %`,
      oninput: () => shared(i),
    }),
  );
  /** The others share what one of them leaves. */
  const shared = (moved) => {
    const left = 100 - dials[moved].value;
    const [a, b] = [0, 1, 2].filter((i) => i !== moved);
    const part = Math.round((left * dials[a].value) / (dials[a].value + dials[b].value));
    dials[a].value = Math.max(1, Math.min(left - 1, part));
    dials[b].value = left - dials[a].value;
    show();
  };
  const show = () => {
    const total = dials.reduce((sum, one) => sum + one.value, 0);
    const loss = crossEntropy(
      TEACHER,
      dials.map((one) => one.value / total),
    );
    const least = crossEntropy(TEACHER, TEACHER);
    facts.replaceChildren(
      fact(words.loss, loss, "loss"),
      fact(words.entropy, least, "least"),
      fact(words.above, loss - least, "above"),
    );
  };
  show();
  const rows = names.map((name, i) => [
    h("p", { class: "small muted" }, filled(words.move, { name, share: `${Math.round(100 * TEACHER[i])} %` })),
    dials[i],
  ]);
  return h("div", { class: "stack" }, rows, facts);
}

/** A game of the visitor, X, against what has learned here. */
function playing(words, pupil, stage) {
  if (!pupil.ready) return h("p", { class: "note-line" }, words.first);
  const said = h("p", { class: "center", "aria-live": "polite" });
  let position = TICTACTOE.start();
  const show = (next) => {
    position = next;
    const mine = !position.finished && position.player === 0;
    board.show(position, { playable: mine });
    said.textContent = mine ? words.toMove : position.finished ? ending(words, position) : "";
    if (!mine && !position.finished) answer();
  };
  const answer = async () => {
    const asked = position;
    const move = await pupil.move(asked.moves);
    if (!stage.signal.aborted && position === asked) show(TICTACTOE.play(asked, move));
  };
  const board = lessonBoard("tictactoe", { onMove: (action) => show(TICTACTOE.play(position, action)) });
  show(position);
  return h(
    "div",
    { class: "stack small-board" },
    board.element,
    said,
    button(words.again, () => show(TICTACTOE.start()), "small"),
  );
}

const ending = (words, position) =>
  ({ "1": words.won, "0": words.drawn, "-1": words.lost })[String(TICTACTOE.result(position))]; // prettier-ignore
