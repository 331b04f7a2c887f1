"""What the documents point to is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_links_lead_to_files(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    local = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert [link for link in local if not (document.parent / link).exists()] == []


def test_the_index_has_every_document() -> None:
    """A folder with an index of its own stands in the index by that."""
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")

    def listed(document: Path) -> bool:
        own = document.with_name("index.md")
        if document == own or not own.is_file():
            return f"({document.relative_to(ROOT / 'docs')})" in index
        return f"({document.name})" in own.read_text(encoding="utf-8")

    assert [d for d in DOCUMENTS[1:] if d.parent != ROOT / "docs" and not listed(d)] == []
    assert "(contributing.md)" in index


def test_documents_that_the_code_names_are_there() -> None:
    """As in "the equations are in docs/reference/method.md"."""
    texts = [
        path
        for folder in ("nought", "benchmarks", "scripts", "studies")
        for path in (ROOT / folder).rglob("*.py")
    ]
    named = {
        name for path in texts for name in re.findall(r"docs/[\w/-]+\.md", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 5
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
