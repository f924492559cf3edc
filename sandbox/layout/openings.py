"""Openings of mesh tiles that meet walls; rails and barricades under ceilings too low to cross them."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.check.finding import Case, Finding, Severity, Unit
from sandbox.layout.board import Board, Node
from sandbox.layout.findings import FindingKind
from sandbox.layout.shape import border_name
from sandbox.scene.layouts import BorderKind, Facing, Placement, SquareKind, Tile
from sandbox.scene.layouts.model import FILLED
from sandbox.units import mm


def opening_findings(board: Board) -> Iterator[Finding]:
    """Openings of mesh tiles that meet a wall, a filled square, or the closed side of another mesh."""
    layout, tiles = board.layout, board.loaded.tiles
    for level, drawn in enumerate(layout.levels):
        meshes = {
            one.at: (one, tiles[one.tile]) for one in drawn.tiles if tiles[one.tile].openings is not None
        }
        for placement, tile in meshes.values():
            for facing, place in turned_openings(tile, placement, layout.squares):
                node = _square_at(level, placement, facing, place, layout.squares)
                dx, dy = facing.step
                column, row = node[1] + dx, node[2] + dy
                if not drawn.grid.has(column, row):
                    continue
                why = _closed(board, (level, column, row), facing, meshes)
                if why is None:
                    continue
                name = border_name(board, node, (level, column, row))
                yield Finding(
                    f"opening-blocked:{name.replace(' ', '-')}",
                    FindingKind.OPENING_BLOCKED,
                    Severity.WARNING,
                    board.middle(node),
                    name,
                    f"{name}: the opening of tile {placement.tile!r} meets {why}.",
                    rule="room",
                    cure="Turn one of the tiles, or open the other side.",
                    cases=(Case(None, None, None, Severity.WARNING),),
                )


def crossing_findings(board: Board) -> Iterator[Finding]:
    """Rails and barricades that leave too little room under the ceiling for a model to be lifted over them."""
    tall = mm(board.pack.movement.standing_height)
    for level, drawn in enumerate(board.layout.levels):
        found: dict[float, list[tuple[str, Node]]] = {}
        grid = drawn.grid
        for node in [(level, c, r) for r in range(grid.depth) for c in range(grid.width)]:
            for facing in (Facing.EAST, Facing.NORTH):
                other = (level, node[1] + facing.step[0], node[2] + facing.step[1])
                border = grid.beside(node[1], node[2], facing)
                if not grid.has(*other[1:]) or border.kind not in (BorderKind.RAIL, BorderKind.BARRICADE):
                    continue
                high = border.high or 0.0
                if high + tall > max(board.room_over(node), board.room_over(other)) + 0.05:
                    found.setdefault(high, []).append((border_name(board, node, other), node))
        for high, places in sorted(found.items()):
            name, node = places[0]
            room = max(board.room_over(at) for _, at in places) - high
            yield Finding(
                f"no-crossing:{drawn.name}-{high:g}",
                FindingKind.NO_CROSSING,
                Severity.INFO,
                board.middle(node),
                name,
                f"{name}{f' and {len(places) - 1} more' if len(places) > 1 else ''}: over {high:.1f} mm of rail or "
                f"barricade {room:.1f} mm are left under the ceiling, a model needs {tall:.1f}: nobody crosses there.",
                measured=room,
                limit=tall,
                unit=Unit.MM,
                rule="headroom",
                source=board.pack.rule("headroom").source,
                cure=f"Make it {tall - room:.1f} mm lower, or the ceiling higher.",
                cases=(Case(None, board.pack.id, tall, Severity.INFO),),
                squares=tuple(place for place, _ in places),
            )


def turned_openings(tile: Tile, placement: Placement, n: int) -> list[tuple[Facing, int]]:
    """Openings of a tile as it lies: side, and square along it from the west or the south."""
    found = []
    for facing, place in tile.openings or ():
        side, at = facing, place
        for _ in range(placement.turn // 90):
            # along west-east sides places run eastwards; a quarter turn makes that northwards, and northwards westwards
            if side in (Facing.EAST, Facing.WEST):
                at = n - 1 - at
            side = side.turned(1)
        found.append((side, at))
    return found


def _square_at(level: int, placement: Placement, facing: Facing, place: int, n: int) -> Node:
    column, row = placement.at[0] * n, placement.at[1] * n
    match facing:
        case Facing.EAST:
            return (level, column + n - 1, row + place)
        case Facing.WEST:
            return (level, column, row + place)
        case Facing.NORTH:
            return (level, column + place, row + n - 1)
        case _:
            return (level, column + place, row)


def _closed(
    board: Board, node: Node, facing: Facing, meshes: dict[tuple[int, int], tuple[Placement, Tile]]
) -> str | None:
    """What stops an opening that leads into a square from the other side; None where nothing does."""
    level, column, row = node
    layout = board.layout
    grid = board.level(level).grid
    border = grid.beside(column, row, facing.turned(2))
    if border.is_wall:
        return f"a {border.kind.value}"
    square = grid.squares[row][column]
    if square.kind in FILLED:
        return "a filled square"
    if square.kind is not SquareKind.TILE:
        return None
    there = meshes.get((column // layout.squares, row // layout.squares))
    if there is None:
        return None
    placement, tile = there
    openings = turned_openings(tile, placement, layout.squares)
    place = row % layout.squares if facing in (Facing.EAST, Facing.WEST) else column % layout.squares
    return None if (facing.turned(2), place) in openings else f"the closed side of tile {placement.tile!r}"
