"""How far it is from the zones to each other and to the points, and what one closed door or one fighter does to that."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from sandbox.check.finding import Case, Finding, Severity
from sandbox.layout.board import Board, Node
from sandbox.layout.findings import Distance, FindingKind
from sandbox.layout.reach import Reach, around
from sandbox.layout.regions import in_squares
from sandbox.layout.symmetry import is_turned
from sandbox.layout.ways import Doors, Reached, Route, Ways
from sandbox.moves.distance import Base
from sandbox.scene.layouts import Door
from sandbox.units import MM_PER_INCH, inches

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

TOUCH = 1.0
"""inches between the base's edge and a point that count as being at it."""
MOST_TRIED = 8
"""places in corridors where a fighter is tried."""
UNFAIR = 1.0
"""Moves that one side may be nearer to a point than the other before it is told."""
TELLING = 0.5
"""Moves that a door or a fighter has to add to be told."""


@dataclass(frozen=True, eq=False)
class Distances:
    """Distances of one base; searched for when they are asked for."""

    reach: Reach
    found: dict[tuple[str, Doors], Reached] = field(default_factory=dict)

    @property
    def ways(self) -> Ways:
        """The base's ways."""
        return self.reach.ways

    @property
    def board(self) -> Board:
        """The board."""
        return self.reach.board

    @cached_property
    def zones(self) -> dict[str, Ints]:
        """Ids (n,) of places at the rim of each zone where a fighter can stand: whoever is in a hurry deploys there."""
        return {name: self._rim(squares) for name, squares in self.board.zones.items()}

    def _rim(self, squares: Sequence[Node]) -> Ints:
        if not squares:
            return np.zeros(0, np.int64)
        inside = in_squares(self.ways, squares)
        standing = inside & self.ways.stands
        neighbour = self.ways.places.neighbour
        leads_out = ((neighbour >= 0) & ~inside[np.maximum(neighbour, 0)]).any(axis=1)
        links = self.ways.setup.links
        starts = np.zeros(len(inside), np.bool_)
        starts[np.maximum(links.start, 0)] = True
        ids = np.flatnonzero(standing & (leads_out | starts))
        if not len(ids):
            ids = np.flatnonzero(standing)
        return ids

    @cached_property
    def targets(self) -> dict[str, Ints]:
        """Ids (n,) of places that count as being at each zone or point."""
        found = {}
        for name, squares in self.board.zones.items():
            found[name] = self._rim(squares)
        for name, squares in self.board.points.items():
            near = [self._at(node) for node in squares]
            found[name] = np.unique(np.concatenate(near)) if near else np.zeros(0, np.int64)
        return found

    def _at(self, node: Node) -> Ints:
        x, y, z = self.board.middle(node)
        away = np.hypot(*(self.ways.points[:, :2] - (x, y)).T) - inches(self.ways.base_mm) / 2
        near = self.ways.stands & (away <= TOUCH) & (np.abs(self.ways.points[:, 2] - z) < 0.3)
        return np.flatnonzero(near & in_squares(self.ways, list(around(self.board, node))))

    def from_zone(self, zone: str, doors: Doors) -> Reached | None:
        """The search from a zone; None where nobody can stand in it."""
        if not len(self.zones[zone]):
            return None
        if (zone, doors) not in self.found:
            self.found[zone, doors] = self.ways.search(self.zones[zone], doors=doors)
        return self.found[zone, doors]

    def pairs(self) -> list[tuple[str, str]]:
        """Each zone with every other zone and every point."""
        return [(zone, name) for zone in self.board.zones for name in self.targets if name != zone]

    @cached_property
    def table(self) -> tuple[Distance, ...]:
        """Shortest and safest ways with doors as drawn, all open, and all shut."""
        rows: list[Distance] = []
        for doors in Doors:
            for zone, name in self.pairs():
                found = self.from_zone(zone, doors)
                shortest = None if found is None else self.ways.route(found, self.targets[name], path=True)
                rows.append(self._row(zone, name, doors, "shortest", shortest))
                if found is not None and shortest is not None and shortest.chance < 1.0 - 1e-9:
                    safest = self.ways.route(found, self.targets[name], cheapest=False, path=True)
                    rows.append(self._row(zone, name, doors, "safest", safest))
        return tuple(rows)

    def _row(self, zone: str, name: str, doors: Doors, way: str, route: Route | None) -> Distance:
        if route is None:
            return Distance(self.reach.name, zone, name, doors.value, way, None, None, None)
        return Distance(
            self.reach.name, zone, name, doors.value, way, route.cost, route.moves, route.chance, route.path
        )

    def shortest(self, doors: Doors) -> dict[tuple[str, str], Distance]:
        """The shortest ways of the table by zone and target, those that exist."""
        return {
            (row.start, row.target): row
            for row in self.table
            if row.doors == doors.value and row.way == "shortest" and row.moves is not None
        }

    # -- what changes it -----------------------------------------------------------------------------------------

    def findings(self) -> Iterator[Finding]:
        """Doors and fighters that change distances, and how fair the board is."""
        yield from self._doors()
        yield from self._fighters()
        yield from self._fairness()

    def _doors(self) -> Iterator[Finding]:
        usual = self.shortest(Doors.OPEN)
        for number, door in enumerate(self.board.doors):
            if not (len(self.ways.strips[number]) or door.is_hatch):
                continue
            pairs = [pair for pair, row in usual.items() if _through(row.path, door, self.board)]
            if not pairs:
                continue
            effects = self._effects(pairs, usual, shut=(number,), barred=None)
            if not effects:
                continue
            worst, text, cut = _told(effects)
            x, y = door.leaf.rect.middle
            yield Finding(
                f"key-door:{door.name.replace(' ', '-')}",
                FindingKind.KEY_DOOR,
                Severity.WARNING if cut else Severity.INFO,
                (inches(x), inches(y), inches(door.leaf.at[2])),
                door.name,
                f"{door.name}: closed, {text}.",
                measured=None if cut else worst * self.board.move,
                limit=TELLING * self.board.move,
                rule="kind.door-closed",
                source=self.board.pack.rule("kind.door-closed").source,
                cure="A second way would make it matter less." if cut else "",
                cases=(Case(self.reach.name, self.board.pack.id, None, Severity.INFO),),
            )

    def _fighters(self) -> Iterator[Finding]:
        """An enemy standing in a corridor on a shortest way: whoever it stops has to go round."""
        usual = self.shortest(Doors.OPEN)
        for node, pairs in self._narrows(usual)[:MOST_TRIED]:
            at = self._stand_in(node)
            if at is None:
                continue
            barred = self.barred_by(at)
            effects = self._effects(pairs, usual, shut=(), barred=barred)
            if not effects:
                continue
            worst, text, cut = _told(effects)
            place = self.board.name(node)
            yield Finding(
                f"choke-held:{place.replace(' ', '-')}",
                FindingKind.CHOKE,
                Severity.WARNING if cut else Severity.INFO,
                at,
                place,
                f"{place}: held by one enemy on a base of {self.reach.name} mm, {text}.",
                measured=None if cut else worst * self.board.move,
                limit=TELLING * self.board.move,
                rule="keep_distance",
                source=self.board.pack.rule("keep_distance").source,
                cure="A second way around it." if cut else "",
                cases=(Case(self.reach.name, self.board.pack.id, None, Severity.INFO),),
            )

    def _narrows(self, usual: dict[tuple[str, str], Distance]) -> list[tuple[Node, list[tuple[str, str]]]]:
        """Squares on shortest ways, outside zones, that most ways share and that leave least room beside."""
        zones = {node for squares in self.board.zones.values() for node in squares}
        crossed: dict[Node, set[tuple[str, str]]] = {}
        for pair, row in usual.items():
            ends = {tuple(n) for n in self.board.nodes_of(np.array([row.path[0], row.path[-1]])).tolist()}
            for node in _squares_along(self.board, row.path):
                if node not in zones and node not in ends:
                    crossed.setdefault(node, set()).add(pair)
        if not crossed:
            return []
        level, column, row_of = self.ways.nodes.T
        layout = self.board.layout
        room = np.zeros((len(layout.levels), layout.width, layout.depth), np.int64)
        np.add.at(room, (level[self.ways.stands], column[self.ways.stands], row_of[self.ways.stands]), 1)
        ranked = sorted(crossed, key=lambda n: (room[n] > 0.5 * room.max(), -len(crossed[n]), room[n], n))
        chosen: list[Node] = []
        for node in ranked:
            if all(n[0] != node[0] or abs(n[1] - node[1]) + abs(n[2] - node[2]) > 2 for n in chosen):
                chosen.append(node)
        return [(node, sorted(crossed[node])) for node in chosen]

    def _stand_in(self, node: Node) -> tuple[float, float, float] | None:
        """A place to stand near the middle of a square, inches."""
        ids = np.flatnonzero(in_squares(self.ways, [node]) & self.ways.stands)
        if not len(ids):
            return None
        x, y, _ = self.board.middle(node)
        near = ids[np.argmin(np.hypot(*(self.ways.points[ids, :2] - (x, y)).T))]
        at = self.ways.points[near]
        return (float(at[0]), float(at[1]), float(at[2]))

    def barred_by(self, at: tuple[float, float, float]) -> Bools:
        """(places,) where an enemy of the same base at a place keeps the base from being."""
        ways = self.ways
        half = inches(ways.body.half_long_mm), inches(ways.body.half_short_mm)
        enemy = Base(at, *half)
        keep = max(self.board.pack.movement.keep_distance, 0.0)
        barred = np.zeros(len(ways.points), np.bool_)
        reach = 2 * half[0] + keep
        near = np.flatnonzero(
            ways.passes
            & (np.hypot(*(ways.points[:, :2] - at[:2]).T) < reach)
            & (np.abs(ways.points[:, 2] - at[2]) < max(keep, ways.body.height_mm / MM_PER_INCH))
        )
        measured = self.board.field.measuring.near(ways.points[near], Base(at, *half), enemy, max(keep, 1e-3))
        barred[near[measured < max(keep, 1e-3) - 1e-6]] = True
        return barred

    def _effects(
        self,
        pairs: Sequence[tuple[str, str]],
        usual: dict[tuple[str, str], Distance],
        *,
        shut: tuple[int, ...],
        barred: Bools | None,
    ) -> list[tuple[str, str, float | None]]:
        """For pairs of zone and target, the Moves that a change adds; None where no way is left."""
        effects: list[tuple[str, str, float | None]] = []
        for zone in dict.fromkeys(zone for zone, _ in pairs):
            found = self.ways.search(self.zones[zone], shut=shut, barred=barred)
            for start, name in pairs:
                if start != zone:
                    continue
                before = usual[start, name].moves
                assert before is not None
                route = self.ways.route(found, self.targets[name])
                if route is None:
                    effects.append((start, name, None))
                elif route.moves - before >= TELLING:
                    effects.append((start, name, route.moves - before))
        return effects

    def _fairness(self) -> Iterator[Finding]:
        zones = list(self.board.zones)
        usual = self.shortest(Doors.DRAWN)
        if is_turned(self.board.layout) or self._even(zones, usual):
            return
        for name in self.board.points:
            found = [(usual[zone, name].moves or 0.0, zone) for zone in zones if (zone, name) in usual]
            if len(found) < 2:
                continue
            near, far = min(found), max(found)
            apart = far[0] - near[0]
            if apart < UNFAIR:
                continue
            at = self.board.points[name][0]
            yield Finding(
                f"unfair:{name.replace(' ', '-')}",
                FindingKind.UNFAIR,
                Severity.WARNING if apart >= 2 * UNFAIR else Severity.INFO,
                self.board.middle(at),
                name,
                f"{name}: {near[1]} is there in {near[0]:.1f} Moves, {far[1]} in {far[0]:.1f}: {apart:.1f} more.",
                measured=apart * self.board.move,
                limit=UNFAIR * self.board.move,
                cure=f"Move {name} towards {far[1]}, or open a shorter way from there.",
                cases=(Case(self.reach.name, self.board.pack.id, None, Severity.INFO),),
            )

    def _even(self, zones: list[str], usual: dict[tuple[str, str], Distance]) -> bool:
        """Whether every side has the same distances, if not to the same points: one is near where the other is far."""
        rows = [
            sorted(usual[zone, name].moves or 0.0 for name in self.board.points if (zone, name) in usual)
            for zone in zones
        ]
        if len({len(row) for row in rows}) != 1:
            return False
        return all(max(column) - min(column) < UNFAIR for column in zip(*rows, strict=True))


