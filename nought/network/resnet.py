"""The residual network: a stem, a tower of blocks, a policy head and a value head."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor, nn

from nought.arithmetic import ceil_div
from nought.config import NetworkParameters
from nought.errors import NoughtError
from nought.games import Game

SLOPE = 0.01  # of the leaky rectifier below 0: torch's default, which the paper's code uses
OUTCOMES = 3  # win, draw, loss


class Output(NamedTuple):
    """What the network says of n positions, each as the player to move sees it."""

    policy: Tensor  #           [n, actions] logits of all moves, legal or not
    value: Tensor  #            [n] in [-1, 1]
    outcomes: Tensor | None  #  [n, 3] logits of win, draw and loss, where the network predicts them
    margin: Tensor | None  #    [n] points ahead at the end, where the network predicts them


class Convolution(nn.Module):
    """activation(norm(convolution(x)) + added)."""

    def __init__(
        self, inputs: int, filters: int, kernel: int, norm: str, activation: str, board: tuple[int, int]
    ) -> None:
        super().__init__()
        # Batch norm subtracts each channel's mean, and with it any bias.
        self.conv = nn.Conv2d(inputs, filters, kernel, padding=kernel // 2, bias=norm != "batch")
        self.norm = {
            "batch": lambda: nn.BatchNorm2d(filters),
            "layer": lambda: nn.LayerNorm([filters, *board]),
            "none": nn.Identity,
        }[norm]()
        self.activation = _activation(activation)

    def forward(self, x: Tensor, added: Tensor | None = None) -> Tensor:
        x = self.norm(self.conv(x))
        return self.activation(x if added is None else x + added)


class Block(nn.Module):
    """Two convolutions around which the input is added; with pooling, what the whole board holds is added
    before the first activation."""

    def __init__(self, parameters: NetworkParameters, board: tuple[int, int], *, pooling: bool) -> None:
        super().__init__()
        filters, kernel, norm, activation = (
            parameters.filters, parameters.kernel, parameters.norm, parameters.activation,
        )  # fmt: skip
        self.first = Convolution(filters, filters, kernel, norm, activation, board)
        self.second = Convolution(filters, filters, kernel, norm, activation, board)
        self.pool = nn.Linear(2 * filters, filters) if pooling else None

    def forward(self, x: Tensor) -> Tensor:
        added = None
        if self.pool is not None:
            whole = torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
            added = self.pool(whole)[:, :, None, None]
        return self.second(self.first(x, added), x)


class Head(nn.Module):
    """A 1×1 convolution, a hidden layer where there is one, and the last layer; with `told` also a number that the
    tower has not seen."""

    def __init__(
        self,
        parameters: NetworkParameters,
        board: tuple[int, int],
        filters: int,
        hidden: int,
        outputs: int,
        *,
        told: bool = False,
    ) -> None:
        super().__init__()
        norm = parameters.norm if parameters.head_norm else "none"
        rectifies = parameters.head_norm or parameters.head_activation
        activation = parameters.activation if rectifies else "none"
        self.convolution = Convolution(parameters.filters, filters, 1, norm, activation, board)
        size = filters * board[0] * board[1] + told
        self.hidden = nn.Linear(size, hidden) if hidden else None
        self.activation = _activation(parameters.activation)
        self.last = nn.Linear(hidden or size, outputs)

    def forward(self, x: Tensor, told: Tensor | None = None) -> Tensor:
        return self.conclude(self.convolution(x).flatten(1), told)

    def conclude(self, x: Tensor, told: Tensor | None = None) -> Tensor:
        """What comes after the convolution."""
        if told is not None:
            x = torch.cat([x, told[:, None].to(x.dtype)], 1)
        if self.hidden is not None:
            x = self.activation(self.hidden(x))
        # The last layer stays float32 when the others are lowered: rounded to 8 bits, values near 1 and
        # logits of moves nearly as good as each other could not be told apart.
        return self.last(x.to(self.last.weight.dtype)).float()


class Network(nn.Module):
    """Planes [n, planes, rows, columns] → Output."""

    def __init__(
        self, planes: tuple[int, int, int], actions: int, parameters: NetworkParameters, *, margin: bool
    ) -> None:
        super().__init__()
        parameters.check()
        self.planes, self.actions, self.architecture = planes, actions, parameters
        self.margin = margin  # whether it is predicted
        board, told = planes[1:], parameters.value_plane
        if told is not None and not (planes[0] > 1 and told < planes[0]):
            raise NoughtError(f"network.value_plane is {told}, but the game has {planes[0]} planes")
        self.stem = Convolution(
            planes[0] - (told is not None), parameters.filters, parameters.kernel, parameters.norm,
            parameters.activation, board,
        )  # fmt: skip
        self.blocks = nn.ModuleList(  # every other block pools, the last one among them
            Block(parameters, board, pooling=parameters.pooling and (parameters.blocks - i) % 2 == 1)
            for i in range(parameters.blocks)
        )
        self.policy = Head(parameters, board, parameters.policy_filters, 0, actions)
        self.results = OUTCOMES if parameters.outcomes else 1
        self.value = Head(
            parameters, board, parameters.value_filters, parameters.value_hidden, self.results + margin,
            told=told is not None,
        )  # fmt: skip

    def forward(self, planes: Tensor) -> Output:
        told = None
        if self.architecture.signed:
            planes = 2 * planes - 1
        if (n := self.architecture.value_plane) is not None:
            planes, told = torch.cat([planes[:, :n], planes[:, n + 1 :]], 1), planes[:, n, 0, 0]
        x = self.stem(planes)
        for block in self.blocks:
            x = block(x)
        return self.read(self.policy(x), self.value(x, told))

    def read(self, policy: Tensor, answer: Tensor) -> Output:
        """What the heads' numbers mean."""
        margin = answer[:, self.results] if self.margin else None
        if not self.architecture.outcomes:
            return Output(policy, torch.tanh(answer[:, 0]), None, margin)
        outcomes = answer[:, :OUTCOMES]
        chances = torch.softmax(outcomes, 1)
        return Output(policy, chances[:, 0] - chances[:, 2], outcomes, margin)

    def lowered(self, precision: torch.dtype) -> Network:
        """The same network, all but its last layers changed to this precision."""
        self.to(precision)
        for head in (self.policy, self.value):
            head.last.float()
        return self


