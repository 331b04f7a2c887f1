// Random numbers that come again with the same seed.

/** A function like Math.random (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** From the normal distribution (Box and Muller). */
export const normal = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** An index, drawn with these weights. */
export function drawn(weights, random) {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [i, weight] of weights.entries()) if ((left -= weight) < 0) return i;
  return weights.findLastIndex((weight) => weight > 0);
}

/** So many shares that add up to 1, all of them alike likely: Dirichlet(1). */
export function shares(count, random) {
  const parts = Array.from({ length: count }, () => -Math.log(1 - random()));
  const total = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => part / total);
}
