// Training: the runs on this machine as they go, and how one position was judged by each of their versions.

import { h, pause } from "../dom.js";
import { named } from "../model/addresses.js";
import * as api from "../model/api.js";
import { gameNamed } from "../model/games.js";
import { gameTitle, percent, whole } from "../model/words.js";
import { lineChart } from "../parts/charts.js";
import { choice } from "../parts/form.js";
import { emptyCard, pageHead } from "../parts/page.js";
import { loading } from "../parts/problem.js";
import { scrollBox, table } from "../parts/table.js";
import { versionsView } from "../parts/versions.js";

export const title = "Training";
const REFRESH = 4000; // ms

export function render(view) {
  return loading(view.root, view.signal, async (signal) => {
    const [games, runs] = await Promise.all([api.games(), api.runs(signal)]);
    const head = (...tools) =>
      pageHead(title, "Networks that learn from nothing but the rules, on this machine.", ...tools);
    if (!runs.length) return [head(), noRuns()];
    const name = view.params.run ?? runs[0].name;
    const body = h("div");
    loading(body, view.signal, async (here) => runView(view, games, await api.run(name, here)));
    const known = runs.map((run) => [run.name, `${run.name} · ${gameTitle(games, run.game)} · ${run.state}`]);
    return [head(choice("Run", known, name, (chosen) => view.go(named("/training", chosen)))), body];
  });
}

function noRuns() {
  const text =
    "There is no training run here yet. One command starts one; it can be watched on this page while it learns.";
  return emptyCard(h("p", {}, text), h("p", {}, h("code", {}, "nought train connect4")));
}

function runView(view, games, run) {
  const state = h("section", { class: "card run-state" });
  const charts = h("div", { class: "charts" });
  const gates = h("section", { class: "card" });
  const machines = h("div");
  const draw = () => {
    state.replaceChildren(...progress(games, run));
    machines.replaceChildren(...machineCard(run.metrics.at(-1)?.selfplay.nodes ?? []));
    charts.replaceChildren(...figures(run.metrics));
    gates.replaceChildren(h("h2", {}, "Gate: each new network against the best so far"), gateTable(run.metrics));
  };
  draw();
  const game = gameNamed(games, run.game);
  const versions = game && versionsView(view, game, run.name);
  watch(view, run, (fresh) => {
    if (fresh.version !== run.version) versions?.reload();
    run = fresh;
    draw();
  });
  return h("div", { class: "stack" }, state, machines, charts, versions, gates);
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
      exam?.accuracy != null && fact("Right moves", percent(exam.accuracy)),
    ),
  ];
}

/** What each machine of a cluster gave to the last iteration; nothing where the learner's machine plays alone. */
function machineCard(nodes) {
  if (!nodes.length) return [];
  const speed = (node) => (node.seconds ? (node.players * node.positions) / node.seconds : 0);
  const columns = [
    { name: "Machine", of: (node) => node.node },
    { name: "Players", of: (node) => node.players, right: true },
    { name: "Positions", of: (node) => node.positions.toLocaleString(), right: true },
    { name: "A second", of: (node) => Math.round(speed(node)).toLocaleString(), right: true },
    { name: "Version", of: (node) => node.version, right: true },
    { name: "Too old", of: (node) => node.dropped.toLocaleString(), right: true },
  ];
  const text = "What each machine of the cluster gave to the last iteration.";
  return [
    h(
      "section",
      { class: "card" },
      h("h2", {}, "Machines"),
      h("p", { class: "muted small" }, text),
      scrollBox("Machines", "scroll", table(columns, nodes)),
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
        lineChart([rated.length ? examined(rated) : gatedOnly(gated)], {
          label: "Elo of each version",
          format: whole,
          step: 1,
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
          step: 0.01,
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
        { label: "Policy loss", format: (v) => v.toFixed(2), step: 0.01, xName: "iteration" },
      ),
    ),
    card(
      "Value loss",
      "How far the predicted results are from those of the games.",
      lineChart([{ name: "value loss", points: over("value_loss") }], {
        label: "Value loss",
        format: (v) => v.toFixed(3),
        step: 0.001,
        xName: "iteration",
      }),
    ),
  ].filter(Boolean);
}

const examined = (rated) => ({
  name: "Elo",
  points: rated.map((one) => [one.version, one.exam.elo[0]]),
  band: rated.map((one) => [one.version, one.exam.elo[1], one.exam.elo[2]]),
});
const gatedOnly = (gated) => ({ name: "Elo", points: gated.map((one) => [one.version, one.gate.elo]) });

/** How the last networks did against the best one before them. */
function gateTable(metrics) {
  const played = metrics
    .map(({ iteration, gate }) => ({ iteration, gate, all: gate.wins + gate.draws + gate.losses }))
    .filter(({ all }) => all > 0)
    .slice(-12)
    .reverse();
  if (!played.length) return h("p", { class: "muted small" }, "Every new network was accepted without a match.");
  const part = (key, { gate, all }) => h("i", { class: key, style: { width: `${(100 * gate[key]) / all}%` } });
  const bar = (row) =>
    h(
      "span",
      { class: "gate-bar" },
      ["wins", "draws", "losses"].map((key) => part(key, row)),
    );
  const verdict = ({ gate }) =>
    h("span", { class: `tag ${gate.accepted ? "good" : "plain"}` }, gate.accepted ? "accepted" : "kept the old one");
  const columns = [
    { name: "Iteration", right: true, of: (row) => row.iteration },
    { name: "Won · drawn · lost", of: ({ gate }) => `${gate.wins} · ${gate.draws} · ${gate.losses}` },
    { name: "", kind: "gate-cell", of: bar },
    { name: "Verdict", of: verdict },
  ];
  return scrollBox("Gate results", "scroll", table(columns, played));
}
