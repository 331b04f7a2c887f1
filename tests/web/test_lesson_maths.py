"""The mathematics of the lessons, asked in node, says what torch, NumPy and nought say; and the worked examples come out."""

import json
import runpy
import shutil
import subprocess
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

import nought
from nought.oracle import find_oracle
from nought.rating.elo import PAPERS, STANDARD, papers_gain
from nought.statistics import wilson
from tests.support.skips import NODE

ROOT = Path(__file__).parents[2]
NETWORK = runpy.run_path(str(ROOT / "docs" / "learn" / "network.py"))["Network"]
CARRIED = "4371564453763664"


def node(*command: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("node") is None:
        pytest.skip(NODE)
    return subprocess.run(
        ["node", *command], capture_output=True, text=True, timeout=120, check=False, cwd=ROOT
    )


@pytest.fixture(scope="module")
def said() -> dict[str, Any]:
    run = node(str(Path(__file__).with_name("lesson_maths.mjs")))
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.asarray(found, float), np.asarray(wanted, float), rtol=1e-9, atol=1e-12)


def test_worked_examples_of_the_papers(said):
    assert said["neuron"] == 1.5  # 002, figure 4.1.1
    assert said["network"] == 4.5  # figure 4.2.2
    assert said["cross"] == [6]  # figure 4.3.2
    assert said["sobel"] == {
        "values": [4, 4, 3, 2],
        "rows": 2,
        "columns": 2,
    }  # 000, equation 24, not transposed
    assert "".join(map(str, said["planes"])) == "010010001001100100"  # equation 3


def test_layers(said):
    image = torch.tensor([3.0, 0, 1, 5, 2, 6, 2, 4, 2, 4, 1, 0, 3, 0, 1, 5]).reshape(1, 1, 4, 4)
    sobel = torch.tensor([-1.0, 0, 1, -2, 0, 2, -1, 0, 1]).reshape(1, 1, 3, 3)
    padded = functional.conv2d(image, sobel, torch.tensor([0.5]), padding=1)
    close(said["padded"]["values"], padded.flatten())
    batch = torch.tensor([[3.0], [5], [4], [9], [1], [2]], dtype=torch.float64)
    close(said["batchNorm"], functional.batch_norm(batch, None, None, training=True).flatten())


@pytest.mark.parametrize(
    ("name", "f"),
    [
        ("tanh", torch.tanh),
        ("sigmoid", torch.sigmoid),
        ("leaky", lambda x: torch.where(x >= 0, x, 0.3 * x)),
        ("relu", lambda x: torch.where(x >= 0, x, 0 * x)),
    ],
)
def test_activations_and_their_slopes(said, name, f):
    x = torch.tensor(said["xs"], dtype=torch.float64, requires_grad=True)
    y = f(x)
    y.sum().backward()
    close(said["activations"][name], torch.stack([y.detach(), x.grad], dim=1))


def test_softmax_and_its_slopes(said):
    x = torch.tensor(said["xs"], dtype=torch.float64)
    close(said["softmax"], torch.softmax(x, 0))
    close(said["softmaxSlopes"], torch.autograd.functional.jacobian(lambda v: torch.softmax(v, 0), x))


def with_weights(sizes, activations, weights):
    """The network of docs/learn with the page's weights."""
    network = NETWORK(sizes, activations, np.random.default_rng(0))
    for layer, (w, b) in zip(network.layers, weights, strict=True):
        layer.w, layer.b = np.reshape(w, layer.w.shape), np.array(b)
    return network


def test_the_page_learns_as_the_sixty_lines_do(said):
    """And those as torch does: below."""
    page = said["training"]
    network = with_weights([2, 5, 3, 1], ["leaky", "tanh", "sigmoid"], page["first"])
    x, truth = np.reshape(page["x"], (7, 2)), np.reshape(page["truth"], (7, 1))
    losses = []
    for step in range(5):
        losses.append(network.learn(x, truth, rate=0.1, momentum=0.9))
        if step == 0:
            for layer, (dw, db) in zip(network.layers, page["slopes"], strict=True):
                close(dw, layer.slopes[0].flatten())
                close(db, layer.slopes[1])
    close(page["losses"], losses)
    for layer, (w, b) in zip(network.layers, page["last"], strict=True):
        close(w, layer.w.flatten())
        close(b, layer.b)


def test_sixty_lines_learn_as_torch_does():
    random = np.random.default_rng(3)
    network = NETWORK([3, 6, 4, 2], ["leaky", "tanh", "sigmoid"], random)
    x, truth = random.normal(size=(9, 3)), random.random((9, 2))
    parts: list[torch.nn.Module] = []
    activations = (torch.nn.LeakyReLU(0.01), torch.nn.Tanh(), torch.nn.Sigmoid())
    for layer, activation in zip(network.layers, activations, strict=True):
        linear = torch.nn.Linear(layer.w.shape[1], layer.w.shape[0], dtype=torch.float64)
        linear.load_state_dict({"weight": torch.tensor(layer.w), "bias": torch.tensor(layer.b)})
        parts += [linear, activation]
    peer = torch.nn.Sequential(*parts)
    optimizer = torch.optim.SGD(peer.parameters(), lr=0.1, momentum=0.9)
    for _ in range(6):
        loss = functional.mse_loss(peer(torch.tensor(x)), torch.tensor(truth))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        assert network.learn(x, truth, rate=0.1, momentum=0.9) == pytest.approx(loss.item(), rel=1e-12)
    for layer, linear in zip(network.layers, parts[::2], strict=True):
        close(layer.w, linear.weight.detach())  # type: ignore[union-attr]
    assert len((ROOT / "docs" / "learn" / "network.py").read_text().splitlines()) < 80


