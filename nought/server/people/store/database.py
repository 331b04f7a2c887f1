"""The database: SQLite in a file, or PostgreSQL by its URL. The same code runs on both."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, OperationalError
from sqlalchemy.orm import Session

from nought.errors import NoughtError
from nought.server.http.errors import UNAVAILABLE

MIGRATIONS = Path(__file__).parent / "migrations"
SQLITE_TIMEOUT = 15  #   seconds for another process's write to end
READERS = 4  #           threads, and as many that write
LEAST_READERS = 2  #     … of each of several processes
TRIES = 20  #            of a transaction that met another one
FIRST_PAUSE = 0.002  #   seconds at most before the second of them, and each time twice as long
LONGEST_PAUSE = 0.5
PRIVATE = 0o600  #      who may read and write the file: its owner
HEALTH_TIMEOUT = 5  #   seconds for an answer when somebody asks whether it is well
TOUCH = "UPDATE alembic_version SET version_num = version_num"  # a write that changes nothing
# What SQLite and PostgreSQL call a full disk, one that fails, and a database that can only be read.
HOPELESS = (
    "SQLITE_FULL", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_CANTOPEN", "53100", "25006",
)  # fmt: skip
MIGRATION_LOCK = 1852798823  # any number that others do not use

T = TypeVar("T")


class Database:
    """Runs transactions in threads of its own, so that the event loop never waits for the disk.

    On SQLite one thread writes, as the file has one writer anyway; on PostgreSQL several do, and lock rows.
    """

    def __init__(self, url: str, processes: int = 1) -> None:
        """`processes` that have it open and share the connections to it."""
        self.engine = _engine(url)
        self.sqlite = self.engine.dialect.name == "sqlite"
        self._failing: set[str] = set()  # what could not be done the last time: read, written
        threads = max(LEAST_READERS, READERS // processes)
        self._readers = ThreadPoolExecutor(threads, "database-read")
        self._writers = ThreadPoolExecutor(1 if self.sqlite else threads, "database-write")

    async def read(self, work: Callable[[Session], T]) -> T:
        """What `work` finds in one consistent view of the database."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self.read_now, work)

    async def write(self, work: Callable[[Session], T], *, flush: bool = True) -> T:
        """Do all of `work` or none of it; when this returns it is on the disk.

        Without `flush` it does not wait for the disk: it survives the end of this process, not always a power cut.

        `work` may run more than once (a transaction that met another is tried again), so it changes nothing but
        the database. What has begun is finished even if nobody waits for it any more.
        """
        return await asyncio.get_running_loop().run_in_executor(self._writers, self.write_now, work, flush)

    def read_now(self, work: Callable[[Session], T]) -> T:
        with self._noting("read"), Session(self.engine) as session:
            return work(session)

    def write_now(self, work: Callable[[Session], T], flush: bool = True) -> T:
        with self._noting("written"):
            return self._write_now(work, flush)

    async def available(self) -> bool:
        """Whether the database can be read and, if that failed the last time, written."""
        try:
            async with asyncio.timeout(HEALTH_TIMEOUT):
                await self.read(lambda session: session.execute(text("SELECT 1")).all())
                if self._failing:
                    await self.write(lambda session: session.execute(text(TOUCH)))
        except (*UNAVAILABLE, TimeoutError):
            return False
        return True

    @contextmanager
    def _noting(self, what: str) -> Iterator[None]:
        """Remember that something could not be done, until it can."""
        try:
            yield
        except UNAVAILABLE:
            self._failing.add(what)
            raise
        self._failing.discard(what)

    def _write_now(self, work: Callable[[Session], T], flush: bool) -> T:
        for tried in range(TRIES):
            try:
                with Session(self.engine, expire_on_commit=False) as session:
                    session.connection(execution_options={"writes": True, "flush": flush})
                    done = work(session)
                    session.commit()
                    return done
            except (IntegrityError, OperationalError) as error:
                if tried == TRIES - 1 or _is_hopeless(error):
                    raise
                time.sleep(
                    random.uniform(0, min(FIRST_PAUSE * 2**tried, LONGEST_PAUSE))
                )  # let the other one finish
        raise AssertionError("unreachable")

    def migrate(self, revision: str = "head") -> None:
        """Bring the tables up to date, or to an older revision, from nothing if need be."""
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        try:
            with self.engine.execution_options(writes=True).begin() as connection:
                if not self.sqlite:  # two servers that start at once take turns
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
                config.attributes["connection"] = connection
                command.upgrade(config, revision)
        except CommandError:
            raise NoughtError(f"the database {self.name} was made by a newer nought; use that one") from None
        except DBAPIError as error:
            why = " ".join(str(error.orig).split())
            raise NoughtError(f"the database {self.name} cannot be opened: {why}") from None

    @property
    def name(self) -> str:
        """The database's URL without its password."""
        return self.engine.url.render_as_string(hide_password=True)

    def close(self) -> None:
        """Wait for what is being written, and let go of the file or the server."""
        self._writers.shutdown()
        self._readers.shutdown()
        self.engine.dispose()


def _is_hopeless(error: DBAPIError) -> bool:
    """Whether trying again at once would only keep others waiting: a database that is full or read-only stays so."""
    kind = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None) or ""
    return kind.startswith(HOPELESS)


def prepare(url: str) -> None:
    """Open a database, make or change its tables, and close it."""
    database = Database(url)
    try:
        database.migrate()
    finally:
        database.close()


def _engine(name: str) -> Engine:
    url = _url(name)
    try:
        if url.get_backend_name() == "postgresql":
            engine = create_engine(
                url, pool_size=2 * READERS, pool_pre_ping=True, isolation_level="REPEATABLE READ"
            )
        else:
            if url.database and url.database != ":memory:":
                _make_private(Path(url.database).expanduser())
            engine = create_engine(url, connect_args={"timeout": SQLITE_TIMEOUT})
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
        return engine
    except (ArgumentError, NoSuchModuleError) as error:
        raise NoughtError(f"{name!r} is no database's URL: {error}") from None
    except ModuleNotFoundError:
        raise NoughtError('PostgreSQL needs a driver: pip install "nought[postgres]"') from None
    except OSError as error:
        raise NoughtError(f"the database {error.filename} cannot be written: {error.strerror}") from None


def _make_private(file: Path) -> None:
    """Let nobody but us read a database's file; SQLite gives the files beside it the same rights."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=PRIVATE)
    with suppress(PermissionError):  # somebody else's, which we may use
        for part in (file, *(file.with_name(file.name + ending) for ending in ("-wal", "-shm"))):
            if part.exists():
                part.chmod(PRIVATE)


def _url(name: str) -> URL:
    """The URL of a database; a plain path is an SQLite file."""
    if "://" not in name:
        return URL.create("sqlite", database=str(Path(name).expanduser()))
    try:
        url = make_url(name)
    except ArgumentError as error:
        raise NoughtError(f"{name!r} is no database's URL: {error}") from None
    if url.drivername in ("postgres", "postgresql"):
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise NoughtError(f"the database is SQLite or PostgreSQL, not {url.get_backend_name()}")
    return url


def _prepare_sqlite(connection: Any, record: object) -> None:
    """Readers beside the writer, and references hold."""
    connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
    for pragma in ("journal_mode = WAL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    """A transaction that will write takes the lock first: it never finds that what it read has changed."""
    options = connection.get_execution_options()
    if options.get("writes", False):
        connection.exec_driver_sql(
            f"PRAGMA synchronous = {'FULL' if options.get('flush', True) else 'NORMAL'}"
        )
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql("BEGIN")
