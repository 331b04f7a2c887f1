// The unsupervised demonstration: centroids that find groups of points by themselves.

import { h, s } from "../../dom.js";
import { lineChart } from "../../parts/charts.js";
import { button, segments } from "../../parts/form.js";
import { Quantiser } from "../maths/demos.js";
import { seeded } from "../maths/network.js";
import { filled } from "../words.js";
import { dial } from "./dial.js";

const AT_ONCE = 5; // updates between two pictures, as in the program of 003

export function quantiserDemo(words, stage) {
  let [seed, clumps, running] = [2, false, false];
  let quantiser, errors, dots, crosses;
  const picture = s("svg", { class: "points", viewBox: "0 0 100 100", role: "img", "aria-label": words.picture });
  const facts = h("p", { class: "working" });
  const chart = h("div");

  const begin = () => {
    quantiser = new Quantiser(seeded(seed), { clumps });
    errors = [];
    dots = quantiser.points.map(([x, y]) => s("circle", { cx: 100 * x, cy: 100 * y, r: 1.1 }));
    crosses = quantiser.centroids.map((_, i) => s("g", { class: `centroid g${i}` }, s("circle", { r: 3.4 }), s("text", { y: 1.6 }, i + 1))); // prettier-ignore
    picture.replaceChildren(...dots, ...crosses);
    show();
  };
  const show = () => {
    dots.forEach((one, i) => one.setAttribute("class", `g${quantiser.nearest(quantiser.points[i])}`));
    crosses.forEach((one, i) => {
      const [x, y] = quantiser.centroids[i];
      one.setAttribute("transform", `translate(${100 * x} ${100 * y})`);
    });
    const error = quantiser.error();
    if (quantiser.updates % 50 === 0) errors.push([quantiser.updates, error]);
    facts.textContent = filled(words.facts, { updates: quantiser.updates.toLocaleString("en"), error: error.toFixed(4) }); // prettier-ignore
    if (quantiser.updates % 50 === 0)
      chart.replaceChildren(
        lineChart([{ name: words.error, points: errors }], { label: words.chart, low: 0, high: 0.08, format: (value) => value.toFixed(2), xName: words.axis, height: 130 }), // prettier-ignore
      );
  };
  const some = (count) => {
    for (let i = 0; i < count; i++) quantiser.update(share.value);
    show();
  };
  const frame = () => {
    if (!running || stage.signal.aborted) return;
    some(AT_ONCE);
    requestAnimationFrame(frame);
  };
  const toggle = () => {
    running = !running;
    go.textContent = running ? words.pause : words.go;
    if (running) frame();
  };
  const again = () => {
    seed += 1;
    begin();
  };
  const go = button(words.go, toggle, "primary");
  const share = dial(words.share, { min: 0.01, max: 0.5, step: 0.01, value: 0.05 });
  const which = segments(words.where, Object.entries(words.places), "anywhere", (place) => {
    clumps = place === "clumps";
    begin();
  });
  begin();
  const element = h("div", { class: "stack" }, picture);
  stage.onReveal(
    () =>
    element.append(h("div", { class: "row" }, go, button(words.once, () => some(50 - (quantiser.updates % 50))), button(words.again, again)), facts, share, which, chart), // prettier-ignore
  );
  return element;
}
