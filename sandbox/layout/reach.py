"""Which floor is reached from the deployment zones, by which base, and how: the findings about being joined or not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import networkx as nx

from sandbox.check.finding import Case, Finding, Severity, Unit
from sandbox.layout.board import Board, Node
from sandbox.layout.findings import BaseNumbers, FindingKind
from sandbox.layout.regions import Regions, regions
from sandbox.layout.ways import Ways
from sandbox.scene.layouts import BorderKind, Door, Facing, State
from sandbox.units import inches

SHOWN = 40
"""squares named in one finding."""


@dataclass(frozen=True, eq=False)
class Reach:
    """What one base reaches, doors open."""

    ways: Ways
    declared: bool
    """the base was asked for: what stops it is an error."""

    @property
    def board(self) -> Board:
        """The board."""
        return self.ways.board

    @property
    def name(self) -> str:
        """The base's name: ``32``, ``60x35``."""
        return base_name(self.ways)

    @cached_property
    def regions(self) -> Regions:
        """Regions with every door open that can be opened."""
        return regions(self.ways)

    @cached_property
    def home(self) -> dict[str, set[int]]:
        """Regions of each zone; without zones the largest region counts as home."""
        zones = {name: self.regions.regions_of(squares) for name, squares in self.board.zones.items()}
        if zones:
            return zones
        largest = max(range(self.regions.count), key=lambda k: len(self.regions.squares[k]), default=0)
        return {"": {largest}} if self.regions.count else {"": set()}

    def reached(self, *, ducts: bool, tests: bool, start: Collection[int] | None = None) -> set[int]:
        """Regions reached from the zones, or from some regions."""
        graph = self._graphs[ducts, tests]
        found: set[int] = set()
        for region in set().union(*self.home.values()) if start is None else start:
            found |= {region} | nx.descendants(graph, region)
        return found

    @cached_property
    def _graphs(self) -> dict[tuple[bool, bool], nx.DiGraph[int]]:
        return {
            (ducts, tests): self.regions.graph(ducts=ducts, tests=tests)
            for ducts in (False, True)
            for tests in (False, True)
        }

    def numbers(self) -> BaseNumbers:
        """Squares and regions of this base."""
        squares = self.regions.squares
        reached = self.reached(ducts=True, tests=True)
        there = {node for nodes in squares for node in nodes}
        got = {node for region in reached for node in squares[region]}
        return BaseNumbers(self.name, len(there), len(got), sum(1 for nodes in squares if nodes))

    def findings(self) -> Iterator[Finding]:
        """Everything about being joined or not."""
        severity = Severity.ERROR if self.declared else Severity.INFO
        yield from self._zones(severity)
        yield from self._points(severity)
        yield from self._floors(severity)

    @cached_property
    def _with_doors(self) -> str:
        locked = any(door.state is State.LOCKED for door in self.board.doors)
        return "even with every door open" + (" that is not locked" if locked else "")

    def _case(self, severity: Severity, limit: float | None = None) -> tuple[Case, ...]:
        return (Case(self.name, self.board.pack.id, limit, severity),)

    def _zones(self, severity: Severity) -> Iterator[Finding]:
        names = [name for name in self.home if name]
        for index, first in enumerate(names):
            if not self.home[first]:
                yield self._no_room(first, self.board.zones[first], severity)
                continue
            for second in names[index + 1 :]:
                if not self.home[second]:
                    continue
                there = self.reached(ducts=True, tests=True, start=self.home[first]) & self.home[second]
                back = self.reached(ducts=True, tests=True, start=self.home[second]) & self.home[first]
                if there and back:
                    continue
                at = self.board.zones[second][0]
                way = f"from {first} to {second}" if not there else f"from {second} to {first}"
                yield Finding(
                    f"zones-apart:{first}-{second}",
                    FindingKind.ZONES_APART,
                    severity,
                    self.board.middle(at),
                    second,
                    f"There is no way {way} for a base of {self.name} mm, {self._with_doors}.",
                    cure="Open a way between them, or put in a door.",
                    rule="room",
                    cases=self._case(severity),
                )

    def _no_room(self, name: str, squares: Sequence[Node], severity: Severity) -> Finding:
        at = squares[0] if squares else (0, 0, 0)
        return Finding(
            f"point-cut-off:{name}",
            FindingKind.POINT_CUT_OFF,
            severity,
            self.board.middle(at),
            name,
            f"A base of {self.name} mm stands nowhere in {name}.",
            cure="Give it a square that the base can stand in.",
            rule="flat_ground",
            cases=self._case(severity),
        )

    def _points(self, severity: Severity) -> Iterator[Finding]:
        reached = self.reached(ducts=True, tests=True)
        for name, squares in self.board.points.items():
            beside = {near for node in squares for near in around(self.board, node)}
            if self.regions.regions_of(beside) & reached or not squares:
                continue
            yield Finding(
                f"point-cut-off:{name}",
                FindingKind.POINT_CUT_OFF,
                severity,
                self.board.middle(squares[0]),
                name,
                f"No zone has a way to {name} for a base of {self.name} mm, {self._with_doors}.",
                cure="Open a way to it.",
                rule="room",
                cases=self._case(severity),
            )

    def _floors(self, severity: Severity) -> Iterator[Finding]:
        squares = self.regions.squares
        walked = self.reached(ducts=False, tests=False)
        tested = self.reached(ducts=False, tests=True)
        crawled = self.reached(ducts=True, tests=False)
        every = self.reached(ducts=True, tests=True)
        home = set().union(*self.home.values())
        seen: set[Node] = {node for region in walked for node in squares[region]}
        for kind, found, rest in (
            (FindingKind.DUCT_ONLY, crawled - walked - tested, Severity.INFO),
            (
                FindingKind.CHECK_ONLY,
                every - walked - crawled,
                Severity.WARNING if self.declared else Severity.INFO,
            ),
            (FindingKind.CUT_OFF, set(range(self.regions.count)) - every, severity),
        ):
            for nodes in clusters({n for region in found for n in squares[region]} - seen):
                yield self._floor(kind, nodes, rest)
            seen |= {n for region in found for n in squares[region]}
        graph = self._graphs[True, True]
        out = home | {a for region in home for a in nx.ancestors(graph, region)}
        for nodes in clusters({n for region in every - out for n in squares[region]}):
            yield self._floor(FindingKind.TRAP, nodes, Severity.WARNING if self.declared else Severity.INFO)

    def _floor(self, kind: FindingKind, nodes: Sequence[Node], severity: Severity) -> Finding:
        board = self.board
        locked = kind is FindingKind.CUT_OFF and _behind_lock(board, nodes)
        if locked:
            kind, severity = FindingKind.LOCKED_AWAY, Severity.INFO
        what = f"{len(nodes)} squares from" if len(nodes) > 1 else ""
        place = board.name(nodes[0])
        base = f"a base of {self.name} mm"
        text, cure = {
            FindingKind.CUT_OFF: (
                f"{base} stands there and has no way to it from any zone",
                "Open a way, or fill it in.",
            ),
            FindingKind.LOCKED_AWAY: (f"{base} gets there only through a locked door", ""),
            FindingKind.DUCT_ONLY: (f"only a ductway leads there for {base}", ""),
            FindingKind.CHECK_ONLY: (
                f"{base} gets there only by a leap or a jump that takes a check",
                "Add stairs or a ladder.",
            ),
            FindingKind.TRAP: (f"{base} gets in, and has no way out", "Add a ladder, stairs or a door."),
        }[kind]
        size = f" ({what} {place})" if what else ""
        return Finding(
            f"{kind.value}:{place.replace(' ', '-')}",
            kind,
            severity,
            board.middle(nodes[0]),
            place,
            f"{place}: {text}{size}.",
            measured=float(len(nodes)),
            unit=Unit.COUNT,
            cure=cure,
            rule={FindingKind.DUCT_ONLY: "ductway_reach", FindingKind.CHECK_ONLY: "leap_check"}.get(
                kind, "room"
            ),
            cases=self._case(severity),
            squares=tuple(board.name(node) for node in nodes[:SHOWN]),
        )


