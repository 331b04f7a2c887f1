// node browser.mjs MODULE MEMORY ANSWERS ROUNDS OUT: goes on with a search that was begun elsewhere, for so many rounds, and
// leaves its memory. ANSWERS holds what the evaluator says: floats, policy and value of each position in turn.

import fs from "node:fs";

const [module, memoryFile, answersFile, facts, out] = process.argv.slice(2);
const { rounds, actions, policy, value, logCount } = JSON.parse(facts);
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(module)));
const begun = fs.readFileSync(memoryFile);
const answers = new Float32Array(new Uint8Array(fs.readFileSync(answersFile)).buffer);
const place = Math.ceil(exports.free.value / 64) * 64;
exports.memory.grow(Math.ceil((place + begun.length) / 65536));
new Uint8Array(exports.memory.buffer).set(begun, place);
const floats = new Float32Array(exports.memory.buffer, place);
const ints = new Int32Array(exports.memory.buffer, place);
let at = 0;
for (let round = 0; round < rounds; round++) {
  const count = exports.browser_advance(place, begun.length / 8, 0, 0, 0);
  for (let i = 0; i < count; i++, at += actions + 1) {
    floats.set(answers.subarray(at, at + actions), policy + i * actions);
    floats[value + i] = answers[at + actions];
  }
  ints[logCount] = 0;
}
fs.writeFileSync(out, new Uint8Array(exports.memory.buffer, place, begun.length));
console.log(at);
