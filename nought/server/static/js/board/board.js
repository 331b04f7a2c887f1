// One board for any game. A painter (stones, dots or text) knows what its pieces look like; this file knows how people
// use a board: pointing, touching, keys, what a screen reader says, hints and the notes of an analysis.

import { h, s } from "../dom.js";
import { legalMove, pointsOf } from "../model/games.js";
import { namedOnly, picks } from "../model/picking.js";
import { moveWords, PLAYERS } from "../model/words.js";
import { dotsPainter } from "./dots.js";
import { square } from "./ground.js";
import { stonesPainter } from "./stones.js";
import { textPainter } from "./text.js";

const PAINTERS = { dots: dotsPainter, text: textPainter };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * A board for `game`. `onMove(action)` is told of moves, `onPoint(action | null)` of the move pointed at.
 * With `arrows` the arrow keys go from move to move; without, every move is a tab stop and arrows are the page's.
 */
export function createBoard(game, { onMove = () => {}, onPoint = () => {}, arrows = true } = {}) {
  const painter = (PAINTERS[game.board] ?? stonesPainter)(game);
  const choice = s("g", { class: "choice", "aria-hidden": "true" });
  const notes = s("g", { class: "notes", "aria-hidden": "true" });
  const targets = s("g", { class: "targets" });
  const svg = s(
    "svg",
    {
      class: `board ${game.board} ${game.notation}`,
      viewBox: painter.viewBox,
      role: "group",
      "aria-label": `${game.title} board`,
    },
    s("g", { "aria-hidden": "true" }, painter.layers),
    choice,
    notes,
    targets,
  );
  const words = h("div", { class: "visually-hidden" });
  const others = h("div", { class: "other-moves" });
  const element = h("div", { class: "board-frame" }, painter.element ?? svg, words, others);
  let shown = null; // the position
  let offered = []; // the moves that can be made
  let lifted = null; // the cell of a piece that was taken up
  let left = null; // what had the focus when the moves were taken away: { action, cell }

  /** Shows a position. `playable`: whether its moves can be made here. */
  function show(position, { playable = false } = {}) {
    painter.paint(position, { before: shown, hints: playable });
    shown = position;
    notes.replaceChildren();
    svg.dataset.player = position.player;
    words.replaceChildren(...describe(game, position));
    offer(playable && !position.finished ? position.legal : []);
  }

  /** Lets these moves be made, and no others. The focus stays at its move, or comes back with the next moves. */
  function offer(moves) {
    if (element.contains(document.activeElement)) left = { ...document.activeElement.dataset };
    else if (document.activeElement !== document.body) left = null; // it is needed elsewhere
    offered = moves;
    lifted = null;
    lay();
    svg.classList.toggle("playable", moves.length > 0);
    if (!moves.length) return;
    const middle = targets.children[Math.floor(targets.children.length / 2)];
    stopAt((left && (placed("action", left.action) ?? placed("cell", left.cell))) ?? middle, left !== null);
    left = null;
  }

  /** Lays out what can be pointed at, and the moves that have only their names. */
  function lay() {
    const places = picks(game, offered, lifted);
    targets.replaceChildren(...places.map(target));
    others.replaceChildren(...namedOnly(game, offered).map(otherMove));
    const goals = places.filter(({ lifts }) => !lifts).map(({ cell }) => cell);
    choice.replaceChildren(...(lifted === null ? [] : painter.lifted(lifted, goals)));
  }

  const placed = (what, value) => value !== undefined && element.querySelector(`[data-${what}="${value}"]`);

  /** Where the keyboard stops on the board. */
  function stopAt(place, focus) {
    if (!place) return;
    if (arrows) targets.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    if (arrows && targets.contains(place)) place.setAttribute("tabindex", "0");
    if (focus) place.focus({ preventScroll: true });
  }

  function target(pick) {
    const move = pick.lifts || pick.moves.length > 1 ? null : pick.moves[0];
    const place = s(
      "g",
      {
        class: "target",
        role: "button",
        tabindex: arrows ? -1 : 0,
        "data-action": move?.action,
        "data-cell": pick.cell,
        "aria-label": pickWords(pick, move),
        onclick: () => choose(pick),
        onpointerenter: (event) => event.pointerType === "mouse" && point(move?.action ?? null),
        onpointerleave: () => point(null),
        onfocus: () => place.matches(":focus-visible") && point(move?.action ?? null),
        onblur: () => point(null),
      },
      painter.area(pick.cell),
    );
    place.pick = pick;
    return place;
  }

  function pickWords({ cell, lifts }, move) {
    if (move) return `Play ${moveWords(game, move.name)}`;
    const name = square(game, cell);
    if (!lifts) return `Move to ${name}, in one of several ways`;
    return cell === lifted ? `Put ${name} back` : `Take up ${name}`;
  }

  /** A cell was pointed at: a piece is taken up or put back, a move is made, or asked for by its name. */
  function choose({ cell, moves, lifts }) {
    if (lifts) return lift(cell === lifted ? null : cell);
    if (moves.length === 1) return onMove(moves[0].action);
    others.replaceChildren(h("span", {}, "Which move?"), ...moves.map(otherMove));
    others.querySelector("button").focus();
  }

  function lift(cell) {
    const focused = targets.contains(document.activeElement);
    const from = lifted;
    lifted = cell;
    lay();
    point(null);
    stopAt(cell === null ? placed("cell", from) : targets.firstElementChild, focused);
  }

  function otherMove(move) {
    return h(
      "button",
      { type: "button", class: "small", "data-action": move.action, onclick: () => onMove(move.action) },
      moveWords(game, move.name),
    );
  }

  function point(action) {
    imagine("ghost", [painter.ghost(action, shown)]);
    onPoint(action);
  }

  /** Draws what might be played, in place of what was drawn of this kind before. */
  function imagine(kind, elements) {
    painter.ghosts.querySelectorAll(`:scope > .${kind}`).forEach((old) => old.remove());
    painter.ghosts.append(...elements.filter(Boolean));
  }

  svg.addEventListener("keydown", (event) => {
    const at = event.target.closest(".target");
    if (!at) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(at.pick);
    } else if (event.key === "Escape" && lifted !== null) {
      event.preventDefault();
      lift(null);
    } else if (arrows && event.key in ARROWS) {
      event.preventDefault();
      stopAt(nearest(at, [...targets.children], ARROWS[event.key]), true);
    }
  });

  return {
    element,
    show,
    ratio: painter.ratio,
    get position() {
      return shown;
    },

    /** Takes moves no more, until the next position is shown. */
    lock() {
      if (shown) offer([]);
    },

    /** Moves the keyboard to the board. */
    focus() {
      targets.querySelector('[tabindex="0"]')?.focus();
    },

    /** The move that can be made with this key, or null: columns have numbers. */
    moveOfKey(key) {
      if (game.notation !== "columns" || !/^[1-9]$/.test(key)) return null;
      return offered.find(({ name }) => name === key)?.action ?? null;
    },

    /** Writes notes on moves: [{ action, text, more, kind, weight 0…1 }]. */
    note(list) {
      const best = new Map(); // of moves that end on one cell the weightiest is noted
      for (const note of list) {
        const cell = legalMove(shown, note.action)?.cell ?? note.action;
        if (!best.has(cell) || (best.get(cell).weight ?? 0) < (note.weight ?? 0)) best.set(cell, note);
      }
      notes.replaceChildren(...[...best.values()].map((note) => painter.note(note, shown)).filter(Boolean));
    },

    /** Shows a line of play as numbered ghosts: [{ cell, player }]. */
    line(moves) {
      const numbered = moves.map((move, i) => ({ ...move, number: i + 1 })).filter(({ cell }) => cell !== null);
      imagine("line", numbered.map(painter.numbered));
    },
  };
}

