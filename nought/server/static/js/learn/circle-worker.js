// The thread in which the circle is learned, so that the page never waits for it.

import { CircleLearner } from "./maths/demos.js";
import { seeded } from "./maths/network.js";

const SIZE = 50, // of the map that is drawn
  PICTURE = 120; // ms between two maps
let [learner, running, shown] = [null, false, 0];

function tell() {
  shown = performance.now();
  const { steps, loss, right } = learner;
  postMessage({ steps, loss, right, map: learner.map(SIZE) });
}

function go() {
  if (!running) return;
  learner.learn();
  if (performance.now() - shown > PICTURE) tell();
  setTimeout(go); // so that it hears when it is to stop
}

addEventListener("message", ({ data }) => {
  if (data.begin) {
    learner = new CircleLearner(seeded(data.begin.seed), data.begin.scaled);
    running = false;
  }
  if (data.once) learner.learn();
  if (data.run !== undefined) {
    running = data.run;
    if (running) return go();
  }
  tell();
});
