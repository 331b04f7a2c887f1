"""Networks as files: safetensors, with everything needed to build the network again in the file's header.

Nothing is ever unpickled. A checksum over header and weights tells a damaged file from a whole one.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import hashlib
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from nought.config import NetworkParameters, Parameters
from nought.errors import NoughtError
from nought.files import write_whole
from nought.games import Game, load
from nought.games.fingerprint import changed_rules, rules_in, rules_of
from nought.games.registry import read_source
from nought.network.jce import ENDINGS, from_jce
from nought.network.resnet import Network, empty_network, shape_of
from nought.presets import override
from nought.shell import command

FORMAT = 1  # of the header; a file of a newer format is refused
SHOWN = 4  # names of changed rules that a message has


class RulesChanged(NoughtError):
    """A network's game has other rules now than those it has learned."""


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
            "rules": rules_of(game),
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


def load_network(path: Path | str, game: Game | None = None, *, any_rules: bool = False) -> Checkpoint:
    """Read a network, one of Wandhoven's by its file's ending; with `game`, only if it was made for that game and has learned its rules as they are.

    With `any_rules` it may have learned others, as long as it has the game's planes and actions: to learn on from there.
    """
    path = Path(path)
    if path.name.endswith(ENDINGS):
        return _of_wandhoven(path, game)
    header, parameters, tensors = _read(path)
    if game is not None:
        _check_shape(path, header, game)
        if not any_rules:
            _check_rules(path, header, game)
    network = empty_network(tuple(header["planes"]), header["actions"], parameters, margin=header["margin"])
    network.load_state_dict(tensors)
    return Checkpoint(network.eval(), header["game"], parameters, header["version"], header["facts"])


def _of_wandhoven(path: Path, game: Game | None) -> Checkpoint:
    """A network as 003's program writes it."""
    made_for, network = from_jce(path)
    if game is not None:
        header = {"game": made_for, "planes": network.planes, "actions": network.actions}
        _check_shape(path, header, game)
        _check_rules(path, header | {"rules": rules_of(load(made_for))}, game)
    return Checkpoint(network.eval(), made_for, network.architecture, 0, {})


def _read(path: Path) -> tuple[dict[str, Any], NetworkParameters, dict[str, Tensor]]:
    """The header of a file, the shape of its network, and the weights, which are read once it is certain that they are
    those of such a network."""
    try:
        if path.exists() and not path.is_file():
            raise NoughtError(f"{path} is no file")
        with safe_open(path, "pt") as file:
            metadata = file.metadata() or {}
            if "nought" not in metadata:
                raise NoughtError(
                    f"{path} is not a network of nought's: its header says nothing about a game"
                )
            header = _header(path, metadata["nought"])
            parameters = _parameters(path, header, _shapes(file))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise NoughtError(f"there is no file {path}") from None
    except OSError as error:
        raise NoughtError(f"{path} cannot be read: {error.strerror or error}") from None
    except (SafetensorError, RuntimeError, ValueError) as error:
        raise NoughtError(f"{path} is damaged, or not a network of nought's: {_one_line(error)}") from None
    if metadata.get("checksum") != _checksum(metadata["nought"], tensors):
        raise NoughtError(f"{path} is damaged: its checksum does not fit; take another copy")
    if not all(torch.isfinite(tensor).all() for tensor in tensors.values()):
        raise NoughtError(f"{path} has weights that are no finite numbers: take another version")
    return header, parameters, tensors


