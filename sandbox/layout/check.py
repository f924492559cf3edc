"""The layout check: everything about one board, in one report."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from sandbox.check.finding import Finding
from sandbox.layout import between, shape
from sandbox.layout.board import Board, open_board
from sandbox.layout.distances import Distances
from sandbox.layout.findings import Report, numbered
from sandbox.layout.openings import crossing_findings, opening_findings
from sandbox.layout.reach import Reach, compare
from sandbox.layout.sight import longest_sights, sight_findings
from sandbox.layout.ways import ways_of

USUAL = ((32.0, 32.0), (25.0, 25.0), (28.5, 28.5), (40.0, 40.0), (50.0, 50.0))
"""bases that are tried where none is declared, mm; the first is the one that distances are for."""
Base = tuple[float, float]
Told = Callable[[str], None]


def check_layout(
    path: str | Path,
    bases: Sequence[Base] = (),
    *,
    rules: str | Path | None = None,
    told: Told = lambda what: None,
) -> Report:
    """The report on the layout of a file.

    bases: longer and shorter axis in mm; what stops a base that is named is an error. Without any the usual ones are
    tried, and only the first of them counts as declared. told: hears what is being done.
    """
    told("reading the layout")
    return check_board(open_board(path, rules), bases, told=told)


def check_board(board: Board, bases: Sequence[Base] = (), *, told: Told = lambda what: None) -> Report:
    """The report on a board."""
    began = time.perf_counter()
    asked = list(bases) or list(USUAL)
    reaches: list[Reach] = []
    for index, base in enumerate(asked):
        told(f"ground of a base of {base[0]:g} mm")
        reaches.append(Reach(ways_of(board, base), declared=bool(bases) or index == 0))
    first = reaches[0]
    findings: list[Finding] = [*opening_findings(board), *crossing_findings(board)]
    for reach in reaches:
        findings += reach.findings()
    for reach in reaches[1:]:
        if reach.ways.base_mm > first.ways.base_mm:
            findings += compare(first, reach)
    told("ways between levels")
    levels = between.level_ways(first)
    for reach in reaches:
        ways = levels if reach is first else between.level_ways(reach)
        findings += between.findings(reach, ways)
    findings += shape.findings(first)
    told("distances")
    distances = Distances(first)
    table = distances.table
    told("doors and corridors")
    findings += distances.findings()
    told("lines of sight")
    sights = longest_sights(first.ways)
    findings += sight_findings(board, sights)
    return Report(
        subject=board.scene.name,
        rules=board.pack.id,
        move=board.move,
        bases=tuple(reach.numbers() for reach in reaches),
        findings=numbered(findings),
        distances=table,
        levels=levels,
        sights=sights,
        seconds=time.perf_counter() - began,
    )
