"""nought games: what can be played and learned."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from nought.cli.tables import Numbers
from nought.errors import NoughtError
from nought.games import builtin_games, load
from nought.games.examples import examples
from nought.games.registry import OF_THE_PAPERS


def games() -> None:
    """List the games.

    Sizes follow the name: [cyan]connect4:8x8[/], [cyan]connect4:5x5:4[/], [cyan]dots-and-boxes:3x3[/].
    """
    table = Numbers("name", "board", "moves", "symmetries", "what it is", words=("name", "what it is"))
    for name in (*builtin_games(), *OF_THE_PAPERS):
        try:
            game = load(name)
            size = game.size or game.planes_shape[1:]
            cells = (str(game.actions), str(len(game.symmetries)), escape(game.description))
            table.add_row(name, "×".join(map(str, size[:2])), *cells)
        except NoughtError as error:  # a broken package must not hide the other games
            table.add_row(name, "", "", "", f"[red]{escape(str(error))}[/]")
    out = Console(highlight=False)
    out.print(table)
    out.print(
        "\n[dim]Your own game is a file: `nought new mygame.py` writes one to begin with, also --like "
        f"{', '.join(examples())} (docs/guide/your-own-game.md). OpenSpiel's are openspiel:NAME.[/]"
    )
