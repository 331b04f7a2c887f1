// A fully connected network that learns: forward, back-propagation, gradient descent. No elements. docs/learn/network.py is
// the same in Python, and the tests compare the two.

import { ACTIVATIONS } from "./layers.js";

const SLOPE = 0.01; // of the leaky rectifier, as in the papers' program
const FUNCTIONS = { ...ACTIVATIONS, linear: { of: (x) => x, slope: () => 1 } };

/** Random numbers from a seed, the same every time: mulberry32. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * One layer: `w` has a row of `ins` weights for each of its `outs` neurons. After `forward` it holds what went in (`x`),
 * the sums (`a`) and what came out (`y`); after `backward` the slopes of the loss.
 */
class Layer {
  constructor(ins, outs, activation, random) {
    Object.assign(this, { ins, outs, f: FUNCTIONS[activation] });
    const most = 1 / Math.sqrt(ins); // as torch begins
    const some = (size) => Float64Array.from({ length: size }, () => (2 * random() - 1) * most);
    [this.w, this.b] = [some(ins * outs), some(outs)];
    [this.dw, this.db] = [new Float64Array(ins * outs), new Float64Array(outs)];
    [this.vw, this.vb] = [new Float64Array(ins * outs), new Float64Array(outs)]; // for momentum
  }

  /** a = w · x + b, y = f(a), for `count` inputs one after the other (000, equation 21). */
  forward(x, count) {
    const { ins, outs, w, b, f } = this;
    const [a, y] = [new Float64Array(count * outs), new Float64Array(count * outs)];
    for (let n = 0; n < count; n++)
      for (let j = 0; j < outs; j++) {
        let sum = b[j];
        for (let i = 0, at = j * ins, from = n * ins; i < ins; i++) sum += w[at + i] * x[from + i];
        a[n * outs + j] = sum;
        y[n * outs + j] = f.of(sum, SLOPE);
      }
    Object.assign(this, { x, a, y, count });
    return y;
  }

  /** From the slopes ΔY of what came out to those of sums, weights, biases and inputs (000, equations 36–39). */
  backward(dy) {
    const { ins, outs, w, x, a, f, count, dw, db } = this;
    const [da, dx] = [new Float64Array(count * outs), new Float64Array(count * ins)];
    dw.fill(0);
    db.fill(0);
    for (let n = 0; n < count; n++)
      for (let j = 0; j < outs; j++) {
        const slope = f.slope(a[n * outs + j], SLOPE) * dy[n * outs + j];
        da[n * outs + j] = slope;
        db[j] += slope;
        if (slope === 0) continue;
        for (let i = 0, at = j * ins, from = n * ins; i < ins; i++) {
          dw[at + i] += slope * x[from + i];
          dx[from + i] += slope * w[at + i];
        }
      }
    Object.assign(this, { dy, da, dx });
    return dx;
  }

  /** Downhill: every weight goes a little against its slope, and a little on where it was going. */
  step(rate, momentum) {
    for (const [values, slopes, speeds] of [
      [this.w, this.dw, this.vw],
      [this.b, this.db, this.vb],
    ])
      // prettier-ignore
      for (let i = 0; i < values.length; i++) {
        speeds[i] = momentum * speeds[i] + slopes[i];
        values[i] -= rate * speeds[i];
      }
  }
}

/** Layers one after the other: `sizes` as [2, 256, 16, 1], `activations` one for each layer but the inputs. */
export class Network {
  constructor(sizes, activations, random = Math.random) {
    this.layers = activations.map((name, l) => new Layer(sizes[l], sizes[l + 1], name, random));
  }

  /** What comes out for `count` inputs that lie one after the other. */
  forward(x, count) {
    return this.layers.reduce((y, layer) => layer.forward(y, count), x);
  }

  /** Takes the slopes of the loss by the outputs back through all layers. */
  backward(slopes) {
    this.layers.reduceRight((dy, layer) => layer.backward(dy), slopes);
  }

  step(rate, momentum = 0) {
    for (const layer of this.layers) layer.step(rate, momentum);
  }

  /** How many numbers it learns. */
  get size() {
    return this.layers.reduce((sum, { w, b }) => sum + w.length + b.length, 0);
  }
}

/** The mean squared error (000, equation 35), and its slopes by the outputs. */
export function meanSquare(outputs, targets) {
  const n = outputs.length;
  let loss = 0;
  const slopes = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    loss += (outputs[i] - targets[i]) ** 2 / n;
    slopes[i] = (2 * (outputs[i] - targets[i])) / n;
  }
  return { loss, slopes };
}

/**
 * The loss of AlphaZero for a batch whose outputs are `actions` scores and a value each: (z − tanh v)² − Σ π ln p, the mean
 * over the batch. `targets` hold π and then z, in the same way; scores of illegal moves do not count (`legal`, 0 or 1).
 */
export function playersLoss(outputs, targets, legal, actions) {
  const wide = actions + 1;
  const count = outputs.length / wide;
  const slopes = new Float64Array(outputs.length);
  const shares = new Float64Array(count * actions);
  let [policy, value] = [0, 0];
  for (let n = 0; n < count; n++) {
    const at = n * wide;
    let most = -Infinity,
      sum = 0;
    for (let i = 0; i < actions; i++) if (legal[n * actions + i]) most = Math.max(most, outputs[at + i]);
    for (let i = 0; i < actions; i++) {
      const power = legal[n * actions + i] ? Math.exp(outputs[at + i] - most) : 0;
      shares[n * actions + i] = power;
      sum += power;
    }
    for (let i = 0; i < actions; i++) {
      const p = (shares[n * actions + i] /= sum);
      const pi = targets[at + i];
      if (pi > 0) policy -= (pi * Math.log(p)) / count;
      slopes[at + i] = legal[n * actions + i] ? (p - pi) / count : 0;
    }
    const v = Math.tanh(outputs[at + actions]);
    const z = targets[at + actions];
    value += (z - v) ** 2 / count;
    slopes[at + actions] = (2 * (v - z) * (1 - v * v)) / count;
  }
  return { loss: policy + value, policy, value, slopes, shares };
}
