"""A network for Kaggle's ConnectX: one Python file with a search, the network in NumPy, and its weights."""

from __future__ import annotations

import base64
import io
import re
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nought.errors import NoughtError
from nought.export.onnx import COMPARED_POSITIONS, Export
from nought.files import write_whole
from nought.games import Game
from nought.network.resnet import SLOPE, Convolution, Head, Network, folded
from nought.network.sample import random_sample

TEMPLATE = Path(__file__).with_name("kaggle_agent.py")
TOLERANCE = 1e-2  # the weights are kept in 16 bits


def connectx_size(game: Game) -> tuple[int, int, int] | None:
    """Rows, columns and stones in a row, if the game is Connect 4 in whatever size."""
    if game.base != "connect4":
        return None
    rows, columns, length = game.size
    return rows, columns, length


def export_kaggle(network: Network, game: Game, path: Path, *, seed: int = 0) -> Export:
    """Write the network as an agent for ConnectX, if its answers are the network's."""
    size = connectx_size(game)
    if size is None:
        raise NoughtError(f"ConnectX is played on connect4's boards; {game.name} cannot be exported for it")
    if network.architecture.norm == "layer":
        raise NoughtError("a network with layer norm cannot be exported for Kaggle; batch norm and none can")
    for name in ("value_plane", "signed"):
        if getattr(network.architecture, name) not in (None, False):
            raise NoughtError(f"a network with network.{name} cannot be exported for Kaggle")
    with np.errstate(all="ignore"):  # numbers too large for 16 bits show in the comparison
        source = _source(network, size)
        found = _compare(network, game, source, seed)
    try:
        write_whole(path, source.encode())
    except OSError as error:
        raise NoughtError(f"{path} cannot be written: {error.strerror or error}") from None
    return Export(path, *found)


def _source(network: Network, size: tuple[int, int, int]) -> str:
    """The template with this network's facts and weights in place of its own."""
    source, parameters = TEMPLATE.read_text(encoding="utf-8"), network.architecture
    arrays = io.BytesIO()
    np.savez_compressed(arrays, **_arrays(folded(network)))  # type: ignore[arg-type]
    text = "\n".join(textwrap.wrap(base64.b85encode(arrays.getvalue()).decode(), 110))
    for name, value in (
        ("SIZE", size),
        ("SLOPE", SLOPE if parameters.activation == "leaky" else 0.0),
        ("RECTIFIED_HEADS", parameters.head_norm or parameters.head_activation),
        ("OUTCOMES", parameters.outcomes),
    ):
        source, found = re.subn(rf"(?m)^{name} = [^#\n]+?(?=  #)", f"{name} = {value!r}", source)
        assert found == 1, name
    empty = 'WEIGHTS = unpacked("")'
    assert source.count(empty) == 1
    return source.replace(empty, f'WEIGHTS = unpacked("""\n{text}\n""")')


def _arrays(network: Network) -> dict[str, NDArray[np.float16]]:
    """The weights by their names in the template, laid out as it multiplies: channels last, inputs first."""
    layers: dict[str, nn.Module] = {"stem": network.stem}
    for i, block in enumerate(network.blocks):
        layers |= {f"{i}.first": block.first, f"{i}.second": block.second}  # type: ignore[dict-item]
        if block.pool is not None:
            layers[f"{i}.pool"] = block.pool  # type: ignore[assignment]
    arrays: dict[str, Tensor] = {}
    for name, layer in layers.items():
        arrays |= _layer(name, layer)
    for name, head in (("policy", network.policy), ("value", network.value)):
        arrays |= _head(name, head)
    return {name: array.numpy().astype(np.float16) for name, array in arrays.items()}


def _head(name: str, head: Head) -> dict[str, Tensor]:
    arrays = _layer(f"{name}.convolution", head.convolution) | _layer(f"{name}.last", head.last)
    if head.hidden is not None:
        arrays |= _layer(f"{name}.hidden", head.hidden)
    # What flattens the board counts channel by channel here, and cell by cell in the template.
    first = f"{name}.last.weight" if head.hidden is None else f"{name}.hidden.weight"
    weight, channels = arrays[first], head.convolution.conv.out_channels
    arrays[first] = weight.reshape(channels, -1, weight.shape[1]).transpose(0, 1).reshape(weight.shape)
    return arrays


def _layer(name: str, layer: nn.Module) -> dict[str, Tensor]:
    """A convolution's weight as [taps, inputs, outputs], a linear layer's as [inputs, outputs]."""
    if isinstance(layer, Convolution):
        kernel = layer.conv.weight  # [outputs, inputs, rows, columns]
        weight, bias = kernel.flatten(2).permute(2, 1, 0), layer.conv.bias
    else:
        assert isinstance(layer, nn.Linear)
        weight, bias = layer.weight.T, layer.bias
    assert bias is not None
    return {f"{name}.weight": weight.detach(), f"{name}.bias": bias.detach()}


def _compare(network: Network, game: Game, source: str, seed: int) -> tuple[int, float, float]:
    """How many positions were compared, and the largest differences of policy and value on them."""
    names: dict[str, Any] = {}
    exec(compile(source, "<agent>", "exec"), names)
    planes = random_sample(game, COMPARED_POSITIONS, seed).planes
    policy, value = names["network"](planes.reshape(len(planes), 2, -1).transpose(0, 2, 1))
    with torch.inference_mode():
        output = network.to("cpu").eval()(torch.from_numpy(planes))
    by_policy = float(np.abs(policy - torch.softmax(output.policy, 1).numpy()).max())
    by_value = float(np.abs(value - output.value.numpy()).max())
    if not (by_policy <= TOLERANCE and by_value <= TOLERANCE):  # neither of them NaN
        raise NoughtError(
            f"the exported network answers differently (by {max(by_policy, by_value):.2g}); nothing was written"
        )
    return len(planes), by_policy, by_value
