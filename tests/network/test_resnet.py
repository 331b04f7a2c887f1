"""The network's layers: those of the papers, one by one, and what each option changes."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch
from torch import nn

from nought.config import NetworkParameters
from nought.errors import NoughtError
from nought.games import load
from nought.network import Network, build_network, folded
from nought.network.resnet import empty_network, widened
from nought.network.sample import random_sample
from nought.presets import preset
from tests.network.support import SMALL, busy_network


def layers(network: Network) -> list[tuple[str, int]]:
    """What is calculated one after the other, with the number of parameters of each."""
    found: list[tuple[str, int]] = []

    def note(module: nn.Module, *_: object) -> None:
        kind = type(module).__name__
        if isinstance(module, nn.Conv2d):
            kind = (
                f"{module.kernel_size[0]}x{module.kernel_size[1]} {module.in_channels}->{module.out_channels}"
            )
        elif isinstance(module, nn.Linear):
            kind = f"{module.in_features}->{module.out_features}"
        if kind != "Identity":
            found.append((kind, sum(p.numel() for p in module.parameters())))

    hooks = [m.register_forward_hook(note) for m in network.modules() if not list(m.children())]
    network(torch.zeros(2, *network.planes))
    for hook in hooks:
        hook.remove()
    return found


def size(network: nn.Module) -> int:
    return sum(p.numel() for p in network.parameters())


def test_wandhoven_layer_by_layer() -> None:
    game = load("connect4")
    network = build_network(game, preset("wandhoven", "connect4").network)
    # A convolution before batch norm has no bias: the norm would take it away again.
    stem = [("3x3 2->75", 2 * 75 * 9), ("BatchNorm2d", 2 * 75), ("LeakyReLU", 0)]
    half = [("3x3 75->75", 75 * 75 * 9), ("BatchNorm2d", 2 * 75), ("LeakyReLU", 0)]
    policy = [("1x1 75->2", 75 * 2 + 2), ("84->7", 84 * 7 + 7)]  # 2 × 42 cells
    value = [
        ("1x1 75->10", 75 * 10 + 10),
        ("420->210", 420 * 210 + 210),  # 10 × 42 cells
        ("LeakyReLU", 0),
        ("210->1", 210 + 1),
    ]
    assert layers(network) == stem + 6 * (half + half) + policy + value
    # stem 1,350 + 150; six blocks of 2 × (50,625 + 150) = 101,550: 609,300; policy 152 + 595;
    # value 760 + 88,410 + 211: together 1,500 + 609,300 + 747 + 89,381
    assert size(network) == 700_928
    rectifiers = [m for m in network.modules() if isinstance(m, nn.LeakyReLU)]
    assert {m.negative_slope for m in rectifiers} == {0.01}


@pytest.mark.parametrize(
    ("side", "filters", "parameters"),
    [
        # with f filters, c cells and a actions: stem 29 f, blocks 6 (18 f² + 4 f), policy 2 f + 4 + 2 c a + a,
        # value f + 2 + c + 1
        (2, 35, 1_015 + 6 * 22_190 + 686 + 63),  #      c = 25, a = 12: 134,904
        (3, 70, 2_030 + 6 * 88_480 + 2_520 + 122),  #   c = 49, a = 24: 535,552
        (4, 114, 3_306 + 6 * 234_384 + 6_752 + 198),  # c = 81, a = 40: 1,416,560
    ],
)
def test_prince_layer_by_layer(side: int, filters: int, parameters: int) -> None:
    name = f"dots-and-boxes:{side}x{side}"
    game = load(name)
    # The thesis: both heads are a convolutional block and one fully connected layer.
    network = build_network(game, replace(preset("prince", name).network, value_hidden=0))
    cells = (2 * side + 1) ** 2
    assert (game.planes_shape, game.actions) == ((3, 2 * side + 1, 2 * side + 1), 2 * side * (side + 1))
    stem = [(f"3x3 3->{filters}", 27 * filters), ("BatchNorm2d", 2 * filters), ("ReLU", 0)]
    half = [(f"3x3 {filters}->{filters}", 9 * filters**2), ("BatchNorm2d", 2 * filters), ("ReLU", 0)]
    policy = [(f"1x1 {filters}->2", 2 * filters), ("BatchNorm2d", 4), ("ReLU", 0)]
    policy += [(f"{2 * cells}->{game.actions}", (2 * cells + 1) * game.actions)]
    value = [(f"1x1 {filters}->1", filters), ("BatchNorm2d", 2), ("ReLU", 0), (f"{cells}->1", cells + 1)]
    assert layers(network) == stem + 6 * (half + half) + policy + value
    assert size(network) == parameters


def test_blog_layer_by_layer() -> None:
    network = build_network(load("connect4"), preset("blog", "connect4").network)
    convolutions = [kind for kind, _ in layers(network) if kind.startswith("3x3")]
    assert convolutions == ["3x3 2->64"] + 10 * ["3x3 64->64"]
    assert layers(network)[-1][0] == "64->1"


def test_a_residual_block_adds_its_input_before_the_last_activation() -> None:
    network = empty_network(
        (1, 1, 1), 1, NetworkParameters(blocks=1, filters=1, kernel=1, norm="none"), margin=False
    )
    block = network.blocks[0]
    with torch.no_grad():
        for convolution, weight, bias in ((block.first, -2.0, 1.0), (block.second, 3.0, -7.0)):
            convolution.conv.weight.fill_(weight)
            convolution.conv.bias.fill_(bias)
        # relu(x + 3 relu(-2 x + 1) - 7): at x = -3 the inner one is 7, so -3 + 21 - 7; at 9 it is 0, so 9 - 7
        found = block(torch.tensor([-3.0, 9.0, 2.0]).reshape(3, 1, 1, 1))
    assert found.flatten().tolist() == [11.0, 2.0, 0.0]


def test_gradients_by_hand() -> None:
    parameters = NetworkParameters(
        blocks=0, filters=1, kernel=1, norm="none", policy_filters=1, value_filters=1, value_hidden=0,
        head_norm=False, activation="leaky",
    )  # fmt: skip
    network = empty_network((1, 1, 1), 2, parameters, margin=False)
    weights = {
        "stem.conv": 2.0, "policy.convolution.conv": 0.5, "value.convolution.conv": 0.1, "value.last": 1.0
    }  # fmt: skip
    with torch.no_grad():
        for tensor in network.parameters():
            tensor.zero_()
        for name, weight in weights.items():
            network.get_parameter(f"{name}.weight").fill_(weight)
        network.policy.last.weight.copy_(torch.tensor([[1.0], [-1.0]]))
    # x = 3: tower 6; logits ±0.5 · 6; value tanh(0.1 · 6)
    output = network(torch.full((1, 1, 1, 1), 3.0))
    assert output.policy.tolist() == [[3.0, -3.0]]
    assert output.value.item() == pytest.approx(math.tanh(0.6))
    (output.policy[0, 0] + 2 * output.value[0]).backward()
    slope = 1 - math.tanh(0.6) ** 2
    gradients = {name: tensor.grad.flatten().tolist() for name, tensor in network.named_parameters()}
    assert gradients["stem.conv.weight"] == pytest.approx([3 * (0.5 + 2 * 0.1 * slope)])
    assert gradients["stem.conv.bias"] == pytest.approx([0.5 + 2 * 0.1 * slope])
    assert gradients["policy.convolution.conv.weight"] == pytest.approx([6.0])
    assert gradients["policy.last.weight"] == pytest.approx([3.0, 0.0])
    assert gradients["value.last.weight"] == pytest.approx([2 * 0.6 * slope])
    # below 0 the rectifier lets a hundredth through
    network.zero_grad()
    output = network(torch.full((1, 1, 1, 1), -3.0))
    assert output.policy.tolist() == [[pytest.approx(-0.03), pytest.approx(0.03)]]
    output.policy[0, 0].backward()
    assert network.stem.conv.weight.grad.item() == pytest.approx(-3 * 0.5 * 0.01)


@pytest.mark.parametrize("kernel", [1, 3, 5])
@pytest.mark.parametrize("norm", ["batch", "layer", "none"])
def test_every_kind_of_network_answers_and_learns(norm: str, kernel: int) -> None:
    game = load("dots-and-boxes:2x2")
    parameters = replace(SMALL, norm=norm, kernel=kernel, pooling=True, outcomes=True, margin=True)
    network = busy_network(game, parameters).train()
    output = network(torch.rand(5, *game.planes_shape))
    assert (output.policy.shape, output.value.shape) == ((5, 12), (5,))
    assert output.outcomes.shape == (5, 3) and output.margin.shape == (5,)
    chances = torch.softmax(output.outcomes, 1)
    torch.testing.assert_close(output.value, chances[:, 0] - chances[:, 2])
    (output.policy.square().mean() + output.value.sum() + output.margin.square().mean()).backward()
    assert all(tensor.grad is not None and tensor.grad.any() for tensor in network.parameters())


def test_layer_norm_is_over_the_whole_board_and_all_channels() -> None:
    network = build_network(load("connect4"), replace(SMALL, norm="layer"))
    assert network.stem.norm.normalized_shape == (16, 6, 7)
    out = network.stem.norm(torch.randn(3, 16, 6, 7) * 5 + 2)
    torch.testing.assert_close(out.mean((1, 2, 3)), torch.zeros(3), atol=1e-5, rtol=0)


def test_pooling_sees_the_far_corner() -> None:
    """Without pooling, one block of 3×3 convolutions sees four cells away; with it, the whole board."""
    game = load("othello")
    for pooling in (False, True):
        network = busy_network(game, replace(SMALL, blocks=1, pooling=pooling))
        planes = torch.zeros(2, *game.planes_shape)
        planes[1, 0, 7, 7] = 1.0
        tower = network.blocks[0](network.stem(planes))
        assert bool((tower[0, :, 0, 0] != tower[1, :, 0, 0]).any()) == pooling
    assert [
        [
            block.pool is not None
            for block in build_network(game, replace(SMALL, blocks=n, pooling=True)).blocks
        ]
        for n in (1, 2, 5)
    ] == [[True], [False, True], [True, False, True, False, True]]


def test_the_margin_only_where_points_are_counted() -> None:
    parameters = replace(SMALL, margin=True)
    assert build_network(load("othello"), parameters).margin
    network = build_network(load("connect4"), parameters)
    assert not network.margin and network(torch.zeros(1, 2, 6, 7)).margin is None


def test_a_new_network_knows_nothing_and_its_blocks_do_nothing() -> None:
    game = load("connect4")
    for norm in ("batch", "layer", "none"):
        network = build_network(game, replace(NetworkParameters(), norm=norm)).eval()
        planes = (
            torch.rand(64, *game.planes_shape, generator=torch.Generator().manual_seed(0)) > 0.6
        ).float()
        stem = network.stem(planes)
        torch.testing.assert_close(network.blocks[3](stem), stem)
        output = network(planes)
        assert output.value.abs().max() < 0.2
        assert torch.softmax(output.policy, 1).sub(1 / 7).abs().max() < 0.1


def test_signals_keep_their_size_through_the_tower() -> None:
    """He et al.: with the norms' scales at 1, a block neither drowns nor inflates what passes."""
    game = load("connect4")
    network = build_network(game, NetworkParameters(blocks=1, norm="none", filters=128))
    x = torch.randn(64, 128, 6, 7, generator=torch.Generator().manual_seed(0)).relu()
    spread = network.blocks[0].first.conv(x).var() / x.square().mean()
    assert 1.2 < spread < 2.2  # 2 inside the board, less at the border, where zeros are seen


