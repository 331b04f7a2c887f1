// Inside the search: a position, how it is searched, and the film of it.

import { h, onKey } from "../dom.js";
import { MOVES } from "../learn/position.js";
import * as api from "../model/api.js";
import { gameNamed, gameOrFirst } from "../model/games.js";
import { Film } from "../parts/film.js";
import { field, gameChoice } from "../parts/form.js";
import { pageHead } from "../parts/page.js";
import { loading } from "../parts/problem.js";

export const title = "Inside the search";
const CURIOSITY = 2; // c, where the address does not say
const SIMULATIONS = 30; // in which the search proves that X wins where the lessons' position is shown

export function render(view) {
  return loading(view.root, view.signal, async (signal) => {
    const page = new Inside({ ...view, signal }, await api.games());
    const show = await page.search(signal);
    if (signal.aborted) return null;
    queueMicrotask(show); // when it has its place on the page, and with it a width
    return page.element;
  });
}

class Inside {
  constructor(view, games) {
    const { query } = view;
    Object.assign(this, { view, games });
    this.wanted = {
      game: gameOrFirst(games, query.get("game")).name,
      moves: query.get("moves") ?? (query.has("game") ? "" : MOVES),
      simulations: Math.min(60, Math.max(1, Number(query.get("simulations")) || SIMULATIONS)),
      c_puct: Number(query.get("c")) || CURIOSITY,
    };
    this.film = new Film(view.signal);
    this.problem = h("div");
    this.element = h(
      "div",
      { class: "stack" },
      pageHead(
        title,
        "How nought finds a move: the graph of positions grows by one simulation after the other. ",
        h("a", { href: "/learn/search" }, "The same as a lesson"),
      ),
      this.form(),
      this.problem,
      h(
        "section",
        { class: "card" },
        h("h2", { class: "visually-hidden" }, "The search, moment by moment"),
        this.film.element,
      ),
    );
    onKey(view.signal, (event) => this.key(event));
  }

  form() {
    const change = (values) => {
      Object.assign(this.wanted, values);
      this.again();
    };
    const moves = field("Position (moves)", {
      type: "text",
      value: this.wanted.moves,
      placeholder: "from the start",
      autocomplete: "off",
      onchange: () => change({ moves: moves.input.value.trim() }),
    });
    const slider = (text, props, onchange) => {
      const shown = h("output", {}, props.value);
      const input = h("input", {
        type: "range",
        ...props,
        oninput: () => {
          shown.textContent = input.value;
        },
        onchange: () => onchange(Number(input.value)),
      });
      return h("label", { class: "field" }, h("span", {}, text, " ", shown), input);
    };
    return h(
      "form",
      { class: "card inside-form", onsubmit: (event) => event.preventDefault() },
      gameChoice(this.games, this.wanted.game, (game) => {
        moves.input.value = "";
        change({ game, moves: "" });
      }),
      moves,
      slider("Simulations", { min: 2, max: 60, value: this.wanted.simulations }, (simulations) =>
        change({ simulations }),
      ),
      slider("Curiosity c", { min: 0.2, max: 5, step: 0.1, value: this.wanted.c_puct }, (c_puct) => change({ c_puct })),
    );
  }

  /** Asks for a search; what shows it, once it may be seen. */
  async search(signal) {
    const wanted = { ...this.wanted };
    const answer = await api.inside(wanted, signal);
    if (signal.aborted) return () => {}; // another one is wanted by now
    const { game: name, moves, simulations, c_puct: c } = wanted;
    this.view.setQuery({ game: name, moves, simulations, c });
    const game = gameNamed(this.games, name);
    const learned = game.agents.some((agent) => agent.name.startsWith("agents/"));
    return () => this.film.show(game, answer, learned);
  }

  again() {
    this.film.stop();
    return loading(this.problem, this.view.signal, async (signal) => {
      const show = await this.search(signal);
      if (!signal.aborted) show();
      return [];
    });
  }

  key(event) {
    const { film } = this;
    if (!film.frames || event.target.closest("button, .stage")) return;
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      film.turn(film.at + (event.key === "ArrowRight" ? 1 : -1));
    } else if (event.key === " ") {
      event.preventDefault();
      film.toggle();
    }
  }
}