def _shapes(file: Any) -> dict[str, tuple[int, ...]]:
    """The shapes of a file's tensors, of which none is read."""
    return {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118


def _header(path: Path, text: str) -> dict[str, Any]:
    try:
        header = json.loads(text)
        number = header["format"]
        newer = number > FORMAT
    except (ValueError, LookupError, TypeError, RecursionError):
        raise NoughtError(f"{path} is damaged: its header cannot be read") from None
    if newer:
        raise NoughtError(
            f"{path} was written by a newer nought (format {number}; this one reads {FORMAT}): update nought"
        )
    kinds = {"game": str, "planes": list, "actions": int, "margin": bool, "network": dict, "version": int}
    if any(type(header.get(name)) is not kind for name, kind in (kinds | {"facts": dict}).items()):
        raise NoughtError(f"{path} is damaged: its header does not say what a network's does")
    planes = header["planes"]
    if len(planes) != 3 or any(type(n) is not int for n in planes) or min(*planes, header["actions"]) < 1:
        raise NoughtError(f"{path} is damaged: its header has impossible sizes")
    return dict(header)


def _parameters(path: Path, header: dict[str, Any], shapes: dict[str, tuple[int, ...]]) -> NetworkParameters:
    """The shape of the network that a header describes, if it is that of the weights that are there."""
    try:
        sizes = {f"network.{name}": value for name, value in header["network"].items()}
        parameters = override(Parameters(), sizes).network
        parameters.check()
        if parameters.blocks > len(shapes) or header["actions"] > max(
            map(math.prod, shapes.values()), default=0
        ):
            raise NoughtError("it is said to be larger than what is there")
        network = shape_of(tuple(header["planes"]), header["actions"], parameters, margin=header["margin"])
    except (NoughtError, TypeError, ValueError, RuntimeError, OverflowError) as error:
        raise NoughtError(f"{path} holds a network that cannot be built: {_one_line(error)}") from None
    expected = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    if shapes != expected:
        wrong = min(name for name in {**shapes, **expected} if shapes.get(name) != expected.get(name))
        raise NoughtError(
            f"{path} holds a network that cannot be built: {wrong[:60]} is not as its header says"
        )
    return parameters


def _check_shape(path: Path, header: dict[str, Any], game: Game) -> None:
    planes = tuple(header.get("planes", ()))
    if planes != game.planes_shape or header.get("actions") != game.actions:
        raise NoughtError(
            f"{path} is a network for {header.get('game')} ({_shape(planes)} planes, {header.get('actions')} actions), "
            f"not for {game.name} ({_shape(game.planes_shape)} planes, {game.actions} actions)"
        )


def _check_rules(path: Path, header: dict[str, Any], game: Game) -> None:
    """The same game may have another name (connect4:6x7, another folder) and another look, but not other rules."""
    made_for, rules = str(header.get("game")), header.get("rules")
    namesake = Path(made_for).name == Path(game.name).name
    if not isinstance(rules, dict):
        if not namesake and not _was_same(made_for, str(header.get("source")), game):
            raise NoughtError(f"{path} is a network for {made_for}, not for {game.name}")
    elif changed := changed_rules(rules, rules_of(game)):
        if not namesake:
            raise NoughtError(f"{path} is a network for {made_for}, not for {game.name}")
        raise RulesChanged(_why_changed(path, game, changed))


def _why_changed(path: Path, game: Game, changed: list[str]) -> str:
    shown = ", ".join(changed[:SHOWN]) + (" …" if len(changed) > SHOWN else "")
    return (
        f"the rules of {game.name} have changed since {path} learned them ({shown}): "
        f"`{command('train', game.name, '--from', str(path))}` learns the new ones, beginning with what it knows"
    )


def _was_same(made_for: str, source: str, game: Game) -> bool:
    """Whether a network of before rules had hashes of their own was made for this game: then it knows the hash of the
    whole text. Games that come with the package, and the copies in runs, are still played as they were."""
    if source == _text_hash(game):
        return True
    with contextlib.suppress(NoughtError):
        return rules_in(read_source(made_for)) == rules_of(game)
    return False


def _shape(planes: tuple[int, ...]) -> str:
    return "×".join(map(str, planes))


def _text_hash(game: Game) -> str:
    """A hash of the game's text, whatever its comments and spaces."""
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
