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

/**
 * The moves about as good as the best, which is among them: action → how likely each is to be drawn. As in
 * nought.search.variety.
 */
export function alternatives(machine) {
  const { VALUE_MARGIN, VISITS_SHARE, PRIOR_SHARE } = machine.facts.variety;
  const { places, block } = machine.facts.search;
  const { plies, edges } = nodeAt(machine, machine.ints[places.block + block.ROOT]);
  const action = machine.decide();
  const best = edges.find((edge) => edge.action === action);
  const keeps = (edge) => edge.proven && edge.value === best.value && (edge.plies === best.plies || best.value === 0);
  const close = ({ visits, refuted, value }) =>
    visits >= VISITS_SHARE * best.visits && !refuted && value >= best.value - VALUE_MARGIN;
  const liked = ({ refuted, prior }) => !refuted && prior >= PRIOR_SHARE * best.prior;
  const [chosen, weight] =
    plies !== null
      ? [keeps, () => 1]
      : best.visits === 0
        ? [liked, ({ prior }) => prior]
        : [close, ({ visits }) => visits];
  const weights = edges.filter(chosen).map((edge) => [edge.action, weight(edge)]);
  const total = weights.reduce((sum, [, own]) => sum + own, 0);
  if (total === 0) return new Map([[action, 1]]); // priors of 0 alone
  return new Map(weights.map(([other, own]) => [other, own / total]));
}

/** One of them, by a number from 0 to 1 that chance has drawn. */
export function varied(machine, drawn) {
  let last = null;
  for (const [action, share] of alternatives(machine)) {
    last = action;
    drawn -= share;
    if (drawn < 0) break;
  }
  return last;
}

/** The search as it stands: its value, and each move's visits, value, prior, share and line, the best first. */
export function found(machine) {
  const { places, block } = machine.facts.search;
  const root = nodeAt(machine, machine.ints[places.block + block.ROOT]);
  const best = machine.decide();
  const policy = machine.floats.slice(places.policy, places.policy + machine.facts.game.actions);
  const edges = [...root.edges].sort((a, b) => (better(a, b) ? -1 : better(b, a) ? 1 : 0));
  const played = edges.find(({ action }) => action === best);
  return {
    best,
    value: played.visits || played.proven ? played.value : root.value, // not the mean over all moves that were tried
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
