// A trained network, layer by layer, from the very numbers that agents in the browser think with: nought/network/steps.py
// writes them, nought/network/kernels/forward.py says what each means. Slower than the compiled code, but it hands over
// everything on the way, and any filter can be switched off.

const STEPS = 0, STEP_COUNT = 1, BOARD = 2, BOARD_CELLS = 3, POLICY = 4, ANSWER = 5, OUTCOMES = 6; // prettier-ignore
const FIELDS = [
  "kind", "from", "to", "weights", "bias", "inputs", "channels", "added", "slope", "taps", "tapCount", "fromCells",
  "toCells", "cells",
]; // prettier-ignore
const STEP_SIZE = 16,
  WIDE = 8; // channels whose weights lie together
const CONVOLUTION = 0,
  POOLING = 1;

export class Layers {
  /** `room` is the network as an array of floats (`networkOf` in thinking/machine.js). */
  constructor(room, actions) {
    this.floats = Float32Array.from(room);
    this.ints = new Int32Array(this.floats.buffer);
    this.actions = actions;
    this.steps = Array.from({ length: this.ints[STEP_COUNT] }, (_, i) =>
      this.readStep(this.ints[STEPS] + i * STEP_SIZE),
    );
  }

  readStep(at) {
    const step = Object.fromEntries(FIELDS.map((name, i) => [name, this.ints[at + i]]));
    return { ...step, slope: this.floats[at + FIELDS.indexOf("slope")] };
  }

  /**
   * What the network makes of planes [plane][cell]: every step's output as [channel][cell], the logits of all moves and
   * the value. `off` is { step, channel }: that filter says 0 everywhere.
   */
  see(planes, off = null) {
    this.takeBoard(planes);
    const seen = this.steps.map((step, i) => {
      const inputs = step.kind === CONVOLUTION ? this.boardOf(step) : null;
      const added = step.added ? this.output({ ...step, to: step.added }) : null;
      this.take(step);
      if (off?.step === i) this.silence(step, off.channel);
      return { outputs: this.output(step), inputs, added };
    });
    const logits = [...this.floats.subarray(this.ints[POLICY], this.ints[POLICY] + this.actions)];
    return { seen, logits, value: this.value() };
  }

  takeBoard(planes) {
    const { ints, floats } = this;
    planes.forEach((plane, p) =>
      plane.forEach((number, cell) => {
        floats[ints[BOARD] + ints[ints[BOARD_CELLS] + cell] * planes.length + p] = number;
      }),
    );
  }

  take(step) {
    if (step.kind === CONVOLUTION) this.convolve(step);
    else if (step.kind === POOLING) this.pool(step);
    else this.multiply(step);
  }

  /** Where the weight of an input stands, for a channel. */
  weightAt = (step, input, channel) =>
    step.weights + (channel - (channel % WIDE)) * Math.max(1, step.tapCount) * step.inputs + input * WIDE + (channel % WIDE); // prettier-ignore

  convolve(step) {
    const { ints, floats } = this;
    for (let channel = 0; channel < step.channels; channel++)
      for (let cell = 0; cell < step.cells; cell++) {
        let sum = floats[step.bias + channel];
        const corner = step.from + ints[step.fromCells + cell] * step.inputs;
        for (let tap = 0; tap < step.tapCount; tap++) {
          const beside = corner + ints[step.taps + tap] * step.inputs;
          const weight = this.weightAt(step, tap * step.inputs, channel);
          for (let i = 0; i < step.inputs; i++) sum += floats[beside + i] * floats[weight + i * WIDE];
        }
        const place = ints[step.toCells + cell] * step.channels + channel;
        if (step.added) sum += floats[step.added + place];
        floats[step.to + place] = rectified(sum, step.slope);
      }
  }

  /** The mean of each channel over the board, and then the maximum of each. */
  pool({ from, to, channels, cells, fromCells }) {
    for (let channel = 0; channel < channels; channel++) {
      const numbers = Array.from({ length: cells }, (_, cell) => this.floats[from + this.ints[fromCells + cell] * channels + channel]); // prettier-ignore
      this.floats[to + channel] = numbers.reduce((sum, number) => sum + number, 0) / cells;
      this.floats[to + channels + channel] = Math.max(...numbers);
    }
  }

