"""A network as the array of steps that kernels/room.py describes: where everything lies, and the weights in 16 bits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nought.arithmetic import ceil_div
from nought.compile import Kernels
from nought.errors import NoughtError
from nought.network.kernels import room
from nought.network.resnet import SLOPE, Convolution, Head, Network, folded, widened
from nought.search.kernels import SEARCH

FORMAT = 1  # of the file
WIDE, TILE, PRODUCTS, STEP_SIZE = int(room.WIDE), int(room.TILE), int(room.PRODUCTS), int(room.STEP_SIZE)
MOST, TINY = 32767, 1e-30  # the largest number of 16 bits; where all weights are 0
FILES = tuple(
    Path(room.__file__).with_name(f"{name}.py") for name in ("room", "convolution", "squares", "forward")
)
KERNELS = Kernels(  # for this processor; the elementary functions are the search's
    files=(SEARCH.files[0], *FILES),
    called=("prepare_network", "evaluate"),
    inlined=("convolve_tile", "finish", "lifted_row", "store_lifted", "settled", "put", "mixed"),
)
BROWSER = replace(  # search and network together
    SEARCH,
    files=(*SEARCH.files, *FILES, FILES[0].with_name("browser.py")),
    inlined=(*SEARCH.inlined, *KERNELS.inlined),
    browser=(*SEARCH.browser, "browser_prepare", "browser_evaluate"),
)


class Steps(NamedTuple):
    """A network as an array: the first words as they are, then the weights, then zeros.

    Weights are whole numbers of 16 bits, with a scale for each channel: many times as exact as floats of 16 bits. A run of
    them is those of eight channels of a layer, in turn. What is added to a channel stands in the head, exactly.
    """

    head: NDArray[np.int32]
    lengths: NDArray[np.int32]  #   [runs]
    scales: NDArray[np.float32]  #  [runs, 8]
    weights: NDArray[np.int16]
    size: int  #                    in 32-bit words, of the whole array

    def room(self) -> NDArray[np.float32]:
        """The whole array, before it is prepared."""
        room, begin = np.zeros(self.size, np.float32), len(self.head)
        room.view(np.int32)[:begin] = self.head
        scales = np.repeat(self.scales, self.lengths // WIDE, axis=0).reshape(-1)
        room[begin : begin + len(self.weights)] = self.weights.astype(np.float32) * scales
        return room

    def content(self) -> bytes:
        """As a file: the size, how many words the head has and how many runs there are; then all of them."""
        sizes = np.array([FORMAT, self.size, len(self.head), len(self.lengths)], np.int32)
        parts = (sizes, self.head, self.lengths, self.scales, self.weights)
        return b"".join(part.astype(part.dtype.newbyteorder("<")).tobytes() for part in parts)


def steps_of(network: Network) -> Steps:
    """The steps of a network."""
    return _Writer(network).written()


@dataclass
class _Step:
    """A step before places are known: parts of the array by name."""

    kind: int
    source: str
    to: str
    inputs: int
    channels: int
    weights: str = ""
    bias: str = ""
    added: str = ""
    slope: float = 1.0
    taps: str = ""
    from_cells: str = "on board"
    to_cells: str = "on board"
    part: int = 0  #         of 16 products: which one
    instead: str = ""  #     steps that come to the same


@dataclass
class _Writer:
    """Collects steps, tables, weights and boards, each by name, and then gives them their places."""

    network: Network
    steps: list[_Step] = field(default_factory=list)
    tables: dict[str, NDArray[np.int32]] = field(default_factory=dict)
    weights: dict[str, NDArray[np.float32]] = field(default_factory=dict)  # [channels / 8, inputs, 8]
    boards: dict[str, int] = field(default_factory=dict)  # words of each
    shorter: dict[str, list[_Step]] = field(default_factory=dict)  # steps in the place of one, by its name

    def __post_init__(self) -> None:
        old = self.network.architecture
        if old.norm == "layer":
            raise NoughtError("a network with layer norm cannot think in a browser; batch norm and none can")
        if old.value_plane is not None:
            raise NoughtError("a network with network.value_plane cannot think in a browser")
        self.network = widened(folded(self.network), WIDE)
        self.slope = SLOPE if old.activation == "leaky" else 0.0
        _, self.rows, self.columns = self.network.planes
        self.filters, self.border = self.network.architecture.filters, old.kernel // 2
        self.cells = self.rows * self.columns
        self.squares = self._squares(old.kernel)
        self._tables(old.kernel)
        self._tower()
        self._head("policy", self.network.policy)
        self._head("value", self.network.value)

    def _squares(self, kernel: int) -> int:
        """By how many squares of four cells a convolution is done, whole tiles of them; 0 where that does not pay."""
        squares = _tiled(ceil_div(self.rows, 2) * ceil_div(self.columns, 2))
        return squares if kernel == 3 and PRODUCTS * squares < kernel**2 * _tiled(self.cells) else 0

    def _tables(self, kernel: int) -> None:
        """Which cells of a bordered board are the board's, and where its neighbours are from there."""
        odd = (
            (self.rows % 2, self.columns % 2) if self.squares else (0, 0)
        )  # squares reach beyond the border there
        down, across = self.rows + 2 * self.border + odd[0], self.columns + 2 * self.border + odd[1]
        self.bordered, grid = down * across, np.arange(down * across).reshape(down, across)
        inner = grid[self.border : self.border + self.rows, self.border : self.border + self.columns].reshape(
            -1
        )
        full = _tiled(self.cells)  # what is over in the last tile is a cell done twice
        self.tables["on board"] = _filled(inner, full)
        self.tables["in a row"] = _filled(np.arange(self.cells), full)
        self.tables["windows"] = _filled(
            grid[: self.rows, : self.columns].reshape(-1), full
        )  # their first cells
        self.tables["around"] = grid[:kernel, :kernel].reshape(-1).astype(np.int32)
        self.tables["here"] = np.zeros(1, np.int32)
        if self.squares:
            on_board = np.full(down * across, -1)
            on_board[inner] = inner
            corners = grid[: down - 2 : 2, : across - 2 : 2].reshape(-1)
            cells = on_board[corners[:, None] + grid[1:3, 1:3].reshape(-1)]
            self.tables["squares"] = _filled(corners, self.squares)
            self.tables["around squares"] = grid[:4, :4].reshape(-1).astype(np.int32)
            self.tables["of squares"] = _filled(cells.reshape(-1), 4 * self.squares, -1)
            self.tables["squares in a row"] = np.arange(self.squares, dtype=np.int32)
            self.tables["nothing"] = np.zeros(self.filters, np.int32)
            self.boards["lifted"] = self.boards["multiplied"] = PRODUCTS * self.squares * self.filters

    def _board(self, name: str, channels: int) -> str:
        self.boards.setdefault(name, self.bordered * channels)
        return name

    def _tower(self) -> None:
        network, filters = self.network, self.filters
        here = self._convolve(
            "stem", network.stem, self._board("planes", network.planes[0]), self._board("0", filters)
        )
        for i, block in enumerate(network.blocks):
            assert isinstance(block.first, Convolution) and isinstance(block.second, Convolution)
            bias = ""
            if isinstance(block.pool, nn.Linear):
                bias = self._pool(f"{i}.pool", block.pool, block.first, here)
            between = self._convolve(
                f"{i}.first", block.first, here, self._board("between", filters), bias=bias
            )
            to = self._board("1" if here == "0" else "0", filters)
            here = self._convolve(f"{i}.second", block.second, between, to, added=here)
        self.tower = here
        self.boards["seen"] = network.planes[0] * self.cells  # as the rules write it

    def _convolve(
        self, name: str, layer: Convolution, source: str, to: str, *, bias: str = "", added: str = ""
    ) -> str:
        conv, rectifies = layer.conv, not isinstance(layer.activation, nn.Identity)
        weight = conv.weight.flatten(2).permute(2, 1, 0)  # [taps, inputs, channels]
        channels = ceil_div(conv.out_channels, WIDE) * WIDE
        if not bias:
            bias = self._added(name, _bias(conv))
        single = len(weight) == 1
        step = _Step(
            room.CONVOLUTION, source, to, conv.in_channels, channels,
            self._weights(name, _by_eights(weight.reshape(-1, conv.out_channels))), bias, added,
            self.slope if rectifies else 1.0, "here" if single else "around",
            "on board" if single else "windows", "in a row" if to.endswith(".flat") else "on board",
        )  # fmt: skip
        if self.squares and not single and conv.in_channels == self.filters:
            self._by_squares(name, step)
        self.steps.append(step)
        return to

    def _by_squares(self, name: str, step: _Step) -> None:
        """The steps of kernels/squares.py in the place of a convolution."""
        step.instead, lifted = f"{name}.shorter", f"{name}.lifted"
        self.boards[lifted] = PRODUCTS * self.filters**2
        product = _Step(
            room.CONVOLUTION, "lifted", "multiplied", self.filters, self.filters, lifted, "nothing", taps="here",
            from_cells="squares in a row", to_cells="squares in a row",
        )  # fmt: skip
        self.shorter[step.instead] = [
            replace(step, to="lifted", taps="around squares", from_cells="squares", instead=""),
            *(replace(product, part=i) for i in range(PRODUCTS)),
            replace(step, source="multiplied", to_cells="of squares", instead=""),
        ]

    def _pool(self, name: str, layer: nn.Linear, first: Convolution, source: str) -> str:
        """What the whole board holds, as the bias of the convolution it is added to."""
        self.boards["pooled"] = 2 * self.filters
        self.boards["whole"] = self.filters
        self.steps.append(_Step(room.POOLING, source, "pooled", self.filters, self.filters))
        bias = layer.bias + _bias(first.conv)
        self._multiply(name, layer.weight, bias, "pooled", "whole", 1.0)
        return "whole"

    def _multiply(self, name: str, weight: Tensor, bias: Tensor, source: str, to: str, slope: float) -> None:
        self.steps.append(
            _Step(
                room.LINEAR, source, to, weight.shape[1], ceil_div(len(weight), WIDE) * WIDE,
                self._weights(name, _by_eights(weight.T)), self._added(name, bias), slope=slope,
            )
        )  # fmt: skip

    def _head(self, name: str, head: Head) -> None:
        flat, conv = f"{name}.flat", head.convolution.conv
        channels = ceil_div(conv.out_channels, WIDE) * WIDE
        self.boards[flat] = len(self.tables["in a row"]) * channels
        self._convolve(f"{name}.convolution", head.convolution, self.tower, flat)
        source, layer = flat, head.hidden or head.last
        # What flattens the board counts channel by channel in torch, and cell by cell here.
        weight = layer.weight.new_zeros(layer.out_features, self.cells, channels)
        weight[..., : conv.out_channels] = layer.weight.unflatten(1, (conv.out_channels, -1)).transpose(1, 2)
        weight = weight.flatten(1)
        if head.hidden is not None:
            hidden = f"{name}.units"
            self.boards[hidden] = ceil_div(layer.out_features, WIDE) * WIDE
            rectifies = not isinstance(head.activation, nn.Identity)
            self._multiply(
                f"{name}.hidden", weight, layer.bias, source, hidden, self.slope if rectifies else 1.0
            )
            source, weight = hidden, head.last.weight
        self.boards[name] = ceil_div(head.last.out_features, WIDE) * WIDE
        self._multiply(f"{name}.last", weight, head.last.bias, source, name, 1.0)

    def _added(self, name: str, bias: Tensor) -> str:
        wide = torch.cat([bias, bias.new_zeros(-len(bias) % WIDE)])
        self.tables[f"{name}.bias"] = wide.detach().numpy().astype(np.float32).view(np.int32)
        return f"{name}.bias"

    def _weights(self, name: str, weights: Tensor) -> str:
        self.weights[name] = weights.detach().numpy().astype(np.float32)
        return name

    def written(self) -> Steps:
        """All of it, each part in its place."""
        rows = {"steps": self.steps, **self.shorter}
        at, places = room.ROOM_HEAD, {"": 0}
        for sizes in (
            {n: STEP_SIZE * len(steps) for n, steps in rows.items()},
            {n: len(t) for n, t in self.tables.items()},
            {n: w.size for n, w in self.weights.items()},
            self.boards,
        ):
            for name, words in sizes.items():
                assert name not in places, name
                places[name] = at
                at += ceil_div(words, 4) * 4
        head = np.zeros(places[next(iter(self.weights))], np.int32)
        for name, table in self.tables.items():
            head[places[name] : places[name] + len(table)] = table
        for name, steps in rows.items():
            for i, step in enumerate(steps):
                begin = places[name] + STEP_SIZE * i
                head[begin : begin + STEP_SIZE] = self._row(step, places)
        head[: int(room.SEEN) + 1] = [
            places["steps"], len(self.steps), places["planes"], places["on board"], places["policy"], places["value"],
            self.network.architecture.outcomes, places["seen"],
        ]  # fmt: skip
        runs = [run for weights in self.weights.values() for run in weights]  # [inputs, 8] each
        scales = np.array([np.maximum(np.abs(run).max(0), TINY) / MOST for run in runs], np.float32)
        weights = [
            np.rint(run / scale).astype(np.int16).reshape(-1) for run, scale in zip(runs, scales, strict=True)
        ]
        lengths = np.array([run.size for run in runs], np.int32)
        return Steps(head, lengths, scales, np.concatenate(weights), at)

    def _row(self, step: _Step, places: dict[str, int]) -> NDArray[np.int32]:
        row = np.zeros(STEP_SIZE, np.int32)
        taps = len(self.tables[step.taps]) if step.taps else 0
        by_squares = "squares" in step.from_cells + step.to_cells
        boards = step.part * self.squares * self.filters  # before that of this product
        row[:15] = [
            step.kind, places[step.source] + boards, places[step.to] + boards,
            places[step.weights] + step.part * self.filters**2, places[step.bias], step.inputs, step.channels,
            places[step.added], 0, places[step.taps], taps, places[step.from_cells], places[step.to_cells],
            self.squares if by_squares else self.cells, places[step.instead],
        ]  # fmt: skip
        row.view(np.float32)[int(room.SLOPE)] = step.slope
        return row


def _tiled(cells: int) -> int:
    """As many cells as whole tiles have."""
    return ceil_div(cells, TILE) * TILE


def _filled(table: NDArray[np.intp], size: int, value: int | None = None) -> NDArray[np.int32]:
    """A table of this size; what is over is the last number of it, or this value."""
    rest = np.full(size - len(table), table[-1] if value is None else value)
    return np.concatenate([table, rest]).astype(np.int32)


def _bias(conv: nn.Conv2d) -> Tensor:
    assert conv.bias is not None  # a folded network has them
    return conv.bias


def _by_eights(weight: Tensor) -> Tensor:
    """[inputs, outputs] → [outputs / 8, inputs, 8], filled up with zeros: in the order in which they are needed."""
    inputs, outputs = weight.shape
    full = torch.cat([weight, weight.new_zeros(inputs, -outputs % WIDE)], 1)
    return full.reshape(inputs, -1, WIDE).transpose(0, 1)
