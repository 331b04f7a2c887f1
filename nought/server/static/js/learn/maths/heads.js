// A step of learning on a trained network: the loss of players for one position, and the last layer of both its heads a
// little downhill. No elements.

import { maskedSoftmax } from "./trained.js";

const WORTH = [1, 0, -1]; // of a win, a draw and a loss

/**
 * The loss (z − v)² − Σ π ln p of a network (`Layers` of trained.js) for one position whose moves are all legal, with its
 * slopes by the scores of the moves, p − π, and by what the value head puts out.
 */
export function realLoss(layers, planes, pi, z) {
  const { logits, value } = layers.see(planes);
  const shares = maskedSoftmax(logits);
  const policy = -pi.reduce((sum, wanted, i) => sum + (wanted > 0 ? wanted * Math.log(shares[i]) : 0), 0);
  const answer = layers.answer();
  const outward = 2 * (value - z); // the slope by the value itself
  const chances = answer.length === 3 ? maskedSoftmax(answer) : null;
  const through = chances ? chances.map((chance, i) => chance * (WORTH[i] - value)) : [1 - value ** 2];
  return {
    loss: policy + (z - value) ** 2,
    policy,
    error: (z - value) ** 2,
    value,
    shares,
    slopes: { policy: shares.map((share, i) => share - pi[i]), answer: through.map((slope) => outward * slope) },
  };
}

/** Takes the last layer of each head a step downhill: Δw = ΔA · x, as in any layer (000, equation 37). */
export function learnHeads(layers, { slopes }, rate) {
  layers.change("policy", slopes.policy, rate);
  layers.change("answer", slopes.answer, rate);
}
