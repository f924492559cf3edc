"""Pictures of a layout: each level cut open from above, with names, ways and distances; the whole, exploded.

The board is drawn by the view's off-screen stage. What lies on it here (tints of zones, ways, words) is put on the
finished picture through the same camera.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from sandbox.errors import UserError
from sandbox.layout.board import Board, Node, layout_scene, open_board
from sandbox.layout.check import check_board
from sandbox.layout.findings import Distance, Report
from sandbox.layout.overlay import Canvas
from sandbox.layout.panel import DOORS, DUCT, GROUND, exploded_panel, level_panel
from sandbox.layout.seams import seamless
from sandbox.scene import Board as Table
from sandbox.scene import Scene
from sandbox.scene.layouts import SquareKind, State, build
from sandbox.scene.layouts.names import column_name
from sandbox.terrain.build import build_terrain
from sandbox.units import inches
from sandbox.view import offscreen, palette
from sandbox.view.camera import Camera
from sandbox.view.compose import write
from sandbox.view.ink import Label
from sandbox.view.prepared import prepare
from sandbox.view.stage import Stage

Floats = NDArray[np.float64]

CUT = 1.15
"""inches above a floor at which its walls are cut open."""
STEEP = 68.0
FLAT = 33.0
"""degrees above the horizon from which levels and the exploded whole are seen."""
APART = 0.86
"""how far levels are raised over one another in the exploded picture; at 1 none hides a part of another."""
LOW_WALLS_MM = 24.0
TABLE_LOW = -1.0
"""inches; the underside of the table."""


@dataclass(frozen=True)
class Picture:
    """A picture with the name of its file."""

    name: str
    image: Image.Image


def show_layout(
    path: str | Path,
    out: Path,
    *,
    size: tuple[int, int] = (1600, 1000),
    rules: str | Path | None = None,
    plain: bool = False,
) -> tuple[Path, ...]:
    """Write the pictures of a layout into a folder and return where they are.

    plain: without ways and distances. size: pixels, across and down. UserError where the scene, the pack or the folder
    is wrong.
    """
    if plain:
        scene = layout_scene(Path(path))
        if scene.layout is None:
            raise UserError("the scene has no `layout:`; `sandbox view` draws other scenes", file=scene.path)
        pictures = draw_levels(scene, None, None, size)
    else:
        board = open_board(path, rules)
        report = check_board(board, ((32.0, 32.0),))
        pictures = draw_levels(board.scene, board, report, size)
    written = []
    for picture in pictures:
        target = out / picture.name
        write(picture.image, target)
        written.append(target)
    return tuple(written)


def draw_levels(
    scene: Scene, board: Board | None, report: Report | None, size: tuple[int, int]
) -> list[Picture]:
    """A picture of each level, and one of the whole where there are several."""
    loaded = scene.layout
    assert loaded is not None
    pictures = [
        Picture(f"{number + 1}-{level.name}.png", draw_level(scene, number, board, report, size))
        for number, level in enumerate(loaded.layout.levels)
    ]
    if len(loaded.layout.levels) > 1:
        pictures.append(Picture("exploded.png", draw_exploded(scene, board, report, size)))
    return pictures


def draw_level(
    scene: Scene, number: int, board: Board | None, report: Report | None, size: tuple[int, int]
) -> Image.Image:
    """One level cut open, what is below it to be seen through its holes."""
    assert scene.layout is not None
    layout = scene.layout.layout
    floor = inches(layout.floor_mm(number))
    names = [f"{level.name} " for level in layout.levels[number + 1 :]]
    top = floor + layout.levels[number].height + 0.05
    terrain = tuple(
        piece
        for piece in scene.terrain
        if not piece.id.startswith(("ceiling ", *names)) and piece.at[2] < top
    )
    shown = replace(
        scene,
        terrain=terrain,
        board=Table(scene.board.size, scene.board.ground, None, scene.board.zone_mortalis),
        areas=(),
        fighters=(),
    )
    width, depth = inches(layout.width * layout.pitch), inches(layout.depth * layout.pitch)
    corners = np.array(
        [[x, y, floor + CUT] for x in (-1.0, width + 0.3) for y in (0.0, depth + 0.2)]
        + [[x, -0.8, TABLE_LOW] for x in (0.0, width)]
    )
    eye = Camera((0.0, 0.0, 0.0), 10.0, azimuth=-90.0, elevation=STEEP, view_angle=14.0, cut=floor + CUT)
    panel = level_panel(scene, number, report, size)
    frame = (size[0] - panel.width, size[1])
    canvas = _shot(shown, eye.framing(corners, frame, margin=0.02), frame)
    _tints(canvas, scene, number, floor)
    _doors(canvas, scene, number)
    _ducts(canvas, scene, floor)
    if report is not None and board is not None:
        _routes(canvas, board, report, number)
    labels = _labels(canvas, scene, number, floor, report, board)
    labels += _rim(canvas, layout.width, layout.depth, inches(layout.pitch), floor)
    canvas.words(labels)
    return _together(canvas.image, panel, size)


def draw_exploded(
    scene: Scene, board: Board | None, report: Report | None, size: tuple[int, int]
) -> Image.Image:
    """All levels one above another, pulled apart, with low walls, and lines where one leads to another."""
    loaded = scene.layout
    assert loaded is not None
    layout = loaded.layout
    apart = APART * layout.depth * layout.pitch * float(np.tan(np.radians(FLAT)))
    built = build(layout, loaded.tiles, lift=apart, cut=LOW_WALLS_MM)
    shown = replace(
        scene,
        terrain=built.terrain,
        areas=(),
        fighters=(),
        board=Table(built.board.size, built.board.ground, None, True),
    )
    width, depth = inches(layout.width * layout.pitch), inches(layout.depth * layout.pitch)
    floors = [inches(layout.floor_mm(k) + k * apart) for k in range(len(layout.levels))]
    points = np.array(
        [[x, y, z] for x in (-0.5, width + 0.5) for y in (-0.5, depth + 0.5) for z in (0.0, floors[-1] + 1.0)]
    )
    eye = Camera((0.0, 0.0, 0.0), 10.0, azimuth=-72.0, elevation=FLAT, view_angle=18.0)
    panel = exploded_panel(scene, report, size)
    frame = (size[0] - panel.width, size[1])
    canvas = _shot(shown, eye.framing(points, frame, margin=0.03), frame)
    for number, floor in enumerate(floors):
        _tints(canvas, scene, number, floor)
    labels: list[Label] = []
    for at, to, words in _links(scene, floors):
        canvas.dashes(np.array([at, to]), (70, 74, 84))
        if words:
            labels.append(canvas.label((np.array(at) + np.array(to)) / 2, (words,), size=13, must=False))
    for number, level in enumerate(layout.levels):
        height = inches(layout.floor_mm(number))
        corner = np.array([*_first_floor(scene, number), floors[number]])
        labels.append(canvas.label(corner, (level.name, f'floor at {height:.2f}"'), size=16, gap=22))
        labels += _marked(canvas, scene, number, floors[number], None)
    canvas.words(labels)
    return _together(canvas.image, panel, size)


def _shot(scene: Scene, eye: Camera, frame: tuple[int, int]) -> Canvas:
    terrain = build_terrain(scene)
    pipe = offscreen.pipe()
    stage = Stage(seamless(prepare(terrain, tuple(part.kind for part in terrain.parts))), shaded=pipe.shaded)
    return Canvas(offscreen.shoot(stage, eye, frame, using=pipe), eye, frame)


def _together(board: Image.Image, panel: Image.Image, size: tuple[int, int]) -> Image.Image:
    picture = Image.new("RGB", size, palette.PAPER)
    picture.paste(board, (0, 0))
    picture.paste(panel, (size[0] - panel.width, 0))
    return picture


def _tints(canvas: Canvas, scene: Scene, number: int, floor: float) -> None:
    """Zones, and ground that is agreed, as tints on the floor."""
    assert scene.layout is not None
    layout = scene.layout.layout
    level, side = layout.levels[number], inches(layout.pitch)
    colours = palette.side_colours(list(dict.fromkeys(layout.zones.values())))
    by_colour: dict[tuple[int, int, int], list[Floats]] = {}
    for r in range(layout.depth):
        for c in range(layout.width):
            square = np.array([[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]], dtype=np.float64) * side
            corners = np.column_stack([square, np.full(4, floor)])
            zone = layout.zones.get(level.mark(c, r))
            if zone is not None:
                by_colour.setdefault(colours[zone], []).append(corners)
            kind = level.grid.squares[r][c].kind
            if kind in GROUND:
                by_colour.setdefault(GROUND[kind], []).append(corners)
    for colour, polygons in by_colour.items():
        canvas.tint(polygons, floor, colour, strong=colour == GROUND[SquareKind.PIT])


def _doors(canvas: Canvas, scene: Scene, number: int) -> None:
    """A bar in each door's opening, in the colour of what it is at the start."""
    assert scene.layout is not None
    for door in scene.layout.built.doors:
        if door.level != number or door.is_hatch:
            continue
        rect, z = door.leaf.rect, inches(door.leaf.at[2]) + CUT
        x, y = (inches(v) for v in rect.middle)
        half = inches(door.opening) / 2
        upright = rect.x1 - rect.x0 < rect.y1 - rect.y0
        step = np.array([0.0, half, 0.0]) if upright else np.array([half, 0.0, 0.0])
        at = np.array([x, y, z])
        canvas.bar(np.array([at - step, at + step]), DOORS[door.state], open_=door.state is State.OPEN)


