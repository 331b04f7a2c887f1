"""What `make` installs for whom: who plays needs no tools for tests."""

from pathlib import Path

import pytest

from tests.support.programs import run_program

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("target", "tools"),
    [
        ("play", False),
        ("train", False),
        ("console", False),
        ("bench", False),
        ("test", True),
        ("check", True),
    ],
)
def test_tools_are_installed_for_tests_and_checks_alone(tmp_path: Path, target: str, tools: bool) -> None:
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    plan = run_program(["make", "--dry-run", target], cwd=tmp_path)
    assert plan.returncode == 0, plan.stderr
    assert "--editable '.[oracle]'" in plan.stdout
    assert ("--editable '.[dev]'" in plan.stdout) == tools
