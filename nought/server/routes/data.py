"""What a client keeps for its account: any JSON value by namespace and key."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from nought.server.dependencies import Caller, ClientAddress, PeopleDep
from nought.server.people.custom_data import from_json

router = APIRouter(prefix="/api/me/data", tags=["data"])
JSON = "application/json"
ANY_JSON: dict[int | str, dict[str, Any]] = {200: {"content": {JSON: {"schema": {}}}}}
TAKES_JSON = {"requestBody": {"required": True, "content": {JSON: {"schema": {}}}}}


@router.get("/{namespace}", responses=ANY_JSON)
async def get_all(people: PeopleDep, caller: Caller, namespace: str) -> Response:
    """All values of a namespace by key."""
    values = await people.data.all(caller, namespace)
    return as_json("{" + ",".join(f"{json.dumps(key)}:{value}" for key, value in values.items()) + "}")


@router.get("/{namespace}/{key}", responses=ANY_JSON)
async def get_one(people: PeopleDep, caller: Caller, namespace: str, key: str) -> Response:
    """One value."""
    return as_json(await people.data.get(caller, namespace, key))


@router.put("/{namespace}/{key}", openapi_extra=TAKES_JSON, responses=ANY_JSON)
async def put(
    people: PeopleDep, caller: Caller, client: ClientAddress, namespace: str, key: str, request: Request
) -> Response:
    """Keep a value of at most 16 KiB; an account keeps at most 100."""
    await people.data.put(caller, namespace, key, from_json(await request.body()), client)
    return as_json("{}")


@router.delete("/{namespace}/{key}")
async def delete(people: PeopleDep, caller: Caller, namespace: str, key: str) -> dict[str, str]:
    """Forget a value, if there is one."""
    await people.data.delete(caller, namespace, key)
    return {}


def as_json(text: str) -> Response:
    """An answer that is JSON text already."""
    return Response(text, media_type=JSON)
