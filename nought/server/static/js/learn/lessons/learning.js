// Lesson 4: loss, gradient descent, back-propagation by hand, and the same for a network that learns to play.

import { h } from "../../dom.js";
import { lineChart } from "../../parts/charts.js";
import { button } from "../../parts/form.js";
import { table } from "../../parts/table.js";
import { accuracyOf, tictactoeExamples } from "../maths/examples.js";
import { meanSquare, Network, seeded } from "../maths/network.js";
import { backPropagation, slopesBothWays } from "../parts/back.js";
import { dial } from "../parts/dial.js";
import { newPlayer, player } from "../parts/player.js";
import { trainedStep } from "../parts/trained-step.js";
import { filled } from "../words.js";

const XOR = { inputs: [0, 0, 0, 1, 1, 0, 1, 1], wanted: [-1, 1, 1, -1] };
const FIRST = 3, // the seed of the first weights
  SPEED = 0.2; // learning rate
const short = (number, digits = 3) => String(Number(number.toFixed(digits))).replace("-", "−");

export function steps(words) {
  const examples = tictactoeExamples();
  const start = Math.round(100 * accuracyOf(newPlayer(), examples));
  return [
    {
      words: words.measure,
      guess: { kind: "number", min: 0, max: 1, step: 0.025, start: 0.5, right: 0.125, close: 0.06, show: (value) => short(value) },
      stage: (stage) => measured(words, stage),
    },
    { words: words.descent, guess: { kind: "choice", right: "over" }, stage: () => downhill(words) },
    { words: words.byHand, guess: { kind: "choice", right: "grow" }, stage: (stage) => backPropagation(words, stage) },
    { words: words.check, guess: { kind: "choice", right: "two" }, stage: (stage) => slopesBothWays(words, stage) },
    { words: words.xorStep, guess: { kind: "choice", right: "hundreds" }, values: () => ({ steps: stepsNeeded() }), stage: (stage) => xor(words.xor, stage) }, // prettier-ignore
    {
      words: words.realStep,
      guess: { kind: "number", min: 0, max: 100, step: 1, start: 10, right: start, close: 5 },
      values: () => ({ start }),
      stage: (stage) => player(words.real, examples, stage),
    },
    { words: words.trainedStep, guess: { kind: "choice", right: "value" }, values: () => ({ size: "100,035" }), stage: (stage) => trainedStep(words.trained, stage) },
    { words: words.proofs },
  ]; // prettier-ignore
}

/** Two predictions, two truths, and the loss as the sum that it is. */
function measured(words, stage) {
  const truths = [1, -1];
  const sum = h("p", { class: "working", "aria-live": "polite" });
  const show = () => {
    const values = dials.map((one) => one.value);
    const terms = values.map((value, i) => `(${short(value)} − ${short(truths[i]).replace("−1", "(−1)")})²`);
    const value = stage.revealed ? short(meanSquare(values, truths).loss) : "?";
    sum.textContent = filled(words.lossIs, { terms: `(${terms.join(" + ")}) / 2`, value });
  };
  const dials = [0.5, -1].map((value, i) =>
    dial(filled(words.predicted, { i: i + 1 }), { min: -2, max: 2, step: 0.1, value, show: short, oninput: show }),
  );
  show();
  stage.onReveal(show);
  const known = truths.map((value, i) => h("p", { class: "small muted" }, `${filled(words.truth, { i: i + 1 })}: ${short(value)}`)); // prettier-ignore
  return h("div", { class: "stack" }, h("div", { class: "dials" }, dials.map((one, i) => h("div", {}, one, known[i]))), sum); // prettier-ignore
}

