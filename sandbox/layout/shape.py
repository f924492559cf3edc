"""The shape of a board: dead ends, rooms with one entrance, and squares that one fighter closes."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx

from sandbox.check.finding import Case, Finding, Severity, Unit
from sandbox.layout.board import Board, Node
from sandbox.layout.findings import FindingKind
from sandbox.layout.reach import SHOWN, Reach, clusters
from sandbox.layout.regions import square_graph
from sandbox.scene.layouts.names import across_name, upright_name

FEW = 3
"""squares on either side of a choke that make it worth telling."""


def findings(reach: Reach) -> Iterator[Finding]:
    """Dead ends, single entrances and chokes for one base, every door open."""
    graph = square_graph(reach.ways)
    zones = {node for squares in reach.board.zones.values() for node in squares}
    yield from _ends(reach, graph, zones)
    yield from _chokes(reach, graph, zones)


def _ends(reach: Reach, graph: nx.Graph[Node], zones: set[Node]) -> Iterator[Finding]:
    board = reach.board
    told: set[Node] = set()
    cut = graph.copy()
    bridges: list[tuple[Node, Node]] = list(nx.bridges(graph))  # type: ignore[arg-type]
    cut.remove_edges_from(bridges)
    blocks = {node: k for k, part in enumerate(nx.connected_components(cut)) for node in part}
    tree: nx.Graph[int] = nx.Graph()
    tree.add_nodes_from(set(blocks.values()))
    gate: dict[tuple[int, int], tuple[Node, Node]] = {}
    for a, b in bridges:
        tree.add_edge(blocks[a], blocks[b])
        gate[blocks[a], blocks[b]] = (a, b)
        gate[blocks[b], blocks[a]] = (b, a)
    members: dict[int, list[Node]] = {}
    for node, block in blocks.items():
        members.setdefault(block, []).append(node)
    for block in sorted(tree):
        if tree.degree(block) != 1 or set(members[block]) & zones:
            continue
        # a corridor one square wide leads on to a block: follow it back to where ways part
        chain, before = [block], block
        here = next(iter(tree[block]))
        while tree.degree(here) == 2 and len(members[here]) == 1 and not set(members[here]) & zones:
            chain.append(here)
            before, here = here, next(k for k in tree[here] if k != before)
        nodes = sorted(node for k in chain for node in members[k])
        if told & set(nodes):
            continue
        told |= set(nodes)
        inner, outer = gate[chain[-1], here]
        room = len(members[block]) > 1
        kind = FindingKind.ONE_ENTRANCE if room else FindingKind.DEAD_END
        door = border_name(board, inner, outer)
        place = board.name(members[block][0] if len(nodes) == 1 else nodes[0])
        count = f"{len(nodes)} square{'s' if len(nodes) > 1 else ''}"
        text = (
            f"{place}: {count} with one entrance, at {door}."
            if room
            else f"{place}: a dead end of {count}, entered at {door}."
        )
        yield Finding(
            f"{kind.value}:{place.replace(' ', '-')}",
            kind,
            Severity.INFO,
            board.middle(members[block][0]),
            place,
            text,
            measured=float(len(nodes)),
            unit=Unit.COUNT,
            cure="A second door, a ductway or a hatch would make a loop of it.",
            cases=(Case(reach.name, board.pack.id, None, Severity.INFO),),
            squares=tuple(board.name(node) for node in nodes[:SHOWN]),
        )


def _chokes(reach: Reach, graph: nx.Graph[Node], zones: set[Node]) -> Iterator[Finding]:
    """Squares one base wide that everything between two parts of the board goes through."""
    board = reach.board
    found: dict[Node, int] = {}
    for node in nx.articulation_points(graph):
        if node in zones:
            continue
        rest = graph.subgraph(set(nx.node_connected_component(graph, node)) - {node})
        parts = sorted((len(part) for part in nx.connected_components(rest)), reverse=True)
        if len(parts) > 1 and sum(parts[1:]) > FEW:
            found[node] = sum(parts[1:])
    for nodes in clusters(set(found)):
        place = board.name(nodes[0])
        behind = max(found[node] for node in nodes)
        where = place if len(nodes) == 1 else f"{place} to {board.name(nodes[-1])}"
        yield Finding(
            f"choke:{place.replace(' ', '-')}",
            FindingKind.CHOKE,
            Severity.INFO,
            board.middle(nodes[0]),
            where,
            f"{where}: one base wide; one fighter there parts {behind} squares from the rest.",
            measured=float(behind),
            unit=Unit.COUNT,
            rule="keep_distance",
            source=board.pack.rule("keep_distance").source,
            cure="A second way around it would take the sting out.",
            cases=(Case(reach.name, board.pack.id, None, Severity.INFO),),
            squares=tuple(board.name(node) for node in nodes[:SHOWN]),
        )


def border_name(board: Board, first: Node, second: Node) -> str:
    """The border between two squares side by side, ``main C4n``; else the second square's name."""
    level, column, row = first
    if level == second[0]:
        if row == second[2]:
            name = upright_name(max(column, second[1]), row)
        else:
            name = across_name(column, max(row, second[2]))
        return f"{board.level(level).name} {name}" if len(board.layout.levels) > 1 else name
    return board.name(second)
