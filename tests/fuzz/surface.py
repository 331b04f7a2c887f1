"""What is fuzzed, and what is found."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from nought.errors import NoughtError
from tests.fuzz.watching import TooLong, Watch

SHOWN = 2000  # characters of an input
LINES = 12  # of a traceback


class Surface:
    """Something that reads what others have written. Its files are all in one folder."""

    name = ""
    share = 0.0  # of all inputs
    limit = 20.0  # seconds for an input, on a machine that is busy
    declared: tuple[type[BaseException], ...] = (NoughtError,)  # what it may raise
    starts_programs = False
    runs_files = False  # those in its folder

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self, chance: Random) -> Any:
        """An input."""
        raise NotImplementedError

    def feed(self, given: Any) -> None:
        """Try an input; whatever it raises that is not declared is a finding."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing more will come."""


@dataclass(frozen=True)
class Finding:
    """An input that did what no input may do."""

    surface: str
    number: int
    given: str
    what: str
    key: str = field(repr=False)  # the same for findings that are probably one


def chance_of(seed: int, surface: str, number: int) -> Random:
    """All that is random in an input."""
    return Random(f"{seed} {surface} {number}")


def fuzz(
    surface: Surface,
    watch: Watch,
    *,
    seed: int,
    count: int,
    first: int = 0,
    told: Callable[[int], None] = lambda done: None,
) -> Iterator[Finding]:
    """Try so many inputs; what is found, as it is found."""
    watch.limit, watch.starts_programs = surface.limit, surface.starts_programs
    watch.strange = "" if surface.runs_files else f"{surface.folder.resolve()}/"
    watch.what()  # of the time before
    for number in range(first, first + count):
        given = surface.make(chance_of(seed, surface.name, number))
        what = key = ""
        try:
            with watch.trying():
                surface.feed(given)
        except surface.declared:
            pass
        except TooLong as late:
            what, key = f"it took longer than {surface.limit:g} s\n{_tail(late)}", "too long"
        except Exception as error:
            what, key = _tail(error), _where(error)
        if noted := watch.what():
            what, key = f"{what}\n{noted}".strip(), key or noted[:60]
        if what:
            yield Finding(surface.name, number, shown(given), what, key)
        told(number + 1 - first)


def shown(given: Any) -> str:
    """An input, to read."""
    text = repr(given)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text):,} characters)"


def _tail(error: BaseException) -> str:
    return "\n".join("".join(traceback.format_exception(error)).splitlines()[-LINES:])


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/nought/" in frame.filename] or list(frames)
    last = ours[-1] if ours else None
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}" if last else repr(error)
