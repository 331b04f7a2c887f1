// Training: the runs on this machine as they go, and how one position was judged by each of their versions.

import * as api from "../api.js";
import { createBoard } from "../board/board.js";
import { lineChart } from "../charts.js";
import { h, pause } from "../dom.js";
import { button, choice } from "../parts/form.js";
import { loading } from "../parts/problem.js";
import { chance, gameTitle, joinMoves, percent, PLAYERS, signed } from "../words.js";

export const title = "Training";
const REFRESH = 4000; // ms

export function render(view) {
  return loading(view.root, view.signal, async () => {
    const [games, runs] = await Promise.all([api.games(), api.runs(view.signal)]);
    const head = h("header", { class: "page-head" }, h("div", {}, h("h1", {}, "Training"), h("p", {}, "Networks that learn from nothing but the rules, on this machine.")));
    if (!runs.length) return [head, h("div", { class: "card empty" }, h("p", {}, "There is no training run here yet. One command starts one; it can be watched on this page while it learns."), h("p", {}, h("code", {}, "nought train connect4")))];
    const name = view.params.run ?? runs[0].name;
    const body = h("div");
    loading(body, view.signal, async () => runView(view, games, await api.run(name, view.signal)));
    head.append(choice("Run", runs.map((run) => [run.name, `${run.name} · ${gameTitle(games, run.game)} · ${run.state}`]), name, (chosen) => view.go(`/training/${encodeURIComponent(chosen)}`)));
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
  watch(view, run, (fresh) => { run = fresh; draw(); });
  const game = games.find((one) => one.name === run.game);
  return h("div", { class: "stack" }, state, charts, game ? judgeView(view, game, run) : "", gates);
}

/** Asks again while the run is going on. */
async function watch(view, run, onRun) {
  while (run.state === "running" && !view.signal.aborted) {
    await pause(REFRESH, view.signal);
    if (view.signal.aborted || document.hidden) continue;
    try {
      run = await api.run(run.name, view.signal);
      onRun(run);
    } catch { /* asked again soon; the banner says that the server is away */ }
  }
}

function progress(games, run) {
  const [done, all, unit] = run.minutes_planned ? [run.minutes, run.minutes_planned, "minutes"] : [run.iteration, run.iterations, "iterations"];
  const last = run.metrics.at(-1);
  const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  const exam = [...run.metrics].reverse().find((one) => one.exam)?.exam;
  return [h("div", { class: "row spread" }, h("h2", {}, run.name, " ", h("span", { class: `tag ${{ running: "good", done: "plain", stopped: "unsure" }[run.state]}` }, run.state)), h("span", { class: "muted" }, gameTitle(games, run.game))),
    all ? h("div", {}, h("progress", { value: Math.min(done, all), max: all, "aria-label": "Progress of the run" }), h("p", { class: "small muted" }, `${done.toFixed(unit === "minutes" ? 1 : 0)} of ${all} ${unit}`)) : "",
    h("dl", { class: "facts" }, fact("Iteration", run.iteration), fact("Version", run.version), fact("Minutes", run.minutes.toFixed(1)),
      last && fact("Positions in the window", last.window.toLocaleString()), last && fact("Games in the last iteration", last.selfplay.games.toLocaleString()),
      exam?.accuracy !== null && exam?.accuracy !== undefined && fact("Right moves", percent(exam.accuracy)))];
}

/** What was measured, iteration by iteration. */
function figures(metrics) {
  const card = (name, text, chart) => h("section", { class: "card" }, h("h2", {}, name), h("p", { class: "muted small" }, text), chart);
  const exams = metrics.filter((one) => one.exam);
  const rated = exams.filter((one) => one.exam.elo);
  const gated = metrics.filter((one) => one.gate.elo !== null && one.gate.accepted);
  const right = exams.filter((one) => one.exam.accuracy !== null);
  const over = (key) => metrics.map((one) => [one.iteration, one.learning[key]]);
  return [
    (rated.length > 0 || gated.length > 0) && card("Strength", rated.length ? "Elo over the untrained network, with its 95 % interval." : "Elo by the gate's games.", rated.length
      ? lineChart([{ name: "Elo", points: rated.map((one) => [one.version, one.exam.elo[0]]), band: rated.map((one) => [one.version, one.exam.elo[1], one.exam.elo[2]]) }], { label: "Elo of each version", format: whole, xName: "version" })
      : lineChart([{ name: "Elo", points: gated.map((one) => [one.version, one.gate.elo]) }], { label: "Elo of each version", format: whole, xName: "version" })),
    right.length > 0 && card("Accuracy", "Share of labelled positions in which the network's favourite move keeps the outcome of perfect play.",
      lineChart([{ name: "Right moves", points: right.map((one) => [one.version, one.exam.accuracy]) }], { label: "Accuracy against perfect play", format: percent, xName: "version" })),
    card("Policy loss", "How far the network's moves are from the search's. The dashed line is the least it could be.",
      lineChart([{ name: "policy loss", points: over("policy_loss") }, { name: "least possible", points: over("policy_entropy"), quiet: true }], { label: "Policy loss", format: (v) => v.toFixed(2), xName: "iteration" })),
    card("Value loss", "How far the predicted results are from those of the games.",
      lineChart([{ name: "value loss", points: over("value_loss") }], { label: "Value loss", format: (v) => v.toFixed(3), xName: "iteration" })),
  ].filter(Boolean);
}

const whole = (value) => `${Math.round(value)}`;

function gateTable(metrics) {
  const played = metrics.filter((one) => one.gate.wins + one.gate.draws + one.gate.losses > 0).slice(-12).reverse();
  if (!played.length) return h("p", { class: "muted small" }, "Every new network was accepted without a match.");
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Gate results" }, h("table", { class: "table" }, h("thead", {}, h("tr", {}, h("th", { class: "right" }, "Iteration"), h("th", {}, "Won · drawn · lost"), h("th", {}, ""), h("th", {}, "Verdict"))),
    h("tbody", {}, played.map(({ iteration, gate }) => {
      const all = gate.wins + gate.draws + gate.losses;
      return h("tr", {}, h("td", { class: "right" }, iteration), h("td", {}, `${gate.wins} · ${gate.draws} · ${gate.losses}`),
        h("td", { class: "gate-cell" }, h("span", { class: "gate-bar" }, ["wins", "draws", "losses"].map((key) => h("i", { class: key, style: { width: `${(100 * gate[key]) / all}%` } })))),
        h("td", {}, h("span", { class: `tag ${gate.accepted ? "good" : "plain"}` }, gate.accepted ? "accepted" : "kept the old one")));
    }))));
}

