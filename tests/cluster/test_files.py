"""The files of docs/guide/cluster.md can be read, and say what the guide does."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from nought.config import Parameters
from nought.presets import explained

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "cluster"
GUIDE = (ROOT / "docs" / "guide" / "cluster.md").read_text(encoding="utf-8")


def documents(name: str) -> list[dict]:
    yaml = pytest.importorskip("yaml")
    return list(yaml.safe_load_all((FOLDER / name).read_text(encoding="utf-8")))


def test_compose() -> None:
    (compose,) = documents("compose.yaml")
    learner, player = compose["services"]["learner"], compose["services"]["player"]
    assert set(compose["volumes"]) == {"runs"}
    assert not any("ports" in service for service in (learner, player))  # nobody else reaches them
    assert f"--address={learner['hostname']}:6379" in player["command"]
    script = learner["command"][-1].replace("$$", "$")
    assert "--port=6379" in script and "nought train" in script
    subprocess.run(["bash", "-n", "-c", script], check=True, timeout=30)


def test_kuberay() -> None:
    cluster, claim = documents("kuberay.yaml")
    head, (players,) = cluster["spec"]["headGroupSpec"], cluster["spec"]["workerGroupSpecs"]
    (volume,) = head["template"]["spec"]["volumes"]
    assert volume["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
    assert players["minReplicas"] <= players["replicas"] <= players["maxReplicas"]
    pinned = re.search(r"^ray==(.+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert cluster["spec"]["rayVersion"] == pinned[1]
    for group in (head, players):
        for container in group["template"]["spec"]["containers"]:
            assert container["image"] == "nought-cluster" and container["resources"]["limits"]


def test_slurm() -> None:
    subprocess.run(["bash", "-n", str(FOLDER / "slurm.sh")], check=True, timeout=30)


def test_the_guide_names_every_setting_and_its_value() -> None:
    for name, value, _, _ in explained(Parameters()):
        if name.startswith("cluster.") or name == "learning.devices":
            row = re.search(rf"^\| `{re.escape(name)}` \| (\S+) \|", GUIDE, re.MULTILINE)
            assert row, name
            assert row[1] == ("none" if value == '""' else value.removesuffix(".0")), name
