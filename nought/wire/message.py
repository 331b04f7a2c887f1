"""What every message is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

GameName = Annotated[str, Field(max_length=200, description="As in /api/games.", examples=["connect4"])]
Moves = Annotated[
    str,
    Field(max_length=4_000, description="As the game writes them: 44325, f5d6 or 0 7 12.", examples=["44"]),
]
AgentName = Annotated[str, Field(max_length=200, examples=["agents/connect4"])]
# Two numbers, said without prefixItems, which readers of OpenAPI take for many things.
Interval = Annotated[
    tuple[float, float],
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
]


class Message(BaseModel):
    """A JSON object that never changes once it is made. Fields that a reader does not know are passed over."""

    model_config = ConfigDict(frozen=True)


class ErrorAnswer(Message):
    """What is wrong with a request, in one sentence."""

    error: str


def in_words(where: Iterable[int | str], what: str) -> str:
    """What is wrong with a message, and where in it."""
    place = ".".join(map(str, where))
    return f"{place}: {what}" if place else what
