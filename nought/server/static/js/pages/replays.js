// Games: yours, and everybody's.

import * as api from "../api.js";
import { h } from "../dom.js";
import { choice, segments } from "../parts/form.js";
import { gamesList } from "../parts/games-list.js";
import { loading } from "../parts/problem.js";
import { recall } from "../store.js";

export const title = "Games";

export async function render(view) {
  const account = recall("account");
  const wanted = { whose: account ? (view.query.get("whose") ?? "mine") : "all", game: view.query.get("game") ?? "" };
  const list = h("div");
  const show = () => {
    view.setQuery({ whose: wanted.whose, game: wanted.game });
    return loading(list, view.signal, () =>
      gamesList(
        view,
        { player: wanted.whose === "mine" ? account.name : undefined, game: wanted.game || undefined },
        {
          who: account?.name,
          empty: h(
            "div",
            { class: "card empty" },
            h("p", {}, "No games yet. They are kept here, move by move."),
            h("a", { class: "button primary", href: "/play" }, "Play one"),
          ),
        },
      ),
    );
  };
  await loading(view.root, view.signal, async () => {
    const games = await api.games();
    const whose = segments(
      "Whose",
      [
        ["mine", "Yours"],
        ["all", "Everybody's"],
      ],
      wanted.whose,
      (value) => {
        wanted.whose = value;
        show();
      },
    );
    if (!account) whose.querySelector("input").disabled = true;
    return [
      h(
        "header",
        { class: "page-head" },
        h("div", {}, h("h1", {}, "Games"), h("p", {}, "Every game can be replayed, analysed and shared by its link.")),
        h(
          "div",
          { class: "filters" },
          whose,
          choice("Game", [["", "All games"], ...games.map((game) => [game.name, game.title])], wanted.game, (value) => {
            wanted.game = value;
            show();
          }),
        ),
      ),
      list,
    ];
  });
  await show();
}
