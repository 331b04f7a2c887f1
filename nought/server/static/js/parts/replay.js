// A finished game, or somebody else's: a board to step through.

import { createBoard } from "../board/board.js";
import { h, onKey } from "../dom.js";
import * as api from "../model/api.js";
import { gameNamed, joinMoves } from "../model/games.js";
import { ago, PLAYERS, playerTitle, resultWords } from "../model/words.js";
import { button } from "./form.js";
import { iconButton } from "./icons.js";
import { moveButton } from "./moves.js";
import { strip } from "./people.js";
import { failure } from "./problem.js";
import { links } from "./result.js";

const STEP = 900; // ms between moves when it plays by itself

export function replay(view, games, played) {
  const game = gameNamed(games, played.game);
  const { names, movers } = played.position;
  const board = createBoard(game);
  const moves = h("div", { class: "moves" });
  const notice = h("div", { class: "notice" });
  const titles = played.players.map((player) => playerTitle(games, player));
  const strips = played.players.map(({ kind }, i) => strip(i, titles[i], kind === "agent" ? "agent" : ""));
  let at = -1, // where we are going
    shown = -1, // where we are
    timer = null;

  /** Goes to the position after so many moves; the last wish counts. */
  async function go(ply) {
    ply = Math.max(0, Math.min(names.length, ply));
    if (ply === at) return;
    at = ply;
    notice.replaceChildren();
    try {
      const position = await api.position(game.name, joinMoves(game, names.slice(0, ply)), view.signal);
      if (at === ply && !view.signal.aborted) show(position, ply);
    } catch (error) {
      if (at !== ply) return;
      stop();
      at = shown;
      notice.replaceChildren(failure(error, view.signal, () => go(ply)) ?? "");
    }
  }

  function show(position, ply) {
    const over = ply === names.length && played.status === "finished"; // by giving up, too
    shown = ply;
    board.show(position);
    strips.forEach((one, i) => one.active(!over && position.player === i));
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
  onKey(view.signal, (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
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
      h("h1", {}, titles.join(" – ")),
      h("p", { class: "muted" }, summary(game, played, titles)),
      notice,
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
      h("div", { class: "row" }, links(played)),
    ),
  );
}

/** "Othello, casual. O won by 4 (O is Ann). 3 minutes ago" */
function summary(game, { created, ended, finished_at, position, rated, result }, titles) {
  const winner = result > 0 ? 0 : 1;
  const who = result ? ` (${PLAYERS[winner]} is ${titles[winner]})` : "";
  const how = `${resultWords(result, ended, position.margin)}${who}`;
  return `${game.title}, ${rated ? "rated" : "casual"}. ${how}. ${ago(finished_at ?? created)}`;
}
