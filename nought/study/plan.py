"""The plan of a study: a TOML file names settings and seeds, and every combination is a run (docs/guide/studies.md)."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from nought.config import Parameters
from nought.errors import NoughtError
from nought.games import load
from nought.presets import Overrides, override, preset

STUDIES_FOLDER = Path("studies")
BUDGETS = ("iterations", "games", "minutes")
COMMON_KEYS = {"preset", "game", "seeds", "set", *BUDGETS}  # what a study sets and a part may change
STUDY_KEYS = {"title", "threads", "part", *COMMON_KEYS}
PART_KEYS = {"name", "title", "grid", "list", "compare", "show", "window", "timing", *COMMON_KEYS}


@dataclass(frozen=True)
class Point:
    """One of the settings that a part compares."""

    overrides: tuple[tuple[str, Any], ...]  # what differs within the part

    @property
    def label(self) -> str:
        return ", ".join(f"{key.partition('.')[2]} {value}" for key, value in self.overrides) or "as it is"


@dataclass(frozen=True)
class PlannedRun:
    """A run of the study; parts that need the same one share it."""

    name: str  #            of its folder
    game: str
    parameters: Parameters
    point: Point


@dataclass(frozen=True, eq=False)
class Part:
    """A comparison: one game, several points, each from every seed."""

    name: str
    title: str
    game: str
    points: tuple[Point, ...]
    compare: tuple[int, ...]  #  the places of the points that are also drawn by themselves
    show: Point  #               of one of its runs the errors are drawn as they are
    window: int  #               steps of a rolling mean
    timing: bool  #              its runs are only timed
    baseline: Point  #           what the others are compared with: the preset as it is, else the first
    runs: dict[Point, tuple[PlannedRun, ...]]  # one for every seed


@dataclass(frozen=True)
class Study:
    """A plan of runs: its parts, each a comparison."""

    name: str
    title: str
    text: str  #             the file
    threads: int  #          of each run
    parts: tuple[Part, ...]

    def runs(self) -> list[PlannedRun]:
        """Every run once, the first seed of every point before the second: a study cut short is even."""
        columns = [planned for part in self.parts for planned in part.runs.values()]
        rows = itertools.zip_longest(*columns)
        return list({run.name: run for row in rows for run in row if run is not None}.values())


def read_study(where: str, only: str = "*") -> Study:
    """The study of a file, or of studies/NAME.toml; of its parts those whose names fit the pattern."""
    path = Path(where) if where.endswith(".toml") else STUDIES_FOLDER / f"{where}.toml"
    try:
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except OSError as error:
        raise NoughtError(f"the study {path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NoughtError(f"{path} is not TOML: {error}") from None
    try:
        return _study(path.stem, text, table, only)
    except NoughtError as error:
        raise NoughtError(f"{path}: {error}") from None


def _study(name: str, text: str, table: dict[str, Any], only: str) -> Study:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise NoughtError(f"the name of a study's file is letters, digits and dashes, not {name!r}")
    _check_keys(table, STUDY_KEYS, "a study")
    threads = table.get("threads", 1)
    if not isinstance(threads, int) or threads < 1:
        raise NoughtError(f"threads is how many each run uses, 1 or more, not {threads!r}")
    known: dict[tuple[str, Parameters], PlannedRun] = {}
    parts = tuple(_part(name, threads, table, part, known) for part in _tables(table, "part"))
    names = [part.name for part in parts]
    if len(set(names)) < len(names):
        raise NoughtError("two parts have the same name")
    chosen = tuple(part for part in parts if fnmatch(part.name, only))
    if not chosen:
        raise NoughtError(f"there is no part {only!r}; there are {', '.join(names) or 'none'}")
    return Study(name, str(table.get("title", name)), text, threads, chosen)


def _part(
    study: str,
    threads: int,
    table: dict[str, Any],
    own: dict[str, Any],
    known: dict[tuple[str, Parameters], PlannedRun],
) -> Part:
    name = own.get("name", "")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", str(name)):
        raise NoughtError(f"every [[part]] has a name of letters, digits and dashes, not {name!r}")
    _check_keys(own, PART_KEYS, f"the part {name!r}")
    common = {key: own.get(key, table.get(key)) for key in ("preset", "game", "seeds")}
    game = common["game"]
    if not isinstance(game, str):
        raise NoughtError(f'the part {name!r} needs a game, as in game = "connect4"')
    load(game)
    seeds = _seeds(common["seeds"])
    fixed = _flat(table.get("set", {})) | _flat(own.get("set", {})) | (_budget(own) or _budget(table))
    start = override(preset(common["preset"] or "best", game), {"selfplay.threads": threads} | fixed)
    points = tuple(_points(own, name))
    runs: dict[Point, tuple[PlannedRun, ...]] = {}
    for point in points:
        made = [override(start, dict(point.overrides) | {"run.seed": seed}) for seed in seeds]
        for parameters in made:
            parameters.check()
        runs[point] = tuple(
            known.setdefault((game, p), PlannedRun(_run_name(study, name, point, p), game, p, point))
            for p in made
        )
    unchanged = (i for i, p in enumerate(points) if override(start, dict(p.overrides)) == start)
    baseline = next(unchanged, 0)
    compare, show = own.get("compare", [0, len(points) // 2, len(points) - 1]), own.get("show", baseline)
    if not isinstance(compare, list) or not all(i in range(len(points)) for i in (*compare, show)):
        raise NoughtError(
            f"compare and show of the part {name!r} are places of its settings, 0 to {len(points) - 1}"
        )
    return Part(
        name=name,
        title=str(own.get("title", name)),
        game=game,
        points=points,
        compare=tuple(dict.fromkeys(compare)),
        show=points[show],
        window=int(own.get("window", 50)),
        timing=bool(own.get("timing", False)),
        baseline=points[baseline],
        runs=runs,
    )


def _points(own: dict[str, Any], name: str) -> Iterator[Point]:
    """The points of a part: every combination of a grid, or every entry of a list."""
    if ("grid" in own) == ("list" in own):
        raise NoughtError(f"the part {name!r} needs a grid or a list of settings, and not both")
    if "list" in own:
        for settings in _tables(own, "list"):
            yield Point(tuple(_flat(settings).items()))
        return
    grid = _flat(own["grid"])
    if not grid or not all(isinstance(values, list) and values for values in grid.values()):
        raise NoughtError(f"a grid lists values, as in network.filters = [16, 32]; see the part {name!r}")
    for values in itertools.product(*grid.values()):
        yield Point(tuple(zip(grid, values, strict=True)))


def _flat(settings: Any) -> Overrides:
    """Settings by section.name, as `override` takes them."""
    if not isinstance(settings, dict) or not all(isinstance(section, dict) for section in settings.values()):
        raise NoughtError(f"settings are like search.simulations = 50, not {settings!r}")
    return {f"{section}.{name}": v for section, names in settings.items() for name, v in names.items()}


def _budget(table: dict[str, Any]) -> Overrides:
    """How long a run lasts; only what is named counts. Nothing where nothing is named."""
    given = {f"run.{key}": table[key] for key in BUDGETS if key in table}
    if not all(isinstance(limit, int | float) and limit > 0 for limit in given.values()):
        raise NoughtError(f"{', '.join(BUDGETS)} are numbers above 0")
    return {"run.iterations": 0, "run.games": 0, "run.minutes": 0.0} | given if given else {}


def _seeds(given: Any) -> list[int]:
    seeds = list(range(given)) if isinstance(given, int) else given if given is not None else [0]
    if not isinstance(seeds, list) or not seeds or not all(isinstance(s, int) and s >= 0 for s in seeds):
        raise NoughtError(f"seeds is how many, or a list of whole numbers, not {given!r}")
    return seeds


def _tables(table: dict[str, Any], key: str) -> list[dict[str, Any]]:
    tables = table.get(key, [])
    if not isinstance(tables, list) or not tables or not all(isinstance(t, dict) for t in tables):
        raise NoughtError(f"{key} must be a list of tables, as in [[{key}]]")
    return tables


def _check_keys(table: dict[str, Any], known: set[str], whose: str) -> None:
    if unknown := sorted(set(table) - known):
        raise NoughtError(f"{whose} has no {unknown[0]!r}; there are {', '.join(sorted(known))}")


def _run_name(study: str, part: str, point: Point, parameters: Parameters) -> str:
    settings = "-".join(f"{key.partition('.')[2]}{value}" for key, value in point.overrides)
    words = [study, part, settings, f"s{parameters.run.seed}"]
    return re.sub(r"[^A-Za-z0-9._-]+", "_", "-".join(word for word in words if word))
