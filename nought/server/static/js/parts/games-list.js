// A list of played games, the newest first, each with a small picture of how it ended.

import { miniBoard } from "../board/mini.js";
import { h } from "../dom.js";
import { gameAddress } from "../model/addresses.js";
import * as api from "../model/api.js";
import { gameNamed } from "../model/games.js";
import { ago, gameTitle, playerTitle, signed } from "../model/words.js";
import { button } from "./form.js";
import { sign } from "./people.js";

const PAGE = 12;

/** The games that `query` finds; `empty` is shown where there are none. `who`: whose list it is, by name. */
export async function gamesList(signal, query, { empty, who }) {
  const games = await api.games();
  const list = h("ul", { class: "games" });
  const more = button("Show more", () =>
    load().catch((error) => {
      more.textContent = error.message;
    }),
  );
  const watcher = new IntersectionObserver(
    (entries) =>
      entries
        .filter((entry) => entry.isIntersecting)
        .forEach((entry) => {
          watcher.unobserve(entry.target);
          entry.target.draw();
        }),
    { rootMargin: "200px" },
  );
  signal.addEventListener("abort", () => watcher.disconnect());
  let last,
    under = null; // what is being loaded: a second click asks for nothing twice

  async function next() {
    const found = await api.playedGames({ ...query, limit: PAGE, before: last }, signal);
    last = found.at(-1)?.id;
    for (const played of found) list.append(item(signal, games, played, watcher, who));
    more.hidden = found.length < PAGE;
  }
  const load = () =>
    (under ??= next().finally(() => {
      under = null;
    }));

  await load();
  return list.children.length ? [list, h("div", { class: "row center" }, more)] : [empty];
}

function item(signal, games, played, watcher, who) {
  const game = gameNamed(games, played.game);
  const picture = h("span", { class: "picture" });
  picture.draw = async () => {
    try {
      picture.replaceChildren(miniBoard(game, await api.position(game.name, played.position.moves, signal), 112));
    } catch {
      /* the words say it, too */
    }
  };
  if (game) watcher.observe(picture);
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card game", href: gameAddress(played.id) },
      picture,
      h(
        "span",
        { class: "about" },
        h(
          "span",
          { class: "small muted" },
          `${gameTitle(games, played.game)} · ${played.repeated ? "rated before" : played.rated ? "rated" : "casual"} · ${ago(played.created)}`,
        ),
        played.players.map((one, i) =>
          h("span", { class: `player ${won(played, i) ? "winner" : ""}` }, sign(i, 18), playerTitle(games, one)),
        ),
        h("span", { class: "row" }, outcome(played, who), change(played)),
      ),
    ),
  );
}

const won = (played, i) => played.result !== null && played.result !== 0 && played.result > 0 === (i === 0);

function outcome(played, who) {
  if (played.status === "playing") return h("span", { class: "tag plain" }, "going on");
  const how = played.ended === "resigned" ? ", resigned" : "";
  if (played.result === 0) return h("span", { class: "tag unsure" }, "draw");
  const seat = played.players.findIndex((one) => one.kind === "person" && one.name === who);
  if (seat < 0) return h("span", { class: "tag plain" }, `${won(played, 0) ? "X" : "O"} won${how}`);
  return won(played, seat) ? h("span", { class: "tag good" }, "won") : h("span", { class: "tag bad" }, `lost${how}`);
}

function change(played) {
  if (!played.rating_change) return null;
  return h(
    "span",
    { class: "small muted" },
    `rating ${signed(played.rating_change.after - played.rating_change.before, 0)}`,
  );
}
