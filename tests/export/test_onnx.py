"""ONNX: a network for other programs answers as the original."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nought import cli
from nought.errors import NoughtError
from nought.export import onnx as export
from nought.games import load
from nought.network import save_network
from tests.network.support import SMALL, busy_network, plainly, some_positions


def command(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["nought", "export", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(end.value.code or 0)


def test_another_program_gets_the_same_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("onnxscript")
    onnx, onnxruntime = pytest.importorskip("onnx"), pytest.importorskip("onnxruntime")
    game = load("connect4")
    network = busy_network(game, replace(SMALL, pooling=True, outcomes=True, activation="leaky"))
    save_network(tmp_path / "net.safetensors", network, game, 12, {})
    assert command(monkeypatch, tmp_path / "net.safetensors", "--format", "onnx") == 0
    printed = capsys.readouterr().out
    assert "version 12 for connect4" in printed and "differ by at most" in printed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net.onnx", "net.safetensors"]
    model = onnx.load(tmp_path / "net.onnx")
    onnx.checker.check_model(model)
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    session = onnxruntime.InferenceSession(tmp_path / "net.onnx")
    for count in (1, 2, 33):
        positions = some_positions(game, count, seed=count)
        found = session.run(["policy", "value"], {"planes": np.stack([p.planes() for p in positions])})
        for a, b in zip(found, plainly(network, positions), strict=True):
            assert a.shape == b.shape
            np.testing.assert_allclose(a, b, atol=1e-5)


def test_a_file_that_answers_otherwise_is_not_handed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in export.PACKAGES:
        pytest.importorskip(name)
    game = load("tictactoe")
    network, other = busy_network(game, seed=1), busy_network(game, seed=2)
    answers = export._Answers
    monkeypatch.setattr(export, "_Answers", lambda _: answers(other))
    with pytest.raises(NoughtError, match="answers differently"):
        export.export_onnx(network, game, tmp_path / "net.onnx")
    assert list(tmp_path.iterdir()) == []


def test_missing_packages_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load("tictactoe")
    save_network(tmp_path / "n", busy_network(game), game, 0, {})
    monkeypatch.setattr(export.importlib.util, "find_spec", lambda name: None)
    assert command(monkeypatch, tmp_path / "n") == 2
    error = capsys.readouterr().err
    assert (
        "needs onnx, onnxruntime, onnxscript: pip install 'nought[onnx]'" in error and error.count("\n") == 1
    )


def test_mistakes_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load("tictactoe")
    path = tmp_path / "n.safetensors"
    save_network(path, busy_network(game), game, 0, {})
    (tmp_path / "text").write_text("hello")
    for words, message in (
        ((tmp_path / "none",), "there is no file"),
        ((tmp_path / "text",), "not a network"),
        ((path, "--game", "othello"), "not for othello"),
        ((path, "--game", "nothing"), "no game called"),
        ((path, "--output", path), "another --output"),
        ((path, "--output", tmp_path / "no" / "x.onnx"), "cannot be written"),
        ((path, "--format", "gguf"), "gguf"),
    ):
        assert command(monkeypatch, *words) == 2
        error = capsys.readouterr().err
        assert message in error and error.count("\n") == 1, error
