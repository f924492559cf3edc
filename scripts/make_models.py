"""Makes the terrain models in models/: run it again after a change here, and commit what it writes.

    python scripts/make_models.py [FOLDER]

All sizes are millimetres at skirmish scale. One level is 3" (76.2 mm). Models with parts that the rules
treat in their own way (railings, ladders) are GLB files with named nodes; the others are STL files.
Writing twice gives the same bytes.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import shapely
import trimesh
from shapely.geometry import Polygon
from shapely.geometry import box as rectangle
from trimesh import Trimesh

LEVEL = 76.2
"""deck to deck: 3 inches."""
DECK = 4.0
"""thickness of decks and upper floors."""
GANTRY = 63.5
RAIL = 25.0
LADDER = 25.0

Corner = tuple[float, float, float]
Outline = Sequence[tuple[float, float]]
Nodes = dict[str, Trimesh]


def block(low: Corner, high: Corner) -> Trimesh:
    """A box by its corners."""
    return trimesh.creation.box(bounds=[low, high])


def slab(outline: Outline | Polygon, low: float, high: float) -> Trimesh:
    """A plan outline, holes allowed, extruded from one height to another."""
    polygon = outline if isinstance(outline, Polygon) else Polygon(outline)
    flat: list[list[tuple[float, float]]] = []
    for piece in shapely.constrained_delaunay_triangles(polygon).geoms:
        ring = shapely.geometry.polygon.orient(piece).exterior.coords[:3]
        flat.append([(x, y) for x, y in ring])
    corners = np.array(flat)
    points, numbers = np.unique(corners.reshape(-1, 2), axis=0, return_inverse=True)
    faces = numbers.reshape(-1, 3)
    count = len(points)
    # the sides stand on the edges that only one triangle has
    edges = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    known = {(a, b) for a, b in edges.tolist()}
    rim = [(a, b) for a, b in edges.tolist() if (b, a) not in known]
    sides = [face for a, b in rim for face in ((a, b, b + count), (a, b + count, a + count))]
    vertices = np.vstack(
        [np.column_stack([points, np.full(count, low)]), np.column_stack([points, np.full(count, high)])]
    )
    mesh = Trimesh(vertices, np.vstack([faces[:, ::-1], faces + count, sides]), process=False)
    assert mesh.is_watertight and mesh.volume > 0, "an outline must be a simple polygon"
    return mesh


def wall(
    start: tuple[float, float], end: tuple[float, float], outline: Outline | Polygon, thick: float
) -> Trimesh:
    """A wall along a plan line, its middle on the line; outline: (distance along it, height)."""
    mesh = slab(outline, -thick / 2, thick / 2)
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    turn = np.eye(4)
    # x runs along the line, y up, z across it
    turn[:3, 0] = (dx / length, dy / length, 0)
    turn[:3, 1] = (0, 0, 1)
    turn[:3, 2] = (dy / length, -dx / length, 0)
    turn[:2, 3] = start
    mesh.apply_transform(turn)
    return mesh


def doorway(length: float, height: float, at: float, width: float, top: float) -> Outline:
    """Outline of a straight wall with a doorway that begins at `at`."""
    return [
        (0, 0),
        (at, 0),
        (at, top),
        (at + width, top),
        (at + width, 0),
        (length, 0),
        (length, height),
        (0, height),
    ]


def join(meshes: Iterable[Trimesh]) -> Trimesh:
    """Several shells in one mesh; they may run into each other."""
    return trimesh.util.concatenate(list(meshes))


def flight(run: float, width: float, steps: int, rise: float = 10.0) -> Trimesh:
    """Solid stairs that rise towards +x from the origin, `width` to either side of y = 0 in all."""
    tread = run / steps
    outline: list[tuple[float, float]] = [(0, 0)]
    for step in range(steps):
        outline += [(step * tread, (step + 1) * rise), ((step + 1) * tread, (step + 1) * rise)]
    outline.append((run, 0))
    return wall((0, 0), (1, 0), outline, width)


def rail(start: tuple[float, float], end: tuple[float, float], foot: float) -> Trimesh:
    """A guard rail: posts, two bars and a kick plate, 25 mm high in all, 3 mm thick."""
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    count = max(1, round(length / 34))
    parts = [
        wall(start, end, [(0, z), (length, z), (length, z + high), (0, z + high)], 2.4)
        for z, high in ((0.0, 5.0), (12.0, 2.5), (RAIL - 3, 3.0))
    ]
    for post in range(count + 1):
        x = (length - 3) * post / count
        parts.append(wall(start, end, [(x, 0), (x + 3, 0), (x + 3, RAIL), (x, RAIL)], 3.0))
    mesh = join(parts)
    mesh.apply_translation((0, 0, foot))
    return mesh


def gantry(length: float, openings: Sequence[tuple[float, float]] = ()) -> Nodes:
    """A straight walkway along x about the origin: deck, legs, a rail on either side, both ends open.

    openings: stretches of the -y side without a rail, from x to x.
    """
    half, side = length / 2, GANTRY / 2
    top = LEVEL
    deck = [block((-half, -side, top - DECK), (half, side, top))]
    for x in (-half + 6, half - 6):
        deck.append(block((x - 3, -side, top - DECK - 6), (x + 3, side, top - DECK)))
    legs = [
        block((x - 4, y - 4, 0), (x + 4, y + 4, top - DECK))
        for x in (-half + 6, half - 6)
        for y in (-side + 4, side - 4)
    ]
    inset = side - 1.5
    near: list[Trimesh] = []
    edge = -half
    for low, high in [*openings, (half, half)]:
        if low - edge > 3:
            near.append(rail((edge, -inset), (low, -inset), top))
        edge = high
    return {
        "deck": join(deck),
        "legs": join(legs),
        "rail-near": join(near),
        "rail-far": rail((-half, inset), (half, inset), top),
    }


def ladder(height: float, at: tuple[float, float], width: float = LADDER) -> Trimesh:
    """A ladder that is climbed from -y: two stiles and rungs, 4 mm deep, its back at `at`."""
    x, y = at
    half = width / 2
    parts = [block((x + s - 1.5, y - 4, 0), (x + s + 1.5, y, height)) for s in (-half + 1.5, half - 1.5)]
    rungs = int(height // 9)
    for rung in range(1, rungs + 1):
        z = rung * height / (rungs + 0.5)
        parts.append(block((x - half + 1, y - 3.2, z - 1.2), (x + half - 1, y - 0.8, z + 1.2)))
    return join(parts)


def ladder_gantry() -> Nodes:
    """A gantry with a ladder up its -y side, and the opening between the rails that it leads to."""
    opening = 15.0
    nodes = gantry(203.2, openings=[(50.8 - opening, 50.8 + opening)])
    nodes["ladder"] = ladder(LEVEL, (50.8, -GANTRY / 2 - 0.5))
    return nodes


def stairs() -> Trimesh:
    """Seven steps of 10 mm on treads of 15 mm: the last riser, up to a 3" deck, is 6.2 mm."""
    return flight(105, 50, 7)


