"""What can be laid over a board, as plain shapes. Everything comes from the battlefield's own answers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.ground import Ground
from sandbox.ground.model import Body, Place, Places, Window
from sandbox.ground.railings import rail_runs
from sandbox.moves.battlefield import Battlefield
from sandbox.moves.placed import Placed
from sandbox.rules import Refusal
from sandbox.units import MM_PER_INCH, mm
from sandbox.view import palette, reach
from sandbox.view.palette import Colour
from sandbox.view.window.talk import Overlay, OverlayKind, Point, Sheet

Floats = NDArray[np.float64]

CELL = 0.2
"""places are thinned to one in a square of this size, inches."""
FINE = 90_000
"""nodes of an overlay's surfaces at most."""
RAISED = 0.02
"""how far over a reach an overlay lies, inches."""
STANDS: Colour = (86, 180, 233)
TIGHT: tuple[Colour, ...] = ((213, 94, 0), (240, 180, 60), (86, 180, 233))
"""where only the smallest, only the two smaller, and all three bases stand."""
DANGER: Colour = (204, 62, 30)
LOW: Colour = (132, 74, 160)
FOES: tuple[Colour, ...] = ((150, 30, 60), (190, 70, 90), (215, 120, 130), (232, 170, 172))
WIDTHS = (25.0, 32.0, 40.0)
"""bases compared by the clearance overlay, mm."""
CHEST = 0.9
"""inches over its floor that a line from somebody starts and ends."""
HURTS = 3.0
"""drops from here on are labelled, inches."""
CRUMBS = 12
"""places, a fraction of an inch apart, below which a cut-off patch of floor is not shown."""


def make(field: Battlefield, kind: OverlayKind, fighter: str | None) -> Overlay:
    """One overlay; `fighter`: whose base, height and side it is about (None: a 32 mm base of the pack's height)."""
    one = field.fighter(fighter) if fighter else None
    makers: dict[OverlayKind, Callable[[], Overlay]] = {
        OverlayKind.STAND: lambda: _stand(field, one),
        OverlayKind.CLEARANCE: lambda: _clearance(field, one),
        OverlayKind.LIPS: lambda: _lips(field, one),
        OverlayKind.EDGE: lambda: _edge(field, one),
        OverlayKind.HEADROOM: lambda: _headroom(field, one),
        OverlayKind.ENEMY_MOVE: lambda: _enemies(field, one, "move"),
        OverlayKind.ENEMY_CHARGE: lambda: _enemies(field, one, "charge"),
        OverlayKind.NO_WAY: lambda: _no_way(field, one),
    }
    return makers[kind]()


def _whole(field: Battlefield) -> Window:
    width, depth = field.terrain.size_mm
    return Window(0.0, 0.0, width, depth)


def _ground(field: Battlefield, one: Placed | None) -> Ground:
    return field.ground.plain if one is None else field.ground.ground(one.rules)


def _body(field: Battlefield, one: Placed | None) -> Body:
    return field.body(32.0, None, 0.0) if one is None else field.body_of(one)


def _standing(places: Places, terrain_size: tuple[float, float]) -> Floats:
    """(n, 3) places to stand, inches, thinned."""
    rows = np.flatnonzero(((places.flags & Place.STAND) != 0) & np.isfinite(places.rest[:, 0]))
    points = places.rest[rows] / MM_PER_INCH
    inside = np.all((points[:, :2] >= 0) & (points[:, :2] * MM_PER_INCH <= terrain_size), axis=1)
    points = points[inside]
    square = np.floor(points[:, :2] / CELL).astype(np.int64)
    floor = np.round(points[:, 2] / 0.25).astype(np.int64)
    _, first = np.unique(np.column_stack([square, floor]), axis=0, return_index=True)
    return np.asarray(points[np.sort(first)])


def sheet(colour: Colour, solid: float, points: Floats, lift: float = 0.0) -> Sheet:
    """The area that (n, 3) places fill, inches, in a colour."""
    spots = np.column_stack([points, np.zeros(len(points)), np.ones(len(points))])
    return Sheet(colour, solid, tuple(reach.layers(spots, most_nodes=FINE)), RAISED + lift)


def _stand(field: Battlefield, one: Placed | None) -> Overlay:
    body = _body(field, one)
    found = _standing(_ground(field, one).places(body, _whole(field)), field.terrain.size_mm)
    name = f"a {2 * body.half_long_mm:g} mm base stands here"
    return Overlay(OverlayKind.STAND, (sheet(STANDS, 0.55, found),), legend=((STANDS, name),))


