"""Run by Alembic: on the server's own connection, or on a new database file to write the next migration from."""

from typing import Literal

from alembic import context
from sqlalchemy import Connection

from nought.server.people.store.database import Database
from nought.server.people.store.models import Base, Moment


def render(kind: str, item: object, context: object) -> str | Literal[False]:
    """A migration says what a column is without our classes, which may change after it."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, Moment) else False


def run(connection: Connection) -> None:
    # SQLite cannot change a column in place: batches copy the table instead.
    context.configure(
        connection=connection, target_metadata=Base.metadata, render_as_batch=True, render_item=render
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    with Database(context.config.get_main_option("sqlalchemy.url") or "").engine.connect() as connection:
        run(connection)
        connection.commit()
