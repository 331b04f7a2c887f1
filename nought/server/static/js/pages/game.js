// A game by its link: whoever plays it goes on playing, everybody else sees it move by move.

import * as api from "../model/api.js";
import { loading } from "../parts/problem.js";
import { replay } from "../parts/replay.js";
import { render as renderPlay } from "./play.js";

export const title = "Game";

export async function render(view) {
  let mine = false;
  await loading(view.root, view.signal, async (signal) => {
    const [games, played] = await Promise.all([api.games(), api.playedGame(view.params.id, signal)]);
    mine = played.status === "playing" && played.you !== null;
    return mine ? [] : replay(view, games, played);
  });
  if (mine && !view.signal.aborted) {
    view.root.className = "page play";
    await renderPlay(view);
  }
}
