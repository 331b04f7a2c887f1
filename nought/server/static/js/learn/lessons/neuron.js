// Lesson 3: a neuron, a layer, activation functions, softmax, convolutions, batch normalisation and residual sums.

import { h } from "../../dom.js";
import { signed } from "../../model/words.js";
import { lineChart } from "../../parts/charts.js";
import { button, segments, toggle } from "../../parts/form.js";
import { ACTIVATIONS, batchNorm, dense, neuron, softmax, softmaxSlopes, threshold } from "../maths/layers.js";
import { bars } from "../parts/bars.js";
import { convolutionTable, onBoard, strongest } from "../parts/convolution.js";
import { dial } from "../parts/dial.js";
import { namedGrid } from "../parts/grid.js";
import { netPicture } from "../parts/net.js";
import { filled } from "../words.js";

const short = (number) => String(Number(number.toFixed(2))).replace("-", "−");
const range = (low, high, parts = 80) => Array.from({ length: parts + 1 }, (_, i) => low + ((high - low) * i) / parts);

export function steps(words) {
  const number = (right, more) => ({
    kind: "number",
    min: 0,
    max: 10,
    step: 0.5,
    start: 0,
    right,
    close: 0.5,
    ...more,
  });
  return [
    { words: words.one, guess: number(1.5, { max: 5 }), stage: (stage) => oneNeuron(words, stage) },
    { words: words.layer, guess: number(4.5), stage: (stage) => smallNet(words, stage) },
    { words: words.linear, guess: { kind: "choice", right: "line" }, stage: (stage) => twoLayers(words, stage) },
    { words: words.activation, guess: { kind: "choice", right: "one" }, stage: (stage) => activations(words, stage) },
    { words: words.softmax, guess: { kind: "choice", right: "same" }, stage: (stage) => scores(words, stage) },
    { words: words.convolution, guess: number(6, { step: 1 }), stage: (stage) => convolutionTable(words, stage) },
    {
      words: words.board,
      guess: number(strongest(), { max: 9, step: 1, close: 1 }),
      values: () => ({ most: strongest() }),
      stage: (stage) => onBoard(words, stage),
    },
    { words: words.norm, guess: { kind: "choice", right: "same" }, stage: () => normalised(words) },
    { words: words.residual, guess: { kind: "choice", right: "tiny" }, stage: (stage) => residual(words, stage) },
  ];
}

/** Dials for named numbers: `{ element, values() }`. */
function dials(named, limits, show) {
  const all = Object.entries(named).map(([label, value]) =>
    dial(label, { ...limits, value, show: short, oninput: show }),
  );
  return { element: h("div", { class: "dials" }, all), values: () => all.map((one) => one.value) };
}

/** 002's figure 4.1.1, every number of which can be dragged. */
function oneNeuron(words, stage) {
  const room = h("div");
  const sum = h("p", { class: "working", "aria-live": "polite" });
  const show = () => {
    const [x1, x2, w1, w2, b] = knobs.values();
    const y = neuron([x1, x2], [w1, w2], b);
    const known = (value) => (stage.revealed ? short(value) : "?");
    const working = `${short(w1)} · ${short(x1)} + ${short(w2)} · ${short(x2)} + ${short(b)} = ${known(y)}`;
    sum.textContent = `y = ${working}`;
    const inputs = [{ name: "x₁", value: short(x1) }, { name: "x₂", value: short(x2) }]; // prettier-ignore
    const picture = netPicture([inputs, [{ name: "y", value: known(y), below: `b = ${short(b)}` }]], [[[`× ${short(w1)}`, `× ${short(w2)}`]]], filled(words.picture, { working })); // prettier-ignore
    room.replaceChildren(picture);
  };
  const element = h("div", { class: "stack" }, room, sum);
  const name = (text, which) => filled(text, { name: which });
  const knobs = dials(
    {
      [name(words.input, "x₁")]: 0.5,
      [name(words.input, "x₂")]: 1,
      [name(words.weight, "w₁")]: 2,
      [name(words.weight, "w₂")]: 0.5,
      [words.bias]: 0,
    },
    { min: -3, max: 3, step: 0.25 },
    show,
  );
  show();
  stage.onReveal(() => {
    show();
    element.append(knobs.element);
  });
  return element;
}

