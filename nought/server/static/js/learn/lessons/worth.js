// Lesson 2: policies, values, both of Bellman's equations, and what perfect play says.

import { h } from "../../dom.js";
import * as api from "../../model/api.js";
import { signed } from "../../model/words.js";
import { lineChart } from "../../parts/charts.js";
import { segments } from "../../parts/form.js";
import { table } from "../../parts/table.js";
import { CONNECT4, TICTACTOE } from "../maths/rows.js";
import { evaluation, lookAhead, policyIteration, solver, treeOf, uniform } from "../maths/value.js";
import { lessonBoard, moveName, readMoves } from "../parts/board.js";
import { dial } from "../parts/dial.js";
import { positionTree } from "../parts/tree.js";
import { carried, MOVES } from "../position.js";
import { filled } from "../words.js";

const SMALL = TICTACTOE.after(readMoves("tictactoe", "b1a1b2c1c3a2")); // three squares are left: one wins, one draws, one loses
const AHEAD = 6; // moves that the page looks ahead in our position
const forX = (position, value) => (position.player === 0 ? value : 0 - value);
const move = (action) => moveName("tictactoe", action);

export function steps(words) {
  const random = evaluation(TICTACTOE, uniform(TICTACTOE));
  return [
    {
      words: words.policy,
      guess: { kind: "number", min: -1, max: 1, step: 0.05, start: 0, right: random.value(SMALL), close: 0.1, show: signed },
      values: () => ({ value: signed(random.value(SMALL)) }),
      stage: (stage) => backwards(words, random, stage),
    }, // prettier-ignore
    { words: words.change, guess: { kind: "choice", right: "best" }, stage: () => dragged(words, random) },
    { words: words.perfect, guess: { kind: "choice", right: "minus" }, stage: (stage) => both(words, random, stage) },
    {
      words: words.iteration,
      guess: { kind: "choice", right: "draw" },
      values: () => ({ rounds: rounds().length - 1 }),
      stage: (stage) => iterated(words, stage),
    },
    {
      words: words.discount,
      guess: { kind: "number", min: 0, max: 1, step: 0.01, start: 0.5, right: 0.9 ** 10, close: 0.06, show: (value) => value.toFixed(2) },
      stage: (stage) => discounted(words, stage),
    }, // prettier-ignore
    {
      words: {
        ...words.carried,
        text: words.carried.text.map((text) =>
          filled(text, { games: ways(6), left: carried().cells.filter((owner) => owner === null).length }),
        ),
      },
      guess: { kind: "stage" },
      stage: (stage) => truth(words, stage),
    },
  ];
}

/** The tree of the small game with its values; before the answer may be seen only rewards, at its ends. */
function backwards(words, values, stage) {
  let depth = 3; // levels above this one have no numbers yet
  const tree = positionTree("tictactoe", treeOf(TICTACTOE, SMALL), {
    label: words.tree,
    under: ({ position }, level) =>
      level >= depth || position.finished ? signed(forX(position, values.value(position))) : "?",
    along: ({ action }) => move(action),
  });
  const back = () => {
    depth -= 1;
    tree.refresh();
    if (depth > 0 && !stage.signal.aborted) setTimeout(back, 500);
  };
  stage.onReveal(back);
  return h("div", { class: "stack" }, tree, h("p", { class: "small muted" }, words.forX));
}

/** The chances of X's three moves, to be dragged, and the value as the sum that it is. */
function dragged(words, values) {
  const actions = TICTACTOE.legal(SMALL);
  const worth = actions.map((action) => 0 - values.value(TICTACTOE.play(SMALL, action)));
  const sum = h("p", { class: "working", "aria-live": "polite" });
  const board = lessonBoard("tictactoe");
  board.show(SMALL);
  const show = () => {
    const all = dials.reduce((total, one) => total + one.value, 0) || 1;
    const chances = dials.map((one) => one.value / all);
    const value = chances.reduce((total, chance, i) => total + chance * worth[i], 0);
    const terms = chances.map((chance, i) => filled(words.term, { chance: chance.toFixed(2), worth: `(${signed(worth[i])})` })); // prettier-ignore
    sum.textContent = filled(words.sum, { terms: terms.join(" + "), value: signed(value) });
    board.note(actions.map((action, i) => ({ action, text: signed(worth[i]), more: chances[i].toFixed(2), weight: chances[i] }))); // prettier-ignore
  };
  const dials = actions.map((action) =>
    dial(filled(words.chance, { move: move(action) }), { min: 0, max: 10, value: 5, oninput: show }),
  );
  show();
  return h("div", { class: "stack small-board" }, board.element, h("div", { class: "dials" }, dials), sum);
}

