"""The learning loop and its runs: what they keep, and how they survive."""

import errno
import json
import os
import random
import signal
import time
from contextlib import AbstractContextManager
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from nought.agents.networks import trained
from nought.errors import NoughtError
from nought.events import Listener
from nought.files import TEMPORARY
from nought.learning import storage
from nought.learning.loop import learn
from nought.learning.run import Run
from nought.network.checkpoint import load_network
from nought.presets import PRESETS, override, preset
from nought.selfplay.record import read_games
from tests.support.command_line import refused
from tests.support.programs import NOUGHT, Program, run_program, started
from tests.support.skips import slow

SMALL = {
    "network.filters": 8,
    "network.blocks": 1,
    "network.value_hidden": 8,
    "search.simulations": 8,
    "search.cache": 1024,
    "selfplay.games": 8,
    "selfplay.threads": 1,
    "run.precision": "float32",  # measured, it might differ from run to run
    "selfplay.positions": 60,
    "learning.window": 150,
    "learning.batch": 32,
    "gate.games": 4,
    "gate.simulations": 4,
    "run.iterations": 3,
    "run.minutes": 0,
}
# everything that could make a resumed run differ
VARIED = SMALL | {
    "gate.rule": "share",
    "gate.threshold": 0.3,
    "learning.average": 0.9,
    "selfplay.full_share": 0.7,
    "run.growth": 0.5,
}


def new_run(folder: Path, name="run", game="tictactoe", preset_name="best", **overrides) -> Run:
    return Run.create(folder / name, game, override(preset(preset_name, game), SMALL | overrides))


def weights(run: Run) -> dict[str, np.ndarray]:
    state = max((run.folder / "state").iterdir())
    return load_file(state / "trainer.safetensors")


