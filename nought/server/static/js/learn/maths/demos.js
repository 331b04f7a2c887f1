// The two demonstrations of 003, section 7: a circle learned from points, and vector quantisation. No elements.

import { meanSquare, Network } from "./network.js";

export const RADIUS = 0.4, // of the circle, in widths of the picture: 200 of 500
  BATCH = 1024,
  SAME = 8; // times that each batch is learned from
const RATE = 0.1,
  MOMENTUM = 0.9;

/** Whether a point is outside of the circle: 1, or inside: 0. */
const outside = (x, y) => Number(Math.hypot(x - 0.5, y - 0.5) > RADIUS);

/** A network of 2, 256, 16 and 1 neurons that learns which points lie in a circle. */
export class CircleLearner {
  /** With `scaled` slopes are multiplied by the loss, as the program of 003 does. */
  constructor(random, scaled = false) {
    Object.assign(this, { random, scaled, steps: 0, loss: null, right: null });
    this.network = new Network([2, 256, 16, 1], ["leaky", "leaky", "sigmoid"], random);
  }

  /** Learns once from the present batch; every eighth time a new one is drawn first. */
  learn() {
    if (this.steps % SAME === 0) this.draw();
    const said = this.network.forward(this.points, BATCH);
    const { loss, slopes } = meanSquare(said, this.truths);
    if (this.scaled) slopes.forEach((slope, i) => (slopes[i] = slope * loss));
    this.network.backward(slopes);
    this.network.step(RATE, MOMENTUM);
    this.loss = loss;
    this.right = said.reduce((sum, one, i) => sum + Number(one > 0.5 === this.truths[i] > 0.5), 0) / BATCH;
    this.steps++;
  }

  draw() {
    this.points = Float64Array.from({ length: 2 * BATCH }, () => this.random());
    this.truths = Float64Array.from({ length: BATCH }, (_, i) => outside(this.points[2 * i], this.points[2 * i + 1]));
  }

  /** What it says of `size` × `size` points, row by row: 0 inside, 1 outside. */
  map(size) {
    const points = new Float64Array(2 * size * size);
    for (let i = 0; i < size * size; i++) {
      points[2 * i] = ((i % size) + 0.5) / size;
      points[2 * i + 1] = (Math.floor(i / size) + 0.5) / size;
    }
    return Float32Array.from(this.network.forward(points, size * size));
  }
}

/** Points and centroids: a point is drawn by chance, and the nearest centroid moves towards it. */
export class Quantiser {
  constructor(random, { points = 200, centroids = 6, clumps = false } = {}) {
    const anywhere = () => [random(), random()];
    const middles = Array.from({ length: centroids }, () => [0.12 + 0.76 * random(), 0.12 + 0.76 * random()]);
    const near = ([x, y]) => [x + 0.22 * (random() + random() + random() - 1.5) * 0.6, y + 0.22 * (random() + random() + random() - 1.5) * 0.6]; // prettier-ignore
    this.random = random;
    this.points = Array.from({ length: points }, (_, i) => (clumps ? near(middles[i % centroids]) : anywhere()));
    this.centroids = Array.from({ length: centroids }, anywhere);
    this.updates = 0;
  }

  /** The centroid that is nearest to a point, by its number. */
  nearest([x, y]) {
    const distances = this.centroids.map(([cx, cy]) => (cx - x) ** 2 + (cy - y) ** 2);
    return distances.indexOf(Math.min(...distances));
  }

  /** One update: the nearest centroid goes this `share` of its way to the point. */
  update(share) {
    const point = this.points[Math.floor(this.random() * this.points.length)];
    const centroid = this.centroids[this.nearest(point)];
    centroid[0] += share * (point[0] - centroid[0]);
    centroid[1] += share * (point[1] - centroid[1]);
    this.updates++;
  }

  /** The mean squared distance of points from their nearest centroids. */
  error() {
    const square = (point) => {
      const [x, y] = this.centroids[this.nearest(point)];
      return (x - point[0]) ** 2 + (y - point[1]) ** 2;
    };
    return this.points.reduce((sum, point) => sum + square(point), 0) / this.points.length;
  }
}
