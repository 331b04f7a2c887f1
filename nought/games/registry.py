"""Games by name: built in, from a file, from an installed package, from OpenSpiel."""

from __future__ import annotations

import ast
import importlib.util
import re
import types
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import EntryPoints, entry_points
from os.path import expanduser, isfile
from pathlib import Path

from nought.errors import NoughtError
from nought.games.game import Game, base_name
from nought.games.trust import check_known, remember

LARGEST = 4 << 20  # bytes of a game's file
BUILTIN = ("connect4", "dots-and-boxes", "othello", "tictactoe")
OF_THE_PAPERS = ("connect4-cells",)  # a game that is there already, as the papers have it: by name only
ENTRY_POINTS = "nought.games"  # a package offers a game as  name = "package.module"  in this group
LONGEST_SHOWN = 80  # letters of a name that is none


def builtin_games() -> list[str]:
    """The names of the games that come with nought or with installed packages."""
    return [*BUILTIN, *sorted(point.name for point in installed())]


@lru_cache
def installed() -> EntryPoints:
    """The games of installed packages; to look through them takes milliseconds, and names may be anybody's."""
    return entry_points(group=ENTRY_POINTS)


def load(name: str) -> Game:
    """The game called `name`: connect4, connect4:8x8:5, mygame.py, mygame.py:9x9, openspiel:hex(board_size=5)."""
    if name.startswith("openspiel:"):
        from nought.games.openspiel import openspiel_game

        return openspiel_game(name)
    return _load(name, remember)


def load_found(name: str) -> Game:
    """The game of a name that nobody typed: it stood in a file, or a server said it. Rules in a file must be known."""
    return load(name) if not is_file(name) else _load(name, check_known)


def _load(name: str, before: Callable[[Path, str], None]) -> Game:
    """A game from its file; `before` is called with the path and the text of a file that is the user's or a stranger's."""
    path, size = _parse(name)
    text = _read(path)
    if is_file(name):
        before(path, text)
    return game_from_source(name, _sized(name, path, text, size), path=str(path))


def read_source(name: str) -> str:
    """The text of a game's file, with the size that its name has; it is not run."""
    path, size = _parse(name)
    return _sized(name, path, _read(path), size)


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise NoughtError(f"{path} is no game file: it is larger than {LARGEST >> 20} MB")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NoughtError(f"cannot read the game file {path}: {error}") from None


def _sized(name: str, path: Path, source: str, size: list[int]) -> str:
    try:
        return _with_size(name, source, size)
    except SyntaxError as error:
        raise NoughtError(f"{name}: line {error.lineno} of {path} is not Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError):  # a null byte, or more brackets than Python can nest
        raise NoughtError(f"{name}: {path} is not Python") from None


def _parse(name: str) -> tuple[Path, list[int]]:
    """The file that a game's name means, and the size."""
    match = re.fullmatch(r"(?P<base>.+?)(?::(?P<size>\d{1,9}(?:[x:]\d{1,9})*))?", name, re.ASCII)
    if match is None:
        raise NoughtError(f"{name!r} is not the name of a game; `nought games` lists them")
    size = match["size"]
    return _source_path(match["base"]), [int(n) for n in re.split("[x:]", size)] if size else []


def is_file(name: str) -> bool:
    """Whether this is the name of a game's file, with a size or without, and not of an installed game."""
    base = base_name(name)
    return base not in BUILTIN and base != "openspiel" and (base.endswith(".py") or "/" in base)


def game_from_source(name: str, source: str, path: str = "<game>") -> Game:
    """A game from the text of its file."""
    try:
        rules = types.ModuleType(Path(path).stem)
        rules.__file__ = path
        exec(compile(source, path, "exec"), rules.__dict__)
    except NoughtError:
        raise
    except AssertionError as error:
        raise NoughtError(f"{name}: {error or 'an assertion in the game file failed'}") from None
    except SyntaxError as error:
        raise NoughtError(f"{name}: line {error.lineno} of {path} is not Python: {error.msg}") from None
    except Exception as error:
        raise NoughtError(f"{name}: the game file cannot be run: {type(error).__name__}: {error}") from None
    for value in list(vars(rules).values()):
        if isinstance(value, types.FunctionType) and value.__module__ != rules.__name__:
            raise NoughtError(
                f"{name}: {value.__name__} comes from another file ({value.__module__}); a game is one file, "
                "so that it can be compiled and cached safely: copy the function into it"
            )
    return Game(name, rules, source)


def _source_path(base: str) -> Path:
    if base in (*BUILTIN, *OF_THE_PAPERS):
        return Path(__file__).with_name(base.replace("-", "_") + ".py")
    if is_file(base):
        path = Path(expanduser(base))
        if not isfile(path):  # which a name that no file can have is, too
            raise NoughtError(f"there is no game file {base}")
        return path
    for point in installed().select(name=base):
        try:
            found = importlib.util.find_spec(point.module)
        except (ImportError, ValueError):
            found = None
        if found is None or not found.origin:
            raise NoughtError(
                f"{base}: the installed game should be the module {point.module}, which is not there"
            )
        return Path(found.origin)
    shown = base if len(base) < LONGEST_SHOWN else f"{base[:LONGEST_SHOWN]}…"
    raise NoughtError(
        f"there is no game called {shown!r}; there are {', '.join(builtin_games())}, your own file (mygame.py) "
        "and openspiel:NAME"
    )


def _with_size(name: str, source: str, size: list[int]) -> str:
    """The source with other numbers in its `SIZE = (…)`."""
    if not size:
        return source
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and [ast.unparse(t) for t in statement.targets] == ["SIZE"]:
            default = ast.literal_eval(statement.value)
            if not isinstance(default, tuple) or not all(isinstance(number, int) for number in default):
                raise NoughtError(f"{name}: SIZE is a tuple of whole numbers, as (6, 7), not {default!r}")
            if len(size) > len(default):
                raise NoughtError(f"{name}: the game takes at most {len(default)} numbers after its name")
            if min(size) < 1 or max(size) > 999:
                raise NoughtError(f"{name}: sizes are whole numbers from 1 to 999")
            if tuple(size) == tuple(default[: len(size)]):
                return source  # the same game as without numbers
            lines = source.splitlines(keepends=True)
            first, last = statement.lineno - 1, statement.end_lineno or statement.lineno
            lines[first:last] = [f"SIZE = {(*size, *default[len(size) :])}\n"] + ["\n"] * (last - first - 1)
            return "".join(lines)
    raise NoughtError(f"{name}: this game has no sizes to choose")
