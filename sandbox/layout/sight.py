"""The longest lines of sight: from the middle of every square to that of every other, in the collision world.

Law 18: from the eye, at 0.9 of the height over the base's centre, to three heights of the target's body. Doors stand
open.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sandbox.check.finding import Case, Finding, Severity
from sandbox.layout.board import Board, Node
from sandbox.layout.findings import FindingKind, SightLine
from sandbox.layout.ways import Ways

Floats = NDArray[np.float64]
EYE = 0.9
TARGET = (0.9, 0.5, 0.15)
"""parts of the height that are looked at."""
BATCH = 12_000
LONG = 18.0
"""inches: a line of sight beyond this is told; most weapons of close quarters reach no farther."""
APART = 2.5
"""squares: lines whose ends are both nearer than this to those of a longer one are left out."""


def longest_sights(ways: Ways, count: int = 5) -> tuple[SightLine, ...]:
    """The longest clear lines between squares in which the base stands, longest first."""
    board = ways.board
    nodes = _standing(ways)
    if len(nodes) < 2:
        return ()
    floor = np.array([board.middle(node) for node in nodes])
    first, second = np.triu_indices(len(nodes), 1)
    length = np.linalg.norm(floor[first] - floor[second], axis=1)
    order = np.argsort(-length)
    found: list[SightLine] = []
    for start in range(0, len(order), BATCH):
        some = order[start : start + BATCH]
        clear = _clear(board, floor[first[some]], floor[second[some]])
        for k in some[clear]:
            a, b = nodes[first[k]], nodes[second[k]]
            line = SightLine(
                board.middle(a), board.middle(b), (board.name(a), board.name(b)), float(length[k])
            )
            if not any(_beside(line, other, board.square) for other in found):
                found.append(line)
            if len(found) >= count:
                return tuple(found)
    return tuple(found)


def _standing(ways: Ways) -> list[Node]:
    """Squares in whose middle the base stands, or nearly."""
    ids = np.flatnonzero(ways.stands)
    nodes = ways.nodes[ids]
    board = ways.board
    middles = np.column_stack([(nodes[:, 1] + 0.5), (nodes[:, 2] + 0.5)]) * board.square
    near = np.hypot(*(ways.points[ids, :2] - middles).T) < 0.3
    near &= np.abs(ways.points[ids, 2] - board.floors[nodes[:, 0]]) < 0.3
    return [(int(a), int(b), int(c)) for a, b, c in np.unique(nodes[near], axis=0)]


def _clear(board: Board, starts: Floats, ends: Floats) -> NDArray[np.bool_]:
    """Whether either of two models on their floors sees the other: no wall, floor or closed thing between."""
    height = board.pack.movement.standing_height
    answer = np.zeros(len(starts), np.bool_)
    for part in TARGET:
        left = np.flatnonzero(~answer)
        if not left.size:
            break
        eye = starts[left] + np.array([0.0, 0.0, EYE * height])
        aim = ends[left] + np.array([0.0, 0.0, part * height])
        answer[left] = ~board.field.world.rays(eye, aim).hit
    return answer


def _beside(line: SightLine, other: SightLine, square: float) -> bool:
    """Whether a line runs along a longer one."""
    near = APART * square
    pairs = ((line.start, other.start, line.end, other.end), (line.start, other.end, line.end, other.start))
    return any(
        float(np.linalg.norm(np.subtract(a, b))) < near and float(np.linalg.norm(np.subtract(c, d))) < near
        for a, b, c, d in pairs
    )


def sight_findings(board: Board, lines: tuple[SightLine, ...]) -> Iterator[Finding]:
    """Long lines of sight."""
    for line in lines:
        if line.length <= LONG:
            continue
        first, second = line.squares
        yield Finding(
            f"long-sight:{first.replace(' ', '-')}-{second.replace(' ', '-')}",
            FindingKind.LONG_SIGHT,
            Severity.INFO,
            line.start,
            first,
            f"{first} sees {second}: {line.length:.1f} in, doors open.",
            measured=line.length,
            limit=LONG,
            cure="A column, a crate or a closed door on the line shortens it.",
            cases=(Case(None, board.pack.id, LONG, Severity.INFO),),
        )