def same(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> bool:
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


class Reports(Listener):
    def __init__(self):
        self.iterations, self.phases, self.warnings = [], [], []

    def progress(self, phase, done):
        assert 0 <= done <= 1
        self.phases.append(phase)

    def iteration(self, report):
        self.iterations.append(report)

    def warning(self, text):
        self.warnings.append(text)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_runs_two_iterations(name, tmp_path):
    game = "dots-and-boxes:2x2" if name == "prince" else "tictactoe"
    parameters = override(
        preset(name, game),
        {
            "run.iterations": 2, "run.minutes": 0, "selfplay.positions": 60, "selfplay.games": 8, "selfplay.threads": 1,
            "learning.batch": 32, "learning.begin": 0, "learning.steps": 2, "search.simulations": 8, "search.cache": 1024,
            "gate.games": 2, "gate.simulations": 4,
        },
    )  # fmt: skip
    run = Run.create(tmp_path / name, game, parameters)
    listener = Reports()
    learn(run, listener)
    assert [r.iteration for r in listener.iterations] == [1, 2]
    assert all(np.isfinite(r.learning.policy_loss) for r in listener.iterations)
    assert set(listener.phases) >= {"self-play", "learning"}


def test_a_run_keeps_versions_memory_games_and_metrics(tmp_path):
    run = new_run(tmp_path, **{"gate.rule": "share", "gate.threshold": 0.0})
    learn(run)
    assert [p.stem for p in sorted((run.folder / "versions").iterdir())] == ["0000", "0001", "0002", "0003"]
    assert len(run.reports()) == 3
    assert sum(map(len, run.samples())) >= 100
    assert (run.folder / "games" / "000003.jsonl").read_text().startswith('{"game": "tictactoe"')
    tournament = read_games(run.folder / "tournament" / "000003.jsonl")
    assert 1 <= len(tournament) <= 4 and all(record.result is not None for record in tournament)
    assert any(record.notes for record in tournament)
    assert run.network(0).state_dict().keys() == run.network(3).state_dict().keys()
    assert sorted(p.name for p in (run.folder / "state").iterdir()) == ["000002", "000003"]
    learn(run)  # it is over: nothing happens
    assert len(run.reports()) == 3


def test_a_run_can_begin_with_a_trained_network(tmp_path):
    learned = new_run(tmp_path, "learned", **{"network.filters": 8})
    learn(learned)
    start = load_network(learned.version_path(3))
    parameters = override(learned.parameters, {"learning.rate": 0.0, "learning.weight_decay": 0.0})
    run = Run.create(tmp_path / "further", "tictactoe", parameters, start)
    learn(run)
    weights = [
        dict(network.named_parameters()) for network in (start.network, run.network(0), run.network(3))
    ]
    for name, tensor in weights[0].items():  # at rate 0 nothing is lost and nothing is learned
        assert torch.equal(tensor, weights[1][name]) and torch.equal(tensor, weights[2][name])
    assert load_network(run.version_path(0)).facts == start.facts
    learn(Run(run.folder))  # and it can be opened again


def test_all_games_count_even_if_few_are_kept(tmp_path):
    run = new_run(tmp_path, **{"selfplay.recorded": 1})
    learn(run)
    played = [report.selfplay.games for report in run.reports()]
    kept = [len(path.read_text().splitlines()) for path in sorted((run.folder / "games").iterdir())]
    assert kept == [min(1, count) for count in played] and max(played) > 1
    assert run.progress().games == sum(played)


def test_an_interrupted_run_goes_on_to_the_same_weights(tmp_path):
    whole = new_run(tmp_path, "whole", **VARIED)
    learn(whole)

    class Stop(Exception):
        pass

    class Interrupting(Reports):
        def iteration(self, report):
            raise Stop

    parts = new_run(tmp_path, "parts", **VARIED)
    for _ in range(2):
        with pytest.raises(Stop):
            learn(Run(parts.folder), Interrupting())
    learn(Run(parts.folder))
    assert same(weights(whole), weights(parts))
    assert [r.version for r in whole.reports()] == [r.version for r in parts.reports()]


def test_games_are_dealt_out_among_devices(tmp_path):
    """Two of them have a thread each, if there are no more: here both are the CPU."""
    once = {"run.iterations": 1}
    several, one = (new_run(tmp_path, f"{n}", **once, **{"selfplay.threads": n}) for n in (1, 2))
    learn(several, device="cpu,cpu")
    learn(one, device="cpu")
    assert same(weights(several), weights(one))


ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1"}  # then results are the same to the last bit


def train(folder: Path, *arguments: str) -> CompletedProcess[str]:
    """`nought train` in a process of its own, to its end."""
    return run_program([*NOUGHT, "train", *arguments], cwd=folder, env=ONE_THREAD)


def training(folder: Path, *arguments: str) -> AbstractContextManager[Program]:
    """`nought train` under way in a process of its own."""
    return started([*NOUGHT, "train", *arguments], cwd=folder, env=ONE_THREAD)


@slow
def test_train_from_a_shipped_agent_keeps_its_shape(tmp_path):
    small = [word for name in ("selfplay.positions=60", "selfplay.games=8", "search.simulations=4")
             for word in ("--set", name)]  # fmt: skip
    begun = ("tictactoe", "--from", "agents/tictactoe", "--iterations", "1", "--run", "on", *small)
    made = train(tmp_path, *begun)
    assert made.returncode == 0, made.stderr
    run = Run(tmp_path / "runs" / "on")
    shipped = load_network(trained("agents/tictactoe").path)
    assert run.parameters.network == shipped.parameters
    assert torch.equal(next(run.network(0).parameters()), next(shipped.network.parameters()))
    for wrong, why in (
        (("--from", "agents/connect4"), "network for connect4"),
        (("--from", "nothing"), "there is no player 'nothing'"),
        (("--from", "agents/tictactoe", "--set", "network.filters=8"), "keeps its shape"),
        (("--from", "agents/tictactoe", "--resume", "on"), "keeps its parameters"),
    ):
        refused = train(tmp_path, "tictactoe", *wrong)
        assert refused.returncode == 2
        assert why in " ".join(refused.stderr.split()) and "Traceback" not in refused.stderr


@pytest.mark.timeout(900)  # so many programs, one after the other
@pytest.mark.parametrize("places", [3, pytest.param(10, marks=slow)])
def test_kill_9_loses_no_version_and_changes_no_weight(tmp_path, places):
    parameters = VARIED | {"run.iterations": places + 2, "selfplay.positions": 300, "learning.window": 900}
    whole = new_run(tmp_path / "runs", "whole", **parameters)
    assert train(tmp_path, "--resume", "whole").returncode == 0
    killed = new_run(tmp_path / "runs", "killed", **parameters)
    chance = random.Random(5)
    kills = 0
    accepted = 0
    for _ in range(60):
        before = killed.progress().iteration
        with training(tmp_path, "--resume", "killed") as program:
            if kills < places:  # let it begin to write, then wait a random moment
                if before < places + 1:
                    program.until(lambda before=before: killed.progress().iteration > before)
                time.sleep(chance.uniform(0, 0.4))
                program.process.send_signal(signal.SIGKILL)
            code = program.end()
        kills += code == -signal.SIGKILL
        done = killed.progress()
        assert done.version >= accepted
        accepted = done.version
        for version in range(done.version + 1):
            killed.network(version)  # every accepted version can be read
        if code == 0:
            break
    assert kills >= places // 2
    assert killed.progress().iteration == places + 2
    assert same(weights(whole), weights(killed))
    assert len(killed.reports()) == places + 2
    assert not list(killed.folder.rglob(".tmp-*"))


def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(tmp_path):
    run = new_run(tmp_path / "runs", "stopped", **{"run.iterations": 10000})
    with training(tmp_path, "--resume", "stopped") as program:
        program.until(lambda: run.progress().iteration >= 2)
        program.process.send_signal(signal.SIGINT)
        assert program.end() == 130
        assert "nought train --resume stopped" in program.errors
        assert "Traceback" not in program.errors


def test_two_processes_on_one_run_are_refused(tmp_path):
    run = new_run(tmp_path)
    with run, pytest.raises(NoughtError, match="another process is working on the run"):
        learn(Run(run.folder))


def test_a_full_disk_is_explained_and_the_last_state_is_whole(tmp_path, monkeypatch):
    run = new_run(tmp_path)
    replace, calls = storage.write_whole, []

    def full(path, content):
        calls.append(path)
        if len(calls) > 8:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(path, content)

    monkeypatch.setattr(storage, "write_whole", full)
    with pytest.raises(NoughtError, match="the disk is full; the run is whole up to its last iteration"):
        learn(run)
    monkeypatch.undo()
    done = Run(run.folder).progress().iteration
    assert 0 < done < 3
    learn(Run(run.folder))
    whole = new_run(tmp_path, "whole")
    learn(whole)
    assert same(weights(run), weights(whole))


def test_a_loss_that_is_no_number_is_explained_and_nothing_is_kept_of_it(tmp_path):
    run = new_run(tmp_path, **{"learning.rate": 1e30, "learning.clip": 0, "learning.optimizer": "sgd"})
    with pytest.raises(NoughtError, match="the loss is no longer a number"):
        learn(run)
    assert run.progress().iteration == 0


def test_a_folder_that_cannot_be_made_is_explained(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(NoughtError, match="cannot be made"):
        new_run(tmp_path / "file")
    run = new_run(tmp_path)
    with pytest.raises(
        NoughtError, match="there is a run run already: go on with `nought train --resume run`"
    ):
        Run.create(run.folder, "tictactoe", run.parameters)
    assert {path.name for path in tmp_path.iterdir()} == {"file", "run"}  # nothing half-made stays behind


def test_what_a_crash_left_half_written_is_removed(tmp_path):
    run = new_run(tmp_path)
    state = run.folder / "state" / f"{TEMPORARY}state"
    state.mkdir()
    nested = state / f"{TEMPORARY}tensors"  # killed while it wrote a state
    for path in (nested, run.folder / "memory" / f"{TEMPORARY}x", run.folder / "memory" / "000001.npz"):
        path.write_text("half")
    with run:
        assert not any(
            path.is_file() for part in ("state", "memory") for path in (run.folder / part).rglob("*")
        )
        assert not state.exists()


def test_a_damaged_or_missing_run_is_explained(tmp_path):
    with pytest.raises(NoughtError, match="there is no run"):
        Run(tmp_path / "nothing")
    run = new_run(tmp_path)
    (run.folder / "game.json").write_text("{")
    with pytest.raises(NoughtError, match=r"game\.json is damaged"):
        Run(run.folder)


def test_a_users_own_game_is_learned_from_its_file(tmp_path):
    import nought.games.tictactoe as rules

    (tmp_path / "mygame.py").write_text(Path(rules.__file__).read_text())
    run = new_run(tmp_path, game=str(tmp_path / "mygame.py"))
    (tmp_path / "mygame.py").unlink()  # the run has its own copy
    learn(Run(run.folder))
    assert Run(run.folder).progress().iteration == 3


def test_the_command_line_trains_and_reports(tmp_path, monkeypatch, capsys):
    settings = [f"--set={name}={value}" for name, value in SMALL.items() if not name.startswith("run.")]
    made = train(tmp_path, "tictactoe", "--run", "r", "--iterations", "2", "--json", *settings)
    assert made.returncode == 0, made.stderr
    lines = [json.loads(line) for line in made.stdout.splitlines()]
    assert [line["iteration"] for line in lines] == [1, 2]
    monkeypatch.chdir(tmp_path)
    for arguments, says in (
        (["--resume", "r", "--set", "search.simulations=3"], "a run keeps its parameters"),
        (["--resume", "nobody"], "there is no run"),
        (["tictactoe", "--run", "r"], "there is a run r already"),
        (["tictactoe", "--run", "../x"], "a run's name is"),
        (["tictactoe", "--device", "tpu"], "a device is"),
    ):
        assert says in refused(monkeypatch, capsys, "train", *arguments)
