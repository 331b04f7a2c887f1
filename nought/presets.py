"""Presets, overrides, and parameters as TOML.

A preset names only what differs from the defaults. The papers' presets let each be rerun as its author ran it.
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
import types
import typing
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any, cast

from nought.config import Checked, Parameters, kinds_of
from nought.errors import NoughtError

Overrides = dict[str, Any]

# What no paper uses, switched off.
PLAIN: Overrides = {
    "search.proofs": False,
    "search.look_ahead": False,
    "selfplay.opening_share": 0.0,
    "learning.search_share": 0.0,
    "learning.proven_targets": False,
    "learning.final_rate": 1.0,
    "learning.average": 0.0,
    "learning.clip": 0.0,
    "gate.opening_moves": 0,
    "run.growth": 1.0,
}

# 000 as it is written. What it does not say is from the listing of 003: c_puct, the optimizer and its rate, and the
# first move of a gate's game, by chance: else two players that always play the same would play one game ten times.
WANDHOVEN: Overrides = PLAIN | {
    "search.simulations": 50,
    "search.choice": "puct",
    "search.c_puct": 2.0,
    "search.noise": False,
    "search.sampled_moves": 10,
    "network.blocks": 6,
    "network.filters": 75,
    "network.activation": "leaky",
    "network.policy_filters": 2,
    "network.value_filters": 10,
    "network.value_hidden": 210,
    "network.head_norm": False,
    "selfplay.positions": 30000,
    "learning.window": 30000,
    "learning.batch": 256,
    "learning.reuse": 1.0,
    "learning.optimizer": "sgd",
    "learning.rate": 0.1,
    "learning.momentum": 0.9,
    "learning.weight_decay": 0.0,
    "learning.policy_loss": "logits",
    "learning.symmetries": False,
    "gate.rule": "wins",
    "gate.threshold": 1.3,
    "gate.games": 20,
    "gate.sampled_moves": 1,
    "gate.simulations": 50,
}

# The listing of 003 where it differs. Its memory has every position and its mirror image, 30,000 in all, before it learns:
# here that is 15,000. A training uses 20 batches five times each, and these 5,120 leave the memory, so that as many new
# ones are played before the next. After 40 trainings one in 2,000 of the images is still there.
WANDHOVEN_CODE: Overrides = WANDHOVEN | {
    "search.sampled_moves": 9,  # `probMoves > turn`, which counts from 1
    "network.kernel": 5,
    "network.norm": "layer",
    "network.head_activation": True,
    "selfplay.games": 60,
    "selfplay.positions": 2560,
    "learning.window": 40 * 2560,
    "learning.begin": 15000,
    "learning.consumed": True,
    "learning.steps": 100,
    "learning.repeats": 5,
    "learning.policy_loss": "visited",
    "learning.policy_weight": 0.5,
    "learning.value_weight": 0.5,
    "learning.symmetries": True,
}

# 002. It says that its program is Foster's (reference 4) with the noise of AlphaGo Zero: c_puct, the sampled moves, the
# momentum and the heads are from there.
PRINCE: Overrides = PLAIN | {
    "search.choice": "puct",
    "search.c_puct": 1.0,
    "search.noise": True,
    "search.noise_share": 0.25,
    "search.noise_alpha": 0.03,
    "search.symmetries": 8,
    "search.sampled_moves": 10,
    "network.blocks": 6,
    "network.policy_filters": 2,
    "network.value_filters": 1,
    "network.value_hidden": 0,
    "selfplay.games": 10,
    "learning.batch": 256,
    "learning.steps": 10,
    "learning.optimizer": "sgd",
    "learning.rate": 0.1,
    "learning.momentum": 0.9,
    "learning.symmetries": False,
    "gate.rule": "ratio",
    "gate.threshold": 1.3,
    "gate.games": 30,
    "gate.opening_moves": 2,  # else thirty games would be two
}
# by the size of the board: ten games (each move draws one of 2n(n + 1) edges), window, simulations, filters
PRINCE_SIZES: dict[int, Overrides] = {
    n: {
        "selfplay.positions": 10 * 2 * n * (n + 1),
        "learning.window": window,
        "search.simulations": simulations,
        "gate.simulations": simulations,
        "network.filters": filters,
    }
    for n, window, simulations, filters in ((2, 1000, 50, 35), (3, 2000, 100, 70), (4, 3333, 167, 114))
}

# 001. It does not say how many simulations, blocks, filters and games of evaluation there are, nor how little noise those have.
BLOG: Overrides = PLAIN | {
    "search.simulations": 100,
    "search.choice": "puct+1",
    "search.c_puct": 1.0,
    "search.noise": True,
    "search.noise_into": "move",
    "search.noise_share": 0.25,
    "search.noise_alpha": 0.03,
    "search.sampled_moves": 1000,  # all of them
    "network.blocks": 5,
    "network.filters": 64,
    "network.signed": True,
    "selfplay.positions": 2500,  # about 100 games
    "learning.window": 2500,
    "learning.batch": 32,
    "learning.reuse": 30.0,
    "learning.optimizer": "adamw",
    "learning.rate": 0.001,
    "learning.weight_decay": 0.0,
    "learning.symmetries": False,
    "gate.rule": "share",
    "gate.threshold": 0.51,
    "gate.games": 40,
    "gate.noise_share": 0.05,
    "gate.back": True,
}

CLASSIC: Overrides = PLAIN | {
    "search.simulations": 100,
    "search.choice": "puct",
    "search.c_puct": 1.0,
    "search.noise": True,
    "search.sampled_moves": 10,
    "learning.optimizer": "adamw",
    "learning.rate": 0.004,
    "gate.rule": "share",
    "gate.threshold": 0.55,
}

# The defaults suit a few CPU cores. A GPU wants larger shards, and in the same time can afford more of everything. What
# four minutes of this gave, three times: docs/results/gpu.md.
BEST_ON_GPU: Overrides = {
    "search.simulations": 128,
    "network.blocks": 6,
    "network.filters": 128,
    "selfplay.games": 2048,
    "selfplay.device_games": 32768,
    "selfplay.positions": 200_000,
    "selfplay.opening_moves": 12,
    "learning.window": 2_000_000,
    "learning.batch": 2048,
    "learning.reuse": 4.0,
    "learning.average": 0.996,
    "run.growth": 0.25,
    "run.precision": "int8",  # where there is a kernel for it and it answers alike; bfloat16 elsewhere
}

# In more minutes a few cores learn more than the small network of the defaults can hold, and from better targets.
BEST_FOR_LONG: Overrides = {
    "network.blocks": 5,
    "network.filters": 48,
    "search.simulations": 64,
    "learning.reuse": 2.0,
    "learning.window": 300_000,
}
LONG = 30.0  # minutes

PRESETS: dict[str, Overrides] = {
    "best": {},
    "wandhoven": WANDHOVEN,
    "wandhoven-code": WANDHOVEN_CODE,
    "prince": PRINCE,
    "blog": BLOG,
    "classic": CLASSIC,
}


def preset(name: str, game: str, changes: Overrides | None = None, *, gpu: bool = False) -> Parameters:
    """The parameters of a preset for a game, with `changes` ({"search.simulations": 100, …}); `best` depends on the
    machine and on how many minutes there are."""
    if name not in PRESETS:
        raise NoughtError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
    overrides = PRESETS[name]
    if name == "best" and gpu:
        overrides = overrides | BEST_ON_GPU
    elif name == "best" and override(Parameters(), changes or {}).run.minutes >= LONG:
        overrides = overrides | BEST_FOR_LONG
    if name == "prince":
        side = next((n for n in PRINCE_SIZES if game.startswith(f"dots-and-boxes:{n}x{n}")), 3)
        overrides = overrides | PRINCE_SIZES[side]
    return override(Parameters(), overrides | (changes or {}))


def override(parameters: Parameters, overrides: Overrides) -> Parameters:
    """The parameters with some of them changed; keys are section.name."""
    for key, value in overrides.items():
        section, _, name = key.partition(".")
        part = getattr(parameters, section, None)
        if not isinstance(part, Checked) or name not in {f.name for f in dataclasses.fields(cast(Any, part))}:
            raise NoughtError(f"there is no parameter {key!r}; `nought train --show` lists them")
        kind = kinds_of(cast(Any, type(part)))[name]
        changed: Any = dataclasses.replace(cast(Any, part), **{name: _converted(key, value, kind)})
        parameters = dataclasses.replace(parameters, **{section: changed})
    return parameters


def parse_overrides(settings: Iterable[str]) -> Overrides:
    """Read changes of parameters as they are typed: `search.c_puct=1.5`."""
    overrides: Overrides = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise NoughtError(f"a setting is section.name=value, as in search.c_puct=1.5, not {setting!r}")
        overrides[key.strip()] = value.strip()
    return overrides


def _converted(key: str, value: Any, kind: Any) -> Any:
    """The value as the parameter's kind, from a preset, from TOML or from text."""
    if isinstance(kind, types.UnionType):
        if value is None or value == "none":
            return None
        kind = next(k for k in typing.get_args(kind) if k is not types.NoneType)
    try:
        if kind is bool:
            return {"true": True, "yes": True, "false": False, "no": False}[str(value).lower()]
        if kind is int and isinstance(value, str):
            return int(value.replace("_", ""))
        if kind is int and int(value) != value:
            raise ValueError
        return kind(value)
    except (KeyError, ValueError, TypeError, OverflowError):
        wanted = {bool: "true or false", int: "a whole number", float: "a number"}.get(kind)
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            wanted = ", ".join(member.value for member in kind)
        raise NoughtError(f"{key} must be {wanted}, not {value!r}") from None


