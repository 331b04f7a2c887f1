"""The page's files hang together. No browser is needed for this."""

import json
import re
from pathlib import Path

import nought.server

STATIC = Path(nought.server.__file__).with_name("static")
SCRIPTS = sorted(STATIC.rglob("*.js"))


def test_offline_list_names_every_file():
    worker = (STATIC / "sw.js").read_text()
    listed = set(re.findall(r'"(/[^"]*)"', worker.partition("const FILES = [")[2].partition("];")[0]))
    unneeded = {"sw.js", "index.html", "fonts/OFL.txt"}  # index.html is there as /
    files = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()}
    assert listed == {"/"} | {f"/{name}" for name in files - unneeded}


def test_imports_lead_to_files():
    for script in SCRIPTS:
        for target in re.findall(r'^(?:import|export) .*? from "(.*?)";', script.read_text(), re.MULTILINE):
            assert (script.parent / target).is_file(), f"{script.name} imports {target}"


def test_every_imported_name_is_exported():
    exported = {
        script.resolve(): set(
            re.findall(r"^export (?:async )?(?:function\*?|const|class|let) (\w+)", script.read_text(), re.M)
        )
        for script in SCRIPTS
    }
    for script in SCRIPTS:
        for names, target in re.findall(
            r'^import \{([^}]*)\} from "(.*?)";', script.read_text(), re.MULTILINE
        ):
            wanted = {name.partition(" as ")[0].strip() for name in names.split(",")}
            assert wanted <= exported[(script.parent / target).resolve()], (
                f"{script.name} imports from {target}"
            )


# Each folder imports from those before it, and from itself; what starts the page imports from all.
FOLDERS = ("model", "thinking", "dom.js", "board", "parts", "learn", "pages")


def room(path: Path) -> int:
    name = path.resolve().relative_to(STATIC / "js").parts[0]
    return FOLDERS.index(name) if name in FOLDERS else len(FOLDERS)


def test_folders_import_from_those_before_them():
    for script in (STATIC / "js").rglob("*.js"):
        for target in re.findall(r'^} from "(.*?)";|^import .*? from "(.*?)";', script.read_text(), re.M):
            path = script.parent / "".join(target)
            assert room(path) <= room(script), f"{script.name} imports {path.name}"
            assert room(script) > FOLDERS.index("thinking") or path.name != "dom.js", (
                "a model knows no elements"
            )


def test_lessons_have_their_words():
    """Every lesson of the list has a module and words, every module is a lesson, and every formula has its words."""
    learn = STATIC / "js" / "learn"
    lessons = re.findall(r'id: "(\w+)", load: (.*) \}', (learn / "lessons.js").read_text())
    assert len(lessons) == 10
    taken = {name for name, load in lessons if load != "null"}
    assert {load for name, load in lessons if name in taken} == {
        f'() => import("./lessons/{name}.js")' for name in taken
    }
    assert {path.stem for path in (learn / "lessons").glob("*.js")} == taken
    for language in (learn / "words").iterdir():
        assert {path.stem for path in language.glob("*.js")} >= taken | {"frame"}
        for path in language.glob("*.js"):
            text = path.read_text()
            explained = re.findall(r'\bformula:\s*"(?:[^"\\]|\\.)*",\s*words:', text)
            assert len(explained) == len(re.findall(r"\bformula:", text)), path


def test_mathematics_of_lessons_know_no_elements():
    for script in (STATIC / "js" / "learn" / "maths").glob("*.js"):
        targets = re.findall(r'^(?:import|export) .*? from "(.*?)";', script.read_text(), re.MULTILINE)
        assert all((script.parent / target).parent == script.parent for target in targets), script.name
        assert "document" not in script.read_text(), script.name


def test_what_is_exported_is_used():
    asked_in_node = (Path(__file__).parents[1] / "export" / "site.mjs", Path(__file__).with_name("learn.mjs"))
    texts = {script: script.read_text() for script in (*SCRIPTS, *asked_in_node)}
    for script, text in texts.items():
        others = "".join(other for path, other in texts.items() if path != script)
        names = set(re.findall(r"^export (?:async )?(?:function\*?|const|class|let) (\w+)", text, re.M))
        if script.parent.name == "pages":
            names -= {"title", "render"}  # the router's
        if script.parent.name == "lessons":
            names -= {"steps"}  # the lesson's frame's
        unused = {name for name in names if not re.search(rf"\b{name}\b", others)}
        assert unused == set(), script.name


def test_nothing_that_the_content_policy_forbids():
    html = (STATIC / "index.html").read_text()
    assert re.findall(r"<script(?![^>]*\bsrc=)", html) == []
    assert re.findall(r'<style|\sstyle="|\son\w+="', html) == []
    for script in SCRIPTS:
        assert (
            re.findall(
                r"\.innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", script.read_text()
            )
            == []
        )
    for text in (html, *(path.read_text() for path in (*SCRIPTS, *STATIC.rglob("*.css")))):
        hosts = set(re.findall(r"https?://([\w.]+)", text)) - {"www.w3.org"}
        assert hosts == set(), "everything comes from this server"


def test_manifest():
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text())
    assert manifest["display"] == "standalone" and manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        assert (STATIC / icon["src"].lstrip("/")).is_file()
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes  # what a phone asks for to install


def test_files_are_small():
    for script in SCRIPTS:
        assert len(script.read_text().splitlines()) < 400, script.name
