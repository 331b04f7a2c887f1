"""Networks as files: what is written is read again, and a damaged or foreign file is one clear line."""

from __future__ import annotations

import json
import os
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save, save_file

from nought.errors import NoughtError
from nought.games import load
from nought.games.registry import game_from_source
from nought.network import checkpoint as module
from nought.network import load_network, save_network
from tests.network.support import SMALL, busy_network

TINY = replace(SMALL, blocks=1, filters=3, value_hidden=4)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    game = load("tictactoe")
    save_network(
        tmp_path / "one.safetensors", busy_network(game, TINY), game, 7, {"elo": 1234.5, "né": [1, None]}
    )
    return tmp_path / "one.safetensors"


def refused(path: Path, *args: object) -> str:
    with pytest.raises(NoughtError) as error:
        load_network(path, *args)
    message = str(error.value)
    assert "\n" not in message and path.name in message
    return message


@pytest.mark.parametrize("name", ["connect4", "othello", "dots-and-boxes:2x2"])
@pytest.mark.parametrize(
    "changed",
    [{}, {"norm": "layer", "activation": "leaky"}, {"pooling": True, "outcomes": True, "margin": True}],
)
def test_round_trip(tmp_path: Path, name: str, changed: dict[str, object]) -> None:
    game = load(name)
    network = busy_network(game, replace(SMALL, **changed))
    save_network(str(tmp_path / "n"), network.train(), game, 3, {"note": "x"})
    for given in (None, game):
        found = load_network(str(tmp_path / "n"), given)
        assert (found.game, found.version, found.facts) == (name, 3, {"note": "x"})
        assert found.parameters == network.architecture == found.network.architecture
        assert not found.network.training
        assert found.network.margin == network.margin
        for key, tensor in network.state_dict().items():
            assert torch.equal(found.network.state_dict()[key], tensor)
    assert [path.name for path in tmp_path.iterdir()] == ["n"]


def test_another_program_can_read_it(saved: Path) -> None:
    tensors = load_file(saved)
    assert tensors["stem.conv.weight"].shape == (3, 2, 3, 3)
    length = int.from_bytes(saved.read_bytes()[:8], "little")
    header = json.loads(json.loads(saved.read_bytes()[8 : 8 + length])["__metadata__"]["nought"])
    assert (header["game"], header["planes"], header["actions"], header["version"]) == (
        "tictactoe",
        [2, 3, 3],
        9,
        7,
    )


def test_truncated_anywhere(saved: Path) -> None:
    whole = saved.read_bytes()
    random = np.random.default_rng(0)
    for length in [*range(12), *random.integers(12, len(whole), 80), len(whole) - 1]:
        saved.write_bytes(whole[:length])
        assert "damaged" in refused(saved)


def test_one_byte_wrong_anywhere(saved: Path) -> None:
    whole = saved.read_bytes()
    random = np.random.default_rng(1)
    header = 8 + int.from_bytes(whole[:8], "little")
    places = [
        *range(8),
        *random.integers(8, header, 500),
        *random.integers(header, len(whole), 300),
        len(whole) - 1,
    ]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= int(random.integers(1, 256))
        saved.write_bytes(damaged)
        refused(saved)


