// The thread that thinks. A question is { id, ask, … }, its answer { id, answer } or { id, problem }; while it thinks it
// says how far it is: { id, progress }. A question that comes meanwhile is answered at once.

import { found, varied } from "./found.js";
import { lacking, Machine, networkOf } from "./machine.js";
import { moveName, positionAfter } from "./seen.js";

const SLICE = 15; // ms of thought before others are heard

const machine = load();
let thinking = 0; // the number of the last thought that was asked for
let level = 0; // and its simulations

async function load() {
  const [facts, code, network] = await Promise.all([
    fetched("agent.json").then((response) => response.json()),
    fetched("game.wasm").then((response) => response.arrayBuffer()),
    fetched("network.bin").then((response) => response.arrayBuffer()),
  ]);
  const missing = lacking(code);
  if (missing) throw new Error(missing);
  return new Machine(code, facts, networkOf(network, facts.checksum));
}

async function fetched(name) {
  const response = await fetch(new URL(`../${name}`, import.meta.url));
  if (!response.ok) throw new Error(`${name} is not there (${response.status}).`);
  return response;
}

/** Lets others be heard; timers would wait some milliseconds each time. */
const { port1, port2 } = new MessageChannel();
const pause = () =>
  new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(null);
  });

const ANSWERS = {
  facts: ({ facts }) => facts,
  look: (there, { actions }) => positionAfter(there, actions),

  /**
   * Searches the position after these moves, and says which to play: not always the same. Null if something else is to be
   * thought about by then.
   */
  async think(there, { id, actions, simulations }) {
    thinking = id;
    if (!actions.length || simulations < level) there.forget(); // what a higher level has seen
    level = simulations;
    const position = positionAfter(there, actions);
    there.begin(actions.length, simulations);
    let said = performance.now();
    for (let end = said + SLICE; there.round();) {
      const now = performance.now();
      if (now < end) continue;
      if (now > said + 100) {
        said = now;
        postMessage({ id, progress: named(there, position) });
      }
      await pause();
      if (thinking !== id) return null;
      end = performance.now() + SLICE;
    }
    return { ...named(there, position), played: varied(there, Math.random()) };
  },

  stop() {
    thinking = 0;
  },
};

/** What is found, with the names of the moves. */
function named(there, position) {
  const analysis = found(there);
  const name = (action) => moveName(there.facts, position, action);
  return { ...analysis, position, moves: analysis.moves.map((move) => ({ ...move, name: name(move.action) })) };
}

addEventListener("message", async ({ data }) => {
  try {
    postMessage({ id: data.id, answer: await ANSWERS[data.ask](await machine, data) });
  } catch (error) {
    postMessage({ id: data.id, problem: error.message });
  }
});