/** 002's figure 4.2.2: two inputs, three neurons, one output. Its numbers are seen with the answer. */
function smallNet(words, stage) {
  const room = h("div");
  const show = () => {
    const passed = knobs.values().map(threshold);
    const hidden = dense(passed, Array(3).fill([1, 0.75]), [0, 0, 0]).map(threshold);
    const [out] = dense(hidden, [[2, 2, 2]], [0]).map(threshold);
    const known = (value) => (stage.revealed ? short(value) : "?");
    const inputs = knobs.values().map((x, i) => ({ name: `x${"₁₂"[i]} = ${short(x)}`, value: stage.revealed ? short(passed[i]) : short(x) })); // prettier-ignore
    const layers = [inputs, hidden.map((value) => ({ value: known(value) })), [{ name: words.out, value: known(out) }]];
    const weights = [Array(3).fill(["× 1", "× 0.75"]), [["× 2", "× 2", "× 2"]]];
    room.replaceChildren(netPicture(layers, weights, filled(words.net, { value: known(out) })));
  };
  const name = (which) => filled(words.input, { name: which });
  const knobs = dials({ [name("x₁")]: 0.5, [name("x₂")]: 1 }, { min: 0, max: 2, step: 0.25 }, show);
  show();
  stage.onReveal(show);
  return h("div", { class: "stack" }, room, knobs.element);
}

/** Two layers of one neuron: a line, until an activation stands between them. */
function twoLayers(words, stage) {
  const room = h("div");
  const sum = h("p", { class: "working", "aria-live": "polite" });
  const f = (x) => (bend.input.checked ? ACTIVATIONS.relu.of(x) : x);
  const show = () => {
    const [a, b, c, d] = knobs.values();
    const points = range(-3, 3, 48).map((x) => [x, a * f(c * x + d) + b]);
    const format = (value) => short(value);
    room.replaceChildren(lineChart([{ name: words.line.out, points }], { label: words.line.label, low: -10, high: 10, format, xName: "x" })); // prettier-ignore
    sum.textContent = bend.input.checked
      ? words.bent
      : filled(words.straight, { slope: short(a * c), offset: `${a * d + b < 0 ? "−" : "+"} ${short(Math.abs(a * d + b))}` }); // prettier-ignore
  };
  const bend = toggle(words.line.on, false, show);
  const knobs = dials(Object.fromEntries(words.line.dials.map((name, i) => [name, [2, 1, 1, -1][i]])), { min: -3, max: 3, step: 0.5 }, show); // prettier-ignore
  show();
  bend.hidden = true;
  stage.onReveal(() => (bend.hidden = false));
  return h("div", { class: "stack" }, room, sum, knobs.element, bend);
}

/** Activation functions and their derivatives (000, figures 2 and 4), with a point that can be moved. */
function activations(words, stage) {
  let which = "tanh";
  const room = h("div");
  const reading = h("p", { class: "working", "aria-live": "polite" });
  const show = () => {
    const [f, c] = [ACTIVATIONS[which], slope.value];
    slope.hidden = which !== "leaky";
    const curve = (of) => range(-4, 4).map((x) => [Number(x.toFixed(2)), of(x, c)]);
    const chart = lineChart(
      [
        { name: words.value, points: curve(f.of) },
        { name: words.derivative, points: curve(f.slope) },
      ],
      { label: words.curve, format: (value) => value.toFixed(2), low: -1.5, high: 2, xName: "x" },
    );
    chart.at(x.value);
    room.replaceChildren(chart);
    reading.textContent = filled(words.reading, { x: short(x.value), value: short(f.of(x.value, c)), slope: short(f.slope(x.value, c)) }); // prettier-ignore
  };
  const x = dial(words.at, { min: -4, max: 4, step: 0.1, value: 1, show: short, oninput: show });
  const slope = dial(words.slope, { min: 0, max: 1, step: 0.01, value: 0.3, oninput: show });
  const choose = segments(words.which, Object.entries(words.functions), which, (chosen) => {
    which = chosen;
    show();
  });
  const element = h("div", { class: "stack" });
  stage.onReveal(() => {
    show();
    element.replaceChildren(choose, room, reading, x, slope);
  });
  return element;
}

