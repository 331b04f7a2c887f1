"""How players are named, in every verb: the one grammar.

    random, oracle, rollout:400, openspiel-mcts:1000, kaggle:FILE.py, program:COMMAND
    NETWORK, NETWORK:800        a network that searches
    search:NETWORK:800          the same
    net:NETWORK                 a network alone, without search

where NETWORK is, whichever is there first:

    FILE.safetensors            a network's file
    RUN, RUN@5, RUN@best        a version of a run in runs/, or of one in another folder: elsewhere/RUN
    connect4-small              an agent that comes with the package
    connect4, othello:6x6       a game, with its size: the best agent that comes with the package for it
    folder/file, FILE.jce       a network's file, whatever its ending

`agents/` before an agent's or a game's name means what comes with the package, whatever runs there are.
"""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Iterator
from enum import Enum
from os.path import expanduser, isfile
from pathlib import Path
from typing import NamedTuple

from nought.agents.shipped import agents_of, shipped_agents, shipped_games
from nought.errors import NoughtError
from nought.games import Game, builtin_games, load
from nought.games.fingerprint import same_rules
from nought.games.game import base_name
from nought.learning.run import RUN_NAME, Run, run_folder, run_folders, runs_folder
from nought.shell import command


class Kind(Enum):
    """A kind of player."""

    RANDOM = "random"
    ORACLE = "oracle"
    ROLLOUT = "rollout"
    OPENSPIEL = "openspiel-mcts"
    KAGGLE = "kaggle"
    PROGRAM = "program"
    FILE = "a network's file"
    RUN = "a run"
    SHIPPED = "an agent that comes with the package"


EXAMPLES = (
    "random, rollout:400, oracle, connect4 (a game's agent), agents/connect4-small, connect4-1 (a run), "
    "net:connect4-1@5, search:connect4-1@best:800, FILE.safetensors, openspiel-mcts:1000, kaggle:agent.py, "
    "program:COMMAND"
)

SIMULATIONS = r"(?P<simulations>\d{1,9})"
WITHOUT_NETWORK = {
    Kind.RANDOM: "random",
    Kind.ORACLE: "oracle",
    Kind.ROLLOUT: f"rollout:{SIMULATIONS}",
    Kind.OPENSPIEL: f"openspiel-mcts:{SIMULATIONS}",
    Kind.KAGGLE: r"kaggle:(?P<what>.+\.py)",
    Kind.PROGRAM: r"program:(?P<what>.+)",
}
LEARNED = (Kind.FILE, Kind.RUN, Kind.SHIPPED)
VERSIONED = rf"(?P<what>(?:[^@:]*/)?{RUN_NAME.pattern})/?(?:@(?P<version>best|\d{{1,9}}))?"
SIZED = r"(?P<base>[^:]+)(?::\d+x\d+(?:[x:]\d+)*)?"  # a number alone is one of simulations
PACKAGED = "agents/"  # before the name of what comes with the package


class Name(NamedTuple):
    """A player's name, taken apart."""

    full: str  #                        what the name is short for
    kind: Kind
    what: str = ""  #                   the run, the agent, the file or the command
    version: int | None = None  #       of a run; None: the best
    simulations: int | None = None  #   that the name asks for, 0 for a network alone; None: it does not say

    @property
    def learned(self) -> bool:
        """Whether the player has a network."""
        return self.kind in LEARNED


def parse(text: str) -> Name:
    """Take a player's name apart; an error that says how players are named where it is none."""
    for kind, pattern in WITHOUT_NETWORK.items():
        if match := re.fullmatch(pattern, text, re.ASCII):
            said = match.groupdict()
            number = said.get("simulations")
            return Name(text, kind, said.get("what") or "", None, int(number) if number else None)
    place = re.sub("^(net|search):", "", text)
    for name in _networks(place):
        if not text.startswith("net:"):
            return name
        if name.simulations is None:
            return name._replace(full=f"net:{name.full.removeprefix('search:')}", simulations=0)
    raise NoughtError(_explain(text, place))


def packaged(text: str) -> Name | None:
    """The agent that comes with the package of this name, or the best one of the game of this name; None where the
    name says neither. It reads nothing but what comes with the package and what games are installed."""
    for place, number in _readings(text.removeprefix(PACKAGED)):
        named = place in shipped_agents()
        game = None if named else _game(place)
        agents = [place] if named else agents_of(game) if game else []
        if agents:
            end = "" if number is None else f":{number}"
            return Name(f"{PACKAGED}{agents[0]}{end}", Kind.SHIPPED, agents[0], None, number)
        if game is not None:  # connect4:6x7:5 is a game that has no agent, not connect4 with 5 simulations
            return None
    return None


