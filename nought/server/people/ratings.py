"""People's ratings, game by game, against agents whose ratings are known. See docs/reference/server-data.md.

What is known of a player is a rating and its deviation, how unsure it is. A game changes both: the new rating is the
most probable one, given what was known and the result. On nought's standard scale (base 10).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from nought.rating.elo import STANDARD, UNTRAINED
from nought.server.people.repeats import rated_before
from nought.server.people.store import GameRow, RatingRow, now
from nought.statistics import NORMAL_95

FIRST_DEVIATION = 700.0  # of who has played no game: it may be anybody
LEAST_DEVIATION = 75.0  # of who has played many: people go on learning, so a game always counts
LEAST_RATING = UNTRAINED  # nobody falls below who plays anything
HALVINGS = 60  #           of the interval in which the most probable rating is
Q = math.log(STANDARD.factor) / 400
SCORES = {1: 1.0, 0: 0.5, -1: 0.0}


class Standing(NamedTuple):
    """A player's rating in a game."""

    rating: float
    deviation: float = FIRST_DEVIATION
    games: int = 0


class RatedGame(NamedTuple):
    """A game as a rating sees it."""

    opponent: float
    deviation: float  # of the opponent's rating
    score: float  #     1 won, 0.5 drawn, 0 lost


class Rated(Protocol):
    """Whatever has a rating, or None."""

    @property
    def rating(self) -> float | None: ...


A = TypeVar("A", bound=Rated)


def after(standing: Standing, game: RatedGame, floor: float = LEAST_RATING) -> Standing:
    """The standing after one more game: the most probable rating x, and how sure that is.

    Before the game x is normal around the rating, with its deviation; the expected score is the scale's, flattened
    by how unsure the opponent's rating is (Glickman 1999). The derivative of the log probability is 0 at
    x = rating + deviation² q g (score - E(x)), and its second derivative gives the new deviation.
    """
    g = 1 / math.sqrt(1 + 3 * (Q * game.deviation / math.pi) ** 2)
    reach = standing.deviation**2 * Q * g
    low, high = standing.rating - reach, standing.rating + reach
    for _ in range(HALVINGS):
        x = (low + high) / 2
        expected = STANDARD.expected(g * (x - game.opponent))
        if x < standing.rating + reach * (game.score - expected):
            low = x
        else:
            high = x
    certainty = 1 / standing.deviation**2 + (Q * g) ** 2 * expected * (1 - expected)
    return Standing(max(floor, x), max(LEAST_DEVIATION, 1 / math.sqrt(certainty)), standing.games + 1)


def fold(start: float, games: Iterable[RatedGame]) -> Standing:
    """The standing of who started with this rating and played these games: what every rating must equal."""
    standing = Standing(start)
    for game in games:
        standing = after(standing, game)
    return standing


def deviation_of(interval: tuple[float, float] | None) -> float:
    """An agent's deviation, from the 95 % interval on its card."""
    return (interval[1] - interval[0]) / (2 * NORMAL_95) if interval else 0.0


def middling(agents: Sequence[A]) -> A | None:
    """The agent closest to half-way between the weakest and the best: whom a person meets of whom nothing is known.

    None where no agent has a rating.
    """
    rated = [(a.rating, i) for i, a in enumerate(agents) if a.rating is not None]
    if not rated:
        return None
    middle = (min(rated)[0] + max(rated)[0]) / 2
    return agents[min(rated, key=lambda known: (abs(known[0] - middle), known[0]))[1]]


def starting_rating(agents: Sequence[Rated]) -> float:
    """A new player's rating: the middling agent's."""
    found = middling(agents)
    return UNTRAINED if found is None or found.rating is None else found.rating


def closest(agents: Sequence[A], rating: float) -> A | None:
    """The agent closest to a rating but not below it (000, equation 54); the best if all are below.

    None where no agent has a rating.
    """
    rated = sorted(
        ((a.rating, i) for i, a in enumerate(agents) if a.rating is not None), key=lambda found: found[0]
    )
    better = [i for known, i in rated if known >= rating]
    return agents[better[0] if better else rated[-1][1]] if rated else None


# ---- in the store -------------------------------------------------------------------------------------------
def rating_row(session: Session, account_id: int, game: str, start: float) -> RatingRow:
    """A person's rating in a game, locked until the transaction ends; a new one begins at `start`."""
    found = session.get(RatingRow, (account_id, game), with_for_update={"of": RatingRow})
    if found is None:
        found = RatingRow(
            account_id=account_id, game=game, start=start, rating=start, deviation=FIRST_DEVIATION, games=0
        )
        session.add(found)
        session.flush()
    return found


def finish(session: Session, row: GameRow, ended: str, result: int, key: str | None = None) -> None:
    """A game has its result; if it is rated, the rating follows in the same transaction.

    Of the games with the same key the first alone counts. One without a key always does: who resigns has lost again.
    """
    row.finished, row.ended, row.result = now(), ended, result
    if not row.rated or (key is not None and rated_before(session, key)):
        return
    rating = session.get_one(RatingRow, (row.account_id, row.game), with_for_update={"of": RatingRow})
    before = Standing(rating.rating, rating.deviation, rating.games)
    standing = after(before, as_rated(row))
    rating.rating, rating.deviation, rating.games = standing
    row.rated_number, row.rating_key = standing.games, key
    row.rating_before, row.rating_after = before.rating, standing.rating


def as_rated(row: GameRow) -> RatedGame:
    """A finished rated game, as the person's rating sees it."""
    assert row.agent_rating is not None and row.agent_deviation is not None and row.result is not None
    score = SCORES[row.result if row.seat == 0 else -row.result]
    return RatedGame(row.agent_rating, row.agent_deviation, score)


def rated_games(session: Session, account_id: int, game: str) -> Sequence[GameRow]:
    """A person's finished rated games, in the order in which they counted."""
    return session.scalars(
        select(GameRow)
        .where(GameRow.account_id == account_id, GameRow.game == game, GameRow.rated_number.is_not(None))
        .order_by(GameRow.rated_number)
    ).all()
