"""What is joined: regions that one base walks about in, and how links lead from one to another."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from sandbox.ground.model import LinkKind
from sandbox.layout.board import Node
from sandbox.layout.ways import Ways
from sandbox.scene.layouts import SquareKind

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

LEAST_PLACES = 24
"""places to stand that make up floor worth speaking of: about 1.5 square centimetres."""


@dataclass(frozen=True, eq=False)
class Regions:
    """Parts of a board that a base walks about in without a link, some places barred."""

    ways: Ways
    of: Ints
    """(places,) region of each place, -1 where the base may not pass."""
    count: int
    closed: frozenset[int]
    """doors that are shut."""

    @cached_property
    def squares(self) -> list[list[Node]]:
        """Squares of each region in which the base can stand, enough to speak of."""
        found: list[list[Node]] = [[] for _ in range(self.count)]
        ids = np.flatnonzero(self.ways.stands & (self.of >= 0))
        rows = np.column_stack([self.of[ids], self.ways.nodes[ids]])
        unique, counts = np.unique(rows, axis=0, return_counts=True)
        for (region, level, column, row), count in zip(unique.tolist(), counts.tolist(), strict=True):
            if count >= LEAST_PLACES:
                found[region].append((level, column, row))
        return found

    def graph(self, *, ducts: bool, tests: bool = True) -> nx.DiGraph[int]:
        """Regions and the links between them. tests: False leaves out links that need a check."""
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(self.count))
        tables = [
            (self.ways.setup.links, self.ways.link_price(self.closed, True), self.ways.setup.prices.chance)
        ]
        if ducts:
            duct, _, price = self.ways.ducts
            tables.append((duct, price, np.ones(len(price))))
        for links, price, chance in tables:
            good = np.isfinite(price) & (links.limit == 0) & (links.end >= 0) & (links.start >= 0)
            good &= (chance > 0.0) if tests else (chance >= 1.0 - 1e-9)
            a, b = self.of[links.start[good]], self.of[links.end[good]]
            pairs = np.unique(np.column_stack([a, b]), axis=0) if len(a) else np.zeros((0, 2), np.int64)
            graph.add_edges_from((int(x), int(y)) for x, y in pairs if x >= 0 and y >= 0 and x != y)
        return graph

    def regions_of(self, squares: Collection[Node]) -> set[int]:
        """Regions in which the base can stand in some squares."""
        if not squares:
            return set()
        wanted = in_squares(self.ways, squares)
        return {int(region) for region in np.unique(self.of[wanted & self.ways.stands]) if region >= 0}


def regions(ways: Ways, closed: Collection[int] = (), barred: Bools | None = None) -> Regions:
    """Regions with some doors shut (their numbers), and without some places; barred: (places,)."""
    free = ways.passes.copy()
    for number in closed:
        free[ways.strips[number]] = False
    if barred is not None:
        free &= ~barred
    neighbour = ways.places.neighbour
    n = len(free)
    starts = np.repeat(np.arange(n), neighbour.shape[1])
    ends = neighbour.ravel()
    good = (ends >= 0) & free[starts] & free[np.maximum(ends, 0)]
    matrix = coo_matrix((np.ones(int(good.sum()), np.int8), (starts[good], ends[good])), shape=(n, n))
    _, label = connected_components(matrix, directed=False)
    used = np.unique(label[free])
    renamed = np.full(n, -1, np.int64)
    renamed[free] = np.searchsorted(used, label[free])
    return Regions(ways, renamed, len(used), frozenset(closed))


def in_squares(ways: Ways, squares: Collection[Node]) -> Bools:
    """(places,) whether a place lies in one of some squares."""
    layout = ways.board.layout
    table = np.zeros((len(layout.levels), layout.width, layout.depth), np.bool_)
    for node in squares:
        table[node] = True
    level, column, row = ways.nodes.T
    return np.asarray(table[level, column, row])


def square_graph(ways: Ways, closed: Collection[int] = ()) -> nx.Graph[Node]:
    """Squares as nodes, joined where the base walks from one into the other, or takes a ladder."""
    free = ways.passes.copy()
    for number in closed:
        free[ways.strips[number]] = False
    layout = ways.board.layout
    level, column, row = ways.nodes.T
    code = (level * layout.width + column) * layout.depth + row
    neighbour = ways.places.neighbour
    starts = np.repeat(np.arange(len(free)), neighbour.shape[1])
    ends = neighbour.ravel()
    good = (ends >= 0) & free[starts] & free[np.maximum(ends, 0)]
    a, b = code[starts[good]], code[ends[good]]
    across = a != b
    pairs = np.unique(np.sort(np.column_stack([a[across], b[across]]), axis=1), axis=0)
    graph: nx.Graph[Node] = nx.Graph()
    # over the lip of a hole a base may hang, and over an obstacle it passes: neither is a square to be in
    there, counts = np.unique(code[(ways.stands & free) | _on_flights(ways, free)], return_counts=True)
    for one in there[counts >= LEAST_PLACES].tolist():
        graph.add_node(_node(one, layout.width, layout.depth))
    for x, y in pairs.tolist():
        first, second = (_node(one, layout.width, layout.depth) for one in (x, y))
        if first in graph and second in graph:
            graph.add_edge(first, second, link=False)
    links = ways.setup.links
    price = ways.setup.link_price
    ladders = (links.kind == LinkKind.LADDER) & np.isfinite(price) & (links.start >= 0) & (links.end >= 0)
    for k in np.flatnonzero(ladders):
        first, second = (
            _node(int(code[i]), layout.width, layout.depth) for i in (links.start[k], links.end[k])
        )
        if first != second and first in graph and second in graph and not graph.has_edge(first, second):
            graph.add_edge(first, second, link=True)
    return graph


def _on_flights(ways: Ways, free: Bools) -> Bools:
    """(places,) on stairs and ramps, where nobody stands and everybody passes."""
    layout = ways.board.layout
    table = np.zeros((len(layout.levels), layout.width, layout.depth), np.bool_)
    for k, level in enumerate(layout.levels):
        for r, row in enumerate(level.grid.squares):
            for c, square in enumerate(row):
                table[k, c, r] = square.kind in (SquareKind.STAIRS, SquareKind.RAMP)
    level_of, column, row_of = ways.nodes.T
    return np.asarray(free & table[level_of, column, row_of])


def _node(code: int, width: int, depth: int) -> Node:
    rest, row = divmod(code, depth)
    level, column = divmod(rest, width)
    return level, column, row
