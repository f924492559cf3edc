"""What a board that was made up has to keep: judged from what is drawn, by nothing that made it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import networkx as nx

from sandbox.layout.new.draft import Node
from sandbox.layout.new.graph import Squares, squares_of
from sandbox.layout.new.parts import count_parts
from sandbox.layout.new.wishes import Fairness, PartKind, Wishes
from sandbox.layout.symmetry import is_turned
from sandbox.scene.layouts import Layout
from sandbox.scene.layouts.names import square_name

LEAST_ZONE = 4
"""squares of a deployment zone."""
EVEN_INCHES = 4.0
"""how much farther a point may be from one side than from the other."""
LEAST_WAYS = 2
"""ways up to each level: whoever holds the only one holds the level."""


@dataclass(frozen=True)
class Proof:
    """What was found about a board."""

    faults: tuple[str, ...]
    """what the board has to have and has not, and wishes that it does not keep; empty: it is as it was wished."""
    squares: int
    """squares that a base can be in."""
    loops: int
    """ways round something that stands or is missing."""
    dead_ends: int
    """rooms and corridors with one entrance."""
    cuts: int
    """squares where one enemy closes the only way from a zone to a point or to the other zone."""
    ways_up: tuple[int, ...]
    """stairs and ladders to each level but the lowest."""
    distances: Mapping[str, Mapping[str, float]]
    """inches from each zone to the other and to each point, closed doors a Move more."""
    parts: Mapping[PartKind, int]


def prove(layout: Layout, wishes: Wishes) -> Proof:
    """Judge a board from what is drawn."""
    graph = squares_of(layout, wishes.base)
    zones, points = marked(layout, layout.zones), marked(layout, layout.points)
    distances = _distances(graph, zones, points)
    parts = count_parts(layout)
    proof = Proof(
        faults=(),
        squares=len(graph.near),
        loops=loops(graph),
        dead_ends=dead_ends(graph, {node for nodes in zones.values() for node in nodes}),
        cuts=len(cuts(graph, zones, points)),
        ways_up=tuple(
            sum(link.high[0] == level for link in graph.links) for level in range(1, len(layout.levels))
        ),
        distances=distances,
        parts=parts,
    )
    faults = [
        *graph.broken,
        *_joined(layout, graph, zones, points),
        *_wished(layout, proof, wishes, points),
        *_owned(parts, wishes),
    ]
    return Proof(
        tuple(faults),
        proof.squares,
        proof.loops,
        proof.dead_ends,
        proof.cuts,
        proof.ways_up,
        proof.distances,
        proof.parts,
    )


def marked(layout: Layout, names: Mapping[str, str]) -> dict[str, list[Node]]:
    """Squares of each zone or point by its name."""
    found: dict[str, list[Node]] = {name: [] for name in names.values()}
    for k, level in enumerate(layout.levels):
        for r, row in enumerate(level.marks):
            for c, mark in enumerate(row):
                if mark in names:
                    found[names[mark]].append((k, c, r))
    return found


def loops(graph: Squares) -> int:
    """Independent ways round something: cycles that four open squares do not fill."""
    straight = {
        (a, b)
        for a, beside in graph.near.items()
        for b, _ in beside
        if a < b and (a[0] != b[0] or abs(a[1] - b[1]) + abs(a[2] - b[2]) == 1)
    }
    diagonal = {
        (a, b)
        for a, beside in graph.near.items()
        for b, _ in beside
        if a < b and a[0] == b[0] and abs(a[1] - b[1]) + abs(a[2] - b[2]) == 2
    }
    whole: nx.Graph[Node] = nx.Graph()
    whole.add_nodes_from(graph.near)
    whole.add_edges_from(straight)
    parts = nx.number_connected_components(whole)
    # four squares around an open corner have two diagonals between them
    return len(straight) - len(graph.near) + parts - len(diagonal) // 2


def dead_ends(graph: Squares, zones: Collection[Node]) -> int:
    """Parts of the board with one entrance, deployment zones left out."""
    whole: nx.Graph[Node] = nx.Graph()
    whole.add_nodes_from(graph.near)
    whole.add_edges_from((a, b) for a, beside in graph.near.items() for b, _ in beside)
    bridges: list[tuple[Node, Node]] = list(nx.bridges(whole))  # type: ignore[arg-type]
    whole.remove_edges_from(bridges)
    block = {node: k for k, nodes in enumerate(nx.connected_components(whole)) for node in nodes}
    ends: Counter[int] = Counter(block[node] for pair in bridges for node in pair)
    at_home = {block[node] for node in zones if node in block}
    return sum(count == 1 and k not in at_home for k, count in ends.items())


def cuts(
    graph: Squares, zones: Mapping[str, list[Node]], points: Mapping[str, list[Node]]
) -> dict[Node, set[Node]]:
    """Squares where one enemy closes the way to something: by square the squares that are still reached."""
    found: dict[Node, set[Node]] = {}
    every = {node for nodes in zones.values() for node in nodes}
    for start in zones.values():
        home = set(start)
        for target in [*(z for z in zones.values() if z is not start), *points.values()]:
            goal = {near for node in target for near in (node, *_beside(graph, node))}
            way = graph.way(home, goal)
            known = [frozenset(way)]
            for node in dict.fromkeys(near for step in way for near in (step, *_beside(graph, step))):
                if node in every or node in target or node in found:
                    continue
                held = {node, *_beside(graph, node)}
                if held & goal and not goal - held:
                    continue  # the enemy stands at the point itself
                if any(held.isdisjoint(other) for other in known):
                    continue
                around = graph.way(home, goal - held, held)
                if around:
                    known.append(frozenset(around))
                else:
                    found[node] = graph.reached(home - held, held)
    return found


def _beside(graph: Squares, node: Node) -> Iterator[Node]:
    """Squares side by side with one, nothing between: an enemy there keeps others out of them."""
    for other, _ in graph.near[node]:
        if other[0] == node[0] and abs(other[1] - node[1]) + abs(other[2] - node[2]) == 1:
            yield other


def _distances(
    graph: Squares, zones: Mapping[str, list[Node]], points: Mapping[str, list[Node]]
) -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for name, start in zones.items():
        far = graph.distances(start)
        table[name] = {
            target: min((far[node] for node in nodes if node in far), default=float("inf"))
            for target, nodes in {**zones, **points}.items()
            if target != name
        }
    return table


def _joined(
    layout: Layout, graph: Squares, zones: Mapping[str, list[Node]], points: Mapping[str, list[Node]]
) -> Iterator[str]:
    """Everything that holds a base is reached from every zone, zones and points are where a base can be."""
    for name, nodes in {**zones, **points}.items():
        there = [node for node in nodes if node in graph.near]
        least = LEAST_ZONE if name in zones else 1
        if len(there) < least or len(there) < len(nodes):
            yield f"{name}: {len(there)} of its {len(nodes)} squares hold a base, at least {least} have to"
    for name, nodes in zones.items():
        missing = graph.near.keys() - graph.reached(nodes)
        if missing:
            yield f"{len(missing)} squares are not reached from {name}, {_name(layout, min(missing))} among them"
    for k, level in enumerate(layout.levels):
        if not any(node[0] == k for node in graph.near):
            yield f"the level {level.name} has no floor"
        if k and sum(link.high[0] == k for link in graph.links) < LEAST_WAYS:
            yield f"the level {level.name} has fewer than {LEAST_WAYS} ways up"


def _wished(layout: Layout, proof: Proof, wishes: Wishes, points: Mapping[str, list[Node]]) -> Iterator[str]:
    if wishes.loops is not None and proof.loops < wishes.loops:
        yield f"--loops: {proof.loops} loops, wished are at least {wishes.loops}"
    if wishes.dead_ends is not None and proof.dead_ends > wishes.dead_ends:
        yield f"--dead-ends: {proof.dead_ends} dead ends, wished are at most {wishes.dead_ends}"
    if wishes.doors is not None:
        doors = proof.parts.get(PartKind.DOORS, 0) + proof.parts.get(PartKind.DOUBLE_DOORS, 0)
        if abs(doors - wishes.doors) > (wishes.fairness is Fairness.TURNED):
            yield f"--doors: {doors} doors, wished are {wishes.doors}"
    if proof.cuts:
        yield f"one enemy closes the only way in {proof.cuts} squares"
    if wishes.fairness is Fairness.TURNED and not is_turned(layout):
        yield "--fair turned: the board is not the same after half a turn"
    if wishes.fairness is Fairness.EVEN:
        for point in points:
            far = [row[point] for row in proof.distances.values()]
            if max(far) - min(far) > EVEN_INCHES:
                yield f"--fair even: {point} is {max(far) - min(far):.1f} in farther from one side than from the other"


def _owned(parts: Mapping[PartKind, int], wishes: Wishes) -> Iterator[str]:
    for kind in PartKind:
        limit = wishes.limit(kind)
        if limit is not None and parts.get(kind, 0) > limit:
            yield f"--own: {parts[kind]} {kind.value} are wanted, and there are {limit}"


def _name(layout: Layout, node: Node) -> str:
    place = square_name(node[1], node[2])
    return f"{layout.levels[node[0]].name} {place}" if len(layout.levels) > 1 else place


__all__ = ["Proof", "cuts", "dead_ends", "loops", "marked", "prove"]
