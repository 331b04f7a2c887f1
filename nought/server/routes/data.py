"""What a client keeps for its account: any JSON value by namespace and key."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from nought.server.data import from_json
from nought.server.people import Caller, Us

router = APIRouter(prefix="/api/me/data", tags=["data"])
JSON = "application/json"
ANY_JSON: dict[int | str, dict[str, Any]] = {200: {"content": {JSON: {"schema": {}}}}}
TAKES_JSON = {"requestBody": {"required": True, "content": {JSON: {"schema": {}}}}}


@router.get("/{namespace}", responses=ANY_JSON)
async def get_all(us: Us, caller: Caller, namespace: str) -> Response:
    """All values of a namespace by key."""
    values = await us.data.all(caller, namespace)
    return as_json("{" + ",".join(f"{json.dumps(key)}:{value}" for key, value in values.items()) + "}")


@router.get("/{namespace}/{key}", responses=ANY_JSON)
async def get_one(us: Us, caller: Caller, namespace: str, key: str) -> Response:
    return as_json(await us.data.get(caller, namespace, key))


@router.put("/{namespace}/{key}", openapi_extra=TAKES_JSON, responses=ANY_JSON)
async def put(us: Us, caller: Caller, namespace: str, key: str, request: Request) -> Response:
    """Keep a value of at most 16 KiB; an account keeps at most 100."""
    await us.data.put(caller, namespace, key, from_json(await request.body()))
    return as_json("{}")


@router.delete("/{namespace}/{key}")
async def delete(us: Us, caller: Caller, namespace: str, key: str) -> dict[str, str]:
    """Forget a value, if there is one."""
    await us.data.delete(caller, namespace, key)
    return {}


def as_json(text: str) -> Response:
    return Response(text, media_type=JSON)
