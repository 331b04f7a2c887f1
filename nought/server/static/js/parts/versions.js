// How one position was judged by each version of a run: a board, a slider through the versions, a curve.

import * as api from "../api.js";
import { createBoard } from "../board/board.js";
import { lineChart } from "../charts.js";
import { h } from "../dom.js";
import { chance, joinMoves, percent, PLAYERS, signed } from "../words.js";
import { button } from "./form.js";

/** The view for a run by its name; the board takes moves, to ask about other positions. `reload()` asks anew. */
export function versionsView(view, game, run) {
  const board = createBoard(game, { onMove: (action) => play(action) });
  const says = h("p", { class: "says", role: "status" });
  const graph = h("div");
  const slider = h("input", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    "aria-label": "Version",
    oninput: () => show(),
  });
  const versus = h("a", { class: "button primary", href: "/play" }, "Play this version");
  let names = [],
    judged = [],
    asked = 0,
    curve = null;

  async function load() {
    const mine = ++asked;
    const moves = joinMoves(game, names);
    says.textContent = "Asking every version …";
    try {
      const position = await api.position(game.name, moves, view.signal);
      if (mine !== asked) return;
      board.show(position, { playable: true });
      if (position.finished) {
        judged = [];
        says.textContent = "The game is over here.";
        return;
      }
      const found = await api.judge(run, moves, view.signal);
      if (mine !== asked || view.signal.aborted) return;
      const newest = !judged.length || Number(slider.value) === judged.length - 1;
      judged = found;
      slider.max = Math.max(0, judged.length - 1);
      if (newest) slider.value = slider.max;
      graph.replaceChildren(
        (curve = lineChart(
          [
            {
              name: "Value",
              points: judged.map((one) => [one.version, position.player === 0 ? one.value : -one.value]),
            },
          ],
          {
            label: "Value of this position for X by each version",
            format: (v) => signed(v, 1),
            xName: "version",
            low: -1,
            high: 1,
            height: 150,
          },
        )),
      );
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
    board.note(
      one.policy
        .map(({ name, share }) => ({
          action: position.legal.find((move) => move.name === name)?.action,
          text: percent(share),
          weight: share / most,
          kind: name === one.best ? "best" : "",
        }))
        .filter((note) => note.action !== undefined),
    );
    versus.href = `/play?${new URLSearchParams({ game: game.name, opponent: `search:${run}@${one.version}` })}`;
  }

  function play(action) {
    names = [...names, board.position.legal.find((move) => move.action === action).name];
    load();
  }

  load();
  const element = h(
    "section",
    { class: "card judge" },
    h("h2", {}, "One position, every version"),
    h("p", { class: "muted small" }, "The network alone, without search. Make moves to ask about another position."),
    h(
      "div",
      { class: "judge-parts" },
      h("div", { class: "judge-board" }, board.element),
      h(
        "div",
        { class: "stack" },
        says,
        h("label", { class: "field" }, h("span", {}, "Version"), slider),
        graph,
        h(
          "div",
          { class: "row" },
          versus,
          button("Take a move back", () => {
            names = names.slice(0, -1);
            load();
          }),
        ),
      ),
    ),
  );
  return Object.assign(element, { reload: load });
}
