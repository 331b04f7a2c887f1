"""Accounts: guests by a token alone; a name and a password for who wants to come back from elsewhere."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.orm import Session

from nought.errors import NoughtError
from nought.server.http.errors import UNAVAILABLE, Conflict, Forbidden, NotFound, Unauthorised, shown
from nought.server.http.rate_limit import Buckets
from nought.server.people.calendar import Calendar
from nought.server.people.names import GUEST_PREFIX, checked_name, is_name, name_key
from nought.server.people.store import AccountRow, Database, DatumRow, GameRow, RatingRow, TokenRow

SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 200
TOKENS_PER_ACCOUNT = 20  #   one more and the oldest ends
HASHES_AT_ONCE = 2  #        of passwords: argon2 takes 64 MiB for each
UNUSED_FOR = timedelta(days=90)  #  after which a token ends, and with its last one a guest
NOTED_EVERY = timedelta(days=1)  #  that a token is used
SWEPT_AT_ONCE = 200  #       accounts that one transaction forgets

ANY = object()  # in the place of a password: whichever it is
WRONG_PASSWORD = "the name or the password is wrong"

ACCOUNT_OF_TOKEN = (
    select(AccountRow, TokenRow.used)
    .join(TokenRow, TokenRow.account_id == AccountRow.id)
    .where(TokenRow.hash == bindparam("shown"))
)


class SignedIn(NamedTuple):
    """An account and a new token for it, which is shown only now."""

    account: AccountRow
    token: str


class Accounts:
    """Makes, finds and changes accounts."""

    def __init__(self, database: Database, buckets: Buckets, hasher: PasswordHasher | None = None) -> None:
        self.database, self.buckets = database, buckets
        self.calendar = Calendar()
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
        """The account that a token opens; it goes on being valid by being used."""
        hash_ = hashed(token)
        found = await self.database.read(
            lambda session: session.execute(ACCOUNT_OF_TOKEN, {"shown": hash_}).one_or_none()
        )
        today = self.calendar.today()
        if found is None or found.used < today - UNUSED_FOR:
            raise Unauthorised("this token is not valid; get a new one by POST /api/accounts or /api/login")
        if found.used < today - NOTED_EVERY:
            noted = update(TokenRow).where(TokenRow.hash == hash_).values(used=today)
            with suppress(*UNAVAILABLE):  # who only looks need not wait until there is room
                await self.database.write(lambda session: session.execute(noted), flush=False)
        account: AccountRow = found.AccountRow
        return account

    async def named(self, name: str) -> AccountRow:
        """The account of this name, however its letters are cased."""
        account = await self.database.read(lambda session: find_named(session, name))
        if account is None:
            raise NotFound(f"there is no player called {shown(name)}")
        return account

    async def log_in(self, name: str, password: str, client: str) -> SignedIn:
        account = await self.database.read(lambda session: find_named(session, name))
        known = account.password if account else None
        await self._check(name_key(name), client, known, password)
        account_id = account.id if account else 0

        def work(session: Session) -> SignedIn:
            return SignedIn(found := _unchanged(session, account_id, known), _new_token(session, found))

        return await self.database.write(work)

    async def log_out(self, token: str) -> None:
        await self.database.write(
            lambda session: session.execute(delete(TokenRow).where(TokenRow.hash == hashed(token)))
        )

    async def change(
        self,
        account: AccountRow,
        token: str,
        client: str,
        *,
        name: str | None = None,
        password: str | None = None,
        old_password: str | None = None,
    ) -> AccountRow:
        """Give an account another name, a password, or both. A password is changed by who knows the old one, and a
        changed one ends all other tokens."""
        name = None if name is None else checked_name(name)
        hash_ = None
        if password is not None:
            await self._check_own(account, old_password, client)
            hash_ = await self._hash(checked_password(password))

        def work(session: Session) -> AccountRow:
            kept = _unchanged(session, account.id, account.password if hash_ else ANY)
            if name is not None and name != kept.name:
                taken = find_named(session, name)
                if name_key(name).startswith(name_key(GUEST_PREFIX)) or (taken and taken.id != kept.id):
                    raise Conflict(
                        f"the name {name}, or one that looks like it, is taken; choose another one"
                    )
                kept.name, kept.name_key = name, name_key(name)
            if hash_ is not None:
                if kept.password is not None:
                    others = TokenRow.account_id == kept.id, TokenRow.hash != hashed(token)
                    session.execute(delete(TokenRow).where(*others))
                kept.password = hash_
            return kept

        return await self.database.write(work)

    async def forget(self, account: AccountRow, password: str | None, client: str) -> None:
        """Delete an account with its games, ratings and data; who has a password must say it."""
        await self._check_own(account, password, client)
        await self.database.write(lambda session: _forget(session, [account.id]))

    async def sweep(self) -> int:
        """Forget tokens that nobody has used for long, and guests whom no token opens any more; how many guests."""
        old = self.calendar.today() - UNUSED_FOR
        await self.database.write(
            lambda session: session.execute(delete(TokenRow).where(TokenRow.used < old))
        )
        lost = (
            select(AccountRow.id)
            .where(AccountRow.password.is_(None), AccountRow.created < old)
            .where(~select(TokenRow.hash).where(TokenRow.account_id == AccountRow.id).exists())
            .limit(SWEPT_AT_ONCE)
        )
        forgotten = 0
        while found := await self.database.write(
            lambda session: _forget(session, session.scalars(lost).all())
        ):
            forgotten += found
        return forgotten

    async def _check_own(self, account: AccountRow, password: str | None, client: str) -> None:
        """Whoever changes what protects an account says its password, if it has one: a token may have been stolen."""
        if account.password is not None:
            if password is None:
                raise Forbidden("this needs the account's password as it is now")
            try:
                await self._check(account.name_key, client, account.password, password)
            except Unauthorised:  # but the token is known
                raise Forbidden("the password as it is now is another one") from None

    async def _check(self, key: str, client: str, hash_: str | None, password: str) -> None:
        """Refuse a wrong password, and further guesses after some: those of one address sooner than those of all, so
        that no one address can keep an account's owner from logging in."""
        guesses = ((self.buckets.guesses, f"{key} {client}"), (self.buckets.guesses_of_all, key))
        for allowance, whose in guesses:
            allowance.take(whose)
        if not await self._verify(hash_ or self._nobody, password) or hash_ is None:
            raise Unauthorised(WRONG_PASSWORD)
        for allowance, whose in guesses:
            allowance.give_back(whose, 1)

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
    if not is_name(name):
        return None
    return session.scalar(select(AccountRow).where(AccountRow.name_key == name_key(name)))


def hashed(token: str) -> str:
    """Tokens are long and random: a plain hash is enough, and is fast."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def checked_password(password: str) -> str:
    """The password, if it is one that an account can have; or else a NoughtError."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise NoughtError(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")
    if any(unicodedata.category(letter) == "Cs" for letter in password):
        raise NoughtError("the password has a character that is no character; choose another one")
    return password


def _unchanged(session: Session, account_id: int, password: object) -> AccountRow:
    """An account, locked, if its password is still the one that was checked."""
    account = session.get(AccountRow, account_id, with_for_update=True)
    if account is None or (password is not ANY and account.password != password):
        raise Unauthorised(WRONG_PASSWORD)
    return account


def _forget(session: Session, account_ids: Sequence[int]) -> int:
    """Delete accounts and all that is theirs; how many."""
    for row in (GameRow, RatingRow, TokenRow, DatumRow):
        session.execute(delete(row).where(row.account_id.in_(account_ids)))
    session.execute(delete(AccountRow).where(AccountRow.id.in_(account_ids)))
    return len(account_ids)


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
