"""What takes a moment the first time, done before somebody waits for it: compiling, loading, solving small games."""

from __future__ import annotations

import asyncio
import logging
import sys

from nought.games import Game
from nought.games.game import in_words
from nought.games.registry import BUILTIN
from nought.server.thinking.agents import Roster
from nought.server.thinking.engine import ThinkingEngine
from nought.server.thinking.games import Catalogue
from nought.server.thinking.jobs import Budget

log = logging.getLogger("nought.server")
MOST_LETTERS = 300  # of a reason in the log


async def compile_all(catalogue: Catalogue) -> None:
    """Compile every game in the background, the owner's first."""
    games = _owners_first(catalogue)
    log.info("compiling %d games in the background", len(games))
    await _compile(catalogue, [game.name for game in games])
    log.info("all games are compiled")


async def warm_up(catalogue: Catalogue, roster: Roster, engine: ThinkingEngine) -> None:
    """Let the best agent of every game, which has been compiled, think once."""
    for game in _owners_first(catalogue):
        try:
            await engine.analyse(roster.best(game), game.start(), Budget(1))
            if game.base not in BUILTIN:
                await engine.truth(game.start())  # whether the game is small enough to be known as a whole
        except Exception as error:  # a game of the owner's may do anything, and the others go on
            log.warning("%s cannot be searched: %s", game.name, in_words(error)[:MOST_LETTERS])


def _owners_first(catalogue: Catalogue) -> list[Game]:
    return sorted(catalogue.games.values(), key=lambda game: game.base in BUILTIN)


async def _compile(catalogue: Catalogue, names: list[str]) -> None:
    """Compile the games in a process of its own, and take note of each that is done."""
    command = (
        sys.executable,
        "-m",
        "nought.server.thinking.compiling",
        *(catalogue.loaded_by[name] for name in names),
    )
    # It has no part in our output: who waits for that to end must not wait for it.
    silent, pipe = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE
    # Its input ends when we do, however that comes, and then it does.
    compiling = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=silent)
    assert compiling.stdout is not None
    try:
        async for line in compiling.stdout:  # the number of a game that is done; or what a game's file prints
            word = line.strip()
            if word.isdigit() and int(word) < len(names):
                catalogue.compiled.add(names[int(word)])
        await compiling.wait()
    except asyncio.CancelledError:  # the server stops
        compiling.kill()
        raise
    catalogue.compiled.update(names)  # as far as that was possible: nothing more is being done
