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
    names: dict[str, tuple[int, str]] = {}  # by key
    for row in rows:
        name, number = row.name, 1
        while name_key(name) in names:
            number += 1
            name = f"{row.name[: LONGEST_NAME - 1 - len(str(number))]}-{number}"
        names[name_key(name)] = (row.id, name)
    before = {row.id: (row.name, row.name_key) for row in rows}
    changed = [(id, name, key) for key, (id, name) in names.items() if before[id] != (name, key)]
    for id, name, _ in changed:  # out of the way of each other first
        put(connection, id, name, f" {id}")
    for id, name, key in changed:
        put(connection, id, name, key)


def put(connection: sa.Connection, id: int, name: str, key: str) -> None:
    connection.execute(sa.update(ACCOUNTS).where(ACCOUNTS.c.id == id).values(name=name, name_key=key))


def downgrade() -> None:
    with op.batch_alter_table("tokens") as tokens:
        tokens.drop_index("tokens_by_used")
        tokens.drop_column("used")
