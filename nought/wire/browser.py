"""Agents that visitors' browsers run by themselves."""

from __future__ import annotations

from typing import Any

from nought.wire.message import Message


class BrowserAgentAnswer(Message):
    """An agent for browsers: facts and where its files are; or why there is none, and the server answers for it."""

    agent: str
    title: str
    simulations: int  #                 a move
    facts: dict[str, Any] | None  #     what js/thinking/ of the page needs; None: it is not to be had
    code: str | None  #                 the address of its module: another one when it changes
    network: str | None  #              and of its network; None, too, where it plays on at random
    note: str | None  #                 why it is not to be had
    again: float | None  #              seconds after which it may be: it is being made
