"""Make the test sets that come with the package: python scripts/make_positions.py [GAME …].

Games of players of mixed strength (random moves, plain Monte-Carlo search, and all between) give positions; the
oracle labels them. The same seed gives the same files. They are for measuring: nothing here is trained on.
"""

from __future__ import annotations

import csv
import io
import itertools
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from nought.files import write_whole
from nought.games import Game, Position, load
from nought.games.notation import format_move, format_moves
from nought.oracle import Truth, find_oracle
from nought.oracle.labelled import BUILT_IN, Labelled, built_in_name
from nought.oracle.truth import ahead
from nought.selfplay import rollout_player

SEED = 20240229
AT_ONCE = 64  #                            games
RANDOM_SHARES = (0.1, 0.3, 0.6, 1.0)  #    of a player's moves; the others are searched
SIMULATIONS = 200
TELLING = 5 / 6  #                         of the positions have moves that keep the outcome, and others

Row = dict[str, object]


class TestSet(NamedTuple):
    """What the positions of a set are like."""

    each: int  #                                      of each category
    categories: tuple[str, ...]
    category: Callable[[Position, Truth], str]
    row: Callable[[Labelled, str], Row]  #            without its id
    suits: Callable[[Position], bool] = lambda position: True


def main() -> None:
    for name in sys.argv[1:] or SETS:
        game = load(name)
        rows = [{"id": f"N{n:04d}", **row} for n, row in enumerate(choose(game, SETS[name]), 1)]
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        write_whole(BUILT_IN / built_in_name(game), text.getvalue().encode())
        print(f"{name}: {len(rows)} positions, {len(text.getvalue()) / 1000:.0f} kB", flush=True)


def choose(game: Game, wanted: TestSet) -> list[Row]:
    """Positions of every category, no two of them images of each other, most of them telling."""
    oracle, random = find_oracle(game), np.random.default_rng(SEED)
    telling = round(TELLING * wanted.each)
    left = {(c, "disc"): telling for c in wanted.categories}
    left |= {(c, "any"): wanted.each - telling for c in wanted.categories}
    rows: list[tuple[str, Row]] = []
    seen: set[bytes] = set()
    for position in mixed_positions(game, random, wanted.suits):
        image = min(s.apply_planes(position.planes()).tobytes() for s in game.symmetries)
        if image in seen:
            continue
        seen.add(image)
        truth = oracle.judge(position)
        category = wanted.category(position, truth)
        draw = "disc" if random.random() < TELLING else "any"
        if left.get((category, draw), 0) and (draw == "any" or len(truth.keeping) < len(position.legal)):
            left[category, draw] -= 1
            rows.append((category, wanted.row(Labelled(position, category, truth), draw)))
        if not any(left.values()):
            break
    return [row for _, row in sorted(rows, key=lambda pair: wanted.categories.index(pair[0]))]


def mixed_positions(
    game: Game, random: np.random.Generator, suits: Callable[[Position], bool]
) -> Iterator[Position]:
    """One position of each game, forever."""
    for number in itertools.count():
        for line in mixed_games(game, random, seed=SEED + number):
            fitting = [position for position in line if not position.finished and suits(position)]
            if fitting:
                yield fitting[random.integers(len(fitting))]


def mixed_games(game: Game, random: np.random.Generator, seed: int) -> list[list[Position]]:
    """Games by all their positions; each player has its own share of random moves."""
    searcher = rollout_player(game, SIMULATIONS, games=AT_ONCE, seed=seed)
    shares = random.choice(RANDOM_SHARES, (AT_ONCE, 2))
    lines = [[game.start()] for _ in range(AT_ONCE)]
    while running := {g: line[-1] for g, line in enumerate(lines) if not line[-1].finished}:
        careless = {g: p for g, p in running.items() if random.random() < shares[g, p.player]}
        moves = {g: int(random.choice(p.legal)) for g, p in careless.items()}
        moves |= searcher.choose({g: p for g, p in running.items() if g not in careless})
        for g, move in moves.items():
            lines[g].append(lines[g][-1].play(move))
    return lines


