"""--precision of the verbs that evaluate networks."""

import os

import pytest
from typer.testing import CliRunner

from nought.cli import app
from nought.errors import NoughtError
from nought.network import evaluator, precision
from nought.network.precision import SETTING, wanted_precision

VERBS = [["play"], ["match"], ["evaluate"], ["rate", "run"], ["engine", "connect4"], ["serve"], ["desktop"]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """In which precisions networks were to be evaluated on a CPU."""
    found = []

    class Asked(evaluator.CpuForward):
        def __init__(self, network, capacity, threads, precision, sample, floats) -> None:
            found.append(precision)
            super().__init__(network, capacity, threads, "float32", sample, floats)

    monkeypatch.setattr(evaluator, "CpuForward", Asked)
    return found


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_one_that_there_is_not_is_refused_before_anything_is_done(verb: list[str]) -> None:
    result = CliRunner().invoke(app, [*verb, "--precision", "int4"])
    assert isinstance(result.exception, NoughtError)
    assert str(result.exception) == "a precision is auto, float32, bfloat16, int8, not 'int4'"


@pytest.mark.parametrize("name", ["bfloat16", "auto"])
def test_networks_of_a_command_evaluate_as_it_says(
    name: str, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precision, "why_not", lambda _: "it is a Monday")
    wanted = ["evaluate", "tictactoe", "--device", "cpu", "--simulations", "0", "--precision", name]
    result = CliRunner().invoke(app, wanted)
    assert result.exit_code == 0, result.output
    assert asked == [name]
    said = "no bfloat16 on a CPU here: it is a Monday; the next best is used"
    assert (said in " ".join(result.output.split())) == (name == "bfloat16")
    assert os.environ.get(SETTING, "auto") == "auto"  # for this command alone


def test_the_environment_says_what_auto_means(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "float32")
    assert (wanted_precision("auto"), wanted_precision("int8")) == ("float32", "int8")
    monkeypatch.setenv(SETTING, "int4")
    with pytest.raises(NoughtError, match="not 'int4'"):
        wanted_precision("auto")


def test_machines_of_a_cluster_choose_for_themselves() -> None:
    wanted = [
        "match",
        "random",
        "random",
        "--game",
        "tictactoe",
        "--cluster",
        "auto",
        "--precision",
        "float32",
    ]
    result = CliRunner().invoke(app, wanted)
    assert isinstance(result.exception, NoughtError) and "for this machine" in str(result.exception)