def _clearance(field: Battlefield, one: Placed | None) -> Overlay:
    ground, height = _ground(field, one), _body(field, one).height_mm
    sets: list[Floats] = []
    for width in WIDTHS:
        body = Body(width / 2, width / 2, height)
        sets.append(_standing(ground.places(body, _whole(field)), field.terrain.size_mm))
    # Drawn from the smallest base, whose area is the largest, to the largest, a hair above each other.
    sheets = tuple(
        sheet(colour, 0.8, points, 0.012 * number)
        for number, (colour, points) in enumerate(zip(TIGHT, sets, strict=True))
    )
    words = ("25 mm bases only", "up to 32 mm", "40 mm and all smaller bases")
    return Overlay(OverlayKind.CLEARANCE, sheets, legend=tuple(zip(TIGHT, words, strict=True)))


def _lips(field: Battlefield, one: Placed | None) -> Overlay:
    ground = _ground(field, one)
    lips = ground.patch(_whole(field)).lips
    whole = np.stack([lips.a, lips.b], axis=1) / MM_PER_INCH
    drops = lips.drop / MM_PER_INCH
    board = _on_board(field, whole)
    runs = rail_runs(lips, ground.bins, ground.numbers)
    segments, railed, hurts = runs.ends / MM_PER_INCH, runs.railed, drops[runs.lip] >= HURTS
    here = board[runs.lip]
    lift = np.array([0.0, 0.0, 0.06])
    kinds: tuple[tuple[Colour, NDArray[np.bool_], str], ...] = (
        ((230, 140, 20), here & ~hurts & ~railed, f'lip, drop below {HURTS:g}"'),
        (DANGER, here & hurts & ~railed, f'lip, drop of {HURTS:g}" and more'),
        ((0, 140, 104), here & railed, "lip with a railing"),
    )
    lines = tuple((colour, segments[rows] + lift) for colour, rows, _ in kinds if rows.any())
    return Overlay(
        OverlayKind.LIPS,
        lines=lines,
        labels=_drop_labels(whole[board], drops[board]),
        legend=tuple((colour, text) for colour, rows, text in kinds if rows.any()),
    )


def _on_board(field: Battlefield, segments: Floats) -> NDArray[np.bool_]:
    """Which segments (n, 2, 3) inches lie on the board and are not its own edge, (n,)."""
    width, depth = field.terrain.size_mm
    middle = segments[:, :, :2].mean(axis=1) * MM_PER_INCH
    edge = 1.0
    return np.asarray(((middle > edge) & (middle < (width - edge, depth - edge))).all(axis=1))


def _drop_labels(segments: Floats, drops: Floats) -> tuple[tuple[Point, str], ...]:
    """The drop written at the longest lip of each stretch and height."""
    length = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    chosen: list[tuple[Point, str]] = []
    taken: list[Floats] = []
    for row in np.argsort(-length)[:200]:
        if not np.isfinite(drops[row]) or length[row] < 0.5:
            continue
        middle = segments[row].mean(axis=0)
        if any(np.linalg.norm(middle - other) < 4.0 for other in taken):
            continue
        taken.append(middle)
        chosen.append((_point(middle), f'{drops[row]:.2f}" down'))
        if len(chosen) == 18:
            break
    return tuple(chosen)


def _point(at: Floats) -> Point:
    x, y, z = at
    return float(x), float(y), float(z)


def _edge(field: Battlefield, one: Placed | None) -> Overlay:
    ground, lips = _ground(field, one), _ground(field, one).patch(_whole(field)).lips
    movement = field.pack.movement if one is None else one.rules.movement
    body = _body(field, one)
    places = _standing(ground.places(body, _whole(field)), field.terrain.size_mm)
    deep = np.array(
        [
            bool(np.isfinite(drop)) and movement.is_edge_danger(0.0, float(drop) / MM_PER_INCH)
            for drop in lips.drop
        ],
        dtype=np.bool_,
    )
    width, depth = field.terrain.size_mm
    middle = (lips.a + lips.b) / 2
    deep &= (middle[:, 0] > 1) & (middle[:, 1] > 1) & (middle[:, 0] < width - 1) & (middle[:, 1] < depth - 1)
    near = _near_lips(places, lips.a[deep] / MM_PER_INCH, lips.b[deep] / MM_PER_INCH)
    radius = body.half_long_mm / MM_PER_INCH
    danger = near - radius <= movement.edge_zone + 1e-9
    words = f'base within {movement.edge_zone:g}" of a drop: tested when it goes down'
    return Overlay(OverlayKind.EDGE, (sheet(DANGER, 0.5, places[danger]),), legend=((DANGER, words),))


def _near_lips(points: Floats, a: Floats, b: Floats) -> Floats:
    """(n,) plan distance of each place from the nearest segment at about its height; inf where there is none."""
    best = np.full(len(points), np.inf)
    for start, end in zip(a, b, strict=True):
        run = end[:2] - start[:2]
        length = float(run @ run)
        arm = points[:, :2] - start[:2]
        share = np.clip((arm @ run) / max(length, 1e-12), 0.0, 1.0)
        far = np.hypot(*(arm - share[:, None] * run).T)
        level = np.abs(points[:, 2] - start[2]) < 0.6
        best = np.where(level, np.minimum(best, far), best)
    return best


