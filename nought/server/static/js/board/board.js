// One board for any game. A painter (stones or dots) knows what its pieces look like; this file knows how people
// use a board: pointing, touching, keys, what a screen reader says, hints and the notes of an analysis.

import { h, s } from "../dom.js";
import { pointsOf } from "../model/games.js";
import { moveWords, PLAYERS } from "../model/words.js";
import { dotsPainter } from "./dots.js";
import { stonesPainter } from "./stones.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * A board for `game`. `onMove(action)` is told of moves, `onPoint(action | null)` of the move pointed at.
 * With `arrows` the arrow keys go from move to move; without, every move is a tab stop and arrows are the page's.
 */
export function createBoard(game, { onMove = () => {}, onPoint = () => {}, arrows = true } = {}) {
  const painter = game.board === "dots" ? dotsPainter(game) : stonesPainter(game);
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
    notes,
    targets,
  );
  const words = h("div", { class: "visually-hidden" });
  const others = h("div", { class: "other-moves" });
  const element = h("div", { class: "board-frame" }, svg, words, others);
  let shown = null; // the position
  let offered = []; // the moves that can be made
  let left = null; // the move that had the focus when the moves were taken away

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
    if (element.contains(document.activeElement)) left = Number(document.activeElement.dataset.action);
    else if (document.activeElement !== document.body) left = null; // it is needed elsewhere
    offered = moves;
    const placed = moves.filter(({ action }) => painter.place(action, shown));
    targets.replaceChildren(...placed.map((move) => target(move)));
    others.replaceChildren(...moves.filter((move) => !placed.includes(move)).map((move) => otherMove(move)));
    svg.classList.toggle("playable", moves.length > 0);
    if (!moves.length) return;
    const next = element.querySelector(`[data-action="${left}"]`) ?? targets.children[Math.floor(placed.length / 2)];
    if (arrows) next?.setAttribute("tabindex", "0");
    if (left !== null) next?.focus({ preventScroll: true });
    left = null;
  }

  function target(move) {
    const { x, y, width, height } = painter.place(move.action, shown);
    const place = s(
      "g",
      {
        class: "target",
        role: "button",
        tabindex: arrows ? -1 : 0,
        "data-action": move.action,
        "aria-label": `Play ${moveWords(game, move.name)}`,
        onclick: () => onMove(move.action),
        onpointerenter: (event) => event.pointerType === "mouse" && point(move.action),
        onpointerleave: () => point(null),
        onfocus: () => place.matches(":focus-visible") && point(move.action),
        onblur: () => point(null),
      },
      s("rect", { class: "area", x, y, width, height, rx: 14 }),
    );
    return place;
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
      onMove(Number(at.dataset.action));
    } else if (arrows && event.key in ARROWS) {
      event.preventDefault();
      const next = nearest(at, [...targets.children], ARROWS[event.key]);
      at.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
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
      notes.replaceChildren(...list.map((note) => painter.note(note, shown)).filter(Boolean));
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
  const rows = Array.from({ length: game.rows }, (_, row) =>
    h(
      "tr",
      {},
      position.cells
        .slice(row * game.columns, (row + 1) * game.columns)
        .map((owner) => h("td", {}, PLAYERS[owner] ?? "empty")),
    ),
  );
  return [h("p", {}, turn), h("table", {}, h("caption", {}, `${game.title}, rows from the top`), h("tbody", {}, rows))];
}
