// node site.mjs SITE: asks an exported site's own modules. A question a line comes in, and an answer a line goes out.

import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";

const site = path.resolve(process.argv[2]);
const module = (name) => import(path.join(site, "js/thinking", name));
const [{ lacking, Machine, networkOf }, { lineMoves, positionAfter, positionOf }, { alternatives, found }] = await Promise.all(
  ["machine.js", "seen.js", "found.js"].map(module),
);
const read = (name) => new Uint8Array(fs.readFileSync(path.join(site, name))).buffer;
const facts = JSON.parse(fs.readFileSync(path.join(site, "agent.json")));
const machine = new Machine(read("game.wasm"), facts);
machine.learn(networkOf(read("network.bin"), facts.checksum));

const ANSWERS = {
  look: ({ actions }) => positionAfter(machine, actions),
  read: ({ moves }) => positionOf(machine, moves).actions,
  lines: ({ actions, line }) => lineMoves(machine, actions, line),
  think({ actions, simulations }) {
    positionAfter(machine, actions);
    machine.forget();
    machine.begin(actions.length, simulations);
    while (machine.round());
    return { ...found(machine), alternatives: [...alternatives(machine)] };
  },
  rollouts({ actions, simulations, seed }) {
    machine.facts = { ...facts, network: 0 };
    machine.longs[facts.search.places.random] = BigInt(seed);
    const answer = ANSWERS.think({ actions, simulations });
    machine.facts = facts;
    return answer;
  },
  damaged() {
    const file = read("network.bin");
    new Uint8Array(file)[file.byteLength - 1] ^= 1;
    return networkOf(file, facts.checksum);
  },
  lacking: () => lacking(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 99])),
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  let answer;
  try {
    answer = { answer: ANSWERS[question.ask](question) };
  } catch (error) {
    answer = { problem: error.message };
  }
  console.log(JSON.stringify(answer));
}
