"""A network as steps answers as the network does, whatever its shape."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from nought.compile import compiled
from nought.config import NetworkParameters
from nought.errors import NoughtError
from nought.games import Game, examples, load
from nought.network.kernels import room
from nought.network.resnet import Network, build_network
from nought.network.sample import random_sample
from nought.network.steps import BROWSER, KERNELS, STEP_SIZE, Steps, steps_of

GAME = load("tictactoe")
KALAH = str(Path(examples.__file__).with_name("kalah.py"))


def network(game: Game = GAME, **parameters: Any) -> Network:
    """A network in which no weight is 0 and no norm the identity."""
    made = build_network(game, NetworkParameters(**({"blocks": 2, "filters": 16} | parameters)))
    random = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, tensor in made.state_dict().items():
            if tensor.is_floating_point():
                tensor += 0.2 * torch.randn(tensor.shape, generator=random)
            if name.endswith("running_var"):
                tensor.abs_()
    return made.eval()


def difference(made: Network, steps: Steps) -> float:
    planes, room, policy = random_sample(GAME, 40).planes, steps.room(), np.zeros(GAME.actions, np.float32)
    kernels = compiled(GAME, KERNELS)
    kernels.prepare_network(room)
    with torch.inference_mode():
        expected = made(torch.from_numpy(planes))
        policies = torch.softmax(expected.policy, 1).numpy()
    furthest = 0.0
    for i, board in enumerate(planes):
        value = kernels.evaluate(room, board, policy)
        furthest = max(
            furthest, abs(value - float(expected.value[i])), float(np.abs(policy - policies[i]).max())
        )
    return furthest


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"filters": 13, "policy_filters": 3, "value_filters": 5, "value_hidden": 21},
        {"pooling": True, "activation": "leaky"},
        {"outcomes": True, "head_norm": False, "norm": "none"},
        {"kernel": 1, "value_hidden": 0},
        {"kernel": 5, "blocks": 0},
    ],
    ids=str,
)
def test_the_answers_are_the_networks(parameters: dict[str, Any]) -> None:
    made = network(**parameters)
    assert difference(made, steps_of(made)) < 0.002


def test_other_weights_give_other_answers() -> None:
    assert difference(network(), steps_of(network(activation="leaky"))) > 0.002


def test_the_file_holds_all_of_it() -> None:
    steps = steps_of(network())
    content = steps.content()
    kind, size, head, runs = np.frombuffer(content, "<i4", 4)
    assert (kind, size, head, runs) == (1, steps.size, len(steps.head), len(steps.scales))
    assert len(content) == 16 + 4 * head + 36 * runs + 2 * len(steps.weights)
    assert steps.lengths.sum() == len(steps.weights)


@pytest.mark.parametrize("parameters", [{"norm": "layer"}, {"value_plane": 1}], ids=str)
def test_what_cannot_be_done_is_said(parameters: dict[str, Any]) -> None:
    with pytest.raises(NoughtError, match="cannot think in a browser"):
        steps_of(build_network(GAME, NetworkParameters(**parameters)))


@pytest.mark.parametrize(("name", "pays"), [("connect4", True), (KALAH, False)], ids=["connect4", "kalah"])
def test_three_by_three_cells_are_summed_by_squares_where_that_pays(name: str, pays: bool) -> None:
    """The same numbers as by nine products a cell, but for rounding; the first layer has too few channels for it."""
    game = load(name)
    steps = steps_of(network(game))
    fields = steps.head[steps.head[0] :][: steps.head[1] * STEP_SIZE].reshape(-1, STEP_SIZE)
    shorter = fields[:, int(room.INSTEAD)]
    assert np.count_nonzero(shorter) == (4 if pays else 0)
    by_squares, cell_by_cell = (answers(game, each) for each in (steps, without_squares(steps)))
    np.testing.assert_allclose(by_squares, cell_by_cell, atol=2e-6)
    assert (by_squares != cell_by_cell).any() == pays


def without_squares(steps: Steps) -> Steps:
    """The same steps, none of them replaced by others."""
    head = steps.head.copy()
    head[head[0] : head[0] + head[1] * STEP_SIZE].reshape(-1, STEP_SIZE)[:, int(room.INSTEAD)] = 0
    return steps._replace(head=head)


def answers(game: Game, steps: Steps) -> NDArray[np.float32]:
    """Policies and values of some positions."""
    kernels, array, policy = compiled(game, KERNELS), steps.room(), np.zeros(game.actions, np.float32)
    kernels.prepare_network(array)
    found = [[kernels.evaluate(array, planes, policy), *policy] for planes in random_sample(game, 20).planes]
    return np.array(found, np.float32)


def test_no_two_kernels_have_the_same_name() -> None:
    """They are compiled as one text, in which the second would take the place of the first."""
    names = [name for file in BROWSER.files for name in re.findall(r"^def (\w+)", file.read_text(), re.M)]
    assert len(names) == len(set(names))
