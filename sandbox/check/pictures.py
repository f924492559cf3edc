"""Pictures of a build from several sides, with where each finding shows in them and which pixels are which floor."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray
from PIL import Image
from scipy.spatial import cKDTree

from sandbox.check.finding import Finding
from sandbox.check.levels import Level
from sandbox.check.subject import Subject
from sandbox.units import MM_PER_INCH, inches
from sandbox.view import offscreen
from sandbox.view.camera import Camera
from sandbox.view.prepared import prepare
from sandbox.view.stage import Stage

Floats = NDArray[np.float64]

SIZE = (1120, 760)
"""pixels."""
SIDES = (
    ("from the south-east", -58.0, 38.0),
    ("from the south-west", -122.0, 38.0),
    ("from the north-west", 122.0, 38.0),
    ("from the north-east", 58.0, 38.0),
)
TOP = ("from above", -90.0, 88.0)
MOST_CUTS = 4
_ON_FLOOR = 0.06
"""inches that a pixel may be off a floor's height."""
_SEEN = 0.12
_COVERED = 0.4
"""Of a floor of which less than this share is seen from above a cut is shown."""
_LIFT = 0.15
_SAME_FLOOR_MM = 2.5
_BETWEEN_MM = 2.0
"""Places to stand are told in steps: a base reaches this much farther than from the nearest of them."""


@dataclass(frozen=True)
class Mark:
    """Where a finding shows in a picture."""

    number: int
    x: float
    """share of the width, 0 to 1."""
    y: float
    seen: bool
    """False: something stands before it."""


@dataclass(frozen=True)
class FloorMask:
    """Pixels of one floor on which the same bases can stand."""

    floor: int
    """its number."""
    bases: tuple[str, ...]
    """names of the bases that can be there."""
    mask: str
    """data URL."""


@dataclass(frozen=True)
class Shown:
    """One picture."""

    title: str
    image: str
    """data URL."""
    marks: tuple[Mark, ...]
    floors: tuple[FloorMask, ...]
    """pixels of each floor that shows, apart for what different bases can stand on."""


def pictures(subject: Subject, levels: Sequence[Level], findings: Sequence[Finding]) -> tuple[Shown, ...]:
    """Pictures from four sides and from above, and cuts that open the floors which none of them shows."""
    chosen = offscreen.pipe()
    kinds = tuple(part.kind for part in subject.terrain.parts)
    stage = Stage(prepare(subject.terrain, kinds), shaded=chosen.shaded)
    stands = Stands(subject)
    answer = []
    seen: dict[int, float] = {}
    for title, azimuth, elevation in (*SIDES, TOP):
        camera = _framed(stage, subject, Camera((0, 0, 0), 10.0, azimuth, elevation))
        shown, areas = _shot(stage, camera, title, levels, findings, chosen, stands)
        answer.append(shown)
        for number, area in areas.items():
            seen[number] = max(seen.get(number, 0.0), area if title == TOP[0] else 0.0)
    for height in _cuts(levels, seen):
        camera = _framed(stage, subject, Camera((0, 0, 0), 10.0, -72.0, 62.0))
        camera = replace(camera, cut=inches(height))
        title = f'cut open at {inches(height):.1f}" ({height:.0f} mm)'
        shown, _ = _shot(stage, camera, title, levels, findings, chosen, stands)
        answer.append(shown)
    return tuple(answer)


def _cuts(levels: Sequence[Level], seen: dict[int, float]) -> list[float]:
    """Heights to cut at: a little over floors that hold a base and do not show from above."""
    hidden = [
        level.z
        for level in levels
        if level.width >= 20.0 and level.area > 400.0 and seen.get(level.number, 0.0) < _COVERED * level.area
    ]
    heights: list[float] = []
    for z in sorted(hidden):
        height = z + 18.0
        if not heights or height - heights[-1] > 12.0:
            heights.append(height)
    if len(heights) > MOST_CUTS:
        heights = [heights[k] for k in np.linspace(0, len(heights) - 1, MOST_CUTS).astype(int)]
    return heights


def _framed(stage: Stage, subject: Subject, camera: Camera) -> Camera:
    low, high = subject.bounds
    low, high = low / MM_PER_INCH, high / MM_PER_INCH
    margin = 0.06 * float(max(high[0] - low[0], high[1] - low[1])) + 0.25
    corners = np.array(
        [
            [x, y, z]
            for x in (low[0] - margin, high[0] + margin)
            for y in (low[1] - margin, high[1] + margin)
            for z in (low[2], high[2])
        ]
    )
    return camera.framing(corners, SIZE, margin=0.03)


