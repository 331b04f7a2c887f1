"""A game is rated once: what tells it from others, for those that were rated before, too."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import sqlalchemy as sa
from alembic import op

from nought.errors import NoughtError
from nought.games import load
from nought.server.people.repeats import rating_key

revision: str = "0002"
down_revision: str | Sequence[str] | None = "0001"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
GAMES = sa.table(
    "games",
    sa.column("number", NUMBER),
    sa.column("game", sa.String),
    sa.column("account_id", NUMBER),
    sa.column("seat", sa.Integer),
    sa.column("agent", sa.String),
    sa.column("moves", sa.JSON),
    sa.column("ended", sa.String),
    sa.column("rated_number", sa.Integer),
    sa.column("rating_key", sa.String),
)


def upgrade() -> None:
    with op.batch_alter_table("games") as games:
        games.add_column(sa.Column("rating_key", sa.String(length=64), nullable=True))
    claim_keys(op.get_bind())
    with op.batch_alter_table("games") as games:
        games.create_unique_constraint("games_unique_rating_key", ["rating_key"])


def claim_keys(connection: sa.Connection) -> None:
    """Give every game that was rated its key; of those that are the same, to the first. Ratings stay as they are."""
    rated = sa.select(GAMES).where(GAMES.c.rated_number.is_not(None), GAMES.c.ended == "played")
    claimed: set[str] = set()
    for row in connection.execute(rated.order_by(GAMES.c.number)).all():
        try:
            key = rating_key(load(row.game), cast(Any, SimpleNamespace(**row._mapping)))
        except (NoughtError, IndexError):  # a game's file, whose rules are not known here or have changed
            continue
        if key not in claimed:
            claimed.add(key)
            connection.execute(sa.update(GAMES).where(GAMES.c.number == row.number).values(rating_key=key))


def downgrade() -> None:
    with op.batch_alter_table("games") as games:
        games.drop_constraint("games_unique_rating_key", type_="unique")
        games.drop_column("rating_key")
