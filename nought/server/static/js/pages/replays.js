// Games: yours, and everybody's.

import { h } from "../dom.js";
import * as api from "../model/api.js";
import { recall } from "../model/store.js";
import { gameChoice, segments } from "../parts/form.js";
import { gamesList } from "../parts/games-list.js";
import { emptyCard, linkButton, pageHead } from "../parts/page.js";
import { loading } from "../parts/problem.js";

export const title = "Games";
const WHOSE = [
  ["mine", "Yours"],
  ["all", "Everybody's"],
];

export async function render(view) {
  const account = recall("account");
  const wanted = { whose: account ? (view.query.get("whose") ?? "mine") : "all", game: view.query.get("game") ?? "" };
  const list = h("div");
  const show = (change = {}) => {
    const { whose, game } = Object.assign(wanted, change);
    view.setQuery({ whose, game });
    const query = { player: whose === "mine" ? account.name : undefined, game };
    const empty = emptyCard(
      h("p", {}, "No games yet. They are kept here, move by move."),
      linkButton("Play one", "/play", "primary"),
    );
    return loading(list, view.signal, (signal) => gamesList(signal, query, { who: account?.name, empty }));
  };
  await loading(view.root, view.signal, async () => {
    const games = await api.games();
    const whose = segments("Whose", WHOSE, wanted.whose, (value) => show({ whose: value }));
    if (!account) whose.querySelector("input").disabled = true;
    const game = gameChoice(games, wanted.game, (value) => show({ game: value }), [["", "All games"]]);
    const text = "Every game can be replayed, analysed and shared by its link.";
    return [pageHead(title, text, h("div", { class: "filters" }, whose, game)), list];
  });
  await show();
}