def _told(effects: list[tuple[str, str, float | None]]) -> tuple[float, str, bool]:
    """The greatest change, all changes in words, and whether one of them is that no way is left."""
    pairs = [(start, name) for start, name, more in effects if more is None]
    cut = [
        f"{start} and {name} from each other" if (name, start) in pairs else f"{start} from {name}"
        for start, name in pairs
        if (name, start) not in pairs or start < name
    ]
    longer = sorted(((more, start, name) for start, name, more in effects if more is not None), reverse=True)
    parts = []
    if cut:
        parts.append(
            "it cuts off " + ", ".join(cut[:4]) + (f" (and {len(cut) - 4} more)" if len(cut) > 4 else "")
        )
    if longer:
        told = ", ".join(f"{more:.1f} Moves from {start} to {name}" for more, start, name in longer[:3])
        parts.append(f"it adds {told}" + (f" (and {len(longer) - 3} more)" if len(longer) > 3 else ""))
    return (longer[0][0] if longer else 0.0), " and ".join(parts), bool(cut)


def _squares_along(board: Board, path: Sequence[tuple[float, float, float]]) -> list[Node]:
    """Squares that a path runs through, in order."""
    points = np.array(path)
    steps = []
    for a, b in itertools.pairwise(points):
        count = max(2, int(np.linalg.norm(b - a) / (board.square / 4)) + 1)
        steps.append(a + (b - a) * np.linspace(0.0, 1.0, count)[:, None])
    if not steps:
        return []
    nodes = board.nodes_of(np.concatenate(steps))
    return list(dict.fromkeys((int(a), int(b), int(c)) for a, b, c in nodes))


def _through(path: Sequence[tuple[float, float, float]], door: Door, board: Board) -> bool:
    """Whether a path runs through the opening of a door, or up or down a ladder through a hatch."""
    rect = door.leaf.rect
    leaf = shapely.box(*(inches(v) for v in (rect.x0, rect.y0, rect.x1, rect.y1)))
    z = float(board.floors[door.level])
    for a, b in itertools.pairwise(path):
        line = shapely.LineString([a[:2], b[:2]])
        if door.is_hatch:
            if min(a[2], b[2]) < z - 0.6 < z - 0.1 < max(a[2], b[2]) and line.distance(leaf) < 1.0:
                return True
        elif min(abs(a[2] - z), abs(b[2] - z)) < 0.6 and leaf.intersects(line):
            return True
    return False
