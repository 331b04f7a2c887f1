"""How a parameter is declared and checked."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import field
from functools import lru_cache
from typing import Any, get_type_hints

from nought.errors import NoughtError


def parameter(
    default: Any, meaning: str, papers: str = "", *, least: float | None = None, most: float | None = None
) -> Any:
    """A field with its meaning, what the papers use, and the range of sensible values."""
    return field(
        default=default, metadata={"meaning": meaning, "papers": papers, "least": least, "most": most}
    )


@lru_cache
def kinds_of(fields: type) -> dict[str, Any]:
    """The kind of every field of a class; to find that out takes longer than all the rest of reading a file."""
    return get_type_hints(fields)


class Checked:
    """Parameters that can be checked before any work starts."""

    section: str

    def check(self) -> None:
        """Raise NoughtError for a value that cannot be meant."""
        for f in dataclasses.fields(self):  # type: ignore[arg-type]
            value, least, most = getattr(self, f.name), f.metadata.get("least"), f.metadata.get("most")
            name = f"{self.section}.{f.name}"
            if isinstance(value, float) and not math.isfinite(value) and least is not None:
                raise NoughtError(f"{name} must be a finite number, not {value}")
            if least is not None and value is not None and value < least:
                raise NoughtError(f"{name} must be {least} or more, not {value}")
            if most is not None and value is not None and value > most:
                raise NoughtError(f"{name} must be {most} or less, not {value}")
