// Lesson 6: a trained network while it looks at a position: planes, layers, a filter switched off, both heads.

import { h } from "../../dom.js";
import { PLAYERS, signed } from "../../model/words.js";
import { choice } from "../../parts/form.js";
import { scrollBox, table } from "../../parts/table.js";
import { CONNECT4 } from "../maths/rows.js";
import { shareBars } from "../parts/shares.js";
import { moveName, readMoves } from "../parts/board.js";
import { namedGrid } from "../parts/grid.js";
import { bigMap, maps } from "../parts/maps.js";
import { Sight, moveRows } from "../parts/sight.js";
import { sumOf } from "../parts/sums.js";
import { MOVES, carried } from "../position.js";
import { trainedLayers } from "../trained.js";
import { filled } from "../words.js";

const TOWER = 9; // layers, before the heads
const ROW = "4433"; // a position in which X has an open row
const IMPORTANT = { step: 0, channel: 7 }; // the filter that the network needs most there
const SHOWN = 1; // the filter of a layer that is shown first
const FULL = `${MOVES}44`; // our position, two moves on: column 4 has no room left
const COLUMNS = 7,
  ROWS = 6;

const cellName = (cell) => `${"abcdefg"[cell % COLUMNS]}${ROWS - Math.floor(cell / COLUMNS)}`;
const percent = (share) => `${(100 * share).toFixed(1)} %`;

export async function steps(words, view) {
  const sight = new Sight(await trainedLayers(view.signal));
  const say = ({ policy, value }) => {
    const best = policy.indexOf(Math.max(...policy));
    return { best: moveName("connect4", best), share: percent(policy[best]), value: signed(value) };
  };
  sight.position = CONNECT4.after(readMoves("connect4", ROW));
  const [whole, other] = [say(sight.look(null)), say(sight.look(IMPORTANT))];
  sight.position = carried();
  const values = { ...whole, filter: IMPORTANT.channel + 1, otherBest: other.best, otherShare: other.share, otherValue: other.value }; // prettier-ignore
  return [
    { words: words.planes, guess: { kind: "choice", right: "swap" }, stage: () => planes(words, sight) },
    { words: words.stem, guess: { kind: "choice", right: "eighteen" }, stage: (stage) => layer(words, sight, stage, 0) },
    { words: words.tower, guess: { kind: "choice", right: "seven" }, stage: (stage) => tower(words, sight, stage) },
    { words: withValues(words.off, values), guess: { kind: "choice", right: "other" }, values: () => values, stage: (stage) => switching(words, sight, stage) }, // prettier-ignore
    { words: words.heads, guess: { kind: "choice", right: "number" }, stage: (stage) => heads(words, sight, stage) },
  ]; // prettier-ignore
}

/** A step whose question has values in it, too. */
const withValues = (step, values) => ({
  ...step,
  text: step.text.map((text) => filled(text, values)),
  question: filled(step.question, values),
  choices: Object.fromEntries(Object.entries(step.choices).map(([key, text]) => [key, filled(text, values)])),
});

/** The board and its two planes. */
function planes(words, sight) {
  const grids = h("div", { class: "side-by-side" });
  const show = () => {
    const [own, other] = sight.planes;
    const kind = (number) => (number ? "on" : "");
    grids.replaceChildren(
      namedGrid(words.planeNames.own, own, COLUMNS, { kind }),
      namedGrid(words.planeNames.other, other, COLUMNS, { kind }),
    );
  };
  const board = sight.board(words, show, "tiny");
  show();
  return h("div", { class: "stack" }, board, grids);
}

/** One layer: its maps, one of them in numbers, and how a number came about. */
function layer(words, sight, stage, at) {
  const element = h("div", { class: "stack" });
  let [filter, cell] = [SHOWN, null]; // of a new filter, the cell where it says most
  const show = () => {
    const { seen } = sight.look(null);
    const { outputs } = seen[at];
    const names = { filter: filter + 1, layer: at + 1 };
    const strongest = (numbers) => numbers.indexOf(Math.max(...numbers));
    cell ??= strongest(outputs[filter]);
    const sum = h("div", { "aria-live": "polite" });
    const numbers = bigMap(filled(words.layers.map, names), outputs[filter], {
      chosen: cell,
      named: (i) => filled(words.cellNamed, { cell: cellName(i), number: outputs[filter][i].toFixed(2) }),
      onPoint: (i) => {
        cell = i;
        numbers.mark(i);
        explain();
      },
    });
    const inputs = (i) => (at === 0 ? words.plane[["own", "other"][i]] : filled(words.sum.filter, { filter: i + 1 }));
    const explain = () => {
      const found = sight.layers.sumAt(at, seen[at], filter, cell);
      const title = h("h3", {}, filled(words.sum.title, { cell: cellName(cell) }));
      sum.replaceChildren(title, sumOf(words.sum, found, inputs));
    };
    element.replaceChildren(
      maps(filled(words.layers.maps, names), outputs, {
        chosen: filter,
        named: (i) => filled(words.mapNamed, { filter: i + 1, most: cellName(strongest(outputs[i])) }),
        onPick: (i) => {
          [filter, cell] = [i, null];
          show();
          element.querySelectorAll(".maps button")[i].focus();
        },
      }),
      h("h3", {}, filled(words.layers.map, names)),
      numbers,
      sum,
    );
    stage.onReveal(explain);
    if (!stage.revealed) sum.replaceChildren(h("p", { class: "small muted" }, words.sum.point));
  };
  show();
  return element;
}

