"""A site that thinks in the browser: its modules say of positions and searches what nought itself says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nought import cli
from nought.agents.networks import playing
from nought.agents.shipped import card
from nought.compile import compiled
from nought.errors import NoughtError
from nought.export import browser, web
from nought.games import Game, Position, load
from nought.games.notation import format_moves
from nought.network.steps import KERNELS, steps_of
from nought.search import Rollout, Search
from nought.search.analysis import analyse
from nought.search.variety import alternatives
from nought.server.views import line_view, position_after, position_view
from tests.network.support import busy_network
from tests.support.site import export_site
from tests.support.skips import NODE, slow

OWN = Path(__file__).parents[2] / "nought/games/examples"
OTHERS = [
    "connect4",
    "othello:6x6",
    "dots-and-boxes:2x2",
    str(OWN / "breakthrough.py"),
    str(OWN / "hex.py"),
    str(OWN / "twist.py"),
]


class Site:
    """An exported site, asked in node."""

    def __init__(self, folder: Path, name: str) -> None:
        self.game, self.network = load(name), busy_network(load(name))
        self.folder = export_site(folder / "site", name, self.network)
        (self.folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")

    def ask(self, *questions: dict[str, Any]) -> list[Any]:
        script, lines = Path(__file__).with_name("site.mjs"), "\n".join(map(json.dumps, questions))
        command = ["node", str(script), str(self.folder)]
        run = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=120, check=False)
        assert run.returncode == 0, run.stderr
        return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.fixture(
    scope="module",
    params=["tictactoe", *(pytest.param(name, marks=slow) for name in OTHERS)],
    ids=lambda name: Path(name).stem,
)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Site:
    if shutil.which("node") is None:
        pytest.skip(NODE)
    return Site(tmp_path_factory.mktemp("web"), request.param)


def random_games(game: Game, count: int) -> list[Position]:
    """Every position of so many random games."""
    random, found = np.random.default_rng(5), []
    for _ in range(count):
        position = game.start()
        found.append(position)
        while not position.finished:
            position = position.play(int(random.choice(position.legal)))
            found.append(position)
    return found


def test_positions_are_seen_as_the_server_shows_them(site: Site) -> None:
    positions = random_games(site.game, 5)
    answers = site.ask(*({"ask": "look", "actions": position.moves} for position in positions))
    assert len(answers) == len(positions)
    for position, found in zip(positions, answers, strict=True):
        assert found["answer"] == position_view(position).model_dump(mode="json")


def test_moves_are_read_and_lines_shown_as_the_server_does(site: Site) -> None:
    whole = [position for position in random_games(site.game, 5) if position.finished]
    texts = [format_moves(site.game, position.moves) for position in whole]
    read = site.ask(*({"ask": "read", "moves": text} for text in texts))
    assert [found["answer"] for found in read] == [list(position.moves) for position in whole]
    cut = [(position.moves[:3], position.moves[3:]) for position in whole]
    shown = site.ask(*({"ask": "lines", "actions": begin, "line": line} for begin, line in cut))
    for (begin, line), found in zip(cut, shown, strict=True):
        expected = line_view(position_after(site.game, begin), line)
        assert found["answer"] == [move.model_dump() for move in expected]
    assert "Move 1 is not legal" in site.ask({"ask": "read", "moves": "zz9"})[0]["problem"]


def test_searches_find_the_same_to_the_last_bit(site: Site) -> None:
    game, room = site.game, steps_of(site.network).room()
    kernels = compiled(game, KERNELS)
    kernels.prepare_network(room)
    planes, policy = np.zeros(game.planes_shape, np.float32), np.zeros((1, game.actions), np.float32)

    def evaluate(states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        planes[:] = Position(game, states[0]).planes()
        return policy, np.array([kernels.evaluate(room, planes, policy[0])], np.float32)

    positions = [position for position in random_games(game, 2) if not position.finished][::4]
    questions = [{"ask": "think", "actions": position.moves, "simulations": 60} for position in positions]
    for position, found in zip(positions, site.ask(*questions), strict=True):
        search = Search(game, replace(playing(60), leaves=1, cache=0))
        search.begin(0, position.state, len(position.moves))
        search.run(evaluate)
        expected, answer = analyse(search), found["answer"]
        assert answer["best"] == expected.best.action
        assert dict(answer["alternatives"]) == pytest.approx(alternatives(search))
        for name in ("value", "proven", "plies", "simulations", "positions"):
            assert answer[name] == getattr(expected, name)
        assert [{**move, "line": tuple(move["line"])} for move in answer["moves"]] == [
            vars(m) for m in expected.moves
        ]


def test_random_play_to_the_end_is_the_same_for_agents_without_a_network(site: Site) -> None:
    positions = [position for position in random_games(site.game, 1) if not position.finished][::2]
    asked = [
        {"ask": "rollouts", "actions": position.moves, "simulations": 80, "seed": 7} for position in positions
    ]
    for position, found in zip(positions, site.ask(*asked), strict=True):
        search = Search(site.game, replace(playing(80), leaves=1, cache=0))
        search.begin(0, position.state, len(position.moves))
        search.run(Rollout(site.game, seed=7))
        expected, answer = analyse(search), found["answer"]
        assert [(m["action"], m["visits"], m["value"]) for m in answer["moves"]] == [
            (m.action, m.visits, m.value) for m in expected.moves
        ]


def test_moves_that_are_not_legal_are_refused(site: Site) -> None:
    assert site.ask({"ask": "look", "actions": [site.game.actions]}) == [{"problem": "Move 1 is not legal."}]


def test_damaged_weights_and_old_browsers_are_named(site: Site) -> None:
    damaged, old = site.ask({"ask": "damaged"}, {"ask": "lacking"})
    assert "damaged" in damaged["problem"]
    assert "SIMD" in old["answer"]


def test_every_file_is_kept_for_offline_use_and_none_is_asked_for_elsewhere(site: Site) -> None:
    files = {path.relative_to(site.folder).as_posix() for path in site.folder.rglob("*") if path.is_file()}
    worker = (site.folder / "sw.js").read_text(encoding="utf-8")
    kept = set(json.loads(worker.split("const FILES = ")[1].split(";\n")[0]))
    assert kept == files - {"sw.js", "package.json", "fonts/OFL.txt"}
    for name in files - {"fonts/OFL.txt", "package.json"}:
        if name.endswith((".html", ".js", ".css", ".webmanifest")):
            text = (site.folder / name).read_text(encoding="utf-8")
            assert set(re.findall(r"https?://[^\s\"']+", text)) <= {"http://www.w3.org/2000/svg"}, name
            assert not re.findall(r"""(?:href=|src=|url\(|from |import\()["']/""", text), (
                name
            )  # works at any path


def test_a_site_takes_the_place_of_a_site_and_of_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(NoughtError, match="no site of nought's"):
        export_site(tmp_path / "notes", "tictactoe", busy_network(load("tictactoe")))
    with pytest.raises(NoughtError, match="there is no folder"):
        export_site(tmp_path / "not" / "there", "tictactoe", busy_network(load("tictactoe")))
    web._write(tmp_path / "site", {"agent.json": b"1", "js/old.js": b""})
    web._write(tmp_path / "site", {"agent.json": b"2"})
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["agent.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes", "site"]


def command(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["nought", "export", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(end.value.code or 0)


def test_the_verb_writes_a_site_with_the_agents_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "site"
    assert command(monkeypatch, "agents/tictactoe", "--format", "web", "-o", folder) == 0
    printed = capsys.readouterr().out
    assert "MB compressed" in printed and "differ by at most" in printed and "http.server" in printed
    [agent] = json.loads((folder / "agent.json").read_text(encoding="utf-8"))["agents"]
    assert agent["title"] == card("tictactoe").title
    assert agent["card"]["Network"] == "32 filters, 3 blocks"
    (tmp_path / "file").touch()
    assert command(monkeypatch, "agents/tictactoe", "--format", "web", "-o", tmp_path / "file") == 2
    assert "a site is a folder" in capsys.readouterr().err
    two = ("agents/tictactoe", "agents/connect4-small")
    assert command(monkeypatch, *two, "--format", "web", "-o", folder) == 2
    assert "a site has one game: agents/connect4-small plays connect4" in capsys.readouterr().err
    assert command(monkeypatch, *two, "-o", tmp_path / "two.onnx") == 2
    assert "takes one agent, not 2" in capsys.readouterr().err


def test_a_game_that_draws_itself_is_refused(tmp_path: Path) -> None:
    name = str(OWN / "kalah.py")
    with pytest.raises(NoughtError, match="its own picture, which a browser cannot run"):
        export_site(tmp_path / "site", name, busy_network(load(name)))


def test_names_of_moves_are_taken_along_where_they_depend_on_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "twist.py"
    path.write_text((OWN / "twist.py").read_text(encoding="utf-8"), encoding="utf-8")
    game = load(str(path))
    browser.check_drawable(game)
    names = browser._facts(game)["names"]
    assert len(names) == game.actions and names[0] == "a1" and names[-1].startswith("bottom-right")
    looks = path.read_text(encoding="utf-8").replace("if move < CELLS:", "if move < CELLS and state[0] >= 0:")
    path.write_text(looks, encoding="utf-8")
    with pytest.raises(NoughtError, match="its own move_text"):
        browser.check_drawable(load(str(path)))
