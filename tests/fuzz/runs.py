"""Run folders, as somebody else could have sent them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from nought.agents.ladder import RATINGS_FILE, all_versions, measured
from nought.errors import NoughtError, Untrusted
from nought.games import tictactoe
from nought.learning.learned_game import note_on
from nought.learning.run import Run
from nought.server.runs import TrainingRuns, opinions, whole
from nought.server.thinking.own_runs import OwnRuns
from tests.fuzz.damage import damaged_bytes, damaged_json, damaged_text
from tests.fuzz.surface import Surface
from tests.support.tiny_run import tiny_run

RATINGS = {"ratings": [{"player": "runs/tiny@1", "elo": 120.0, "low": 90.0, "high": 150.0}]}
OTHER_RULES = "open('touched', 'w')\nraise SystemExit('a stranger has run this')\n"
SECRET = "what is elsewhere"


class Change(NamedTuple):
    """What is done to a part of a run: other bytes, nothing at all, a folder, or a link to somewhere."""

    part: str
    way: str
    content: bytes = b""


class Runs(Surface):
    """A run of which one or two parts are not as they were, listed, looked at and opened again."""

    name, share = "runs", 0.000_15

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.elsewhere = folder.parent / "elsewhere"
        (self.elsewhere / "000002").mkdir(parents=True, exist_ok=True)
        for name in ("file", "0001.safetensors", "000001.npz", "000002/progress.json"):
            (self.elsewhere / name).write_text(SECRET)
        self.template = template_run(folder)
        (self.template / RATINGS_FILE).write_text(json.dumps(RATINGS))
        self.files = sorted(
            str(path.relative_to(self.template)) for path in self.template.rglob("*") if path.is_file()
        )
        self.contents = {part: (self.template / part).read_bytes() for part in self.files}
        self.folders = ["versions", "memory", "games", "state", "state/000002"]
        self.work = folder / "work"

    def make(self, chance: Random) -> tuple[list[Change], bool]:
        changes = [self._change(chance) for _ in range(chance.choice((1, 1, 1, 2, 3)))]
        if chance.random() < 0.1:
            rules = chance.choice((OTHER_RULES, Path(tictactoe.__file__).read_text(encoding="utf-8")))
            facts = {"name": chance.choice(("mine.py", "/etc/passwd.py")), "file": True, "size": ""}
            changes += [
                Change("game.py", "bytes", rules.encode()),
                Change("game.json", "bytes", json.dumps(facts).encode()),
            ]
        return changes, chance.random() < 0.2

    def _change(self, chance: Random) -> Change:
        way = chance.random()
        if way < 0.1:
            part = chance.choice([*self.files, *self.folders])
            kind = chance.choice(("none", "folder", "link", "dangling", "pipe", "itself"))
            return Change(part, kind)
        part = chance.choice(self.files)
        content = self.contents[part]
        if part.endswith((".json", ".jsonl")) and way < 0.7 and content.strip():
            lines = [damaged_json(chance, json.loads(line)) for line in content.splitlines()]
            return Change(part, "bytes", b"\n".join(lines))
        if part.endswith(".toml") and way < 0.8:
            text = damaged_text(
                chance, content.decode(), ("[", "]", "=", "x", "9" * 20, "nan", "-1", '"', "\n", "é", "1e999")
            )
            return Change(part, "bytes", text.encode("utf-8", "surrogatepass"))
        return Change(part, "bytes", damaged_bytes(chance, content))

    def feed(self, given: tuple[list[Change], bool]) -> None:
        changes, resume = given
        shutil.rmtree(self.work, ignore_errors=True)
        run = self.work / "run"
        shutil.copytree(self.template, run)
        for change in changes:
            self._harm(run, change)
        runs = TrainingRuns(self.work)
        runs.summaries()
        OwnRuns(self.work).all()
        for look in (
            lambda: whole(runs.find("run")),
            lambda: opinions(runs.find("run"), ""),
            lambda: note_on(run),
            lambda: measured(run),
            lambda: Run(run).damage(),
            lambda: all_versions(Run(run)),
            lambda: self._resume(run) if resume else None,
        ):
            assert "\n" not in _said(look)
        there = {path.name: path.read_text() for path in self.elsewhere.rglob("*") if path.is_file()}
        assert len(there) == 4 and set(there.values()) == {SECRET}, "what is elsewhere has changed"

    def _resume(self, folder: Path) -> None:
        with Run(folder) as run:
            run.reports()

    def _harm(self, run: Path, change: Change) -> None:
        path = run / change.part
        if path.parent.resolve() != path.parent.absolute() or not path.parent.is_dir():
            return  # what was done before has led elsewhere
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        if change.way == "bytes":
            path.write_bytes(change.content)
        elif change.way == "folder":
            path.mkdir()
        elif change.way == "link":
            path.symlink_to(self.elsewhere if change.part in self.folders else self.elsewhere / "file")
        elif change.way == "dangling":
            path.symlink_to("nowhere")
        elif change.way == "itself":
            path.symlink_to(path.name)
        elif change.way == "pipe":
            os.mkfifo(path)


def _said(look: Callable[[], Any]) -> str:
    """What somebody is told who looks at a run."""
    try:
        look()
    except Untrusted:  # which shows the rules
        return ""
    except NoughtError as error:
        return str(error)
    return ""


def template_run(folder: Path) -> Path:
    """A run of two iterations in a surface's folder; it is made once for all surfaces."""
    made = folder.parents[1] / "template" / "runs" / "tiny"
    if not made.is_dir():
        tiny_run(made.parents[1])
    return Path(shutil.copytree(made, folder / "runs" / "tiny"))