def _ducts(canvas: Canvas, scene: Scene, floor: float) -> None:
    """A bar through what a ductway leads through."""
    for duct in scene.ductways:
        if abs(duct.start[2] - floor) > 0.3:
            continue
        ends = np.array([duct.start, duct.end])
        way = (ends[1] - ends[0]) / max(float(np.linalg.norm(ends[1] - ends[0])), 1e-9)
        ends = ends + np.array([-0.35 * way, 0.35 * way]) + np.array([0.0, 0.0, CUT])
        canvas.bar(ends, DUCT, open_=False)


def _routes(canvas: Canvas, board: Board, report: Report, number: int) -> None:
    """The shortest ways from the zones to the points, as far as they run on this level, doors as drawn."""
    colours = palette.side_colours(list(board.layout.zones.values()))
    sides = list(board.zones)
    for row in routes(report):
        # beside each other where two sides go the same way
        aside = 2.6 * (sides.index(row.start) - (len(sides) - 1) / 2)
        for part in on_level(board, row, number):
            canvas.way(part, colours[row.start], aside)


def routes(report: Report) -> list[Distance]:
    """The shortest ways that pictures show."""
    zones = {row.start for row in report.distances}
    return [
        row
        for row in report.distances
        if row.doors == "drawn" and row.way == "shortest" and row.path and row.target not in zones
    ]


