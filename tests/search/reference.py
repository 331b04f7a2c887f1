"""A second search, written from the equations and not from the kernels: plain Python, dictionaries, one game.

Every node n has an evaluation (P, own value), and its value for the player to move there is
    V(n) = (own + Σ N(a) Q(a)) / (1 + Σ N(a))      over the moves a that are not refuted,
    Q(a) = V(child), or -V(child) where the player to move changes, or the result where the game ends.
Q is taken over from the children whenever a simulation passes through n; V is made true on its way back.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from nought.config import Choice, SearchParameters
from nought.games import Position

Evaluate = Callable[[Position], tuple[list[float], float]]  # → weight of every action, value for the mover


@dataclass
class Move:
    action: int
    prior: float
    visits: int = 0
    value: float = 0.0  #                 Q
    child: Node | None = None  #          once followed
    ends: bool = False
    proven: bool = False
    refuted: bool = False


@dataclass
class Node:
    position: Position
    own: float
    moves: list[Move]
    value: float = field(init=False)
    proven: bool = False

    def __post_init__(self) -> None:
        self.value = self.own

    @property
    def visits(self) -> int:
        """ΣN"""
        return sum(move.visits for move in self.moves)

    @property
    def live(self) -> list[Move]:
        return [move for move in self.moves if not move.refuted]


class Reference:
    """The search of one position. `closest` is the smallest difference, other than none, by which a move was
    ever preferred to another: the kernels count in 32 bits and in another order, so that a choice as close as
    their rounding may go either way, and says nothing."""

    def __init__(self, position: Position, evaluate: Evaluate, parameters: SearchParameters) -> None:
        self.evaluate = evaluate
        self.parameters = parameters
        self.nodes: dict[bytes, Node] = {}
        self.closest = math.inf
        self.simulations = 0
        self.root = self.add(position)
        while self.simulations < parameters.simulations and not self.root.proven:
            self.simulate()

    def add(self, position: Position) -> Node:
        if (
            self.nodes
            and self.parameters.proofs
            and self.parameters.look_ahead
            and (won := at_once(position))
        ):
            node = Node(position, 1.0, won, proven=True)
            self.nodes[position.state.tobytes()] = node
            return node
        weights, value = self.evaluate(position)
        total = sum(weights[a] for a in position.legal)
        node = Node(position, value, [Move(a, weights[a] / total) for a in position.legal])
        self.nodes[position.state.tobytes()] = node
        return node

    # ---- one simulation ------------------------------------------------------------------------------------
    def simulate(self) -> None:
        node, path = self.root, []
        while True:
            self.take_over(node, node.moves)
            if node.proven:
                break
            move = self.choose(node)
            path.append((node, move))
            known = move.child is not None
            if not known and not move.ends:
                self.follow(node, move)
            if move.ends or not known:  # the end, a new node, or one that was found by another order of moves
                break
            node = move.child
        for node, move in reversed(path):
            move.visits += 1
            self.take_over(node, [move])
            if not node.proven:
                node.value = mean_value(node)
        self.simulations += bool(path)

    def follow(self, node: Node, move: Move) -> None:
        position = child_of(node.position, move.action)
        if position.finished:
            move.ends = True
            move.value = position.result if node.position.player == 0 else -position.result
        else:
            move.child = self.nodes.get(position.state.tobytes()) or self.add(position)

    def take_over(self, node: Node, moves: list[Move]) -> None:
        """Q and proofs from the children that these moves lead to."""
        for move in moves:
            if move.child is not None:
                same = move.child.position.player == node.position.player
                move.value = move.child.value if same else -move.child.value
            fact = move.ends or (move.child is not None and move.child.proven)
            move.proven = self.parameters.proofs and fact
        proven = [move for move in node.moves if move.proven]
        if not proven or node.proven:
            return
        best = max(proven, key=lambda move: (move.value, -move.action))
        if best.value == 1 or len(proven) == len(node.moves):
            node.proven, node.value = True, best.value
        else:
            for move in proven:
                move.refuted = move is not best or best.value == -1

    # ---- which move ----------------------------------------------------------------------------------------
    def choose(self, node: Node) -> Move:
        if self.parameters.choice == Choice.UCB1:
            return self.by_ucb1(node)
        if self.parameters.choice == Choice.GUMBEL:
            return self.by_halving(node) if node is self.root else self.by_improved_policy(node)
        return self.by_puct(node)

    def by_puct(self, node: Node) -> Move:
        p, total = self.parameters, node.visits
        c = p.c_puct + p.c_growth * math.log((total + p.c_base + 1) / p.c_base)
        root = math.sqrt(total + (p.choice == Choice.PUCT_PLUS_ONE))
        urgency = p.first_play_urgency
        if urgency is None:
            tried = sum(move.prior for move in node.moves if move.visits)
            urgency = node.value - p.urgency_reduction * math.sqrt(tried)
        scores = [
            (move.value if move.visits else urgency) + c * move.prior * root / (1 + move.visits)
            for move in node.live
        ]
        return self.highest(node.live, scores)

    def by_ucb1(self, node: Node) -> Move:
        for move in node.live:
            if move.visits == 0:
                return move
        log = math.log(max(node.visits, 1))
        scores = [m.value + self.parameters.c_puct * math.sqrt(log / (1 + m.visits)) for m in node.live]
        # without priors: a tie goes to the lower action
        return self.highest(node.live, scores, prior=False)

    def logits(self, node: Node) -> dict[int, float]:
        """log P + σ(completed Q), Q from 0 to 1 (Danihelka et al. 2022, equations 8, 10 and 33)."""
        tried = [move for move in node.moves if move.visits]
        mixed = node.own
        if tried:
            weighted = sum(m.prior * m.value for m in tried) / sum(m.prior for m in tried)
            mixed = (node.own + node.visits * weighted) / (1 + node.visits)
        scale = (self.parameters.c_visit + max(m.visits for m in node.moves)) * self.parameters.c_scale
        return {
            m.action: math.log(m.prior) + scale * ((m.value if m.visits else mixed) + 1) / 2
            for m in node.moves
        }

    def by_improved_policy(self, node: Node) -> Move:
        logits = self.logits(node)
        highest = max(logits[move.action] for move in node.live)
        weights = [math.exp(logits[move.action] - highest) for move in node.live]
        visits = sum(move.visits for move in node.live)
        scores = [
            w / sum(weights) - move.visits / (1 + visits) for w, move in zip(weights, node.live, strict=True)
        ]
        return self.highest(node.live, scores, prior=False)

    def by_halving(self, node: Node) -> Move:
        """Sequential halving without noise, as a plan of whose turn it is: of the moves that have had as many
        simulations as the plan asks for, the one with the highest logit."""
        considered = min(self.parameters.considered, len(node.moves))
        wanted = halving_plan(considered, self.parameters.simulations)[self.simulations]
        candidates = [move for move in node.live if move.visits == wanted]
        if not candidates:  # proofs have upset the plan
            return min(node.live, key=lambda move: move.visits)
        logits = self.logits(node)
        return self.highest(candidates, [logits[move.action] for move in candidates], prior=False)

    def highest(self, moves: list[Move], scores: list[float], prior: bool = True) -> Move:
        best = max(scores)
        gaps = [best - score for score in scores if score < best]
        self.closest = min([self.closest, *gaps])
        equal = [move for move, score in zip(moves, scores, strict=True) if score == best]
        return max(equal, key=lambda move: (move.prior if prior else 0, -move.action))


def at_once(position: Position) -> list[Move]:
    """All moves of a position, if some of them win at once; those are proven and share the prior."""
    ends = {a: child_of(position, a) for a in position.legal}
    wins = [a for a in ends if ends[a].finished and ends[a].result == (1 if position.player == 0 else -1)]
    return [
        Move(a, 1 / len(wins), value=1.0, ends=True, proven=True) if a in wins else Move(a, 0.0)
        for a in position.legal
        if wins
    ]


def mean_value(node: Node) -> float:
    total = node.own + sum(move.visits * move.value for move in node.live)
    return total / (1 + sum(move.visits for move in node.live))


def halving_plan(considered: int, simulations: int) -> list[int]:
    """How many visits the move has that simulation t goes to: rounds of equal length, each over half the moves."""
    rounds = max(1, math.ceil(math.log2(considered)))
    plan: list[int] = []
    visits, left = 0, considered
    while len(plan) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            plan += [visits] * left
            visits += 1
        left = max(2, left // 2) if considered > 1 else 1
    return plan[:simulations]


_children: dict[tuple[str, bytes, int], Position] = {}


def child_of(position: Position, action: int) -> Position:
    """The position after a move, computed once: many searches pass through it."""
    key = (position.game.name, position.state.tobytes(), action)
    if key not in _children:
        _children[key] = position.play(action)
    return _children[key]