const layerChoice = (words, at, onPick) => {
  const named = Array.from({ length: TOWER }, (_, i) => [String(i), filled(words.layers.tower, { layer: i + 1 })]);
  return choice(words.layers.label, named, String(at), (value) => onPick(Number(value)));
};

/** All layers of the tower, one at a time. */
function tower(words, sight, stage) {
  const room = h("div");
  const pick = (at) => room.replaceChildren(layer(words, sight, stage, at));
  pick(2);
  return h("div", { class: "stack" }, layerChoice(words, 2, pick), room);
}

/** Another position for the time of a step. */
function visiting(sight, stage, moves) {
  sight.position = CONNECT4.after(readMoves("connect4", moves));
  stage.signal.addEventListener("abort", () => {
    sight.position = carried();
  });
}

/** Policy and value with all filters, and with one of them switched off. */
function switching(words, sight, stage) {
  const element = h("div", { class: "stack" });
  let at = IMPORTANT.step;
  let off = null;
  visiting(sight, stage, ROW);
  const board = sight.board(words, () => show(), "tiny");
  const opinion = (title, { value, ...found }, kind) =>
    h(
      "section",
      { class: kind },
      h("h3", {}, title),
      shareBars(title, moveRows(found)),
      h("p", { class: "value-line" }, `${words.off.value}: `, h("strong", {}, signed(value))),
    );
  const show = () => {
    const whole = sight.look(null);
    const changed = off === null ? null : sight.look({ step: at, channel: off });
    const names = { filter: (off ?? 0) + 1, layer: at + 1 };
    element.replaceChildren(
      board,
      h(
        "div",
        { class: "side-by-side" },
        opinion(words.off.all, whole, "whole"),
        changed && opinion(filled(words.off.without, names), changed, "without"),
      ),
      ...(stage.revealed ? chooser(whole) : []),
    );
  };
  const chooser = (whole) => [
    layerChoice(words, at, (next) => {
      at = next;
      show();
    }),
    maps(filled(words.layers.maps, { layer: at + 1 }), whole.seen[at].outputs, {
      chosen: off,
      named: (i) => filled(words.filter, { filter: i + 1 }),
      kind: (i) => (i === off ? "off" : ""),
      onPick: (i) => {
        off = i === off ? null : i;
        show();
        element.querySelectorAll(".maps button")[i].focus();
      },
    }),
  ];
  show();
  stage.onReveal(() => {
    off = IMPORTANT.channel;
    show();
  });
  return element;
}

/** From logits to the policy, and the value head. */
function heads(words, sight, stage) {
  const { heads: names } = words;
  const found = h("div", { class: "stack" });
  visiting(sight, stage, FULL);
  const show = () => {
    if (!stage.revealed) return;
    const { seen, logits, raw, policy, allowed, value } = sight.look(null);
    const units = seen.at(-2).outputs;
    const [sum] = seen.at(-1).outputs;
    const columns = [
      { name: names.column, of: (action) => h("strong", {}, moveName("connect4", action)) },
      { name: names.logit, right: true, of: (action) => signed(logits[action]) },
      { name: names.power, right: true, of: (action) => Math.exp(logits[action]).toFixed(2) },
      { name: names.all, right: true, of: (action) => percent(raw[action]) },
      { name: names.legal, right: true, of: (action) => (allowed[action] ? percent(policy[action]) : names.masked) },
    ];
    const about = (action) => ({ class: allowed[action] ? "" : "masked" });
    found.replaceChildren(
      scrollBox(names.table, "scroll", table(columns, [...logits.keys()], { kind: "logits", about })),
      h("h3", {}, names.units),
      unitStrip(names.units, units),
      h(
        "dl",
        { class: "terms" },
        h("div", {}, h("dt", {}, names.beforeTanh), h("dd", {}, signed(sum))),
        h("div", { class: "total" }, h("dt", {}, names.value), h("dd", { class: "output" }, signed(value))),
        h("div", {}, h("dt", {}, filled(names.move, { player: PLAYERS[sight.position.player] })), h("dd", {}, "")),
      ),
    );
  };
  const board = sight.board(words, show, "tiny");
  stage.onReveal(show);
  return h("div", { class: "stack" }, board, found);
}

/** Numbers as a strip of cells, the more, the darker. */
function unitStrip(label, units) {
  const most = Math.max(1e-6, ...units);
  const cell = (unit) => h("i", { style: { "--strength": `${Math.round((100 * Math.max(0, unit)) / most)}%` } });
  return h("div", { class: "units", role: "img", "aria-label": label }, units.map(cell));
}
