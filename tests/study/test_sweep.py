"""A study's runs: done once, gone on with, and not outliving the study."""

import dataclasses
import os
import signal
from contextlib import AbstractContextManager
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
from safetensors.numpy import load_file

from nought.errors import NoughtError
from nought.learning.run import Run
from nought.study.estimate import Effort, Estimate, RunPace, _between, _measured, estimates
from nought.study.plan import read_study
from nought.study.sweep import standing, sweep
from tests.study.tiny import TINY, write_study
from tests.support.command_line import refused
from tests.support.programs import NOUGHT, Program, run_program, started, until


class Notes:
    """A listener that remembers."""

    def __init__(self):
        self.done, self.shares = [], []

    def ended(self, run, minutes):
        self.done.append(run.name)

    def standing(self, working, share):
        self.shares.append(share)


def weights(folder: Path):
    return load_file(max((folder / "state").iterdir()) / "trainer.safetensors")


ONE_THREAD = os.environ | {"OMP_NUM_THREADS": "1"}


def study(folder: Path, *arguments: str) -> CompletedProcess[str]:
    """`nought study` to its end."""
    return run_program([*NOUGHT, "study", *arguments], cwd=folder, env=ONE_THREAD)


def study_under_way(folder: Path, *arguments: str) -> AbstractContextManager[Program]:
    return started([*NOUGHT, "study", *arguments], cwd=folder, env=ONE_THREAD)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a tiny study that was done without a break."""
    folder = tmp_path_factory.mktemp("whole")
    write_study(folder)
    done = study(folder, "studies/tiny.toml", "--jobs", "2", "--device", "cpu")
    assert done.returncode == 0, done.stderr
    assert "2/2" in done.stdout
    return folder


def test_what_is_done_is_skipped(whole, monkeypatch):
    monkeypatch.chdir(whole)
    planned = read_study("tiny")
    assert all(standing(run).done and standing(run).progress.iteration == 3 for run in planned.runs())
    notes = Notes()
    sweep(planned, 2, "cpu", notes)
    assert notes.done == []


def begin_and_kill(folder):
    """Kill a study in its first iterations; how many of them its first run had done when it ended, too."""
    write_study(folder)
    first = folder / "runs" / "tiny-filters-filters4-s0"
    with study_under_way(folder, "tiny", "--jobs", "2") as program:
        program.until(lambda: list(first.glob("state/00000[1-3]")))
    until(lambda: unlocked(first), 30)  # its runs end by themselves
    return Run(first).progress().iteration


def unlocked(folder):
    """Whether nobody works on a run any more."""
    try:
        with Run(folder):
            return True
    except NoughtError:
        return False


def test_a_killed_study_leaves_no_process_and_goes_on_to_the_same_end(whole, tmp_path):
    for attempt in "abcde":  # on a busy machine an iteration may be over before we look
        folder = tmp_path / attempt
        folder.mkdir()
        if begin_and_kill(folder) < 3:
            break
    else:
        pytest.fail("killed too late each time to show anything")
    done = study(folder, "tiny", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    for run in ("tiny-filters-filters4-s0", "tiny-filters-filters8-s0"):
        ours, theirs = weights(folder / "runs" / run), weights(whole / "runs" / run)
        assert all(np.array_equal(ours[name], theirs[name]) for name in theirs)


def test_a_run_that_fails_is_named_and_the_others_are_done(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = TINY.replace("grid.network.filters = [4, 8]", "grid.learning.rate = [1e30, 0.01]").replace(
        "iterations = 3", "iterations = 1"
    )
    write_study(tmp_path, text + 'set.learning.clip = 0\nset.learning.optimizer = "sgd"\n')
    notes = Notes()
    with pytest.raises(
        NoughtError, match=r"1 of 2 runs failed; tiny-filters-rate1e.30-s0: the loss is no longer"
    ):
        sweep(read_study("tiny"), 2, "cpu", notes)
    assert notes.done == ["tiny-filters-rate0.01-s0"]


def test_a_run_of_another_plan_is_not_taken_for_ours(whole, tmp_path, monkeypatch):
    monkeypatch.chdir(whole)
    write_study(whole, TINY.replace("search.simulations = 8", "search.simulations = 9"))
    try:
        with pytest.raises(NoughtError, match=r"made with another search\.simulations \(8, now 9\)"):
            sweep(read_study("tiny"), 1, "cpu", Notes())
    finally:
        write_study(whole)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["studies/nobody.toml"], "cannot be read"),
        (["report"], "which study?"),
        (["report", "fresh"], "nothing to report"),
        (["tiny", "more"], "one word too many"),
        (["tiny", "--part", "y"], "there is no part 'y'"),
        (["tiny", "--measure"], "--measure tries how long runs take: it goes with --dry-run"),
    ],
)
def test_mistakes_on_the_command_line(whole, arguments, says, monkeypatch, capsys):
    write_study(whole, name="fresh")
    monkeypatch.chdir(whole)
    assert says in refused(monkeypatch, capsys, "study", *arguments)


def test_a_plan_is_shown_with_its_time(whole, tmp_path):
    shown = study(whole, "tiny", "--dry-run")
    assert shown.returncode == 0, shown.stderr
    assert "2 runs, 2 of them done" in shown.stdout
    assert "2 runs, 0 minutes of work left" in shown.stdout
    write_study(tmp_path, TINY.replace("iterations = 3", "minutes = 30"))
    shown = study(tmp_path, "tiny", "--dry-run", "--jobs", "2")
    says = "2 runs, 60 minutes of work left: about 30 minutes with 2 at once"
    assert says in " ".join(shown.stdout.split())
    assert not (tmp_path / "runs").exists()


def test_a_short_trial_measures_what_nobody_has_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path, TINY.replace("[4, 8]", "[4]").replace("iterations = 3", "iterations = 1000"))
    shares = []
    (found,) = estimates(read_study("tiny"), Effort("cpu"), shares.append).values()
    assert found.source == "trial"
    assert found.minutes > 0
    assert (shares[0], shares[-1]) == (0, 1)
    assert not (tmp_path / "runs").exists()


def test_without_time_for_a_trial_nothing_is_claimed(whole, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path)
    unknown = estimates(read_study("tiny"), Effort("cpu", seconds=0.0))
    assert set(unknown.values()) == {Estimate(None, "not known")}
    monkeypatch.chdir(whole)
    write_study(whole, TINY.replace("seeds = 1", "seeds = 2").replace("[4, 8]", "[4, 6, 8, 10]"))
    try:
        known = estimates(read_study("tiny"), Effort("cpu", seconds=0.0))
    finally:
        write_study(whole)
    of_seed_1 = [known[run].source for run in known if run.name.endswith("s1")]
    assert of_seed_1 == ["runs", "others", "runs", "not known"]
    assert known[next(iter(known))] == Estimate(0.0, "done")


def test_the_plan_comes_before_its_time(tmp_path):
    """Whatever the trials are doing then."""
    write_study(tmp_path, TINY.replace("iterations = 3", "iterations = 1000"))
    with study_under_way(tmp_path, "tiny", "--dry-run", "--measure") as program:
        program.until(lambda: "of them done" in program.output)
        assert program.code is None
        lines = [line.split() for line in program.output.splitlines()]
        program.process.send_signal(signal.SIGINT)
        assert program.end() == 130
    assert lines[0] == ["part", "settings", "runs", "done"]
    assert lines[1] == ["filters", "filters", "4", "1", "0"]
    assert lines[3] == ["2", "runs,", "0", "of", "them", "done"]


def test_games_are_timed_where_they_are_the_budget(whole, monkeypatch):
    monkeypatch.chdir(whole)
    planned = read_study("tiny").runs()[0]
    run = Run(Path("runs") / planned.name)
    limits = dataclasses.replace(planned.parameters.run, iterations=0, games=100)
    by_games = dataclasses.replace(planned, parameters=dataclasses.replace(planned.parameters, run=limits))
    reports = run.reports()
    minutes, games = reports[-1].minutes - reports[0].minutes, sum(r.selfplay.games for r in reports[1:])
    assert _measured(run, planned) == pytest.approx(minutes / 2)
    assert _measured(run, by_games) == pytest.approx(minutes / games)


def test_between_two_trials_time_is_on_a_line():
    known = {0: RunPace(1.0, "trial"), 2: RunPace(3.0, "runs")}
    assert [_between(known, place) for place in range(3)] == [known[0], RunPace(2.0, "others"), known[2]]
    assert _between(known, 3) is None
    slow = {0: RunPace(1.0, "trial"), 3: RunPace(0.5, "too slow")}
    assert _between(slow, 1) == RunPace(0.5, "too slow")  # at least


def test_the_report_is_one_page_with_everything_in_it(whole):
    written = study(whole, "report", "tiny", "--output", "page")
    assert written.returncode == 0, written.stderr
    folder = whole / "page"
    assert written.stdout.strip() == str(Path("page") / "index.html")
    html = (folder / "index.html").read_text()
    assert "Filters &amp; more" in html
    # nothing from elsewhere
    assert 'src="http' not in html and html.count("href=") == html.count("href=#s") > 0
    pictures = {path.stem for path in folder.glob("*.png")}
    kinds = ("raw", "smooth", "errors", "accuracy", "tournaments", "times")
    assert pictures == {f"filters-{kind}" for kind in kinds} == {path.stem for path in folder.glob("*.svg")}
    assert html.count("data:image/png;base64,") == len(pictures)
    for text in (
        "nought study studies/tiny.toml --part filters",
        "total error, last third of the run",
        "grid.network",
    ):
        assert text in html
    lines = (folder / "results.csv").read_text().splitlines()
    assert len(lines) == 1 + 2 * 3


def test_ctrl_c_ends_the_runs_and_says_how_to_go_on(tmp_path):
    write_study(tmp_path, TINY.replace("iterations = 3", "iterations = 100000"))
    first = tmp_path / "runs" / "tiny-filters-filters4-s0"
    with study_under_way(tmp_path, "tiny", "--jobs", "1") as program:
        program.until(lambda: list(first.glob("state/00000[1-9]")))
        program.process.send_signal(signal.SIGINT)
        assert program.end() == 130
        assert "the same command goes on" in program.errors
    with Run(first):  # nobody holds it any more
        pass