def on_level(board: Board, row: Distance, number: int) -> list[Floats]:
    """The stretches of a way that run on a level, each (n, 3) in inches."""
    points = np.array(row.path)
    if len(points) < 2:
        return []
    dense = [points[:1]]
    for a, b in itertools.pairwise(points):
        count = max(1, int(np.linalg.norm(b - a) / 0.2))
        dense.append(a + (b - a) * np.linspace(0.0, 1.0, count + 1)[1:, None])
    line = np.concatenate(dense)
    here = board.nodes_of(line)[:, 0] == number
    parts: list[Floats] = []
    edges = np.flatnonzero(np.diff(here.astype(int))) + 1
    for part in np.split(np.arange(len(line)), edges):
        if here[part[0]] and len(part) > 1:
            parts.append(line[part])
    return parts


def _labels(
    canvas: Canvas, scene: Scene, number: int, floor: float, report: Report | None, board: Board | None
) -> list[Label]:
    labels = _marked(canvas, scene, number, floor, report)
    if report is not None and board is not None:
        name = board.level(number).name
        for way in report.levels:
            if way.kind not in ("stairs", "ramp", "ladder") or way.up <= 0:
                continue
            several = len(board.layout.levels) > 1
            if several and not way.start.startswith(f"{name} "):
                continue
            at = np.array(way.at) if way.kind == "ladder" else (np.array(way.at) + np.array(way.to)) / 2
            at[2] = floor
            labels.append(
                canvas.label(
                    at, (f'{way.kind} {way.cost:.1f}"',), size=13, gap=12, edge=(150, 96, 40), must=False
                )
            )
        for finding in report.findings:
            if (
                finding.severity.value == "info"
                or int(board.level_of(np.array([finding.at[2]]))[0]) != number
            ):
                continue
            edge = palette.REFUSED if finding.severity.value == "error" else (190, 120, 0)
            labels.append(
                canvas.label(
                    np.array(finding.at), (f"{finding.number}",), size=13, gap=8, edge=edge, ink=edge
                )
            )
    return labels


