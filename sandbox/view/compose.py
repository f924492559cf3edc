"""Pictures: a stage, a camera, labels and a legend put together and written as PNG."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from sandbox.errors import UserError
from sandbox.files.pages import write_made
from sandbox.moves.answers import LegKind
from sandbox.terrain.model import CEILING_PIECE
from sandbox.units import MM_PER_INCH, inches
from sandbox.view import figures, ink, legend, meshes, offscreen, palette, reach
from sandbox.view.camera import Camera, preset
from sandbox.view.ink import Label
from sandbox.view.labels import bands, border, leg, pixel, refusals, total
from sandbox.view.model import FighterMark, StageInput
from sandbox.view.prepared import prepare
from sandbox.view.stage import Stage, kept
from sandbox.view.way import stretches
from sandbox.view.words import say

Floats = NDArray[np.float64]

LARGEST = 8192
TURNS = (0.0, 44.0, -44.0, 90.0, -90.0, 136.0, -136.0, 180.0)
"""degrees from the usual side, the sides that a way is looked at from."""
STEEP = 62.0
"""degrees above the horizon from which boards with a ceiling are seen."""
TRIFLE = 0.3
"""inches: a shorter walk between other legs is priced in the legend only."""


def draw(
    given: StageInput,
    path: str | Path | None = None,
    *,
    size: tuple[int, int] = (1600, 1000),
    camera: str | Camera | None = None,
    using: offscreen.Pipe | None = None,
) -> Image.Image:
    """Draw `given` as a picture of `size` pixels and write it to `path` where one is named.

    camera: a preset (whole, reach, way, top, level:Z) or a Camera of one's own; None: framed on what is asked about.
    Raises UserError for an unknown preset, an impossible size, a path that cannot be written, or no way to draw.
    """
    if not (64 <= size[0] <= LARGEST and 64 <= size[1] <= LARGEST):
        raise UserError(
            f"a picture of {size[0]} x {size[1]} pixels is not possible; 64 to {LARGEST} each way"
        )
    chosen = using or offscreen.pipe()
    side = legend.width(size)
    frame = (size[0] - side, size[1])
    stage = Stage(prepare(given.terrain, given.part_kinds), shaded=chosen.shaded)
    eye = aimed(given, stage, camera, frame)
    if given.way is not None and camera in (None, "way"):
        eye = turned(given, stage, eye, frame, chosen)
    stage.show(given, pixel=eye.pixel(frame))
    shot = offscreen.shoot(stage, eye, frame, using=chosen)
    picture = Image.new("RGB", size)
    board = Image.fromarray(shot.picture)
    labels, clear = labels_of(given, stage, eye, frame, shot)
    rim = 6.0
    ink.draw(board, ink.place(labels, (rim, rim, frame[0] - rim, frame[1] - rim), clear))
    picture.paste(board, (0, 0))
    if side:
        notes = (chosen.note,) if chosen.note else ()
        cut = (f'cut open at {eye.cut:g}"',) if eye.cut is not None else ()
        picture.paste(legend.panel(given, size, (*cut, *notes)), (frame[0], 0))
    if path is not None:
        write(picture, Path(path))
    return picture


def write(picture: Image.Image, path: Path) -> None:
    """Write a PNG whole or not at all; UserError where that fails."""
    drawn = BytesIO()
    picture.save(drawn, format="PNG")
    write_made(path, drawn.getvalue(), "picture")


def aimed(given: StageInput, stage: Stage, camera: str | Camera | None, size: tuple[int, int]) -> Camera:
    """The camera that was asked for, framed on its subject."""
    if isinstance(camera, Camera):
        return camera
    what, eye = _asked(given, camera)
    return framed(given, subject(given, stage, what), eye, size)


def _asked(given: StageInput, camera: str | None) -> tuple[str, Camera]:
    """What a preset is to show, and from where."""
    view = preset(
        camera,
        has_reach=given.reach is not None and len(given.reach.spots) > 0,
        has_way=given.way is not None,
    )
    eye = view.camera
    if eye.elevation < STEEP and any(part.piece == CEILING_PIECE for part in given.terrain.parts):
        # Between walls that reach the ceiling only a steep view sees the floor.
        eye = replace(eye, elevation=STEEP)
    return view.what, eye


def framed(given: StageInput, points: Floats, eye: Camera, size: tuple[int, int]) -> Camera:
    """The camera moved so that it shows these points (n, 3), inches, and nobody by half; size: pixels."""
    if eye.cut is not None:
        points = points[points[:, 2] <= eye.cut + 1.0] if (points[:, 2] <= eye.cut + 1.0).any() else points
    shown = eye.framing(points, size)
    for _ in range(3):
        # Who stands in the picture is not cut off by its edge.
        halves = [who for who in map(_around, given.fighters) if _is_cut(shown.project(who, size), size)]
        if not halves:
            break
        points = np.concatenate([points, *halves])
        shown = eye.framing(points, size)
    return shown


def turned(
    given: StageInput, stage: Stage, eye: Camera, size: tuple[int, int], using: offscreen.Pipe
) -> Camera:
    """The camera from the side that shows most of the way: the usual one unless that hides a good part of it."""
    way = given.way
    assert way is not None
    places = [_dense(stretch.path) for stretch in stretches(way, stage.scenery.ground)]
    places.append(np.asarray(way.end) + np.linspace(0.1, 1.0, 9)[:, None] * np.array([0.0, 0.0, 1.0]))
    points = np.concatenate(places)
    small = (size[0] // 4, size[1] // 4)
    best, most = eye, -1.0
    for turn in TURNS:
        aside = replace(eye, azimuth=eye.azimuth + turn)
        other = framed(given, subject(given, stage, "way"), aside, size) if turn else eye
        shot = offscreen.shoot(stage, other, small, using=using)
        shown = float(shot.visible(other.project(points, small), 0.12).mean())
        if shown > most + 0.1:
            best, most = other, shown
        if most > 0.8:
            break
    return best


def subject(given: StageInput, stage: Stage, what: str) -> Floats:
    """(n, 3) points that have to be in the picture."""
    if what == "board":
        return board_points(stage)
    points = []
    for fighter in given.fighters:
        if fighter.active:
            points.append(_around(fighter))
    if what == "reach" and given.reach is not None:
        points.append(given.reach.spots[:, :3] + (0.0, 0.0, 0.0))
        points.append(given.reach.spots[:, :3] + (0.0, 0.0, 1.4))
    if given.way is not None:
        points += [leg.path for leg in given.way.legs]
        points.append(np.array([given.way.end]))
        if given.active is not None:
            points.append(_around(replace(given.active, at=given.way.end, facing=given.way.facing)))
        points += [np.array([ruling.where]) for ruling in given.way.rulings if ruling.where is not None]
        for other, keep in kept(given.way, given.fighters):
            across = tuple(width + 2 * keep * MM_PER_INCH for width in other.base_mm)
            points.append(_around(replace(other, base_mm=(across[0], across[1]))))
    if not points:
        return board_points(stage)
    cloud = np.concatenate(points)
    # Some of what stands around it belongs in the picture, and a very small reach is not blown up without end.
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    middle = (low + high) / 2
    half = np.maximum((high - low) / 2, 3.2)
    corners = np.array([[x, y, 0.0] for x in (-1, 1) for y in (-1, 1)]) * half * 0.8 + middle
    rim = np.array([[x, y, 0.0] for x in (-0.8, 0.8) for y in (-0.8, 0.8)])
    return np.concatenate([cloud + offset for offset in rim] + [corners])


def board_points(stage: Stage) -> Floats:
    """(n, 3) points that span the board and what stands on it."""
    width, depth = stage.size
    table = np.array([[x, y, 0.0] for x in (-0.8, width + 0.8) for y in (-0.8, depth + 0.8)])
    return np.concatenate([table, stage.scenery.extremes])


def _is_cut(seen: Floats, size: tuple[int, int]) -> bool:
    """Whether points, as projected, lie partly in the picture: in it by half or more, but not all of them."""
    inside = (seen[:, 0] > 0) & (seen[:, 0] < size[0]) & (seen[:, 1] > 0) & (seen[:, 1] < size[1])
    return bool(0.3 <= inside.mean() < 1.0)


def _is_hidden(fighter: FighterMark, eye: Camera, size: tuple[int, int], shot: offscreen.Shot) -> bool:
    """Whether most of a fighter's figure is covered: of the places on it that face the eye, as far as in the picture."""
    middles = figures.figure(fighter).body.corners.mean(axis=1)
    places = eye.project(middles, size)
    # The near half of an upright figure, told apart by distance at each height.
    axis = eye.project(np.column_stack([np.tile(fighter.at[:2], (len(middles), 1)), middles[:, 2]]), size)
    near = places[:, 2] < axis[:, 2]
    near &= (places[:, 0] > 0) & (places[:, 0] < size[0]) & (places[:, 1] > 0) & (places[:, 1] < size[1])
    return bool(near.any() and shot.visible(places[near], 0.15).mean() < 0.4)


