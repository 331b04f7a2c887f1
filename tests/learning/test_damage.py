"""Every file of a run, damaged in every way: whoever looks at the run gets an answer or one line, and what is outside
of its folder stays as it is."""

from __future__ import annotations

import os
import random
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nought.agents.ladder import all_versions
from nought.errors import NoughtError
from nought.learning.learned_game import read_facts
from nought.learning.loop import learn
from nought.learning.run import Run
from nought.learning.storage import MOST_ARRAYS, positions_in, read_arrays
from nought.network import load_network
from nought.presets import override, preset
from nought.server.runs import TrainingRuns, whole
from tests.support.skips import slow
from tests.support.tiny_run import TINY

LONGEST = 600  # characters of a line
SECRET = "what is elsewhere"
FILES = (
    "config.toml", "game.json", "metrics.jsonl", "steps.jsonl", "versions/0000.safetensors", "versions/0003.safetensors",
    "memory/000001.npz", "memory/000003.npz", "games/000003.jsonl", "state/000002/progress.json",
    "state/000003/progress.json", "state/000003/trainer.safetensors", "state/000003/games.npz", "lock",
)  # fmt: skip
FOLDERS = ("versions", "memory", "games", "state", "state/000003")


def write(content: bytes) -> Callable[[Path], None]:
    return lambda path: _put(path, content)


def change(how: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda path: _put(path, how(path.read_bytes() or b"something"))


def _put(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)
    path.write_bytes(content)


def remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def instead(make: Callable[[Path], None]) -> Callable[[Path], None]:
    def harm(path: Path) -> None:
        remove(path)
        make(path)

    return harm


def elsewhere(path: Path) -> Path:
    """A file beside the runs, in a folder with files of the names that a run has."""
    return next(parent for parent in path.parents if parent.name == "runs").parent / "elsewhere"


def bomb(path: Path) -> None:
    """A file of a few kilobytes that holds a gigabyte of zeros."""
    remove(path)
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("outcome.npy", "w") as file,
    ):
        np.lib.format.write_array_header_1_0(
            file, {"descr": "<f4", "fortran_order": False, "shape": (1 << 28,)}
        )
        for _ in range(16):
            file.write(bytes(1 << 20))


def claim(path: Path) -> None:
    """A file of arrays that says it is a thousand times as long as it is."""
    remove(path)
    with zipfile.ZipFile(path, "w") as archive, archive.open("outcome.npy", "w") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": "<f4", "fortran_order": False, "shape": (1 << 40,)}
        )
        file.write(bytes(1 << 10))


def other_arrays(path: Path) -> None:
    remove(path)
    np.savez(path.with_suffix(".npz"), **{"0.states": np.zeros((3, 3)), "outcome": np.array([np.nan])})
    if path.suffix != ".npz":
        os.replace(path.with_suffix(".npz"), path)


