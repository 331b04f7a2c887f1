// Where an agent thinks: a choice, and a sentence that says how it stands.

import { h } from "../dom.js";
import { chosenPlace, choosePlace, resident } from "../thinking/agents.js";
import { segments } from "./form.js";

const PLACES = [
  ["browser", "This browser"],
  ["server", "The server"],
];

/** The choice. `watch(game, agent)` says whose state to tell, and brings it here; without an agent the server thinks. */
export function whereSwitch(signal) {
  let watched = null; // [game, name of the agent, or undefined for the best one]
  const note = h("p", { class: "muted small where-note", role: "status" });
  const say = () => {
    const found = watched && chosenPlace() === "browser" ? resident(...watched) : null;
    note.textContent = sentence(found, watched);
    note.dataset.state = found?.state ?? "server";
  };
  addEventListener("thinking", say, { signal });
  say();
  const element = h("div", { class: "where" }, segments("Thinks in", PLACES, chosenPlace(), choosePlace), note);
  return {
    element,
    watch(game, agent) {
      watched = game && [game, agent];
      say();
    },
  };
}

function sentence(found, watched) {
  if (!watched) return "In rated games the server thinks.";
  if (!found) return "The server thinks.";
  if (found.state === "not") return `The server thinks. ${found.note}`;
  if (found.state === "coming")
    return `${found.note || "It is on its way to this browser."} Until it is here the server thinks.`;
  if (found.full) return "It thinks in this browser, but not offline: this device's storage is full.";
  return "It thinks in this browser, without a connection, too.";
}
