// Lesson 1: positions, whose turn it is, rewards along a game, and how many positions there are.

import { h } from "../../dom.js";
import { PLAYERS, signed } from "../../model/words.js";
import { button } from "../../parts/form.js";
import { scrollBox, table } from "../../parts/table.js";
import { CONNECT4, TICTACTOE } from "../maths/rows.js";
import { countByDepth, evaluation, planesOf, uniform } from "../maths/value.js";
import { lessonBoard, moveName, readMoves, smallBoard } from "../parts/board.js";
import { namedGrid } from "../parts/grid.js";
import { carried } from "../position.js";
import { filled } from "../words.js";

const GAME = readMoves("tictactoe", "b2a1c3c1b1a3b3"); // X wins with the seventh move
const PAPERS = [null, 0, 1, 1, 0, null, 1, null, 0]; // the board of 000's equation 3
const DEPTH = 6; // of Connect 4, counted while one waits

export function steps(words) {
  const random = evaluation(TICTACTOE, uniform(TICTACTOE));
  const average = (action) => 0 - random.value(TICTACTOE.after([action]));
  return [
    {
      words: words.positions,
      guess: { kind: "choice", right: "power" },
      stage: () => playground(words, (position) => [h("p", { class: "center" }, turnWords(words, position))]),
    },
    {
      words: words.turns,
      guess: { kind: "choice", right: "minus" },
      stage: () => playground(words, (position) => [facts(words, position)], readMoves("tictactoe", "b2a1c3")),
    },
    { words: words.reward, guess: { kind: "choice", right: "four" }, stage: (stage) => rewards(words, stage) },
    {
      words: words.blame,
      guess: { kind: "choice", right: "centre" },
      values: () => ({ centre: signed(average(4)), corner: signed(average(0)), edge: signed(average(1)) }),
      stage: (stage) => averages(average, stage),
    },
    { words: words.planes, guess: { kind: "number", min: 0, max: 18, step: 1, start: 3, right: 6, close: 1 }, stage: () => planes(words) }, // prettier-ignore
    {
      words: words.counting,
      guess: { kind: "choice", right: "some" },
      values: () => ({ tictactoe: total(countByDepth(TICTACTOE, 9)).toLocaleString("en") }),
      stage: (stage) => counting(words, stage),
    },
    {
      words: words.carried,
      guess: { kind: "stage", say: (action) => moveName("connect4", action) },
      stage: (stage) => choosing(words, stage),
    },
  ];
}

function turnWords(words, position) {
  if (!position.finished) return filled(words.toMove, { player: PLAYERS[position.player] });
  const result = position.line.length ? filled(words.won, { player: PLAYERS[1 - position.player] }) : words.drawn;
  return filled(words.over, { result });
}

/** A board of tic-tac-toe to play on, with what `about(position)` says below it. */
function playground(words, about, first = []) {
  const below = h("div", { class: "stack", "aria-live": "polite" });
  let position = TICTACTOE.after(first);
  const show = (next) => {
    position = next;
    board.show(position, { playable: true });
    below.replaceChildren(...about(position));
  };
  const board = lessonBoard("tictactoe", { onMove: (action) => show(TICTACTOE.play(position, action)) });
  show(position);
  return h(
    "div",
    { class: "stack small-board" },
    board.element,
    below,
    button(words.again, () => show(TICTACTOE.start()), "small"),
  );
}

/** φ(s) and A(s) of a position. */
function facts(words, position) {
  const legal = TICTACTOE.legal(position).map((action) => moveName("tictactoe", action));
  const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  return h(
    "dl",
    { class: "facts" },
    fact(words.turn, position.finished ? "–" : h("span", { class: "phi" }, position.player === 0 ? "1" : "−1")),
    fact(words.count, legal.length),
    fact(words.actions, legal.join(", ") || words.none),
  );
}

/** A game's moves with their rewards, and a board to make another one. */
function rewards(words, stage) {
  const shown = scrollBox(words.table.name, "scroll");
  const show = (moves) => shown.replaceChildren(rewardTable(words.table, moves), sums(words.table, moves));
  const element = h("div", { class: "stack" }, smallGame(GAME));
  stage.onReveal(() => {
    show(GAME);
    const own = playground(words, (position) => {
      if (position.finished) show(position.moves);
      return [h("p", { class: "center" }, turnWords(words, position))];
    });
    element.replaceChildren(shown, h("p", {}, words.table.own), own);
  });
  return element;
}

/** A game as a row of small boards. */
const smallGame = (moves) =>
  h(
    "div",
    { class: "small-game" },
    moves.map((_, i) => smallBoard("tictactoe", TICTACTOE.after(moves.slice(0, i + 1)), 84)),
  );

