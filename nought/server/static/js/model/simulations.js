// The simulations of a search, moment by moment. What is to be said about each is in parts/explanation.js.

export const PHASES = ["selection", "expansion", "evaluation", "backup"];

/** All moments of a search in order: { step, phase }. */
export const moments = (search) =>
  search.steps.flatMap((step, i) =>
    PHASES.filter((phase) => happens(step, phase)).map((phase) => ({ step: i, phase })),
  );

/** Whether a phase happens in a simulation: the root is never selected, a known position is not expanded. */
const happens = (step, phase) =>
  ({
    selection: step.path.length > 0,
    expansion: step.expanded !== null,
    evaluation: true,
    backup: step.path.length > 0,
  })[phase];

const child = (nodes, { node, action }) => nodes[node].edges.find((edge) => edge.action === action)?.child ?? null;

/** The value of the last position for who moves there; the server gives it for who moved to it. */
function ownValue(step, nodes, leaf) {
  if (!step.path.length || !leaf) return step.value;
  return nodes[leaf].player === nodes[step.path.at(-1).node].player ? step.value : -step.value;
}

/** U of an edge but for what all edges of its node share: PUCT with a network, UCB1 without. */
const curiosity = ({ p, n }, learned) => (learned ? Math.max(p, 1e-9) / (1 + n) : 1 / Math.sqrt(1 + n));

/** What is to be seen at a moment: the nodes that are there, and every edge's statistics by then. */
export function momentOf(search, { step: now, phase }, learned) {
  const { steps, nodes } = search;
  const done = PHASES.indexOf(phase);
  const born = new Set(); // nodes that are there
  const parents = new Map(); // node → the node that it was first reached from
  const stats = new Map(); // node and action → N, W, Q
  const shared = new Map(); // node → what U of all its edges has in common, as the search last saw it
  steps.slice(0, now + 1).forEach((step, i) => {
    const past = i < now;
    if (step.expanded && (past || done >= 1)) {
      born.add(step.expanded);
      if (step.path.length) parents.set(step.expanded, step.path.at(-1).node);
    }
    for (const edge of step.path) shared.set(edge.node, edge.u / curiosity(edge, learned));
    if (past || done >= 3)
      for (const { node, action, n, w, q } of step.backup) stats.set(`${node} ${action}`, { n, w, q });
  });
  const step = steps[now];
  const leaf = step.expanded ?? (step.path.length ? child(nodes, step.path.at(-1)) : null);
  return {
    born,
    parents,
    phase,
    path: step.path,
    over: step.terminal && step.path.length > 0,
    leaf: done >= 1 ? leaf : null,
    fresh: phase === "expansion" ? step.expanded : null,
    value: done >= 2 ? ownValue(step, nodes, leaf) : null,
    stats(key, edge) {
      const { n, w, q } = stats.get(`${key} ${edge.action}`) ?? { n: 0, w: 0, q: 0 };
      return { n, w, q, p: edge.p, u: shared.has(key) ? shared.get(key) * curiosity({ p: edge.p, n }, learned) : null };
    },
  };
}
