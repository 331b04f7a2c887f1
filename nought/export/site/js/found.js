// What a search has found, read from its memory: the same that nought.search.analysis says.

/** A node of the graph: who moves there, its value, and its edges. */
function nodeAt({ ints, floats, facts }, place) {
  const { node, group, tag } = facts.search;
  const count = ints[place + node.EDGES];
  const at = (which, i) => place + node.HEADER + group[which] * count + i;
  const proof = ints[place + node.PROOF];
  return {
    visits: ints[place + node.VISITS],
    value: floats[place + node.VALUE],
    plies: proof ? proof - 1 : null,
    edges: Array.from({ length: count }, (_, i) => {
      const mark = ints[at("TAG", i)];
      const child = ints[at("CHILD", i)];
      const proven = (mark & tag.PROVEN) !== 0;
      return {
        action: mark & tag.ACTION_MASK,
        prior: floats[at("P", i)],
        value: floats[at("Q", i)],
        visits: ints[at("N", i)],
        proven,
        refuted: (mark & tag.REFUTED) !== 0,
        child: child > 0 ? child : null,
        plies: !proven ? null : child > 0 ? Math.max(1, ints[child + node.PROOF]) : 1,
      };
    }),
  };
}

/** By what edges are ordered: the higher, the better to play. */
function rank({ proven, plies, value, visits, prior }) {
  if (proven && plies !== null && Math.abs(value) === 1) return [2 * value, -value * plies, visits, 0];
  return [0, visits, value, prior];
}

function better(a, b) {
  const [first, second] = [rank(a), rank(b)];
  const i = first.findIndex((number, k) => number !== second[k]);
  return i >= 0 && first[i] > second[i];
}

/** The moves of the best line from a node on. */
function bestLine(machine, place) {
  const line = [];
  while (place !== null) {
    const { visits, edges } = nodeAt(machine, place);
    if (!visits) break;
    const best = edges.reduce((top, edge) => (better(edge, top) ? edge : top));
    if (!best.visits && !best.proven) break;
    line.push(best.action);
    place = best.child;
  }
  return line;
}

/** The search as it stands: its value, and each move's visits, value, prior, share and line, the best first. */
export function found(machine) {
  const { places, block } = machine.facts.search;
  const root = nodeAt(machine, machine.ints[places.block + block.ROOT]);
  const best = machine.decide();
  const policy = machine.floats.slice(places.policy, places.policy + machine.facts.game.actions);
  const edges = [...root.edges].sort((a, b) => (better(a, b) ? -1 : better(b, a) ? 1 : 0));
  return {
    best,
    value: root.value,
    proven: root.plies !== null,
    plies: root.plies,
    simulations: machine.ints[places.block + block.SIMULATIONS],
    positions: machine.ints[places.block + block.NODES],
    moves: [...edges.filter(({ action }) => action === best), ...edges.filter(({ action }) => action !== best)].map(
      ({ action, visits, value, prior, proven, plies, child }) => ({
        action,
        visits,
        value: visits || proven ? value : null,
        prior,
        proven,
        plies,
        share: policy[action],
        line: [action, ...bestLine(machine, child)],
      }),
    ),
  };
}