def _marked(canvas: Canvas, scene: Scene, number: int, floor: float, report: Report | None) -> list[Label]:
    """Names of zones and points; beside a point how far it is from each zone."""
    assert scene.layout is not None
    layout = scene.layout.layout
    level, side = layout.levels[number], inches(layout.pitch)
    colours = palette.side_colours(list(dict.fromkeys(layout.zones.values())))
    where: dict[str, list[Node]] = {}
    for r in range(layout.depth):
        for c in range(layout.width):
            where.setdefault(level.mark(c, r), []).append((number, c, r))
    labels = []
    for mark, name in layout.points.items():
        for _, c, r in where.get(mark, ()):
            at = np.array([(c + 0.5) * side, (r + 0.5) * side, floor])
            lines = [name]
            if report is not None:
                lines += [
                    f"{row.start} {row.moves:.1f} Moves"
                    for row in report.distances
                    if row.target == name and row.doors == "drawn" and row.way == "shortest" and row.moves
                ]
            labels.append(canvas.label(at, tuple(lines), size=15, gap=16))
    for mark, name in layout.zones.items():
        nodes = where.get(mark)
        if nodes:
            middle = np.mean([[c + 0.5, r + 0.5] for _, c, r in nodes], axis=0) * side
            at = np.array([middle[0], middle[1], floor])
            labels.append(canvas.label(at, (name,), size=17, gap=0, edge=colours[name], ink=colours[name]))
    return labels


def _rim(canvas: Canvas, width: int, depth: int, side: float, floor: float) -> list[Label]:
    """Letters of the columns and numbers of the rows along the rim."""
    labels = []
    for c in range(width):
        at = np.array([(c + 0.5) * side, -0.3, TABLE_LOW])
        labels.append(canvas.bare(at, column_name(c)))
    for r in range(depth):
        at = np.array([-0.55, (r + 0.5) * side, floor])
        labels.append(canvas.bare(at, str(r + 1)))
    return labels


def _first_floor(scene: Scene, number: int) -> tuple[float, float]:
    """The south-western corner of a level's floor, inches."""
    assert scene.layout is not None
    layout = scene.layout.layout
    squares = layout.levels[number].grid.squares
    there = [
        (r + c, r, c)
        for r, row in enumerate(squares)
        for c, s in enumerate(row)
        if s.kind is not SquareKind.HOLE
    ]
    if not there:
        return 0.0, 0.0
    _, r, c = min(there)
    return c * inches(layout.pitch), r * inches(layout.pitch)


def _links(
    scene: Scene, floors: Sequence[float]
) -> list[tuple[tuple[float, float, float], tuple[float, float, float], str]]:
    """Where one level leads to the next: from, to, and what it is."""
    assert scene.layout is not None
    layout = scene.layout.layout
    side = inches(layout.pitch)
    found = []
    for number, level in enumerate(layout.levels[:-1]):
        rise = inches(layout.floor_mm(number + 1) - layout.floor_mm(number))
        for r, row in enumerate(level.grid.squares):
            for c, square in enumerate(row):
                x, y = (c + 0.5) * side, (r + 0.5) * side
                if square.kind is SquareKind.LADDER and square.facing is not None:
                    dx, dy = square.facing.step
                    x, y = x + 0.42 * dx * side, y + 0.42 * dy * side
                    found.append(((x, y, floors[number] + rise), (x, y, floors[number + 1]), "ladder"))
                elif square.kind in (SquareKind.STAIRS, SquareKind.RAMP) and square.facing is not None:
                    dx, dy = square.facing.step
                    beyond = (c + dx, r + dy)
                    grid = level.grid
                    if grid.has(*beyond) and grid.squares[beyond[1]][beyond[0]] == square:
                        continue
                    x, y = x + 0.5 * dx * side, y + 0.5 * dy * side
                    found.append(
                        ((x, y, floors[number] + rise), (x, y, floors[number + 1]), square.kind.value)
                    )
    return found
