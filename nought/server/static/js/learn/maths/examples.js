// What the lesson on learning learns from: all of tic-tac-toe, with the right moves and the right value of each position.

import { playersLoss } from "./network.js";
import { TICTACTOE } from "./rows.js";
import { planesOf, solver } from "./value.js";

export const ACTIONS = 9;
const INPUTS = 18;

/** A position as the network sees it: first the stones of the player to move, then the other's. */
export const inputsOf = (position) => planesOf(position, [position.player, 1 - position.player]);

/** 1 for each square that is free. */
export const legalOf = (position) => position.cells.map((owner) => Number(owner === null));

/** Every position that is not over: { count, inputs, legal, targets }, a target being the right moves' shares and the value. */
export function tictactoeExamples() {
  const perfect = solver(TICTACTOE);
  const found = new Map();
  const visit = (position) => {
    const name = position.cells.join();
    if (position.finished || found.has(name)) return;
    found.set(name, { position, target: targetOf(position, perfect) });
    for (const action of TICTACTOE.legal(position)) visit(TICTACTOE.play(position, action));
  };
  visit(TICTACTOE.start());
  const all = [...found.values()];
  return {
    count: all.length,
    inputs: Float64Array.from(all.flatMap(({ position }) => inputsOf(position))),
    legal: Float64Array.from(all.flatMap(({ position }) => legalOf(position))),
    targets: Float64Array.from(all.flatMap(({ target }) => target)),
  };
}

/** The best moves share 1 among them; then the value. */
function targetOf(position, perfect) {
  const value = perfect.value(position);
  const right = position.cells.map((owner, action) => owner === null && 0 - perfect.value(TICTACTOE.play(position, action)) === value); // prettier-ignore
  const count = right.filter(Boolean).length;
  return [...right.map((one) => Number(one) / count), value];
}

/** So many of the examples, drawn by chance. */
export function draw({ count, inputs, legal, targets }, size, random) {
  const batch = { inputs: new Float64Array(size * INPUTS), legal: new Float64Array(size * ACTIONS), targets: new Float64Array(size * (ACTIONS + 1)) }; // prettier-ignore
  for (let n = 0; n < size; n++) {
    const from = Math.floor(random() * count);
    batch.inputs.set(inputs.subarray(from * INPUTS, (from + 1) * INPUTS), n * INPUTS);
    batch.legal.set(legal.subarray(from * ACTIONS, (from + 1) * ACTIONS), n * ACTIONS);
    batch.targets.set(targets.subarray(from * (ACTIONS + 1), (from + 1) * (ACTIONS + 1)), n * (ACTIONS + 1));
  }
  return batch;
}

/** One step of learning from a batch; gives the loss before it. */
export function learnFrom(network, { inputs, legal, targets }, rate, momentum) {
  const loss = playersLoss(network.forward(inputs, legal.length / ACTIONS), targets, legal, ACTIONS);
  network.backward(loss.slopes);
  network.step(rate, momentum);
  return loss;
}

/** The share of all positions in which the move with the greatest share is a right one. */
export function accuracyOf(network, { count, inputs, legal, targets }) {
  const { shares } = playersLoss(network.forward(inputs, count), targets, legal, ACTIONS);
  let right = 0;
  for (let n = 0; n < count; n++) {
    let best = 0;
    for (let i = 1; i < ACTIONS; i++) if (shares[n * ACTIONS + i] > shares[n * ACTIONS + best]) best = i;
    if (targets[n * (ACTIONS + 1) + best] > 0) right++;
  }
  return right / count;
}

/** The least that the policy's part of the loss can be: the mean entropy of the right answers. */
export function entropyFloor({ count, targets }) {
  let sum = 0;
  for (let n = 0; n < count; n++)
    for (let i = 0; i < ACTIONS; i++) {
      const share = targets[n * (ACTIONS + 1) + i];
      if (share > 0) sum -= (share * Math.log(share)) / count;
    }
  return sum;
}
