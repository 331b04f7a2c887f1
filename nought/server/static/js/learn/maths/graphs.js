// Small graphs of positions: the papers' examples. A graph is { root, nodes, edges: [{ name, from, to }] }.

/** Figure 1 of 000, with all the data of its section 5.1 (equations 67–101). */
export const FIGURE_1 = {
  root: "n1",
  nodes: ["n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"],
  edges: [
    ["e1", "n1", "n3"],
    ["e2", "n1", "n2"],
    ["e3", "n1", "n4"],
    ["e4", "n2", "n5"],
    ["e5", "n2", "n6"],
    ["e6", "n4", "n6"],
    ["e7", "n4", "n7"],
    ["e8", "n4", "n8"],
  ].map(([name, from, to]) => ({ name, from, to })),
};

/** Dots and boxes with a single box (002, figure 7.1.2): a node for every set of lines that is drawn, as bits. */
export function oneBox(lines = 4) {
  const nodes = Array.from({ length: 2 ** lines }, (_, drawn) => drawn.toString(2).padStart(lines, "0"));
  const edges = nodes.flatMap((from) =>
    [...from].flatMap((bit, i) =>
      bit === "1" ? [] : [{ name: String(i), from, to: `${from.slice(0, i)}1${from.slice(i + 1)}` }],
    ),
  );
  return { root: nodes[0], nodes, edges };
}

export const edgesFrom = ({ edges }, node) => edges.filter(({ from }) => from === node);
export const edgesTo = ({ edges }, node) => edges.filter(({ to }) => to === node);

/** Nodes from which no edge leads away, and the others. */
export const leaves = (graph) => graph.nodes.filter((node) => !edgesFrom(graph, node).length);
export const expanded = (graph) => graph.nodes.filter((node) => edgesFrom(graph, node).length);

/** How many moves a node is away from the root. */
export function depths(graph) {
  const found = new Map([[graph.root, 0]]);
  for (const [node, depth] of found) for (const { to } of edgesFrom(graph, node)) if (!found.has(to)) found.set(to, depth + 1); // prettier-ignore
  return found;
}

/** How many nodes there would be if every way to a position made a node of its own. */
export const treeSize = (graph, node = graph.root) =>
  edgesFrom(graph, node).reduce((sum, { to }) => sum + treeSize(graph, to), 1);
