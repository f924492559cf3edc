"""Kernels that only kernels may call are asked by nobody else: a call from Python would end the process."""

from __future__ import annotations

import ast
from pathlib import Path

import sandbox

ROOT = Path(sandbox.__file__).parent
CLOSED = {"inner", "bare"}


def closed(module: ast.Module) -> set[str]:
    """Functions of a module that Python cannot call."""
    return {
        one.name
        for one in module.body
        if isinstance(one, ast.FunctionDef) and CLOSED & {ast.unparse(d) for d in one.decorator_list}
    }


def called(module: ast.Module, shut: dict[str, set[str]]) -> set[str]:
    """What a module takes of that; shut: the functions by the module they are in."""
    taken: set[str] = set()
    known: dict[str, set[str]] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                taken |= {one.name} & shut.get(node.module, set())
                known[one.asname or one.name] = shut.get(f"{node.module}.{one.name}", set())
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            taken |= {node.attr} & known.get(node.value.id, set())
    return taken


def test_python_calls_no_kernel_that_it_cannot_call() -> None:
    kernels = sorted(ROOT.glob("*/kernels/*.py"))
    shut = {
        ".".join(path.relative_to(ROOT.parent).with_suffix("").parts): closed(
            ast.parse(path.read_text("utf-8"))
        )
        for path in kernels
    }
    assert sum(map(len, shut.values())) > 50
    others = [
        (path, text)
        for folder in (ROOT, Path(__file__).parents[1])
        for path in folder.rglob("*.py")
        if path.parent.name != "kernels" and "kernels" in (text := path.read_text("utf-8"))
    ]
    found = {str(path): called(ast.parse(text), shut) for path, text in others}
    assert {path: names for path, names in found.items() if names} == {}


def test_a_call_would_be_seen() -> None:
    shut = {"sandbox.ground.kernels.lips": {"lip_at"}}
    by_name = ast.parse("from sandbox.ground.kernels.lips import lip_at, cut_lips")
    by_module = ast.parse("from sandbox.ground.kernels import lips as l\nl.lip_at(0); l.cut_lips(0)")
    assert called(by_name, shut) == called(by_module, shut) == {"lip_at"}
