// The simulations of a search, moment by moment. What is to be said about each is in parts/explanation.js.

export const PHASES = ["selection", "expansion", "evaluation", "backup", "move"];

/**
 * All moments of a search in order: { step, phase, depth }. A selection has one for each position at which a move is
 * chosen, `depth` moves below the root; the last moment of all is the move that is played.
 */
export const moments = (search) => [
  ...search.steps.flatMap((step, i) => [
    ...step.path.map((_, depth) => ({ step: i, phase: "selection", depth })),
    ...["expansion", "evaluation", "backup"].filter((phase) => happens(step, phase)).map((phase) => ({ step: i, phase })),
  ]),
  { step: search.steps.length - 1, phase: "move" },
]; // prettier-ignore

/** Whether a phase happens in a simulation: a known position is not expanded, and the root has nothing to go back to. */
const happens = (step, phase) =>
  ({ expansion: step.expanded !== null, evaluation: true, backup: step.path.length > 0 })[phase];

const child = (nodes, { node, action }) => nodes[node].edges.find((edge) => edge.action === action)?.child ?? null;

/** The value of the last position for who moves there; the server gives it for who moved to it. */
function ownValue(step, nodes, leaf) {
  if (!step.path.length || !leaf) return step.value;
  return nodes[leaf].player === nodes[step.path.at(-1).node].player ? step.value : -step.value;
}

/** U of an edge but for what all edges of its node share: PUCT with a network, UCB1 without. */
const curiosity = ({ p, n }, learned) => (learned ? Math.max(p, 1e-9) / (1 + n) : 1 / Math.sqrt(1 + n));

const NOTHING = { n: 0, w: 0, q: 0, proven: false };

/**
 * What is to be seen at a moment: the nodes that are there, every edge's statistics by then, and what the last simulation
 * has changed.
 */
export function momentOf(search, { step: now, phase, depth = 0 }, learned) {
  const { steps, nodes } = search;
  const done = PHASES.indexOf(phase);
  const born = new Set(); // nodes that are there
  const parents = new Map(); // node → the node that it was first reached from
  const stats = new Map(); // node and action → N, W, Q, and whether it is proven
  const shared = new Map(); // node → what U of all its edges has in common, as the search last saw it
  const changes = []; // of the last simulation, from the leaf up
  const keyOf = ({ node, action }) => `${node} ${action}`;
  steps.slice(0, now + 1).forEach((step, i) => {
    const past = i < now;
    if (step.expanded && (past || done >= 1)) {
      born.add(step.expanded);
      if (step.path.length) parents.set(step.expanded, step.path.at(-1).node);
    }
    for (const edge of step.path) shared.set(edge.node, edge.u / curiosity(edge, learned));
    if (!past && done < 3) return;
    for (const edge of step.backup) {
      if (!past) changes.push({ ...edge, before: stats.get(keyOf(edge)) ?? NOTHING });
      stats.set(keyOf(edge), edge);
    }
  });
  const step = steps[now];
  const leaf = step.expanded ?? (step.path.length ? child(nodes, step.path.at(-1)) : null);
  const over = phase === "move";
  const path = over ? [] : phase === "selection" ? step.path.slice(0, depth + 1) : step.path;
  return {
    born,
    parents,
    phase,
    path,
    changes,
    over: step.terminal && path.length === step.path.length && path.length > 0,
    leaf: done >= 1 && !over ? leaf : null,
    fresh: phase === "expansion" ? step.expanded : null,
    value: done >= 2 && !over ? ownValue(step, nodes, leaf) : null,
    /** The position that everything is about: where a move is chosen, what is new, or the root. */
    focus: phase === "selection" ? path.at(-1).node : (phase === "expansion" && step.expanded) || search.root,
    chosen: phase === "selection" ? path.at(-1).action : over ? search.played : null,
    stats(key, edge) {
      const { n, w, q, proven } = stats.get(`${key} ${edge.action}`) ?? NOTHING;
      const u = shared.has(key) ? shared.get(key) * curiosity({ p: edge.p, n }, learned) : null;
      return { n, w, q, p: edge.p, u, proven };
    },
  };
}
