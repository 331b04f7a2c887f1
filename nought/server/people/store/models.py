"""What the server remembers: accounts, their tokens, games, ratings and data."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    UniqueConstraint,
    text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlalchemy.types import String, Text, TypeDecorator

# SQLite numbers rows by itself only where the key is its plain INTEGER.
Number = BigInteger().with_variant(Integer, "sqlite")


class Moment(TypeDecorator[datetime]):
    """A moment in UTC; SQLite, which keeps no zone, gets one back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


class Base(DeclarativeBase):
    """What all tables have in common."""

    # Constraints have names by which a later migration can change them.
    metadata = MetaData(
        naming_convention={
            "ix": "%(table_name)s_by_%(column_0_N_name)s",
            "uq": "%(table_name)s_unique_%(column_0_N_name)s",
            "fk": "%(table_name)s_%(column_0_name)s_of_%(referred_table_name)s",
            "pk": "%(table_name)s_key",
        }
    )
    type_annotation_map = {datetime: Moment, list[int]: JSON}  # noqa: RUF012


class AccountRow(Base):
    """A person. A guest is one without a password: only its tokens open it."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    name: Mapped[str] = mapped_column(String(24))
    # the name without case and look-alike forms
    name_key: Mapped[str] = mapped_column(String(100), unique=True)
    password: Mapped[str | None] = mapped_column(String(200))  #       argon2's hash
    created: Mapped[datetime] = mapped_column(default=now)


class TokenRow(Base):
    """What a client shows to be an account; only its hash is kept."""

    __tablename__ = "tokens"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    created: Mapped[datetime] = mapped_column(default=now)
    used: Mapped[datetime] = mapped_column(default=now, index=True)  # last, give or take a day


class GameRow(Base):
    """A game of a person against an agent, from its first move to its result."""

    __tablename__ = "games"
    __table_args__ = (
        # Two games can never follow the same one: ratings are a fold over the rated games in this order.
        UniqueConstraint("account_id", "game", "rated_number"),
        # The same game is never rated twice, whoever ends it how often at once.
        UniqueConstraint("rating_key"),
        # One rated game at a time, whoever asks how often at once.
        Index(
            "one_rated_game_at_a_time",
            "account_id",
            "game",
            unique=True,
            sqlite_where=text("rated AND finished IS NULL"),
            postgresql_where=text("rated AND finished IS NULL"),
        ),
        Index("games_of_account", "account_id", "number"),
    )

    number: Mapped[int] = mapped_column(Number, primary_key=True)  # in the order of their beginning
    id: Mapped[str] = mapped_column(String(32), unique=True)  #      what links have: cannot be guessed
    game: Mapped[str] = mapped_column(String(100))
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    seat: Mapped[int]  #                                             0: the person moves first
    agent: Mapped[str] = mapped_column(String(200))
    simulations: Mapped[int | None]  #                               None: as many as the agent's card says
    rated: Mapped[bool]
    start: Mapped[
        int
    ]  #                                            how many of the moves were given, not played
    moves: Mapped[list[int]]
    changes: Mapped[int] = mapped_column(default=0)  #               grows with every change
    opponent_value: Mapped[float | None]  #                          the agent's opinion at its last move
    created: Mapped[datetime] = mapped_column(default=now)

    finished: Mapped[datetime | None]
    ended: Mapped[str | None] = mapped_column(String(10))  #         played or resigned
    result: Mapped[int | None]  #                                    for the first player

    # of a rated game:
    agent_rating: Mapped[float | None]
    agent_deviation: Mapped[float | None]
    rated_number: Mapped[int | None]  #                              this person's first rated game is 1
    rating_key: Mapped[str | None] = mapped_column(
        String(64)
    )  #    of one that counted by its moves: repeats.py
    rating_before: Mapped[float | None]
    rating_after: Mapped[float | None]

    account: Mapped[AccountRow] = relationship(lazy="joined", innerjoin=True)

    @property
    def repeated(self) -> bool:
        """Whether it was to be rated but was not, because the same game had been rated before."""
        return self.rated and self.ended == "played" and self.rated_number is None


class RatingRow(Base):
    """A person's rating in a game as it stands: the end of the fold over the rated games."""

    __tablename__ = "ratings"

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(100), primary_key=True)
    start: Mapped[float]  #     before the first game
    rating: Mapped[float]
    deviation: Mapped[float]
    games: Mapped[int]

    account: Mapped[AccountRow] = relationship(lazy="joined", innerjoin=True)


class DatumRow(Base):
    """A value that a client keeps for an account, as JSON text."""

    __tablename__ = "data"

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    namespace: Mapped[str] = mapped_column(String(64), primary_key=True)
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str] = mapped_column(Text)