/** R(s, a) of every move of a finished game: the result, as the player sees it who made the move. */
function withRewards(moves) {
  const result = TICTACTOE.result(TICTACTOE.after(moves));
  return moves.map((action, i) => ({ action, before: TICTACTOE.after(moves.slice(0, i)), player: i % 2, reward: (i % 2 === 0 ? 1 : -1) * result || 0 })); // prettier-ignore
}

const rewardTable = (words, moves) =>
  table(
    [
      { name: words.position, of: ({ before }) => smallBoard("tictactoe", before, 44) },
      { name: words.turn, right: true, of: ({ player }) => (player === 0 ? "1" : "−1") },
      { name: words.action, of: ({ action, player }) => `${PLAYERS[player]} ${moveName("tictactoe", action)}` },
      { name: words.reward, right: true, kind: "reward", of: ({ reward }) => signed(reward, 0) },
    ],
    withRewards(moves),
  );

function sums(words, moves) {
  const sum = (who) => withRewards(moves).reduce((all, { player, reward }) => all + (player === who ? reward : 0), 0);
  return h("p", { class: "sums" }, filled(words.sums, { x: signed(sum(0), 0), o: signed(sum(1), 0) }));
}

/** The average reward of every first move. */
function averages(average, stage) {
  const board = lessonBoard("tictactoe");
  const start = TICTACTOE.start();
  board.show(start);
  stage.onReveal(() =>
    board.note(
      TICTACTOE.legal(start).map((action) => ({ action, text: signed(average(action)), weight: average(action) })),
    ),
  );
  return h("div", { class: "small-board" }, board.element);
}

/** A board whose squares can be changed, its planes and its vector. */
function planes(words) {
  const cells = [...PAPERS];
  const element = h("div", { class: "stack" });
  const what = (owner) => PLAYERS[owner] ?? words.empty;
  const show = () => {
    const numbers = planesOf({ cells });
    const kind = (number) => (number === 1 ? "on" : "");
    const board = namedGrid("s", cells.map((owner) => PLAYERS[owner] ?? ""), 3, {
      kind: (_, i) => (cells[i] === null ? "square" : `square p${cells[i]}`),
      named: (i) => filled(words.cell, { name: moveName("tictactoe", i), what: what(cells[i]) }),
      onPick: (i) => {
        cells[i] = { 0: 1, 1: null }[cells[i]] ?? (cells[i] === null ? 0 : null);
        show();
        element.querySelectorAll("button")[i].focus();
      },
    }); // prettier-ignore
    element.replaceChildren(
      h("div", { class: "row" }, board, namedGrid(words.planeNames.first, numbers.slice(0, 9), 3, { kind }), namedGrid(words.planeNames.second, numbers.slice(9), 3, { kind })), // prettier-ignore
      namedGrid(words.planeNames.vector, numbers, 18, { kind, look: "vector" }),
    );
  };
  show();
  return element;
}

const total = (levels) => levels.reduce((sum, { positions }) => sum + positions, 0);

/** How many positions there are after so many moves: counted when the answer may be seen. */
function counting(words, stage) {
  const element = h("div", { class: "stack" });
  const one = (title, game, depth) => {
    const began = performance.now();
    const levels = countByDepth(game, depth);
    const ms = Math.round(performance.now() - began);
    const all = total(levels).toLocaleString("en");
    return h(
      "section",
      {},
      h("h3", {}, title),
      table(
        [
          { name: words.counted.moves, right: true, of: ({ moves }) => moves },
          { name: words.counted.positions, right: true, of: ({ positions }) => positions.toLocaleString("en") },
          { name: words.counted.finished, right: true, of: ({ finished }) => finished.toLocaleString("en") },
        ],
        levels,
        { kind: "count-table" },
      ),
      h("p", { class: "small muted" }, filled(words.counted.took, { count: all, ms })),
    );
  };
  stage.onReveal(() =>
    element.replaceChildren(
      one(words.counted.tictactoe, TICTACTOE, 9),
      one(filled(words.counted.connect4, { depth: DEPTH }), CONNECT4, DEPTH),
    ),
  );
  return element;
}

/** The position that goes through all lessons, to choose a move in. */
function choosing(words, stage) {
  const said = h("p", { class: "center", "aria-live": "polite" });
  const board = lessonBoard("connect4", { onMove: (action) => stage.guess(action) });
  board.show(carried(), { playable: true });
  stage.onReveal((action) => {
    board.show(action === null ? carried() : CONNECT4.play(carried(), action));
    if (action !== null) said.textContent = filled(words.carried.noted, { column: moveName("connect4", action) });
  });
  return h("div", { class: "stack" }, board.element, said);
}
