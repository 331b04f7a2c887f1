"""An agent for Kaggle's ConnectX: a network and a search in one file that needs NumPy alone.

`nought export --format kaggle` fills in what a network has learned. On a board of another size the agent plays
by the same search, with random games in place of the network.
"""

from __future__ import annotations

import base64
import io
import math
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

SECONDS = 1.0  #         to think about a move; never more than half of what the environment allows
SIMULATIONS = 100_000  # a move, at most
BATCH = 8  #             positions that the network sees at once
EXPLORATION = 2.0  #     c in Q + c P √(1 + ΣN) / (1 + N)

SIZE = (6, 7, 4)  #      rows, columns and stones in a row that the network knows
SLOPE = 0.0  #           of its rectifiers below 0
RECTIFIED_HEADS = True  # whether the heads' first layers have them
OUTCOMES = False  #      whether it predicts win, draw and loss instead of a value


# ---- the board ----------------------------------------------------------------------------------------------
class BitBoard:
    """The rules. Stones are bits, column * (rows + 1) + height: a row that stays empty keeps columns apart."""

    def __init__(self, rows: int, columns: int, length: int) -> None:
        self.size = rows, columns, length
        self.tall = rows + 1
        self.bottom = [1 << column * self.tall for column in range(columns)]
        self.column = [(bit << rows) - bit for bit in self.bottom]
        self.inside = sum(self.column)
        # For each direction and each place of a gap in a row: the steps from the gap to the row's other stones
        self.rows_with_gap = [
            [(place - gap) * step for place in range(length) if place != gap]
            for step in (1, self.tall - 1, self.tall, self.tall + 1)
            for gap in range(length)
        ]

    def read(self, cells: list[int], mark: int) -> tuple[int, int]:
        """The stones of `mark`, and all stones, of a board given row by row from the top."""
        rows, columns, _ = self.size
        mine = everything = 0
        for i, stone in enumerate(cells):
            bit = self.bottom[i % columns] << (rows - 1 - i // columns)
            everything |= bit if stone else 0
            mine |= bit if stone == mark else 0
        return mine, everything

    def moves(self, everything: int) -> list[tuple[int, int]]:
        """Each column that is not full, and the cell where a stone comes to rest in it."""
        cells = [(everything + bit) & column for bit, column in zip(self.bottom, self.column, strict=True)]
        return [(column, cell) for column, cell in enumerate(cells) if cell]

    def completing(self, stones: int) -> int:
        """The cells where one more stone would make a row."""
        found = 0
        for steps in self.rows_with_gap:
            cells = self.inside
            for step in steps:
                cells &= stones >> step if step > 0 else stones << -step
                if not cells:
                    break
            found |= cells
        return found


# ---- the search ---------------------------------------------------------------------------------------------
class TreeNode:
    """A position: its moves, of those that have to be considered, and what is known about them."""

    __slots__ = ("children", "everything", "mine", "moves", "prior", "proven", "total", "visits")

    def __init__(self, board: BitBoard, mine: int, everything: int) -> None:
        self.mine, self.everything = mine, everything  # the mover's stones, all stones
        self.moves = board.moves(everything)
        self.proven: int | None = None  # 1, 0 or -1 for the player to move
        if wins := self.among(board.completing(mine)):
            self.proven, self.moves = 1, wins
        elif threats := self.among(board.completing(everything ^ mine)):
            self.proven, self.moves = (-1 if len(threats) > 1 else None), threats  # two cannot be stopped
        elif not self.moves:
            self.proven = 0
        count = len(self.moves)
        self.prior: list[float] = [1.0] if count == 1 else []  # empty: to be evaluated
        self.visits = [0] * count
        self.total = [0.0] * count  # of the values of all visits, for the player to move
        self.children: list[TreeNode | None] = [None] * count

    def among(self, cells: int) -> list[tuple[int, int]]:
        return [move for move in self.moves if move[1] & cells]

    def choose(self) -> int:
        """The move to follow: the best score of those that are not lost for certain."""
        scale = EXPLORATION * math.sqrt(1 + sum(self.visits))
        best, best_score = 0, -math.inf
        for i, visits in enumerate(self.visits):
            child = self.children[i]
            if child is not None and child.proven == 1:
                continue
            score = (self.total[i] / visits if visits else 0.0) + scale * self.prior[i] / (1 + visits)
            if score > best_score:
                best, best_score = i, score
        return best

    def prove(self) -> None:
        """What follows from the children: one that is lost for the opponent, or the best of all."""
        known = [-child.proven for child in self.children if child is not None and child.proven is not None]
        if known and (max(known) == 1 or len(known) == len(self.moves)):
            self.proven = max(known)

    def decide(self) -> int:
        """The column to play."""
        ranks = []
        for i, child in enumerate(self.children):
            proven = 0 if child is None or child.proven is None else -child.proven
            ranks.append((proven, self.visits[i], self.prior[i] if self.prior else 0.0, -i))
        return self.moves[-max(ranks)[-1]][0]


Line = list[tuple[TreeNode, int]]
Evaluate = Callable[[list[TreeNode]], tuple[list[list[float]], list[float]]]


def think(board: BitBoard, root: TreeNode, evaluate: Evaluate, end: float) -> None:
    """Search until the result is proven or time is up."""
    if not root.prior and root.proven is None:
        expand([root], evaluate)
    simulations = 0
    while root.proven is None and simulations < SIMULATIONS and time.perf_counter() < end:
        waiting: list[tuple[Line, TreeNode]] = []
        for _ in range(BATCH):
            path, leaf = descend(board, root)
            if leaf.proven is None:
                waiting.append((path, leaf))
            else:
                back_up(path, leaf.proven)
            simulations += 1
        leaves = list({leaf: None for _, leaf in waiting})
        values = dict(zip(leaves, expand(leaves, evaluate), strict=True))
        for path, leaf in waiting:
            back_up(path, values[leaf])


def descend(board: BitBoard, root: TreeNode) -> tuple[Line, TreeNode]:
    """Follow the best moves to a position that is not evaluated yet, or whose result is known."""
    path: Line = []
    node = root
    while node.proven is None and node.prior:
        i = node.choose()
        path.append((node, i))
        node.visits[i] += 1
        node.total[i] -= 1  # as if lost, until it is known: the others of a batch look elsewhere
        child = node.children[i]
        if child is None:
            _, cell = node.moves[i]
            child = node.children[i] = TreeNode(board, node.everything ^ node.mine, node.everything | cell)
        node = child
    return path, node


def expand(nodes: list[TreeNode], evaluate: Evaluate) -> list[float]:
    """Evaluate the nodes: each gets its prior; returns their values."""
    if not nodes:
        return []
    policies, values = evaluate(nodes)
    for node, policy in zip(nodes, policies, strict=True):
        weights = [policy[column] + 1e-9 for column, _ in node.moves]
        node.prior = [weight / sum(weights) for weight in weights]
    return values


def back_up(path: Line, value: float) -> None:
    """Carry a value, for the player to move at the end of the path, up to its start."""
    for node, i in reversed(path):
        value = -value
        child = node.children[i]
        if child is not None and child.proven is not None and node.proven is None:
            node.prove()
        node.total[i] += value + 1
        if node.proven is not None:
            value = node.proven


def random_games(board: BitBoard, nodes: list[TreeNode]) -> tuple[list[list[float]], list[float]]:
    """Evaluates by one random game each: for boards that the network does not know."""
    return [[1.0] * board.size[1]] * len(nodes), [random_game(board, n.mine, n.everything) for n in nodes]


def random_game(board: BitBoard, mine: int, everything: int) -> float:
    """The result of a random game for the player to move; a winning move is always taken."""
    sign = 1.0
    while moves := board.moves(everything):
        wins = board.completing(mine)
        if any(cell & wins for _, cell in moves):
            return sign
        mine, everything = everything ^ mine, everything | random.choice(moves)[1]
        sign = -sign
    return 0.0


# ---- the network --------------------------------------------------------------------------------------------
def by_network(board: BitBoard, nodes: list[TreeNode]) -> tuple[list[list[float]], list[float]]:
    """Evaluates by the network: how promising each column is, and the value for the player to move."""
    rows, columns, _ = board.size
    length = -(board.tall * columns // -8)
    stones = b"".join(
        side.to_bytes(length, "little") for n in nodes for side in (n.mine, n.everything ^ n.mine)
    )
    bits = np.unpackbits(np.frombuffer(stones, np.uint8).reshape(len(nodes), 2, length), 2, bitorder="little")
    board_bits = bits[:, :, : board.tall * columns].reshape(len(nodes), 2, columns, board.tall)
    planes = board_bits[:, :, :, rows - 1 :: -1].transpose(0, 3, 2, 1)  # without the row that stays empty
    policy, value = network(planes.reshape(len(nodes), rows * columns, 2).astype(np.float32))
    return policy.tolist(), value.tolist()


def network(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """[n, cells, 2] the mover's and the opponent's stones → policy [n, columns], value [n]."""
    x = rectified(convolution(x, "stem"))
    block = 0
    while f"{block}.first.weight" in WEIGHTS:
        y = convolution(x, f"{block}.first")
        if f"{block}.pool.weight" in WEIGHTS:
            y += linear(np.concatenate([x.mean(1), x.max(1)], 1), f"{block}.pool")[:, None]
        x = rectified(convolution(rectified(y), f"{block}.second") + x)
        block += 1
    policy = softmax(linear(head(x, "policy"), "policy.last"))
    hidden = head(x, "value")
    if "value.hidden.weight" in WEIGHTS:
        hidden = rectified(linear(hidden, "value.hidden"))
    answer = linear(hidden, "value.last")
    if OUTCOMES:
        chances = softmax(answer[:, :3])
        return policy, chances[:, 0] - chances[:, 2]
    return policy, np.tanh(answer[:, 0])


def convolution(x: np.ndarray, name: str) -> np.ndarray:
    """Over the board [n, cells, inputs]: each cell's neighbourhood side by side, times [taps · inputs, outputs]."""
    weight = WEIGHTS[f"{name}.weight"]  # [taps, inputs, outputs]
    taps, inputs, outputs = weight.shape
    if taps > 1:
        x = np.concatenate([x, np.zeros_like(x[:, :1])], 1)  # a cell of zeros: all that is off the board
        x = x.take(neighbours(taps), 1)
    y = x.reshape(-1, taps * inputs) @ weight.reshape(-1, outputs) + WEIGHTS[f"{name}.bias"]
    return y.reshape(len(x), -1, outputs)


def neighbours(taps: int) -> np.ndarray:
    """[cells, taps] the cells around each cell; the number of cells stands for off the board."""
    if taps not in NEIGHBOURS:
        rows, columns, _ = SIZE
        reach = math.isqrt(taps) // 2
        grid = np.pad(np.arange(rows * columns).reshape(rows, columns), reach, constant_values=rows * columns)
        windows = np.lib.stride_tricks.sliding_window_view(grid, (2 * reach + 1, 2 * reach + 1))
        NEIGHBOURS[taps] = windows.reshape(rows * columns, taps)
    return NEIGHBOURS[taps]


def head(x: np.ndarray, name: str) -> np.ndarray:
    """The first layer of a head, a 1×1 convolution: [n, cells, inputs] → [n, numbers]."""
    y = convolution(x, f"{name}.convolution")
    return (rectified(y) if RECTIFIED_HEADS else y).reshape(len(x), -1)


def linear(x: np.ndarray, name: str) -> np.ndarray:
    """A linear layer: [n, inputs] → [n, outputs]."""
    return x @ WEIGHTS[f"{name}.weight"] + WEIGHTS[f"{name}.bias"]


def rectified(x: np.ndarray) -> np.ndarray:
    """The rectifier, leaky where the network's is."""
    return np.maximum(x, SLOPE * x)


def softmax(x: np.ndarray) -> np.ndarray:
    """The probabilities [n, numbers] of these logits."""
    weights = np.exp(x - x.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)


def unpacked(text: str) -> dict[str, np.ndarray]:
    """The weights by name, from their text; none where there is no text."""
    if not text:
        return {}
    with np.load(io.BytesIO(base64.b85decode(text.replace("\n", "")))) as arrays:
        return {name: array.astype(np.float32) for name, array in arrays.items()}


# ---- the agent ----------------------------------------------------------------------------------------------
def known(root: TreeNode | None, mine: int, everything: int) -> TreeNode | None:
    """The position in what is left of the last move's search: two moves on."""
    for child in root.children if root else []:
        for node in child.children if child else []:
            if node is not None and (node.mine, node.everything) == (mine, everything):
                return node
    return None


def agent(observation: Any, configuration: Any) -> int:
    """The column to play: what Kaggle calls."""
    end = time.perf_counter() + min(SECONDS, 0.5 * getattr(configuration, "actTimeout", 2))
    board = BitBoard(configuration.rows, configuration.columns, configuration.inarow)
    mine, everything = board.read(observation.board, observation.mark)
    root = known(LAST.get(board.size), mine, everything) or TreeNode(board, mine, everything)
    LAST[board.size] = root
    evaluate = by_network if board.size == SIZE and WEIGHTS else random_games
    if len(root.moves) > 1:
        think(board, root, lambda nodes: evaluate(board, nodes), end)
    return root.decide()


LAST: dict[tuple[int, int, int], TreeNode] = {}  # the root of the last search
NEIGHBOURS: dict[int, np.ndarray] = {}
# Compressed arrays of 16-bit numbers, as text.
WEIGHTS = unpacked("")