def barricade() -> Trimesh:
    """A low wall of slabs, 3 inches long, 1 inch high: an obstacle."""
    outline = [
        (0, 0),
        (76.2, 0),
        (76.2, 22),
        (70, 25.4),
        (44, 25.4),
        (40, 21),
        (30, 21),
        (26, 25.4),
        (5, 25.4),
        (0, 20),
    ]
    return join(
        [
            wall((-38.1, 0), (38.1, 0), outline, 8),
            block((-30, -9, 0), (-22, 9, 12)),
            block((22, -9, 0), (30, 9, 12)),
        ]
    )


def barrels() -> Trimesh:
    """Three drums side by side, 1.3 inches high: an obstacle."""
    spots = [(0.0, 0.0, 33.0), (24.0, 4.0, 33.0), (11.0, 22.0, 30.0)]
    drums = []
    for x, y, height in spots:
        drum = trimesh.creation.cylinder(radius=11.5, height=height, sections=32)
        drum.apply_translation((x, y, height / 2))
        ring = trimesh.creation.cylinder(radius=12.2, height=2.0, sections=32)
        ring.apply_translation((x, y, height * 0.6))
        drums += [drum, ring]
    return join(drums)


def crate() -> Trimesh:
    """A crate of 1.4 inches with battens: an obstacle."""
    side, height = 17.8, 35.6
    parts = [block((-side + 1.5, -side + 1.5, 0), (side - 1.5, side - 1.5, height - 0.5))]
    for z in (0.0, height - 5):
        parts.append(block((-side, -side, z), (side, side, z + 5)))
    for x in (-side, side - 5):
        for y in (-side, side - 5):
            parts.append(block((x, y, 0), (x + 5, y + 5, height)))
    return join(parts)


