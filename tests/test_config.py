"""Parameters that cannot be meant are refused before any work starts."""

from __future__ import annotations

import pytest

from nought.config import LARGEST_SEED, NetworkParameters, RunParameters, SelfPlayParameters, network
from nought.errors import NoughtError
from nought.games import load
from nought.network.resnet import build_network


def test_seeds_have_63_bits() -> None:
    RunParameters(seed=LARGEST_SEED).check()
    with pytest.raises(NoughtError, match="seed must be 9223372036854775807 or less"):
        RunParameters(seed=LARGEST_SEED + 1).check()


def test_the_largest_seed_works() -> None:
    build_network(load("tictactoe"), NetworkParameters(filters=4, blocks=1), LARGEST_SEED)


def test_a_network_must_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "memory_size", lambda: 16 * 10**9)
    NetworkParameters(filters=512, blocks=20).check()
    with pytest.raises(
        NoughtError, match=r"720 P weights at least and needs 17\.3 EB to learn; this machine has 16 GB"
    ):
        NetworkParameters(filters=100_000_000).check()
    with pytest.raises(NoughtError, match=r"1\.44 G weights at least and needs 34\.6 GB"):
        NetworkParameters(filters=4000, blocks=5).check()
    with pytest.raises(NoughtError, match="weights at least"):
        NetworkParameters(value_hidden=10**15).check()


@pytest.mark.parametrize("game", ["tictactoe", "connect4"])
def test_a_network_has_at_least_the_weights_that_are_counted(game: str) -> None:
    parameters = NetworkParameters(filters=24, blocks=3)
    weights = sum(p.numel() for p in build_network(load(game), parameters, 0).parameters())
    assert 0.5 * weights < parameters.least_weights <= weights


def test_threads_have_a_limit_that_grows_with_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    SelfPlayParameters(threads=64).check()
    with pytest.raises(NoughtError, match="threads must be 64 or less with 2 cores, not 100000"):
        SelfPlayParameters(threads=100_000).check()
    monkeypatch.setattr("os.cpu_count", lambda: 128)
    SelfPlayParameters(threads=512).check()
