// Training: the runs on this machine as they go, and how one position was judged by each of their versions.

import * as api from "../api.js";
import { lineChart } from "../charts.js";
import { h, pause } from "../dom.js";
import { choice } from "../parts/form.js";
import { loading } from "../parts/problem.js";
import { versionsView } from "../parts/versions.js";
import { gameTitle, percent } from "../words.js";

export const title = "Training";
const REFRESH = 4000; // ms

export function render(view) {
  return loading(view.root, view.signal, async () => {
    const [games, runs] = await Promise.all([api.games(), api.runs(view.signal)]);
    const head = h(
      "header",
      { class: "page-head" },
      h(
        "div",
        {},
        h("h1", {}, "Training"),
        h("p", {}, "Networks that learn from nothing but the rules, on this machine."),
      ),
    );
    if (!runs.length)
      return [
        head,
        h(
          "div",
          { class: "card empty" },
          h(
            "p",
            {},
            "There is no training run here yet. One command starts one; it can be watched on this page while it learns.",
          ),
          h("p", {}, h("code", {}, "nought train connect4")),
        ),
      ];
    const name = view.params.run ?? runs[0].name;
    const body = h("div");
    loading(body, view.signal, async () => runView(view, games, await api.run(name, view.signal)));
    head.append(
      choice(
        "Run",
        runs.map((run) => [run.name, `${run.name} · ${gameTitle(games, run.game)} · ${run.state}`]),
        name,
        (chosen) => view.go(`/training/${encodeURIComponent(chosen)}`),
      ),
    );
    return [head, body];
  });
}

function runView(view, games, run) {
  const state = h("section", { class: "card run-state" });
  const charts = h("div", { class: "charts" });
  const gates = h("section", { class: "card" });
  const draw = () => {
    state.replaceChildren(...progress(games, run));
    charts.replaceChildren(...figures(run.metrics));
    gates.replaceChildren(h("h2", {}, "Gate: each new network against the best so far"), gateTable(run.metrics));
  };
  draw();
  const game = games.find((one) => one.name === run.game);
  const versions = game && versionsView(view, game, run.name);
  watch(view, run, (fresh) => {
    if (fresh.version !== run.version) versions?.reload();
    run = fresh;
    draw();
  });
  return h("div", { class: "stack" }, state, charts, versions, gates);
}

/** Asks again while the run is going on. */
async function watch(view, run, onRun) {
  while (run.state === "running" && !view.signal.aborted) {
    await pause(REFRESH, view.signal);
    if (view.signal.aborted || document.hidden) continue;
    try {
      run = await api.run(run.name, view.signal);
      onRun(run);
    } catch {
      /* asked again soon; the banner says that the server is away */
    }
  }
}

function progress(games, run) {
  const [done, all, unit] = run.minutes_planned
    ? [run.minutes.toFixed(1), run.minutes_planned.toFixed(1), "minutes"]
    : [run.iteration, run.iterations, "iterations"];
  const last = run.metrics.at(-1);
  const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  const exam = [...run.metrics].reverse().find((one) => one.exam)?.exam;
  return [
    h(
      "div",
      { class: "row spread" },
      h(
        "h2",
        {},
        run.name,
        " ",
        h("span", { class: `tag ${{ running: "good", done: "plain", stopped: "unsure" }[run.state]}` }, run.state),
      ),
      h("span", { class: "muted" }, gameTitle(games, run.game)),
    ),
    run.share
      ? h(
          "div",
          {},
          h("progress", { value: run.share, max: 1, "aria-label": "Progress of the run" }),
          h("p", { class: "small muted" }, all ? `${done} of ${all} ${unit}` : percent(run.share)),
        )
      : "",
    h(
      "dl",
      { class: "facts" },
      fact("Iteration", run.iteration),
      fact("Version", run.version),
      fact("Minutes", run.minutes.toFixed(1)),
      last && fact("Positions in the window", last.window.toLocaleString()),
      last && fact("Games in the last iteration", last.selfplay.games.toLocaleString()),
      exam?.accuracy !== null && exam?.accuracy !== undefined && fact("Right moves", percent(exam.accuracy)),
    ),
  ];
}

