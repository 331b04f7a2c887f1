// The supervised demonstration: a map of what a network thinks is inside of a circle, while it learns.

import { h, s } from "../../dom.js";
import { percent } from "../../model/words.js";
import { lineChart } from "../../parts/charts.js";
import { button } from "../../parts/form.js";
import { RADIUS } from "../maths/demos.js";
import { filled } from "../words.js";

const SEED = 1;

/** `scaled` as the program of 003 does it: slopes times the loss. */
export function circleDemo(words, stage, scaled = false) {
  const worker = new Worker(new URL("../circle-worker.js", import.meta.url), { type: "module" });
  stage.signal.addEventListener("abort", () => worker.terminate());
  const canvas = h("canvas", { class: "circle-map", role: "img", "aria-label": words.map });
  const circle = s(
    "svg",
    { class: "map-circle", viewBox: "0 0 1 1", "aria-hidden": "true" },
    s("circle", { cx: 0.5, cy: 0.5, r: RADIUS }),
  );
  const probe = [h("i", { class: "inside-colour" }), h("i", { class: "outside-colour" })];
  const facts = h("p", { class: "working" });
  const chart = h("div");
  let [losses, running] = [[], false];

  const ask = (message) => worker.postMessage(message);
  const begin = () => {
    losses = [];
    set(false);
    ask({ begin: { seed: SEED, scaled } });
  };
  const set = (now) => {
    running = now;
    go.textContent = running ? words.pause : words.go;
  };
  worker.addEventListener("message", ({ data: { steps, loss, right, map } }) => {
    paint(canvas, map, probe);
    if (loss === null) {
      facts.textContent = words.untrained;
      chart.replaceChildren();
      return;
    }
    losses.push([steps, loss]);
    facts.textContent = filled(words.facts, { steps, loss: loss.toFixed(4), right: percent(right) });
    chart.replaceChildren(
      lineChart([{ name: words.loss, points: losses }], { label: words.chart, low: 0, high: 0.3, format: (value) => value.toFixed(2), xName: words.axis, height: 130 }), // prettier-ignore
    );
  });
  const toggle = () => {
    set(!running);
    ask({ run: running });
  };
  const go = button(words.go, toggle, "primary");
  const buttons = h("div", { class: "row" }, go, button(words.once, () => ask({ once: true })), button(words.again, begin)); // prettier-ignore
  const element = h("div", { class: "stack" }, h("div", { class: "map-box" }, canvas, circle, probe), h("p", { class: "small muted" }, words.legend)); // prettier-ignore
  begin();
  stage.onReveal(() => element.append(buttons, facts, chart));
  return element;
}

/** Draws a map: each point between the colour of inside (0) and that of outside (1), as they are in this theme. */
function paint(canvas, map, probe) {
  const size = Math.sqrt(map.length);
  Object.assign(canvas, { width: size, height: size });
  const context = canvas.getContext("2d");
  const [inner, outer] = probe.map((one) => rgb(context, getComputedStyle(one).color));
  const image = context.createImageData(size, size);
  map.forEach((share, i) => {
    for (let c = 0; c < 3; c++) image.data[4 * i + c] = inner[c] + share * (outer[c] - inner[c]);
    image.data[4 * i + 3] = 255;
  });
  context.putImageData(image, 0, 0);
}

/** A colour, however it is written, as red, green and blue. */
function rgb(context, colour) {
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data];
}