def test_the_seed_alone_decides_the_weights() -> None:
    game = load("tictactoe")
    torch.manual_seed(5)
    before = torch.get_rng_state()
    one, same, other = (build_network(game, SMALL, seed).state_dict() for seed in (3, 3, 4))
    assert torch.equal(torch.get_rng_state(), before)
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not torch.equal(one["stem.conv.weight"], other["stem.conv.weight"])
    assert all(torch.isfinite(tensor).all() for tensor in one.values())


@pytest.mark.parametrize(
    "changed", [{}, {"activation": "leaky", "head_norm": False}, {"pooling": True}, {"norm": "layer"}]
)
def test_folding_changes_no_answer(changed: dict[str, object]) -> None:
    game = load("othello")
    network = busy_network(game, replace(SMALL, outcomes=True, margin=True, **changed))
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    planes = (torch.rand(32, *game.planes_shape, generator=torch.Generator().manual_seed(0)) > 0.6).float()
    inference = folded(network.train())
    assert not any(isinstance(module, nn.BatchNorm2d) for module in inference.modules())
    assert not inference.training and not any(p.requires_grad for p in inference.parameters())
    with torch.no_grad():
        expected, found = network.eval()(planes), inference(planes)
    assert expected.policy.std() > 0.1  # there is something to compare
    for a, b in zip(expected, found, strict=True):
        torch.testing.assert_close(a, b, atol=1e-5, rtol=1e-5)
    assert all(torch.equal(before[name], tensor) for name, tensor in network.state_dict().items())


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"activation": "leaky", "head_norm": False},
        {"pooling": True},
        {"norm": "none"},
        {"value_plane": 1},
        {"signed": True},
    ],
)
def test_filling_up_filters_changes_no_answer(changed: dict[str, object]) -> None:
    game = load("dots-and-boxes:2x2")
    narrow = folded(busy_network(game, replace(SMALL, filters=9, outcomes=True, margin=True, **changed)))
    wide = widened(narrow, 16)
    assert wide.blocks[0].first.conv.weight.shape[:2] == (16, 16)
    assert not wide.training and not any(p.requires_grad for p in wide.parameters())
    planes = torch.rand(32, *game.planes_shape, generator=torch.Generator().manual_seed(0))
    expected, found = narrow(planes), wide(planes)
    assert expected.policy.std() > 0.1  # there is something to compare
    for a, b in zip(expected, found, strict=True):
        torch.testing.assert_close(a, b, atol=1e-5, rtol=1e-5)