def test_the_loss_of_players(said):
    page = said["playing"]
    outputs = torch.tensor(page["outputs"], dtype=torch.float64).reshape(2, 4).requires_grad_()
    targets = torch.tensor(page["targets"], dtype=torch.float64).reshape(2, 4)
    legal = torch.tensor([[1, 1, 1], [1, 1, 0]], dtype=torch.bool)
    logs = torch.log_softmax(outputs[:, :3].masked_fill(~legal, -torch.inf), 1).masked_fill(~legal, 0)
    loss = ((targets[:, 3] - torch.tanh(outputs[:, 3])) ** 2).mean() - (targets[:, :3] * logs).sum(1).mean()
    loss.backward()
    assert page["loss"] == pytest.approx(loss.item(), rel=1e-12)
    close(page["slopes"], outputs.grad.flatten())  # type: ignore[union-attr]


def test_demonstrations(said):
    circle = said["circle"]
    assert circle["size"] == 2 * 256 + 256 + 256 * 16 + 16 + 16 + 1
    network = with_weights([2, 256, 16, 1], ["leaky", "leaky", "sigmoid"], circle["first"])
    points = np.reshape(circle["points"], (1024, 2))
    truth = (np.hypot(*(points - 0.5).T) > 0.4).astype(float)[:, None]
    assert circle["loss"] == pytest.approx(network.learn(points, truth, rate=0.1, momentum=0.9), rel=1e-9)
    found = said["quantiser"]
    assert (found["points"], found["centroids"]) == (200, 6)
    assert found["after"] < 0.75 * found["before"]


def test_counts_are_those_of_nought_count(said):
    """As `nought count tictactoe` and `nought count connect4` print them."""
    found = {name: [one["positions"] for one in said[name]] for name in ("tictactoe", "connect4")}
    assert (
        found["tictactoe"] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
        and sum(found["tictactoe"]) == 5478
    )
    assert found["connect4"] == [1, 7, 49, 238, 1120, 4263]
    assert [one["finished"] for one in said["tictactoe"]] == [0, 0, 0, 0, 0, 120, 148, 444, 168, 78]


def test_values_of_tictactoe(said):
    centre, corner, edge = said["firstMoves"]
    assert said["rounds"][0]["start"] == pytest.approx((centre + 4 * corner + 4 * edge) / 9)
    assert said["rounds"][-1] == {"start": 0, "unlike": 0, "known": 4520}  # positions that are not over

    def worth(position, join):  # for the player to move
        if position.finished:
            return position.result if position.player == 0 else -position.result
        return join([-worth(position.play(move), join) for move in position.legal])

    small = nought.load("tictactoe").position("b1a1b2c1c3a2")  # the small game of lesson 2
    assert worth(small, lambda values: sum(values) / len(values)) == pytest.approx(1 / 3)
    assert [-worth(small.play(move), max) for move in small.legal] == [-1, 0, 1]


def test_the_position_that_goes_through_the_lessons(said):
    truth = find_oracle(nought.load("connect4")).judge(nought.load("connect4").position(CARRIED))
    assert [move for move, outcome in truth.outcomes.items() if outcome == 1] == [6]  # column 7
    assert all(outcome == -1 for move, outcome in truth.outcomes.items() if move != 6)
    for move, proved in enumerate(said["ahead"]):
        assert proved in (0, truth.outcomes[move])
    assert said["ahead"][6] == 1


def test_examples_to_learn_from(said):
    assert said["examples"]["count"] == 4520  # positions that are not over
    assert 0 < said["examples"]["floor"] < np.log(9)


def test_ratings(said):
    close(
        said["expected"],
        [[scale.expected(d) for scale in (PAPERS, STANDARD)] for d in (-800, -1, 0, 105, 400)],
    )
    close(
        said["difference"],
        [[scale.difference(s) for scale in (PAPERS, STANDARD)] for s in (0.05, 0.5, 0.75, 0.99)],
    )
    assert said["gain"] == pytest.approx(papers_gain(1.3)) and round(said["gain"]) == 105
    assert said["updated"] == pytest.approx(1000 + 32 * (1 - PAPERS.expected(-400)))
    for page, (right, asked) in zip(said["wilson"], [(0, 10), (12, 20), (1004, 1020)], strict=True):
        close([page["share"], page["low"], page["high"]], wilson(right, asked))
    assert said["atMost"] == pytest.approx(sum(comb(20, k) * 0.6**k * 0.4 ** (20 - k) for k in range(11)))
    assert said["match"][0] == 2 < said["match"][1]


def test_texts_of_docs_learn_are_those_of_the_page():
    run = node("scripts/learn_text.mjs", "--check")
    assert run.returncode == 0, run.stderr