/** What was measured, iteration by iteration. */
function figures(metrics) {
  const card = (name, text, chart) =>
    h("section", { class: "card" }, h("h2", {}, name), h("p", { class: "muted small" }, text), chart);
  const exams = metrics.filter((one) => one.exam);
  const rated = exams.filter((one) => one.exam.elo);
  const gated = metrics.filter((one) => one.gate.elo !== null && one.gate.accepted);
  const right = exams.filter((one) => one.exam.accuracy !== null);
  const over = (key) => metrics.map((one) => [one.iteration, one.learning[key]]);
  return [
    (rated.length > 0 || gated.length > 0) &&
      card(
        "Strength",
        rated.length ? "Elo with its 95 % interval; version 0 has 100." : "Elo by the gate's games.",
        rated.length
          ? lineChart(
              [
                {
                  name: "Elo",
                  points: rated.map((one) => [one.version, one.exam.elo[0]]),
                  band: rated.map((one) => [one.version, one.exam.elo[1], one.exam.elo[2]]),
                },
              ],
              { label: "Elo of each version", format: whole, xName: "version" },
            )
          : lineChart([{ name: "Elo", points: gated.map((one) => [one.version, one.gate.elo]) }], {
              label: "Elo of each version",
              format: whole,
              xName: "version",
            }),
      ),
    right.length > 0 &&
      card(
        "Accuracy",
        "Share of labelled positions in which the network's favourite move keeps the outcome of perfect play.",
        lineChart([{ name: "Right moves", points: right.map((one) => [one.version, one.exam.accuracy]) }], {
          label: "Accuracy against perfect play",
          format: percent,
          xName: "version",
        }),
      ),
    card(
      "Policy loss",
      "How far the network's moves are from the search's. The dashed line is the least it could be.",
      lineChart(
        [
          { name: "policy loss", points: over("policy_loss") },
          { name: "least possible", points: over("policy_entropy"), quiet: true },
        ],
        { label: "Policy loss", format: (v) => v.toFixed(2), xName: "iteration" },
      ),
    ),
    card(
      "Value loss",
      "How far the predicted results are from those of the games.",
      lineChart([{ name: "value loss", points: over("value_loss") }], {
        label: "Value loss",
        format: (v) => v.toFixed(3),
        xName: "iteration",
      }),
    ),
  ].filter(Boolean);
}

const whole = (value) => `${Math.round(value)}`;

function gateTable(metrics) {
  const played = metrics
    .filter((one) => one.gate.wins + one.gate.draws + one.gate.losses > 0)
    .slice(-12)
    .reverse();
  if (!played.length) return h("p", { class: "muted small" }, "Every new network was accepted without a match.");
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": "Gate results" },
    h(
      "table",
      { class: "table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { class: "right" }, "Iteration"),
          h("th", {}, "Won · drawn · lost"),
          h("th", {}, ""),
          h("th", {}, "Verdict"),
        ),
      ),
      h(
        "tbody",
        {},
        played.map(({ iteration, gate }) => {
          const all = gate.wins + gate.draws + gate.losses;
          return h(
            "tr",
            {},
            h("td", { class: "right" }, iteration),
            h("td", {}, `${gate.wins} · ${gate.draws} · ${gate.losses}`),
            h(
              "td",
              { class: "gate-cell" },
              h(
                "span",
                { class: "gate-bar" },
                ["wins", "draws", "losses"].map((key) =>
                  h("i", { class: key, style: { width: `${(100 * gate[key]) / all}%` } }),
                ),
              ),
            ),
            h(
              "td",
              {},
              h(
                "span",
                { class: `tag ${gate.accepted ? "good" : "plain"}` },
                gate.accepted ? "accepted" : "kept the old one",
              ),
            ),
          );
        }),
      ),
    ),
  );
}
