"""Moves as people write them, in every game that comes with nought."""

from __future__ import annotations

from pathlib import Path
from random import Random

from nought.games import Game, Position, load
from nought.games.examples import example_path, examples
from nought.games.notation import format_moves, is_fixed, parse_line, parse_move, parse_moves
from tests.fuzz.damage import ODD_TEXTS, damaged_text, made_up_text
from tests.fuzz.surface import Surface

EXAMPLES = [example_path(name) for name in examples()]
NAMES = (
    "tictactoe", "connect4", "connect4:8x8:5", "connect4:5x12", "dots-and-boxes:2x2", "dots-and-boxes", "othello:6x6",
    "othello", *map(str, EXAMPLES),
)  # fmt: skip
GAMES_EACH = 20  # that are played at random, to begin with
LONGEST = 24  # moves of them: most inputs are to be cheap
# Of the inputs, those read by the rules: of a game whose names depend on the position, or whole games.
SLOW = 0.01
BY_RULES, BY_NAMES = ("position", "line", "move"), ("moves",) * 7 + ("moves, written again",)


class Moves(Surface):
    """Text that is read as moves; what is read is what would be written."""

    name, share = "moves", 0.970_349

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        games = [load(name) for name in NAMES]
        self.played = {game: [_played(game, Random(seed)) for seed in range(GAMES_EACH)] for game in games}
        self.texts = {
            game: [text for one in played for text in _texts(one)] for game, played in self.played.items()
        }
        self.fixed = [game for game in games if is_fixed(game)]
        self.others = [game for game in games if not is_fixed(game)]

    def make(self, chance: Random) -> tuple[str, Game, str, Position]:
        slow = chance.random() < SLOW
        game = chance.choice(self.others if slow and chance.random() < 0.5 else self.fixed)
        position, text = chance.choice(self.played[game]), chance.choice(self.texts[game])
        if chance.random() < 0.9:
            text = damaged_text(chance, text)
        if chance.random() < 0.05:
            text = made_up_text(chance)
        if chance.random() < 0.05:
            text = chance.choice(ODD_TEXTS) * chance.choice((1, 2, 1000))
        return chance.choice(BY_RULES if slow else BY_NAMES), game, text, position

    def feed(self, given: tuple[str, Game, str, Position]) -> None:
        how, game, text, position = given
        if how == "moves":
            assert all(0 <= move < game.actions for move in parse_moves(game, text))
        elif how == "moves, written again":
            moves = parse_moves(game, text)
            assert parse_moves(game, format_moves(game, moves)) == moves
        elif how == "position":
            reached = game.position(text)
            assert game.position(format_moves(game, reached.moves)) == reached
        elif how == "line":
            parse_line(position, text)
        else:
            assert 0 <= parse_move(position, text) < game.actions


def _played(game: Game, chance: Random) -> Position:
    """A position somewhere in a game that is played at random."""
    position = game.start()
    for _ in range(chance.randint(0, min(game.longest, LONGEST))):
        if position.finished:
            break
        position = position.play(chance.choice(position.legal))
    return position


def _texts(position: Position) -> list[str]:
    """The moves that led to a position, and to each one before it."""
    return [format_moves(position.game, position.moves[:count]) for count in range(len(position.moves) + 1)]
