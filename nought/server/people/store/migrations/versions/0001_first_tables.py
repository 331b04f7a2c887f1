"""Accounts, games, ratings and data."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0001"
down_revision: str | Sequence[str] | None = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("name", sa.String(length=24), nullable=False),
        sa.Column("name_key", sa.String(length=100), nullable=False),
        sa.Column("password", sa.String(length=200), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="accounts_key"),
        sa.UniqueConstraint("name_key", name="accounts_unique_name_key"),
    )
    op.create_table(
        "data",
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("namespace", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="data_account_id_of_accounts", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "namespace", "key", name="data_key"),
    )
    op.create_table(
        "games",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=100), nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("agent", sa.String(length=200), nullable=False),
        sa.Column("simulations", sa.Integer(), nullable=True),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("moves", sa.JSON(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("opponent_value", sa.Double(), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended", sa.String(length=10), nullable=True),
        sa.Column("result", sa.Integer(), nullable=True),
        sa.Column("agent_rating", sa.Double(), nullable=True),
        sa.Column("agent_deviation", sa.Double(), nullable=True),
        sa.Column("rated_number", sa.Integer(), nullable=True),
        sa.Column("rating_before", sa.Double(), nullable=True),
        sa.Column("rating_after", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="games_account_id_of_accounts"),
        sa.PrimaryKeyConstraint("number", name="games_key"),
        sa.UniqueConstraint(
            "account_id", "game", "rated_number", name="games_unique_account_id_game_rated_number"
        ),
        sa.UniqueConstraint("id", name="games_unique_id"),
    )
    op.create_index("games_of_account", "games", ["account_id", "number"])
    op.create_index(
        "one_rated_game_at_a_time",
        "games",
        ["account_id", "game"],
        unique=True,
        sqlite_where=sa.text("rated AND finished IS NULL"),
        postgresql_where=sa.text("rated AND finished IS NULL"),
    )
    op.create_table(
        "ratings",
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("game", sa.String(length=100), nullable=False),
        sa.Column("start", sa.Double(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="ratings_account_id_of_accounts"),
        sa.PrimaryKeyConstraint("account_id", "game", name="ratings_key"),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="tokens_account_id_of_accounts", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("hash", name="tokens_key"),
    )
    op.create_index("tokens_by_account_id", "tokens", ["account_id"])


def downgrade() -> None:
    for table in ("tokens", "ratings", "games", "data", "accounts"):
        op.drop_table(table)
