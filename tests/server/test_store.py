"""The database: migrations, SQLite's settings, and databases that are not ours."""

import json
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from nought.errors import NoughtError
from nought.games import load
from nought.server.people.accounts import find_named
from nought.server.people.repeats import rating_key
from nought.server.people.store import AccountRow, Database, GameRow, TokenRow, now
from nought.server.people.store.models import Base


def test_migrations_make_the_tables_of_the_models(url):
    database = Database(url)
    database.migrate()
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    database.close()


def test_migrating_again_keeps_everything(url):
    for count in (1, 2):
        database = Database(url)
        database.migrate()
        database.write_now(lambda s, n=count: s.add(AccountRow(name=f"p{n}", name_key=f"p{n}")))
        assert database.read_now(lambda s: s.query(AccountRow).count()) == count
        database.close()


def test_games_that_were_rated_before_the_rule_are_not_rated_again(url):
    """The first of them has the key of its moves; a mirrored copy, a resigned game and an unknown file's have none."""
    database = Database(url)
    database.migrate("0001")
    moves, mirrored = [3, 3, 3, 3, 2, 4], [3, 3, 3, 3, 4, 2]
    rows = [
        ("connect4", moves, "played", 1),
        ("connect4", mirrored, "played", 2),
        ("connect4", moves, "resigned", 3),
        ("mine.py", moves, "played", 1),
        ("connect4", [3], "played", None),
    ]

    def fill(session):
        session.execute(
            text("INSERT INTO accounts (id, name, name_key, created) VALUES (1, 'ann', 'ann', :now)"),
            {"now": now()},
        )
        for number, (game, played, ended, rated_number) in enumerate(rows, 1):
            session.execute(
                text(
                    "INSERT INTO games (number, id, game, account_id, seat, agent, rated, start, moves, changes, "
                    "created, finished, ended, rated_number) VALUES (:number, :id, :game, 1, 0, 'agents/a', :rated, 0, :moves, "
                    "1, :now, :now, :ended, :rated_number)"
                ),
                {
                    "number": number,
                    "id": str(number),
                    "game": game,
                    "rated": rated_number is not None,
                    "moves": json.dumps(played),
                    "now": now(),
                    "ended": ended,
                    "rated_number": rated_number,
                },
            )

    database.write_now(fill)
    database.migrate()

    def keys(session):
        games = session.query(GameRow).order_by(GameRow.number).all()
        assert games[0].rating_key == rating_key(load("connect4"), games[1])
        return [game.rating_key is not None for game in games]

    assert database.read_now(keys) == [True, False, False, False, False]
    database.close()


def test_tokens_and_names_of_before_are_kept(url):
    """Tokens have their whole time from now on; of names that look alike the older account's stays."""
    database = Database(url)
    database.migrate("0002")

    def fill(session):
        for id, name, key in [(1, "ann10", "ann10"), (2, "annlo", "annlo"), (3, "Bill", "bill")]:
            account = {"id": id, "name": name, "key": key, "at": now()}
            session.execute(
                text("INSERT INTO accounts (id, name, name_key, created) VALUES (:id, :name, :key, :at)"),
                account,
            )
        old = {"at": now() - timedelta(days=400)}
        session.execute(text("INSERT INTO tokens (hash, account_id, created) VALUES ('x', 1, :at)"), old)

    database.write_now(fill)
    database.migrate()

    def seen(session):
        (token,) = session.query(TokenRow).all()
        assert abs(token.used - now()) < timedelta(hours=1)
        assert find_named(session, "ANN1O").id == 1 and find_named(session, "bill").id == 3
        return [account.name for account in session.query(AccountRow).order_by(AccountRow.id)]

    assert database.read_now(seen) == ["ann10", "annlo-2", "Bill"]
    database.close()


def test_sqlite_is_durable(tmp_path):
    database = Database(str(tmp_path / "deep" / "er" / "nought.db"))
    database.migrate()
    with database.engine.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
        assert connection.execute(text("PRAGMA busy_timeout")).scalar() >= 5000
    for flush, level in ((True, 2), (False, 1), (True, 2)):  # FULL, NORMAL
        assert database.write_now(lambda s: s.scalar(text("PRAGMA synchronous")), flush) == level
    database.close()


def test_a_transaction_that_fails_leaves_nothing(url):
    database = Database(url)
    database.migrate()

    def work(session):
        session.add(AccountRow(name="ann", name_key="ann"))
        session.flush()
        raise NoughtError("no")

    with pytest.raises(NoughtError, match="no"):
        database.write_now(work)
    assert database.read_now(lambda s: s.query(AccountRow).count()) == 0
    database.close()


def test_databases_that_are_not_ours(tmp_path):
    Path(tmp_path / "text.db").write_text("hello " * 1000)
    for name, says in [
        (str(tmp_path / "text.db"), "not a database"),
        (f"{tmp_path}", "cannot be opened"),
        ("mysql://somewhere/x", "SQLite or PostgreSQL, not mysql"),
        ("sqlite", None),
        ("://", "no database's URL"),
        ("postgresql://nobody:secret@localhost:1/x", "cannot be opened"),
    ]:
        if says is None:
            continue
        with pytest.raises(NoughtError) as caught:
            Database(name).migrate()
        assert says in str(caught.value)
        assert "secret" not in str(caught.value)


def test_a_database_of_a_newer_version(tmp_path):
    path = tmp_path / "nought.db"
    Database(str(path)).migrate()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NoughtError, match="newer nought"):
        Database(str(path)).migrate()
