// Lesson 9: Elo's formulas, luck, why a game counts once, and what perfect play says of the agents.

import { h } from "../../dom.js";
import * as api from "../../model/api.js";
import { gameNamed } from "../../model/games.js";
import { percent, signed, whole } from "../../model/words.js";
import { lineChart } from "../../parts/charts.js";
import { button } from "../../parts/form.js";
import { scrollBox, table } from "../../parts/table.js";
import { atMost, difference, expected, fixedPlayer, gateGain, match, SCALES, updated, wilson } from "../maths/elo.js";
import { seeded } from "../maths/network.js";
import { CONNECT4 } from "../maths/rows.js";
import { dial } from "../parts/dial.js";
import { askedLive, mistakes } from "../parts/exam.js";
import { filled } from "../words.js";

const ORDERS = [[3, 2, 4, 1, 5, 0, 6], [3, 4, 2, 5, 1, 6, 0]]; // prettier-ignore
const range = (low, high, step) =>
  Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);

export async function steps(words) {
  const data = await fetch(new URL("../data/exam.json", import.meta.url)).then((answer) => answer.json());
  const agents = await api.games().then((games) => gameNamed(games, "connect4")?.agents ?? [], () => []); // prettier-ignore
  const rated = agents.filter(({ rating }) => rating != null);
  const title = (name) => agents.find((agent) => agent.name === name)?.title ?? name.replace("agents/", "");
  const [untrained, best] = [data.exam[0], data.exam.at(-1)].map(({ right, asked }) => right / asked);
  const missed = data.exam.at(-1).asked - data.exam.at(-1).right;
  const level5 = rated.find(({ name }) => name.endsWith("level-5"));
  const ahead = level5 ? expected(rated.at(-1).rating - level5.rating, "standard") : 0.97;
  const number = (right, more) => ({ kind: "number", min: 0, max: 100, step: 1, start: 50, right, close: 4, ...more });
  return [
    {
      words: words.expectedScore,
      guess: number(expected(400), { max: 1, step: 0.01, start: 0.5, close: 0.03, show: (value) => value.toFixed(2) }),
      stage: (stage) => expectation(words, stage),
    },
    {
      words: words.inverse,
      guess: number(Math.round(difference(0.75)), { max: 1000, step: 10, start: 0, close: 60 }),
      values: () => ({ gain: whole(gateGain(1.3)) }),
      stage: (stage) => inverse(words, stage),
    },
    { words: words.update, guess: { kind: "choice", right: "strong" }, stage: () => updating(words.after) },
    {
      words: words.chance,
      guess: number(Math.round(100 * atMost(10, 20, 0.6)), { start: 5 }),
      values: () => ({ share: percent(atMost(10, 20, 0.6)) }),
      stage: (stage) => luck(words.luck, stage),
    },
    { words: words.different, guess: { kind: "choice", right: "two" }, stage: (stage) => different(words.once, stage) },
    ...(rated.length
      ? [{ words: { ...words.shipped, text: words.shipped.text.map((text) => filled(text, { games: 40 })) }, guess: number(Math.round(100 * ahead)), values: () => ({ expected: percent(ahead) }), stage: (stage) => ladder(words.ladder, rated, stage) }] // prettier-ignore
      : []),
    {
      words: words.truth,
      guess: number(Math.round(100 * untrained), { start: 10 }),
      values: () => ({ untrained: percent(untrained), best: percent(best) }),
      stage: (stage) => exam(words, data.exam, title, stage),
    },
    { words: { ...words.mistakes, text: words.mistakes.text.map((text) => filled(text, { count: missed })) }, guess: { kind: "choice", right: "unlike" }, stage: (stage) => mistakes(words.wrong, data.wrong, stage) },
    { words: words.proof },
  ]; // prettier-ignore
}