/** The tree with both ways to play. */
function both(words, random, stage) {
  const perfect = solver(TICTACTOE);
  let values = random;
  const tree = positionTree("tictactoe", treeOf(TICTACTOE, SMALL), {
    label: words.tree,
    under: ({ position }) => signed(forX(position, values.value(position))),
    along: ({ action }) => move(action),
  });
  const element = h("div", { class: "stack" }, tree, h("p", { class: "small muted" }, words.forX));
  stage.onReveal(() => {
    const show = (who) => {
      values = who === "perfect" ? perfect : random;
      tree.refresh();
    };
    show("perfect");
    element.prepend(segments(words.whoLabel, Object.entries(words.who), "perfect", show));
  });
  return element;
}

let known = null;
const rounds = () => (known ??= policyIteration(TICTACTOE));

/** Policy iteration on all of tic-tac-toe, round by round. */
function iterated(words, stage) {
  const element = h("div", { class: "stack" });
  stage.onReveal(() =>
    element.replaceChildren(
      h("h3", {}, words.rounds.name),
      table(
        [
          { name: words.rounds.round, right: true, of: ({ round }) => round },
          { name: words.rounds.start, right: true, of: ({ start }) => signed(start) },
          { name: words.rounds.unlike, right: true, of: ({ unlike }) => unlike.toLocaleString("en") },
        ],
        rounds().map((one, round) => ({ round, ...one })),
        { kind: "round-table" },
      ),
    ),
  );
  return element;
}

/** What a win is worth so many moves away, for a discount that can be dragged. */
function discounted(words, stage) {
  const room = h("div");
  const show = (gamma) =>
    room.replaceChildren(
      lineChart([{ name: `γ = ${gamma}`, points: Array.from({ length: 21 }, (_, n) => [n, gamma ** n]) }], {
        label: words.curve,
        format: (value) => value.toFixed(2),
        xName: words.away,
        low: 0,
        high: 1,
      }),
    );
  const slider = dial(words.gamma, { min: 0.5, max: 1, step: 0.01, value: 0.9, oninput: show });
  stage.onReveal(() => show(slider.value));
  return h("div", { class: "stack" }, h("p", { class: "small muted" }, words.curve), room, slider);
}

/** How many ways there are to play so many moves from our position. */
function ways(moves, position = carried()) {
  if (moves === 0 || position.finished) return 1;
  const count = CONNECT4.legal(position).reduce((sum, action) => sum + ways(moves - 1, CONNECT4.play(position, action)), 0);
  return moves === 6 ? count.toLocaleString("en") : count;
} // prettier-ignore

/** What the page proves of our position, and what the oracle knows. */
function truth(words, stage) {
  const said = h("div", { class: "stack", "aria-live": "polite" });
  const board = lessonBoard("connect4", { onMove: (action) => stage.guess(action) });
  board.show(carried(), { playable: true });
  const note = (verdicts) =>
    board.note(verdicts.map(({ action, verdict }) => ({ action, text: words.verdicts[verdict], kind: `verdict ${verdict}` }))); // prettier-ignore
  stage.onReveal(async (chosen) => {
    board.lock();
    const { verdicts, positions } = proved();
    note(verdicts);
    const count = positions.toLocaleString("en");
    said.replaceChildren(h("p", {}, filled(words.looked, { depth: AHEAD, count })));
    const exact = await api.truth("connect4", MOVES, stage.signal).catch(() => null);
    if (stage.signal.aborted) return;
    const all = exact?.oracle ? exact.moves : verdicts;
    note(all);
    said.append(h("p", {}, exact?.oracle ? words.oracle : words.noOracle));
    const own = all.find(({ action }) => action === chosen);
    if (own) said.append(h("p", { class: "reply" }, filled(words.yours, { column: moveName("connect4", chosen), verdict: words.verdicts[own.verdict] }))); // prettier-ignore
  });
  return h("div", { class: "stack" }, board.element, said);
}

/** What looking ahead proves of every move. */
function proved() {
  const seen = { positions: 0 };
  const verdicts = CONNECT4.legal(carried()).map((action) => {
    const value = 0 - lookAhead(CONNECT4, CONNECT4.play(carried(), action), AHEAD - 1, seen);
    return { action, verdict: { "-1": "loses", 0: "unknown", 1: "wins" }[value] };
  });
  return { verdicts, positions: seen.positions };
}
