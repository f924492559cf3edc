"""Ways between levels and their price; ladders, stairs and ductways that do not do what they are there for; drops."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
import numpy as np

from sandbox.check.finding import Case, Finding, Severity, Unit
from sandbox.ground.model import LinkKind
from sandbox.layout.board import Board, Node
from sandbox.layout.findings import FindingKind, LevelWay
from sandbox.layout.flights import STAIRS, Flight, flights
from sandbox.layout.reach import Reach, clusters
from sandbox.layout.regions import Bools, Ints, in_squares
from sandbox.moves.fails import hit_of
from sandbox.scene.layouts import BorderKind, Facing, SquareKind, State
from sandbox.scene.layouts.names import square_name
from sandbox.units import MM_PER_INCH, inches, mm

_WORDS = {
    LinkKind.CLIMB: "climb",
    LinkKind.LADDER: "ladder",
    LinkKind.LEAP: "leap",
    LinkKind.JUMP_DOWN: "jump-down",
}


def level_ways(reach: Reach) -> tuple[LevelWay, ...]:
    """All ways from level to level for a base, doors open; drops and climbs by the stretch of lip they are for."""
    board, ways = reach.board, reach.ways
    found = [way for flight in flights(board.layout) if (way := _walked(reach, flight)) is not None]
    links, price, chance = ways.setup.links, ways.setup.link_price, ways.setup.prices.chance
    good = np.isfinite(price) & (links.limit == 0) & (links.start >= 0) & (links.end >= 0) & (chance > 0.0)
    starts = ways.nodes[np.maximum(links.start, 0)]
    ends = ways.nodes[np.maximum(links.end, 0)]
    good &= starts[:, 0] != ends[:, 0]
    ladder = links.kind == LinkKind.LADDER
    good &= ~ladder | _on_floor(
        reach, np.where(links.end_pos[:, 2] > links.start_pos[:, 2], links.end, links.start)
    )
    best: dict[tuple[int, int, Node], int] = {}
    for k in np.flatnonzero(good).tolist():
        # a ladder is known by its foot, whichever side one steps off at its top
        down = ladder[k] and links.end_pos[k, 2] < links.start_pos[k, 2]
        known_by: Node = tuple((ends if down else starts)[k].tolist())
        key = (int(links.kind[k]), int(ends[k][0]), known_by)
        if key not in best or price[k] < price[best[key]]:
            best[key] = k
    groups: dict[tuple[int, int, int], dict[Node, int]] = {}
    for (kind, level, start), k in best.items():
        groups.setdefault((kind, start[0], level), {})[start] = k
    for (kind, _, _), rows in sorted(groups.items()):
        # of drops and climbs a stretch of lip is one way, every ladder is a way of its own
        for nodes in [[n] for n in sorted(rows)] if kind == LinkKind.LADDER else clusters(set(rows)):
            k = min((rows[node] for node in nodes), key=lambda row: price[row])
            at, to = links.start_pos[k] / MM_PER_INCH, links.end_pos[k] / MM_PER_INCH
            found.append(
                LevelWay(
                    _WORDS.get(LinkKind(kind), "link"),
                    board.name(tuple(starts[k].tolist())),
                    board.name(tuple(ends[k].tolist())),
                    float(to[2] - at[2]),
                    float(price[k]) / MM_PER_INCH,
                    float(chance[k]),
                    _point(at),
                    _point(to),
                )
            )
    return tuple(found)


def _on_floor(reach: Reach, places: Ints) -> Bools:
    """(n,) whether places are part of floor that is enough to speak of, and no sliver."""
    worth = np.array([bool(squares) for squares in reach.regions.squares] + [False])
    return np.asarray(worth[reach.regions.of[places]])


def _walked(reach: Reach, flight: Flight) -> LevelWay | None:
    board = reach.board
    if not _joins(reach, flight):
        return None
    rise = float(board.floors[flight.head[0]] - board.floors[flight.foot[0]])
    run = flight.length * board.square
    if flight.kind is SquareKind.RAMP:
        run = float(np.hypot(run, rise))
    return LevelWay(
        flight.kind.value,
        board.name(flight.foot),
        board.name(flight.head),
        rise,
        run,
        1.0,
        board.middle(flight.foot),
        board.middle(flight.head),
    )


def _joins(reach: Reach, flight: Flight) -> bool:
    """Whether the base walks from the foot of a flight to its head over the flight."""
    board = reach.board
    grid = board.layout.levels[0].grid
    if not (grid.has(*flight.foot[1:]) and grid.has(*flight.head[1:])):
        return False
    region = reach.regions.of

    def regions_in(nodes: list[Node]) -> set[int]:
        found = region[in_squares(reach.ways, nodes) & reach.ways.passes]
        return {int(k) for k in np.unique(found) if k >= 0}

    up = [(level + 1, column, row) for level, column, row in flight.squares[-1:]]
    return bool(regions_in([flight.foot]) & regions_in([*flight.squares, *up]) & regions_in([flight.head]))


def findings(reach: Reach, ways: tuple[LevelWay, ...]) -> Iterator[Finding]:
    """What is wrong with ways between levels for one base."""
    yield from _blind(reach, ways)
    yield from _holes(reach)
    yield from _ducts(reach)
    yield from _levels(reach, ways)
    yield from _lips(reach)


def _case(reach: Reach, severity: Severity, limit: float | None = None) -> tuple[Case, ...]:
    return (Case(reach.name, reach.board.pack.id, limit, severity),)


def _blind(reach: Reach, ways: tuple[LevelWay, ...]) -> Iterator[Finding]:
    board = reach.board
    severity = Severity.ERROR if reach.declared else Severity.INFO
    climbed = {way.start for way in ways if way.kind == "ladder"} | {
        w.end for w in ways if w.kind == "ladder"
    }
    for level, drawn in enumerate(board.layout.levels[:-1]):
        for r, row in enumerate(drawn.grid.squares):
            for c, square in enumerate(row):
                if square.kind is not SquareKind.LADDER or board.name((level, c, r)) in climbed:
                    continue
                over = board.layout.levels[level + 1].grid.squares[r][c]
                locked = over.kind is SquareKind.HATCH and over.state is State.LOCKED
                open_above = over.kind in (SquareKind.HATCH, SquareKind.HOLE) and not locked
                place = board.name((level, c, r))
                why = (
                    f"there is no floor within reach of its top that a base of {reach.name} mm can step onto"
                    if open_above
                    else "the hatch above it is locked"
                    if locked
                    else f"the square above it has no hole ({over.kind.value})"
                )
                yield Finding(
                    f"ladder-blind:{place.replace(' ', '-')}",
                    FindingKind.LADDER_BLIND,
                    severity,
                    board.middle((level, c, r)),
                    place,
                    f"{place}: the ladder leads nowhere: {why}.",
                    rule="ladder_top",
                    source=board.pack.rule("ladder_top").source,
                    cure="Leave floor within an inch of its top."
                    if open_above
                    else "Unlock it."
                    if locked
                    else "Put a hatch above it.",
                    cases=_case(reach, severity),
                )
    for flight in flights(board.layout):
        if _joins(reach, flight):
            continue
        place = board.name(flight.squares[0])
        yield Finding(
            f"stairs-blind:{place.replace(' ', '-')}",
            FindingKind.STAIRS_BLIND,
            severity,
            board.middle(flight.squares[0]),
            place,
            f"{place}: a base of {reach.name} mm does not get up the {flight.kind.value}: "
            f"{_why_blind(board, flight)}.",
            rule="headroom",
            cure="Leave the squares above open, and floor at both ends.",
            cases=_case(reach, severity),
            squares=tuple(board.name(node) for node in flight.squares),
        )


def _why_blind(board: Board, flight: Flight) -> str:
    above = board.layout.levels[flight.head[0]].grid
    closed = [n for n in flight.squares if above.squares[n[2]][n[1]].kind is not SquareKind.HOLE]
    if closed:
        return f"the floor above {square_name(closed[0][1], closed[0][2])} is closed"
    if not above.has(*flight.head[1:]) or not above.has(*flight.foot[1:]):
        return "it ends at the edge of the board"
    return "it does not get onto them, or off them"


def _holes(reach: Reach) -> Iterator[Finding]:
    """Hatches over ladders that are narrower than the base: passed by the ladder all the same (law 10)."""
    board = reach.board
    severity = Severity.WARNING if reach.declared else Severity.INFO
    for level, drawn in enumerate(board.layout.levels):
        for r, row in enumerate(drawn.grid.squares):
            for c, square in enumerate(row):
                if square.kind is not SquareKind.HATCH or square.size[0] >= reach.ways.base_mm - 0.05:
                    continue
                below = board.layout.levels[level - 1].grid.squares[r][c]
                if below.kind is not SquareKind.LADDER:
                    continue
                place = board.name((level, c, r))
                wider = reach.ways.base_mm - square.size[0]
                yield Finding(
                    f"ladder-hole:{place.replace(' ', '-')}",
                    FindingKind.LADDER_HOLE,
                    severity,
                    board.middle((level, c, r)),
                    place,
                    f"{place}: the hatch of {square.size[0]:.1f} mm is narrower than a base of {reach.name} mm; "
                    "the rules let it pass by the ladder, the model does not fit through.",
                    measured=square.size[0],
                    limit=reach.ways.base_mm,
                    unit=Unit.MM,
                    rule="ladder_top",
                    source=board.pack.rule("ladder_top").source,
                    cure=f"Make the hole {wider:.1f} mm wider.",
                    cases=_case(reach, severity, reach.ways.base_mm),
                )


def _ducts(reach: Reach) -> Iterator[Finding]:
    board, limit = reach.board, reach.board.pack.movement.ductway_length
    severity = Severity.ERROR if reach.declared else Severity.INFO
    for duct in board.scene.ductways:
        length = float(np.linalg.norm(np.subtract(duct.start, duct.end)))
        if mm(length) > mm(limit) + 0.05:
            yield Finding(
                f"duct-long:{duct.id.replace(' ', '-')}",
                FindingKind.DUCT_LONG,
                Severity.ERROR,
                duct.start,
                duct.id,
                f"{duct.id}: a ductway is at most {limit:g} in long, this one is {length:.2f} in ({mm(length):.1f} mm).",
                measured=length,
                limit=limit,
                rule="ductway_length",
                source=board.pack.rule("ductway_length").source,
                cure=f"Make what it goes through {mm(length - limit):.1f} mm thinner.",
            )
        for mouth in (duct.start, duct.end):
            if not len(reach.ways.near_mouth(mouth)):
                yield Finding(
                    f"duct-blind:{duct.id.replace(' ', '-')}",
                    FindingKind.DUCT_BLIND,
                    severity,
                    mouth,
                    duct.id,
                    f"{duct.id}: a base of {reach.name} mm has no room within "
                    f"{board.pack.movement.ductway_reach:g} in of one of its mouths.",
                    rule="ductway_reach",
                    source=board.pack.rule("ductway_reach").source,
                    cure="A ductway has a mouth with room before it on both sides.",
                    cases=_case(reach, severity),
                )
                break


def _levels(reach: Reach, ways: tuple[LevelWay, ...]) -> Iterator[Finding]:
    """Levels that one way leads to."""
    board = reach.board
    for level, drawn in enumerate(board.layout.levels[1:], start=1):
        sure = [
            way
            for way in ways
            if way.chance > 0.999
            and way.kind in ("stairs", "ramp", "ladder", "climb")
            and _level_named(board, way.end) == level
            and way.up > 0
        ]
        joined = _above(board, ways, level)
        if len(sure) + joined != 1:
            continue
        severity = Severity.WARNING if reach.declared else Severity.INFO
        way = sure[0] if sure else ways[0]
        yield Finding(
            f"one-way-up:{drawn.name}",
            FindingKind.ONE_WAY_UP,
            severity,
            way.to,
            drawn.name,
            f"Only one way leads up to {drawn.name}: {way.kind} from {way.start}. Whoever stands there holds it.",
            measured=1.0,
            limit=2.0,
            unit=Unit.COUNT,
            cure="Add a second ladder or stairs.",
            cases=_case(reach, severity),
        )


def _above(board: Board, ways: tuple[LevelWay, ...], level: int) -> int:
    """Ways down into a level from above, for levels that are entered that way too."""
    return sum(
        1
        for way in ways
        if way.kind in ("ladder", "jump-down")
        and way.up < 0
        and _level_named(board, way.end) == level
        and way.chance > 0.999
    )


def _level_named(board: Board, square: str) -> int:
    return board.layout.level(square.rsplit(" ", 1)[0]) if " " in square else 0


def _lips(reach: Reach) -> Iterator[Finding]:
    """Stretches of lip without a rail, and what a fall there does."""
    board = reach.board
    graph: nx.Graph[tuple[Node, Facing]] = nx.Graph()
    for level, drawn in enumerate(board.layout.levels[1:], start=1):
        grid = drawn.grid
        for r in range(grid.depth):
            for c in range(grid.width):
                if grid.squares[r][c].kind in (SquareKind.HOLE, SquareKind.SOLID, SquareKind.DUCT):
                    continue
                for facing in Facing:
                    dx, dy = facing.step
                    if not grid.has(c + dx, r + dy) or grid.beside(c, r, facing).kind is not BorderKind.OPEN:
                        continue
                    if grid.squares[r + dy][c + dx].kind is SquareKind.HOLE and not _lands_on_stairs(
                        board, level, c + dx, r + dy, facing
                    ):
                        graph.add_node(((level, c, r), facing))
    for (level, c, r), facing in list(graph):
        for other in ((level, c + 1, r), (level, c, r + 1)):
            if (other, facing) in graph:
                graph.add_edge(((level, c, r), facing), (other, facing))
    by_drop: dict[tuple[int, float], list[list[tuple[Node, Facing]]]] = {}
    for part in nx.connected_components(graph):
        places = sorted(part)
        facing = places[0][1]
        height = max(
            _drop(board, (node[0], node[1] + facing.step[0], node[2] + facing.step[1])) for node, _ in places
        )
        by_drop.setdefault((places[0][0][0], round(height, 2)), []).append(places)
    for (level, height), stretches in sorted(by_drop.items()):
        stretches.sort(key=lambda places: (-len(places), places))
        hit = hit_of(board.pack, board.pack.for_fighter(), height)
        name = board.level(level).name
        count = sum(map(len, stretches))
        (node, facing), last = stretches[0][0], stretches[0][-1]
        longest = f"{board.name(node)}{facing.word[0]}"
        longest += f" to {board.name(last[0])}{facing.word[0]}" if len(stretches[0]) > 1 else ""
        yield Finding(
            f"lip:{name}-{height:g}",
            FindingKind.LIP,
            Severity.INFO,
            board.middle(node),
            longest,
            f"{name}: drops of {height:.2f} in without a rail along {count} sides of squares "
            f"({len(stretches)} stretch{'es' if len(stretches) > 1 else ''}, the longest {longest}); a fall there "
            + (f"is a hit of {hit}." if hit is not None else "does no harm by itself."),
            measured=height,
            rule="edge_zone",
            source=board.pack.rule("edge_zone").source,
            cure="Rails of at least half an inch, where a fall should not be feared.",
            squares=tuple(f"{board.name(n)}{f.word[0]}" for places in stretches for n, f in places),
        )


def _lands_on_stairs(board: Board, level: int, column: int, row: int, facing: Facing) -> bool:
    """Whether the open square is where stairs come up to this lip."""
    below = board.layout.levels[level - 1].grid.squares[row][column]
    return below.kind in STAIRS and below.facing == facing.turned(2)


def _drop(board: Board, node: Node) -> float:
    """Height from a level's floor to the next floor under an open square, inches."""
    level, column, row = node
    for below in range(level - 1, -1, -1):
        if board.layout.levels[below].grid.squares[row][column].kind is not SquareKind.HOLE:
            return inches(board.layout.floor_mm(level) - board.layout.floor_mm(below))
    return inches(board.layout.floor_mm(level))


def _point(values: np.ndarray) -> tuple[float, float, float]:
    return (float(values[0]), float(values[1]), float(values[2]))
