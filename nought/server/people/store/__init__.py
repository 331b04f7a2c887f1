"""The store: tables, transactions and migrations."""

from nought.server.people.store.database import Database, prepare
from nought.server.people.store.models import AccountRow, DatumRow, GameRow, RatingRow, TokenRow, now

__all__ = ["AccountRow", "Database", "DatumRow", "GameRow", "RatingRow", "TokenRow", "now", "prepare"]
