// Back-propagation through a network of two inputs, two neurons and one output, every number of it.

import { h } from "../../dom.js";
import { button } from "../../parts/form.js";
import { table } from "../../parts/table.js";
import { meanSquare, Network } from "../maths/network.js";
import { filled } from "../words.js";
import { dial } from "./dial.js";
import { netPicture } from "./net.js";

const X = [0.5, 1],
  TRUTH = [1],
  RATE = 0.5,
  NUDGE = 0.0001;
const short = (number, digits = 3) => String(Number(number.toFixed(digits))).replace("-", "−");
const list = (numbers) => [...numbers].map((one) => short(one)).join(", ");

/** The network with its weights before the step. */
function firstNet() {
  const network = new Network([2, 2, 1], ["tanh", "tanh"]);
  const [hidden, out] = network.layers;
  hidden.w.set([0.4, 0.3, -0.2, 0.6]);
  hidden.b.set([0.1, 0]);
  out.w.set([0.5, -0.7]);
  out.b.set([0.2]);
  return network;
}

const lossOf = (network) => meanSquare(network.forward(X, 1), TRUTH);

/** The working of a neuron's sum: "0.4 · 0.5 + 0.3 · 1 + 0.1". */
const working = (weights, inputs, bias) =>
  [...[...weights].map((w, i) => `${short(w)} · ${short(inputs[i])}`), short(bias)].join(" + ");

/** All lines of the way forward, backward and downhill: [{ way, text }]. */
function allLines(words) {
  const network = firstNet();
  const { loss, slopes } = lossOf(network);
  network.backward(slopes);
  const [hidden, out] = network.layers;
  const found = [];
  const line = (way, name, values) => found.push({ way, text: filled(words.lines[name], values) });
  for (const i of [0, 1]) {
    const value = short(hidden.a[i]);
    line("forward", "sum", { i: i + 1, working: working(hidden.w.slice(2 * i, 2 * i + 2), X, hidden.b[i]), value });
    line("forward", "out", { a: value, value: short(hidden.y[i]) });
  }
  const [a, y] = [short(out.a[0]), short(out.y[0])];
  line("forward", "sumOut", { working: working(out.w, hidden.y, out.b[0]), value: a });
  line("forward", "outOut", { a, value: y });
  line("forward", "loss", { y, t: short(TRUTH[0]), value: short(loss) });
  line("backward", "dy", { value: short(out.dy[0]) });
  line("backward", "da", { slope: short(1 - out.y[0] ** 2), dy: short(out.dy[0]), value: short(out.da[0]) });
  line("backward", "dw", { values: list(out.dw) });
  line("backward", "db", { value: short(out.db[0]) });
  line("backward", "back", { values: list(hidden.dy) });
  line("backward", "daHidden", { values: list(hidden.da) });
  line("backward", "dwHidden", { values: list(hidden.dw) });
  line("backward", "dbHidden", { values: list(hidden.db) });
  network.step(RATE);
  line("down", "new", { rate: short(RATE), values: list([...hidden.w, ...hidden.b, ...out.w, ...out.b]) });
  line("down", "better", { value: short(lossOf(network).loss), before: short(loss) });
  return found;
}

/** The network as a picture: with what went forward and, from a line on, with what comes back. */
function picture(words, count) {
  const network = firstNet();
  const { slopes } = lossOf(network);
  network.backward(slopes);
  const [hidden, out] = network.layers;
  const back = count > 9;
  const inputs = X.map((x, i) => ({ name: `x${"₁₂"[i]}`, value: short(x) }));
  const middle = [0, 1].map((i) => ({
    name: filled(words.hidden, { i: "₁₂"[i] }),
    value: count > 2 * i + 1 ? short(hidden.y[i], 2) : "?",
    below: back && count > 11 ? `ΔY ${short(hidden.dy[i], 2)}` : null,
  }));
  const end = [{ name: words.output, value: count > 5 ? short(out.y[0], 2) : "?", below: count > 7 ? `ΔY ${short(out.dy[0], 2)}` : null }]; // prettier-ignore
  const weights = [
    [0, 1].map((j) => [0, 1].map((i) => `${short(hidden.w[2 * j + i])}`)),
    [[...out.w].map((w) => short(w))],
  ];
  return netPicture([inputs, middle, end], weights, words.net);
}

/** The picture and the lines, one after the other. */
export function backPropagation(words, stage) {
  const lines = allLines(words);
  const room = h("div", { class: "stack" });
  const text = h("div", { class: "stack back-lines", "aria-live": "polite" });
  const show = (count) => {
    const shown = lines.slice(0, count);
    room.replaceChildren(picture(words, count));
    text.replaceChildren(
      ...Object.entries(words.ways)
        .filter(([way]) => shown.some((one) => one.way === way))
        .map(([way, title]) =>
          h(
            "section",
            {},
            h("h3", {}, title),
            h(
              "ol",
              {},
              shown.map((one, i) => one.way === way && h("li", { class: i === count - 1 ? "newest" : null }, one.text)),
            ),
          ),
        ),
    );
  };
  const far = dial(words.shown, { min: 1, max: lines.length, value: lines.length, oninput: show });
  const next = button(words.nextLine, () => { far.value += 1; show(far.value); }, "small"); // prettier-ignore
  show(0);
  stage.onReveal(() => {
    far.value = 1;
    show(1);
    room.after(h("div", { class: "row" }, far, next));
  });
  return h("div", { class: "stack" }, room, text);
}

/** Every slope by back-propagation, and by changing one weight after the other. */
export function slopesBothWays(words, stage) {
  const network = firstNet();
  const { loss, slopes } = lossOf(network);
  network.backward(slopes);
  const rows = network.layers.flatMap((layer, l) =>
    [["w", layer.w, layer.dw], ["b", layer.b, layer.db]].flatMap(([kind, values, known]) =>
      [...values].map((value, i) => {
        values[i] = value + NUDGE;
        const tried = (lossOf(network).loss - loss) / NUDGE;
        values[i] = value;
        return { name: `${kind}${l + 1},${i + 1} = ${short(value)}`, back: known[i], tried };
      }),
    ),
  ); // prettier-ignore
  const element = h("div", { class: "stack" });
  stage.onReveal(() =>
    element.replaceChildren(
      h("h3", {}, words.table.name),
      table(
        [
          { name: words.table.weight, of: ({ name }) => name },
          { name: words.table.back, right: true, of: ({ back }) => short(back, 4) },
          { name: words.table.tried, right: true, of: ({ tried }) => short(tried, 4) },
        ],
        rows,
        { kind: "slope-table" },
      ),
    ),
  );
  return element;
}
