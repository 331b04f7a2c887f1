"""Networks as Wandhoven's program (003, `jce_save_current`) writes and reads them.

A file is the number of tensors and then each of them: its name with a zero byte, the number of its dimensions, the
dimensions, and its numbers, row by row. Whole numbers have 8 bytes, others 4; the lowest byte comes first. Nothing
else is in the file: which game it is, and how the layers are put together, is known from 003's listing.
"""

from __future__ import annotations

import math
import struct
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from nought.config import NetworkParameters
from nought.errors import NoughtError
from nought.files import write_whole
from nought.network.resnet import Network, empty_network

ENDINGS = (".jce", ".jce.bin")  # of a file's name; 003 calls its own model.jce.bin
GAMES = {7: "connect4", 42: "connect4-cells"}  # by the number of actions, on a board of 6 × 7
BOARD = (6, 7)
MOST_TENSORS, LONGEST_NAME, MOST_DIMENSIONS = 10_000, 200, 8
WHOLE = struct.Struct("<q")


def write_jce(path: Path, tensors: dict[str, Tensor]) -> None:
    """Write tensors by name, whole or not at all."""
    parts = [WHOLE.pack(len(tensors))]
    for name, tensor in tensors.items():
        parts += [name.encode() + b"\0", *map(WHOLE.pack, (tensor.dim(), *tensor.shape))]
        parts.append(tensor.detach().cpu().float().numpy().astype("<f4").tobytes())
    write_whole(path, b"".join(parts))


def read_jce(path: Path) -> dict[str, Tensor]:
    """The tensors of a file by name; a NoughtError for what is none."""
    try:
        content = path.read_bytes()
        tensors, end = _tensors(content)
    except OSError as error:
        raise NoughtError(f"{path} cannot be read: {error.strerror}") from None
    except (struct.error, ValueError) as error:
        raise NoughtError(f"{path} is no jce file, or damaged: {error}") from None
    if end != len(content):
        raise NoughtError(f"{path} is no jce file: {len(content) - end:,} bytes are left at its end")
    if not all(torch.isfinite(tensor).all() for tensor in tensors.values()):
        raise NoughtError(f"{path} has weights that are no finite numbers")
    return tensors


def _tensors(content: bytes) -> tuple[dict[str, Tensor], int]:
    """All tensors, and where what is left begins. Nothing is made that is larger than the file."""
    (count,), at = WHOLE.unpack_from(content), WHOLE.size
    _check(0 < count <= MOST_TENSORS, f"{count} tensors")
    found: dict[str, Tensor] = {}
    for _ in range(count):
        end = content.index(b"\0", at, at + LONGEST_NAME)
        name, at = content[at:end].decode("ascii"), end + 1
        (dimensions,) = WHOLE.unpack_from(content, at)
        _check(0 <= dimensions <= MOST_DIMENSIONS, f"a tensor of {dimensions} dimensions")
        shape = struct.unpack_from(f"<{dimensions}q", content, at + WHOLE.size)
        at += WHOLE.size * (1 + dimensions)
        size = math.prod(shape)
        _check(min(shape, default=1) > 0 and 4 * size <= len(content) - at, f"a tensor of shape {shape}")
        array = np.frombuffer(content, "<f4", size, at).astype(np.float32).reshape(shape)
        found[name], at = torch.from_numpy(array), at + 4 * size
    return found, at


def _check(fits: bool, what: str) -> None:
    if not fits:
        raise ValueError(f"{what} cannot be")


# ---- 003's names and ours -------------------------------------------------------------------------------------
def to_jce(network: Network) -> dict[str, Tensor]:
    """The weights of a network as 003's program calls them, in its order."""
    parameters = network.architecture
    if (*network.planes[1:],) != BOARD or network.planes[0] != 2 or network.actions not in GAMES:
        raise NoughtError("003's files are for Connect 4 on the board of 6 × 7, connect4 or connect4-cells")
    wanted = listed(parameters)
    different = [name for name in vars(wanted) if getattr(wanted, name) != getattr(parameters, name)]
    different += ["value_hidden"] * (parameters.value_hidden == 0) + ["margin"] * network.margin
    if different:
        raise NoughtError(
            f"003's files have no place for such a network ({', '.join(different)} differ): "
            "--preset wandhoven-code makes one that has"
        )
    ours = network.state_dict()
    return {theirs: _seen(name, ours[name]) for theirs, name in _names(parameters.blocks).items()}


def from_jce(path: Path) -> tuple[str, Network]:
    """The network in a file, and the name of the game that it is for."""
    theirs = read_jce(path)
    blocks = sum(name.endswith("_conv1.weight") for name in theirs)
    names = _names(blocks)
    if theirs.keys() != names.keys():
        raise NoughtError(f"{path} does not hold the layers of 003's network")
    tensors = {ours: _seen(ours, theirs[name]) for name, ours in names.items()}
    try:
        actions = len(tensors["policy.last.weight"])
        parameters = listed(
            NetworkParameters(
                blocks=blocks,
                filters=len(tensors["stem.conv.weight"]),
                kernel=tensors["stem.conv.weight"].shape[2],
                policy_filters=len(tensors["policy.convolution.conv.weight"]),
                value_filters=len(tensors["value.convolution.conv.weight"]),
                value_hidden=len(tensors["value.hidden.weight"]),
            )
        )
        network = empty_network((2, *BOARD), actions, parameters, margin=False)
        network.load_state_dict(tensors)
        return GAMES[actions], network
    except (LookupError, RuntimeError, NoughtError):
        raise NoughtError(f"{path} holds a network whose layers do not fit Connect 4's 6 × 7 board") from None


def listed(parameters: NetworkParameters) -> NetworkParameters:
    """A network of the same size, put together as 003's listing has it."""
    return NetworkParameters(
        blocks=parameters.blocks,
        filters=parameters.filters,
        kernel=parameters.kernel,
        norm="layer",
        activation="leaky",
        policy_filters=parameters.policy_filters,
        value_filters=parameters.value_filters,
        value_hidden=parameters.value_hidden,
        head_norm=False,
        head_activation=True,
        pooling=False,
        outcomes=False,
        margin=parameters.margin,
        masked=parameters.masked,
    )


def _seen(name: str, tensor: Tensor) -> Tensor:
    """003 puts the plane of the other player first, we that of the player to move."""
    return tensor.flip(1) if name == "stem.conv.weight" else tensor


def _names(blocks: int) -> dict[str, str]:
    """Our names of all weights by 003's, in its order."""
    layers = {"TopLayer_conv": "stem.conv", "TopLayer_batch": "stem.norm"}
    for i in range(blocks):
        theirs, ours = f"Residual_{i + 1}", f"blocks.{i}"
        layers |= {f"{theirs}_conv1": f"{ours}.first.conv", f"{theirs}_conv2": f"{ours}.second.conv"}
        layers |= {f"{theirs}_batch1": f"{ours}.first.norm", f"{theirs}_batch2": f"{ours}.second.norm"}
    layers |= {
        "value_conv": "value.convolution.conv",
        "value_lin1": "value.hidden",
        "value_lin2": "value.last",
    }
    layers |= {"policy_conv": "policy.convolution.conv", "policy_linear": "policy.last"}
    return {f"{a}.{part}": f"{b}.{part}" for a, b in layers.items() for part in ("weight", "bias")}
