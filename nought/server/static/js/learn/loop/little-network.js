// A network for tic-tac-toe that learns in the page: 18 numbers in, two layers with rectifiers, and out of the last one a
// policy over the nine cells and a value. Forwards, backwards and a step of gradient descent, written out.

import { normal } from "./random.js";
import { keyOf } from "./tictactoe.js";

const CELLS = 9,
  INPUTS = 2 * CELLS,
  OUTPUTS = CELLS + 1; // a logit for each cell, and what tanh makes the value of

/** out = W x + b, and what its weights learned last. */
class Layer {
  constructor(inputs, outputs, random, gain) {
    const spread = gain * Math.sqrt(2 / inputs); // He et al.: the next layer sees numbers of the same size
    Object.assign(this, {
      inputs,
      outputs,
      weights: new Float64Array(inputs * outputs),
      biases: new Float64Array(outputs),
    });
    for (let i = 0; i < this.weights.length; i++) this.weights[i] = spread * normal(random);
    this.gradients = { weights: new Float64Array(inputs * outputs), biases: new Float64Array(outputs) };
    this.speeds = { weights: new Float64Array(inputs * outputs), biases: new Float64Array(outputs) };
  }

  forward(x) {
    const { inputs, outputs, weights, biases } = this;
    const out = new Float64Array(outputs);
    for (let o = 0, w = 0; o < outputs; o++) {
      let sum = biases[o];
      for (let i = 0; i < inputs; i++, w++) sum += weights[w] * x[i];
      out[o] = sum;
    }
    return out;
  }

  /** Adds to the gradients what this example says, given the slope of the loss by each output; the slope by each input. */
  backward(x, slopes) {
    const { inputs, outputs, weights, gradients } = this;
    const down = new Float64Array(inputs);
    for (let o = 0, w = 0; o < outputs; o++) {
      const slope = slopes[o];
      gradients.biases[o] += slope;
      for (let i = 0; i < inputs; i++, w++) {
        gradients.weights[w] += slope * x[i];
        down[i] += slope * weights[w];
      }
    }
    return down;
  }

  /** Gradient descent with momentum, and the gradients begin anew. */
  step(rate, momentum, examples) {
    for (const kind of ["weights", "biases"]) {
      const [numbers, gradients, speeds] = [this[kind], this.gradients[kind], this.speeds[kind]];
      for (let i = 0; i < numbers.length; i++) {
        speeds[i] = momentum * speeds[i] + gradients[i] / examples;
        numbers[i] -= rate * speeds[i];
      }
      gradients.fill(0);
    }
  }
}

export class LittleNetwork {
  constructor(random, hidden = 64) {
    this.layers = [
      new Layer(INPUTS, hidden, random, 1),
      new Layer(hidden, hidden, random, 1),
      new Layer(hidden, OUTPUTS, random, 0.1), // at first every move is about as good as any other
    ];
  }

  /** How many numbers it learns. */
  get size() {
    return this.layers.reduce((sum, { weights, biases }) => sum + weights.length + biases.length, 0);
  }

  /** What the network says of a board, for the player to move, and on the way what every layer said. */
  evaluate(board) {
    const inputs = planesOf(board);
    const seen = [inputs];
    let x = inputs;
    this.layers.forEach((layer, i) => {
      x = layer.forward(x);
      if (i < this.layers.length - 1) x = x.map((number) => Math.max(number, 0));
      seen.push(x);
    });
    return { policy: softmaxOfLegal(x, board), value: Math.tanh(x[CELLS]), seen };
  }

  /**
   * Adds the gradient of one example: a board, the policy that a search found there, and how the game ended for who was
   * to move. The two losses of the network before it learns.
   */
  study({ board, policy: wanted, result }) {
    const { policy, value, seen } = this.evaluate(board);
    let slopes = new Float64Array(OUTPUTS);
    for (let cell = 0; cell < CELLS; cell++) slopes[cell] = policy[cell] - wanted[cell]; // softmax and cross-entropy
    slopes[CELLS] = 2 * (value - result) * (1 - value ** 2); // squared error and tanh
    for (let i = this.layers.length - 1; i >= 0; i--) {
      const below = this.layers[i].backward(seen[i], slopes);
      slopes = i ? below.map((slope, unit) => (seen[i][unit] > 0 ? slope : 0)) : below; // the rectifier's slope is 1 or 0
    }
    return { policyLoss: crossEntropy(wanted, policy), valueLoss: (value - result) ** 2 };
  }

  step(rate, momentum, examples) {
    for (const layer of this.layers) layer.step(rate, momentum, examples);
  }
}

/** The same network, which is asked once about each position: good until it learns again. */
export function remembering(network) {
  const answers = new Map();
  const evaluate = (board) => {
    const key = keyOf(board);
    if (!answers.has(key)) answers.set(key, network.evaluate(board));
    return answers.get(key);
  };
  return { evaluate };
}

/** Two planes of nine: where my stones are, and where the other's. */
function planesOf(board) {
  const planes = new Float64Array(INPUTS);
  board.forEach((stone, cell) => {
    if (stone) planes[stone > 0 ? cell : CELLS + cell] = 1;
  });
  return planes;
}

/** Softmax over the empty cells; a move that the rules forbid has 0. */
function softmaxOfLegal(logits, board) {
  const policy = new Float64Array(CELLS);
  let [highest, total] = [-Infinity, 0];
  for (let cell = 0; cell < CELLS; cell++) if (!board[cell]) highest = Math.max(highest, logits[cell]);
  for (let cell = 0; cell < CELLS; cell++) if (!board[cell]) total += policy[cell] = Math.exp(logits[cell] - highest);
  return policy.map((weight) => weight / total);
}

/** − Σ wanted · ln said: at its least, the entropy of what is wanted, when both are the same. */
export function crossEntropy(wanted, said) {
  let sum = 0;
  for (let cell = 0; cell < CELLS; cell++)
    if (wanted[cell]) sum -= wanted[cell] * Math.log(Math.max(said[cell], 1e-12));
  return sum;
}
