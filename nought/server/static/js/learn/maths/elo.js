// Ratings: Elo's formulas on both scales, intervals, and what luck does. No elements. nought/rating/elo.py and
// nought/statistics.py are the same in Python.

/** The papers count 400 points for a factor e in the odds, chess for a factor 10. */
export const SCALES = { papers: Math.E, standard: 10 };

/** The expected score of who is rated so much higher (000, equation 45). */
export const expected = (difference, scale = "papers") => 1 / (1 + SCALES[scale] ** (-difference / 400));

/** How much higher who scores this is rated (000, equation 48). */
export const difference = (score, scale = "papers") => (400 * Math.log(score / (1 - score))) / Math.log(SCALES[scale]);

/** A rating after a game with the score `won` (000, equation 46). */
export const updated = (rating, other, won, k, scale = "papers") =>
  rating + k * (won - expected(rating - other, scale));

/** The least gain that a gate of this ratio promises, without draws (000, equation 52). */
export const gateGain = (ratio) => 400 * Math.log(ratio);

/** A share and Wilson's 95 % interval, which stays sensible near 0 and 1. */
export function wilson(right, asked) {
  const [share, z] = [right / asked, 1.96];
  const middle = (share + z ** 2 / (2 * asked)) / (1 + z ** 2 / asked);
  const half = (z / (1 + z ** 2 / asked)) * Math.sqrt((share * (1 - share)) / asked + z ** 2 / (4 * asked ** 2));
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** The chance that who wins each game with this chance wins at most `most` of so many. */
export function atMost(most, games, chance) {
  let [term, sum] = [(1 - chance) ** games, 0];
  for (let won = 0; won <= most; won++) {
    sum += term;
    term *= ((games - won) / (won + 1)) * (chance / (1 - chance));
  }
  return sum;
}

/**
 * A player that plays the same in the same position, always: a move that wins, else one that stops the other from
 * winning, else the first of its columns that is free.
 */
export const fixedPlayer = (game, order) => (position) => {
  const legal = game.legal(position);
  const wins = (from, action) => game.play(from, action).line.length > 0;
  const passed = { ...position, player: 1 - position.player };
  return (
    legal.find((action) => wins(position, action)) ??
    legal.find((action) => wins(passed, action)) ??
    order.find((action) => legal.includes(action))
  );
};

/** So many games of two players who take turns to begin, after `opening` moves by chance: how many of them differ, and the score. */
export function match(game, players, games, opening, random) {
  const seen = new Set();
  let score = 0;
  for (let number = 0; number < games; number++) {
    let position = game.start();
    for (let i = 0; i < opening && !position.finished; i++) {
      const legal = game.legal(position);
      position = game.play(position, legal[Math.floor(random() * legal.length)]);
    }
    const first = number % 2; // who begins
    while (!position.finished) position = game.play(position, players[position.player ^ first](position));
    const result = game.result(position); // for who began
    score += (1 + (first === 0 ? result : -result)) / 2;
    seen.add(`${first} ${position.moves.join("")}`);
  }
  return { score, different: seen.size };
}
