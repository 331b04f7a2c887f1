from __future__ import annotations

from pathlib import Path

import pytest

from nought.files import replacing, write_whole


def test_a_file_is_replaced_when_the_new_one_is_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with replacing(path, ".kind") as temporary:
        assert temporary.suffix == ".kind" and temporary.parent == tmp_path
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new" and list(tmp_path.iterdir()) == [path]


def test_where_writing_fails_the_old_file_stays_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")
    with pytest.raises(KeyboardInterrupt):
        write_half(path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def write_half(path: Path) -> None:
    with replacing(path) as temporary:
        temporary.write_text("half of")
        raise KeyboardInterrupt
