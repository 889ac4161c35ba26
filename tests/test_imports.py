"""Dependencies point one way: cli, web -> odds, simulate, store, formats, render -> encounter -> scene -> ask, events,
modifiers -> dice. Rulesets stand on the core alone and know nothing of one another. Only read, nothing is run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SRC = Path(__file__).resolve().parents[1] / "src"

# A unit is what follows `affray.`: a module or a package. It may import its own layer and those before it.
LAYERS = (
    ("dice", "errors", "recent", "totals"),
    ("ask", "clock", "domains", "events", "modifiers", "reading", "rules", "setup", "space"),
    ("audience", "interpreters", "order", "policies", "ruleset", "scene", "tabular"),
    ("encounter", "record", "referee"),
    ("compendium", "formats", "odds", "render", "simulate", "store"),
    ("sight",),
    ("table",),
    ("__main__", "cli", "web"),
)
LAYER = {unit: number for number, layer in enumerate(LAYERS) for unit in layer}
BELOW_RULESETS = 2
CORE = 3
FINDER = "affray.ruleset"
"""The one core module that lists the rulesets, so that one can be found by its name."""

MSGSPEC = {"msgspec"}
IMPURE = {"random", "secrets", "time", "datetime"}


@dataclass(frozen=True)
class Import:
    """One import of a module, by its full name; `soft` when it does not run with the importer (types, functions)."""

    importer: str
    imported: str
    soft: bool

    def __str__(self) -> str:
        return f"{self.importer} imports {self.imported}"


def module_name(path: Path, src: Path) -> str:
    parts = path.relative_to(src).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def sources(src: Path) -> dict[str, ast.Module]:
    """Every module of the package with its syntax tree."""
    return {module_name(path, src): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(src.rglob("*.py"))}


@cache
def packages(src: Path) -> set[str]:
    return {module_name(path, src) for path in src.rglob("__init__.py")}


def _statements(tree: ast.AST, soft: bool = False) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, soft
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for child in node.body:
                yield from _statements(ast.Module([child], []), True)
            for child in node.orelse:
                yield from _statements(ast.Module([child], []), soft)
        else:
            yield from _statements(node, soft or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))


@cache
def imports(src: Path) -> list[Import]:
    modules, inner = sources(src), packages(src)
    found = []
    for importer, tree in modules.items():
        for node, soft in _statements(tree):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                base = node.module or ""
                if node.level:
                    here = importer.split(".") + ([""] if importer in inner else [])
                    base = ".".join([*here[: -node.level], *([base] if base else [])])
                names = [f"{base}.{a.name}" if f"{base}.{a.name}" in modules else base for a in node.names]
            found += [Import(importer, name, soft) for name in names]
    return found


def unit(module: str) -> str | None:
    """The unit of a module of Affray; None for the package itself and for what is not Affray's."""
    parts = module.split(".")
    return parts[1] if parts[0] == "affray" and len(parts) > 1 else None


def ruleset(module: str) -> str | None:
    parts = module.split(".")
    return parts[2] if parts[:2] == ["affray", "rulesets"] and len(parts) > 2 else None


def wrong_way(found: list[Import]) -> list[str]:
    """Imports against the direction, in words."""
    wrong = []
    for one in found:
        here, there = unit(one.importer), unit(one.imported)
        if there is None or here is None:
            if here is None and there is not None:
                wrong.append(f"{one}: the package itself imports nothing")
            continue
        if here == "rulesets":
            mine, theirs = ruleset(one.importer), ruleset(one.imported)
            if there == "rulesets":
                if theirs is not None and theirs != mine:
                    wrong.append(f"{one}: no ruleset knows another")
            elif LAYER.get(there, 99) > BELOW_RULESETS:
                wrong.append(f"{one}: a ruleset imports only the core below it")
        elif here not in LAYER:
            wrong.append(f"{one.importer}: {here!r} has no layer yet; give it one in LAYERS")
        elif there == "rulesets":
            if LAYER[here] <= CORE:
                wrong.append(f"{one}: the core names no ruleset")
        elif LAYER.get(there, 99) > LAYER[here]:
            wrong.append(f"{one}: {there!r} lies above {here!r}")
    return wrong