def to_toml(parameters: Parameters) -> str:
    """The parameters as the text of a TOML file, each with its meaning."""
    lines: list[str] = []
    for section, fields in _sections(parameters):
        lines.append(f"[{section}]")
        lines += [f"{f.name} = {_toml_value(value)}  # {f.metadata['meaning']}" for f, value in fields]
        lines.append("")
    return "\n".join(lines)


def from_toml(text: str, where: str) -> Parameters:
    """The parameters in the text of a TOML file; `where` it is from is what an error names."""
    try:
        sections = tomllib.loads(text)
        return override(
            Parameters(), {f"{s}.{k}": v for s, fields in sections.items() for k, v in fields.items()}
        )
    except (tomllib.TOMLDecodeError, AttributeError) as error:
        raise NoughtError(f"{where} is damaged: {error}") from None


def explained(parameters: Parameters) -> Iterator[tuple[str, str, str, str]]:
    """Name, value, meaning and the papers' values of every parameter."""
    for section, fields in _sections(parameters):
        for f, value in fields:
            yield f"{section}.{f.name}", _toml_value(value), f.metadata["meaning"], f.metadata["papers"]


def _sections(parameters: Parameters) -> Iterator[tuple[str, list[tuple[dataclasses.Field[Any], Any]]]]:
    for section in dataclasses.fields(parameters):
        part = getattr(parameters, section.name)
        yield section.name, [(f, getattr(part, f.name)) for f in dataclasses.fields(part)]


def _toml_value(value: Any) -> str:
    if value is None:
        return '"none"'
    if isinstance(value, str | bool):
        return json.dumps(value)
    return repr(value)