# ---- Connect 4: Pons's stages and how far away the result is -------------------------------------------------
def stage_and_distance(position: Position, truth: Truth) -> str:
    stones, far = len(position.moves), remaining(position, truth)
    stage = "begin" if stones <= 14 else "middle" if stones <= 28 else "end"
    return f"{stage}-{'easy' if far <= 14 else 'medium' if far <= 28 else 'hard'}"


def remaining(position: Position, truth: Truth) -> int:
    """Plies until the end under perfect play: a score of 1 is a win with the 21st stone."""
    stones, value = len(position.moves), truth.score
    if value == 0:
        return 42 - stones
    first_wins = position.player == (0 if value > 0 else 1)
    return 2 * (22 - abs(value)) - (1 if first_wins else 0) - stones


def connect4_row(item: Labelled, draw: str) -> Row:
    position, truth = item.position, item.truth
    scores = {f"s{move + 1}": truth.scores.get(move, "") for move in range(7)}
    other = Position(position.game, np.array([position.state[1] ^ position.state[0], position.state[1]]))
    return {
        "category": item.category,
        "draw": draw,
        "moves": format_moves(position.game, position.moves),
        "stones": len(position.moves),
        **scores,
        "value": truth.score,
        "outcome": truth.outcome,
        "remaining": remaining(position, truth),
        "n_legal": len(position.legal),
        "n_opt_outcome": len(truth.keeping),
        "n_opt_exact": len(truth.best),
        "win1": int(can_win_now(position)),
        "block1": int(can_win_now(other) and not can_win_now(position)),
    }


def can_win_now(position: Position) -> bool:
    following = (position.play(move) for move in position.legal)
    return any(after.finished and after.result != 0 for after in following)


# ---- dots and boxes ------------------------------------------------------------------------------------------
def dots_row(item: Labelled, draw: str) -> Row:
    position, truth = item.position, item.truth
    return {
        "board": "x".join(map(str, position.game.size)),
        "moves": format_moves(position.game, position.moves),
        "drawn": len(position.moves),
        "mover": position.player + 1,
        "mask": sum(1 << edge for edge in position.moves),
        "net_so_far": ahead(position),
        "value": truth.score,
        "edge_values": " ".join(f"{edge}:{value}" for edge, value in truth.scores.items()),
        "optimal": " ".join(map(str, truth.best)),
        "outcome": truth.outcome,
        "optimal_outcome": " ".join(map(str, truth.keeping)),
        "legal": len(position.legal),
    }


# ---- other games ---------------------------------------------------------------------------------------------
def scores_row(item: Labelled, draw: str) -> Row:
    game, truth = item.position.game, item.truth
    return {
        **({"category": item.category} if item.category != "any" else {}),
        **({"board": "x".join(map(str, game.size))} if game.size else {}),
        "moves": format_moves(game, item.position.moves),
        "scores": " ".join(
            f"{format_move(item.position, move)}:{score}" for move, score in truth.scores.items()
        ),
        "value": truth.score,
        "outcome": truth.outcome,
    }


def closeness(position: Position, truth: Truth) -> str:
    return "close" if abs(truth.score) <= 6 else "clear"


def twelve_empty(position: Position) -> bool:
    return position.game.longest - len(position.moves) == 12


ANY = ("any",)
SETS = {
    "connect4": TestSet(
        170,
        ("begin-easy", "begin-medium", "begin-hard", "middle-easy", "middle-medium", "end-easy"),
        stage_and_distance,
        connect4_row,
        lambda position: len(position.moves) >= 6,
    ),
    "dots-and-boxes:2x2": TestSet(300, ANY, lambda position, truth: "any", dots_row),
    "dots-and-boxes:3x3": TestSet(500, ANY, lambda position, truth: "any", dots_row),
    "dots-and-boxes:4x4": TestSet(
        300, ANY, lambda position, truth: "any", dots_row, lambda position: len(position.legal) <= 26
    ),
    "othello:6x6": TestSet(200, ("close", "clear"), closeness, scores_row, twelve_empty),
    "othello:8x8": TestSet(200, ("close", "clear"), closeness, scores_row, twelve_empty),
    "tictactoe": TestSet(200, ANY, lambda position, truth: "any", scores_row),
}


if __name__ == "__main__":
    main()
