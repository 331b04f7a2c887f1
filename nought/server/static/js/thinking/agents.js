// Agents that think in this browser: fetched when they are first wanted, kept for offline use; and why one does not.

import * as api from "../model/api.js";
import { gameNamed } from "../model/games.js";
import { recall, remember } from "../model/store.js";
import { capital } from "../model/words.js";
import { Thinker } from "./thinker.js";

const MOST = 3; // threads: the one that was not wanted longest ends
const CACHE = "thinking"; // what is kept for offline use; sw.js reads it
const MOST_PATIENCE = 20_000; // ms; what is kept comes from this device soon, or at once says why not
const TRY_AGAIN = 15_000; // ms after which an agent that could not be had is asked for again

const known = new Map(); // game and name → Resident, the one that was wanted last at the end

const changed = () => dispatchEvent(new CustomEvent("thinking"));

/** Where agents are to think: "browser" or "server". Who saves data has not asked for more of it. */
export const chosenPlace = () => recall("where") ?? (navigator.connection?.saveData ? "server" : "browser");

export function choosePlace(where) {
  remember("where", where);
  changed();
}

/** An agent in this browser: on its way ("coming"), there ("here"), or not to be had ("not"); `note` says why. */
class Resident {
  constructor(game, name) {
    Object.assign(this, { game, name, state: "coming", note: "", thinker: null, simulations: 0, since: Date.now() });
    const fetched = this.fetch();
    /** Promises: who knows the rules, or null; and that it can think, or never will. */
    this.rules = fetched.then(
      () => this.thinker,
      () => null,
    );
    this.done = fetched.then(() => this.settle()).catch((error) => this.fail(error));
  }

  async fetch() {
    if (typeof Worker !== "function" || typeof WebAssembly !== "object")
      throw new Error("This browser has no WebAssembly.");
    const found = await this.made();
    if (this.gone) throw new Error("Others were wanted more.");
    this.simulations = found.simulations;
    this.thinker = new Thinker({ ...found, facts: { ...found.facts, game: this.game } });
    await this.thinker.loaded;
    this.knowsRules = true;
    this.found = found;
  }

  /** The agent's facts, when the server has made them. */
  async made() {
    while (!this.gone) {
      const found = await api.browserAgent(this.game.name, this.name).catch((error) => this.instead(error));
      if (found.facts) return found;
      if (!found.again) throw new Error(`${capital(found.note)}.`);
      this.note = `${capital(found.note)}.`;
      changed();
      await new Promise((resolve) => {
        setTimeout(resolve, 1000 * found.again);
      });
    }
    return null;
  }

  /** Where nobody says who the best agent is, the best one that is kept. */
  async instead(error) {
    const other = error.away && this.name === undefined ? await keptAgent(this.game) : null;
    if (!other) throw error;
    return api.browserAgent(this.game.name, other.name);
  }

  async settle() {
    await this.thinker.ready();
    Object.assign(this, { state: "here", note: "" });
    changed();
    this.full = !(await keep(this.game.name, this.name, this.found));
    if (this.full) changed();
  }

  fail({ message, away = false }) {
    this.end();
    Object.assign(this, { state: "not", note: message, away, since: Date.now(), knowsRules: false });
    changed();
  }

  end() {
    this.gone = true;
    this.thinker?.end();
  }
}

/** The agent of this name, or the best one: from now on it is on its way. */
export function resident(game, name) {
  const key = `${game.name} ${name ?? ""}`;
  let found = known.get(key);
  if (!found || (found.state === "not" && Date.now() > found.since + TRY_AGAIN)) found = new Resident(game, name);
  known.delete(key);
  known.set(key, found);
  for (const [other, least] of [...known].slice(0, -MOST)) {
    least.end();
    known.delete(other);
  }
  return found;
}

/** The agent if it can think here, or can within so many milliseconds; null where the server is to think. */
export async function thinkingHere(game, name, patience = 0) {
  if (chosenPlace() !== "browser") return null;
  const found = resident(game, name);
  if (found.state === "coming") {
    const most = Math.min(MOST_PATIENCE, (await isKept(game.name, name)) ? Infinity : patience);
    await Promise.race([found.done, new Promise((resolve) => setTimeout(resolve, most))]);
  }
  return found.state === "here" ? found : null;
}

/** The position after these moves: by the rules that are here, or as the server says. */
export async function position(name, moves, signal) {
  const knowing = [...known.values()].find(({ game, knowsRules }) => knowsRules && game.name === name);
  if (knowing && chosenPlace() === "browser") {
    try {
      return await knowing.thinker.read(moves);
    } catch {
      /* the server says what is wrong with the moves */
    }
  }
  try {
    return await api.position(name, moves, signal);
  } catch (error) {
    const rules = error.away ? await keptRules(name) : null;
    if (!rules) throw error;
    return rules.read(moves);
  }
}

// ---- offline ------------------------------------------------------------------------------------------------
/** Whether an agent's facts are kept; its files are, then, unless they are others by now. */
const isKept = async (game, name) =>
  Boolean(globalThis.caches && (await caches.match(api.browserAgentAddress(game, name), { cacheName: CACHE })));

/** Keeps an agent for offline use, with the list of games, and forgets what none needs any more; whether there was room. */
async function keep(game, name, found) {
  if (!globalThis.caches) return true; // only https and localhost have it
  try {
    const cache = await caches.open(CACHE);
    const files = ["/api/games", found.code, found.network].filter(Boolean);
    for (const file of files) if (!(await cache.match(file))) await cache.add(file);
    const headers = { "Content-Type": "application/json" };
    for (const one of new Set([name, found.agent]))
      await cache.put(api.browserAgentAddress(game, one), new Response(JSON.stringify(found), { headers }));
    await forgetUnneeded(cache);
    return true;
  } catch (error) {
    return error.name !== "QuotaExceededError"; // else another time
  }
}

async function forgetUnneeded(cache) {
  const keys = await cache.keys();
  const isFile = ({ url }) => url.includes("/api/browser/files/");
  const agents = await Promise.all(keys.filter((key) => !isFile(key)).map((key) => cache.match(key)));
  const facts = await Promise.all(agents.map((answer) => answer.json()));
  const needed = new Set(facts.flatMap(({ code, network }) => [code, network]));
  const left = keys.filter((key) => isFile(key) && !needed.has(new URL(key.url).pathname));
  await Promise.all(left.map((key) => cache.delete(key)));
}

/** The strongest agent of a game that is kept for offline use; undefined where none is. */
export async function keptAgent(game) {
  const kept = await Promise.all(game.agents.map(({ name }) => isKept(game.name, name)));
  return game.agents.findLast((_, i) => kept[i]);
}

/** The rules of a game that is kept for offline use; null where it is not. */
async function keptRules(name) {
  const game = gameNamed(await api.games(), name);
  const agent = game && (await keptAgent(game));
  return agent ? resident(game, agent.name).rules : null;
}
