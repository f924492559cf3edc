"""One try at a board: rooms on levels, ways up, doors, zones, points, and what stands about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from random import Random

from sandbox.layout.new.draft import PITCH, Draft, Edge, Node, is_floor
from sandbox.layout.new.graph import flight_width
from sandbox.layout.new.rooms import Rooms, divide
from sandbox.layout.new.wishes import NARROW_DOOR, Fairness, PartKind, Wishes
from sandbox.scene.layouts import Border, BorderKind, Facing, Square, SquareKind, State
from sandbox.scene.layouts.model import FLOOR, HOLE, OPEN

WALL = Border.of(BorderKind.WALL)
RAIL = Border.of(BorderKind.RAIL)
FLIGHT = 3
"""squares of stairs from one level to the next."""
MOST_WAYS = 4
"""stairs and ladders to one level."""
LEAST_FLOOR, MOST_FLOOR = 0.45, 0.8
"""how much of an upper level is floor."""
CLOSED = 0.65
"""share of the doors that are closed."""


class Stuck(Exception):
    """This try leads to no board; its text says which wish stands in the way."""

    def __init__(self, what: str, far: float = 0.0) -> None:
        """far: how far from the number that was wished, where it is one."""
        super().__init__(what)
        self.far = far


class Builder:
    """A draft, and what is known about it while it grows."""

    def __init__(self, wishes: Wishes, rng: Random, ease: float = 0.0) -> None:
        """ease: share of the walls between rooms that are left out."""
        self.ease = ease
        self.wishes = wishes
        self.rng = rng
        self.draft = Draft(wishes.tiles, wishes.levels, turned=wishes.fairness is Fairness.TURNED)
        self.plans: list[Rooms] = []
        self.rooms: list[set[int]] = []
        """of each level, the rooms that have a floor."""
        self.taken: set[Node] = set()
        """squares that nothing else may be put in, and no door beside."""
        self.reserved: set[Edge] = set()
        """borders that stay as they are."""
        self.used: dict[PartKind, int] = dict.fromkeys(PartKind, 0)

    # -- parts ---------------------------------------------------------------------------------------------------

    def left(self, kind: PartKind) -> int:
        """How many of a part are left."""
        limit = self.wishes.limit(kind)
        return 10_000 if limit is None else limit - self.used[kind]

    def use(self, kind: PartKind, count: int = 1) -> None:
        """Take some of a part."""
        self.used[kind] += count

    # -- rooms and walls -----------------------------------------------------------------------------------------

    def rooms_of_levels(self) -> None:
        """Rooms of all levels, and which of them have a floor."""
        draft = self.draft
        for level in range(draft.levels):
            plan = divide(self.rng, draft.width, draft.depth, turned=draft.turned)
            self.plans.append(plan)
            kept = set(range(len(plan.rooms)))
            self.rooms.append(kept if level == 0 else self._with_holes(plan, kept))
            for node in draft.nodes(level):
                if plan.of[node[2]][node[1]] in self.rooms[level]:
                    draft.squares[level][node[2]][node[1]] = FLOOR

    def _with_holes(self, plan: Rooms, rooms: set[int]) -> set[int]:
        """Some of the rooms, joined; what is left out is open to the level below."""
        near = _neighbours(plan)
        whole = sum(room.size for room in plan.rooms)
        wanted = self.rng.uniform(LEAST_FLOOR, MOST_FLOOR) * whole
        order = list(range(len(plan.rooms)))
        self.rng.shuffle(order)
        kept = set(rooms)
        for number in order:
            orbit = {number, plan.twin[number]}
            rest = kept - orbit
            size = sum(plan.rooms[k].size for k in rest)
            if number in kept and size >= LEAST_FLOOR * whole and _one_piece(rest, near):
                kept = rest
                if size <= wanted:
                    break
        return kept

    def room(self, node: Node) -> int:
        """The room that a square is in; -1 where it has no floor."""
        number = self.plans[node[0]].of[node[2]][node[1]]
        return number if number in self.rooms[node[0]] else -1

    def walls(self) -> None:
        """Walls between rooms, and around the board where walls are not counted."""
        rim = self.wishes.limit(PartKind.WALLS) is None
        for level in range(self.draft.levels):
            plan = self.plans[level]
            gone: dict[tuple[int, int], bool] = {}
            for edge in self.draft.edges(level):
                sides = [node for node in edge.sides if self.draft.has(node)]
                rooms = [self.room(node) for node in sides]
                if len(sides) == 1:
                    if rim and rooms[0] >= 0:
                        self.draft.draw(edge, WALL)
                elif -1 not in rooms and rooms[0] != rooms[1]:
                    both = all(plan.rooms[k].corridor for k in rooms)
                    pair = (min(rooms), max(rooms))
                    if self.ease and pair not in gone:
                        gone[pair] = self.rng.random() < self.ease
                    self.draft.draw(edge, OPEN if both or gone.get(pair) else WALL)

    # -- ways up -------------------------------------------------------------------------------------------------

    def ways_up(self) -> None:
        """Two ways up to each level at least: stairs where there is room and there are some, else ladders."""
        per = 2 if self.draft.turned else 1
        for level in range(1, self.draft.levels):
            count, kinds = 0, [PartKind.STAIRS, PartKind.LADDERS]
            if self.rng.random() < 0.3:
                kinds.reverse()
            while count < MOST_WAYS:
                placed = False
                for kind in list(kinds):
                    if self.left(kind) < per or (count >= 2 and self._short_of_ways(level, per)):
                        continue
                    placed = self._flight(level) if kind is PartKind.STAIRS else self._ladder(level)
                    if placed:
                        self.use(kind, per)
                        count += per
                        kinds = [*(k for k in kinds if k is not kind), kind]
                        break
                if not placed:
                    break
            if count < 2:
                raise Stuck(
                    f"--levels: there is no room for two ways up to each of {self.draft.levels} levels"
                    + self._owned(PartKind.STAIRS, PartKind.LADDERS)
                )

    def _owned(self, *kinds: PartKind) -> str:
        """What there is of some parts, for those that are counted."""
        told = [
            f"{kind.value}={self.wishes.limit(kind)}" for kind in kinds if self.wishes.limit(kind) is not None
        ]
        return f" with --own {','.join(told)}" if told else ""

    def _levels_left(self, level: int) -> int:
        return self.draft.levels - 1 - level

    def _short_of_ways(self, level: int, per: int) -> bool:
        """Whether the levels above need what is left."""
        left = self.left(PartKind.STAIRS) // per * per + self.left(PartKind.LADDERS) // per * per
        return left - per < 2 * self._levels_left(level)

    def _flight(self, level: int) -> bool:
        draft = self.draft
        found: list[tuple[float, list[Node], Facing]] = []
        for node in draft.nodes(level - 1):
            for facing in Facing:
                dx, dy = facing.step
                line = [(level - 1, node[1] + k * dx, node[2] + k * dy) for k in range(FLIGHT + 2)]
                if self._fits_flight(line, facing):
                    side = facing.turned(1).step
                    walls = sum(
                        not draft.has(other)
                        or draft.border(draft.between(one, other)).kind is BorderKind.WALL
                        for one in line[1:-1]
                        for other in (
                            (level - 1, one[1] + side[0], one[2] + side[1]),
                            (level - 1, one[1] - side[0], one[2] - side[1]),
                        )
                    )
                    found.append((self.rng.random() - min(walls, FLIGHT), line, facing))
        for _, line, facing in sorted(found, key=lambda one: one[0])[:12]:
            steps = line[1:-1]
            above = [(level, c, r) for _, c, r in steps]
            gone = {twin for node in (*steps, *above) for twin in draft.orbit(node)}
            ends = {twin for node in (line[0], (level, *line[-1][1:])) for twin in draft.orbit(node)}
            if ends & gone or len(gone) != len(draft.orbit(line[0])) * 2 * FLIGHT:
                continue
            if not (self._still_joined(level - 1, gone) and self._still_joined(level, gone)):
                continue
            for node in steps:
                draft.put(node, Square.of(SquareKind.STAIRS, facing))
            for node in above:
                draft.put(node, HOLE)
            self.taken |= gone | ends
            self._guard(above, facing)
            return True
        return False

    def _fits_flight(self, line: list[Node], facing: Facing) -> bool:
        """Foot and steps in one room, the squares above the steps and the head in one room above, and room to pass."""
        if not self.draft.has(line[0]) or not self.draft.has(line[-1]):
            return False
        level = line[0][0]
        low = {self.room(node) for node in line[:-1]}
        top = [(level + 1, c, r) for _, c, r in line]
        high = {self.room(node) for node in top[1:]}
        if len(low) != 1 or len(high) != 1 or -1 in low | high:
            return False
        if any(node in self.taken or self.draft.at(node) != FLOOR for node in (*line[:-1], *top[1:])):
            return False
        if any(self._free_beside(node) < 2 for node in (line[0], top[-1])):
            return False
        return flight_width(self.draft.beside, [*line[:-1], *top[1:]], facing, PITCH) >= self.wishes.base

    def _free_beside(self, node: Node) -> int:
        """Squares beside one that a base goes on to, nothing between."""
        return sum(
            self.draft.at(other) == FLOOR
            and other not in self.taken
            and self.draft.border(edge).kind is BorderKind.OPEN
            for other, edge in self.draft.around(node)
        )

    def _guard(self, above: list[Node], facing: Facing) -> None:
        """Rails around the hole that stairs come up through, on all sides but the last."""
        rails = self.rng.random() < 0.7
        for node in above:
            for other, edge in self.draft.around(node):
                if other in above or self.room(other) < 0 or self.draft.at(other) == HOLE:
                    continue
                head = facing.step == (other[1] - node[1], other[2] - node[2]) and node == above[-1]
                self.reserved |= set(self.draft.edge_orbit(edge))
                if head or self.draft.border(edge).kind is not BorderKind.OPEN:
                    continue
                if rails and self.left(PartKind.RAILS) >= len(self.draft.edge_orbit(edge)):
                    self.draft.draw(edge, RAIL)
                    self.use(PartKind.RAILS, len(set(self.draft.edge_orbit(edge))))

    def _ladder(self, level: int) -> bool:
        draft = self.draft
        found: list[tuple[float, Node, Facing]] = []
        for node in draft.nodes(level - 1):
            above = (level, *node[1:])
            if any(n in self.taken or draft.at(n) != FLOOR for n in (node, above)):
                continue
            if self._free_beside(node) < 1 or self._free_beside(above) < 2:
                continue
            for facing in Facing:
                dx, dy = facing.step
                other = (level - 1, node[1] + dx, node[2] + dy)
                wall = not draft.has(other) or draft.border(draft.between(node, other)) == WALL
                found.append((self.rng.random() - 2 * wall, node, facing))
        for _, node, facing in sorted(found, key=lambda one: one[0])[:12]:
            above = (level, *node[1:])
            gone = {*draft.orbit(above), *draft.orbit(node)}
            if len(gone) != 2 * len(draft.orbit(node)):
                continue
            if not (self._still_joined(level, gone) and self._still_joined(level - 1, gone)):
                continue
            side = 35.0 if self.wishes.base <= 35.0 else self.wishes.base + 1.0
            draft.put(node, Square.of(SquareKind.LADDER, facing))
            draft.put(above, Square.of(SquareKind.HATCH, size=(side,), state=State.OPEN))
            self.taken |= gone
            for one in (node, above):
                self.reserved |= {e for _, edge in draft.around(one) for e in draft.edge_orbit(edge)}
            return True
        return False

    def _still_joined(self, level: int, gone: Collection[Node]) -> bool:
        """Whether each room stays in one piece without some squares."""
        plan = self.plans[level]
        lost = self.taken | set(gone)
        for number in {self.room(node) for node in gone if node[0] == level} - {-1}:
            c0, r0, c1, r1 = plan.rooms[number].box
            nodes = {(level, c, r) for c in range(c0, c1) for r in range(r0, r1)}
            nodes = {n for n in nodes if n not in gone and is_floor(self.draft.at(n))} - {
                n for n in lost if self.draft.at(n).kind is SquareKind.HATCH
            }
            if not nodes or not self._connected(nodes):
                return False
        return True

    def _connected(self, nodes: set[Node]) -> bool:
        todo = [min(nodes)]
        seen = {todo[0]}
        while todo:
            for other, edge in self.draft.around(todo.pop()):
                if (
                    other in nodes
                    and other not in seen
                    and self.draft.border(edge).kind is not BorderKind.RAIL
                ):
                    seen.add(other)
                    todo.append(other)
        return len(seen) == len(nodes)

    # -- openings ------------------------------------------------------------------------------------------------

    def spots(self, level: int) -> dict[tuple[int, int], list[tuple[Edge, ...]]]:
        """Where a way can be opened between two rooms: one border or two in line."""
        draft = self.draft
        single: dict[tuple[int, int], list[tuple[Edge, ...]]] = {}
        good = {edge: self._opens(edge) for edge in draft.edges(level) if draft.inside(edge)}
        for edge, fits in good.items():
            if not fits:
                continue
            first, second = (self.room(node) for node in edge.sides)
            pair = (min(first, second), max(first, second))
            single.setdefault(pair, []).append((edge,))
            onward = edge.beside(1)
            if good.get(onward) and {self.room(n) for n in onward.sides} == {first, second}:
                single[pair].append((edge, onward))
        return single

    def _opens(self, edge: Edge) -> bool:
        draft = self.draft
        if draft.border(edge) != WALL or edge in self.reserved:
            return False
        if any(self.room(n) < 0 or not is_floor(draft.at(n)) or n in self.taken for n in edge.sides):
            return False
        return not any(
            draft.inside(beside)
            and draft.border(beside).kind is not BorderKind.WALL
            and self._same(edge, beside)
            for beside in (edge.beside(1), edge.beside(-1))
        )

    def _same(self, edge: Edge, beside: Edge) -> bool:
        """Whether a border in line parts the same two rooms: a second way beside the first is none."""
        return {self.room(n) for n in edge.sides} == {self.room(n) for n in beside.sides} or (
            self.draft.border(beside).kind is BorderKind.DOOR
        )

    def open_way(self, spot: tuple[Edge, ...], door: bool) -> bool:
        """Open a way, as a door or as a gap in the wall; False where it does not fit or there is no such door."""
        draft = self.draft
        if len(spot) == 1 and self.wishes.base > NARROW_DOOR:
            return False
        edges = {twin for edge in spot for twin in draft.edge_orbit(edge)}
        groups = list(_in_line(edges))
        if any(len(group) > 2 for group in groups):
            return False
        kinds = [PartKind.DOORS if len(group) == 1 else PartKind.DOUBLE_DOORS for group in groups]
        if door:
            if any(self.left(kind) < kinds.count(kind) for kind in set(kinds)):
                return False
            for kind in kinds:
                self.use(kind)
        state = State.CLOSED if self.rng.random() < CLOSED else State.OPEN
        for edge in spot:
            draft.draw(edge, Border.of(BorderKind.DOOR, state=state) if door else OPEN)
        return True

    def doors_now(self) -> int:
        """Doors so far."""
        return self.used[PartKind.DOORS] + self.used[PartKind.DOUBLE_DOORS]


def _neighbours(plan: Rooms) -> dict[int, set[int]]:
    near: dict[int, set[int]] = {k: set() for k in range(len(plan.rooms))}
    for r, row in enumerate(plan.of):
        for c, number in enumerate(row):
            for x, y in ((c + 1, r), (c, r + 1)):
                if y < len(plan.of) and x < len(row) and plan.of[y][x] != number:
                    near[number].add(plan.of[y][x])
                    near[plan.of[y][x]].add(number)
    return near


def _one_piece(rooms: set[int], near: dict[int, set[int]]) -> bool:
    if not rooms:
        return False
    todo = [min(rooms)]
    seen = {todo[0]}
    while todo:
        for other in near[todo.pop()] & rooms - seen:
            seen.add(other)
            todo.append(other)
    return len(seen) == len(rooms)


def _in_line(edges: Iterable[Edge]) -> Iterator[list[Edge]]:
    """Borders side by side in one line, together."""
    group: list[Edge] = []
    for edge in sorted(edges):
        if group and edge != group[-1].beside(1):
            yield group
            group = []
        group.append(edge)
    if group:
        yield group
