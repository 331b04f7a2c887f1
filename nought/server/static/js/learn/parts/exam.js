// Agents that are asked now, and the oracle with them: about our position, and about positions that they get wrong.

import { h } from "../../dom.js";
import * as api from "../../model/api.js";
import { percent, signed } from "../../model/words.js";
import { choice, segments } from "../../parts/form.js";
import { MOVES } from "../position.js";
import { CONNECT4 } from "../maths/rows.js";
import { filled } from "../words.js";
import { lessonBoard, moveName, readMoves } from "./board.js";
import { dial } from "./dial.js";

const GAME = "connect4";
const VERDICTS = { wins: "1", draws: "0", loses: "-1" };

/** An agent's move in our position, with as many simulations as one likes, and what the oracle says of it. */
export function askedLive(words, names, title, stage) {
  const says = h("p", { class: "working", "aria-live": "polite" });
  let asked = 0;
  const show = async () => {
    const mine = ++asked;
    says.textContent = words.asking;
    const request = { game: GAME, moves: MOVES, agent: who.select.value, simulations: simulations.value };
    try {
      const [found, truth] = await Promise.all([
        api.analyse(request, stage.signal),
        api.truth(GAME, MOVES, stage.signal),
      ]);
      if (mine !== asked || stage.signal.aborted) return;
      const verdict = truth.moves.find(({ action }) => action === found.best)?.verdict ?? "?";
      says.textContent = filled(words.asked, { agent: title(request.agent), simulations: request.simulations, column: moveName(GAME, found.best), value: signed(found.value), verdict }); // prettier-ignore
    } catch {
      if (mine === asked) says.textContent = words.away;
    }
  };
  const who = choice(words.ask, names.map((name) => [name, title(name)]), names.at(-1), show); // prettier-ignore
  const simulations = dial(words.simulations, { min: 1, max: 64, value: 1 });
  simulations.addEventListener("change", show);
  show();
  return h("div", { class: "stack" }, h("h3", {}, words.live), who, simulations, says);
}

/** Positions that the best network plays wrongly: the truth of every move, what it thinks, and what a search makes of it. */
export function mistakes(words, positions, stage) {
  let [which, asked] = [0, 0];
  const board = lessonBoard(GAME);
  const says = h("div", { class: "stack", "aria-live": "polite" });
  const show = async () => {
    const mine = ++asked;
    const { moves, outcomes } = positions[which];
    board.show(CONNECT4.after(readMoves(GAME, moves)));
    const truth = (action) => words.truth[outcomes[action + 1]];
    const mark = (priors) =>
      board.note(
        Object.entries(outcomes).map(([column, outcome]) => {
          const action = Number(column) - 1;
          const verdict = Object.keys(VERDICTS).find((name) => VERDICTS[name] === String(outcome));
          const share = priors?.get(action);
          return { action, text: truth(action), kind: `verdict ${verdict}`, ...(share === undefined ? {} : { more: percent(share), weight: share }) }; // prettier-ignore
        }),
      );
    if (!stage.revealed) return;
    mark(null);
    says.replaceChildren(h("p", { class: "working" }, words.asking));
    try {
      const found = await api.analyse({ game: GAME, moves, agent: "agents/connect4", simulations: simulations.value }, stage.signal); // prettier-ignore
      if (mine !== asked || stage.signal.aborted) return;
      mark(new Map(found.moves.map(({ action, prior }) => [action, prior])));
      const best = Math.max(...Object.values(outcomes));
      says.replaceChildren(
        h("p", { class: "working" }, filled(words.asked, { simulations: simulations.value, column: moveName(GAME, found.best), verdict: truth(found.best) })), // prettier-ignore
        h("p", {}, filled(words.value, { value: signed(found.value), truth: signed(best, 0) })),
      );
    } catch {
      if (mine === asked) says.replaceChildren(h("p", {}, words.away));
    }
  };
  const simulations = dial(words.simulations, { min: 1, max: 200, value: 1 });
  simulations.addEventListener("change", show);
  const choose = segments(words.which, positions.map((_, i) => [i, i + 1]), 0, (i) => { which = i; show(); }); // prettier-ignore
  show();
  const element = h("div", { class: "stack" }, choose, board.element);
  stage.onReveal(() => {
    element.append(h("p", { class: "small muted" }, words.legend), simulations, says);
    show();
  });
  return element;
}