def _around(fighter: FighterMark) -> Floats:
    ring = meshes.outline(inches(fighter.base_mm[0]) / 2, inches(fighter.base_mm[1]) / 2, fighter.facing, 12)
    low = np.column_stack([ring, np.zeros(len(ring))]) + np.asarray(fighter.at)
    return np.concatenate([low, low + np.array([0.0, 0.0, fighter.height])])


def labels_of(
    given: StageInput, stage: Stage, eye: Camera, size: tuple[int, int], shot: offscreen.Shot
) -> tuple[list[Label], Floats]:
    """All words on the picture, the most important first, and the pixels that they should leave free.

    Pixels: (n, 2) column, row from the top. size: pixels.
    """
    factor = legend.scale((size[0] + 320, size[1]))
    labels, clear = _on_the_way(given, stage, eye, size, factor)
    names, under = _on_fighters(given, eye, size, shot, factor)
    labels += names
    clear += under
    labels += _on_the_reach(given, stage, eye, size, shot, factor)
    numbers = border(stage, eye, size, 13 * factor)
    seen = shot.visible(eye.project(np.array([at for at, _ in numbers]).reshape(-1, 3), size), 0.4)
    labels += [label for (_, label), shown in zip(numbers, seen, strict=True) if shown]
    inside = [
        label for label in labels if -20 < label.at[0] < size[0] + 20 and -20 < label.at[1] < size[1] + 20
    ]
    return inside, np.concatenate(clear) if clear else np.empty((0, 2))


