// The page of an agent that thinks in the browser: a board, the game, what the agent thinks, and who it is.
// This file knows how a game goes; view.js shows it.

import { announce, onKey } from "./dom.js";
import { canUndo } from "./model/games.js";
import { recall, remember } from "./model/store.js";
import { problem } from "./parts/problem.js";
import { startTheme } from "./theme.js";
import { Thinker } from "./thinking/thinker.js";
import { View } from "./view.js";

/** One game after the other against the agent. */
class Site {
  constructor(thinker, facts) {
    this.thinker = thinker;
    this.facts = facts;
    const { side, level, open } = recall(`site.${facts.game.name}`, {});
    this.setup = {
      side: side ?? "first",
      level: facts.levels.includes(level) ? level : facts.level,
      open: open ?? false,
    };
    this.turn = 0; // counts whatever changes the game: an answer to an earlier turn is none
    this.view = new View(facts, this.setup, {
      change: (values) => this.change(values),
      start: () => this.begin(),
      move: (action) => this.play(action),
      undo: () => this.undo(),
    });
    document.getElementById("main").replaceChildren(this.view.element);
    onKey(new AbortController().signal, (event) => this.view.key(event));
  }

  begin() {
    this.you = this.setup.side === "first" ? 0 : 1;
    this.actions = [];
    return this.go();
  }

  change(values) {
    Object.assign(this.setup, values);
    remember(`site.${this.facts.game.name}`, this.setup);
    if ("side" in values && !this.actions.length) return this.begin();
    if ("open" in values) this.go();
  }

  play(action) {
    this.actions = [...this.actions, action];
    return this.go();
  }

  /** Takes back one's own last move, and what was answered. */
  undo() {
    let count = this.position.movers.lastIndexOf(this.you);
    if (count < 0) count = 0;
    this.actions = this.actions.slice(0, count);
    return this.go();
  }

  /** Shows the game as it stands; the agent thinks where it is to move, or where one wants to know what it thinks. */
  async go() {
    const turn = ++this.turn;
    try {
      this.thinker.stop();
      this.position = await this.thinker.look(this.actions);
      if (turn !== this.turn) return;
      const mine = this.position.player === this.you && !this.position.finished;
      this.view.show(this.position, { you: this.you, mine, undo: canUndo({ position: this.position, you: this.you }) });
      if (this.position.finished) return;
      if (mine && !this.setup.open) return;
      await this.think(turn, mine);
    } catch (error) {
      this.view.fail(error, () => this.go());
    }
  }

  async think(turn, mine) {
    const began = performance.now();
    const say = (analysis) => turn === this.turn && this.view.showAnalysis(analysis, { mine });
    const analysis = await this.thinker.think(this.actions, { simulations: this.setup.level }, say);
    if (turn !== this.turn || !analysis) return;
    say(analysis);
    document.documentElement.dataset.thought = Math.round(performance.now() - began);
    if (!mine) await this.play(analysis.played);
  }
}

async function load() {
  startTheme(document.getElementById("theme"));
  const main = document.getElementById("main");
  try {
    const thinker = new Thinker({ facts: "agent.json", code: "game.wasm", network: "network.bin" });
    const facts = await thinker.facts();
    document.title = `${facts.game.title} · nought`;
    document.getElementById("brand").textContent = facts.game.title;
    await new Site(thinker, facts).begin();
    await thinker.ready();
    keepForOffline();
  } catch (error) {
    main.replaceChildren(problem({ message: error.message, status: 0 }, () => location.reload()));
    announce(error.message);
  }
}

/** Has everything kept, once it is here: not before, since that would take as long again. */
function keepForOffline() {
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {}); // works without, too
}

load();