def test_filters_that_need_no_filling_up() -> None:
    game = load("tictactoe")
    for parameters in (replace(SMALL, filters=32), replace(SMALL, filters=9, norm="layer")):
        network = folded(build_network(game, parameters))
        assert widened(network, 16) is network


def test_what_cannot_be_meant() -> None:
    for wrong in ({"kernel": 4}, {"norm": "group"}, {"activation": "gelu"}, {"filters": 0}, {"blocks": -1}):
        with pytest.raises(NoughtError, match=r"network\."):
            build_network(load("tictactoe"), replace(SMALL, **wrong))


def test_a_plane_for_the_value_head_alone() -> None:
    """The score changes the value and never the policy; the tower has one plane less."""
    game = load("dots-and-boxes:2x2")
    parameters = replace(preset("prince", game.name).network, value_plane=1)
    network = busy_network(game, parameters)
    assert network.stem.conv.in_channels == 2
    assert network.value.last.in_features == 25 + 1
    planes = torch.rand(4, *game.planes_shape)
    planes[:, 1] = 0.0
    ahead = planes.clone()
    ahead[:, 1] = 2.0
    even, better = network(planes), network(ahead)
    assert torch.equal(even.policy, better.policy)
    assert not torch.allclose(even.value, better.value)
    assert torch.allclose(folded(network)(ahead).value, better.value, atol=1e-4)


def test_signed_planes_are_those_of_1_and_minus_1() -> None:
    game = load("connect4")
    signed, plain = (busy_network(game, replace(SMALL, signed=signed)) for signed in (True, False))
    plain.load_state_dict(signed.state_dict())
    planes = torch.from_numpy(random_sample(game, 20).planes)
    with torch.inference_mode():
        assert torch.equal(signed(planes).policy, plain(2 * planes - 1).policy)
        assert not torch.allclose(signed(planes).policy, plain(planes).policy)


def test_a_value_plane_that_the_game_does_not_have() -> None:
    with pytest.raises(NoughtError, match="the game has 2 planes"):
        build_network(load("connect4"), NetworkParameters(value_plane=2))