/** The next target in a direction: near, and more ahead than aside. */
function nearest(from, all, [dx, dy]) {
  const centre = (target) => {
    const box = target.getBBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(from);
  let best = from,
    least = Infinity;
  for (const target of all) {
    const [tx, ty] = centre(target);
    const ahead = (tx - x) * dx + (ty - y) * dy;
    const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
    if (ahead > 1 && ahead + 3 * aside < least) [best, least] = [target, ahead + 3 * aside];
  }
  return best;
}

/** The board in words and as a table, for those who listen to it. */
function describe(game, position) {
  const turn = position.finished ? "The game is over." : `${PLAYERS[position.player]} to move.`;
  if (game.board === "dots") {
    const [first, second] = [0, 1].map((player) => pointsOf(game, position, player));
    const drawn = position.edges.filter((edge) => edge.drawn).map((edge) => edge.action);
    return [h("p", {}, `${turn} Boxes: X ${first}, O ${second}. Drawn edges: ${drawn.join(", ") || "none"}.`)];
  }
  if (game.board === "text") return [h("p", {}, turn)];
  const rows = Array.from({ length: game.rows }, (_, row) =>
    h(
      "tr",
      {},
      position.cells
        .slice(row * game.columns, (row + 1) * game.columns)
        .map((owner, column) => h("td", {}, pieceWords(owner, position.labels[row * game.columns + column]))),
    ),
  );
  return [h("p", {}, turn), h("table", {}, h("caption", {}, `${game.title}, rows from the top`), h("tbody", {}, rows))];
}

/** What stands on a cell: "X", "O 4", "empty". */
const pieceWords = (owner, label) => [PLAYERS[owner], label].filter(Boolean).join(" ") || "empty";
