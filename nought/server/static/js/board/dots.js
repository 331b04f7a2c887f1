// Edges between dots, and the boxes they close. Dots, edges and boxes share a grid of (2n+1) × (2m+1) cells.

import { s, still } from "../dom.js";
import { stone } from "./stones.js";

const HALF = 70; // from a dot to the middle of an edge
const MARGIN = 34;

export function dotsPainter(game) {
  const [width, height] = [(game.columns - 1) * HALF, (game.rows - 1) * HALF];
  const place = (cell) => [(cell % game.columns) * HALF, Math.floor(cell / game.columns) * HALF];
  const across = (cell) => Math.floor(cell / game.columns) % 2 === 0;

  const [boxes, lines, ghosts, dots] = [s("g"), s("g"), s("g"), s("g")];
  for (let row = 0; row < game.rows; row += 2) {
    for (let column = 0; column < game.columns; column += 2)
      dots.append(s("circle", { class: "dot", cx: column * HALF, cy: row * HALF, r: 9 }));
  }
  const ground = s("rect", {
    class: "field",
    x: -MARGIN,
    y: -MARGIN,
    width: width + 2 * MARGIN,
    height: height + 2 * MARGIN,
    rx: 24,
  });
  const drawn = new Map(); // action → element
  const owned = new Map(); // cell → owner

  function edge(cell, kind) {
    const [x, y] = place(cell);
    return s("path", {
      class: `edge ${kind}`,
      d: across(cell) ? `M${x - HALF} ${y}h${2 * HALF}` : `M${x} ${y - HALF}v${2 * HALF}`,
      pathLength: 1,
    });
  }

  function paint(position, { before, hints }) {
    const move = before && !still();
    ghosts.replaceChildren();
    for (const { action, cell, drawn: is } of position.edges) {
      const old = drawn.get(action);
      if (is && !old) {
        const line = edge(cell, "drawn");
        lines.append(line);
        drawn.set(action, line);
        if (move)
          line.animate(
            [
              { strokeDasharray: "1 1", strokeDashoffset: 1 },
              { strokeDasharray: "1 1", strokeDashoffset: 0 },
            ],
            { duration: 240, easing: "ease-out" },
          );
      } else if (!is && old) {
        old.remove();
        drawn.delete(action);
      }
      if (!is && hints) ghosts.append(edge(cell, "open"));
    }
    const last = position.actions.at(-1);
    for (const [action, line] of drawn) line.classList.toggle("latest", action === last);
    for (const { cell, owner } of position.boxes) paintBox(cell, owner, position, move);
  }

  function paintBox(cell, owner, position, move) {
    const closed = owner !== null && owner !== undefined;
    if ((owned.get(cell)?.owner ?? null) === (closed ? owner : null)) return;
    owned.get(cell)?.element.remove();
    owned.delete(cell);
    if (!closed) return;
    const [x, y] = place(cell);
    const inner = s(
      "g",
      {},
      s("rect", {
        class: `box p${owner}`,
        x: -HALF + 7,
        y: -HALF + 7,
        width: 2 * HALF - 14,
        height: 2 * HALF - 14,
        rx: 12,
      }),
      stone(owner, 26),
    );
    const element = s("g", { transform: `translate(${x} ${y})` }, inner);
    boxes.append(element);
    owned.set(cell, { owner, element });
    if (move)
      inner.animate(
        [
          { transform: "scale(.5)", opacity: 0 },
          { transform: "none", opacity: 1 },
        ],
        { duration: 260, delay: 140, easing: "ease-out", fill: "backwards" },
      );
  }

  const cellOf = (action) => game.cell_of_action[action];

  return {
    viewBox: `${-MARGIN - 2} ${-MARGIN - 2} ${width + 2 * MARGIN + 4} ${height + 2 * MARGIN + 4}`,
    ratio: width / height,
    layers: [ground, boxes, ghosts, lines, dots],
    ghosts,
    paint,

    area(cell) {
      const [x, y] = place(cell);
      const [long, wide] = [HALF - 16, 32];
      const [w, t] = across(cell) ? [long, wide] : [wide, long];
      return s("rect", { class: "area", x: x - w, y: y - t, width: 2 * w, height: 2 * t, rx: 14 });
    },

    ghost: (action, position) => action !== null && edge(cellOf(action), `ghost p${position.player}`),

    note({ action, text, kind = "", weight = 0 }) {
      const [x, y] = place(cellOf(action));
      return s(
        "g",
        { class: `note ${kind}`, transform: `translate(${x} ${y})` },
        s("rect", { class: "ground", x: -34, y: -17, width: 68, height: 34, rx: 17 }),
        s("rect", { class: "bar", x: -28 * weight, y: 11, width: 56 * weight, height: 4, rx: 2 }),
        s("text", {}, text),
      );
    },

    numbered({ cell, player, number }) {
      const [x, y] = place(cell);
      return s(
        "g",
        { class: "line" },
        edge(cell, `ghost p${player}`),
        s("circle", { class: `disc p${player}`, cx: x, cy: y, r: 20 }),
        s("text", { x, y }, number),
      );
    },
  };
}
