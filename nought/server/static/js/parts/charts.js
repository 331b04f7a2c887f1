// Charts in SVG: lines with bands for what is measured, and the value graph of a game.

import { h, s } from "../dom.js";
import { MARKS } from "./moves.js";

const WIDTH = matchMedia("(max-width: 820px)").matches ? 340 : 560; // so that words keep their size on a phone
const LEFT = 44,
  RIGHT = 14,
  TOP = 12,
  BOTTOM = 24;

/** Round numbers that divide a range into a few parts, at least `least` apart. */
function ticks(low, high, count = 4, least = 0) {
  const raw = Math.max(least, (high - low) / count || 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw * 0.999);
  const found = [];
  for (let tick = Math.ceil(low / step - 1e-9) * step; tick <= high + step * 1e-6; tick += step)
    found.push(Number(tick.toPrecision(12)));
  return found;
}

/**
 * A chart of series [{ name, points: [[x, y], …], band?: [[x, low, high], …], quiet? }], with a legend for several.
 * `format` writes a value, `step` is the least one that it tells apart; `label` says in words what is shown;
 * `element.at(x)` sets a cursor.
 */
export function lineChart(series, { label, height = 190, format = String, step = 0, xName = "", low, high } = {}) {
  const points = series.flatMap((one) => [
    ...one.points,
    ...(one.band ?? []).flatMap(([x, a, b]) => [
      [x, a],
      [x, b],
    ]),
  ]);
  if (!points.length) return h("p", { class: "muted small" }, "Nothing measured yet.");
  const xs = points.map(([x]) => x),
    ys = points.map(([, y]) => y);
  const frame = scale(
    [Math.min(...xs), Math.max(...xs)],
    low === undefined ? rounded(Math.min(...ys), Math.max(...ys), step) : [low, high],
    height,
  );
  const reader = s("g", { class: "reading", "aria-hidden": "true" });
  const chart = s(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": summary(label, series, format) },
    axes(frame, height, format, step, xName),
    series.map((one, i) => [band(one, look(one, i), frame), path(one, look(one, i), frame)]),
    reader,
  );
  chart.addEventListener("pointermove", (event) =>
    read(reader, nearestX(event, chart, frame, xs), series, frame, height, format),
  );
  chart.addEventListener("pointerleave", () => reader.replaceChildren());
  const legend =
    series.length > 1 &&
    h(
      "p",
      { class: "legend" },
      series.map((one, i) => h("span", {}, h("i", { class: look(one, i) }), one.name)),
    );
  const cursor = s("path", { class: "cursor" });
  chart.append(cursor);
  const element = h("figure", {}, chart, legend || []);
  return Object.assign(element, { at: (x) => cursor.setAttribute("d", upright(x, frame, height)) });
}

const look = (one, i) => (one.quiet ? "quiet" : `s${i}`);

