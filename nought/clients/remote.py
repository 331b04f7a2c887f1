"""A nought server from Python: `Server("http://127.0.0.1:8000").analyse("connect4", "44")`."""

from __future__ import annotations

import http.client
import ipaddress
import json
import math
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from nought.clients.answers import (
    Account,
    Analysis,
    BestMove,
    Entry,
    Game,
    MoveJudged,
    PlayedGame,
    Position,
    Profile,
    read,
)
from nought.errors import NoughtError

TIMEOUT = 60.0  # seconds that an answer may take: an agent may think for a while


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
    def games(self) -> list[Game]:
        return read(list[Game], self._get("games"))

    def position(self, game: str, moves: str = "") -> Position:
        """The position after these moves, written as in `nought play`."""
        return read(Position, self._get("position", game=game, moves=moves))

    def best_move(self, game: str, moves: str = "", **how: Any) -> BestMove:
        """What an agent would play; `how` is agent=, simulations= or seconds=."""
        return read(BestMove, self._post("best-move", game=game, moves=moves, **how))

    def analyse(self, game: str, moves: str = "", **how: Any) -> Analysis:
        """What an agent thinks of every move; `how` is agent=, simulations= or seconds=."""
        return read(Analysis, self._post("analyse", game=game, moves=moves, **how))

    def mistakes(self, game: str, moves: str) -> list[MoveJudged]:
        """Every move of a game, judged."""
        return read(list[MoveJudged], self._post("mistakes", game=game, moves=moves))

    # ---- accounts -------------------------------------------------------------------------------------------
    def new_account(self) -> Account:
        """A guest's account; `token` is its key from now on."""
        return self._enter(self._post("accounts"))

    def login(self, name: str, password: str) -> Account:
        return self._enter(self._post("login", name=name, password=password))

    def logout(self) -> None:
        self._post("logout")
        self.token = None

    def keep_account(self, name: str | None = None, password: str | None = None) -> Account:
        """Give the account a name and a password, so that it can be entered from elsewhere."""
        return read(Account, self._call("PATCH", "me", {"name": name, "password": password}))

    def me(self) -> Profile:
        return read(Profile, self._get("me"))

    def player(self, name: str) -> Profile:
        return read(Profile, self._get(f"players/{quote(name, safe='')}"))

    def ladder(self, game: str) -> list[Entry]:
        """Persons and agents, best first."""
        return read(list[Entry], self._get("ladder", game=game))

    # ---- playing --------------------------------------------------------------------------------------------
    def play(
        self,
        game: str,
        *,
        side: str = "random",
        opponent: str = "closest",
        rated: bool = True,
        start: str | None = None,
        simulations: int | None = None,
        give_up: bool = False,
    ) -> PlayedGame:
        """Begin a game; if the agent is to move first, it has moved.

        While a rated game of the same kind is open another one is Refused, and `open_game` says which it is; `give_up`
        loses that one instead.
        """
        wanted = {"game": game, "side": side, "opponent": opponent, "rated": rated, "give_up": give_up}
        return read(PlayedGame, self._post("play", **wanted, start=start, simulations=simulations))

    def played(self, id: str) -> PlayedGame:
        return read(PlayedGame, self._get(_game(id)))

    def move(self, id: str, action: int) -> PlayedGame:
        """Move; the game after the agent's answer."""
        return read(PlayedGame, self._post(f"{_game(id)}/move", action=action))

    def undo(self, id: str) -> PlayedGame:
        return read(PlayedGame, self._post(f"{_game(id)}/undo"))

    def resign(self, id: str) -> PlayedGame:
        return read(PlayedGame, self._post(f"{_game(id)}/resign"))

    def history(
        self, player: str, *, game: str | None = None, limit: int = 20, before: str | None = None
    ) -> list[PlayedGame]:
        """A person's games without their boards, newest first; `before` is the game after the next page."""
        return read(list[PlayedGame], self._get("play", player=player, game=game, limit=limit, before=before))

    # ---- an account's own data, and training runs -----------------------------------------------------------
    def data(self, namespace: str, key: str | None = None) -> Any:
        """A value that was put there, or all of a namespace by key."""
        return self._get(_data(namespace, key))

    def put_data(self, namespace: str, key: str, value: Any) -> None:
        self._call("PUT", _data(namespace, key), value)

    def delete_data(self, namespace: str, key: str) -> None:
        self._call("DELETE", _data(namespace, key))

    def runs(self) -> list[dict[str, Any]]:
        return read(list[dict], self._get("runs"))

    def run(self, name: str) -> dict[str, Any]:
        return read(dict, self._get(f"runs/{quote(name, safe='')}"))

    # ---- the wire -------------------------------------------------------------------------------------------
    def _enter(self, answer: Any) -> Account:
        try:
            account, token = read(Account, answer["account"]), answer["token"]
        except (KeyError, TypeError):
            raise NoughtError(f"{self.url} gave no account") from None
        self.token = str(token)
        return account

    def _get(self, path: str, **query: Any) -> Any:
        given = urlencode({name: value for name, value in query.items() if value is not None})
        return self._call("GET", f"{path}?{given}" if given else path)

    def _post(self, path: str, **fields: Any) -> Any:
        return self._call("POST", path, {name: value for name, value in fields.items() if value is not None})

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        data = None if method in ("GET", "DELETE") else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api/{path}", data, method=method)
        request.add_header("Accept", "application/json")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with self._open(request, timeout=self.timeout) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            with error:
                raise _refused(self.url, error) from None
        except TimeoutError:
            raise NoughtError(f"{self.url} did not answer within {self.timeout:g} seconds") from None
        except (
            OSError,
            http.client.HTTPException,
            ValueError,
        ) as error:  # ValueError: a token that is no text
            raise NoughtError(self._away(error)) from None
        try:
            return json.loads(text) if text.strip() else None
        except ValueError:
            raise NoughtError(
                f"{self.url} answered something else than JSON: is it a nought server?"
            ) from None

    def _away(self, error: Exception) -> str:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            return f"{self.url} did not answer within {self.timeout:g} seconds"
        if isinstance(reason, ConnectionRefusedError):
            return f"there is no server at {self.url}; `nought serve` starts one"
        return f"{self.url} cannot be reached: {getattr(reason, 'strerror', None) or reason or type(reason).__name__}"


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
    open_game = None
    try:
        answer = json.loads(error.read())
        message, open_game = str(answer["error"]), answer.get("open_game")
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        message = f"{url} answered {error.code} {error.reason}"
    try:
        wait = float(error.headers.get("Retry-After") or math.nan)
    except ValueError:
        wait = math.nan
    if math.isnan(wait):
        return Refused(message, error.code, open_game=open_game)
    return Refused(f"{message} (again in {wait:g} seconds)", error.code, wait)


def _game(id: str) -> str:
    return f"play/{quote(str(id), safe='')}"


def _data(namespace: str, key: str | None) -> str:
    path = f"me/data/{quote(namespace, safe='')}"
    return path if key is None else f"{path}/{quote(key, safe='')}"
