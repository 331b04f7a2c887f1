// A small game as a tree of positions, from the one at hand down to its ends.

import { h, s } from "../../dom.js";
import { smallBoard } from "./board.js";

const WIDE = 68, // of a position with its room
  BOARD = 46,
  HIGH = 96; // from level to level

/**
 * Draws a tree of maths/value.js. `under(node, depth)` is what is written below a position, or null; `along(node)` what
 * is written on the way to it. `element.refresh()` asks both anew.
 */
export function positionTree(name, tree, { label, under, along = () => null }) {
  const places = [];
  const columns = lay(tree, 0, 0, places);
  const depth = Math.max(...places.map((place) => place.depth));
  const [width, height] = [columns * WIDE, depth * HIGH + BOARD + 26];
  const lines = places.filter(({ parent }) => parent).map(({ x, y, parent }) => s("path", { class: "way", d: `M${parent.x} ${parent.y + BOARD + 22}L${x} ${y - 4}` })); // prettier-ignore
  const texts = s("g");
  const boards = places.map(({ node, x, y }) => {
    const board = smallBoard(name, node.position, BOARD);
    board.setAttribute("x", x - BOARD / 2);
    board.setAttribute("y", y);
    return board;
  });
  const write = ({ node, x, y, depth: level, parent }) => [
    ...text(x, y + BOARD + 16, "worth", under(node, level)),
    ...(parent ? text((x + parent.x) / 2, (y + parent.y + BOARD + 26) / 2, "chance", along(node)) : []),
  ];
  const refresh = () => texts.replaceChildren(...places.flatMap(write));
  refresh();
  const picture = s(
    "svg",
    { class: "tree", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    lines,
    boards,
    texts,
  );
  return Object.assign(h("div", { class: "tree-box", style: { "--wide": `${1.35 * width}px` } }, picture), { refresh });
}

const text = (x, y, kind, words) => (words === null ? [] : [s("text", { class: kind, x, y }, words)]);

/** Gives every node a place: leaves side by side, others above the middle of what follows. Returns the columns used. */
function lay(node, depth, first, places) {
  let used = 0;
  const own = { node, depth, y: depth * HIGH + 4 };
  places.push(own);
  const below = node.children.map((child) => {
    const at = places.length;
    used += lay(child, depth + 1, first + used, places);
    return places[at];
  });
  own.x = below.length ? (below[0].x + below.at(-1).x) / 2 : (first + 0.5) * WIDE;
  for (const place of below) place.parent = own;
  return Math.max(1, used);
}