HARM: dict[str, Callable[[Path], None]] = {
    "removed": remove,
    "empty": write(b""),
    "cut": change(lambda content: content[: len(content) // 2]),
    "cut-by-one": change(lambda content: content[:-1]),
    "longer": change(lambda content: content + b"\n\0more"),
    "flipped": change(lambda c: c[: len(c) // 2] + bytes([c[len(c) // 2] ^ 0xFF]) + c[len(c) // 2 + 1 :]),
    "no-utf-8": write(b"\xff\xfe{}\xc3("),
    "null": write(b"null"),
    "list": write(b"[1, 2]"),
    "object": write(b"{}"),
    "text": write(b'"text"'),
    "NaN": write(b'{"iteration": NaN, "minutes": Infinity, "name": NaN}'),
    "long-number": write(b'{"iteration": ' + b"9" * 5000 + b"}"),
    "nested": write(b"[" * 100_000),
    "noise": write(random.Random(1).randbytes(5000)),
    "bomb": bomb,
    "claim": claim,
    "other-arrays": other_arrays,
    "folder": instead(lambda path: path.mkdir()),
    "dangling": instead(lambda path: path.symlink_to("nowhere")),
    "itself": instead(lambda path: path.symlink_to(path.name)),
    "link-out": instead(lambda path: path.symlink_to(elsewhere(path) / "secret")),
    "pipe": instead(lambda path: os.mkfifo(path)),
}
FOLDER_HARM: dict[str, Callable[[Path], None]] = {
    "removed": remove,
    "empty": instead(lambda path: path.mkdir()),
    "file": instead(lambda path: path.write_bytes(b"")),
    "dangling": instead(lambda path: path.symlink_to("nowhere")),
    "link-out": instead(lambda path: path.symlink_to(elsewhere(path))),
}
STRAYS = (
    "memory/²²².npz", "memory/000099.npz", "state/٣", "state/999999999999", "state/000099", "versions/best.safetensors",
    "versions/99999999999999999999.safetensors", "games/-1.jsonl", "state/.tmp-x", "memory/000001.NPZ", "state/4",
)  # fmt: skip


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three iterations, beside which there is a folder that is nobody's business."""
    parameters = override(preset("best", "tictactoe"), TINY | {"run.iterations": 3, "exam.games": 0})
    run = Run.create(tmp_path_factory.mktemp("template") / "run", "tictactoe", parameters)
    learn(run, device="cpu")
    return run.folder


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the run; in the end everything outside of it is as it was."""
    copy = tmp_path / "runs" / "run"
    shutil.copytree(template, copy)
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    names = ("secret", "000099.npz", "000099.jsonl", "0099.safetensors", ".tmp-mine", "999999")
    for name in names:
        (outside / name).write_text(SECRET)
    yield copy
    assert {path.name: path.read_text() for path in outside.iterdir()} == dict.fromkeys(names, SECRET)


def looks(folder: Path) -> Iterator[Callable[[], Any]]:
    """All that people do with a run, each as a function that must answer or fail in one line."""
    yield lambda: read_facts(folder)
    yield lambda: Run(folder).progress()
    yield lambda: Run(folder).damage()
    yield lambda: Run(folder).busy
    yield lambda: whole(Run(folder)).model_dump_json()
    yield lambda: [load_network(Run(folder).version_path(version)) for version in all_versions(Run(folder))]
    yield lambda: resume(folder)
    yield lambda: Run(folder).extend(replace(Run(folder).parameters.run, iterations=5))
    yield lambda: TrainingRuns(folder.parent).summaries()


def resume(folder: Path) -> None:
    """Go on with a run, up to the point where it would learn."""
    with Run(folder) as run:
        run.restore()
        list(run.samples())
        run.network(run.progress().version)


def check_all(folder: Path) -> None:
    for look in looks(folder):
        said = "an answer"
        try:
            look()
        except NoughtError as error:
            said = str(error)
        assert "\n" not in said and 0 < len(said) < LONGEST


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "harm", [pytest.param(harm, marks=slow if i % 2 else ()) for i, harm in enumerate(HARM)]
)
def test_a_damaged_file_is_one_line(folder: Path, name: str, harm: str) -> None:
    HARM[harm](folder / name)
    check_all(folder)


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("harm", FOLDER_HARM)
def test_a_damaged_folder_is_one_line(folder: Path, name: str, harm: str) -> None:
    FOLDER_HARM[harm](folder / name)
    check_all(folder)


@pytest.mark.parametrize("name", STRAYS)
@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_strays_are_no_trouble(folder: Path, name: str, kind: str) -> None:
    path = folder / name
    if kind == "file":
        path.write_bytes(b"stray")
    elif kind == "folder":
        (path / "within").mkdir(parents=True)
    else:
        path.symlink_to(elsewhere(path))
    assert Run(folder).progress().iteration == 3
    check_all(folder)
    if kind != "link":
        resume(folder)
        assert Run(folder).progress().iteration == 3


@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(n, marks=slow) for n in range(5, 25))])
@pytest.mark.parametrize("name", ["state/000003/progress.json", "metrics.jsonl", "game.json", "config.toml"])
def test_values_that_cannot_be_meant_are_one_line(folder: Path, name: str, seed: int) -> None:
    """One word of the text becomes another."""
    chance, path = random.Random(seed), folder / name
    words = path.read_text(encoding="utf-8").split(" ")
    others = [
        "null",
        "true",
        "[]",
        "{}",
        '"x"',
        "-1",
        "1e999",
        "NaN",
        "9" * 400,
        "0",
        "",
        "\0",
        "inf",
        "0.5",
        '":',
    ]
    words[chance.randrange(len(words))] = chance.choice(others) + chance.choice(["", ",", "}", "\n"])
    path.write_text(" ".join(words), encoding="utf-8")
    check_all(folder)


@pytest.mark.parametrize("name", ["progress.json", "trainer.safetensors", "games.npz"])
@pytest.mark.parametrize("harm", HARM)
def test_with_a_damaged_last_state_a_run_goes_on_from_the_one_before(
    folder: Path, name: str, harm: str
) -> None:
    HARM[harm](folder / "state" / "000003" / name)
    if any(path.is_symlink() or path.is_fifo() for path in folder.rglob("*")):
        with pytest.raises(NoughtError, match=f"{name} is"):  # whoever put it there is to say what it is for
            resume(folder)
        return
    with Run(folder) as run:
        assert run.progress().iteration == (3 if _still_whole(folder) else 2)
        assert run.restore() is not None


def _still_whole(folder: Path) -> bool:
    """Whether the last state was not removed."""
    return (folder / "state" / "000003").exists()


def test_one_damaged_run_does_not_hide_the_others(template: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    shutil.copytree(template, folder / "whole")
    for name in ("config.toml", "game.json", "metrics.jsonl", "state/000003/progress.json"):
        for harm in HARM:
            copy = folder / f"{harm}-{Path(name).stem}"
            shutil.copytree(template, copy)
            HARM[harm](copy / name)
    (folder / "dangling").symlink_to("nowhere")
    (folder / "a-file").write_text("")
    (folder / "empty").mkdir()
    listed = {run.name for run in TrainingRuns(folder).summaries()}
    assert "whole" in listed and not listed & {"dangling", "a-file", "empty", "null-config", "null-game"}
    assert {"null-metrics", "null-progress", "link-out-progress"} <= listed  # by what is left of them


@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        ("|V0", (1 << 40,)),
        ("<U0", (1 << 30,)),
        ("<f4", (1 << 60, 0)),
        ("<f4", (0, 1 << 60)),
        ("<f4", (1 << 40,)),
    ],
)
def test_an_array_is_no_longer_than_its_bytes(tmp_path: Path, kind: str, shape: tuple[int, ...]) -> None:
    path = tmp_path / "arrays.npz"
    with zipfile.ZipFile(path, "w") as archive, archive.open("outcome.npy", "w") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": kind, "fortran_order": False, "shape": shape})
    with pytest.raises(NoughtError, match="not as long as it says"):
        read_arrays(path)
    assert positions_in(path) == 0


def test_a_file_of_very_many_arrays_is_refused_before_one_is_read(tmp_path: Path) -> None:
    path = tmp_path / "arrays.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(MOST_ARRAYS + 1):
            archive.writestr(f"{number}.npy", b"")
    with pytest.raises(NoughtError, match="too many"):
        read_arrays(path)
