// One board for any game. A painter (stones or dots) knows what its pieces look like; this file knows how people
// use a board: pointing, touching, keys, what a screen reader says, hints and the notes of an analysis.

import { h, s } from "../dom.js";
import { moveWords, PLAYERS } from "../words.js";
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
  let shown = null;

  /** Shows a position. `playable`: whether its moves can be made here. */
  function show(position, { playable = false, animate = true, hints = true } = {}) {
    const focused = targets.contains(document.activeElement) ? Number(document.activeElement.dataset.action) : null;
    painter.paint(position, { before: animate ? shown : null, hints: hints && playable });
    shown = position;
    notes.replaceChildren();
    const moves = playable && !position.finished ? position.legal : [];
    const placed = moves.filter(({ action }) => painter.place(action, position));
    targets.replaceChildren(...placed.map((move) => target(move, position)));
    others.replaceChildren(...moves.filter((move) => !placed.includes(move)).map((move) => otherMove(move)));
    svg.classList.toggle("playable", moves.length > 0);
    svg.dataset.player = position.player;
    words.replaceChildren(...describe(game, position));
    const next = targets.querySelector(`[data-action="${focused}"]`) ?? targets.children[Math.floor(placed.length / 2)];
    if (arrows) next?.setAttribute("tabindex", "0");
    if (focused !== null) next?.focus();
  }

  function target(move, position) {
    const { x, y, width, height } = painter.place(move.action, position);
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
      { type: "button", class: "small", onclick: () => onMove(move.action) },
      moveWords(game, move.name),
    );
  }

  function point(action) {
    painter.ghost(action, shown);
    onPoint(action);
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

    /** Moves the keyboard to the board. */
    focus() {
      targets.querySelector('[tabindex="0"]')?.focus();
    },

    /** The legal move written with this key, or null: columns have numbers. */
    moveOfKey(key) {
      if (game.notation !== "columns" || !/^[1-9]$/.test(key)) return null;
      return shown?.legal.find(({ name }) => name === key)?.action ?? null;
    },

    /** Writes notes on moves: [{ action, text, more, kind, weight 0…1 }]. */
    note(list) {
      notes.replaceChildren(...list.map((note) => painter.note(note, shown)).filter(Boolean));
    },

    /** Shows a line of play as numbered ghosts: [{ cell, player }]. */
    line(moves) {
      painter.line(moves.map((move, i) => ({ ...move, number: i + 1 })).filter(({ cell }) => cell !== null));
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
    const count = (owner) => position.boxes.filter((box) => box.owner === owner).length;
    const drawn = position.edges.filter((edge) => edge.drawn).map((edge) => edge.action);
    return [h("p", {}, `${turn} Boxes: X ${count(0)}, O ${count(1)}. Drawn edges: ${drawn.join(", ") || "none"}.`)];
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
