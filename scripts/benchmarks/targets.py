"""What is measured, in the order of the table, and what each figure should reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Figures = Mapping[str, Any]
"""Figures of one board, keyed ``probe: figure``."""
Limit = Callable[[Figures], float | None]


def at_most(limit: float) -> Limit:
    """The same limit on every board."""
    return lambda _: limit


def share_of_pybullet(share: float) -> Limit:
    """A share of the time that pybullet takes for its own shape of the same mesh, in the same run."""
    return lambda figures: share * figures["ground: pybullet"] if "ground: pybullet" in figures else None


def by_triangles(small: float, large: float) -> Limit:
    """One limit up to 100,000 triangles, another beyond (the model as it is counts as 100,000)."""
    return lambda figures: small if figures["triangles"] < 200_000 else large


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    key: str
    """``probe: figure``."""
    title: str
    unit: str = "s"
    """s, ms, MiB or empty for a count."""
    limit: Limit | None = None
    sizes: tuple[str, ...] | None = None
    """sizes for which the limit is meant; None: all."""
    detail: bool = False
    """a part of the line above it."""


LARGE = ("600k",)
MIDDLE = ("100k",)

ROWS = (
    Row("ground: load", "read, repair and place the mesh"),
    Row("ground: pybullet", "pybullet's own shape of the same mesh, from an OBJ file"),
    Row("ground: board all", "ground of the whole board", limit=share_of_pybullet(0.5), sizes=LARGE),
    Row("ground: board survey and lips", "survey and lips", detail=True),
    Row("ground: board places", "places", detail=True),
    Row("ground: board links", "links: climbs and ladders", detail=True),
    Row("ground: disc", "ground of one fighter's disc of 10\"", limit=at_most(0.25)),
    Row("questions: first spots", "first spots of a fighter, no ground ready"),
    Row("questions: spots, one label", "spots, ground ready, one label", limit=at_most(0.1)),
    Row("questions: spots, with chances", "spots, ground ready, with chances", limit=at_most(0.3)),
    Row("ground: world", "build the collision world of the board"),
    Row("questions: way", "legal to: the way (median)", "ms", limit=at_most(0.005)),
    Row("questions: way, slowest", "slowest", "ms", detail=True),
    Row(
        "questions: proof of a leg", "legal to: proof of a leg (median)", "ms", limit=by_triangles(0.02, 0.1)
    ),
    Row("questions: proof of a leg, slowest", "slowest", "ms", detail=True),
    Row("questions: to again", "the same to again, proof kept (median)", "ms", limit=at_most(0.005)),
    Row("questions: first refusal", "first refused to", limit=at_most(0.3)),
    Row("questions: refusal", "refused to, later (median)", limit=at_most(0.3)),
    Row("questions: refusal, slowest", "slowest", detail=True),
    Row("questions: spots that `to` refuses", "of 40 spots, those the proof refuses", "", limit=at_most(0)),
    Row(
        "first: later",
        "first answer of a new process (kernels and mesh kept on disk)",
        limit=at_most(4.0),
        sizes=MIDDLE,
    ),
    Row("first: ever", "the same, first run ever (compiles)", limit=at_most(40.0), sizes=MIDDLE),
    Row("memory: to, proven", "peak memory: one fighter's answers", "MiB", limit=at_most(1536), sizes=LARGE),
    Row("memory: whole board", "peak memory: ground of the whole board too", "MiB", limit=at_most(1536)),
    Row("ground: board count of places", "places of the whole board", ""),
    Row("ground: board count of links", "links of the whole board", ""),
    Row("questions: count of spots", "spots of the fighter", ""),
)


def limit_of(row: Row, size: str, figures: Figures) -> float | None:
    """The limit of a figure on one board; None where there is none."""
    if row.limit is None or (row.sizes is not None and size not in row.sizes):
        return None
    return row.limit(figures)


def shown(value: float, unit: str) -> str:
    """A figure as the table writes it."""
    if unit == "ms" or (unit == "s" and value < 0.01):
        return f"{1000 * value:.3g} ms"
    if unit == "s":
        return f"{value:.3g} s" if value < 100 else f"{value:.0f} s"
    return f"{value:,.0f}{' ' + unit if unit else ''}"