/** One position as each version saw it: a slider through the versions. */
function judgeView(view, game, run) {
  const board = createBoard(game, { onMove: (action) => play(action) });
  const says = h("p", { class: "says", role: "status" });
  const graph = h("div");
  const slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Version", oninput: () => show() });
  const versus = h("a", { class: "button primary", href: "/play" }, "Play this version");
  let names = [], judged = [], asked = 0, curve = null;

  async function load() {
    const mine = ++asked;
    const moves = joinMoves(game, names);
    says.textContent = "Asking every version …";
    try {
      const position = await api.position(game.name, moves, view.signal);
      if (mine !== asked) return;
      board.show(position, { playable: true });
      if (position.finished) { judged = []; says.textContent = "The game is over here."; return; }
      const found = await api.judge(run.name, moves, view.signal);
      if (mine !== asked || view.signal.aborted) return;
      const newest = !judged.length || Number(slider.value) === judged.length - 1;
      judged = found;
      slider.max = Math.max(0, judged.length - 1);
      if (newest) slider.value = slider.max;
      graph.replaceChildren(curve = lineChart([{ name: "Value", points: judged.map((one) => [one.version, position.player === 0 ? one.value : -one.value]) }], { label: "Value of this position for X by each version", format: (v) => signed(v, 1), xName: "version", low: -1, high: 1, height: 150 }));
      show();
    } catch (error) {
      if (error.name !== "AbortError") says.textContent = error.message;
    }
  }

  function show() {
    const one = judged[Number(slider.value)];
    if (!one) return void (says.textContent = "No version is kept yet.");
    const position = board.position;
    const most = Math.max(...one.policy.map((move) => move.share));
    says.textContent = `Version ${one.version}: ${signed(one.value)} for ${PLAYERS[position.player]} (${chance(one.value)}), would play ${one.best}.`;
    curve.at(one.version);
    slider.setAttribute("aria-valuetext", `version ${one.version}`);
    board.note(one.policy.map(({ name, share }) => ({ action: position.legal.find((move) => move.name === name)?.action, text: percent(share), weight: share / most, kind: name === one.best ? "best" : "" })).filter((note) => note.action !== undefined));
    versus.href = `/play?${new URLSearchParams({ game: game.name, opponent: `search:${run.name}@${one.version}` })}`;
  }

  function play(action) {
    names = [...names, board.position.legal.find((move) => move.action === action).name];
    load();
  }

  load();
  return h("section", { class: "card judge" }, h("h2", {}, "One position, every version"), h("p", { class: "muted small" }, "The network alone, without search. Make moves to ask about another position."),
    h("div", { class: "judge-parts" }, h("div", { class: "judge-board" }, board.element),
      h("div", { class: "stack" }, says, h("label", { class: "field" }, h("span", {}, "Version"), slider), graph,
        h("div", { class: "row" }, versus, button("Take a move back", () => { names = names.slice(0, -1); load(); })))));
}
