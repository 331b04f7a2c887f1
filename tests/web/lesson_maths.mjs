// What the mathematics of the lessons says, as JSON, for test_lesson_maths.py to compare: node lesson_maths.mjs

import * as demos from "../../nought/server/static/js/learn/maths/demos.js";
import * as elo from "../../nought/server/static/js/learn/maths/elo.js";
import * as examples from "../../nought/server/static/js/learn/maths/examples.js";
import * as layers from "../../nought/server/static/js/learn/maths/layers.js";
import * as networks from "../../nought/server/static/js/learn/maths/network.js";
import { CONNECT4, TICTACTOE } from "../../nought/server/static/js/learn/maths/rows.js";
import * as value from "../../nought/server/static/js/learn/maths/value.js";

const SOBEL = { image: [3, 0, 1, 5, 2, 6, 2, 4, 2, 4, 1, 0, 3, 0, 1, 5], filter: [-1, 0, 1, -2, 0, 2, -1, 0, 1] };
const CROSS = { corner: [1, 3, 0, 0, 1, 0, 2, 1, 2], filter: [1, 0, 1, 0, 1, 0, 1, 0, 1] };
const xs = [-3, -0.5, 0, 0.25, 2];
const random = value.evaluation(TICTACTOE, value.uniform(TICTACTOE));
const carried = CONNECT4.after([..."4371564453763664"].map((digit) => Number(digit) - 1));

/** A network before and after some steps, with its slopes: all that a comparison needs. */
function training() {
  const draw = networks.seeded(4);
  const network = new networks.Network([2, 5, 3, 1], ["leaky", "tanh", "sigmoid"], draw);
  const first = network.layers.map(({ w, b }) => [[...w], [...b]]);
  const x = Array.from({ length: 14 }, draw);
  const truth = Array.from({ length: 7 }, draw);
  const losses = [];
  let slopes = null;
  for (let step = 0; step < 5; step++) {
    const loss = networks.meanSquare(network.forward(x, 7), truth);
    losses.push(loss.loss);
    network.backward(loss.slopes);
    slopes ??= network.layers.map(({ dw, db }) => [[...dw], [...db]]);
    network.step(0.1, 0.9);
  }
  return { first, x, truth, losses, slopes, last: network.layers.map(({ w, b }) => [[...w], [...b]]) };
}

/** The loss of players for two positions, with its slopes. */
function playing() {
  const outputs = [0.5, -1, 2, 0.3, 1.5, 0.25, -0.75, -0.6];
  const targets = [0.25, 0, 0.75, 1, 0, 1, 0, -1];
  const { loss, slopes } = networks.playersLoss(outputs, targets, [1, 1, 1, 1, 1, 0], 3);
  return { outputs, targets, loss, slopes: [...slopes] };
}

function circle() {
  const learner = new demos.CircleLearner(networks.seeded(1));
  const first = learner.network.layers.map(({ w, b }) => [[...w], [...b]]);
  learner.learn();
  return { first, points: [...learner.points], loss: learner.loss, size: learner.network.size };
}

function quantiser() {
  const found = new demos.Quantiser(networks.seeded(2));
  const before = found.error();
  for (let i = 0; i < 2000; i++) found.update(0.05);
  return { points: found.points.length, centroids: found.centroids.length, before, after: found.error() };
}

const known = examples.tictactoeExamples();
const seen = { positions: 0 };
const answers = {
  neuron: layers.neuron([0.5, 1], [2, 0.5]),
  network: (() => {
    const hidden = layers.dense([0.5, 1].map(layers.threshold), Array(3).fill([1, 0.75]), [0, 0, 0]);
    return layers.threshold(layers.dense(hidden.map(layers.threshold), [[2, 2, 2]], [0])[0]);
  })(),
  cross: layers.convolve(CROSS.corner, 3, CROSS.filter).values,
  sobel: layers.convolve(SOBEL.image, 4, SOBEL.filter, 7),
  padded: layers.convolve(SOBEL.image, 4, SOBEL.filter, 0.5, 1),
  xs,
  activations: Object.fromEntries(
    Object.entries(layers.ACTIVATIONS).map(([name, f]) => [name, xs.map((x) => [f.of(x, 0.3), f.slope(x, 0.3)])]),
  ),
  softmax: layers.softmax(xs),
  softmaxSlopes: layers.softmaxSlopes(xs),
  batchNorm: layers.batchNorm([3, 5, 4, 9, 1, 2]).values,
  training: training(),
  playing: playing(),
  circle: circle(),
  quantiser: quantiser(),
  tictactoe: value.countByDepth(TICTACTOE, 9),
  connect4: value.countByDepth(CONNECT4, 5),
  rounds: value.policyIteration(TICTACTOE),
  firstMoves: [4, 0, 1].map((action) => 0 - random.value(TICTACTOE.after([action]))),
  ahead: CONNECT4.legal(carried).map(
    (action) => 0 - value.lookAhead(CONNECT4, CONNECT4.play(carried, action), 5, seen),
  ),
  planes: value.planesOf({ cells: [null, 0, 1, 1, 0, null, 1, null, 0] }),
  examples: { count: known.count, floor: examples.entropyFloor(known) },
  expected: [-800, -1, 0, 105, 400].map((d) => [elo.expected(d), elo.expected(d, "standard")]),
  difference: [0.05, 0.5, 0.75, 0.99].map((s) => [elo.difference(s), elo.difference(s, "standard")]),
  gain: elo.gateGain(1.3),
  updated: elo.updated(1000, 1400, 1, 32),
  wilson: [elo.wilson(0, 10), elo.wilson(12, 20), elo.wilson(1004, 1020)],
  atMost: elo.atMost(10, 20, 0.6),
  match: [0, 4].map((opening) => {
    const players = [[3, 2, 4, 1, 5, 0, 6], [3, 4, 2, 5, 1, 6, 0]].map((order) => elo.fixedPlayer(CONNECT4, order)); // prettier-ignore
    return elo.match(CONNECT4, players, 40, opening, networks.seeded(11)).different;
  }),
};
console.log(JSON.stringify(answers));
