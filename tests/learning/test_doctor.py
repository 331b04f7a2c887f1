"""Runs made bad on purpose, and a good one: the doctor names what was done to them, and nothing else of that kind."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import nought.games
from nought.cli import app
from nought.errors import NoughtError
from nought.learning.doctor import Diagnosis, diagnose
from nought.learning.loop import learn
from nought.learning.run import Run
from nought.presets import override, preset
from tests.support.skips import slow

TICTACTOE = Path(nought.games.__file__).with_name("tictactoe.py").read_text(encoding="utf-8")
SMALL = {
    "network.filters": 16,
    "network.blocks": 1,
    "network.value_hidden": 16,
    "search.simulations": 16,
    "search.cache": 4096,
    "selfplay.games": 16,
    "selfplay.threads": 1,
    "selfplay.positions": 250,
    "learning.batch": 64,
    "learning.window": 3000,
    "exam.games": 0,
    "run.iterations": 5,
    "run.minutes": 0,
    "run.precision": "float32",
}
# games that are over, without a row, after three moves
CUT_OFF = (
    TICTACTOE.replace("LONGEST = 9", "LONGEST = 3")
    .replace(
        "def finished(state):\n",
        "def finished(state):\n    if np.sum(state[:9] != 0) >= 3:\n        return True\n",
    )
    .replace("    if not has_line", "    if not finished(state) and not has_line")
)
ALWAYS_WON = TICTACTOE.replace("return -1.0 if has_line(state, 1) else 0.0", "return 1.0")
BLIND = TICTACTOE.replace("] = 1.0", "] = 0.0")


def trained(folder: Path, source: str = TICTACTOE, **changes: Any) -> Run:
    (folder / "mygame.py").write_text(source, encoding="utf-8")
    parameters = override(preset("best", "tictactoe"), SMALL | changes)
    run = Run.create(folder / "runs" / "mygame-1", str(folder / "mygame.py"), parameters)
    learn(run)
    return Run(run.folder)


def found(diagnosis: Diagnosis) -> dict[str, str]:
    assert all(s.figure and s.advice and "\n" not in s.says + s.advice for s in diagnosis.found)
    return {
        symptom.check: f"{symptom.figure}; {symptom.says}; {symptom.advice}" for symptom in diagnosis.found
    }


def test_a_good_run(tmp_path: Path) -> None:
    run = trained(tmp_path, **{"run.iterations": 8, "learning.reuse": 6.0})
    diagnosis = diagnose(run)
    assert found(diagnosis) == {}
    assert [s.check for s in diagnosis.measured] == [
        "ends",
        "variety",
        "simulations",
        "targets",
        "window",
        "policy",
        "value",
    ]
    result = CliRunner().invoke(app, ["doctor", str(run.folder)], catch_exceptions=False)
    assert result.exit_code == 0
    assert "after 8 iterations: nothing found that keeps it from learning" in result.output


@pytest.mark.parametrize(
    ("source", "changes", "check", "figure", "says"),
    [
        pytest.param(
            CUT_OFF, {}, "ends", "100% after LONGEST = 3 moves", "do not come to a decision", marks=slow
        ),
        pytest.param(ALWAYS_WON, {}, "ends", "100% of ", "nearly all games end alike", marks=slow),
        (
            TICTACTOE,
            {"search.c_puct": 10000.0, "search.proofs": False, "search.noise": False},
            "targets",
            "99% of the entropy of guessing",
            "all moves equally good",
        ),
        pytest.param(
            BLIND,
            {},
            "value",
            "% of that of always saying the mean",
            "do the planes show everything",
            marks=slow,
        ),
        (TICTACTOE, {"learning.window": 100}, "window", "a window of 100, 2", "forgotten before"),
        (
            TICTACTOE,
            {"search.simulations": 2},
            "simulations",
            "2 simulations for 5.",
            "--set search.simulations=1",
        ),
        (
            TICTACTOE,
            {"gate.rule": "share", "gate.threshold": 2.0, "gate.games": 4},
            "gate",
            "0 of 5 new networks accepted, the last 5 refused",
            "lower gate.threshold (now 2)",
        ),
        (
            TICTACTOE,
            {"learning.rate": 3.0, "learning.optimizer": "sgd", "learning.clip": 1000.0},
            "value",
            "%",
            "--set learning.rate=0.3 (now 3)",
        ),
        (
            TICTACTOE,
            {"search.noise": False, "search.sampled_moves": 0, "selfplay.opening_share": 0.0},
            "variety",
            " different games of ",
            "the same games again and again",
        ),
    ],
    ids=["cut off", "always won", "uniform", "blind", "window", "simulations", "gate", "rate", "repeated"],
)
def test_a_run_made_bad(
    tmp_path: Path, source: str, changes: dict[str, Any], check: str, figure: str, says: str
) -> None:
    told = found(diagnose(trained(tmp_path, source, **changes)))
    assert check in told
    assert figure in told[check]
    assert says in told[check]


def test_a_run_that_has_not_begun(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "runs" / "new", "tictactoe", override(preset("best", "tictactoe"), SMALL))
    assert list(found(diagnose(run))) == ["begun"]


def test_as_it_is_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    parameters = override(preset("best", "tictactoe"), SMALL | {"run.iterations": 1, "learning.window": 60})
    learn(Run.create(Path("runs/small"), "tictactoe", parameters))
    result = CliRunner().invoke(app, ["doctor", "small"], catch_exceptions=False)
    assert result.exit_code == 0
    assert "✗ small after 1 iteration: 1 reason why it may not be learning" in result.output
    assert "    measured: a window of 60, " in result.output
    assert "    try: --set learning.window=" in result.output
    result = CliRunner().invoke(app, ["doctor", "runs/small/", "--json"], catch_exceptions=False)
    told = json.loads(result.output)
    assert (told["run"], told["game"], told["iterations"]) == ("small", "tictactoe", 1)
    assert [symptom["check"] for symptom in told["measured"] if symptom["says"]] == ["window"]
    with pytest.raises(NoughtError, match="there is no run in"):
        CliRunner().invoke(app, ["doctor", "nosuch"], catch_exceptions=False)