  multiply(step) {
    const { floats } = this;
    const sums = Array.from({ length: step.channels }, (_, channel) => {
      let sum = floats[step.bias + channel];
      for (let i = 0; i < step.inputs; i++) sum += floats[step.from + i] * floats[this.weightAt(step, i, channel)];
      return rectified(sum, step.slope);
    });
    floats.set(sums, step.to);
  }

  silence(step, channel) {
    for (let cell = 0; cell < step.cells; cell++)
      this.floats[step.to + this.ints[step.toCells + cell] * step.channels + channel] = 0;
  }

  /** What a step put out: [channel][cell], of a layer without a board [unit]. */
  output({ kind, to, channels, cells, toCells }) {
    if (kind !== CONVOLUTION) return [...this.floats.subarray(to, to + channels)];
    return Array.from({ length: channels }, (_, channel) =>
      Array.from({ length: cells }, (__, cell) => this.floats[to + this.ints[toCells + cell] * channels + channel]),
    );
  }

  /** The board that a convolution looks at, with its border, as it is now. */
  boardOf(step) {
    const last = this.ints[step.fromCells + step.cells - 1] + Math.max(...this.tapsOf(step));
    return this.floats.slice(step.from, step.from + (last + 1) * step.inputs);
  }

  tapsOf = ({ taps, tapCount }) => [...this.ints.subarray(taps, taps + tapCount)];

  /** A number of a convolution, taken apart: for every input channel the numbers around the cell, their weights, the sum. */
  sumAt(index, { inputs, added, outputs }, channel, cell) {
    const step = this.steps[index];
    const corner = this.ints[step.fromCells + cell];
    const parts = Array.from({ length: step.inputs }, (_, input) => {
      const numbers = this.tapsOf(step).map((tap) => inputs[(corner + tap) * step.inputs + input]);
      const weights = numbers.map((__, tap) => this.floats[this.weightAt(step, tap * step.inputs + input, channel)]);
      return { input, numbers, weights, sum: numbers.reduce((sum, number, i) => sum + number * weights[i], 0) };
    });
    const bias = this.floats[step.bias + channel];
    const carried = added ? added[channel][cell] : 0;
    const total = parts.reduce((sum, part) => sum + part.sum, bias + carried);
    return { parts, bias, carried, total, output: outputs[channel][cell] };
  }

  /** What the value head puts out: one number, or three. */
  answer() {
    const at = this.ints[ANSWER];
    return [...this.floats.subarray(at, at + (this.ints[OUTCOMES] ? 3 : 1))];
  }

  /** Takes the last layer of a head, "policy" or "answer", a step against the slopes of the loss by its outputs. */
  change(head, slopes, rate) {
    const { floats, ints } = this;
    const step = this.steps.find(({ to }) => to === ints[head === "policy" ? POLICY : ANSWER]);
    slopes.forEach((slope, channel) => {
      for (let i = 0; i < step.inputs; i++)
        floats[this.weightAt(step, i, channel)] -= rate * slope * floats[step.from + i];
      floats[step.bias + channel] -= rate * slope;
    });
  }

  /** The value that the value head's answer stands for: a number before tanh, or win, draw and loss. */
  value() {
    const { ints, floats } = this;
    const answer = ints[ANSWER];
    if (!ints[OUTCOMES]) return Math.tanh(floats[answer]);
    const [win, , loss] = maskedSoftmax([...floats.subarray(answer, answer + 3)]);
    return win - loss;
  }
}

const rectified = (number, slope) => (number < 0 ? number * slope : number);

/** The shares that logits stand for, among those that are `allowed`. */
export function maskedSoftmax(logits, allowed = logits.map(() => true)) {
  const highest = Math.max(...logits.filter((_, i) => allowed[i]));
  const weights = logits.map((logit, i) => (allowed[i] ? Math.exp(logit - highest) : 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