def _headroom(field: Battlefield, one: Placed | None) -> Overlay:
    survey = _ground(field, one).patch(_whole(field)).survey
    height = _body(field, one).height_mm
    column = np.repeat(np.arange(survey.nx * survey.ny), np.diff(survey.sample_start))
    low = (survey.above - survey.z < height) & (survey.floor == 1) & (survey.above - survey.z > mm(0.2))
    x = survey.x0 + (column[low] % survey.nx) * survey.pitch
    y = survey.y0 + (column[low] // survey.nx) * survey.pitch
    points = np.column_stack([x, y, survey.z[low]]) / MM_PER_INCH
    words = f'less than {height / MM_PER_INCH:g}" of headroom'
    return Overlay(OverlayKind.HEADROOM, (sheet(LOW, 0.6, points),), legend=((LOW, words),))


def _enemies(field: Battlefield, one: Placed | None, action: str) -> Overlay:
    kind = OverlayKind.ENEMY_MOVE if action == "move" else OverlayKind.ENEMY_CHARGE
    if one is None:
        return Overlay(kind, note="choose a fighter: its enemies are what is meant")
    spots: list[Floats] = []
    lines: list[Floats] = []
    labels: list[tuple[Point, str]] = []
    for other in field.fighters:
        if not one.is_enemy(other) or isinstance(other.rules.action(action), Refusal):
            continue
        moves = field.moves(other.id, action, one.id if action == "charge" else None)
        found = moves.spots
        if not len(found):
            continue
        spots.append(np.column_stack([found["x"], found["y"], found["z"]]))
        if action == "charge":
            best = int(np.lexsort((found["cost"], -found["success"]))[0])
            lines.append(
                np.array(
                    [(*other.at[:2], other.at[2] + CHEST), (*spots[-1][best, :2], spots[-1][best, 2] + CHEST)]
                )
            )
            odds = float(found["success"][best])
            labels.append((_point(lines[-1].mean(axis=0)), f"{other.id} charges: {odds * 100:.0f} %"))
    words = (
        "an enemy can end here with a move"
        if action == "move"
        else f"enemies in contact with {one.id} after a charge"
    )
    if not spots:
        return Overlay(kind, note="no enemy reaches anything")
    return Overlay(
        kind,
        (sheet(FOES[1], 0.5, _thinned(np.concatenate(spots))),),
        lines=((FOES[1], np.array(lines)),) if lines else (),
        labels=tuple(labels),
        legend=((FOES[1], words),),
    )


def _thinned(points: Floats) -> Floats:
    square = np.floor(points[:, :2] / CELL).astype(np.int64)
    floor = np.round(points[:, 2] / 0.25).astype(np.int64)
    _, first = np.unique(np.column_stack([square, floor]), axis=0, return_index=True)
    return np.asarray(points[np.sort(first)])


def _no_way(field: Battlefield, one: Placed | None) -> Overlay:
    """Floors that a base stands on and that nobody walks to: islands among the linked places."""
    ground, body = _ground(field, one), _body(field, one)
    places = ground.places(body, _whole(field))
    links = field.ground.links(ground, places, _whole(field), 0.0)
    from scipy import sparse  # noqa: PLC0415 - only where it is wanted
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    count = len(places.pos)
    rows, sides = np.nonzero(places.neighbour >= 0)
    ends = places.neighbour[rows, sides]
    good = (links.start >= 0) & (links.end >= 0) & (links.limit == 0)
    first = np.concatenate([rows, links.start[good]])
    second = np.concatenate([ends, links.end[good]])
    graph = sparse.coo_matrix((np.ones(len(first)), (first, second)), shape=(count, count))
    _, group = connected_components(graph, directed=False)
    table = places.pos[:, 2] < mm(0.1)
    if not table.any():
        return Overlay(OverlayKind.NO_WAY, note="there is no table to start from")
    main = np.bincount(group[table]).argmax()
    stands = ((places.flags & Place.STAND) != 0) & np.isfinite(places.rest[:, 0]) & (group != main)
    # A few places cut off at an edge are crumbs of the grid, no floor.
    stands &= np.bincount(group[stands], minlength=int(group.max()) + 1)[group] >= CRUMBS
    points = places.rest[stands] / MM_PER_INCH
    words = "nobody walks, climbs or leaps here"
    note = "" if len(points) else "every floor can be reached from the table"
    return Overlay(
        OverlayKind.NO_WAY, (sheet(LOW, 0.6, _thinned(points)),), legend=((LOW, words),), note=note
    )


def bands(allowance: float) -> tuple[Colour, ...]:
    """The colours of a reach's bands, for legends."""
    return palette.bands(reach.band_count(allowance))
