"""Makes the pictures in docs/images: python scripts/pictures.py"""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from nought.clients.console import ConsoleGame
from nought.games import load
from nought.selfplay import rollout_player

IMAGES = Path(__file__).parents[1] / "docs" / "images"


def playing() -> None:
    """A few moves of Connect 4 in the terminal."""
    out = Console(
        record=True,
        width=64,
        file=io.StringIO(),
        force_terminal=True,
        force_interactive=False,
        highlight=False,
    )
    game = load("connect4")
    answers = iter(["4", "h", "q"])

    def ask(prompt: str) -> str:
        answer = next(answers)
        out.print(f"{prompt}{answer}")
        return answer

    ConsoleGame(game, rollout_player(game, 5000, seed=3), human=0, console=out, ask=ask).run()
    out.save_svg(str(IMAGES / "play.svg"), title="nought play connect4")


if __name__ == "__main__":
    playing()
