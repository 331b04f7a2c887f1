"""A nought server from Python: `Server("http://127.0.0.1:8000").analyse("connect4", "44")`."""

from __future__ import annotations

import http.client
import ipaddress
import json
import math
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import cache
from typing import Any, TypedDict, TypeVar, Unpack
from urllib.parse import quote, urlencode, urlsplit

from pydantic import TypeAdapter, ValidationError

from nought.errors import NoughtError
from nought.wire.accounts import (
    AccountAnswer,
    AccountRequest,
    DeleteAccountRequest,
    LadderEntry,
    LoginAnswer,
    LoginRequest,
    ProfileAnswer,
)
from nought.wire.analysis import AnalysisAnswer, AnalysisRequest, BestMoveAnswer, ReviewedMove, ReviewRequest
from nought.wire.games import GameAnswer, PositionAnswer
from nought.wire.message import Message, in_words
from nought.wire.play import (
    CLOSEST,
    ListedGame,
    MoveRequest,
    NewGameRefusal,
    NewGameRequest,
    PlayedGameAnswer,
)
from nought.wire.server import RunAnswer, RunSummary

T = TypeVar("T")
TIMEOUT = 60.0  # seconds that an answer may take: an agent may think for a while


class Thinking(TypedDict, total=False):
    """Who is asked, and for how long they may think: simulations or seconds."""

    agent: str | None
    simulations: int | None
    seconds: float | None


