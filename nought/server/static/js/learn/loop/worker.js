// The thread in which tic-tac-toe is learned, so that the page stays quick. It is told { knobs, seed, watched } and says
// what happens; boards only as often as they can be looked at.

import { learn } from "./learning.js";

const TELLING = 80; // ms between two looks at the boards

addEventListener("message", ({ data }) => {
  const began = performance.now();
  let said = 0;
  for (const event of learn({ ...data, watched: Int8Array.from(data.watched) })) {
    const now = performance.now();
    if (event.kind !== "version" && now < said + TELLING) continue;
    said = now;
    postMessage({ ...event, seconds: (now - began) / 1000 });
  }
  postMessage({ kind: "done", seconds: (performance.now() - began) / 1000 });
});
