"""Games that are not compiled: a few small searches on a board that no other test has take less time than that."""

from nought.games import Game, load


def uncompiled(name: str) -> Game:
    """The game of this name, as Python runs it."""
    game = load(name)
    return Game(game.name, game.rules, game.source, compilable=False)