class Refused(NoughtError):
    """The server answered, and its answer is no."""

    def __init__(
        self,
        message: str,
        status: int,
        retry_after: float | None = None,
        open_game: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after  # seconds to wait, where it is busy
        self.open_game = open_game  #     the id of a rated game that a new one would give up


class Server:
    """A nought server. Every failure is a NoughtError that says what happened; a Refused has the HTTP status."""

    def __init__(self, url: str, token: str | None = None, *, timeout: float = TIMEOUT) -> None:
        self.url = server_url(url)
        self.token = token
        self.timeout = timeout
        handlers: list[urllib.request.BaseHandler] = [_NoRedirect()]
        if _is_here(self.url):  # a proxy cannot reach this machine
            handlers.append(urllib.request.ProxyHandler({}))
        self._open: Callable[..., Any] = urllib.request.build_opener(*handlers).open

    def __repr__(self) -> str:
        return f"Server({self.url!r})"

    # ---- games and positions --------------------------------------------------------------------------------
    def games(self) -> list[GameAnswer]:
        return self._get(list[GameAnswer], "games")

    def position(self, game: str, moves: str = "") -> PositionAnswer:
        """The position after these moves, written as in `nought play`."""
        return self._get(PositionAnswer, "position", game=game, moves=moves)

    def best_move(self, game: str, moves: str = "", **how: Unpack[Thinking]) -> BestMoveAnswer:
        """What an agent would play; `how` is agent=, simulations= or seconds=."""
        return self._post(BestMoveAnswer, "best-move", AnalysisRequest, game=game, moves=moves, **how)

    def analyse(self, game: str, moves: str = "", **how: Unpack[Thinking]) -> AnalysisAnswer:
        """What an agent thinks of every move; `how` is agent=, simulations= or seconds=."""
        return self._post(AnalysisAnswer, "analyse", AnalysisRequest, game=game, moves=moves, **how)

    def mistakes(self, game: str, moves: str) -> list[ReviewedMove]:
        """What every move of a game did to the chances of who made it."""
        return self._post(list[ReviewedMove], "mistakes", ReviewRequest, game=game, moves=moves)

    # ---- accounts -------------------------------------------------------------------------------------------
    def new_account(self) -> AccountAnswer:
        """A guest's account; `token` is its key from now on."""
        return self._enter(self._post(LoginAnswer, "accounts"))

    def login(self, name: str, password: str) -> AccountAnswer:
        return self._enter(self._post(LoginAnswer, "login", LoginRequest, name=name, password=password))

    def logout(self) -> None:
        self._exchange("POST", "logout")
        self.token = None

    def keep_account(
        self, name: str | None = None, password: str | None = None, old_password: str | None = None
    ) -> AccountAnswer:
        """Give the account a name and a password, so that it can be entered from elsewhere. Another password than the
        one that it has needs the old one."""
        change = _request(AccountRequest, name=name, password=password, old_password=old_password)
        return self._read(AccountAnswer, self._exchange("PATCH", "me", change))

    def delete_account(self, password: str | None = None) -> None:
        """End the account, with its games, ratings and data; one with a password needs it."""
        self._exchange("POST", "me/delete", _request(DeleteAccountRequest, password=password))
        self.token = None

    def me(self) -> ProfileAnswer:
        return self._get(ProfileAnswer, "me")

    def player(self, name: str) -> ProfileAnswer:
        return self._get(ProfileAnswer, f"players/{quote(name, safe='')}")

    def ladder(self, game: str) -> list[LadderEntry]:
        """Persons and agents, best first."""
        return self._get(list[LadderEntry], "ladder", game=game)

    # ---- playing --------------------------------------------------------------------------------------------
    def play(
        self,
        game: str,
        *,
        side: str = "random",
        opponent: str = CLOSEST,
        rated: bool = True,
        start: str | None = None,
        simulations: int | None = None,
        give_up: bool = False,
    ) -> PlayedGameAnswer:
        """Begin a game; if the agent is to move first, it has moved.

        While a rated game of the same kind is open another one is Refused, and `open_game` says which it is; `give_up`
        loses that one instead.
        """
        return self._post(
            PlayedGameAnswer,
            "play",
            NewGameRequest,
            game=game,
            side=side,
            opponent=opponent,
            rated=rated,
            start=start,
            simulations=simulations,
            give_up=give_up,
        )

    def played(self, id: str) -> PlayedGameAnswer:
        return self._get(PlayedGameAnswer, _game(id))

    def move(self, id: str, action: int) -> PlayedGameAnswer:
        """Move; the game after the agent's answer."""
        return self._post(PlayedGameAnswer, f"{_game(id)}/move", MoveRequest, action=action)

    def undo(self, id: str) -> PlayedGameAnswer:
        return self._post(PlayedGameAnswer, f"{_game(id)}/undo")

    def resign(self, id: str) -> PlayedGameAnswer:
        return self._post(PlayedGameAnswer, f"{_game(id)}/resign")

    def history(
        self, player: str, *, game: str | None = None, limit: int = 20, before: str | None = None
    ) -> list[ListedGame]:
        """A person's games without their boards, newest first; `before` is the game after the next page."""
        return self._get(list[ListedGame], "play", player=player, game=game, limit=limit, before=before)

    # ---- an account's own data, and training runs -----------------------------------------------------------
    def data(self, namespace: str, key: str | None = None) -> Any:
        """A value that was put there, or all of a namespace by key."""
        return self._get(object, _data(namespace, key))

    def put_data(self, namespace: str, key: str, value: Any) -> None:
        self._exchange("PUT", _data(namespace, key), json.dumps(value))

    def delete_data(self, namespace: str, key: str) -> None:
        self._exchange("DELETE", _data(namespace, key))

    def runs(self) -> list[RunSummary]:
        return self._get(list[RunSummary], "runs")

    def run(self, name: str) -> RunAnswer:
        return self._get(RunAnswer, f"runs/{quote(name, safe='')}")

    # ---- the wire -------------------------------------------------------------------------------------------
    def _enter(self, answer: LoginAnswer) -> AccountAnswer:
        self.token = answer.token
        return answer.account

    def _get(self, kind: type[T], path: str, **query: Any) -> T:
        given = urlencode({name: value for name, value in query.items() if value is not None})
        return self._read(kind, self._exchange("GET", f"{path}?{given}" if given else path))

    def _post(self, kind: type[T], path: str, request: type[Message] | None = None, **fields: Any) -> T:
        body = _request(request, **fields) if request else "{}"
        return self._read(kind, self._exchange("POST", path, body))

    def _read(self, kind: Any, answer: bytes) -> Any:
        """The answer as an object of this kind."""
        try:
            return _reader(kind).validate_json(answer, strict=True)
        except ValidationError as error:
            wrong = error.errors()[0]
            if wrong["type"] == "json_invalid":
                raise NoughtError(
                    f"{self.url} answered something else than JSON: is it a nought server?"
                ) from None
            said = in_words(wrong["loc"], wrong["msg"])
            raise NoughtError(
                f"the server's answer is not understood: {said}; is it as new as this program?"
            ) from None

    def _exchange(self, method: str, path: str, body: str = "{}") -> bytes:
        """Send a request; what is answered."""
        data = None if method in ("GET", "DELETE") else body.encode()
        request = urllib.request.Request(f"{self.url}/api/{path}", data, method=method)
        request.add_header("Accept", "application/json")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with self._open(request, timeout=self.timeout) as answer:
                text: bytes = answer.read()
                return text
        except urllib.error.HTTPError as error:
            with error:
                raise _refused(self.url, error) from None
        except TimeoutError:
            raise NoughtError(f"{self.url} did not answer within {self.timeout:g} seconds") from None
        except (OSError, http.client.HTTPException, ValueError) as error:  # the last: a token that is no text
            raise NoughtError(self._away(error)) from None

    def _away(self, error: Exception) -> str:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            return f"{self.url} did not answer within {self.timeout:g} seconds"
        if isinstance(reason, ConnectionRefusedError):
            return f"there is no server at {self.url}; `nought serve` starts one"
        return f"{self.url} cannot be reached: {getattr(reason, 'strerror', None) or reason or type(reason).__name__}"


@cache
def _reader(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _request(kind: type[Message], **fields: Any) -> str:
    """A request as JSON; a NoughtError where the server would not take it."""
    try:
        return kind(**fields).model_dump_json(exclude_none=True)
    except ValidationError as error:
        wrong = error.errors()[0]
        raise NoughtError(f"this cannot be asked for: {in_words(wrong['loc'], wrong['msg'])}") from None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Redirects are not followed: the token is for the server that was named and for no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


def server_url(text: str) -> str:
    """The address of a server as it is written everywhere: with its scheme, without a slash at the end."""
    parts = urlsplit(text if "://" in text else f"http://{text}")
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        port = None
    if parts.scheme not in ("http", "https") or not parts.hostname or port is None or " " in text:
        raise NoughtError(f"{text!r} is not the address of a server; it looks like http://127.0.0.1:8000")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}"


def _is_here(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _refused(url: str, error: urllib.error.HTTPError) -> Refused:
    """What the server says is wrong."""
    if 300 <= error.code < 400:
        return Refused(f"{url} has moved to {error.headers.get('Location')}: use that address", error.code)
    try:
        said = NewGameRefusal.model_validate_json(error.read())  # what others have to say is less
    except (ValueError, OSError, http.client.HTTPException):
        said = NewGameRefusal(error=f"{url} answered {error.code} {error.reason}")
    try:
        wait = float(error.headers.get("Retry-After") or math.nan)
    except ValueError:
        wait = math.nan
    if math.isnan(wait):
        return Refused(said.error, error.code, open_game=said.open_game)
    return Refused(f"{said.error} (again in {wait:g} seconds)", error.code, wait)


def _game(id: str) -> str:
    return f"play/{quote(str(id), safe='')}"


def _data(namespace: str, key: str | None) -> str:
    path = f"me/data/{quote(namespace, safe='')}"
    return path if key is None else f"{path}/{quote(key, safe='')}"
