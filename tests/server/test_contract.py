"""The whole API against its own description: whatever is sent, the answer is as described and never a 5xx."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from nought.server.app import create_app
from nought.server.settings import ServerLimits, Settings
from nought.wire.message import Message
from tests.server.support.serving import serving

LIMITS = ServerLimits(rate=0, simulations=50, seconds=0.05, inside=5)
CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]
DESCRIPTION = schemathesis.openapi.from_dict(create_app(Settings(warm_up=False)).openapi())
OPERATIONS = {found.ok().label: found.ok() for found in DESCRIPTION.get_all_operations()}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("contract"), limits=LIMITS) as client:
        client.headers["Authorization"] = f"Bearer {client.post('/api/accounts', json={}).json()['token']}"
        yield client


@pytest.mark.parametrize("label", OPERATIONS)
def test_nothing_that_is_sent_breaks_the_server(client: TestClient, label: str) -> None:
    @settings(
        max_examples=20,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    @given(case=cases(OPERATIONS[label]))
    def send(case: schemathesis.Case) -> None:
        request = case.as_transport_kwargs(base_url="http://testserver")
        request["headers"] = {
            name: value for name, value in request["headers"].items() if _can_be_sent(value)
        }
        answer = client.request(**request, follow_redirects=False)
        case.validate_response(answer, checks=CHECKS)
        if answer.status_code >= 400:
            assert answer.json()["error"]

    send()


def cases(operation: Any) -> Any:
    """Requests as they are described, and where something can be wrong with them, wrong ones."""
    right = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    if not (operation.body or operation.query):
        return right
    return st.one_of(right, operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))


def _can_be_sent(value: str) -> bool:
    return value.isascii()


def test_the_description_has_every_call(tmp_path: Path) -> None:
    described = {
        (method, path) for path, methods in DESCRIPTION.raw_schema["paths"].items() for method in methods
    }
    assert {
        ("get", "/api/games"),
        ("post", "/api/analyse"),
        ("post", "/api/play"),
        ("get", "/api/runs"),
    } <= described


def test_all_that_is_sent_and_answered_is_declared_once_in_the_wire() -> None:
    declared = {
        name: cls
        for module in ("accounts", "analysis", "browser", "games", "inside", "message", "play", "server")
        for name, cls in vars(import_module(f"nought.wire.{module}")).items()
        if isinstance(cls, type) and issubclass(cls, Message)
    }
    described = {
        **DESCRIPTION.raw_schema["components"]["schemas"],
        "StopRequest": {"properties": {"stop": {}}},  # of a WebSocket, which OpenAPI does not describe
    }
    bases = {"Message", "DrawnBoard", "PlayedGameFacts"}
    errors = {"HTTPValidationError", "ValidationError"}  # FastAPI's own, which are never answered
    assert declared.keys() - bases == described.keys() - errors
    for name in declared.keys() - bases:
        assert list(declared[name].model_fields) == list(described[name]["properties"])