/** Two ratings to drag, and figure 6: the expected score on both scales. */
function expectation(words, stage) {
  const room = h("div");
  const says = h("p", { class: "working", "aria-live": "polite" });
  const show = () => {
    const ahead = a.value - b.value;
    const series = Object.keys(SCALES).map((scale) => ({ name: words.scales[scale], points: range(-1600, 1600, 50).map((d) => [d, expected(d, scale)]) })); // prettier-ignore
    const chart = lineChart(series, { label: words.curve6, low: 0, high: 1, format: (value) => value.toFixed(2), xName: words.difference }); // prettier-ignore
    chart.at(ahead);
    room.replaceChildren(chart);
    const score = Object.keys(SCALES).map((scale) => `${expected(ahead, scale).toFixed(2)} (${words.scales[scale]})`);
    says.textContent = filled(words.expects, { score: score.join(", ") });
  };
  const [a, b] = words.ratings.map((label, i) => dial(label, { min: 0, max: 1600, step: 50, value: 1000 - 400 * i, oninput: show })); // prettier-ignore
  const element = h("div", { class: "stack" });
  stage.onReveal(() => {
    show();
    element.replaceChildren(h("p", { class: "small muted" }, words.curve6), room, says, h("div", { class: "dials" }, a, b)); // prettier-ignore
  });
  return element;
}

/** A score to drag, and figure 7: what it is worth. */
function inverse(words, stage) {
  const room = h("div");
  const says = h("p", { class: "working", "aria-live": "polite" });
  const show = () => {
    const series = Object.keys(SCALES).map((scale) => ({ name: words.scales[scale], points: range(1, 99, 1).map((s) => [s, difference(s / 100, scale)]) })); // prettier-ignore
    const chart = lineChart(series, { label: words.curve7, low: -2000, high: 2000, format: whole, xName: words.axis7 });
    chart.at(score.value);
    room.replaceChildren(chart);
    const worth = (scale) => signed(difference(score.value / 100, scale), 0);
    says.textContent = filled(words.worth, { score: `${score.value}\u00a0%`, papers: worth("papers"), standard: worth("standard") }); // prettier-ignore
  };
  const score = dial(words.score, { min: 1, max: 99, step: 1, value: 75, oninput: show });
  const element = h("div", { class: "stack" });
  stage.onReveal(() => {
    show();
    element.replaceChildren(h("p", { class: "small muted" }, words.curve7), room, says, score);
  });
  return element;
}

/** Two ratings that move with every game. */
function updating(words) {
  let [ratings, games] = [[1000, 1400], 0];
  const room = h("div", { class: "stack", "aria-live": "polite" });
  const show = () =>
    room.replaceChildren(
      h("dl", { class: "facts" }, words.names.map((name, i) => h("div", {}, h("dt", {}, name), h("dd", {}, whole(ratings[i]))))),
      h("p", { class: "working" }, filled(words.expected, { score: expected(ratings[0] - ratings[1]).toFixed(2) })),
      h("p", { class: "small muted" }, filled(words.games, { games })),
    ); // prettier-ignore
  const play = (won) => {
    const [a, b] = ratings;
    ratings = [updated(a, b, won, k.value), updated(b, a, 1 - won, k.value)];
    games++;
    show();
  };
  const k = dial(words.k, { min: 4, max: 64, step: 4, value: 32 });
  const again = () => {
    [ratings, games] = [[1000, 1400], 0];
    show();
  };
  show();
  const wins = (i) => filled(words.win, { name: words.names[i] });
  return h(
    "div",
    { class: "stack" },
    room,
    h("div", { class: "row" }, button(wins(0), () => play(1)), button(words.draw, () => play(0.5)), button(wins(1), () => play(0)), button(words.again, again, "quiet")), // prettier-ignore
    k,
  );
}

