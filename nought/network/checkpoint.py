"""Networks as files: safetensors, with everything needed to build the network again in the file's header.

Nothing is ever unpickled. A checksum over header and weights tells a damaged file from a whole one.
"""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from nought.config import NetworkParameters
from nought.errors import NoughtError
from nought.files import write_whole
from nought.games import Game
from nought.network.resnet import Network, empty_network

FORMAT = 1  # of the header; a file of a newer format is refused


@dataclass(frozen=True)
class Checkpoint:
    """A network and what is known about it."""

    network: Network  #               in evaluation mode, on the CPU
    game: str  #                      the game's name when it was saved
    parameters: NetworkParameters
    version: int
    facts: dict[str, Any]


def save_network(path: Path | str, network: Network, game: Game, version: int, facts: dict[str, Any]) -> None:
    """Write a network so that the file is there whole or not at all. `facts` is anything JSON can hold.

    An OSError (a full disk, a folder that cannot be written) leaves what was there before.
    """
    path = Path(path)
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    header = json.dumps(
        {
            "format": FORMAT,
            "game": game.name,
            "source": _fingerprint(game),
            "planes": network.planes,
            "actions": network.actions,
            "margin": network.margin,
            "network": dataclasses.asdict(network.architecture),
            "version": version,
            "facts": facts,
        }
    )
    content = save(tensors, {"nought": header, "checksum": _checksum(header, tensors)})
    write_whole(path, content)


def load_network(path: Path | str, game: Game | None = None) -> Checkpoint:
    """Read a network; with `game`, only if it was made for that game."""
    path = Path(path)
    metadata, tensors = _read(path)
    if "nought" not in metadata:
        raise NoughtError(f"{path} is not a network of nought's: its header says nothing about a game")
    header = _header(path, metadata["nought"])
    if metadata.get("checksum") != _checksum(metadata["nought"], tensors):
        raise NoughtError(f"{path} is damaged: its checksum does not fit; take another copy")
    if game is not None:
        _check_game(path, header, game)
    try:
        parameters = NetworkParameters(**header["network"])
        network = empty_network(
            tuple(header["planes"]), header["actions"], parameters, margin=header["margin"]
        )
        network.load_state_dict(tensors)
        return Checkpoint(network.eval(), header["game"], parameters, header["version"], header["facts"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        reason = str(error).strip().splitlines()[0]
        raise NoughtError(f"{path} holds a network that cannot be built: {reason}") from None


def _read(path: Path) -> tuple[dict[str, str], dict[str, Tensor]]:
    try:
        with safe_open(path, "pt") as file:
            return file.metadata() or {}, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise NoughtError(f"there is no file {path}") from None
    except OSError as error:
        raise NoughtError(f"{path} cannot be read: {error.strerror or error}") from None
    except (SafetensorError, RuntimeError, ValueError) as error:
        raise NoughtError(f"{path} is damaged, or not a network of nought's: {_one_line(error)}") from None


def _header(path: Path, text: str) -> dict[str, Any]:
    try:
        header = json.loads(text)
        number = header["format"]
        newer = number > FORMAT
    except (json.JSONDecodeError, KeyError, TypeError):
        raise NoughtError(f"{path} is damaged: its header cannot be read") from None
    if newer:
        raise NoughtError(
            f"{path} was written by a newer nought (format {number}; this one reads {FORMAT}): update nought"
        )
    return dict(header)


def _check_game(path: Path, header: dict[str, Any], game: Game) -> None:
    """The same game may have another name (connect4:6x7, another folder), and its file may have been edited;
    but one of the two must be as it was, and planes and actions must fit the network."""
    made_for, planes = str(header.get("game")), tuple(header.get("planes", ()))
    if planes != game.planes_shape or header.get("actions") != game.actions:
        raise NoughtError(
            f"{path} is a network for {made_for} ({_shape(planes)} planes, {header.get('actions')} actions), not for "
            f"{game.name} ({_shape(game.planes_shape)} planes, {game.actions} actions)"
        )
    if Path(made_for).name != Path(game.name).name and header.get("source") != _fingerprint(game):
        raise NoughtError(f"{path} is a network for {made_for}, not for {game.name}")


def _shape(planes: tuple[int, ...]) -> str:
    return "×".join(map(str, planes))


def _fingerprint(game: Game) -> str:
    """A hash of the game's rules, whatever their comments and spaces."""
    try:
        text = ast.unparse(ast.parse(game.source))
    except SyntaxError:
        text = game.source
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _checksum(header: str, tensors: dict[str, Tensor]) -> str:
    digest = hashlib.sha256(header.encode())
    for name, tensor in sorted(tensors.items()):
        digest.update(f"\0{name}\0{tensor.dtype}\0{tuple(tensor.shape)}\0".encode())
        digest.update(tensor.contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())
