// How things are said: players, values, results, dates. One word for one thing on every page.

import { gameNamed } from "./games.js";

export const PLAYERS = ["X", "O"];
export const SIDES = ["first", "second"];

/** The game of this name as people call it. */
export const gameTitle = (games, name) => gameNamed(games, name)?.title ?? name;

/** An agent as people call it. */
export function agentTitle(games, name) {
  for (const game of games) for (const agent of game.agents) if (agent.name === name) return agent.title;
  const version = /^search:(.+)@(\w+)$/.exec(name);
  return version ? `${version[1]}, version ${version[2]}` : name;
}

/** Who plays, as people call them: an agent, or a person. */
export const playerTitle = (games, { kind, name }) => (kind === "agent" ? agentTitle(games, name) : name);

/** −1…1 with its sign. */
export const signed = (value, digits = 2) =>
  value == null ? "–" : `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(digits)}`;

export const percent = (share) => `${Math.round(100 * share)}\u00a0%`;

export const whole = (value) => `${Math.round(value)}`;

/** "1 game", "2 games". */
export const count = (n, word) => `${n.toLocaleString()} ${word}${n === 1 ? "" : "s"}`;

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A value of −1…1 as the chance to win. */
export const chance = (value) => percent((value + 1) / 2);

/** What one points at to move. */
export function targetWord(game) {
  if (game.notation === "columns") return "a column";
  if (game.notation === "moves") return "a piece";
  if (game.notation === "names") return "a move";
  return { dots: "an edge", pits: "a pit", hexagons: "a cell", text: "a move" }[game.board] ?? "a square";
}

/** What a column, a square or an edge is called. */
export function moveWords(game, name) {
  if (game.notation === "columns") return `column ${name}`;
  if (game.notation === "numbers") return game.board === "dots" ? `edge ${name}` : `move ${name}`;
  return name;
}

/** How a game ended, for a person who looks on. */
export function resultWords(result, ended, margin = null) {
  if (result === 0) return "Drawn";
  if (result == null) return "Not finished";
  const winner = `${PLAYERS[result > 0 ? 0 : 1]} won`;
  if (ended === "resigned") return `${winner}, the other resigned`;
  return margin ? `${winner} by ${Math.abs(margin)}` : winner;
}

/** "3 minutes ago", or a date. */
export function ago(text) {
  const seconds = (Date.now() - new Date(text)) / 1000;
  if (!(seconds >= 0)) return "";
  if (seconds < 60) return "just now";
  for (const [unit, size, limit] of [
    ["minute", 60, 60],
    ["hour", 3600, 24],
    ["day", 86400, 14],
  ]) {
    const n = Math.round(seconds / size);
    if (n < limit) return `${n} ${unit}${n === 1 ? "" : "s"} ago`;
  }
  return new Date(text).toLocaleDateString(undefined, { dateStyle: "medium" });
}
