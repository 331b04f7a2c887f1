"""The game that a run learns, kept in its folder: game.json has its name, game.py its rules if they are a file's.

The file may be edited and moved. As long as its rules are those of the run's copy, it is the game, with its present look;
otherwise the copy is, and a line says why. What a run is called and which game it learns is read without running
anything; rules that are not known here (nought/games/trust.py) do not run at all.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from nought.errors import NoughtError, Untrusted
from nought.games import Game, load
from nought.games.fingerprint import changed_rules, rules_in
from nought.games.registry import is_file, load_found, read_source
from nought.learning.storage import check_inside, read_json, read_text, reading, write_text
from nought.learning.typed import typed
from nought.shell import command

SHOWN = 4  # names of changed rules that a message has
FACTS, RULES = "game.json", "game.py"
SIZE = r"(?::\d{1,3}(?:[x:]\d{1,3}){0,7})?"
LONGEST = 1000  # characters of a game's name


class LearnedGame(NamedTuple):
    """What a run or a network has learned."""

    game: Game
    name: str  #        as it was asked for
    copy: str = ""  #   the name of the run's own copy, which nobody edits; empty where it is no file
    note: str = ""  #   what has become of its file; empty where all is well


@dataclass(frozen=True)
class GameFacts:
    """What game.json says."""

    name: str  #  as it was asked for
    file: bool  # whether the rules are the run's own, in game.py
    size: str  #  what stands after the file's name, as :9x9

    def __post_init__(self) -> None:
        if not self.name.isprintable() or len(self.name) > LONGEST:
            raise ValueError("its name cannot be a game's")
        if self.file and not re.fullmatch(SIZE, self.size, re.ASCII):
            raise ValueError(f"{self.size[:40]!r} is no size")
        if not self.file and is_file(self.name):
            raise ValueError(f"{self.name} is a file, not the name of a game")


def keep_game(folder: Path, name: str) -> None:
    """Write into a run's folder which game it learns."""
    match = re.fullmatch(f"(.+?)({SIZE})", name, re.ASCII) if is_file(name) else None
    facts = GameFacts(name, bool(match), match[2] if match else "")
    write_text(folder / FACTS, json.dumps(dataclasses.asdict(facts)))
    if match:
        shutil.copyfile(Path(match[1]).expanduser(), folder / RULES)


def read_facts(folder: Path) -> GameFacts:
    """Which game the run in this folder learns. Nothing is run to find out."""
    path = folder / FACTS
    with reading(path):
        facts: GameFacts = typed(GameFacts, read_json(path))
        return facts


def name_of_copy(folder: Path) -> str:
    """By which name a run's own copy of its rules is loaded; empty where the game is no file."""
    facts = read_facts(folder)
    return f"{folder / RULES}{facts.size}" if facts.file else ""


def kept_game(folder: Path) -> LearnedGame:
    """The game of the run in this folder. If its rules are a file's, they must be known."""
    facts = read_facts(folder)
    name = facts.name
    if not facts.file:
        return LearnedGame(load(name), name)
    copy = name_of_copy(folder)
    read_text(check_inside(folder, folder / RULES))  # which must be a file, and no larger than one
    note = note_on(folder)
    if not note:
        try:
            return LearnedGame(load_found(name), name, copy)
        except Untrusted:
            pass  # it may look otherwise now; whoever names it sees that, and so does the run from then on
        except NoughtError as error:
            note = f"{error}: the run has its own copy of it, {copy}, and goes on with that"
    return LearnedGame(load_found(copy), name, copy, note)


def note_on(folder: Path) -> str:
    """What has become of the file that a run's game came from; empty where all is well. Nothing is run to find out."""
    facts = read_facts(folder)
    if not facts.file:
        return ""
    with reading(check_inside(folder, folder / RULES)):  # which may be anything
        return _why_not(facts.name, name_of_copy(folder), folder)


def _why_not(name: str, copy: str, folder: Path) -> str:
    """Why the file that a run's game came from is not the game any more; nothing is run to find out."""
    if not is_file(name):
        return f"{name} is no file: the run goes by its own copy of the rules, {copy}"
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