def _networks(text: str) -> Iterator[Name]:
    """What the name of a network may mean, the first first."""
    readings = list(_readings(text))
    for place, number in readings:
        if place.endswith(".safetensors"):
            yield Name(f"search:{text}", Kind.FILE, place, None, number)
        elif (match := re.fullmatch(VERSIONED, place, re.ASCII)) and _is_run(match["what"]):
            version = int(match["version"]) if match["version"] not in (None, "best") else None
            yield Name(f"search:{text}", Kind.RUN, match["what"], version, number)
    if name := packaged(text):
        yield name
    for place, number in readings:
        if not place.endswith(".py") and isfile(place):  # whatever the name
            yield Name(f"search:{text}", Kind.FILE, place, None, number)


def _readings(text: str) -> Iterator[tuple[str, int | None]]:
    """A name as a whole, and without the simulations at its end."""
    yield text, None
    if match := re.fullmatch(f"(?P<place>.+):{SIMULATIONS}", text, re.ASCII):
        yield match["place"], int(match["simulations"])


def _is_run(name: str) -> bool:
    return isfile(run_folder(name) / "config.toml")


def _game(name: str) -> Game | None:
    """The installed game of this name; a file is none, for loading it would run it."""
    match = re.fullmatch(SIZED, name, re.ASCII)
    if not match or match["base"] not in builtin_games():
        return None
    try:
        return load(name)
    except NoughtError:
        return None


# ---- what is wrong with a name -------------------------------------------------------------------------------
def _explain(text: str, place: str) -> str:
    """Say why nobody has this name, and which names there are."""
    if place.startswith(PACKAGED):
        there = ", ".join(f"{PACKAGED}{name}" for name in shipped_agents())
        return (
            f"there is no agent {place}; {f'there are {there}' if there else 'none comes with this version'}"
        )
    if _names_game(place):
        return _without_agent(place)
    if "/" in place:
        return f"there is no file {place}, and no run"
    if text.startswith("net:") and next(_networks(place), None):
        return f"{text!r} makes no sense: net: is a network without search, search:{place} searches"
    word = re.split("[@:]", place)[0]
    if text != place and RUN_NAME.fullmatch(word):
        return f"there is no run {word}{_meant(word)}; `nought runs` lists them"
    return f"there is no player {text!r}{_meant(word)}; players are named like {EXAMPLES}"


def _names_game(place: str) -> bool:
    """Whether a name begins as a game's does."""
    if place.startswith("openspiel:"):
        return True
    base = base_name(place)
    return base in builtin_games() or (base.endswith(".py") and isfile(expanduser(base)))


def _without_agent(name: str) -> str:
    """Which agents there are for a game that none comes with, or for its other sizes."""
    try:
        game = load(name)
    except NoughtError as error:
        return str(error)
    none = f"no agent for {name} comes with the package"
    if runs := [run.name for run in _runs() if _has_learned(run, game)]:
        return f"{none}; it has been learned by the run{'s' if len(runs) > 1 else ''} {', '.join(runs)}"
    sizes = [size for size in shipped_games() if base_name(size) == base_name(name)]
    others = f" (there are agents for {', '.join(sizes)})" if sizes else ""
    return f"{none}, and no run has learned it{others}; `{command('train', name)}` makes one"


def _has_learned(run: Run, game: Game) -> bool:
    """Whether a run knows a game; of rules that came from elsewhere nobody knows what they are."""
    with contextlib.suppress(NoughtError):
        return same_rules(run.game, game)
    return False


def _runs() -> Iterator[Run]:
    """The runs that are there and can be read."""
    for folder in _run_folders():
        with contextlib.suppress(NoughtError):
            yield Run(folder)


def _run_folders() -> list[Path]:
    return [folder for folder in run_folders(runs_folder()) if (folder / "config.toml").is_file()]


def _meant(word: str) -> str:
    """Suggest the name that is spelled most like this word."""
    runs = [folder.name for folder in _run_folders()]
    there = [*(kind.value for kind in WITHOUT_NETWORK), *runs, *shipped_agents(), *builtin_games()]
    close = difflib.get_close_matches(word, dict.fromkeys(there), 1)
    return f" (did you mean {close[0]}?)" if close and close[0] != word else ""
