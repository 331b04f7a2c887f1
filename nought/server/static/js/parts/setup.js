// What a new game is to be: the game, the opponent, the side, rated or casual. The last choice is remembered.

import { h } from "../dom.js";
import { recall, remember } from "../store.js";
import { agentTitle } from "../words.js";
import { button, choice, segments, toggle } from "./form.js";

export const CLOSEST = "closest";

/** The set-up to begin with: what the address says, then what was chosen last, then Connect 4 as first player. */
export function firstSetup(games, query) {
  const last = recall("setup", {});
  const name = query.get("game") ?? last.game;
  const game = games.find((one) => one.name === name) ?? games[0];
  const start = query.get("start") || undefined;
  return {
    game: game.name,
    opponent: query.get("opponent") ?? (last.game === game.name ? last.opponent : null) ?? CLOSEST,
    side: query.get("side") ?? last.side ?? "first",
    rated: last.rated ?? false, // at first a game that can be taken back
    start,
  };
}

/** Whether the game that is set up could be rated: from the start, against somebody with a rating. */
function ratable(games, setup) {
  const { agents } = games.find((one) => one.name === setup.game);
  const rated = (agent) => agent.rating !== null && agent.rating !== undefined;
  return (
    !setup.start &&
    agents.some((agent) => rated(agent) && (setup.opponent === CLOSEST || setup.opponent === agent.name))
  );
}

/** What to ask of the server. */
export const wish = (games, setup) => ({ ...setup, rated: setup.rated && ratable(games, setup) });

/** The form. `onChange(setup)` hears of every change, `onStart(setup)` of the button. */
export function setupForm(games, setup, { onChange, onStart }) {
  const element = h("form", { class: "setup stack", onsubmit: (event) => event.preventDefault() });
  const change = (values) => {
    setup = { ...setup, ...values };
    const { start, ...kept } = setup;
    remember("setup", kept);
    if (values.game || values.opponent) draw();
    onChange(setup);
  };

  function draw() {
    const game = games.find((one) => one.name === setup.game);
    const known = [
      [CLOSEST, "Matched to you"],
      [
        "Agents, weakest first",
        [...game.agents].map((agent) => [
          agent.name,
          agent.rating === null || agent.rating === undefined
            ? agent.title
            : `${agent.title} · ${Math.round(agent.rating)}`,
        ]),
      ],
    ];
    const names = [CLOSEST, ...game.agents.map((agent) => agent.name)];
    if (!names.includes(setup.opponent)) known.push([setup.opponent, agentTitle(games, setup.opponent)]);
    const can = ratable(games, setup);
    const rated = toggle(
      can
        ? "Rated, without undo and hints"
        : setup.start
          ? "Casual, from a given position"
          : "Casual: no rating to measure against",
      can && setup.rated,
      (is) => change({ rated: is }),
    );
    rated.input.disabled = !can;
    element.replaceChildren(
      tiles(games, setup.game, (name) => change({ game: name, opponent: CLOSEST, start: undefined })),
      choice("Opponent", known, setup.opponent, (opponent) => change({ opponent })),
      segments(
        "You play",
        [
          ["first", "First"],
          ["random", "Random"],
          ["second", "Second"],
        ],
        setup.side,
        (side) => change({ side }),
      ),
      rated,
      button("New game", () => onStart(setup), "primary"),
    );
  }

  draw();
  return element;
}

function tiles(games, value, onchange) {
  const element = segments(
    "Game",
    games.map((game) => [game.name, game.title]),
    value,
    onchange,
  );
  element.classList.add("tiles");
  return element;
}
