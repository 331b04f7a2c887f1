"""Tokens end when nobody uses them; names that look alike are the same."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from nought.server.people.names import LONGEST_NAME, name_key

revision: str = "0003"
down_revision: str | Sequence[str] | None = "0002"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
ACCOUNTS = sa.table(
    "accounts", sa.column("id", NUMBER), sa.column("name", sa.String), sa.column("name_key", sa.String)
)


def upgrade() -> None:
    with op.batch_alter_table("tokens") as tokens:
        tokens.add_column(sa.Column("used", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE tokens SET used = CURRENT_TIMESTAMP")  # each has its whole time from now on
    with op.batch_alter_table("tokens") as tokens:
        tokens.alter_column("used", existing_type=sa.DateTime(timezone=True), nullable=False)
        tokens.create_index("tokens_by_used", ["used"])
    renew_keys(op.get_bind())


def renew_keys(connection: sa.Connection) -> None:
    """Give every name its key. Where two names look alike the older account keeps its own; the other gets a number."""
    rows = connection.execute(sa.select(ACCOUNTS).order_by(ACCOUNTS.c.id)).all()
    changed = [row for row in rows if name_key(row.name) != row.name_key]
    if not changed:
        return
    owners: dict[str, int] = {}
    names: dict[int, str] = {}
    for row in rows:
        name, number = row.name, 1
        while name_key(name) in owners:
            number += 1
            name = f"{row.name[: LONGEST_NAME - 1 - len(str(number))]}-{number}"
        owners[name_key(name)], names[row.id] = row.id, name
    for row in changed:  # out of the way of each other first
        place = sa.update(ACCOUNTS).where(ACCOUNTS.c.id == row.id)
        connection.execute(place.values(name_key=f" {row.id}"))
    for row in rows:
        name = names[row.id]
        if row in changed or name != row.name:
            place = sa.update(ACCOUNTS).where(ACCOUNTS.c.id == row.id)
            connection.execute(place.values(name=name, name_key=name_key(name)))


def downgrade() -> None:
    with op.batch_alter_table("tokens") as tokens:
        tokens.drop_index("tokens_by_used")
        tokens.drop_column("used")