def build_network(game: Game, parameters: NetworkParameters, seed: int = 0) -> Network:
    """A new network for a game; the same seed gives the same weights."""
    network = outline(game, parameters).to_empty(device="cpu")
    _initialise(network, torch.Generator().manual_seed(seed))
    return network


def empty_network(
    planes: tuple[int, int, int], actions: int, parameters: NetworkParameters, *, margin: bool
) -> Network:
    """A network whose weights hold nothing yet. Leaves torch's own random numbers alone."""
    return shape_of(planes, actions, parameters, margin=margin).to_empty(device="cpu")


def shape_of(
    planes: tuple[int, int, int], actions: int, parameters: NetworkParameters, *, margin: bool
) -> Network:
    """A network without weights, which has nothing but shapes and takes no memory."""
    with torch.device("meta"):
        return Network(planes, actions, parameters, margin=margin)


def outline(game: Game, parameters: NetworkParameters) -> Network:
    """The shapes of a game's network."""
    margin = parameters.margin and game.counts_points
    return shape_of(game.planes_shape, game.actions, parameters, margin=margin)


def _initialise(network: Network, random: torch.Generator) -> None:
    """He et al.: each layer keeps the variance of its input. A block starts as the identity, and the heads know
    next to nothing: every move about alike, every position about even."""
    slope = SLOPE if network.architecture.activation == "leaky" else 0.0
    for module in network.modules():
        if isinstance(module, nn.Conv2d | nn.Linear):
            nn.init.kaiming_normal_(module.weight, a=slope, nonlinearity="leaky_relu", generator=random)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.BatchNorm2d | nn.LayerNorm):
            module.reset_parameters()
    for block in network.modules():
        if isinstance(block, Block):
            last = block.second.conv if isinstance(block.second.norm, nn.Identity) else block.second.norm
            nn.init.zeros_(last.get_parameter("weight"))
            if block.pool is not None:
                nn.init.zeros_(block.pool.weight)
    for head in (network.policy, network.value):
        nn.init.normal_(head.last.weight, std=0.01, generator=random)


def folded(network: Network, device: torch.device | str = "cpu") -> Network:
    """A copy for inference in float32: each batch norm has become part of its convolution. With weight w, scale γ,
    shift β, mean μ and variance σ² it is w γ/σ, with β − μ γ/σ as the bias."""
    copied = copy.deepcopy(network).to(device, torch.float32).eval().requires_grad_(False)
    for module in copied.modules():
        if isinstance(module, Convolution) and isinstance(module.norm, nn.BatchNorm2d):
            norm, old = module.norm, module.conv
            assert norm.running_mean is not None and norm.running_var is not None
            scale = norm.weight.double() / torch.sqrt(norm.running_var.double() + norm.eps)
            module.conv = nn.Conv2d(
                old.in_channels, old.out_channels, old.kernel_size, padding=old.padding, device=device  # type: ignore[arg-type]
            ).requires_grad_(False)  # fmt: skip
            module.conv.weight.copy_(old.weight.double() * scale[:, None, None, None])
            module.conv.bias.copy_(norm.bias.double() - norm.running_mean.double() * scale)  # type: ignore[union-attr]
            module.norm = nn.Identity()
    return copied


def widened(network: Network, multiple: int) -> Network:
    """A folded network with the tower's filters filled up to a multiple; the added ones are 0 everywhere, so that the
    answers stay the same. Itself where there is nothing to add, or where layer norm would see the added ones."""
    old = network.architecture
    filters = ceil_div(old.filters, multiple) * multiple
    if filters == old.filters or old.norm == "layer":
        return network
    plain = replace(old, filters=filters, norm="none")  # a folded network has biases and no norms
    wide = empty_network(network.planes, network.actions, plain, margin=network.margin)
    wide.to(network.stem.conv.weight.device).eval().requires_grad_(False)
    ours = network.state_dict()
    for name, tensor in wide.state_dict().items():
        own = ours[name]
        if name.endswith("pool.weight"):  # means, then maxima
            tensor, own = tensor.unflatten(1, (2, filters)), own.unflatten(1, (2, old.filters))
        tensor.zero_()[tuple(slice(n) for n in own.shape)] = own
    return wide


def _activation(kind: str) -> nn.Module:
    # In place: the convolutions and norms before it do not need their result to learn.
    if kind == "none":
        return nn.Identity()
    return nn.LeakyReLU(SLOPE, inplace=True) if kind == "leaky" else nn.ReLU(inplace=True)
