// A small network that learns tic-tac-toe from perfect play, in view.

import { h } from "../../dom.js";
import { percent, signed } from "../../model/words.js";
import { lineChart } from "../../parts/charts.js";
import { button } from "../../parts/form.js";
import { accuracyOf, ACTIONS, draw, entropyFloor, inputsOf, learnFrom, legalOf } from "../maths/examples.js";
import { Network, playersLoss, seeded } from "../maths/network.js";
import { TICTACTOE } from "../maths/rows.js";
import { filled } from "../words.js";
import { bars } from "./bars.js";
import { moveName, readMoves, smallBoard } from "./board.js";

const SEED = 5,
  BATCH = 256,
  RATE = 0.1,
  MOMENTUM = 0.9,
  FRAME = 12; // ms of learning between two pictures
const WATCHED = TICTACTOE.after(readMoves("tictactoe", "b1a1b2c1c3a2")); // that of lesson 2: b3 wins

/** The network before it has learned anything: 18 inputs, 64 neurons, 9 moves and a value. */
export const newPlayer = () => new Network([18, 64, ACTIONS + 1], ["relu", "linear"], seeded(SEED));

/** The network, what it thinks of one position, and its loss while it learns. */
export function player(words, examples, stage) {
  const network = newPlayer();
  const random = seeded(SEED + 1);
  const floor = entropyFloor(examples);
  const losses = [];
  let [steps, last, running] = [0, null, false];
  const room = h("div", { class: "stack" });

  const learn = () => {
    const loss = learnFrom(network, draw(examples, BATCH, random), RATE, MOMENTUM);
    last = last === null || steps < 20 ? loss : blend(last, loss);
    if (steps % 10 === 0) losses.push([steps, last.loss]);
    steps++;
  };
  const blend = (a, b) => Object.fromEntries(["loss", "policy", "value"].map((key) => [key, 0.95 * a[key] + 0.05 * b[key]])); // prettier-ignore

  const show = () => {
    const legal = legalOf(WATCHED);
    const out = network.forward(inputsOf(WATCHED), 1);
    const { shares } = playersLoss(out, Array(ACTIONS + 1).fill(0), legal, ACTIONS);
    const moves = TICTACTOE.legal(WATCHED).map((action) => ({ name: moveName("tictactoe", action), value: shares[action] })); // prettier-ignore
    const number = (value) => value.toFixed(3);
    room.replaceChildren(
      h(
        "div",
        { class: "row beside" },
        smallBoard("tictactoe", WATCHED, 92),
        h(
          "div",
          { class: "grow stack" },
          h("h3", {}, words.moves),
          bars(moves, { label: words.moves, show: (value) => percent(value) }),
          h("h3", {}, words.value),
          bars([{ name: words.valueName, value: Math.tanh(out[ACTIONS]) }, { name: "", value: -0 }].slice(0, 1), { label: words.value, show: (value) => signed(value) }), // prettier-ignore
        ),
      ),
      ...(last
        ? [
            h("p", { class: "working" }, filled(words.facts, { size: network.size.toLocaleString("en"), steps: steps.toLocaleString("en"), loss: number(last.loss), policy: number(last.policy), value: number(last.value) })), // prettier-ignore
            h("p", { class: "right-share" }, filled(words.right, { share: percent(accuracyOf(network, examples)), count: examples.count.toLocaleString("en") })), // prettier-ignore
            lineChart(
              [
                { name: words.loss, points: losses },
                { name: words.floor, points: [[0, floor], [Math.max(steps, 1), floor]], quiet: true },
              ],
              { label: words.chart, low: 0, high: 3, format: (value) => value.toFixed(1), xName: words.axis, height: 150 },
            ),
          ]
        : []),
    ); // prettier-ignore
  };

  const some = (count) => {
    for (let i = 0; i < count; i++) learn();
    show();
  };
  const frame = () => {
    if (!running || stage.signal.aborted) return;
    const began = performance.now();
    while (performance.now() - began < FRAME) learn();
    if (steps % 5 === 0 || steps < 50) show();
    requestAnimationFrame(frame);
  };
  const toggle = () => {
    running = !running;
    go.textContent = running ? words.pause : words.go;
    if (running) frame();
    else show();
  };
  const go = button(words.go, toggle, "primary");
  show();
  stage.onReveal(() =>
    room.before(
      h(
        "div",
        { class: "row" },
        go,
        button(words.one, () => some(1)),
        button(words.hundred, () => some(100)),
      ),
    ),
  );
  return h("div", { class: "stack" }, room);
}
