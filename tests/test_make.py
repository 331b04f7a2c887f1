"""What `make` installs for whom: who plays needs no tools for tests. The page's JavaScript is checked where it can be."""

import shutil
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
    assert "--editable '.[oracle,int8]'" in plan.stdout
    assert ("--editable '.[dev]'" in plan.stdout) == tools


NEEDED = "bash cat dirname env grep head mktemp rm sed touch"  # by `.ci/check-page`


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with `.ci/check-page`, and in bin/ all that it needs but node and npm."""
    (tmp_path / "bin").mkdir()
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/check-page", tmp_path / ".ci")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / name, tmp_path)
    for name in NEEDED.split():
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or "")
    return tmp_path


def check_page(checkout: Path, npm: str | None = None) -> tuple[int, str]:
    """What `.ci/check-page` says, and how it ends, where npm is this script."""
    if npm is not None:
        for name, script in (("node", ""), ("npm", npm)):
            (checkout / "bin" / name).write_text(f"#!/usr/bin/env bash\n{script}\n")
            (checkout / "bin" / name).chmod(0o755)
    ended = run_program([".ci/check-page"], cwd=checkout, env={"PATH": str(checkout / "bin")})
    return ended.returncode, ended.stdout + ended.stderr


def test_without_node_the_page_is_not_checked(checkout: Path) -> None:
    expected = "The page's JavaScript was not checked: there is no node (apt install nodejs npm)\n"
    assert check_page(checkout) == (0, expected)


def test_without_a_registry_the_page_is_not_checked(checkout: Path) -> None:
    code, said = check_page(checkout, 'echo "npm error code ENOTFOUND" >&2; exit 1')
    assert code == 0
    assert said.splitlines()[1:] == [
        "The page's JavaScript was not checked: npm could not install ESLint and Prettier (ENOTFOUND)"
    ]


def test_a_lock_file_that_does_not_fit_is_an_error(checkout: Path) -> None:
    code, said = check_page(checkout, 'echo "npm error code EUSAGE" >&2; exit 1')
    assert (code, said.splitlines()[-1]) == (1, "npm error code EUSAGE")


def test_the_tools_are_installed_once_and_what_they_find_is_an_error(checkout: Path) -> None:
    npm = 'if [ $1 = ci ]; then mkdir node_modules; else echo "no-undef"; exit 1; fi'
    (checkout / "bin/mkdir").symlink_to(shutil.which("mkdir") or "")
    assert check_page(checkout, npm) == (1, "Adding ESLint and Prettier to node_modules, once …\nno-undef\n")
    assert check_page(checkout, npm) == (1, "no-undef\n")


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (ROOT / "package-lock.json").read_text()