/** How much a match of so many games says. */
function luck(words, stage) {
  const room = h("div");
  const [share, interval] = [h("p", { class: "working" }), h("p", {})];
  const show = () => {
    const [n, p] = [games.value, chance.value / 100];
    const band = range(5, 200, 5).map((count) => [count, ...Object.values(wilson(p * count, count)).slice(1)]);
    const chart = lineChart([{ name: words.name, points: band.map(([count]) => [count, p]), band }], { label: words.chart, low: 0, high: 1, format: (value) => value.toFixed(2), xName: words.axis }); // prettier-ignore
    chart.at(n);
    room.replaceChildren(chart);
    share.textContent = filled(words.share, { share: percent(atMost(Math.floor(n / 2), n, p)) });
    const { low, high } = wilson(p * n, n);
    interval.textContent = filled(words.interval, { low: percent(low), high: percent(high), from: signed(difference(low), 0), to: signed(difference(high), 0) }); // prettier-ignore
  };
  const games = dial(words.games, { min: 10, max: 200, step: 10, value: 20, oninput: show });
  const chance = dial(words.chance, { min: 50, max: 90, step: 1, value: 60, show: (value) => `${value}\u00a0%`, oninput: show }); // prettier-ignore
  const element = h("div", { class: "stack" });
  stage.onReveal(() => {
    show();
    element.replaceChildren(h("p", { class: "small muted" }, words.chart), room, h("div", { class: "dials" }, games, chance), share, interval); // prettier-ignore
  });
  return element;
}

/** Two programs that never vary, and how many different games come of it. */
function different(words, stage) {
  const says = h("div", { class: "stack", "aria-live": "polite" });
  const players = ORDERS.map((order) => fixedPlayer(CONNECT4, order));
  const show = () => {
    const { score, different: count } = match(CONNECT4, players, 40, opening.value, seeded(11));
    const [all, once] = [wilson(score, 40), wilson((score / 40) * count, count)];
    says.replaceChildren(
      h("p", { class: "working" }, filled(words.said, { different: count, score: `${score} / 40` })),
      h("p", {}, filled(words.naive, { low: percent(all.low), high: percent(all.high), trueLow: percent(once.low), trueHigh: percent(once.high) })), // prettier-ignore
    );
  };
  const opening = dial(words.opening, { min: 0, max: 6, step: 1, value: 0, oninput: show });
  const element = h("div", { class: "stack" });
  stage.onReveal(() => {
    show();
    element.replaceChildren(says, opening);
  });
  return element;
}

/** The ratings of the agents that the server offers. */
function ladder(words, rated, stage) {
  const room = scrollBox(words.name, "scroll");
  const most = Math.max(...rated.map(({ interval, rating }) => interval?.[1] ?? rating));
  const bar = ({ rating, interval }) => {
    const [low, high] = interval ?? [rating, rating];
    const place = (value) => `${(100 * value) / most}%`;
    return h("span", { class: "range-bar" }, h("i", { style: { left: place(low), width: place(high - low) } }), h("b", { style: { left: place(rating) } })); // prettier-ignore
  };
  const columns = [
    { name: words.agent, of: ({ title }) => title },
    { name: words.rating, right: true, of: ({ rating }) => whole(rating) },
    { name: words.interval, kind: "bar-cell", of: bar },
  ];
  stage.onReveal(() => room.replaceChildren(table(columns, rated, { kind: "rating-table" })));
  return h("div", { class: "stack" }, h("h3", {}, words.name), room);
}

/** How many positions each agent answers rightly; and the best one, asked now. */
function exam(words, rows, title, stage) {
  const columns = [
    { name: words.exam.agent, of: ({ agent }) => title(agent) },
    { name: words.exam.right, right: true, of: ({ right, asked }) => `${((100 * right) / asked).toFixed(1)}\u00a0%` },
    { name: words.exam.interval, right: true, of: ({ right, asked }) => { const { low, high } = wilson(right, asked); return `${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)}`; } }, // prettier-ignore
  ];
  const element = h("div", { class: "stack" }, h("h3", {}, words.exam.name));
  stage.onReveal(() => element.append(table(columns, rows, { kind: "exam-table" }), askedLive(words.exam, rows.map(({ agent }) => agent), title, stage))); // prettier-ignore
  return element;
}
