"""A layout as a graph of squares: where a base of a width gets to, by what is drawn alone and without any mesh.

It is what the generator judges its boards by. `sandbox layout check` knows better, and takes longer.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from sandbox.layout.flights import Flight, flights
from sandbox.layout.new.draft import Node, is_floor
from sandbox.scene.layouts import Border, BorderKind, Facing, Grid, Layout, SquareKind, State
from sandbox.scene.layouts.model import default_opening
from sandbox.units import inches

DOOR_MOVE = 5.0
"""inches that operating a door is counted as: one Move."""


@dataclass(frozen=True)
class Link:
    """A way from one level to the next."""

    low: Node
    high: Node
    length: float
    """inches."""


@dataclass
class Squares:
    """Squares that a base can be in, and the ways between them."""

    near: dict[Node, list[tuple[Node, float]]] = field(default_factory=dict)
    """of each square those that are beside it, with inches to go; doors cost a Move more where they are closed."""
    links: list[Link] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    """stairs and ladders that lead nowhere, in words."""

    def reached(self, start: Iterable[Node], barred: Collection[Node] = ()) -> set[Node]:
        """Every square that is reached from some, without going through those that are barred."""
        found = {node for node in start if node in self.near and node not in barred}
        queue = deque(found)
        while queue:
            for node, _ in self.near[queue.popleft()]:
                if node not in found and node not in barred:
                    found.add(node)
                    queue.append(node)
        return found

    def distances(self, start: Iterable[Node]) -> dict[Node, float]:
        """Inches from the nearest of some squares to every other that is reached."""
        best = {node: 0.0 for node in start if node in self.near}
        heap = [(0.0, node) for node in sorted(best)]
        while heap:
            far, here = heapq.heappop(heap)
            if far > best[here]:
                continue
            for node, length in self.near[here]:
                if far + length < best.get(node, math.inf) - 1e-9:
                    best[node] = far + length
                    heapq.heappush(heap, (far + length, node))
        return best

    def way(
        self, start: Collection[Node], end: Collection[Node], barred: Collection[Node] = ()
    ) -> list[Node]:
        """Squares along a way of fewest squares between two sets; empty where there is none."""
        before: dict[Node, Node | None] = {
            node: None for node in start if node in self.near and node not in barred
        }
        queue = deque(sorted(before))
        while queue:
            here = queue.popleft()
            if here in end:
                way = [here]
                while (back := before[way[-1]]) is not None:
                    way.append(back)
                return way
            for node, _ in self.near[here]:
                if node not in before and node not in barred:
                    before[node] = here
                    queue.append(node)
        return []


def squares_of(layout: Layout, base: float) -> Squares:
    """The graph of a layout for a round base, mm."""
    found = Squares()
    for k, level in enumerate(layout.levels):
        for r, row in enumerate(level.grid.squares):
            for c, square in enumerate(row):
                if is_floor(square):
                    found.near[k, c, r] = []
    pitch = inches(layout.pitch)
    for k, level in enumerate(layout.levels):
        _join(found, k, level.grid, layout.pitch, base, pitch)
    for flight in flights(layout):
        wrong = _wrong_flight(layout, found, flight, base)
        if wrong is not None:
            found.broken.append(f"stairs at {flight.squares[0]}: {wrong}")
            continue
        _link(found, flight.foot, flight.head, (len(flight.squares) + 1) * pitch)
    for k, level in enumerate(layout.levels):
        for r, row in enumerate(level.grid.squares):
            for c, square in enumerate(row):
                if square.kind is SquareKind.LADDER:
                    _ladder(layout, found, (k, c, r))
    return found


def _wrong_flight(layout: Layout, found: Squares, flight: Flight, base: float) -> str | None:
    low, high = (layout.levels[k].grid for k in (flight.foot[0], flight.head[0]))
    if flight.foot not in found.near or flight.head not in found.near:
        return "no floor at its foot or its head"
    for _, c, r in flight.squares:
        if high.squares[r][c].kind is not SquareKind.HOLE:
            return "the floor above it is closed"
    way = [flight.foot, *flight.squares]
    top = [(flight.head[0], *flight.squares[-1][1:]), flight.head]
    for grid, nodes in ((low, way), (high, top)):
        for first, second in itertools.pairwise(nodes):
            if _between(grid, first, second).kind is not BorderKind.OPEN:
                return "something stands across it"

    def beside(node: Node, side: Facing) -> Border:
        return layout.levels[node[0]].grid.beside(node[1], node[2], side)

    if flight_width(beside, [*way, *top], flight.facing, layout.pitch) < base - 1e-6:
        return f"walls leave less than {base:g} mm between them"
    return None


def flight_width(
    beside: Callable[[Node, Facing], Border], nodes: Iterable[Node], facing: Facing, pitch: float
) -> float:
    """Width in mm that what stands beside stairs leaves. A body on them is beside the walls of both levels.

    beside: what stands at a side of a square; nodes: foot, stairs, the squares above them, and head.
    """
    sides = [facing.turned(1), facing.turned(3)]
    return pitch - sum(max(beside(node, side).thick for node in nodes) / 2 for side in sides)


def _ladder(layout: Layout, found: Squares, node: Node) -> None:
    k, c, r = node
    above = (k + 1, c, r)
    if k + 1 >= len(layout.levels) or layout.levels[k + 1].grid.squares[r][c].kind is not SquareKind.HATCH:
        found.broken.append(f"ladder at {node}: there is no hatch above it")
        return
    _link(found, node, above, layout.levels[k].height + inches(layout.levels[k + 1].deck))


def _link(found: Squares, low: Node, high: Node, length: float) -> None:
    found.links.append(Link(low, high, length))
    found.near[low].append((high, length))
    found.near[high].append((low, length))


def _join(found: Squares, level: int, grid: Grid, pitch: float, base: float, step: float) -> None:
    """Squares of a level side by side, and those corner to corner where nothing is between."""
    free: set[tuple[Node, Node]] = set()
    for node in [node for node in found.near if node[0] == level]:
        for facing in (Facing.EAST, Facing.NORTH):
            dx, dy = facing.step
            other = (level, node[1] + dx, node[2] + dy)
            if other not in found.near:
                continue
            border = grid.beside(node[1], node[2], facing)
            if clear_width(grid, node, facing, pitch) < base - 1e-6:
                continue
            closed = border.kind is BorderKind.DOOR and border.state is State.CLOSED
            far = step + (DOOR_MOVE if closed else 0.0)
            found.near[node].append((other, far))
            found.near[other].append((node, far))
            if border.kind is BorderKind.OPEN:
                free.add((node, other))
    for node in [node for node in found.near if node[0] == level]:
        east, north = (level, node[1] + 1, node[2]), (level, node[1], node[2] + 1)
        across = (level, node[1] + 1, node[2] + 1)
        around = ((node, east), (node, north), (east, across), (north, across))
        if all(pair in free for pair in around) and not grid.corners[node[2] + 1][node[1] + 1].column:
            for first, second in ((node, across), (east, north)):
                found.near[first].append((second, step * math.sqrt(2.0)))
                found.near[second].append((first, step * math.sqrt(2.0)))


def clear_width(grid: Grid, node: Node, facing: Facing, pitch: float) -> float:
    """Width of the way from a square to the one east or north of it, mm; 0 where there is none."""
    _, column, row = node
    border = grid.beside(column, row, facing)
    if border.kind not in (BorderKind.OPEN, BorderKind.DOOR, BorderKind.BARRICADE) or (
        border.kind is BorderKind.DOOR and border.state is State.LOCKED
    ):
        return 0.0
    fx, fy = facing.step
    same, blocked = 1, 0.0
    for way in (1, -1):
        at = (column, row)
        while True:
            onward = way > 0
            corner = (at[0] + 1, at[1] + onward) if fx else (at[0] + onward, at[1] + 1)
            side = Facing((1 if onward else 3) if fx else (0 if onward else 2))
            post = grid.corners[corner[1]][corner[0]].column / 2
            met = [grid.beside(*at, side), grid.beside(at[0] + fx, at[1] + fy, side)]
            wall = max((one.thick / 2 for one in met if one.is_wall), default=0.0)
            beyond = (at[0] + side.step[0], at[1] + side.step[1])
            goes_on = (
                post == 0.0
                and wall == 0.0
                and grid.has(*beyond)
                and grid.beside(*beyond, facing) == border
                and all(is_floor(grid.squares[y][x]) for x, y in (beyond, (beyond[0] + fx, beyond[1] + fy)))
            )
            if not goes_on:
                blocked += max(post, wall)
                break
            at = beyond
            same += 1
    if border.kind is BorderKind.DOOR:
        return border.opening or default_opening(same * pitch)
    return same * pitch - blocked


def _between(grid: Grid, first: Node, second: Node) -> Border:
    step = (second[1] - first[1], second[2] - first[2])
    facing = next(one for one in Facing if one.step == step)
    return grid.beside(first[1], first[2], facing)
