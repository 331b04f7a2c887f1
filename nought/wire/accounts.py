"""Accounts, ratings and the ladder."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from nought.wire.message import Message


class LoginRequest(Message):
    """The name and the password of an account that has one."""

    name: str = Field(max_length=200)
    password: str = Field(max_length=1000)


class AccountRequest(Message):
    """Another name for an account, a password, or both."""

    name: str | None = Field(None, max_length=200, description="2 to 24 letters, digits or - _ .")
    password: str | None = Field(None, max_length=1000, description="8 to 200 characters")
    old_password: str | None = Field(
        None, max_length=1000, description="To change a password that there is already."
    )


class DeleteAccountRequest(Message):
    """That an account is to be deleted."""

    password: str | None = Field(None, max_length=1000, description="If the account has one.")


class AccountAnswer(Message):
    """A person's account."""

    id: int
    name: str
    guest: bool  # without a password: only its tokens open it
    created: datetime


class LoginAnswer(Message):
    """An account and a new token for it."""

    account: AccountAnswer
    token: str  # for the header Authorization: Bearer TOKEN


class RatingPoint(Message):
    """A rating as it was after a game."""

    at: datetime
    rating: float
    game_id: str


class RatingAnswer(Message):
    """A person's rating in a game, on nought's standard scale."""

    game: str
    rating: float
    deviation: float  # the rating is within twice this, most probably
    games: int
    history: tuple[RatingPoint, ...]  # after each rated game


class ProfileAnswer(Message):
    """A person, and their rating in each game."""

    account: AccountAnswer
    ratings: tuple[RatingAnswer, ...]


class LadderEntry(Message):
    """Somebody with a rating in a game."""

    rank: int
    kind: Literal["person", "agent"]
    name: str
    rating: float
    games: int | None  # rated ones of a person; an agent's rating is not from games here
