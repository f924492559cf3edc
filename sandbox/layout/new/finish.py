"""The rest of one try: ways between rooms, zones and points, what one enemy must not close, furniture."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.layout.new.build import RAIL, WALL, Builder, Stuck, _in_line
from sandbox.layout.new.draft import Edge, Node, is_floor
from sandbox.layout.new.graph import squares_of
from sandbox.layout.new.proof import EVEN_INCHES, LEAST_ZONE, cuts, dead_ends, loops, marked
from sandbox.layout.new.wishes import NARROW_DOOR, Fairness, PartKind
from sandbox.scene.layouts import BorderKind, Corner, Layout, Square, SquareKind
from sandbox.scene.layouts.model import FLOOR, HOLE, OPEN

ZONES = {"R": "red", "B": "blue"}
COLUMN_MM = 50.0
SHORTEST_RUN, LONGEST_RUN = 3, 6
"""walls in a row, where walls are counted."""
MOST_POINTS = 24
"""squares that are tried for a point."""
LEAST_FAR = 7.0
"""inches from each zone to a point, on boards large enough."""
MOST_MENDING = 40
"""ways that are opened because one enemy would close the only one."""


class Finisher(Builder):
    """A builder that finishes what it began."""

    points: dict[str, str]

    def finished(self) -> Layout:
        """The whole board. Stuck where it cannot be finished."""
        self.points = {}
        self.rooms_of_levels()
        self.walls()
        self.ways_up()
        self.fit_walls()
        self.zones()
        self.connect()
        self.mend()
        self.more_doors()
        self.find_points()
        self.mend()
        self.rails()
        self.furnish()
        return self.layout()

    def layout(self) -> Layout:
        """The board as it is now."""
        return self.draft.layout(dict(ZONES), dict(self.points))

    # -- walls that are owned ------------------------------------------------------------------------------------

    def fit_walls(self) -> None:
        """Leave out walls between rooms until those that are left can be built."""
        limit = self.wishes.limit(PartKind.WALLS)
        if limit is None:
            return
        draft = self.draft
        runs: list[list[Edge]] = []
        for level in range(draft.levels):
            every = {edge for edge in draft.edges(level) if draft.border(edge) == WALL}
            for line in _in_line(every):
                runs += [line[k : k + LONGEST_RUN] for k in range(0, len(line), LONGEST_RUN)]
        self.rng.shuffle(runs)
        runs.sort(key=lambda run: len(run) < SHORTEST_RUN)
        kept: set[Edge] = set()
        for run in runs:
            more = {twin for edge in run for twin in draft.edge_orbit(edge)} - kept
            if len(kept) + len(more) <= limit:
                kept |= more
        for level in range(draft.levels):
            for edge in draft.edges(level):
                if draft.border(edge) == WALL and edge not in kept:
                    draft.draw(edge, OPEN)

    # -- zones ---------------------------------------------------------------------------------------------------

    def zones(self) -> None:
        """Two squares deep at opposite ends of the board."""
        draft = self.draft
        along = draft.depth >= draft.width
        across, length = (draft.width, draft.depth) if along else (draft.depth, draft.width)
        deep = 2 if length > 6 else 1
        wide = min(across, self.rng.randint(4, 8))
        first = self.rng.randint(0, across - wide)
        for mark, far in (("R", False), ("B", True)):
            for k in range(first, first + wide):
                for step in range(deep):
                    at = length - 1 - step if far else step
                    node: Node = (0, k, at) if along else (0, at, k)
                    if far and draft.turned:
                        node = draft.twin((0, k, step) if along else (0, step, k))
                    if draft.at(node) == FLOOR:
                        draft.marks[0][node[2]][node[1]] = mark
        for mark in ZONES:
            if sum(row.count(mark) for row in draft.marks[0]) < LEAST_ZONE:
                raise Stuck("--levels: stairs and ladders leave too little floor for a deployment zone")

    # -- ways between rooms --------------------------------------------------------------------------------------

    def connect(self) -> None:
        """Join all rooms of each level, and open some ways more."""
        for level in range(self.draft.levels):
            self._join(level)
            if self.wishes.limit(PartKind.WALLS) is not None:
                continue  # rooms have gaps enough
            spots = self.spots(level)
            pairs = [pair for pair in spots if pair[0] >= 0]
            self.rng.shuffle(pairs)
            for pair in pairs[: max(1, len(self.rooms[level]) // 4)]:
                self._open(spots[pair])

    def _join(self, level: int) -> None:
        root = {k: k for k in self.rooms[level]}

        def find(k: int) -> int:
            while root[k] != k:
                k = root[k]
            return k

        def join(edge: Edge) -> None:
            first, second = (self.room(node) for node in edge.sides)
            root[find(first)] = find(second)

        for edge in self.draft.edges(level):
            if (
                self.draft.inside(edge)
                and self.draft.border(edge).kind in (BorderKind.OPEN, BorderKind.DOOR)
                and all(self.room(n) >= 0 and is_floor(self.draft.at(n)) for n in edge.sides)
            ):
                join(edge)
        spots = self.spots(level)
        pairs = list(spots)
        self.rng.shuffle(pairs)
        for pair in pairs:
            if find(pair[0]) == find(pair[1]):
                continue
            spot = self._open(self.spots(level).get(pair, []))
            for edge in () if spot is None else spot:
                for one in self.draft.edge_orbit(edge):
                    join(one)
        if len({find(k) for k in self.rooms[level]}) > 1:
            raise Stuck(f"no way is left to join the rooms of a level{self._door_wishes()}")

    def _open(self, spots: list[tuple[Edge, ...]]) -> tuple[Edge, ...] | None:
        """Open one of some spots; which one, or None where none fits."""
        wished = self.wishes.doors
        door = self.rng.random() < 0.8 if wished is None else self.doors_now() < wished
        narrow = self.wishes.base <= NARROW_DOOR
        liked = 1 if door and narrow and self.rng.random() < 0.6 else 2
        order = sorted(spots, key=lambda spot: (len(spot) != liked, self.rng.random()))
        for kind in (True, False) if door else (False,):
            for spot in order:
                if kind and wished is not None and not self._in_wish(spot):
                    continue
                if self.open_way(spot, kind):
                    return spot
        return None

    def _in_wish(self, spot: tuple[Edge, ...]) -> bool:
        """Whether a door there is not one too many."""
        edges = {twin for edge in spot for twin in self.draft.edge_orbit(edge)}
        wished = self.wishes.doors
        return wished is None or self.doors_now() + len(list(_in_line(edges))) <= wished

    # -- points --------------------------------------------------------------------------------------------------

    def find_points(self) -> None:
        """Points on the lowest and the highest level, as far from one side as from the other, or one for each."""
        draft = self.draft
        graph = squares_of(self.layout(), self.wishes.base)
        zones = marked(self.layout(), ZONES)
        far = {name: graph.distances(nodes) for name, nodes in zones.items()}
        apart = min((far["red"][node] for node in zones["blue"] if node in far["red"]), default=0.0)
        least = min(LEAST_FAR, apart / 3.0)
        signs = iter("1234")
        for level in sorted({0, draft.levels - 1}):
            word = "stash" if level == 0 else "relay"
            nodes = [
                node
                for node in graph.near
                if node[0] == level and draft.at(node) == FLOOR and node not in self.taken
                if all(node in far[name] and far[name][node] > least for name in far)
            ]
            self.rng.shuffle(nodes)
            if self.wishes.fairness is Fairness.EVEN:
                nodes = [n for n in nodes if abs(far["red"][n] - far["blue"][n]) < 0.6 * EVEN_INCHES]
            if not nodes:
                raise Stuck(
                    f"--fair {self.wishes.fairness}: there is no place for a point on the level {level + 1}"
                )
            safe = [n for n in nodes[:MOST_POINTS] if not cuts(graph, zones, {"": [n]})] or nodes
            first = safe[0]
            chosen = [first, draft.twin(first)] if draft.turned else [first]
            if not draft.turned:
                chosen += [n for n in safe if abs(n[1] - first[1]) + abs(n[2] - first[2]) > 3][:1]
            for number, node in enumerate(chosen, start=1):
                sign = next(signs)
                draft.marks[level][node[2]][node[1]] = sign
                self.points[sign] = f"{word} {number}" if len(chosen) > 1 else word
                self.taken.add(node)

    # -- what one enemy must not close ---------------------------------------------------------------------------

    def mend(self) -> None:
        """Open ways until no single enemy closes the only one, and the wishes for loops and dead ends are kept."""
        for _ in range(MOST_MENDING):
            layout = self.layout()
            graph = squares_of(layout, self.wishes.base)
            zones, points = marked(layout, ZONES), marked(layout, self.points)
            found = cuts(graph, zones, points)
            if found:
                node, left = next(iter(found.items()))
                if self._open_between(left, graph.near.keys() - left - {node}):
                    continue
                raise Stuck(f"one enemy closes the only way somewhere{self._door_wishes()}")
            home = {n for nodes in zones.values() for n in nodes}
            ends = self.wishes.dead_ends is not None and dead_ends(graph, home) > self.wishes.dead_ends
            few = self.wishes.loops is not None and loops(graph) < self.wishes.loops
            if not ends and not few:
                return
            if not self._open_any():
                if ends:
                    got = dead_ends(graph, home)
                    raise Stuck(
                        f"--dead-ends: {got} dead ends, wished are at most {self.wishes.dead_ends}", got
                    )
                got = loops(graph)
                raise Stuck(f"--loops: {got} loops, wished are at least {self.wishes.loops}", -got)
        raise Stuck(f"one enemy closes the only way somewhere{self._door_wishes()}")

    def _door_wishes(self) -> str:
        """The wishes that keep doors away, for a message."""
        wide = f" for --base {self.wishes.base:g}" if self.wishes.base > NARROW_DOOR else ""
        return wide + self._owned(PartKind.DOORS, PartKind.DOUBLE_DOORS, PartKind.WALLS)

    def _open_between(self, left: set[Node], lost: set[Node]) -> bool:
        """Open a way from what is still reached to what is not."""
        for level in self._levels():
            found = [
                spot
                for spots in self.spots(level).values()
                for spot in spots
                if any({*edge.sides} & left and {*edge.sides} & lost for edge in spot)
            ]
            if found and self._open(found) is not None:
                return True
        return self._open_any()

    def _open_any(self) -> bool:
        for level in self._levels():
            spots = self.spots(level)
            pairs = list(spots)
            self.rng.shuffle(pairs)
            for pair in pairs:
                if self._open(spots[pair]) is not None:
                    return True
        return False

    def _levels(self) -> list[int]:
        order = list(range(self.draft.levels))
        self.rng.shuffle(order)
        return order

    def more_doors(self) -> None:
        """Doors in walls until there are as many as are wished, or as many as somebody has for their walls."""
        wished = self.wishes.doors
        if wished is None and self.wishes.limit(PartKind.WALLS) is not None:
            wished = self.wishes.own.get(PartKind.DOORS)
        while wished is not None and self.doors_now() < wished:
            before = self.doors_now()
            for level in self._levels():
                every = [spot for spots in self.spots(level).values() for spot in spots]
                self.rng.shuffle(every)
                for spot in every:
                    if self._in_wish(spot) and self.open_way(spot, True):
                        break
                if self.doors_now() > before:
                    break
            if self.doors_now() == before:
                return

    # -- what stands about ---------------------------------------------------------------------------------------

    def rails(self) -> None:
        """Rails along some of the lips."""
        draft = self.draft
        for level in range(1, draft.levels):
            lips: dict[tuple[bool, int, int], list[Edge]] = {}
            for edge in draft.edges(level):
                if not draft.inside(edge) or edge in self.reserved or draft.border(edge) != OPEN:
                    continue
                kinds = [draft.at(node).kind is HOLE.kind for node in edge.sides]
                if kinds[0] != kinds[1]:
                    room = max(self.room(node) for node in edge.sides)
                    lips.setdefault((edge.upright, edge.line, room), []).append(edge)
            for run in lips.values():
                if self.rng.random() < 0.45:
                    for edge in run:
                        orbit = set(draft.edge_orbit(edge))
                        if draft.border(edge) == OPEN and self.left(PartKind.RAILS) >= len(orbit):
                            draft.draw(edge, RAIL)
                            self.use(PartKind.RAILS, len(orbit))

    def furnish(self) -> None:
        """Crates, barricades, consoles and columns; pits and mud on the lowest level."""
        draft, rng = self.draft, self.rng
        self._columns()
        pieces = (
            (PartKind.CRATES, Square.of(SquareKind.CRATE)),
            (PartKind.BARRICADES, Square.of(SquareKind.BARRICADE)),
            (PartKind.CONSOLES, Square.of(SquareKind.CONSOLE)),
        )
        for level in range(draft.levels):
            free = [node for node in draft.nodes(level) if self._is_free(node)]
            rng.shuffle(free)
            wanted = max(2, len(free) // 28)
            for node in free:
                if wanted <= 0:
                    break
                if any(twin in self.taken for twin in draft.orbit(node)):
                    continue
                kind, square = rng.choice(pieces)
                orbit = draft.orbit(node)
                if self.left(kind) < len(orbit):
                    continue
                draft.put(node, square.turned(rng.randrange(2) if kind is PartKind.BARRICADES else 0))
                self.use(kind, len(orbit))
                for one in orbit:
                    self.taken |= {one, *(other for other, _ in draft.around(one))}
                wanted -= len(orbit)
        for node in self._mud():
            draft.put(node, Square.of(SquareKind.DIFFICULT))

    def _is_free(self, node: Node) -> bool:
        """Whether something may stand in a square: plain floor, no mark, no door and no lip beside it."""
        draft = self.draft
        if draft.at(node) != FLOOR or node in self.taken or draft.marks[node[0]][node[2]][node[1]] != ".":
            return False
        return all(
            draft.border(edge).kind in (BorderKind.OPEN, BorderKind.WALL)
            and (draft.border(edge).kind is BorderKind.WALL or is_floor(draft.at(other)))
            and (draft.border(edge).kind is BorderKind.WALL or self.room(other) == self.room(node))
            for other, edge in draft.around(node)
        )

    def _columns(self) -> None:
        """Columns in the middle of large rooms."""
        draft = self.draft
        for level in range(draft.levels):
            for number in sorted(self.rooms[level]):
                c0, r0, c1, r1 = self.plans[level].rooms[number].box
                if min(c1 - c0, r1 - r0) < 4 or self.rng.random() < 0.4:
                    continue
                column, row = self.rng.randint(c0 + 2, c1 - 2), self.rng.randint(r0 + 2, r1 - 2)
                places = (
                    {(column, row), (draft.width - column, draft.depth - row)}
                    if draft.turned
                    else {(column, row)}
                )
                around = [(level, x, y) for x in (column - 1, column) for y in (row - 1, row)]
                if self.left(PartKind.COLUMNS) < len(places) or draft.corners[level][row][column].column:
                    continue
                if any(draft.at(node) != FLOOR or node in self.taken for node in around):
                    continue
                draft.corner(level, column, row, Corner(COLUMN_MM))
                self.use(PartKind.COLUMNS, len(places))
                for node in around:
                    self.taken |= set(draft.orbit(node))

    def _mud(self) -> Iterator[Node]:
        draft = self.draft
        rooms = [k for k in self.rooms[0] if not self.plans[0].rooms[k].corridor]
        for number in self.rng.sample(sorted(rooms), min(len(rooms), 1)):
            c0, r0, c1, r1 = self.plans[0].rooms[number].box
            for c in range(c0, c1):
                for r in range(r0, r1):
                    node = (0, c, r)
                    if draft.at(node) == FLOOR and draft.marks[0][r][c] == "." and self.rng.random() < 0.5:
                        yield node
