"""Every public function says what it does; who raises says so; who takes or gives arrays says their shapes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import sandbox

ROOT = Path(sandbox.__file__).parent
TOLD_IN_FULL = (
    "catalogue",
    "check",
    "export",
    "files",
    "ground",
    "help",
    "layout",
    "moves",
    "physics",
    "play",
    "rules",
    "scene",
    "teach",
    "terrain",
    "view",
)
"""packages in which the errors and the shapes are told too."""
ARRAY = re.compile(r"NDArray|Floats|Ints|Bools|ndarray")
SHAPE = re.compile(r"\((\d [*] ?)?\w+( \w)?(, ?\w+)*,?\)|\bshape\b")


def public(
    node: ast.Module | ast.ClassDef, before: str
) -> Iterator[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    """Classes, functions and methods without an underscore, with their names."""
    for one in node.body:
        if isinstance(one, ast.FunctionDef | ast.ClassDef) and not one.name.startswith("_"):
            yield f"{before}{one.name}", one
            if isinstance(one, ast.ClassDef):
                yield from public(one, f"{before}{one.name}.")


def raises(function: ast.FunctionDef) -> bool:
    """Whether a function itself raises a UserError, or has a document raise it."""
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) and node.exc is not None:
            if re.search(r"UserError|\.error\(", ast.unparse(node.exc)):
                return True
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "fail":
            return True
    return False


def wanting(path: Path, module: ast.Module) -> Iterator[str]:
    """What the docstrings of a module leave out."""
    full = path.relative_to(ROOT).parts[0] in TOLD_IN_FULL
    for name, one in public(module, f"{path.relative_to(ROOT)}: "):
        told = ast.get_docstring(one)
        if not told:
            yield f"{name} has no docstring"
        if not (told and full and isinstance(one, ast.FunctionDef)):
            continue
        if raises(one) and not re.search(r"UserError|[Rr]aise|[Rr]efuse", told):
            yield f"{name} does not say that it raises UserError"
        signature = ast.unparse(one.args) + (ast.unparse(one.returns) if one.returns else "")
        if ARRAY.search(signature) and not SHAPE.search(told):
            yield f"{name} does not say what shape its arrays have"


def test_docstrings_say_what_is_wanted() -> None:
    paths = sorted(ROOT.rglob("*.py"))
    assert len(paths) > 100
    assert [told for path in paths for told in wanting(path, ast.parse(path.read_text("utf-8")))] == []


def test_what_is_left_out_would_be_seen() -> None:
    module = ast.parse(
        "def a(): pass\n"
        "class B:\n  'b'\n  def c(self):\n    'c'\n    raise UserError('no')\n"
        "def d(points: Floats):\n  'places'\n"
        "def e(points: Floats):\n  'places (n, 3)'\n"
    )
    told = list(wanting(ROOT / "check" / "x.py", module))
    assert [line.partition(": ")[2].split()[0] for line in told] == ["a", "B.c", "d"]