/** The range between the round numbers around it. */
function rounded(low, high, least) {
  if (low === high) [low, high] = [low - 1, high + 1];
  const [a, b = a + 1] = ticks(low, high, 4, least);
  const step = b - a;
  return [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
}

function scale([x0, x1], [y0, y1], height) {
  const width = WIDTH - LEFT - RIGHT,
    tall = height - TOP - BOTTOM;
  return {
    x: (value) => LEFT + (x1 === x0 ? width / 2 : ((value - x0) / (x1 - x0)) * width),
    y: (value) => TOP + tall - ((value - y0) / (y1 - y0)) * tall,
    x0,
    x1,
    y0,
    y1,
  };
}

function axes(frame, height, format, step, xName) {
  return s(
    "g",
    {},
    ticks(frame.y0, frame.y1, 4, step).map((tick) => [
      s("path", { class: "axis", d: `M${LEFT} ${frame.y(tick)}H${WIDTH - RIGHT}` }),
      s("text", { x: LEFT - 7, y: frame.y(tick) + 4, "text-anchor": "end" }, format(tick)),
    ]),
    below(frame, 6, height),
    xName && s("text", { x: WIDTH - RIGHT, y: height - BOTTOM - 5, "text-anchor": "end" }, xName),
  );
}

/** The numbers below a chart: versions, games and moves are whole. */
const below = (frame, count, height) =>
  ticks(frame.x0, frame.x1, count, 1).map((tick) =>
    s("text", { x: frame.x(tick), y: height - 7, "text-anchor": "middle" }, tick),
  );

/** A line through points. */
const through = (points, frame) =>
  points.map(([x, y], n) => `${n ? "L" : "M"}${frame.x(x).toFixed(1)} ${frame.y(y).toFixed(1)}`).join("");

const upright = (x, frame, height) => `M${frame.x(x)} ${TOP}V${height - BOTTOM}`;

function path(one, kind, frame) {
  if (one.points.length === 1) {
    const [[x, y]] = one.points;
    return s("circle", { class: `point ${kind}`, cx: frame.x(x), cy: frame.y(y), r: 4 });
  }
  return s("path", { class: `series ${kind}`, d: through(one.points, frame) });
}

function band(one, kind, frame) {
  if (!one.band?.length) return null;
  const up = one.band.map(([x, , high]) => `${frame.x(x)},${frame.y(high)}`);
  const down = one.band.map(([x, low]) => `${frame.x(x)},${frame.y(low)}`).reverse();
  return s("polygon", { class: `band ${kind}`, points: [...up, ...down].join(" ") });
}

function nearestX(event, chart, frame, xs) {
  const box = chart.getBoundingClientRect();
  const at = ((event.clientX - box.left) / box.width) * WIDTH;
  return xs.reduce((best, x) => (Math.abs(frame.x(x) - at) < Math.abs(frame.x(best) - at) ? x : best), xs[0]);
}

/** The values under the pointer. */
function read(reader, x, series, frame, height, format) {
  const rows = series.flatMap((one) =>
    one.points.filter(([at]) => at === x).map(([, y]) => `${series.length > 1 ? `${one.name} ` : ""}${format(y)}`),
  );
  const left = frame.x(x) > WIDTH * 0.6;
  reader.replaceChildren(
    s("path", { class: "cursor", d: upright(x, frame, height) }),
    ...[`${x}`, ...rows].map((text, i) =>
      s(
        "text",
        {
          class: "reader",
          x: frame.x(x) + (left ? -7 : 7),
          y: TOP + 10 + 15 * i,
          "text-anchor": left ? "end" : "start",
        },
        text,
      ),
    ),
  );
}

function summary(label, series, format) {
  return `${label}. ${series
    .filter((one) => one.points.length)
    .map((one) => {
      const [first, last] = [one.points[0][1], one.points.at(-1)[1]];
      return `${one.name}: from ${format(first)} to ${format(last)}`;
    })
    .join("; ")}.`;
}

/**
 * The value of a game for X after each ply, with marks: values[ply] in −1…1 or null, flags [{ ply, verdict }].
 * `onPick(ply)` is told of a click; `element.at(ply)` moves the cursor.
 */
export function valueGraph(values, flags, onPick, height = 130) {
  const last = Math.max(values.length - 1, 1);
  const frame = scale([0, last], [-1, 1], height);
  const known = values.map((value, ply) => [ply, value]).filter(([, value]) => value !== null);
  const cursor = s("path", { class: "cursor" });
  const chart = s(
    "svg",
    {
      class: "chart pick",
      viewBox: `0 0 ${WIDTH} ${height}`,
      role: "img",
      "aria-label": `Value of the game for X after each of ${values.length - 1} moves; click to go there`,
    },
    s("rect", { x: LEFT, y: TOP, width: WIDTH - LEFT - RIGHT, height: height - TOP - BOTTOM, fill: "transparent" }),
    halves(known, frame),
    s("path", { class: "axis zero", d: `M${LEFT} ${frame.y(0)}H${WIDTH - RIGHT}` }),
    [
      ["X wins", 1],
      ["even", 0],
      ["O wins", -1],
    ].map(([word, y]) => s("text", { x: LEFT - 6, y: frame.y(y) + 4, "text-anchor": "end" }, word)),
    known.length > 1 && s("path", { class: "series", d: through(known, frame), stroke: "currentColor" }),
    flags.map(({ ply, verdict }) =>
      s(
        "text",
        { class: `flag ${verdict}`, x: frame.x(ply), y: frame.y(values[ply] ?? 0) - 8, "text-anchor": "middle" },
        MARKS[verdict],
      ),
    ),
    below(frame, 8, height),
    cursor,
  );
  chart.addEventListener("click", (event) =>
    onPick(
      nearestX(
        event,
        chart,
        frame,
        values.map((_, ply) => ply),
      ),
    ),
  );
  const element = h("figure", {}, chart);
  return Object.assign(element, {
    at: (ply) => cursor.setAttribute("d", ply === null || ply > last ? "" : upright(ply, frame, height)),
  });
}

/** The areas above and below zero, each in the colour of who is ahead. */
function halves(known, frame) {
  if (known.length < 2) return null;
  const crossed = known.flatMap(([ply, value], i) => {
    const [before, old] = known[i - 1] ?? [ply, value];
    return old * value < 0
      ? [
          [before + (ply - before) * (old / (old - value)), 0],
          [ply, value],
        ]
      : [[ply, value]];
  });
  const area = (clamp) => crossed.map(([ply, value]) => `${frame.x(ply)},${frame.y(clamp(value))}`);
  const base = `${frame.x(known.at(-1)[0])},${frame.y(0)} ${frame.x(known[0][0])},${frame.y(0)}`;
  return [
    s("polygon", { class: "above", points: `${area((v) => Math.max(v, 0)).join(" ")} ${base}` }),
    s("polygon", { class: "below", points: `${area((v) => Math.min(v, 0)).join(" ")} ${base}` }),
  ];
}
