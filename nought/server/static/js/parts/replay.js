// A finished game, or somebody else's: a board to step through.

import * as api from "../api.js";
import { createBoard } from "../board/board.js";
import { h, typing } from "../dom.js";
import { agentTitle, ago, joinMoves, PLAYERS, resultWords } from "../words.js";
import { button } from "./form.js";
import { iconButton } from "./icons.js";
import { moveButton } from "./moves.js";
import { strip } from "./people.js";
import { share } from "./result.js";

const STEP = 900; // ms between moves when it plays by itself

export function replay(view, games, played) {
  const game = games.find((one) => one.name === played.game);
  const { names, movers } = played.position;
  const board = createBoard(game);
  const moves = h("div", { class: "moves" });
  const title = (i) =>
    played.players[i].kind === "agent" ? agentTitle(games, played.players[i].name) : played.players[i].name;
  const strips = [0, 1].map((i) => strip(i, title(i), played.players[i].kind === "agent" ? "agent" : ""));
  let at = -1,
    timer = null;

  async function go(ply) {
    ply = Math.max(0, Math.min(names.length, ply));
    if (ply === at) return;
    at = ply;
    const position = await api.position(game.name, joinMoves(game, names.slice(0, ply)), view.signal);
    if (at !== ply || view.signal.aborted) return;
    board.show(position);
    strips.forEach((one, i) => one.active(!position.finished && position.player === i));
    [...moves.children].forEach((child, i) => child.toggleAttribute("aria-current", i + 1 === ply));
    if (ply === names.length) stop();
  }

  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  };
  const play = button(
    "Play",
    () => {
      if (timer) return stop();
      if (at === names.length) go(0);
      timer = setInterval(() => go(at + 1), STEP);
      play.textContent = "Pause";
    },
    "primary",
  );
  view.signal.addEventListener("abort", () => clearInterval(timer));
  moves.append(
    ...names.map((name, i) => moveButton({ ply: i + 1, name, player: movers[i], onclick: () => go(i + 1) })),
  );
  document.addEventListener(
    "keydown",
    (event) => {
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names.length }[event.key];
      if (to === undefined || typing(event)) return;
      event.preventDefault();
      go(to);
    },
    { signal: view.signal },
  );
  go(names.length);
  const step = (picture, label, to) => iconButton(picture, label, () => go(to()));
  return h(
    "div",
    { class: "table-top", style: { "--ratio": board.ratio } },
    h(
      "div",
      { class: "middle" },
      strips[1].element,
      h("div", { class: "board-place" }, board.element),
      strips[0].element,
    ),
    h(
      "aside",
      { class: "side stack" },
      h("h1", {}, `${title(0)} – ${title(1)}`),
      h(
        "p",
        { class: "muted" },
        `${game.title}, ${played.rated ? "rated" : "casual"}. ${resultWords(played.result, played.ended, played.position.margin)}${played.result ? ` (${PLAYERS[played.result > 0 ? 0 : 1]} is ${title(played.result > 0 ? 0 : 1)})` : ""}. ${ago(played.finished_at ?? played.created)}`,
      ),
      h(
        "div",
        { class: "row" },
        step("start", "To the start", () => 0),
        step("back", "One move back", () => at - 1),
        play,
        step("on", "One move on", () => at + 1),
        step("end", "To the end", () => names.length),
      ),
      h("section", { class: "card" }, h("h2", {}, "Moves"), moves),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button", href: `/analyse?id=${encodeURIComponent(played.id)}` }, "Analyse this game"),
        share(played),
      ),
    ),
  );
}
