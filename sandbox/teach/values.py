"""Expressions over what the engine found: small sums and comparisons that a lesson writes, and how values are told.

Names with dots, numbers, quoted words, ``+ - * /``, comparisons, ``in``, ``and or not``, ``min`` and ``max``; nothing
else is understood, so nothing can be run.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol

from sandbox.moves.words import chance, degrees, length
from sandbox.teach.words import listed, say

LONGEST = 200
"""characters of an expression."""
_BRACES = re.compile(r"\{([^{}]*)\}")


class Inches(float):
    """A distance on the table."""


class Chance(float):
    """A chance, 0 to 1."""


class Angle(float):
    """Degrees."""


class Pips(int):
    """What a die has to show, or a modifier to it."""


class Missing(ValueError):
    """What was asked for has no value here, or is not known; says so in words."""


class Named(Protocol):
    """Something with values that are got by name."""

    def get(self, name: str) -> Any:
        """The value; Missing where there is none."""


Names = Mapping[str, Any]

_SUMS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_CALLS: dict[str, Callable[..., Any]] = {"min": min, "max": max}


@lru_cache(maxsize=2000)
def parsed(text: str) -> ast.expr:
    """An expression as a tree. ValueError, saying what is allowed, where it is none."""
    if len(text) > LONGEST:
        raise ValueError(f"the expression is longer than {LONGEST} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"{text!r} is no expression; write something like climb.cost + 1") from None
    for node in ast.walk(tree):
        allowed = (
            ast.BinOp | ast.UnaryOp | ast.BoolOp | ast.Compare | ast.Attribute | ast.Name | ast.Constant | ast.Call
            | ast.operator | ast.unaryop | ast.boolop | ast.cmpop | ast.expr_context
        )  # fmt: skip
        if not isinstance(node, allowed):
            raise ValueError(f"{text!r}: only names, numbers, sums and comparisons are understood")
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _CALLS):
            raise ValueError(f"{text!r}: only min(...) and max(...) can be called")
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            raise ValueError(f"{text!r}: no such name {node.attr!r}")
    return tree


def value(text: str, names: Names) -> Any:
    """What an expression comes to. ValueError (Missing) where that cannot be said."""
    return _value(parsed(text), names, text)


def holds(text: str, names: Names) -> bool:
    """Whether a condition holds. ValueError where it is none."""
    found = value(text, names)
    if not isinstance(found, bool):
        raise ValueError(f"{text!r} is no condition: it comes to {told(found)}")
    return found


def filled(text: str, names: Names) -> str:
    """A text with the expressions in its braces replaced by what they come to."""
    return _BRACES.sub(lambda match: told(value(match[1], names), match[1]), text)


def told(found: Any, name: str = "") -> str:
    """A value in words: ``7.31 in``, ``33 %``, ``4+``, ``yes``. Missing where it is None."""
    if found is None:
        raise Missing(f"{name} has no value here")
    if isinstance(found, bool):
        return say("values", "yes" if found else "no")
    if isinstance(found, Inches):
        return length(float(found))
    if isinstance(found, Chance):
        return chance(float(found))
    if isinstance(found, Angle):
        return degrees(float(found))
    if isinstance(found, Pips):
        return f"{int(found)}+"
    if isinstance(found, int | float):
        return f"{found:g}"
    if isinstance(found, tuple | list):
        return listed([told(one) for one in found]) or say("values", "none")
    return str(found)


def _value(node: ast.expr, names: Names, text: str) -> Any:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool | int | float | str):
            return node.value
        raise ValueError(f"{text!r}: only numbers and quoted words are understood")
    if isinstance(node, ast.Name):
        if node.id in ("true", "false"):
            return node.id == "true"
        if node.id not in names:
            raise Missing(f"{node.id!r} is not known; there are {', '.join(sorted(names))}")
        return names[node.id]
    if isinstance(node, ast.Attribute):
        owner = _value(node.value, names, text)
        if not hasattr(owner, "get"):
            raise Missing(f"{ast.unparse(node.value)} has no {node.attr!r}")
        return owner.get(node.attr)
    if isinstance(node, ast.BoolOp):
        results = (_truth(_value(part, names, text), text) for part in node.values)
        return all(results) if isinstance(node.op, ast.And) else any(results)
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, names, text)
        if isinstance(node.op, ast.Not):
            return not _truth(inner, text)
        if isinstance(node.op, ast.USub):
            return _kept(-_number(inner, text), inner)
        raise ValueError(f"{text!r}: only names, numbers, sums and comparisons are understood")
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, names, text), _value(node.right, names, text)
        summed = _SUMS.get(type(node.op))
        if summed is None:
            raise ValueError(f"{text!r}: only + - * / are understood")
        try:
            return _kept(summed(_number(left, text), _number(right, text)), left, right)
        except ZeroDivisionError:
            raise Missing(f"{text!r} divides by nothing") from None
    if isinstance(node, ast.Compare):
        left = _value(node.left, names, text)
        for op, part in zip(node.ops, node.comparators, strict=True):
            right = _value(part, names, text)
            compared = _COMPARISONS.get(type(op))
            if compared is None:
                raise ValueError(f"{text!r}: this comparison is not understood")
            if left is None or right is None:
                raise Missing(f"{text!r} compares something that has no value here")
            try:
                if not compared(left, right):
                    return False
            except TypeError:
                raise ValueError(f"{text!r} compares what cannot be compared") from None
            left = right
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        parts = [_value(part, names, text) for part in node.args]
        return _kept(_CALLS[node.func.id](*(_number(part, text) for part in parts)), *parts)
    raise ValueError(f"{text!r}: only names, numbers, sums and comparisons are understood")


def _truth(found: Any, text: str) -> bool:
    if not isinstance(found, bool):
        raise ValueError(f"{text!r}: {told(found)} is neither true nor false")
    return found


def _number(found: Any, text: str) -> float:
    if found is None:
        raise Missing(f"{text!r} reckons with something that has no value here")
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise ValueError(f"{text!r} reckons with {told(found)}, which is no number")
    return found


def _kept(result: float, *parts: Any) -> Any:
    """A result in the unit of what it was made from."""
    for unit in (Inches, Angle, Chance):
        if any(isinstance(part, unit) for part in parts):
            return unit(result)
    if any(isinstance(part, Pips) for part in parts):
        return Pips(result)
    return result
