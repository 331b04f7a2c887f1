"""Networks as files: safetensors, with everything needed to build the network again in the file's header.

Nothing is ever unpickled. A checksum over header and weights tells a damaged file from a whole one.
"""

from __future__ import annotations

import ast
import contextlib
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
from nought.games.fingerprint import changed_rules, rules_in, rules_of
from nought.games.registry import read_source
from nought.network.resnet import Network, empty_network
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
    """Read a network; with `game`, only if it was made for that game and has learned its rules as they are.

    With `any_rules` it may have learned others, as long as it has the game's planes and actions: to learn on from there.
    """
    path = Path(path)
    metadata, tensors = _read(path)
    if "nought" not in metadata:
        raise NoughtError(f"{path} is not a network of nought's: its header says nothing about a game")
    header = _header(path, metadata["nought"])
    if metadata.get("checksum") != _checksum(metadata["nought"], tensors):
        raise NoughtError(f"{path} is damaged: its checksum does not fit; take another copy")
    if game is not None:
        _check_shape(path, header, game)
        if not any_rules:
            _check_rules(path, header, game)
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
