// The ladder: people and agents of one game together, the best first.

import * as api from "../api.js";
import { h } from "../dom.js";
import { choice } from "../parts/form.js";
import { loading } from "../parts/problem.js";
import { recall } from "../store.js";
import { agentTitle } from "../words.js";

export const title = "Ladder";

export function render(view) {
  return loading(view.root, view.signal, async () => {
    const games = await api.games();
    const list = h("div", { class: "card scroll", tabindex: 0, role: "group", "aria-label": "Ladder" });
    const show = (name) => {
      view.setQuery({ game: name });
      return loading(list, view.signal, async () => ladderTable(games, name, await api.ladder(name, view.signal)));
    };
    const first = games.find((game) => game.name === view.query.get("game")) ?? games[0];
    await show(first.name);
    return [
      h(
        "header",
        { class: "page-head" },
        h(
          "div",
          {},
          h("h1", {}, "Ladder"),
          h("p", {}, "People and agents on one scale. Your rating moves with every rated game."),
        ),
        choice(
          "Game",
          games.map((game) => [game.name, game.title]),
          first.name,
          show,
        ),
      ),
      list,
    ];
  });
}

function ladderTable(games, game, rows) {
  if (!rows.length)
    return h(
      "p",
      { class: "empty" },
      "Nobody has a rating here yet. ",
      h("a", { href: `/play?game=${encodeURIComponent(game)}` }, "Be the first."),
    );
  const me = recall("account")?.name;
  const widest = Math.max(...rows.map((row) => row.rating ?? 0)),
    least = Math.min(...rows.map((row) => row.rating ?? 0));
  return h(
    "table",
    { class: "table ladder-table" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { class: "right" }, "Rank"),
        h("th", {}, "Who"),
        h("th", { class: "right" }, "Rating"),
        h("th", { class: "bar-cell" }, h("span", { class: "visually-hidden" }, "Compared")),
        h("th", { class: "right games-cell" }, "Games"),
        h("th", {}, h("span", { class: "visually-hidden" }, "Challenge")),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((row) => {
        const agent = row.kind === "agent";
        const share = widest === least ? 1 : 0.08 + 0.92 * ((row.rating - least) / (widest - least));
        return h(
          "tr",
          { class: !agent && row.name === me ? "mine" : "" },
          h("td", { class: "right" }, row.rank),
          h(
            "td",
            {},
            h(
              "span",
              { class: "row" },
              h("span", { class: `tag ${agent ? "plain" : "good"}` }, agent ? "agent" : "person"),
              agent
                ? h("strong", {}, agentTitle(games, row.name))
                : h("a", { href: `/profile/${encodeURIComponent(row.name)}` }, h("strong", {}, row.name)),
            ),
          ),
          h("td", { class: "right" }, row.rating === null ? "–" : Math.round(row.rating)),
          h(
            "td",
            { class: "bar-cell" },
            h("span", { class: `bar-line ${row.kind}`, style: { width: `${100 * share}%` } }),
          ),
          h("td", { class: "right games-cell" }, row.games ?? ""),
          h(
            "td",
            { class: "right" },
            agent &&
              h(
                "a",
                {
                  class: "button small",
                  href: `/play?game=${encodeURIComponent(game)}&opponent=${encodeURIComponent(row.name)}`,
                  "aria-label": `Play against ${agentTitle(games, row.name)}`,
                },
                "Play",
              ),
          ),
        );
      }),
    ),
  );
}