def foreign(found: list[Import]) -> list[str]:
    """What the core, the rulesets and `formats` may take from outside Affray."""
    wrong = []
    for one in found:
        here, top = unit(one.importer), one.imported.split(".")[0]
        if here is None or top == "affray":
            continue
        outside = top not in sys.stdlib_module_names
        if here == "rulesets" and top in IMPURE:
            wrong.append(f"{one}: a rule neither rolls dice nor reads a clock, it asks")
        elif here == "dice" and outside:
            wrong.append(f"{one}: dice needs the standard library only")
        elif (here == "rulesets" or LAYER.get(here, 99) <= CORE) and outside and top not in MSGSPEC:
            wrong.append(f"{one}: the core and the rulesets need msgspec only")
        elif top == "pydantic" and here != "formats":
            wrong.append(f"{one}: pydantic is for formats only")
    return wrong


def named_rulesets(src: Path) -> list[str]:
    """Core modules in whose code (comments and docstrings aside) the name of a ruleset stands."""
    modules = sources(src)
    names = {name for name in map(ruleset, modules) if name}
    wrong = []
    for module, tree in modules.items():
        if module == FINDER or LAYER.get(unit(module) or "", 99) > CORE:
            continue
        texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
                wrong += [f"{module}:{node.lineno} names {name!r}" for name in names if name in node.value.split(".")]
    return wrong


def cycles(found: list[Import]) -> list[str]:
    """Modules that import each other while they load."""
    graph: dict[str, set[str]] = {}
    for one in found:
        if not one.soft and unit(one.imported) and one.importer != one.imported:
            graph.setdefault(one.importer, set()).add(one.imported)
    wrong, done = [], set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        if module in path:
            wrong.append(" -> ".join((*path[path.index(module) :], module)))
        elif module not in done:
            for following in sorted(graph.get(module, ())):
                visit(following, (*path, module))
            done.add(module)

    for module in sorted(graph):
        visit(module, ())
    return wrong


def test_imports_point_one_way() -> None:
    assert wrong_way(imports(SRC)) == []


def test_the_core_takes_little_from_outside() -> None:
    assert foreign(imports(SRC)) == []


def test_the_core_names_no_ruleset() -> None:
    assert named_rulesets(SRC) == []


def test_no_cycles() -> None:
    assert cycles(imports(SRC)) == []


def made_up(tmp_path: Path, files: dict[str, str]) -> Path:
    for name, text in {"__init__.py": "", **files}.items():
        path = tmp_path / "affray" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_violations_are_seen(tmp_path: Path) -> None:
    src = made_up(
        tmp_path,
        {
            "dice.py": "import msgspec\nfrom .scene import Scene\n",
            "scene.py": "def f():\n    from affray.rulesets.one import numbers\n",
            "mystery.py": "import affray.dice\n",
            "rulesets/__init__.py": "",
            "rulesets/one/__init__.py": "",
            "rulesets/one/numbers.py": "import random\nfrom ..two import numbers\nfrom affray import encounter, dice\n",
            "rulesets/two/__init__.py": "from . import numbers\nfrom affray.scene import Scene\n",
            "rulesets/two/numbers.py": "import numpy\nfrom affray.cli import main\n",
            "encounter.py": "import affray.scene\nNAME = 'one'\n",
            "ruleset.py": "NAMES = ('one', 'two')\n",
            "cli/__init__.py": "import affray.encounter, pydantic\nfrom affray.rulesets.two import numbers\n",
        },
    )
    found = imports(src)
    assert wrong_way(found) == [
        "affray.dice imports affray.scene: 'scene' lies above 'dice'",
        "affray.mystery: 'mystery' has no layer yet; give it one in LAYERS",
        "affray.rulesets.one.numbers imports affray.rulesets.two.numbers: no ruleset knows another",
        "affray.rulesets.one.numbers imports affray.encounter: a ruleset imports only the core below it",
        "affray.rulesets.two.numbers imports affray.cli: a ruleset imports only the core below it",
        "affray.scene imports affray.rulesets.one.numbers: the core names no ruleset",
    ]
    assert foreign(found) == [
        "affray.cli imports pydantic: pydantic is for formats only",
        "affray.dice imports msgspec: dice needs the standard library only",
        "affray.rulesets.one.numbers imports random: a rule neither rolls dice nor reads a clock, it asks",
        "affray.rulesets.two.numbers imports numpy: the core and the rulesets need msgspec only",
    ]
    assert named_rulesets(src) == ["affray.encounter:2 names 'one'"]


def test_a_cycle_is_seen(tmp_path: Path) -> None:
    src = made_up(
        tmp_path,
        {
            "ask.py": "from affray.events import Event\n",
            "events.py": "from affray import ask\n",
            "clock.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from affray import space\n",
            "space.py": "import affray.clock\n",
        },
    )
    assert cycles(imports(src)) == ["affray.ask -> affray.events -> affray.ask"]
