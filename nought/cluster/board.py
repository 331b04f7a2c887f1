"""What a run tells about its players, where everybody in the cluster can read it: in Ray's own table of keys and values."""

from __future__ import annotations

import json
import time
from typing import Any

INTERVAL = 2.0  # seconds between two notes
KEY = b"nought:run:"


def publish(run: str, standing: dict[str, Any]) -> None:
    """Say how a run stands."""
    from ray.experimental.internal_kv import _internal_kv_put

    text = json.dumps({"run": run, "time": time.time(), **standing})
    _internal_kv_put(KEY + run.encode(), text.encode(), overwrite=True)


def remove(run: str) -> None:
    """A run is over, or goes on without the cluster."""
    from ray.experimental.internal_kv import _internal_kv_del

    _internal_kv_del(KEY + run.encode())


def standings() -> list[dict[str, Any]]:
    """How all runs of the cluster stand, by their names."""
    from ray.experimental.internal_kv import _internal_kv_get, _internal_kv_list

    texts = [_internal_kv_get(key) for key in sorted(_internal_kv_list(KEY))]
    return [json.loads(text) for text in texts if text]
