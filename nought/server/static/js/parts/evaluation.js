// What an analysis says: a bar, a sentence, a table of moves, and notes for the board.

import { h } from "../dom.js";
import { chance, count, percent, PLAYERS, signed } from "../model/words.js";
import { table } from "./table.js";

const VERDICTS = {
  wins: ["win", "good", "✓ wins"],
  draws: ["draw", "unsure", "= draws"],
  loses: ["loss", "bad", "✗ loses"],
};

/** The bar beside the board; `show(value for X)`. */
export function evaluationBar() {
  const number = h("span", {});
  const element = h(
    "div",
    {
      class: "evaluation",
      role: "meter",
      "aria-label": "Value of the position for X",
      "aria-valuemin": -1,
      "aria-valuemax": 1,
      "aria-valuenow": 0,
    },
    h("div", { class: "first" }),
    number,
  );
  return {
    element,
    show(value) {
      element.style.setProperty("--share", `${50 + 50 * (value ?? 0)}%`);
      element.setAttribute("aria-valuenow", (value ?? 0).toFixed(2));
      element.setAttribute("aria-valuetext", value === null ? "unknown" : `${chance(value)} for X`);
      element.classList.toggle("behind", (value ?? 0) < 0);
      number.textContent = value === null ? "" : signed(value, 1);
    },
  };
}

/** One sentence about the position. */
export function sentence(analysis) {
  const { oracle, plies, position, proven, value } = analysis;
  const ahead = (worth) => PLAYERS[worth > 0 ? position.player : 1 - position.player];
  if (oracle)
    return oracle.outcome === 0
      ? "With perfect play it is a draw."
      : `With perfect play ${ahead(oracle.outcome)} wins.`;
  if (proven && value === 0) return "Proven: a draw.";
  if (proven) return `Proven: ${ahead(value)} wins${plies ? ` in ${count(plies, "move")}` : ""}.`;
  if (Math.abs(value) < 0.08) return "About even.";
  return `${ahead(value)} is ${Math.abs(value) > 0.5 ? "much " : ""}better: ${chance(Math.abs(value))}.`;
}

/** What to write on the board. */
export function notesOf(analysis) {
  const most = Math.max(1, ...analysis.moves.map((move) => move.visits));
  const telling = new Set(analysis.moves.map((move) => move.verdict)).size > 1; // else the values tell more
  return analysis.moves
    .filter((move) => move.visits || move.verdict || move.proven)
    .map((move) => ({
      action: move.action,
      text:
        move.verdict && telling
          ? VERDICTS[move.verdict][0]
          : move.proven && move.value
            ? move.value > 0
              ? "win"
              : "loss"
            : signed(move.value, 1),
      more: percent(move.share ?? move.visits / most),
      weight: move.visits / most,
      kind: `${move.action === analysis.best ? "best" : ""} ${move.keeps === false ? "bad" : telling && move.verdict === "wins" ? "good" : ""}`,
    }));
}

/** The moves in a table; `onPoint(move | null)` while one is pointed at, `onPick(move)` when it is chosen. */
export function movesTable(analysis, { onPoint, onPick }) {
  const pick = (move) =>
    h(
      "button",
      {
        type: "button",
        class: "small",
        onclick: () => onPick(move),
        onfocus: () => onPoint(move),
        onblur: () => onPoint(null),
        "aria-label": `Play ${move.name}`,
      },
      move.name,
    );
  const columns = [
    { name: "Move", of: pick },
    { name: "Value", right: true, of: (move) => signed(move.value) },
    { name: "Visits", right: true, of: (move) => move.visits.toLocaleString() },
    { name: "Prior", right: true, of: (move) => percent(move.prior) },
    analysis.moves.some((move) => move.verdict) && { name: "Truth", of: verdictTag },
  ];
  const about = (move) => ({
    class: "can-point",
    onpointerenter: () => onPoint(move),
    onpointerleave: () => onPoint(null),
  });
  return table(columns, analysis.moves, { kind: "analysis-table", about });
}

function verdictTag(move) {
  if (!move.verdict) return "";
  const [, kind, text] = VERDICTS[move.verdict];
  return h(
    "span",
    { class: `tag ${kind}`, title: move.keeps === false ? "This move gives away what perfect play would keep" : "" },
    text,
  );
}
