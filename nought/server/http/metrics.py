"""What the server counts, as Prometheus reads it, and a line in the log for every request."""

from __future__ import annotations

import json
import logging
import time
from bisect import bisect_left
from collections import Counter
from itertools import accumulate

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nought.server.http.errors import printable

SECONDS_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # bounds of the histogram
log = logging.getLogger("nought.server.requests")


class Metrics:
    """Requests by route and status, and how long they took."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.durations = [0] * (len(SECONDS_BOUNDS) + 1)
        self.seconds = 0.0
        self.sockets = 0
        self.warm = False  # whether every game has been compiled

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        self.requests[method, route, status] += 1
        self.durations[bisect_left(SECONDS_BOUNDS, seconds)] += 1
        self.seconds += seconds

    def lines(self) -> list[str]:
        """In Prometheus's text format."""
        lines = ["# TYPE nought_requests_total counter"]
        for (method, route, status), count in sorted(self.requests.items()):
            labels = f'method="{method}",route="{escaped(route)}",status="{status}"'
            lines.append(f"nought_requests_total{{{labels}}} {count}")
        lines.append("# TYPE nought_request_seconds histogram")
        bounds = [*(f"{bound:g}" for bound in SECONDS_BOUNDS), "+Inf"]
        for bound, count in zip(bounds, accumulate(self.durations), strict=True):
            lines.append(f'nought_request_seconds_bucket{{le="{bound}"}} {count}')
        lines.append(f"nought_request_seconds_sum {self.seconds:.6f}")
        lines.append(f"nought_request_seconds_count {sum(self.durations)}")
        lines += ["# TYPE nought_sockets_open gauge", f"nought_sockets_open {self.sockets}"]
        return lines


class Observe:
    """Counts and logs every request, around everything else."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noting)
        finally:
            seconds = time.perf_counter() - begun
            # by the route's pattern: what clients make up as a path must not become a label of its own
            route = getattr(scope.get("route"), "path", "") or "(page)"
            self.metrics.request(_method(scope), route, status, seconds)
            client = scope["client"][0] if scope.get("client") else ""
            facts = {
                "client": client, "method": scope["method"], "path": printable(scope["path"]), "status": status,
                "ms": round(1000 * seconds, 1),
            }  # fmt: skip
            log.info("%(method)s %(path)s %(status)s in %(ms)s ms", facts, extra={"facts": facts})


class JsonLogFormatter(logging.Formatter):
    """Every record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def _method(scope: Scope) -> str:
    known = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
    return scope["method"] if scope["method"] in known else "other"


def escaped(text: str) -> str:
    """A text as Prometheus takes it between quotes."""
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", " ")
