"""What lessons compute, asked in node and compared with Python: rules, gradients, learning, and a network's layers."""

import base64
import json
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from nought.agents.networks import load_network, trained
from nought.games import load
from nought.network.resnet import Convolution, Network
from nought.network.steps import steps_of
from nought.oracle import find_oracle
from tests.support.skips import NODE, slow

AGENT = "agents/connect4-level-7"  # the one that lesson 6 looks into


def ask(**question: Any) -> Any:
    """What the lessons' modules answer."""
    if shutil.which("node") is None:
        pytest.skip(NODE)
    script, line = Path(__file__).with_name("learn.mjs"), json.dumps(question)
    run = subprocess.run(
        ["node", str(script)], input=line, capture_output=True, text=True, timeout=250, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def seen(position: Any) -> tuple[int, ...]:
    """A board as the player to move sees it."""
    mine, theirs = position.planes().reshape(2, 9).astype(int)
    return tuple(mine - theirs)


def outcomes_of_all_positions() -> dict[tuple[int, ...], dict[int, int]]:
    """Every unfinished position of tic-tac-toe, and what each of its moves is worth."""
    game = load("tictactoe")
    oracle, found, left = find_oracle(game), {}, [game.start()]
    while left:
        position = left.pop()
        if position.finished or seen(position) in found:
            continue
        found[seen(position)] = dict(oracle.judge(position).outcomes)
        left += [position.play(action) for action in position.legal]
    return found


def test_perfect_play_is_the_oracles():
    found = {tuple(board): value for board, value in ask(ask="positions")}
    truth = outcomes_of_all_positions()
    assert len(found) == 4520
    assert found == {board: max(outcomes.values()) for board, outcomes in truth.items()}
    assert ask(ask="values", moves=[0]) == {str(cell): 0 if cell == 4 else -1 for cell in range(1, 9)}


def test_the_exam_knows_perfect_play_from_its_opposite():
    found = ask(ask="perfect")
    assert found["best"] == 0 and found["right"] == 1
    assert found["worst"] > 0 and found["wrong"] < 1


def test_gradients_are_torchs():
    board, wanted, result = [1, 0, 0, 0, -1, 0, 0, 0, -1], [0, 0.5, 0.25, 0, 0, 0, 0.25, 0, 0], -0.5
    found = ask(ask="network", seed=3, board=board, policy=wanted, result=result)
    tensors = [torch.tensor(numbers, dtype=torch.float64) for numbers in found["weights"]]
    leaves = [
        (tensor.reshape(len(tensors[i + 1]), -1) if i % 2 == 0 else tensor).requires_grad_()
        for i, tensor in enumerate(tensors)
    ]
    stones = torch.tensor(board)
    x = torch.cat([(stones == 1).double(), (stones == -1).double()])
    for i in (0, 2, 4):
        x = leaves[i] @ x + leaves[i + 1]
        x = torch.relu(x) if i < 4 else x
    logs = torch.log_softmax(x[:9].masked_fill(stones != 0, -torch.inf), 0)
    legal = stones == 0
    policy_loss = -(torch.tensor(wanted, dtype=torch.float64)[legal] * logs[legal]).sum()
    value = torch.tanh(x[9])
    (policy_loss + (value - result) ** 2).backward()
    np.testing.assert_allclose(found["policy"], logs.exp().detach(), atol=1e-12)
    assert found["value"] == pytest.approx(value.item())
    assert found["losses"]["policyLoss"] == pytest.approx(policy_loss.item())
    for mine, leaf in zip(found["gradients"], leaves, strict=True):
        assert leaf.grad is not None
        np.testing.assert_allclose(mine, leaf.grad.reshape(-1), atol=1e-10)


def test_a_few_rounds_teach_something_and_the_same_seed_the_same():
    knobs = {"rounds": 3, "games": 12, "simulations": 20}
    found = ask(ask="learn", seed=1, **knobs)["versions"]
    assert [one["version"] for one in found] == [0, 1, 2, 3]
    assert found[-1]["right"] > found[0]["right"] + 0.05
    assert found[-1]["lostAlone"] < found[0]["lostAlone"]
    for one in found[1:]:
        assert one["losses"]["policyLoss"] > one["losses"]["floor"] > 0
    assert ask(ask="learn", seed=1, **knobs)["versions"] == found
    assert ask(ask="learn", seed=2, **knobs)["versions"] != found


@slow
@pytest.mark.parametrize("seed", [1, 2])
def test_with_the_knobs_as_they_are_it_never_loses_in_the_end(seed):
    found = ask(ask="learn", seed=seed)
    assert found["versions"][-1]["lost"] == 0
    truth = outcomes_of_all_positions()
    moves = {tuple(board): move for board, move in found["chosen"]}
    assert moves.keys() == truth.keys()

    def loses(board: tuple[int, ...], ours: bool) -> bool:
        """Whether it can lose from here, by the oracle's book of moves and not by the page's rules."""
        legal = [moves[board]] if ours else list(truth[board])
        for cell in legal:
            after = tuple(-1 if i == cell else -stone for i, stone in enumerate(board))
            if after in truth:
                if loses(after, not ours):
                    return True
            elif not ours and truth[board][cell] == 1:
                return True
        return False

    assert not loses((0,) * 9, True) and not loses((0,) * 9, False)


def layers_of(network: Network, planes: Tensor) -> tuple[list[Tensor], Tensor, Tensor]:
    """What every layer puts out, in the order of steps.py; then the policy's logits and the value."""
    kept: list[Tensor] = []
    network.eval()
    heads = [network.policy, network.value]
    hooks = [
        module.register_forward_hook(lambda _, __, output: kept.append(output.detach().clone()))
        for module in network.modules()
        if isinstance(module, Convolution) or module in [head.last for head in heads]
    ]
    hooks.append(network.value.hidden.register_forward_hook(lambda _, __, out: kept.append(torch.relu(out))))  # type: ignore[union-attr]
    with torch.inference_mode():
        output = network(planes)
    for hook in hooks:
        hook.remove()
    return kept, output.policy[0], output.value[0]


def looked(network: Network, planes: Tensor, off: dict[str, int] | None = None) -> Any:
    content = steps_of(network).content()
    return ask(
        ask="look", file=base64.b64encode(content).decode(), checksum=zlib.crc32(content), actions=7,
        planes=planes[0].flatten(1).tolist(), off=off,
    )  # fmt: skip


def test_layers_of_a_shipped_network_are_torchs():
    game = load("connect4")
    network = load_network(trained(AGENT).path, game).network
    planes = torch.from_numpy(game.position("4433").planes())[None].float()
    found, (kept, logits, value) = looked(network, planes), layers_of(network, planes)
    assert len(found["outputs"]) == len(kept) == 14  # stem, 4 × 2, and two heads of 2 and 3
    for mine, theirs in zip(found["outputs"], kept, strict=True):
        flat = theirs[0].flatten(1) if theirs.dim() == 4 else theirs[0]
        np.testing.assert_allclose(np.array(mine)[: len(flat)], flat, atol=2e-3)
    np.testing.assert_allclose(found["logits"], logits, atol=2e-3)
    np.testing.assert_allclose(found["policy"], torch.softmax(logits, 0), atol=1e-3)
    assert found["value"] == pytest.approx(float(value), abs=1e-3)
    for one, outputs in zip(found["sums"], found["outputs"], strict=True):
        if one is not None:  # a convolution, taken apart
            assert max(0, one["total"]) == pytest.approx(one["output"], abs=1e-4)
            assert one["output"] == outputs[3][17]


def test_a_filter_that_is_switched_off_says_nothing():
    game = load("connect4")
    network = load_network(trained(AGENT).path, game).network
    planes = torch.from_numpy(game.position("4433").planes())[None].float()
    found = looked(network, planes, {"step": 0, "channel": 5})
    with torch.inference_mode():
        network.eval()
        hook = network.stem.register_forward_hook(
            lambda _, __, out: out * (torch.arange(32) != 5)[:, None, None]
        )
        expected = network(planes)
        hook.remove()
        whole = network(planes)
    assert not torch.allclose(expected.policy, whole.policy, atol=1e-2)
    np.testing.assert_allclose(found["logits"], expected.policy[0], atol=2e-3)
    assert isinstance(network.stem.norm, nn.BatchNorm2d)  # folded into the weights that the page has


def test_a_step_on_a_trained_network_is_torchs():
    """Lesson 4: the loss of one position, its slopes, and what is left of it after a step of both last layers."""
    game = load("connect4")
    network = load_network(trained(AGENT).path, game).network.eval()
    planes = torch.from_numpy(game.position("4371564453763664").planes())[None].float()
    content = steps_of(network).content()
    found = ask(
        ask="step", file=base64.b64encode(content).decode(), checksum=zlib.crc32(content), actions=7,
        planes=planes[0].flatten(1).tolist(), wanted=[0, 0, 0, 0, 0, 0, 1], result=1, rate=0.005,
    )  # fmt: skip

    def loss() -> Tensor:
        output = network(planes)
        return (1 - output.value[0]) ** 2 - torch.log_softmax(output.policy[0], 0)[6]

    last = [*network.policy.last.parameters(), *network.value.last.parameters()]
    before = loss()
    before.backward()
    assert found["before"]["loss"] == pytest.approx(before.item(), abs=5e-3)
    slopes = network.policy.last.bias.grad
    assert slopes is not None
    np.testing.assert_allclose(found["before"]["slopes"]["policy"], slopes, atol=2e-3)
    torch.optim.SGD(last, lr=0.005).step()
    after = loss().item()
    assert found["after"]["loss"] == pytest.approx(after, abs=1e-2) and after < before.item() - 1