def container() -> Trimesh:
    """A cargo container, 5 x 2.5 inches and 2.4 inches high: a structure, climbed and stood on."""
    long, wide, height = 63.5, 31.75, 61.0
    parts = [block((-long + 2, -wide + 2, 0), (long - 2, wide - 2, height))]
    for x in (-long, long - 6):
        for y in (-wide, wide - 6):
            parts.append(block((x, y, 0), (x + 6, y + 6, height)))
    for z in (0.0, height - 6):
        for y in (-wide, wide - 6):
            parts.append(block((-long, y, z), (long, y + 6, z + 6)))
        for x in (-long, long - 6):
            parts.append(block((x, -wide, z), (x + 6, wide, z + 6)))
    return join(parts)


def tower() -> Nodes:
    """A watchtower 4.5 inches square: a room with two doorways, a roof at 3", a lookout at 5", ladders."""
    side, thick = 57.15, 5.0
    line = side - thick / 2
    length = 2 * line
    corners = [(-line, -line), (line, -line), (line, line), (-line, line)]
    walls = []
    for number, start in enumerate(corners):
        end = corners[(number + 1) % 4]
        plain: Outline = [(0, 0), (length, 0), (length, LEVEL - DECK), (0, LEVEL - DECK)]
        opened = doorway(length, LEVEL - DECK, length / 2 - 20, 40, 52)
        walls.append(wall(start, end, opened if number in (0, 2) else plain, thick))
    walls += [block((x - 5, y - 5, 0), (x + 5, y + 5, LEVEL - DECK)) for x, y in corners]
    roof = block((-side, -side, LEVEL - DECK), (side, side, LEVEL))
    low, high = LEVEL, LEVEL + 50.8
    lookout = block((-side + 6, side - 50, low), (side - 46, side - 6, high))
    inset = side - 1.5
    return {
        "walls": join(walls),
        "roof": roof,
        "lookout": lookout,
        "rail-east": rail((inset, -side), (inset, side), LEVEL),
        "rail-north": rail((side - 44, inset), (side - 3, inset), LEVEL),
        "ladder-ground": ladder(LEVEL, (-30, -side - 0.5)),
        "ladder-lookout": _lifted(ladder(50.8, (-20, side - 50.5)), LEVEL),
    }


def _lifted(mesh: Trimesh, by: float) -> Trimesh:
    mesh.apply_translation((0, 0, by))
    return mesh


def ruin() -> Trimesh:
    """A burnt-out house, 8 x 7.5 inches: doorways of 42 and 48 mm, a stair, an upper floor torn off."""
    long, wide, thick = 101.6, 95.25, 5.0
    x, y = long - thick / 2, wide - thick / 2
    storey, above = LEVEL - DECK, LEVEL + 45
    ground = slab([(-long, -wide), (long, -wide), (long, wide), (-long, wide)], 0.0, 3.0)
    # South: a doorway of 48 mm, broken off towards the east.
    south: Outline = [
        (0, 0), (52, 0), (52, 56), (100, 56), (100, 0), (2 * x, 0), (2 * x, 34), (172, 41), (160, 38),
        (146, 62), (132, 70), (118, 96), (100, LEVEL), (74, LEVEL + 8), (48, LEVEL + 28), (20, above),
        (0, above),
    ]  # fmt: skip
    # West: whole, with a window upstairs.
    west = Polygon(
        [
            (0, 0),
            (2 * y, 0),
            (2 * y, above),
            (130, above + 12),
            (96, above - 4),
            (40, above + 14),
            (0, above),
        ],
        [[(60, LEVEL + 14), (94, LEVEL + 14), (94, LEVEL + 40), (60, LEVEL + 40)]],
    )
    # North: a doorway of 42 mm.
    north: Outline = [
        (0, 0), (46, 0), (46, 54), (88, 54), (88, 0), (2 * x, 0), (2 * x, above), (170, above + 6),
        (140, above - 12), (118, LEVEL + 6), (84, LEVEL + 10), (60, LEVEL - 4), (40, 60), (22, 44), (0, 30),
    ]  # fmt: skip
    # East: nothing left but a stump, stepped over or climbed.
    east: Outline = [(0, 0), (70, 0), (70, 10), (52, 24), (38, 20), (20, 33), (0, 36)]
    walls = [
        wall((-x, -y), (x, -y), south, thick),
        wall((-x, -y), (-x, y), west, thick),
        wall((x, y), (-x, y), north, thick),
        wall((x, -y), (x, y), east, thick),
    ]
    # Upstairs: along the west wall and, narrower, along the north; its edge is torn.
    floor = Polygon(
        [
            (-long, -wide), (2, -wide), (-2, -70), (8, -48), (-10, -22), (-6, 2), (-16, 20), (-4, 34),
            (20, 42), (38, 38), (54, 48), (60, 70), (56, wide), (-long, wide),
        ]
    )  # fmt: skip
    inside = -long + thick
    well = rectangle(inside, -46, inside + 44, 53)
    upper = slab(floor.difference(well), storey, LEVEL)
    climb = flight(105, 40, 7)
    climb.apply_transform(trimesh.transformations.rotation_matrix(math.pi / 2, (0, 0, 1)))
    climb.apply_translation((inside + 20, -52, 3.0))
    pillar = block((-24, -4, 0), (-16, 4, storey))
    rubble = slab([(44, -30), (70, -38), (88, -20), (80, 6), (58, 10), (46, -6)], 3.0, 9.0)
    heap = slab([(54, -24), (70, -26), (78, -14), (66, -2), (56, -8)], 9.0, 16.0)
    return join([ground, *walls, upper, climb, pillar, rubble, heap])