/** Gradient descent for one weight: ℓ(w) = (w − 2)². */
function downhill(words) {
  const loss = (w) => (w - 2) ** 2;
  const slope = (w) => 2 * (w - 2);
  let been = [-1];
  const room = h("div");
  const says = h("p", { class: "working", "aria-live": "polite" });
  const show = () => {
    const curve = Array.from({ length: 61 }, (_, i) => Number((-4 + i / 5).toFixed(1)));
    const seen = been.filter((w) => w >= -4 && w <= 8);
    room.replaceChildren(
      lineChart(
        [
          { name: words.loss, points: curve.map((w) => [w, loss(w)]) },
          { name: words.been, points: seen.map((w) => [w, loss(w)]) },
        ],
        { label: words.curve, low: 0, high: 36, format: (value) => short(value, 2), xName: words.weight },
      ),
    );
    const w = been.at(-1);
    says.textContent = filled(words.stepIs, { w: short(w), slope: short(slope(w)), rate: short(rate.value), next: short(w - rate.value * slope(w)) }); // prettier-ignore
  };
  const rate = dial(words.rate, { min: 0.05, max: 1.2, step: 0.05, value: 0.1, show: (value) => short(value, 2), oninput: show }); // prettier-ignore
  const step = () => {
    const w = been.at(-1);
    if (Math.abs(w) < 1e6) been.push(w - rate.value * slope(w));
    show();
  };
  const again = () => {
    been = [-1];
    show();
  };
  show();
  const buttons = h("div", { class: "row" }, button(words.step, step, "primary"), button(words.again, again));
  return h("div", { class: "stack" }, h("p", { class: "small muted" }, words.curve), room, says, rate, buttons);
}

/** One step; gives the loss before it. */
function learnXor(network) {
  const { loss, slopes } = meanSquare(network.forward(XOR.inputs, 4), XOR.wanted);
  network.backward(slopes);
  network.step(SPEED);
  return loss;
}

/** How many steps the first network takes until its loss is below 0.1. */
function stepsNeeded() {
  const network = new Network([2, 2, 1], ["tanh", "tanh"], seeded(FIRST));
  let count = 0;
  while (learnXor(network) >= 0.1 && count < 10_000) count++;
  return count;
}

/** A network of two neurons learns “exactly one of two”. */
function xor(words, stage) {
  let seed = FIRST;
  let [network, losses] = [null, []];
  const room = h("div", { class: "stack", "aria-live": "polite" });
  const begin = () => {
    network = new Network([2, 2, 1], ["tanh", "tanh"], seeded(seed));
    losses = [[0, meanSquare(network.forward(XOR.inputs, 4), XOR.wanted).loss]];
    show();
  };
  const learn = () => {
    for (let i = 0; i < 100; i++) learnXor(network);
    losses.push([losses.length * 100, meanSquare(network.forward(XOR.inputs, 4), XOR.wanted).loss]);
    show();
  };
  const show = () => {
    const said = network.forward(XOR.inputs, 4);
    const rows = XOR.wanted.map((want, i) => ({ i, want, said: said[i] }));
    room.replaceChildren(
      table(
        [
          { name: words.inputs, of: ({ i }) => `${XOR.inputs[2 * i]} , ${XOR.inputs[2 * i + 1]}` },
          { name: words.want, right: true, of: ({ want }) => short(want) },
          { name: words.got, right: true, of: (row) => row.said.toFixed(2).replace("-", "−") },
        ],
        rows,
      ),
      h("p", { class: "working" }, filled(words.steps, { steps: losses.at(-1)[0], loss: losses.at(-1)[1].toFixed(3) })),
      lineChart([{ name: words.chart, points: losses }], { label: words.chart, low: 0, high: 1.5, format: (value) => short(value, 2), xName: words.axis, height: 150 }), // prettier-ignore
    );
  };
  begin();
  const element = h("div", { class: "stack" });
  const other = () => {
    seed += 1;
    begin();
  };
  stage.onReveal(() =>
    element.replaceChildren(
      room,
      h("div", { class: "row" }, button(words.hundred, learn, "primary"), button(words.other, other)),
    ),
  );
  return element;
}
