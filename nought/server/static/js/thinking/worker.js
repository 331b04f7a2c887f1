// The thread in which an agent thinks. A question is { id, ask, … }, its answer { id, answer } or { id, problem }; while it
// thinks it says how far it is: { id, progress }. A question that comes meanwhile is answered at once.

import { found, varied } from "./found.js";
import { lacking, Machine, networkOf } from "./machine.js";
import { lineMoves, moveName, positionAfter, positionOf } from "./seen.js";

const SLICE = 15; // ms of thought before others are heard
const TELLING = 100; // ms between two words about how far it is

let machine = null; // a promise: it knows the rules
let ready = null; // and that it can think
let thinking = 0; // the number of the last thought that was asked for
let level = 0; // and its simulations

/** Addresses of the module and of the network, if there is one; the facts, or where they are. */
function load({ facts, code, network }) {
  machine = Promise.all([
    typeof facts === "string" ? fetched(facts).then((response) => response.json()) : facts,
    fetched(code).then((response) => response.arrayBuffer()),
  ]).then(understand);
  ready = network ? Promise.all([machine, fetched(network)]).then(learn) : machine.then(() => null);
  ready.catch(() => {}); // said when somebody asks
  return machine.then(() => null);
}

function understand([facts, code]) {
  const missing = lacking(code);
  if (missing) throw new Error(missing);
  return new Machine(code, facts);
}

async function learn([there, response]) {
  there.learn(networkOf(await response.arrayBuffer(), there.facts.checksum));
}

async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${new URL(address).pathname} is not there (${response.status}).`);
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
  ready: () => ready,
  look: (there, { actions }) => positionAfter(there, actions),
  read: (there, { moves }) => positionOf(there, moves),

  /**
   * Searches the position after these moves, and says which to play: not always the same. Null if something else is to be
   * thought about by then. What earlier searches have seen is used, unless it is to be `fresh`.
   */
  async think(there, { id, actions, simulations, fresh }) {
    thinking = id;
    await ready;
    if (thinking !== id) return null;
    if (fresh || !actions.length || simulations < level) there.forget(); // what a higher level has seen, too
    level = simulations;
    const position = positionAfter(there, actions);
    there.begin(actions.length, simulations);
    let said = performance.now();
    for (let end = said + SLICE; there.round();) {
      const now = performance.now();
      if (now < end) continue;
      if (now > said + TELLING) {
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
  const moves = analysis.moves.map((move) => ({
    ...move,
    name: moveName(there.facts, position, move.action),
    line_moves: lineMoves(there, position.actions, move.line),
  }));
  return { ...analysis, position, moves };
}

addEventListener("message", async ({ data }) => {
  try {
    const answer = data.ask === "load" ? await load(data) : await ANSWERS[data.ask](await machine, data);
    postMessage({ id: data.id, answer });
  } catch (error) {
    postMessage({ id: data.id, problem: error.message });
  }
});
