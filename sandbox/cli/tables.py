"""Answers as tables for people. Lengths are in inches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from sandbox.moves.answers import Leg, LegalMoves, Ruling

LEVEL = 0.5
"""inches; places whose heights differ by less are shown as one level."""
SURE = 1.0 - 1e-9


def levels_table(moves: LegalMoves) -> Table:
    """The places where a fighter may end, summed up by level."""
    table = Table(title=escape(moves_title(moves)), title_justify="left", title_style="bold")
    table.add_column("level", justify="right")
    table.add_column("places", justify="right")
    table.add_column("cost", justify="right")
    table.add_column("without a check", justify="right")
    table.add_column("chance", justify="right")
    table.add_column("dearest place", justify="left")
    for level in levels(moves.spots):
        sure = level["success"] >= SURE
        chances = level["success"][~sure]
        dearest = level[int(np.argmax(level["cost"]))]
        table.add_row(
            _span(level["z"], '"'),
            str(len(level)),
            _span(level["cost"], '"'),
            str(int(sure.sum())),
            _percent(chances) if len(chances) else "certain",
            place_text((float(dearest["x"]), float(dearest["y"]), float(dearest["z"]))),
        )
    return table


def moves_title(moves: LegalMoves) -> str:
    """``kal: move, 5.00" (necromunda-2023)``."""
    target = f" at {moves.target}" if moves.target else ""
    return f'{moves.fighter}: {moves.action}{target}, up to {moves.allowance:.2f}" ({moves.rules})'


def nowhere_line(moves: LegalMoves) -> str:
    """What is said instead of an empty table; a fighter that has an allowance just reaches no place."""
    if moves.rulings:
        return f"{moves_title(moves)}: nothing."
    what = f"no place in base contact with {moves.target}" if moves.target else "no place to end"
    return f"{moves_title(moves)}: {what} is in reach; --to X,Y asks about one place and says why not."


def levels(spots: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Places sorted into levels, lowest first; spots: (n,) with fields z, cost, success."""
    if not len(spots):
        return
    ordered = spots[np.argsort(spots["z"], kind="stable")]
    start = 0
    for index in range(1, len(ordered) + 1):
        if index == len(ordered) or ordered["z"][index] - ordered["z"][start] >= LEVEL:
            yield ordered[start:index]
            start = index


def legs_table(legs: Sequence[Leg]) -> Table:
    """The legs of a move in order."""
    table = Table()
    for name in ("leg", "from", "to"):
        table.add_column(name)
    table.add_column("length", justify="right")
    table.add_column("cost", justify="right")
    table.add_column("check")
    for leg in legs:
        checks = ", ".join(f"{c.kind}: {c.needed}+ ({100 * c.chance:.0f} %)" for c in leg.checks)
        table.add_row(
            leg.kind,
            place_text(leg.start),
            place_text(leg.end),
            f'{leg.length:.2f}"',
            f'{leg.cost:.2f}"',
            escape(checks),
        )
    return table


def ruling_line(ruling: Ruling) -> str:
    """A ruling in one line, with its rule and source."""
    from sandbox.moves.words import source_words  # noqa: PLC0415 - only where there is a ruling to tell

    source = f"; {source_words(ruling.source)}" if ruling.source else ""
    setting = f" [with {ruling.setting} {ruling.reading}]" if ruling.setting else ""
    return f"{ruling.text} ({ruling.rule}{source}){setting}"


def place_text(place: tuple[float, float, float]) -> str:
    """``12.00, 9.68, 3.00``."""
    return ", ".join(f"{value:.2f}" for value in place)


def _span(values: NDArray[Any], unit: str) -> str:
    low, high = float(values.min()) + 0.0, float(values.max()) + 0.0
    if f"{low:.2f}" == f"{high:.2f}":
        return f"{low:.2f}{unit}"
    return f"{low:.2f} to {high:.2f}{unit}"


def _percent(values: NDArray[Any]) -> str:
    low, high = f"{100 * values.min():.0f}", f"{100 * values.max():.0f}"
    return f"{low} %" if low == high else f"{low} to {high} %"
