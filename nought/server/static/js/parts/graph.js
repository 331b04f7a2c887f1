// The graph of a search as a drawing: small boards for positions, edges with their statistics.

import { miniBoard } from "../board/mini.js";
import { s } from "../dom.js";
import { signed } from "../model/words.js";

const NODE = 84,
  WIDE = 128,
  DEEP = 176,
  TOP = 20;

/** Where every node stands: below its first parent, leaves side by side. Fixed, so that nothing jumps as it grows. */
function layout(search) {
  const children = new Map(Object.keys(search.nodes).map((key) => [key, []]));
  const depth = new Map([[search.root, 0]]);
  for (const step of search.steps) {
    if (!step.expanded || !step.path.length) continue;
    const parent = step.path.at(-1).node;
    children.get(parent).push({ key: step.expanded, action: step.path.at(-1).action });
    depth.set(step.expanded, depth.get(parent) + 1);
  }
  const places = new Map();
  let slot = 0;
  const put = (key) => {
    const below = children
      .get(key)
      .sort((a, b) => a.action - b.action)
      .map((child) => put(child.key));
    const x = below.length ? (below[0] + below.at(-1)) / 2 : (slot++ + 0.5) * WIDE;
    places.set(key, { x, y: TOP + depth.get(key) * DEEP });
    return x;
  };
  put(search.root);
  return {
    places,
    width: Math.max(slot * WIDE, 3 * WIDE),
    height: TOP + Math.max(...depth.values()) * DEEP + NODE + 30,
  };
}

/** A drawing of `search`. `show(moment)` brings it to a moment; `onPick(key)` hears of a node that is clicked. */
export function searchGraph(game, search, onPick) {
  const { places, width, height } = layout(search);
  const tall = (NODE * (game.rows + 0.4)) / (game.columns + 0.4);
  const edges = s("g"),
    labels = s("g"),
    nodes = s("g");
  const drawn = new Map();
  for (const [key, node] of Object.entries(search.nodes)) {
    const place = places.get(key);
    if (!place) continue;
    const board = miniBoard(
      game,
      { cells: node.cells, labels: node.labels, edges: node.drawn ?? [], boxes: node.boxes },
      NODE,
    );
    board.setAttribute("x", -NODE / 2);
    const value = s("text", { class: "value", y: tall + 25 });
    const element = s(
      "g",
      { class: `node p${node.player}`, transform: `translate(${place.x} ${place.y})`, onclick: () => onPick(key) },
      s("rect", { class: "halo", x: -NODE / 2 - 6, y: -6, width: NODE + 12, height: tall + 12, rx: 12 }),
      board,
      value,
    );
    nodes.append(element);
    drawn.set(key, { element, value });
  }
  const element = s(
    "svg",
    {
      class: "graph",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": "The search graph; the sentence above says what happens",
    },
    edges,
    nodes,
    labels,
  );

  function show(moment) {
    for (const [key, { element: node, value }] of drawn) {
      node.classList.toggle("unborn", !moment.born.has(key));
      node.classList.toggle("fresh", key === moment.fresh);
      node.classList.toggle("on-path", moment.path.some((edge) => edge.node === key) || key === moment.leaf);
      node.classList.toggle("picked", key === moment.picked);
      value.textContent = key === moment.leaf && moment.value !== null ? signed(moment.value) : "";
    }
    edges.replaceChildren();
    labels.replaceChildren();
    for (const key of moment.born) {
      for (const edge of search.nodes[key].edges) {
        if (edge.child && moment.born.has(edge.child)) drawEdge(key, edge, moment);
      }
    }
    if (moment.over) drawEnd(moment.path.at(-1), moment);
  }

  /** The last edge of a simulation that came to the end of a game: there is no node below it. */
  function drawEnd({ node, name }, moment) {
    const { x, y } = places.get(node);
    const top = y + tall + 6;
    edges.append(s("path", { class: `link ${moment.phase}`, d: `M${x} ${top}v26` }));
    labels.append(
      s(
        "g",
        { class: `label ${moment.phase}` },
        s("rect", { x: x - 52, y: top + 26, width: 104, height: 24, rx: 9 }),
        s("text", { x, y: top + 42 }, `${name} ends the game`),
      ),
    );
  }

  function drawEdge(key, edge, moment) {
    const stats = moment.stats(key, edge);
    const [from, to] = [places.get(key), places.get(edge.child)];
    const used = moment.path.some((one) => one.node === key && one.action === edge.action);
    const tree = moment.parents.get(edge.child) === key;
    if (!tree && !stats.n) return; // a second way to a known position, not gone yet
    const y0 = from.y + tall + 6,
      y1 = to.y - 62;
    edges.append(
      s("path", {
        class: `link ${used ? moment.phase : ""} ${tree ? "" : "shared"}`,
        d: tree
          ? `M${from.x} ${y0}C${from.x} ${(y0 + y1) / 2} ${to.x} ${(y0 + y1) / 2} ${to.x} ${y1}`
          : `M${from.x} ${y0}C${from.x} ${y0 + 40} ${to.x + 60} ${to.y - 30} ${to.x + NODE / 2 + 6} ${to.y + tall / 2}`,
      }),
    );
    const kind = `${used ? moment.phase : ""} ${stats.proven ? "proven" : ""}`.trim();
    if (tree) labels.append(label(to.x, to.y, edge, stats, kind));
  }

  return { element, show, place: (key) => places.get(key), width };
}

function label(x, y, edge, { n, q, p, u, proven }, kind) {
  const line = (dy, ...pairs) =>
    s(
      "text",
      { x, y: y + dy },
      pairs.map(([name, value]) => [s("tspan", { class: "name" }, `${name} `), s("tspan", {}, `${value}  `)]),
    );
  return s(
    "g",
    { class: `label ${kind}` },
    s("rect", { x: x - 56, y: y - 62, width: 112, height: 52, rx: 9 }),
    line(-47, [edge.name, ""], ["N", n]),
    line(-32, ["Q", `${signed(q)}${proven ? " proven" : ""}`]),
    line(-17, ["P", p.toFixed(2)], ["U", u === null ? "–" : u.toFixed(2)]),
  );
}