def _on_the_way(
    given: StageInput, stage: Stage, eye: Camera, size: tuple[int, int], factor: float
) -> tuple[list[Label], list[Floats]]:
    """What a way's legs cost or why it cannot be, and the pixels that it takes."""
    labels: list[Label] = []
    clear: list[Floats] = []
    way = given.way
    if way is None:
        return labels, clear
    if not way.legal:
        wide = 300 * factor
        labels += refusals(way, given.active, given.fighters, eye, size, 16 * factor, wide=wide, most=4)
    if given.active is not None:
        there = _around(replace(given.active, at=way.end, facing=way.facing))
        clear.append(eye.project(there, size)[:, :2])
    for number, stretch in enumerate(stage.stretches, start=1):
        clear.append(eye.project(_dense(stretch.path), size)[:, :2])
        if stretch.kind is LegKind.WALK and stretch.cost < TRIFLE and len(stage.stretches) > 1:
            continue
        labels.append(leg(stretch, number, way.legal, eye, size, 15 * factor))
    if way.legal and way.cost is not None:
        labels.append(total(way, eye, size, 15 * factor))
    return labels, clear


def _on_fighters(
    given: StageInput, eye: Camera, size: tuple[int, int], shot: offscreen.Shot, factor: float
) -> tuple[list[Label], list[Floats]]:
    """Names of the fighters below the cut, and the pixels that their figures take."""
    labels: list[Label] = []
    clear: list[Floats] = []
    colours = palette.side_colours([fighter.side for fighter in given.fighters])
    for fighter in given.fighters:
        if eye.cut is not None and fighter.at[2] > eye.cut:
            continue
        rise = np.linspace(0.0, fighter.height, 12)[:, None] * np.array([0.0, 0.0, 1.0])
        clear.append(eye.project(np.asarray(fighter.at) + rise, size)[:, :2])
        foot = pixel(eye, fighter.at, size)
        if not (fighter.active or (0 <= foot[0] < size[0] and 0 <= foot[1] < size[1])):
            continue
        hidden = _is_hidden(fighter, eye, size, shot)
        top = (fighter.at[0], fighter.at[1], fighter.at[2] + fighter.height)
        name = fighter.name
        if fighter.status not in ("", "standing", "mobile"):
            name = say("models", "status", name=name, status=fighter.status)
        # Pale as its figure, which shines through what stands before it.
        name = say("models", "hidden", name=name) if hidden else name
        labels.append(
            Label(
                pixel(eye, top, size),
                (name,),
                colours[fighter.side],
                palette.FAINT_INK if hidden else palette.INK,
                (226, 228, 232) if hidden else (255, 255, 255),
                size=15 * factor,
                gap=10,
                must=fighter.active,
            )
        )
    return labels, clear


def _on_the_reach(
    given: StageInput, stage: Stage, eye: Camera, size: tuple[int, int], shot: offscreen.Shot, factor: float
) -> list[Label]:
    """Inches and odds on the bands of a reach, where they are seen."""
    if given.reach is None:
        return []
    spots = given.reach.spots
    visible = shot.visible(eye.project(spots[:, :3], size), 0.35)
    if eye.cut is not None:
        visible &= spots[:, 2] <= eye.cut
    tags = reach.tags(spots, stage.layers, reach.band_width(given.reach.allowance), visible)
    return bands(tags, eye, size, factor, odds=14, inches=13)


def _dense(path: Floats) -> Floats:
    """The polyline with points about every 0.1 inch."""
    parts = []
    for start, end in pairwise(path):
        count = max(2, int(np.linalg.norm(end - start) / 0.1))
        parts.append(start + (end - start) * np.linspace(0, 1, count)[:, None])
    return np.concatenate(parts) if parts else path