def base_name(ways: Ways) -> str:
    """``32`` or ``60x35``."""
    long, short = 2 * ways.body.half_long_mm, 2 * ways.body.half_short_mm
    return f"{long:g}" if long == short else f"{long:g}x{short:g}"


def compare(first: Reach, other: Reach) -> Iterator[Finding]:
    """Squares that a narrower base reaches and a wider one does not follow to; doors that are too narrow for it."""
    board = first.board
    yield from _narrow_doors(first, other)
    mine = {n for k in first.reached(ducts=True, tests=True) for n in first.regions.squares[k]}
    theirs = {n for k in other.reached(ducts=True, tests=True) for n in other.regions.squares[k]}
    there = {n for nodes in other.regions.squares for n in nodes}
    severity = Severity.WARNING if other.declared else Severity.INFO
    for nodes in clusters((mine & there) - theirs):
        place = board.name(nodes[0])
        yield Finding(
            f"narrow-passage:{place.replace(' ', '-')}",
            FindingKind.NARROW_PASSAGE,
            severity,
            board.middle(nodes[0]),
            place,
            f"{place}: a base of {first.name} mm gets there, one of {other.name} mm does not follow "
            f"({len(nodes)} square{'s' if len(nodes) > 1 else ''}).",
            measured=float(len(nodes)),
            unit=Unit.COUNT,
            rule="narrow",
            source=board.pack.rule("narrow").source,
            cure="Widen the doors or passages that lead there.",
            cases=(Case(other.name, board.pack.id, None, severity),),
            squares=tuple(board.name(node) for node in nodes[:SHOWN]),
        )


