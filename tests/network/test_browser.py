"""The search in WebAssembly, fed the same answers, is the native search word for word."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from nought.compile.wasm import wasm
from nought.config import Choice, SearchParameters, SelfPlayParameters
from nought.games import Game, load
from nought.network.steps import BROWSER
from nought.search import Search, memory
from tests.support.skips import NODE, slow

NODE_PROGRAM = shutil.which("node")
OWN_GAME = str(Path(__file__).parents[2] / "nought/games/examples/hex.py")
needs_node = pytest.mark.skipif(NODE_PROGRAM is None, reason=NODE)


def in_node(folder: Path, game: Game, begun: Search, answers: list[np.ndarray], rounds: int) -> np.ndarray:
    """The memory of a search that has gone on in WebAssembly."""
    facts = {
        "rounds": rounds,
        "actions": game.actions,
        "policy": int(begun.layout.policy),
        "value": int(begun.layout.value),
        "logCount": int(memory.LOG_COUNT),
    }
    (folder / "game.wasm").write_bytes(wasm(game, BROWSER))
    begun.words.tofile(folder / "begun")
    np.concatenate(answers).tofile(folder / "answers")
    names = [str(folder / name) for name in ("game.wasm", "begun", "answers")]
    command = [
        NODE_PROGRAM,
        str(Path(__file__).with_name("browser.mjs")),
        *names,
        json.dumps(facts),
        str(folder / "out"),
    ]
    subprocess.run(command, check=True, timeout=120)  # type: ignore[arg-type]
    return np.fromfile(folder / "out", np.uint64)


def whole_games(search: Search, games: int, most: int) -> tuple[list[np.ndarray], int]:
    """Advance until so many games have ended, or so many times; the answers it was given, and how many times that was."""
    random, answers, rounds = np.random.default_rng(0), [], 0
    while search.counters()["games"] < games and rounds < most:
        count = len(search.advance())
        given = random.random((count, search.game.actions + 1), np.float32)
        given[:, -1] = 2 * given[:, -1] - 1
        search.answer(given[:, :-1], given[:, -1])
        search.ints[memory.LOG_COUNT] = 0
        answers.append(given.reshape(-1))
        rounds += 1
    return answers, rounds


@needs_node
@pytest.mark.parametrize(
    ("name", "choice"),
    [
        ("tictactoe", Choice.PUCT),
        pytest.param("connect4", Choice.GUMBEL, marks=slow),
        pytest.param("dots-and-boxes:2x2", Choice.UCB1, marks=slow),
        pytest.param("othello:6x6", Choice.PUCT, marks=slow),
        pytest.param(OWN_GAME, Choice.PUCT_PLUS_ONE, marks=slow),
    ],
    ids=lambda value: Path(str(value)).stem,
)
def test_whole_games_are_the_same_word_for_word(name: str, choice: Choice, tmp_path: Path) -> None:
    game = load(name)
    parameters = SearchParameters(simulations=24, choice=choice, leaves=2, cache=256, c_growth=0.3)
    search, begun = (
        Search(game, parameters, 8, seed=3, self_play=SelfPlayParameters(), log_rows=2000) for _ in range(2)
    )
    search.begin_games()
    begun.begin_games()
    answers, rounds = whole_games(search, games=8, most=4000)
    assert search.counters()["games"] >= 8
    found = in_node(tmp_path, game, begun, answers, rounds)
    assert len(found) == len(search.words)
    assert np.flatnonzero(found != search.words).tolist() == []
