// A trained network and one position: its loss, the slopes by its outputs, and steps of learning on its last layers.

import { h } from "../../dom.js";
import { signed } from "../../model/words.js";
import { button } from "../../parts/form.js";
import { learnHeads, realLoss } from "../maths/heads.js";
import { planesOf } from "../maths/value.js";
import { carried } from "../position.js";
import { trainedLayers } from "../trained.js";
import { filled } from "../words.js";
import { bars } from "./bars.js";
import { moveName } from "./board.js";
import { dial } from "./dial.js";

const RIGHT = [0, 0, 0, 0, 0, 0, 1], // column 7
  WON = 1,
  CELLS = 42;

export function trainedStep(words, stage) {
  const room = h("div", { class: "stack", "aria-live": "polite" }, h("p", { class: "muted" }, words.coming));
  const numbers = planesOf(carried(), [carried().player, 1 - carried().player]);
  const planes = [numbers.slice(0, CELLS), numbers.slice(CELLS)];
  let [layers, first, steps] = [null, null, 0];

  const look = () => realLoss(layers, planes, RIGHT, WON);
  const show = () => {
    const seen = look();
    const list = (values) => values.map((value, action) => ({ name: filled(words.column, { column: moveName("connect4", action) }), value })); // prettier-ignore
    room.replaceChildren(
      h("p", { class: "working" }, filled(words.loss, { loss: seen.loss.toFixed(3), error: seen.error.toFixed(3), policy: seen.policy.toFixed(3), value: signed(seen.value) })), // prettier-ignore
      h("h3", {}, words.moves),
      bars(list(seen.shares), { label: words.moves }),
      h("h3", {}, words.slopes),
      bars(list(seen.slopes.policy), { label: words.slopes, show: (value) => signed(value) }),
      h("p", { class: "small muted" }, filled(words.steps, { steps })),
    );
  };
  const step = () => {
    learnHeads(layers, look(), rate.value);
    steps++;
    show();
  };
  const again = () => {
    layers.floats.set(first);
    steps = 0;
    show();
  };
  const rate = dial(words.rate, { min: 0.001, max: 0.02, step: 0.001, value: 0.005 });
  const element = h("div", { class: "stack" });
  stage.onReveal(async () => {
    element.replaceChildren(room);
    layers = await trainedLayers(stage.signal).catch(() => null);
    if (stage.signal.aborted) return;
    if (!layers) return room.replaceChildren(h("p", { class: "muted" }, words.away));
    first = layers.floats.slice();
    show();
    element.append(rate, h("div", { class: "row" }, button(words.step, step, "primary"), button(words.again, again)));
  });
  return element;
}
