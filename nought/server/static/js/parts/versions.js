// How one position was judged by each version of a run: a board, a slider through the versions, a curve.

import { createBoard } from "../board/board.js";
import { h } from "../dom.js";
import { address } from "../model/addresses.js";
import * as api from "../model/api.js";
import { forFirst, joinMoves, legalMove } from "../model/games.js";
import { chance, percent, PLAYERS, signed } from "../model/words.js";
import { lineChart } from "./charts.js";
import { button } from "./form.js";
import { linkButton } from "./page.js";

/** The view for a run by its name; the board takes moves, to ask about other positions. `reload()` asks anew. */
export function versionsView(view, game, run) {
  const board = createBoard(game, {
    onMove: (action) => load([...names, legalMove(board.position, action).name]),
  });
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
  const versus = linkButton("Play this version", "/play", "primary");
  let names = [],
    judged = [],
    asked = 0,
    curve = null;

  /** Asks every version about the position after these moves; a move can be made when it is there. */
  async function load(moves = names) {
    const mine = ++asked;
    const stale = () => mine !== asked || view.signal.aborted;
    const line = joinMoves(game, moves);
    board.lock();
    says.textContent = "Asking every version …";
    try {
      const position = await api.position(game.name, line, view.signal);
      if (stale()) return;
      names = moves;
      board.show(position, { playable: true });
      judged = position.finished ? [] : judged;
      if (position.finished) return void (says.textContent = "The game is over here.");
      const found = await api.judge(run, line, view.signal);
      if (!stale()) tell(found, position);
    } catch (error) {
      if (stale() || error.name === "AbortError") return;
      says.textContent = error.message;
      if (board.position) board.show(board.position, { playable: true });
    }
  }

  /** Shows what each version says, the one that was chosen before, or the newest. */
  function tell(found, { player }) {
    const newest = !judged.length || Number(slider.value) === judged.length - 1;
    judged = found;
    slider.max = Math.max(0, judged.length - 1);
    if (newest) slider.value = slider.max;
    curve = lineChart([{ name: "Value", points: judged.map((one) => [one.version, forFirst(one.value, player)]) }], {
      label: "Value of this position for X by each version",
      format: (value) => signed(value, 1),
      xName: "version",
      low: -1,
      high: 1,
      height: 150,
    });
    graph.replaceChildren(curve);
    show();
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
    versus.href = address("/play", { game: game.name, opponent: `search:${run}@${one.version}` });
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
          button("Take a move back", () => load(names.slice(0, -1))),
        ),
      ),
    ),
  );
  return Object.assign(element, { reload: () => load() });
}
