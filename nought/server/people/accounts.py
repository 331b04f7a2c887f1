"""Accounts: guests by a token alone; a name and a password for who wants to come back from elsewhere."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import unicodedata
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from nought.errors import NoughtError
from nought.server.http.errors import Conflict, NotFound, Unauthorised
from nought.server.people.store import AccountRow, Database, TokenRow

SHORTEST_NAME, LONGEST_NAME = 2, 24
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 200
MARKS = "-_."
GUEST_PREFIX = "guest-"  #   how a guest's name begins until it has chosen one
TOKENS_PER_ACCOUNT = 20  #   one more and the oldest ends
HASHES_AT_ONCE = 2  #        of passwords: argon2 takes 64 MiB for each

ACCOUNT_OF_TOKEN = (
    select(AccountRow)
    .join(TokenRow, TokenRow.account_id == AccountRow.id)
    .where(TokenRow.hash == bindparam("shown"))
)


class SignedIn(NamedTuple):
    """An account and a new token for it, which is shown only now."""

    account: AccountRow
    token: str


class Accounts:
    """Makes, finds and changes accounts."""

    def __init__(self, database: Database, hasher: PasswordHasher | None = None) -> None:
        self.database = database
        self._hasher = hasher or PasswordHasher()
        self._hashing = asyncio.Semaphore(HASHES_AT_ONCE)
        # Whether a name exists must not show in how long a login takes: an unknown one is checked against this.
        self._nobody = self._hasher.hash(secrets.token_hex())

    async def new_guest(self) -> SignedIn:
        def work(session: Session) -> SignedIn:
            name = GUEST_PREFIX + secrets.token_hex(5)
            account = AccountRow(name=name, name_key=name_key(name))
            session.add(account)
            session.flush()
            return SignedIn(account, _new_token(session, account))

        return await self.database.write(work)

    async def of_token(self, token: str) -> AccountRow:
        """The account that a token opens."""
        account = await self.database.read(
            lambda session: session.scalar(ACCOUNT_OF_TOKEN, {"shown": hashed(token)})
        )
        if account is None:
            raise Unauthorised("this token is not valid; get a new one by POST /api/accounts or /api/login")
        return account

    async def named(self, name: str) -> AccountRow:
        """The account of this name, however its letters are cased."""
        account = await self.database.read(lambda session: find_named(session, name))
        if account is None:
            raise NotFound(f"there is no player called {shown(name)}")
        return account

    async def log_in(self, name: str, password: str) -> SignedIn:
        account = await self.database.read(lambda session: find_named(session, name))
        known = account.password if account else None
        if not await self._verify(known or self._nobody, password) or account is None or known is None:
            raise Unauthorised("the name or the password is wrong")

        def work(session: Session) -> SignedIn:
            return SignedIn(account, _new_token(session, account))

        return await self.database.write(work)

    async def log_out(self, token: str) -> None:
        await self.database.write(
            lambda session: session.execute(delete(TokenRow).where(TokenRow.hash == hashed(token)))
        )

    async def change(
        self, account_id: int, token: str, *, name: str | None = None, password: str | None = None
    ) -> AccountRow:
        """Give an account another name, a password, or both. A changed password ends all other tokens."""
        name = None if name is None else checked_name(name)
        hash_ = None if password is None else await self._hash(checked_password(password))

        def work(session: Session) -> AccountRow:
            account = session.get_one(AccountRow, account_id, with_for_update=True)
            if name is not None and name != account.name:
                taken = find_named(session, name)
                if name_key(name).startswith(GUEST_PREFIX) or (taken is not None and taken.id != account_id):
                    raise Conflict(f"the name {name} is taken; choose another one")
                account.name, account.name_key = name, name_key(name)
            if hash_ is not None:
                if account.password is not None:
                    others = TokenRow.account_id == account_id, TokenRow.hash != hashed(token)
                    session.execute(delete(TokenRow).where(*others))
                account.password = hash_
            return account

        return await self.database.write(work)

    async def _hash(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _verify(self, hash_: str, password: str) -> bool:
        if len(password) > LONGEST_PASSWORD:
            return False
        try:
            async with self._hashing:
                return await asyncio.to_thread(self._hasher.verify, hash_, password)
        except (VerificationError, InvalidHashError, UnicodeEncodeError):
            return False


def find_named(session: Session, name: str) -> AccountRow | None:
    """The account of this name, however its letters are cased."""
    if not _is_name(name):
        return None
    return session.scalar(select(AccountRow).where(AccountRow.name_key == name_key(name)))


def hashed(token: str) -> str:
    """Tokens are long and random: a plain hash is enough, and is fast."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def name_key(name: str) -> str:
    """What makes two names the same: their letters, whatever their case and form."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def checked_name(name: str) -> str:
    """The name as it is kept; a NoughtError where it is not one that an account can have."""
    name = unicodedata.normalize("NFC", name)
    if not _is_name(name):
        raise NoughtError(
            f"a name has {SHORTEST_NAME} to {LONGEST_NAME} letters, digits or {' '.join(MARKS)} "
            "and begins with a letter or a digit"
        )
    return name


def checked_password(password: str) -> str:
    """The password, if it is one that an account can have; or else a NoughtError."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise NoughtError(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")
    if any(unicodedata.category(letter) == "Cs" for letter in password):
        raise NoughtError("the password has a character that is no character; choose another one")
    return password


def shown(text: str, most: int = 40) -> str:
    """Someone's text as a message may repeat it."""
    return repr(text if len(text) <= most else text[:most] + "…")


def _is_name(name: str) -> bool:
    return (
        SHORTEST_NAME <= len(name) <= LONGEST_NAME
        and unicodedata.category(name[0])[0] in "LN"
        and all(unicodedata.category(letter)[0] in "LMN" or letter in MARKS for letter in name)
    )


def _new_token(session: Session, account: AccountRow) -> str:
    token = secrets.token_urlsafe(32)
    oldest = (
        select(TokenRow.hash)
        .where(TokenRow.account_id == account.id)
        .order_by(TokenRow.created.desc())
        .offset(TOKENS_PER_ACCOUNT - 1)
    )
    for old in session.scalars(oldest).all():
        session.execute(delete(TokenRow).where(TokenRow.hash == old))
    session.add(TokenRow(hash=hashed(token), account_id=account.id))
    return token
