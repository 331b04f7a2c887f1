// Lesson 10: graph, proofs, cache, batches and compiled Python, each with one picture of what was measured or counted.

import { h } from "../../dom.js";
import { signed } from "../../model/words.js";
import { lineChart } from "../../parts/charts.js";
import { CONNECT4 } from "../maths/rows.js";
import { countByDepth } from "../maths/value.js";
import { shareBars } from "../parts/shares.js";
import { filled } from "../words.js";

const DEPTH = 6; // moves of Connect 4 that are counted
const BATCH = 64;

export async function steps(words) {
  const measured = await fetch(new URL("../data/speed.json", import.meta.url)).then((answer) => answer.json());
  const { saved, proofs, batches, compiled } = measured;
  const counted = countByDepth(CONNECT4, DEPTH).map(({ positions }, moves) => ({ moves, positions, ways: 7 ** moves }));
  const last = counted.at(-1);
  const percent = (share) => `${Math.round(100 * share)}`;
  const [, times] = batches.find(([size]) => size === BATCH);
  const certain = { proven: proofs.with.indexOf(1), all: proofs.without.length - 1, without: signed(proofs.without.at(-1)) }; // prettier-ignore
  const number = (min, max, right, close, more = {}) => ({ kind: "number", min, max, step: 1, right, close, ...more });
  return [
    {
      words: words.graph,
      guess: number(1, 100, Math.round((100 * last.positions) / last.ways), 3, { start: 50 }),
      values: () => ({
        share: percent(last.positions / last.ways),
        positions: last.positions.toLocaleString("en"),
        ways: last.ways.toLocaleString("en"),
      }),
      stage: revealing(words.graph, () => growth(words.graph, counted)),
    },
    {
      words: { ...words.proofs, question: filled(words.proofs.question, certain) },
      guess: number(-1, 1, proofs.without.at(-1), 0.05, { step: 0.01, start: 0, show: (value) => signed(value) }),
      values: () => certain,
      stage: revealing(words.proofs, () => proven(words.proofs, proofs)),
    },
    {
      words: words.cache,
      guess: number(1, 100, Math.round(100 * saved.network), 3, { start: 50 }),
      values: () => Object.fromEntries(Object.entries(saved).map(([name, share]) => [name, percent(share)])),
      stage: revealing(words.cache, () => sources(words.cache, saved)),
    },
    {
      words: words.batches,
      guess: number(1, 64, times, 2, { start: 1, show: (value) => String(Math.round(value)) }),
      values: () => ({ times: times.toFixed(0) }),
      stage: revealing(words.batches, () => crowd(words.batches, batches)),
    },
    {
      words: words.compiled,
      guess: { kind: "choice", right: "hundreds" },
      values: () => ({ compiled }),
      stage: revealing(words.compiled, () => quick(words.compiled, compiled)),
    },
  ];
}

/** A picture that is there once the guess is made. */
const revealing = (words, draw) => (stage) => {
  const room = h("div", { class: "stack" });
  stage.onReveal(() => room.replaceChildren(h("h3", {}, words.chart), draw()));
  return room;
};

const growth = (words, counted) =>
  lineChart(
    [
      { name: words.ways, points: counted.map(({ moves, ways }) => [moves, ways]) },
      { name: words.positions, points: counted.map(({ moves, positions }) => [moves, positions]) },
    ],
    { label: words.chart, height: 230, xName: words.moves, format: (value) => value.toLocaleString("en") },
  );

const proven = (words, proofs) =>
  lineChart(
    [
      { name: words.with, points: proofs.with.map((value, i) => [i, value]) },
      { name: words.alone, points: proofs.without.map((value, i) => [i, value]) },
    ],
    { label: words.chart, height: 230, xName: words.simulations, format: (value) => value.toFixed(1), low: -1, high: 1 },
  ); // prettier-ignore

const sources = (words, saved) =>
  shareBars(
    words.chart,
    Object.entries(saved).map(([name, share]) => ({
      name: words.names[name],
      share,
      text: String(Math.round(100 * share)),
      kind: name === "network" ? "chosen" : "",
    })),
  );

const crowd = (words, batches) =>
  lineChart([{ name: words.name, points: batches }], {
    label: words.chart,
    height: 230,
    xName: words.size,
    format: (value) => value.toFixed(0),
    step: 1,
  });

const quick = (words, compiled) =>
  shareBars(words.chart, [
    { name: words.quick, share: 1, text: `${compiled}`, kind: "good" },
    { name: words.slow, share: 1 / compiled, text: "1" },
  ]);
