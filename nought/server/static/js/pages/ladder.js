// The ladder: people and agents of one game together, the best first.

import { h } from "../dom.js";
import { address, named } from "../model/addresses.js";
import * as api from "../model/api.js";
import { gameOrFirst } from "../model/games.js";
import { recall } from "../model/store.js";
import { agentTitle } from "../model/words.js";
import { gameChoice } from "../parts/form.js";
import { linkButton, pageHead } from "../parts/page.js";
import { loading } from "../parts/problem.js";
import { scrollBox, table } from "../parts/table.js";

export const title = "Ladder";

export function render(view) {
  return loading(view.root, view.signal, async () => {
    const games = await api.games();
    const list = scrollBox("Ladder", "card scroll");
    const show = (name) => {
      view.setQuery({ game: name });
      return loading(list, view.signal, async (signal) => ladderTable(games, name, await api.ladder(name, signal)));
    };
    const first = gameOrFirst(games, view.query.get("game")).name;
    await show(first);
    const text = "People and agents on one scale. Your rating moves with every rated game.";
    return [pageHead(title, text, gameChoice(games, first, show)), list];
  });
}

function ladderTable(games, game, rows) {
  if (!rows.length)
    return h(
      "p",
      { class: "empty" },
      "Nobody has a rating here yet. ",
      h("a", { href: address("/play", { game }) }, "Be the first."),
    );
  const me = recall("account")?.name;
  const isAgent = (row) => row.kind === "agent";
  const ratings = rows.map((row) => row.rating ?? 0);
  const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
  const share = ({ rating }) => (most === least ? 1 : 0.08 + 0.92 * ((rating - least) / (most - least)));
  const who = (row) =>
    h(
      "span",
      { class: "row" },
      h("span", { class: `tag ${isAgent(row) ? "plain" : "good"}` }, row.kind),
      isAgent(row)
        ? h("strong", {}, agentTitle(games, row.name))
        : h("a", { href: named("/profile", row.name) }, h("strong", {}, row.name)),
    );
  const bar = (row) => h("span", { class: `bar-line ${row.kind}`, style: { width: `${100 * share(row)}%` } });
  const challenge = ({ name }) =>
    linkButton("Play", address("/play", { game, opponent: name }), "small", {
      "aria-label": `Play against ${agentTitle(games, name)}`,
    });
  const columns = [
    { name: "Rank", right: true, of: (row) => row.rank },
    { name: "Who", of: who },
    { name: "Rating", right: true, of: (row) => (row.rating === null ? "–" : Math.round(row.rating)) },
    { name: "Compared", silent: true, kind: "bar-cell", of: bar },
    { name: "Games", right: true, kind: "games-cell", of: (row) => row.games },
    { name: "Challenge", silent: true, right: true, of: (row) => isAgent(row) && challenge(row) },
  ];
  const about = (row) => ({ class: !isAgent(row) && row.name === me ? "mine" : "" });
  return table(columns, rows, { kind: "ladder-table", about });
}
