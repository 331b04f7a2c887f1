// A small graph as a drawing, level by level: its nodes can be pressed.

import { s } from "../../dom.js";
import { depths, edgesTo } from "../maths/graphs.js";

const RADIUS = 19;

/** `draw(node)` gives what is inside of a node, a text unless told; `onPick(node)` hears of one that is pressed. */
export function digraph(label, graph, { wide = 74, high = 92, named = String, draw = text, names = true, onPick }) {
  const depth = depths(graph);
  const levels = Array.from({ length: Math.max(...depth.values()) + 1 }, (_, i) => graph.nodes.filter((node) => depth.get(node) === i)); // prettier-ignore
  const width = wide * Math.max(...levels.map((level) => level.length));
  const placed = new Map(
    levels.flatMap((level, row) =>
      level.map((node, i) => [node, { x: width / 2 + (i - (level.length - 1) / 2) * wide, y: 26 + row * high }]),
    ),
  );
  const ways = graph.edges.map(({ name, from, to }) => {
    const [a, b] = [placed.get(from), placed.get(to)];
    return [
      s("path", { class: "way", d: `M${a.x} ${a.y + RADIUS}L${b.x} ${b.y - RADIUS}` }),
      names && s("text", { class: "edge-name", x: (a.x + 2 * b.x) / 3, y: (a.y + 2 * b.y) / 3 - 2 }, name),
    ].filter(Boolean);
  });
  const nodes = graph.nodes.map((node) => {
    const { x, y } = placed.get(node);
    const press = () => onPick?.(node);
    return s(
      "g",
      {
        class: `spot ${edgesTo(graph, node).length > 1 ? "shared" : ""}`.trim(),
        transform: `translate(${x} ${y})`,
        role: onPick ? "button" : null,
        tabindex: onPick ? 0 : null,
        "aria-label": onPick ? named(node) : null,
        "data-node": node,
        onclick: press,
        onkeydown: (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          press();
        },
      },
      s("circle", { r: RADIUS }),
      draw(node),
    );
  });
  return s(
    "svg",
    {
      class: "digraph",
      viewBox: `0 0 ${width} ${52 + high * (levels.length - 1)}`,
      role: onPick ? "group" : "img",
      "aria-label": label,
    },
    ways,
    nodes,
  );
}

const text = (node) => s("text", { y: 5 }, node);
