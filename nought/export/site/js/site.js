// The page of agents that think in the browser: a board, the game, what the agent thinks, and who it is.
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
  constructor(facts) {
    this.facts = facts;
    const { side, agent, level, open } = recall(`site.${facts.game.name}`, {});
    const who = facts.agents[agent] ? agent : 0;
    this.setup = {
      side: side ?? "first",
      agent: who,
      level: facts.levels.includes(level) ? level : facts.agents[who].level,
      open: open ?? false,
    };
    this.invite();
    this.actions = [];
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

  /** Lets the chosen agent think, and no other. */
  invite() {
    const { agents, ...facts } = this.facts;
    const { file, network, checksum } = agents[this.setup.agent];
    this.thinker?.end();
    this.thinker = new Thinker({ facts: { ...facts, network, checksum }, code: "game.wasm", network: file });
  }

  begin() {
    this.you = this.setup.side === "first" ? 0 : 1;
    this.actions = [];
    return this.go();
  }

  change(values) {
    Object.assign(this.setup, values);
    if ("agent" in values) {
      this.setup.level = this.facts.agents[this.setup.agent].level;
      this.invite();
    }
    remember(`site.${this.facts.game.name}`, this.setup);
    if ("side" in values && !this.actions.length) return this.begin();
    if ("open" in values || "agent" in values) return this.go();
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
    const { thinker } = this;
    try {
      thinker.stop();
      this.position = await this.thinker.look(this.actions);
      if (turn !== this.turn) return;
      const mine = this.position.player === this.you && !this.position.finished;
      this.view.show(this.position, { you: this.you, mine, undo: canUndo({ position: this.position, you: this.you }) });
      if (this.position.finished) return;
      if (mine && !this.setup.open) return;
      await this.think(turn, mine);
    } catch (error) {
      if (thinker === this.thinker) this.view.fail(error, () => this.retry());
    }
  }

  /** Begins anew with what was not to be had. */
  retry() {
    this.invite();
    return this.go();
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
    const answer = await fetch("agent.json");
    if (!answer.ok) throw new Error(`agent.json is not there (${answer.status}).`);
    const facts = await answer.json();
    document.title = `${facts.game.title} · nought`;
    document.getElementById("brand").textContent = facts.game.title;
    const site = new Site(facts);
    const { thinker } = site;
    const unlessReplaced = (error) => {
      if (thinker === site.thinker) throw error; // else another agent was chosen meanwhile
    };
    await thinker.loaded.catch(unlessReplaced);
    await site.begin();
    await thinker.ready().catch(unlessReplaced);
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
