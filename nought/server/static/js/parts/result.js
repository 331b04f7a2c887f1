// The end of a game: who won, what it did to your rating, and what to do next.

import { announce, h } from "../dom.js";
import { address, analysisAddress, gameAddress } from "../model/addresses.js";
import { forFirst } from "../model/games.js";
import { signed, whole } from "../model/words.js";
import { button } from "./form.js";
import { linkButton } from "./page.js";

const REPEATED =
  "Your rating stays as it is: the same moves against the same opponent were rated before, and a game counts once.";

/** A card for the player `game.you` of a finished PlayedGame. */
export function resultCard(game, onAgain) {
  const mine = forFirst(game.result, game.you);
  const title = ["You lost", "A draw", "You won!"][Math.sign(mine) + 1];
  const margin = game.position.margin ? ` by ${Math.abs(game.position.margin)}` : "";
  const how =
    game.ended === "resigned"
      ? "You resigned."
      : mine === 0
        ? "Nobody could break through."
        : margin
          ? `The game ended${margin}.`
          : "";
  announce([`${title}.`, how, game.repeated && REPEATED].filter(Boolean).join(" "));
  return h(
    "section",
    { class: `card result ${["lost", "drawn", "won"][Math.sign(mine) + 1]}`, tabindex: -1, "aria-label": "Result" },
    h("h2", {}, title),
    how && h("p", { class: "muted" }, how),
    game.rating_change && ratingChange(game.rating_change),
    game.repeated && h("p", { class: "muted" }, REPEATED),
    h("div", { class: "row" }, button("Play again", onAgain, "primary"), links(game)),
  );
}

/** Where to go with a game: its analysis, and to others. */
export const links = (game) => [linkButton("Analyse this game", whereAnalysed(game)), share(game)];

/** One that was played in this browser need not have been sent. */
const whereAnalysed = ({ id, seat, game, position }) =>
  seat ? address("/analyse", { game, moves: position.moves, ply: 0 }) : analysisAddress(id);

function ratingChange({ before, after }) {
  const by = after - before;
  return h(
    "p",
    { class: "rating-change" },
    h("span", { class: "muted" }, "Your rating "),
    `${whole(before)} → `,
    h("strong", {}, whole(after)),
    " ",
    h("span", { class: `tag ${by < 0 ? "bad" : "good"}` }, signed(by, 0)),
  );
}

/** Copies the link of a game, or hands it to the phone's own way of sharing. */
function share(game) {
  const url = `${location.origin}${gameAddress(game.id)}`;
  const element = button("Share", async () => {
    try {
      if (game.sent && !(await game.sent)) return void (element.textContent = "The server is away");
      if (navigator.share && matchMedia("(pointer: coarse)").matches)
        await navigator.share({ title: "A game on nought", url });
      else {
        await navigator.clipboard.writeText(url);
        element.textContent = "Link copied";
      }
    } catch (error) {
      if (error.name !== "AbortError") prompt("The link of this game", url);
    }
  });
  return element;
}
