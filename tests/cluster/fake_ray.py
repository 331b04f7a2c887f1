"""As much of Ray as the crew uses, in this process: machines come, die and hang as a test says."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any


class RayError(Exception):
    pass


class Gone(RayError):
    """An actor has died."""


class Raised(RayError):
    """An actor's method has raised an exception."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.cause = cause


class FakeRay:
    """Calls are done when they are waited for, unless their machine hangs."""

    exceptions = SimpleNamespace(RayError=RayError)
    util = SimpleNamespace(
        scheduling_strategies=SimpleNamespace(NodeAffinitySchedulingStrategy=lambda node, soft: node)
    )

    def __init__(self) -> None:
        self.machines: dict[str, dict[str, Any]] = {}
        self.hanging: set[str] = set()
        self.actors: list[FakeActor] = []
        self.numbers = itertools.count()

    def add(self, name: str, cores: int = 1, gpus: int = 0) -> None:
        resources = {"CPU": float(cores)} | ({"GPU": float(gpus)} if gpus else {})
        self.machines[name] = {
            "NodeID": f"{name}{next(self.numbers):04d}",
            "Alive": True,
            "NodeManagerHostname": name,
            "Resources": resources,
        }

    def nodes(self) -> list[dict[str, Any]]:
        return list(self.machines.values())

    def name_of(self, node: str) -> str:
        return next((name for name, machine in self.machines.items() if machine["NodeID"] == node), "")

    def remote(self, **options: Any) -> Any:
        return lambda kind: SimpleNamespace(remote=lambda: FakeActor(self, kind(), options))

    def kill(self, actor: FakeActor) -> None:
        actor.dead = True

    def wait(self, calls: list[Call], num_returns: int, timeout: float) -> tuple[list[Call], list[Call]]:
        done = [call for call in calls if call.done][:num_returns]
        return done, [call for call in calls if call not in done]

    def get(self, call: Call, timeout: float) -> Any:
        return call.result()


class FakeActor:
    def __init__(self, ray: FakeRay, inner: Any, options: dict[str, Any]) -> None:
        self.ray, self.inner, self.options, self.dead = ray, inner, options, False
        self.node = ray.name_of(options["scheduling_strategy"])
        inner.node = self.node
        ray.actors.append(self)

    def __getattr__(self, method: str) -> Any:
        return SimpleNamespace(remote=lambda *arguments: Call(self, method, arguments))


class Call:
    def __init__(self, actor: FakeActor, method: str, arguments: tuple[Any, ...]) -> None:
        self.actor, self.method, self.arguments = actor, method, arguments

    @property
    def done(self) -> bool:
        return self.actor.node not in self.actor.ray.hanging

    def result(self) -> Any:
        if self.actor.dead:
            raise Gone("the actor died")
        try:
            return getattr(self.actor.inner, self.method)(*self.arguments)
        except Exception as error:
            raise Raised(error) from error