def zm_wall() -> Trimesh:
    """A Zone Mortalis wall: 95 mm long, 10 mm thick, 60 mm high."""
    parts = [block((-47.5, -5, 0), (47.5, 5, 60))]
    parts += [block((x - 4, -5, 56), (x + 4, 5, 60)) for x in (-30.0, 0.0, 30.0)]
    return join(parts)


def zm_column() -> Trimesh:
    """A Zone Mortalis column: 50 x 50 mm, 60 mm high."""
    bevel = [(-25, -21), (-21, -25), (21, -25), (25, -21), (25, 21), (21, 25), (-21, 25), (-25, 21)]
    return slab(bevel, 0.0, 60.0)


def zm_door() -> Trimesh:
    """A Zone Mortalis door frame, open: 95 mm long, an opening 42 mm wide and 48 mm high."""
    return wall((-47.5, 0), (47.5, 0), doorway(95, 60, 26.5, 42, 48), 10)


def pipe() -> Trimesh:
    """A pipeline on feet, 6 inches long, 1 inch through: an obstacle, however long."""
    tube = trimesh.creation.cylinder(radius=12.7, height=152.4, sections=40)
    tube.apply_transform(trimesh.transformations.rotation_matrix(math.pi / 2, (0, 1, 0)))
    tube.apply_translation((0, 0, 14.0))
    feet = [block((x - 4, -11, 0), (x + 4, 11, 12)) for x in (-60.0, 0.0, 60.0)]
    return join([tube, *feet])


MODELS = {
    "gantry": lambda: gantry(203.2),
    "gantry-ladder": ladder_gantry,
    "stairs": stairs,
    "tower": tower,
    "container": container,
    "crate": crate,
    "barrels": barrels,
    "barricade": barricade,
    "pipe": pipe,
    "ruin": ruin,
    "zm-wall": zm_wall,
    "zm-column": zm_column,
    "zm-door": zm_door,
}


def write_glb(nodes: Nodes, path: Path) -> None:
    """Named nodes as a GLB: metres and y up, as the format wants it."""
    scene = trimesh.Scene()
    upright = trimesh.transformations.rotation_matrix(-math.pi / 2, (1, 0, 0))
    for name, mesh in nodes.items():
        placed = Trimesh(mesh.vertices * 0.001, mesh.faces, process=False)
        placed.apply_transform(upright)
        scene.add_geometry(placed, node_name=name, geom_name=name)
    path.write_bytes(scene.export(file_type="glb"))


def main(folder: Path) -> None:
    """Write every model."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in MODELS.items():
        made = make()
        if isinstance(made, dict):
            path = folder / f"{name}.glb"
            write_glb(made, path)
            count = sum(len(mesh.faces) for mesh in made.values())
        else:
            path = folder / f"{name}.stl"
            path.write_bytes(made.export(file_type="stl"))
            count = len(made.faces)
        print(f"{path.name:20} {count:6} triangles {path.stat().st_size / 1000:7.1f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "models")
