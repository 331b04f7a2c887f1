// Where an agent thinks: a choice, and a sentence that says how it stands.

import { h } from "../dom.js";
import { chosenPlace, choosePlace, resident } from "../thinking/agents.js";
import { segments } from "./form.js";

const PLACES = [
  ["browser", "This browser"],
  ["server", "The server"],
];

const NEXT_TIME = "The server goes on with this game; the next one is this browser's.";

/**
 * The choice. `watch(game, agent)` says whose state to tell, and brings it here; without a game it is a rated one, and where
 * `begun` it has begun on the server, which goes on with it.
 */
export function whereSwitch(signal) {
  let watched = null; // [game, name of the agent, or undefined for the best one]
  let onServer = false;
  const note = h("p", { class: "muted small where-note", role: "status" });
  const say = () => {
    const found = watched && chosenPlace() === "browser" ? resident(...watched) : null;
    note.textContent = onServer && found?.state === "here" ? NEXT_TIME : sentence(found, watched);
    note.dataset.state = found?.state ?? "server";
  };
  addEventListener("thinking", say, { signal });
  say();
  const element = h("div", { class: "where" }, segments("Thinks in", PLACES, chosenPlace(), choosePlace), note);
  return {
    element,
    watch(game, agent, { begun = false } = {}) {
      watched = game && [game, agent];
      onServer = begun;
      say();
    },
  };
}

function sentence(found, watched) {
  if (!watched) return "In rated games the server thinks.";
  if (!found) return "The server thinks.";
  if (found.state === "not" && found.away) return "It is not in this browser, and the server does not answer.";
  if (found.state === "not") return `The server thinks. ${found.note}`;
  if (found.state === "coming")
    return `${found.note || "It is on its way to this browser."} Until it is here the server thinks.`;
  if (found.full) return "It thinks in this browser, but not offline: this device's storage is full.";
  return "It thinks in this browser, without a connection, too.";
}
