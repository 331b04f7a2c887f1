"""What decides play in a game's file: two files with the same rules are one game, however they look.

The rules are the contract's functions with the facts about state, moves and planes, and whatever else of the file those
use. Each part has a hash of its syntax without docstrings, annotations, comments and spaces. How a game is drawn, how
its moves are called and what it says about itself are no part of that: a network stays valid when they change.

The file is only read here, never run.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import lru_cache

from nought.games.game import OPTIONAL_RULES, RULES, Game

DECIDING = ("STATE", "ACTIONS", "PLANES", *RULES, *OPTIONAL_RULES)
WHOLE = "the game"  # the one part of a game that is not a file of rules, as OpenSpiel's
LEFT_OUT = ("annotation", "returns", "type_comment", "ctx", "kind", "simple")  # fields that decide nothing
DIGITS = 12  # of a part's hash

Parts = dict[str, str]


def rules_of(game: Game) -> Parts:
    """The parts of a game's file that decide play: a hash by the names that each of them defines."""
    return dict(rules_in(game.source))


def same_rules(one: Game, other: Game) -> bool:
    """Whether two games are played alike."""
    return one.source == other.source or rules_in(one.source) == rules_in(other.source)


def changed_rules(before: Parts, now: Parts) -> list[str]:
    """The names of what is another now, is new or is gone."""
    names = dict.fromkeys([*now, *before])
    return [name for name in names if before.get(name) != now.get(name)]


@lru_cache(maxsize=256)
def rules_in(source: str) -> Parts:
    """The parts of a game's text that decide play; the text as a whole where it is no file of rules."""
    try:
        statements = [_Statement(node) for node in ast.parse(source).body]
    except SyntaxError:
        statements = []
    modules = set().union(*(s.binds for s in statements if isinstance(s.node, ast.Import | ast.ImportFrom)))
    needed = {name for name in DECIDING if any(name in statement.binds for statement in statements)}
    if not needed:
        return {WHOLE: _hash(source)}
    chosen: list[_Statement] = []
    while found := [s for s in statements if s not in chosen and needed & (s.binds | s.alters - modules)]:
        chosen += found
        needed |= {name for statement in found for name in statement.uses | statement.binds}
    texts: dict[str, str] = {}
    for statement in statements:  # in their order: one may change what another has made
        if statement in chosen:
            label = ", ".join(sorted(statement.binds or statement.alters - modules))
            texts[label] = texts.get(label, "") + statement.text
    return {label: _hash(text) for label, text in texts.items()}


class _Statement:
    """A statement of the file: which names it binds, whose objects it may alter, and which names it uses."""

    def __init__(self, node: ast.stmt) -> None:
        self.node = node
        names = _Names()
        names.visit(node)
        self.uses, self.binds = names.read, names.bound
        simple = isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assert)  # an assert decides no move
        self.alters: set[str] = set() if simple else set(_altered(node)) - self.binds
        self.text = _written(node)


class _Names(ast.NodeVisitor):
    """The names that a piece of the file binds there, and those of the file that it reads."""

    def __init__(self) -> None:
        self.read: set[str] = set()
        self.bound: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        (self.bound if isinstance(node.ctx, ast.Store) else self.read).add(node.id)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.bound |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}

    visit_ImportFrom = visit_Import

    def visit_arg(self, node: ast.arg) -> None:
        self.bound.add(node.arg)  # and its annotation is not read

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        for part in (node.target, node.value):
            if part is not None:
                self.visit(part)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        self.bound.add(node.name)
        self._visit_within(node)

    visit_ClassDef = visit_FunctionDef

    def _visit_within(self, node: ast.AST) -> None:
        """What has names of its own: those it binds are nobody else's."""
        inner = _Names()
        for name, value in ast.iter_fields(node):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST) and name != "returns":
                    inner.visit(part)
        self.read |= inner.read - inner.bound

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_within


def _altered(node: ast.stmt) -> Iterator[str]:
    """Names of objects that are stored into, that have a method called, or that are handed to a call for its effect."""
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript | ast.Attribute) and isinstance(part.ctx, ast.Store):
            yield from _base(part)
        elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):
            yield from _base(part.value.func, methods_only=True)
            for argument in part.value.args:
                yield from _base(argument)


def _base(node: ast.expr, *, methods_only: bool = False) -> Iterator[str]:
    """The name at the root of TABLE[3].x."""
    inner = node
    while isinstance(inner, ast.Subscript | ast.Attribute | ast.Starred):
        inner = inner.value
    if isinstance(inner, ast.Name) and not (methods_only and inner is node):
        yield inner.id


def _written(node: object) -> str:
    """A piece of syntax as text, the same in every version of Python."""
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        node = ast.Assign([node.target], node.value)
    if isinstance(node, ast.AST):
        fields = ((name, _without_docstrings(value)) for name, value in ast.iter_fields(node))
        shown = (f"{n}={_written(v)}" for n, v in fields if n not in LEFT_OUT and v not in (None, []))
        return f"{type(node).__name__}({','.join(shown)})"
    if isinstance(node, list):
        return f"[{','.join(map(_written, node))}]"
    return f"{type(node).__name__}:{node!r}"


def _without_docstrings(value: object) -> object:
    """A block without statements that only say something."""
    if not isinstance(value, list):
        return value
    return [
        item for item in value if not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))
    ]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
