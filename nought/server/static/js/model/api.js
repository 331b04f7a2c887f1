// The server's calls, one function each. A failure is an ApiError whose message can be shown as it is.

import { address, clean, named } from "./addresses.js";
import { recall, signIn, signOut } from "./store.js";

class ApiError extends Error {
  constructor(message, status = 0, retryAfter = 0, openGame = null) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
    this.openGame = openGame; // the id of a rated game that a new one would give up
  }

  /** Whether nobody answered: no network, or no server. */
  get away() {
    return this.status === 0 || this.status === 502 || this.status === 504;
  }
}

async function call(method, path, { body, query, signal } = {}) {
  const headers = {};
  const token = recall("token");
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(address(path, query), {
      method,
      headers,
      signal,
      body: body && JSON.stringify(clean(body)),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    online(false);
    throw new ApiError("The server does not answer.");
  }
  online(!response.headers.has("X-Seen-Before"));
  if (response.status === 401 && token && path !== "/api/login") {
    signOut(); // the account is gone, or the token has ended
    if (method === "GET" && path !== "/api/me") return call(method, path, { query, signal });
  }
  const answer = await response.json().catch((error) => {
    if (error.name === "AbortError") throw error;
    return null;
  });
  if (!response.ok || answer === null) {
    throw new ApiError(
      answer?.error ?? "The server gave an answer that makes no sense.",
      response.status || 0,
      Number(response.headers.get("Retry-After")) || 0,
      answer?.open_game,
    );
  }
  return answer;
}

let wasOnline = true;
function online(now) {
  if (now !== wasOnline) dispatchEvent(new CustomEvent("server", { detail: (wasOnline = now) }));
}

const get = (path, query, signal) => call("GET", path, { query, signal });
const post = (path, body = {}, signal) => call("POST", path, { body, signal });

// ---- games and positions ----------------------------------------------------------------------------------
let gamesAsked = null;
/** All games; asked once. */
export function games() {
  gamesAsked ??= get("/api/games").catch((error) => {
    gamesAsked = null;
    throw error;
  });
  return gamesAsked;
}

const positions = new Map();
const MOST_POSITIONS = 500;
/** The position after these moves. A position never changes, so it is kept. */
export async function position(game, moves, signal) {
  const key = `${game} ${moves}`;
  if (!positions.has(key)) {
    positions.set(key, await get("/api/position", { game, moves }, signal));
    if (positions.size > MOST_POSITIONS) positions.delete(positions.keys().next().value);
  }
  return positions.get(key);
}

/** What an agent would play: the best one, unless the request names another. */
export const bestMove = (request, signal) => post("/api/best-move", request, signal);
export const analyse = (request, signal) => post("/api/analyse", request, signal);
/** What perfect play says of a position. */
export const truth = (game, moves, signal) => get("/api/truth", { game, moves }, signal);
/** The same, before each move of a game. */
export const truths = (game, moves, signal) => post("/api/truths", { game, moves }, signal);
export const mistakes = (game, moves, signal) => post("/api/mistakes", { game, moves }, signal);
export const inside = (request, signal) => post("/api/inside", request, signal);

/** An analysis that deepens until `signal` ends it. Resolves when the server is done. */
export function analyseLive(request, onAnalysis, signal) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(
      `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/analyse/live`,
    );
    signal.addEventListener(
      "abort",
      () => {
        socket.close();
        resolve();
      },
      { once: true },
    );
    socket.onopen = () => socket.send(JSON.stringify(clean(request)));
    socket.onmessage = ({ data }) => {
      if (signal.aborted) return;
      const message = JSON.parse(data);
      if (message.error) return (reject(new ApiError(message.error, 400)), socket.close());
      if (message.moves) onAnalysis(message);
      if (message.done) {
        resolve();
        socket.close();
      }
    };
    socket.onerror = () => reject(new ApiError("The server does not answer."));
    socket.onclose = () => resolve();
  });
}

// ---- agents that think in the browser ---------------------------------------------------------------------
/** Where an agent's facts are: the best one's, unless it is named. */
export const browserAgentAddress = (game, agent) => address("/api/browser/agent", { game, agent });
export const browserAgent = (game, agent) => get("/api/browser/agent", { game, agent });

// ---- people -----------------------------------------------------------------------------------------------
export const me = (signal) => get("/api/me", {}, signal);
export const player = (name, signal) => get(named("/api/players", name), {}, signal);
export const ladder = (game, signal) => get("/api/ladder", { game }, signal);

export async function changeMe(values) {
  const account = await call("PATCH", "/api/me", { body: values });
  signIn(recall("token"), account);
  return account;
}

export async function logIn(name, password) {
  const { account, token } = await post("/api/login", { name, password });
  signIn(token, account);
  return account;
}

export async function deleteMe(password) {
  await post("/api/me/delete", { password });
  signOut();
}

export async function logOut() {
  await post("/api/logout").catch(() => {}); // the token is forgotten here in any case
  signOut();
}

/** Makes a guest account unless there is an account already. */
async function ensureAccount() {
  if (recall("token")) return;
  const { account, token } = await post("/api/accounts");
  signIn(token, account);
}

// ---- games with people ------------------------------------------------------------------------------------
/** Starts a game. */
export const startGame = (setup) => postAsSomebody("/api/play", setup);

/** Has a casual game kept that was played in this browser. */
export const recordGame = (game) => postAsSomebody("/api/play/record", game);

/** Makes a guest account on the way if there is none. */
async function postAsSomebody(path, body) {
  await ensureAccount();
  try {
    return await post(path, body);
  } catch (error) {
    if (error.status !== 401) throw error; // else the old account is gone
    await ensureAccount();
    return post(path, body);
  }
}

/** Whom a person meets who names nobody. */
export const opponent = (game, signal) => get("/api/opponent", { game }, signal);

export const playedGame = (id, signal) => get(named("/api/play", id), {}, signal);
export const playMove = (id, action, ply) => post(named("/api/play", id, "/move"), { action, ply });
export const undo = (id) => post(named("/api/play", id, "/undo"));
export const resign = (id) => post(named("/api/play", id, "/resign"));
export const playedGames = (query, signal) => get("/api/play", query, signal);

// ---- training ---------------------------------------------------------------------------------------------
export const runs = (signal) => get("/api/runs", {}, signal);
export const run = (name, signal) => get(named("/api/runs", name), {}, signal);
export const judge = (name, moves, signal) => get(named("/api/runs", name, "/judge"), { moves }, signal);
