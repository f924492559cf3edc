"""Every public function says what it does; who raises says so; who takes or gives arrays says their shapes, who takes or gives
numbers their units, and who computes after somebody else after whom."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

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
COUNT = r"(?:\d+|[a-km-tv-w]|n[xyz]?|[a-z]{3,}|[A-Z_]{3,})"
"""what an array is long: a number, a letter that is no coordinate, or a word."""
AXIS = rf"(?:(?:\d+|n[xy]) ?\* ?)*{COUNT}(?: ?\+ ?\d+)?"
SHAPE = re.compile(rf"\({AXIS},\)|\({AXIS}(?:, ?{AXIS})+\)|\bshape\b")
UNIT = re.compile(
    r"\bmm\b|\binch|\bmillimet|\bdegree|\bradian|\bsecond|\b(ms|s)\b|\bpixel|\bpoints\b|\bbyte|\bM(i?)B\b"
    r"|\bchance|\bprobabilit|\bshare|\btimes\b|\bratio|\bfactor|\bscale|\bper cent|%|\b0 to 1\b|\bunits?\b|\bnumber\b|\d\"",
    re.IGNORECASE,
)
"""what a number counts, wherever a function, its class or its module says so."""
NAMED = re.compile(r"(_|^)(mm|deg|degrees|in|inches|s|seconds|ms|px|radians|bytes|chance|share|scale)$")
"""names that say it themselves."""
NUMBER = re.compile(r"\bfloat\b")
PUBLISHED = {
    "check/narrow.py: narrow_places": "Gabriel, 1969",
    "ground/kernels/links_leap.py: cast_lips": "Amanatides",
    "ground/kernels/plan.py: clip_to_slab": "Sutherland and Hodgman, 1974",
    "ground/kernels/search_relaxed.py: relax": "Dijkstra, 1959",
    "physics/faces.py: _square_distance": "Ericson, Real-Time Collision Detection",
    "terrain/kernels/cover.py: least_area_cover": "Barequet and Sharir, 1995",
    "terrain/kernels/outline.py: widest_circle": "polylabel",
    "terrain/kernels/touch.py: _segments": "Ericson, Real-Time Collision Detection",
    "terrain/kernels/winding.py: winding": "van Oosterom and Strackee, 1983",
}
"""functions that compute after somebody else, and what their docstrings have to name."""


def public(
    node: ast.Module | ast.ClassDef, before: str
) -> Iterator[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    """Classes, functions and methods without an underscore, with their names; what sets a property belongs to it."""
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and any(
            ast.unparse(d).endswith(".setter") for d in one.decorator_list
        ):
            continue
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


def numbers(function: ast.FunctionDef) -> bool:
    """Whether a function takes or gives a number whose name does not say what it counts."""
    given = [a for a in (*function.args.args, *function.args.kwonlyargs) if a.annotation is not None]
    named = [(a.arg, a.annotation) for a in given] + [(function.name, function.returns)]
    return any(
        told is not None and NUMBER.search(ast.unparse(told)) and not NAMED.search(name)
        for name, told in named
    )


def wanting(path: Path, module: ast.Module) -> Iterator[str]:
    """What the docstrings of a module leave out."""
    full = path.relative_to(ROOT).parts[0] in TOLD_IN_FULL
    around = ast.get_docstring(module) or ""
    classes = {one.name: ast.get_docstring(one) or "" for one in module.body if isinstance(one, ast.ClassDef)}
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
        owner = classes.get(name.partition(": ")[2].partition(".")[0], "")
        if numbers(one) and not UNIT.search(f"{told} {owner} {around}"):
            yield f"{name} does not say what its numbers count"


def test_docstrings_say_what_is_wanted() -> None:
    paths = sorted(ROOT.rglob("*.py"))
    assert len(paths) > 100
    assert [told for path in paths for told in wanting(path, ast.parse(path.read_text("utf-8")))] == []


def test_what_is_left_out_would_be_seen() -> None:
    module = ast.parse(
        "def a(): pass\n"
        "class B:\n  'b'\n  def c(self):\n    'c'\n    raise UserError('no')\n"
        "def d(points: Floats):\n  'places (x, y) of them (see above)'\n"
        "def e(points: Floats):\n  'places (n, 3)'\n"
        "def f(length: float):\n  'so long'\n"
        "def g(length: float):\n  'so many mm'\n"
        "def h(length_mm: float):\n  'so long'\n"
    )
    told = list(wanting(ROOT / "check" / "x.py", module))
    assert [line.partition(": ")[2].split()[0] for line in told] == ["a", "B.c", "d", "f"]


@pytest.mark.parametrize(("where", "named"), PUBLISHED.items())
def test_who_computes_after_somebody_names_them(where: str, named: str) -> None:
    path, _, name = where.partition(": ")
    module = ast.parse((ROOT / path).read_text("utf-8"))
    function = next(one for one in module.body if isinstance(one, ast.FunctionDef) and one.name == name)
    assert named in (ast.get_docstring(function) or "")
