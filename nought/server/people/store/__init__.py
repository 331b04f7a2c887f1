"""The store: tables, transactions and migrations."""

from nought.server.people.store.database import Database, prepare
from nought.server.people.store.models import Account, Datum, GameRecord, RatingRecord, Token, now

__all__ = ["Account", "Database", "Datum", "GameRecord", "RatingRecord", "Token", "now", "prepare"]
