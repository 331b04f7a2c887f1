// node learn.mjs: asks the lessons' own modules. A question a line comes in, and an answer a line goes out.

import path from "node:path";
import readline from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

const page = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../nought/server/static/js");
const module = (name) => import(pathToFileURL(path.join(page, name)));
const { everyGame, moveValue, rightMoves, trueValue } = await module("learn/loop/truth.js");
const { allPositions, boardAfter } = await module("learn/loop/tictactoe.js");
const { KNOBS, learn } = await module("learn/loop/learning.js");
const { LittleNetwork } = await module("learn/loop/little-network.js");
const { bestMove } = await module("learn/loop/little-search.js");
const { randomFrom } = await module("learn/loop/random.js");
const { Layers, maskedSoftmax } = await module("learn/maths/trained.js");
const { learnHeads, realLoss } = await module("learn/maths/heads.js");
const { networkOf } = await module("thinking/machine.js");

const ANSWERS = {
  positions: () => allPositions().map((board) => [[...board], trueValue(board)]),
  values: ({ moves }) => boardAfter(moves).reduce((all, stone, cell) => (stone ? all : { ...all, [cell]: moveValue(boardAfter(moves), cell) }), {}),
  perfect() {
    const best = (board) => [...board.keys()].filter((cell) => !board[cell]).sort((a, b) => moveValue(board, b) - moveValue(board, a))[0];
    const worst = (board) => [...board.keys()].filter((cell) => !board[cell]).sort((a, b) => moveValue(board, a) - moveValue(board, b))[0];
    return { best: everyGame(best).lost.length, right: rightMoves(best), worst: everyGame(worst).lost.length, wrong: rightMoves(worst) };
  },
  network({ seed, board, policy, result }) {
    const network = new LittleNetwork(randomFrom(seed), 7);
    const said = network.evaluate(board);
    const losses = network.study({ board, policy, result });
    const numbers = (of) => network.layers.flatMap((layer) => [[...of(layer).weights], [...of(layer).biases]]);
    return { weights: numbers((layer) => layer), gradients: numbers(({ gradients }) => gradients), policy: [...said.policy], value: said.value, losses };
  },
  learn({ seed, ...knobs }) {
    const learning = learn({ seed, knobs: { ...KNOBS, ...knobs } });
    const versions = [];
    let next = learning.next();
    for (; !next.done; next = learning.next()) if (next.value.kind === "version") versions.push(next.value);
    const chosen = allPositions().map((board) => [[...board], bestMove(board, next.value, { ...KNOBS, ...knobs }.simulations)]);
    return { versions, chosen };
  },
  look({ file, checksum, actions, planes, off }) {
    const bytes = Buffer.from(file, "base64");
    const layers = new Layers(networkOf(new Uint8Array(bytes).buffer, checksum), actions);
    const { seen, logits, value } = layers.see(planes, off);
    const sums = layers.steps.map((step, i) => (step.kind === 0 ? layers.sumAt(i, seen[i], 3, 17) : null));
    return { outputs: seen.map(({ outputs }) => outputs), logits, value, sums, policy: maskedSoftmax(logits) };
  },
  step({ file, checksum, actions, planes, wanted, result, rate }) {
    const bytes = Buffer.from(file, "base64");
    const layers = new Layers(networkOf(new Uint8Array(bytes).buffer, checksum), actions);
    const before = realLoss(layers, planes, wanted, result);
    learnHeads(layers, before, rate);
    return { before, after: realLoss(layers, planes, wanted, result) };
  },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(ANSWERS[question.ask](question))}\n`);
}
