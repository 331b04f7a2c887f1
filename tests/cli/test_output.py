"""Files that verbs write are tried before the work, not after it. (Root may write anywhere: folders that nobody can
write into are stood in for by /proc, by a folder below a file and by a disk that refuses.)"""

import errno
import tempfile
from pathlib import Path

import pytest

from nought.agents import ladder  # imported before anything of it is replaced
from nought.cli.output import require_writable
from nought.errors import NoughtError
from tests.support.command_line import refused
from tests.support.tiny_run import tiny_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("output")
    tiny_run(folder)
    (folder / "file").write_text("a file")
    return folder


@pytest.fixture(autouse=True)
def here(folder, monkeypatch):
    monkeypatch.chdir(folder)


VERBS = [
    ("match", "random", "random", "--game", "tictactoe", "--games", "2", "--save"),
    ("rate", "tiny", "--games", "2", "--output"),
    ("plot", "tiny", "--output"),
    ("export", "tiny", "--output"),
]


@pytest.fixture
def no_work(monkeypatch):
    """Whatever takes time is not to be begun."""
    for work in (
        "nought.agents.match.named_match",
        "nought.agents.ladder.rate_run",
        "nought.export.onnx.export_onnx",
        "nought.learning.plot.plot_run",
    ):
        monkeypatch.setattr(work, lambda *a, **k: pytest.fail("the work was begun"))


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
@pytest.mark.parametrize(
    ("file", "says"),
    [
        (".", "folder|does not end as a picture"),
        ("missing/x.png", "cannot be written: there is no folder missing"),
        ("file/x.png", "x.png cannot be written: Not a directory"),
        (f"{'x' * 300}.png", "cannot be written: File name too long"),
    ],
)
def test_what_cannot_be_written_is_said_before_the_work(verb, file, says, no_work, monkeypatch, capsys):
    error = refused(monkeypatch, capsys, *verb, file)
    assert any(part in error for part in says.split("|")), error


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_a_folder_that_may_not_be_written_into(verb, no_work, monkeypatch, capsys):
    def refuse(*a, **k):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    error = refused(monkeypatch, capsys, *verb, "x.png")
    assert "x.png cannot be written: Read-only file system" in error


def test_the_default_files_are_tried_too(no_work, monkeypatch, capsys, folder):
    def refuse(dir, **k):
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    name = "tiny-2.onnx" if (folder / "runs/tiny/versions/0002.safetensors").exists() else "tiny-"
    assert name in refused(monkeypatch, capsys, "export", "tiny")
    assert "runs/tiny/ratings.png cannot be written: Permission denied" in refused(
        monkeypatch, capsys, "rate", "tiny"
    )


def test_devices_and_proc_are_no_files(tmp_path):
    with pytest.raises(NoughtError, match="is not a file that could be written anew"):
        require_writable(Path("/dev/null"))
    if Path("/proc/self").is_dir():
        with pytest.raises(NoughtError, match=r"/proc/self/x cannot be written"):
            require_writable(Path("/proc/self/x"))
    assert require_writable(tmp_path / "new") is None
    assert list(tmp_path.iterdir()) == []  # nothing is left behind


def test_the_games_of_a_match_do_not_take_the_place_of_others(no_work, monkeypatch, capsys):
    assert "file is there already" in refused(monkeypatch, capsys, *VERBS[0], "file")
    assert Path("file").read_text() == "a file"


def test_a_picture_is_written_whole_or_not_at_all(folder, monkeypatch, capsys):
    from matplotlib.figure import Figure

    Path("old.png").write_bytes(b"old")

    def half(figure, target, **k):
        target.write(b"half")
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Figure, "savefig", half)
    assert "cannot write the picture old.png" in refused(
        monkeypatch, capsys, "plot", "tiny", "--output", "old.png"
    )
    assert Path("old.png").read_bytes() == b"old"


def test_an_ending_that_is_no_pictures_is_said_before_the_work(no_work, monkeypatch, capsys):
    for verb in VERBS[1:3]:
        assert "does not end as a picture does: " in refused(monkeypatch, capsys, *verb, "x.doc")


def test_a_ladder_that_cannot_be_kept_is_one_line(folder, monkeypatch):
    def refuse(*a, **k):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(ladder, "write_whole", refuse)
    monkeypatch.setattr(ladder, "KNOWN", ("random",))
    with pytest.raises(NoughtError, match=r"ratings.json cannot be written: Input/output error"):
        ladder.rate_run(ladder.Run(folder / "runs" / "tiny"), [1], games=2, simulations=0)


def test_rate_of_an_agent_says_that_it_has_one_version(monkeypatch, capsys):
    error = refused(monkeypatch, capsys, "rate", "dots-and-boxes:3x3")
    assert "`nought match agents/dots-and-boxes-3x3` measures it" in error