/** Scores and their softmax (000, figure 3), with the table of its derivatives. */
function scores(words, stage) {
  const room = h("div", { class: "stack" });
  const moves = [1, 2, 3];
  const show = () => {
    const values = all.map((one) => one.value);
    const shares = softmax(values);
    const sum = shares.reduce((a, b) => a + b, 0);
    const name = (move) => filled(words.move, { move });
    const curve = range(-5, 5, 60).map((score) => [Number(score.toFixed(2)), softmax([score, ...values.slice(1)])[0]]);
    const chart = lineChart([{ name: name(1), points: curve }], { label: words.curveOf, low: 0, high: 1, format: (value) => value.toFixed(2), xName: words.score, height: 150 }); // prettier-ignore
    chart.at(Math.max(-5, Math.min(5, values[0])));
    room.replaceChildren(
      h("h3", {}, `${words.shares}, ${filled(words.sumsTo, { sum: short(sum) })}`),
      bars(moves.map((move, i) => ({ name: name(move), value: shares[i] })), { label: words.shares }),
      ...(stage.revealed ? [namedGrid(words.slopes, softmaxSlopes(values).flat().map((one) => signed(one)), 3), h("p", { class: "small muted" }, words.curveOf), chart] : []),
    ); // prettier-ignore
  };
  const all = moves.map((move) =>
    dial(filled(words.scores, { move }), { min: -5, max: 15, step: 0.5, value: 3 - move, show: short, oninput: show }),
  );
  const raise = button(words.plusTen, () => { all.forEach((one) => { one.value += 1; }); show(); }, "small"); // prettier-ignore
  show();
  stage.onReveal(show);
  return h("div", { class: "stack" }, h("div", { class: "dials" }, all), h("div", {}, raise), room);
}

/** A batch of six numbers before and after. */
function normalised(words) {
  const room = h("div", { class: "stack" });
  const start = [3, 5, 4, 9, 1, 2];
  const show = () => {
    const values = all.map((one) => one.value);
    const after = batchNorm(values);
    const again = batchNorm(after.values);
    const facts = ({ mean, variance }) =>
      filled(words.normNames.facts, { mean: short(mean), variance: short(variance) });
    const list = (numbers) => numbers.map((value, i) => ({ name: i + 1, value }));
    room.replaceChildren(
      h("h3", {}, `${words.normNames.before}: ${facts(after)}`),
      bars(list(values), { most: 20, label: words.normNames.before }),
      h("h3", {}, `${words.normNames.after}: ${facts(again)}`),
      bars(list(after.values), { most: 3, label: words.normNames.after }),
    );
  };
  const all = start.map((value, i) => dial(filled(words.normNames.name, { i: i + 1 }), { min: -20, max: 20, step: 0.5, value, show: short, oninput: show })); // prettier-ignore
  show();
  return h("div", { class: "stack" }, h("div", { class: "dials" }, all), room);
}

/** A signal through many layers, with and without the way around. */
function residual(words, stage) {
  const room = h("div");
  const show = () => {
    const line = (factor) => Array.from({ length: 11 }, (_, layer) => [layer, factor ** layer]);
    const series = [
      { name: words.plain, points: line(keeps.value) },
      { name: words.aroundThem, points: line(1 + keeps.value) },
    ];
    room.replaceChildren(
      lineChart(series, { label: words.signal, low: 0, high: 3, format: short, xName: words.layers }),
    );
  };
  const keeps = dial(words.keeps, { min: 0.02, max: 0.1, step: 0.01, value: 0.1, oninput: show });
  stage.onReveal(() => { show(); element.append(keeps); }); // prettier-ignore
  const element = h("div", { class: "stack" }, h("p", { class: "small muted" }, words.signal), room);
  return element;
}
