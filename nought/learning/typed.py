"""What JSON holds as values of the types that wrote it: a field that is missing, unknown or of another type is a
ValueError, before anybody calculates with it."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from typing import Any

from nought.config import kinds_of

LARGEST = 2**63  # beyond which no number of ours is


def typed(kind: Any, value: Any) -> Any:
    """A value of a dataclass, a named tuple, a tuple, a union or a plain type."""
    if kind is Any:
        return value
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _one_of(inner, value)
    if origin is tuple:
        return _tuple(inner, value)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return kind(**_fields(kind, value))
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = kinds_of(kind)
        return kind(*_tuple(tuple(hints[name] for name in kind._fields), value))
    return _plain(origin or kind, value)


def _one_of(kinds: tuple[Any, ...], value: Any) -> Any:
    for kind in kinds:
        try:
            return typed(kind, value)
        except ValueError:
            continue
    raise ValueError(f"{_shown(value)} is none of what is allowed there")


def _tuple(kinds: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{_shown(value)} is no list")
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        kinds = (kinds[0],) * len(value)
    if len(value) != len(kinds):
        raise ValueError(f"{len(kinds)} values should be there, not {len(value)}")
    return tuple(typed(kind, part) for kind, part in zip(kinds, value, strict=True))


def _fields(kind: Any, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{_shown(value)} has no fields")
    hints = kinds_of(kind)
    known = {field.name: field for field in dataclasses.fields(kind)}
    if unknown := value.keys() - known:
        raise ValueError(f"nobody knows the field {_shown(min(unknown))}")
    for name, field in known.items():
        needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if name not in value and needed:
            raise ValueError(f"the field {name} is missing")
    return {name: typed(hints[name], part) for name, part in value.items()}


def _plain(kind: Any, value: Any) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is float:
        fits = number and abs(value) < LARGEST and math.isfinite(value)
    elif kind is int:
        fits = number and isinstance(value, int) and abs(value) < LARGEST
    else:
        fits = value is None if kind is types.NoneType else isinstance(value, kind)
    if not fits:
        raise ValueError(f"{_shown(value)} should be {getattr(kind, '__name__', kind)}")
    return value


def _shown(value: Any) -> str:
    return repr(value)[:60]
