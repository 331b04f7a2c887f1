"""The game that a run learns, kept in its folder: game.json has its name, game.py its rules if they are a file's.

The file may be edited and moved. As long as its rules are those of the run's copy, it is the game, with its present look;
otherwise the copy is, and a line says why.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from nought.errors import NoughtError
from nought.files import write_whole
from nought.games import Game, load
from nought.games.fingerprint import changed_rules, rules_in
from nought.games.registry import read_source
from nought.shell import command

SHOWN = 4  # names of changed rules that a message has


class LearnedGame(NamedTuple):
    """What a run or a network has learned."""

    game: Game
    name: str  #        as it was asked for
    copy: str = (
        ""  #   the name of the run's own copy of it, which nobody edits; empty where the game is no file
    )
    note: str = ""  #   what has become of its file; empty where all is well


def keep_game(folder: Path, name: str) -> None:
    """Write into a run's folder which game it learns."""
    match = re.fullmatch(r"(.+\.py)(:[0-9x:]+)?", name)
    size = (match[2] or "") if match else ""
    write_whole(folder / "game.json", json.dumps({"name": name, "file": bool(match), "size": size}).encode())
    if match:
        shutil.copyfile(Path(match[1]).expanduser(), folder / "game.py")


def kept_game(folder: Path) -> LearnedGame:
    """The game of the run in this folder."""
    facts = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    name = str(facts["name"])
    if not facts["file"]:
        return LearnedGame(load(name), name)
    copy = f"{folder / 'game.py'}{facts['size']}"
    note = _why_not(name, copy, folder)
    if not note:
        try:
            return LearnedGame(load(name), name, copy)
        except NoughtError as error:
            note = f"{error}: the run has its own copy of it, {copy}, and goes on with that"
    return LearnedGame(load(copy), name, copy, note)


def _why_not(name: str, copy: str, folder: Path) -> str:
    """Why the file that a run's game came from is not the game any more; nothing is run to find out."""
    own = f"the run has its own copy of it, {copy}, and goes on with that"
    try:
        source = read_source(name)
        ast.parse(source)
    except NoughtError as error:
        return f"{error}: {own}"
    except SyntaxError as error:
        return f"line {error.lineno} of {name} is not Python: {own}"
    changed = changed_rules(rules_in(read_source(copy)), rules_in(source))
    if not changed:
        return ""
    shown = ", ".join(changed[:SHOWN]) + (" …" if len(changed) > SHOWN else "")
    return (
        f"the rules in {name} have changed since {folder.name} began ({shown}): it goes by those it has learned, "
        f"{copy}; `{command('train', name, '--from', folder.name)}` learns the new ones"
    )
