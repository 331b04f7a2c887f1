// The thread in which tic-tac-toe is learned, so that the page stays quick. It is told { knobs, seed, watched } and says
// what happens, of each kind only as much as can be looked at. { slowly } is heard meanwhile; later { board } is answered
// with a move.

import { learn } from "./learning.js";
import { bestMove } from "./little-search.js";

const TELLING = 60; // ms between two events of a kind
const SLOWLY = 180; // ms for each move that is to be watched

let slow = false;
let learned = null; // the network and how long it thinks

addEventListener("message", ({ data }) => {
  if ("slowly" in data) slow = data.slowly;
  else if (data.board) answer(Int8Array.from(data.board));
  else study(data);
});

/** Lets the page be heard. */
const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

async function study({ knobs, seed, watched }) {
  const began = performance.now();
  const learning = learn({ knobs, seed, watched: Int8Array.from(watched) });
  const said = {}; // kind → when
  for (;;) {
    const { done, value } = learning.next();
    const now = performance.now();
    const seconds = (now - began) / 1000;
    if (done) {
      learned = { network: value, simulations: knobs.simulations };
      postMessage({ kind: "done", seconds });
      return;
    }
    if (value.kind !== "version" && now < (said[value.kind] ?? 0) + TELLING) continue;
    said[value.kind] = now;
    postMessage({ ...value, seconds });
    await pause(slow && value.kind === "boards" ? SLOWLY : 0);
  }
}

function answer(board) {
  postMessage({ kind: "move", move: bestMove(board, learned.network, learned.simulations) });
}
