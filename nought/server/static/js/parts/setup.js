// The form in which a new game is set up.

import { h, refill } from "../dom.js";
import { gameNamed } from "../model/games.js";
import { CLOSEST, keepSetup, ratable } from "../model/setup.js";
import { agentTitle, whole } from "../model/words.js";
import { button, choice, segments, toggle } from "./form.js";

const CHOICE_OF_SIDES = [
  ["first", "First"],
  ["random", "Random"],
  ["second", "Second"],
];

/** The form. `onChange(setup)` hears of every change, `onStart(setup)` of the button. */
export function setupForm(games, setup, { onChange, onStart }) {
  const element = h("form", { class: "setup stack", onsubmit: (event) => event.preventDefault() });
  const change = (values) => {
    setup = { ...setup, ...values };
    keepSetup(setup);
    if (values.game || values.opponent) draw();
    onChange(setup);
  };

  function draw() {
    refill(
      element,
      tiles(games, setup.game, (game) => change({ game, opponent: CLOSEST, start: undefined })),
      ...about(gameNamed(games, setup.game)),
      choice("Opponent", opponents(games, setup), setup.opponent, (opponent) => change({ opponent })),
      segments("You play", CHOICE_OF_SIDES, setup.side, (side) => change({ side })),
      ratedSwitch(games, setup, (rated) => change({ rated })),
      button("New game", () => onStart(setup), "primary"),
    );
  }

  draw();
  return element;
}

/** How a game is played, to be opened, and whether it will have to be waited for. */
function about({ rules, compiled }) {
  const paragraphs = rules.split(/\n\s*\n/).filter(Boolean);
  return [
    ...(paragraphs.length
      ? [
          h(
            "details",
            { class: "rules" },
            h("summary", {}, "How it is played"),
            ...paragraphs.map((text) => h("p", {}, text)),
          ),
        ]
      : []),
    ...(compiled ? [] : [h("p", { class: "muted small" }, "It is being compiled: the first move may take a while.")]),
  ];
}

/** Whom one can meet: whoever fits, every agent, and a version of a run if the address names one. */
function opponents(games, setup) {
  const { agents } = gameNamed(games, setup.game);
  const text = ({ title, rating }) => (rating == null ? title : `${title} · ${whole(rating)}`);
  const known = [CLOSEST, ...agents.map(({ name }) => name)].includes(setup.opponent);
  return [
    [CLOSEST, "Matched to you"],
    ["Agents, weakest first", agents.map((agent) => [agent.name, text(agent)])],
    ...(known ? [] : [[setup.opponent, agentTitle(games, setup.opponent)]]),
  ];
}

function ratedSwitch(games, setup, onchange) {
  const can = ratable(games, setup);
  const casual = setup.start ? "Casual, from a given position" : "Casual: no rating to measure against";
  const rated = toggle(can ? "Rated, without undo and hints" : casual, can && setup.rated, onchange);
  rated.input.disabled = !can;
  return rated;
}

function tiles(games, value, onchange) {
  const choices = games.map((game) => [game.name, game.title]);
  const element = segments("Game", choices, value, onchange);
  element.classList.add("tiles");
  return element;
}