def _narrow_doors(first: Reach, other: Reach) -> Iterator[Finding]:
    """Doors too narrow for the wider base, those of one width together."""
    board = first.board
    severity = Severity.WARNING if other.declared else Severity.INFO
    by_width: dict[float, list[Door]] = {}
    for number, door in enumerate(board.doors):
        if len(first.ways.strips[number]) and not other.ways.fits(door):
            by_width.setdefault(round(door.opening, 1), []).append(door)
    for width, doors in sorted(by_width.items()):
        x, y = doors[0].leaf.rect.middle
        more = f" and {len(doors) - 1} more doors" if len(doors) > 1 else ""
        yield Finding(
            f"narrow-door:{width:g}",
            FindingKind.NARROW_DOOR,
            severity,
            (inches(x), inches(y), inches(doors[0].leaf.at[2])),
            doors[0].name,
            f"{doors[0].name}{more}: an opening of {width:.1f} mm is narrower than a base of {other.name} mm.",
            measured=width,
            limit=other.ways.base_mm,
            unit=Unit.MM,
            rule="narrow",
            source=board.pack.rule("narrow").source,
            cure=f"Make the opening {other.ways.base_mm - width:.1f} mm wider, or draw the door two squares long.",
            cases=(Case(other.name, board.pack.id, other.ways.base_mm, severity),),
            squares=tuple(door.name for door in doors),
        )


def around(board: Board, node: Node) -> Iterator[Node]:
    """A square and those beside it that no wall parts from it."""
    level, column, row = node
    grid = board.level(level).grid
    yield node
    for facing in Facing:
        dx, dy = facing.step
        if grid.has(column + dx, row + dy) and not grid.beside(column, row, facing).is_wall:
            yield (level, column + dx, row + dy)


def clusters(nodes: set[Node]) -> list[list[Node]]:
    """Squares that lie side by side, each cluster in order."""
    graph: nx.Graph[Node] = nx.Graph()
    graph.add_nodes_from(nodes)
    for level, column, row in nodes:
        for near in ((level, column + 1, row), (level, column, row + 1)):
            if near in nodes:
                graph.add_edge((level, column, row), near)
    return sorted(sorted(part) for part in nx.connected_components(graph))


def _behind_lock(board: Board, nodes: Sequence[Node]) -> bool:
    """Whether a locked door stands at the rim of some squares."""
    for level, column, row in nodes:
        grid = board.level(level).grid
        for facing in Facing:
            border = grid.beside(column, row, facing)
            if border.kind is BorderKind.DOOR and border.state is State.LOCKED:
                return True
    return False