def test_something_appended_or_overwritten(saved: Path) -> None:
    whole = saved.read_bytes()
    saved.write_bytes(whole + b"\0" * 100)
    refused(saved)
    saved.write_bytes(b"\0" * len(whole))
    refused(saved)
    saved.write_bytes(whole[: len(whole) // 2] + b"\0" * (len(whole) - len(whole) // 2))
    assert "damaged" in refused(saved)


def test_files_that_are_not_ours(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert "there is no file" in refused(path)
    for content in (b"", b"hello\n", os.urandom(5000), pickle.dumps({"weights": [1.0] * 100})):
        path.write_bytes(content)
        assert "not a network" in refused(path)
    torch.save({"weights": torch.ones(3)}, path)
    assert "not a network" in refused(path)
    save_file({"weights": torch.ones(3)}, path)
    assert "not a network" in refused(path)
    save_file({"weights": torch.ones(3)}, path, {"nought": "{}"})
    assert "header" in refused(path)
    path.unlink()
    path.mkdir()
    refused(path)


def test_nothing_is_ever_unpickled(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(tmp_path / "sprung"),)

    (tmp_path / "file").write_bytes(pickle.dumps(Trap()))
    refused(tmp_path / "file")
    torch.save(Trap(), tmp_path / "file")
    refused(tmp_path / "file")
    assert not (tmp_path / "sprung").exists()


def test_a_newer_format(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tictactoe")
    with monkeypatch.context() as patch:
        patch.setattr(module, "FORMAT", 2)
        save_network(saved, busy_network(game, TINY), game, 1, {})
    assert "newer nought (format 2; this one reads 1)" in refused(saved)


def test_a_network_that_does_not_fit_its_own_header(saved: Path) -> None:
    network = busy_network(load("tictactoe"), TINY)
    network.architecture = replace(TINY, blocks=2)
    save_network(saved, network, load("tictactoe"), 1, {})
    assert "cannot be built" in refused(saved)


def claiming(saved: Path, **changed: object) -> Path:
    """The same file with another header, and a checksum that fits."""
    tensors = load_file(saved)
    with module.safe_open(saved, "pt") as file:
        header = json.loads(file.metadata()["nought"])
    for name, value in changed.items():
        (header["network"] if name in header["network"] else header)[name] = value
    text = json.dumps(header)
    save_file(tensors, saved, {"nought": text, "checksum": module._checksum(text, tensors)})
    return saved


@pytest.mark.parametrize(
    "claim",
    [
        {"blocks": 100_000}, {"blocks": 900}, {"filters": 10**7}, {"filters": 4000, "blocks": 4}, {"value_hidden": 10**12},
        {"kernel": 10**6 + 1}, {"blocks": -1}, {"blocks": "many"}, {"blocks": [1]}, {"blocks": 1e400}, {"blocks": None},
        {"planes": [3, 10**6, 10**6]}, {"planes": [3, 3]}, {"planes": 5}, {"planes": ["a", "b", "c"]}, {"actions": 10**12},
        {"actions": 0}, {"actions": None}, {"network": []}, {"network": {"x": 1}}, {"margin": 3}, {"version": "1"},
        {"facts": None}, {"game": None}, {"format": "1"}, {"format": None},
    ],
)  # fmt: skip
def test_a_header_that_claims_what_is_not_there_builds_nothing(
    saved: Path, claim: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def built(*_: object, **__: object) -> None:
        raise AssertionError("memory was taken for it")

    monkeypatch.setattr(module, "empty_network", built)
    refused(claiming(saved, **claim))


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_weights_that_are_no_finite_numbers(tmp_path: Path, number: float) -> None:
    game = load("tictactoe")
    network = busy_network(game, TINY)
    next(network.parameters()).data.view(-1)[0] = number
    save_network(tmp_path / "one.safetensors", network, game, 0, {})
    assert "no finite numbers" in refused(tmp_path / "one.safetensors")


def test_the_wrong_game(tmp_path: Path) -> None:
    game = load("connect4")
    path = tmp_path / "n"
    save_network(path, busy_network(game, TINY), game, 0, {})
    assert "for connect4 (2×6×7 planes, 7 actions), not for othello (2×8×8 planes, 64 actions)" in refused(
        path, load("othello")
    )
    assert "for connect4, not for connect4:6x7:5" in refused(path, load("connect4:6x7:5"))
    assert load_network(path, load("connect4:6x7")).game == "connect4"  # the same game by another name


SOURCE = Path(module.__file__).parents[1].joinpath("games", "tictactoe.py").read_text()
OTHER_RULES = SOURCE.replace("(0, 4, 8), (2, 4, 6)", "(0, 4, 8), (0, 4, 8)")


def saved_for(path: Path, name: str, source: str = SOURCE) -> Path:
    game = game_from_source(name, source)
    save_network(path, busy_network(game, TINY), game, 0, {})
    return path


def as_before_rules_had_hashes(path: Path, game: str, source: str) -> None:
    """Write a network's file as earlier versions did: with a hash of the whole text."""
    tensors = load_file(path)
    with module.safe_open(path, "pt") as file:
        metadata = file.metadata()
    header = json.loads(metadata["nought"])
    del header["rules"]
    old = game_from_source("any.py", source)
    text = json.dumps(header | {"game": game, "source": module._text_hash(old)})
    path.write_bytes(save(tensors, {"nought": text, "checksum": module._checksum(text, tensors)}))


def test_an_own_game_may_move_and_be_edited_but_not_its_rules(tmp_path: Path) -> None:
    path = saved_for(tmp_path / "n", "somewhere/mine.py")
    drawn = SOURCE + "\nCOLOURS = ('red', 'blue')\n\n\ndef text(state):\n    return str(state)\n"
    for name in ("somewhere/mine.py", "elsewhere/mine.py", "other.py"):
        load_network(path, game_from_source(name, "# a remark\n" + drawn))
    assert "for somewhere/mine.py, not for other.py" in refused(
        path, game_from_source("other.py", OTHER_RULES)
    )


def test_changed_rules_are_named_with_what_to_do(tmp_path: Path) -> None:
    path = saved_for(tmp_path / "n", "mine.py")
    message = refused(path, game_from_source("mine.py", OTHER_RULES))
    assert message.startswith(
        f"the rules of mine.py have changed since {path} learned them (LINES): `nought train "
    )
    assert f"train mine.py --from {path}`" in message
    game = game_from_source("mine.py", OTHER_RULES)
    assert load_network(path, game, any_rules=True).game == "mine.py"  # what --from does
    with pytest.raises(NoughtError, match="not for connect4"):
        load_network(path, load("connect4"), any_rules=True)


def test_networks_of_before_rules_had_hashes(tmp_path: Path) -> None:
    path = saved_for(tmp_path / "n", "mine.py")
    as_before_rules_had_hashes(path, "mine.py", SOURCE)
    load_network(path, game_from_source("elsewhere/mine.py", SOURCE + "\nLATER = 1\n"))
    load_network(path, game_from_source("other.py", "# a remark\n" + SOURCE))
    assert "not for other.py" in refused(path, game_from_source("other.py", SOURCE + "\nLATER = 1\n"))


def test_networks_of_before_for_a_game_that_comes_with_the_package(tmp_path: Path) -> None:
    """Its file may look otherwise by now."""
    path = saved_for(tmp_path / "n", "mine.py")
    as_before_rules_had_hashes(path, "tictactoe", '"An earlier text."\n' + SOURCE)
    load_network(path, game_from_source("mine.py", SOURCE + "\nLATER = 1\n"))
    assert "not for mine.py" in refused(path, game_from_source("mine.py", OTHER_RULES))


def test_a_failed_write_leaves_the_old_file(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save_network(saved, busy_network(load("tictactoe"), TINY, seed=9), load("tictactoe"), 8, {})
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]
    with pytest.raises(OSError, match="No such file"):
        save_network(
            saved.parent / "no" / "n", busy_network(load("tictactoe"), TINY), load("tictactoe"), 8, {}
        )