def _shot(
    stage: Stage,
    camera: Camera,
    title: str,
    levels: Sequence[Level],
    findings: Sequence[Finding],
    chosen: offscreen.Pipe,
    stands: Stands,
) -> tuple[Shown, dict[int, float]]:
    """One picture, and how much of each floor it shows, mm2."""
    shot = offscreen.shoot(stage, camera, SIZE, using=chosen)
    marks: tuple[Mark, ...] = ()
    if findings:
        spots = np.array([finding.on_table for finding in findings], dtype=np.float64)
        shown = spots.copy()
        if camera.cut is not None:
            shown[:, 2] = np.minimum(shown[:, 2], camera.cut)
        at = camera.project(shown, SIZE)
        visible = shot.visible(camera.project(shown + np.array([0.0, 0.0, _LIFT]), SIZE), _SEEN)
        marks = tuple(
            Mark(f.number, float(x) / SIZE[0], float(y) / SIZE[1], bool(ok))
            for f, (x, y, _), ok, z in zip(findings, at, visible, spots[:, 2], strict=True)
            if camera.cut is None or z <= camera.cut + 0.3
        )
    masks: list[FloorMask] = []
    areas: dict[int, float] = {}
    if shot.distance is not None:
        points, distance = _points(camera, shot.distance)
        for level in levels:
            if level.width < 15.0:
                continue
            mask = _on(points, level)
            count = int(mask.sum())
            if count < 40:
                continue
            masks += [
                FloorMask(level.number, bases, _mask(part))
                for bases, part in stands.parts(points, mask, level)
            ]
            scale = distance[mask].mean() * camera.pixel(SIZE) / camera.distance * MM_PER_INCH
            fine = SIZE[0] / mask.shape[1]
            areas[level.number] = count * float(scale * fine) ** 2
    picture = Image.fromarray(shot.picture)
    out = io.BytesIO()
    picture.save(out, format="JPEG", quality=86)
    return Shown(title, _url("jpeg", out.getvalue()), marks, tuple(masks)), areas


def _points(camera: Camera, distance: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """(rows, columns, 3) what each pixel shows, inches; and its distance, halved in fineness to the picture's size."""
    step = max(1, distance.shape[1] // SIZE[0])
    far = np.asarray(distance[::step, ::step], dtype=np.float64)
    rows, columns = far.shape
    scale = rows / 2 / np.tan(np.radians(camera.view_angle) / 2)
    right = (np.arange(columns) + 0.5 / step - columns / 2) / scale
    up = (rows / 2 - np.arange(rows) - 0.5 / step) / scale
    axes = camera.axes
    ray = right[None, :, None] * axes[0] + up[:, None, None] * axes[1] + axes[2]
    return camera.eye + ray * far[:, :, None], far


class Stands:
    """Where each base can be on the floors of a build, whatever the pack."""

    def __init__(self, subject: Subject) -> None:
        self.bases = subject.bases
        self.window = subject.window
        self.places: dict[str, Floats] = {}
        for (base, _), places in subject.stands.items():
            known = self.places.get(base)
            self.places[base] = places if known is None else np.concatenate([known, places])

    def parts(
        self, points: Floats, mask: NDArray[np.bool_], level: Level
    ) -> Iterator[tuple[tuple[str, ...], NDArray[np.bool_]]]:
        """The pixels of a level, (rows, columns) bool, by the bases that can cover what they show."""
        rows = np.flatnonzero(mask)
        plan = points.reshape(-1, 3)[rows, :2] * MM_PER_INCH
        seen = self.window
        looked = (plan >= (seen.x0, seen.y0)).all(axis=1) & (plan <= (seen.x1, seen.y1)).all(axis=1)
        rows, plan = rows[looked], plan[looked]  # the table farther out was not looked at
        code = np.zeros(len(rows), np.int64)
        for bit, base in enumerate(self.bases):
            places = self.places.get(base.name, np.zeros((0, 3)))
            near = places[np.abs(places[:, 2] - level.z) <= _SAME_FLOOR_MM]
            if len(near):
                reach = (base.long + base.short) / 4 + _BETWEEN_MM
                away, _ = cKDTree(near[:, :2]).query(plan, distance_upper_bound=reach)
                code |= np.isfinite(away).astype(np.int64) << bit
        for value in np.unique(code):
            part = np.zeros(mask.size, np.bool_)
            part[rows[code == value]] = True
            names = tuple(base.name for bit, base in enumerate(self.bases) if value >> bit & 1)
            yield names, part.reshape(mask.shape)


def _on(points: Floats, level: Level) -> NDArray[np.bool_]:
    """Which pixels show a level."""
    mask = np.abs(points[:, :, 2] - inches(level.z)) < _ON_FLOOR
    rows = np.flatnonzero(mask)
    flat = points.reshape(-1, 3)[rows] * MM_PER_INCH
    shape = level.shape
    shapely.prepare(shape)
    inside = shapely.intersects_xy(shape, flat[:, 0], flat[:, 1])
    answer = np.zeros(mask.size, np.bool_)
    answer[rows[inside]] = True
    return answer.reshape(mask.shape)


def _mask(mask: NDArray[np.bool_]) -> str:
    """A mask as a small PNG: opaque where it is set."""
    picture = Image.fromarray(mask.astype(np.uint8), mode="P")
    picture.putpalette([0, 0, 0, 0, 0, 0])
    out = io.BytesIO()
    picture.save(out, format="PNG", bits=1, transparency=0, optimize=True)
    return _url("png", out.getvalue())


def _url(kind: str, data: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"
