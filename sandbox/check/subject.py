"""What is checked: a model set on a table with room around it, or a scene; once under each pack.

Lengths are in inches where a rule sets them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sandbox.check.finding import Point
from sandbox.check.levels import Levels, find_levels, outline_of
from sandbox.check.model import Base
from sandbox.check.plan import Plan
from sandbox.check.settings import Settings, settings_of_model, settings_of_scene
from sandbox.ground.ground import Ground
from sandbox.ground.model import Body, Window
from sandbox.moves.battlefield import Battlefield
from sandbox.rules import DEFAULT_PACK, FighterRules, Pack, load_pack, pack_names
from sandbox.scene import Scene, open_scene
from sandbox.scene.load import MODEL_SUFFIXES, scene_for_model
from sandbox.scene.model import Anchor, Board, BoardGround, Mark
from sandbox.terrain.build import build_terrain, stand_piece
from sandbox.terrain.formats.raw import RawModel
from sandbox.terrain.kernels.winding import winding
from sandbox.terrain.load import load_model
from sandbox.terrain.model import BOARD_PIECE, CEILING_PIECE, Terrain
from sandbox.units import inches, mm

Floats = NDArray[np.float64]

ROOM_MM = 101.6
"""Table around a model, so that every base finds room to come from each side."""
_OVER_MM = (1.0, 4.0, 10.0, 20.0)
"""how far over a floor it is looked whether the place is enclosed: a shell without a bottom encloses little near it."""
_ENCLOSED = 0.52
"""A place with so much of an outward surface around it was meant to be solid; the sight through one hole is half at most."""
WIDE_MM = 60.0
"""how far beyond the build itself ground is looked at."""


@dataclass(frozen=True, eq=False)
class Under:
    """The subject under one pack."""

    pack: Pack
    rules: FighterRules
    """of the pack's usual model."""
    field: Battlefield
    ground: Ground
    """shared by packs whose numbers and permits are the same."""

    @property
    def move(self) -> float:
        """Inches of one Move of the usual model."""
        return float(self.rules.profile["M"])


@dataclass(frozen=True, eq=False)
class Subject:
    """A build, read and set on a table."""

    path: Path
    settings: Settings
    scene: Scene
    terrain: Terrain
    unders: tuple[Under, ...]
    origin: Point
    """what is added to a place on the table (mm) to get the subject's own coordinates."""
    raw: RawModel | None
    """the model as its file has it; None for a scene."""
    stands: dict[tuple[str, str], Floats] = field(default_factory=dict)
    """(k, 3) mm where a base, by its name, can stand under a pack, by its id: filled in while it is looked at."""

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    @cached_property
    def table(self) -> NDArray[np.bool_]:
        """(m,) faces of the board and the ceiling."""
        slab = np.array([p.piece in (BOARD_PIECE, CEILING_PIECE) for p in self.terrain.parts], np.bool_)
        return slab[self.terrain.face_part]

    @cached_property
    def plan(self) -> Plan:
        """Exact plan views of the build without the table."""
        return Plan(self.terrain, self.table)

    @cached_property
    def levels(self) -> Levels:
        """The floors of the build, the table first."""
        pit = self.scene.board.ground is BoardGround.PIT
        table = None if pit else outline_of(self.terrain.size_mm)
        steepest = max((under.pack.movement.walk_slope for under in self.unders), default=45.0)
        hollow = self.hollow if self.raw is not None and len(self._open) else None
        return find_levels(self.plan, table, self.bases[0].short / 8.0, steepest, hollow)

    def hollow(self, x: float, y: float, z: float) -> bool:
        """Whether a place (mm) is inside of what would be solid if the open shells were closed."""
        return any(winding(self._open, x, y, z + over) > _ENCLOSED for over in _OVER_MM)

    @cached_property
    def _open(self) -> Floats:
        """(m, 3, 3) faces of open shells."""
        return np.ascontiguousarray(self.plan.corners[~self.plan.closed])

    @cached_property
    def ceiling_mm(self) -> float:
        """Height of the scene's ceiling; inf under open sky."""
        ceiling = self.scene.board.ceiling
        return float("inf") if ceiling is None else mm(ceiling)

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """Lowest and highest corner of the build on the table, each (3,) mm."""
        corners = self.plan.corners.reshape(-1, 3)
        return corners.min(axis=0), corners.max(axis=0)

    @property
    def size(self) -> Point:
        """Size of the build, mm."""
        low, high = self.bounds
        return (float(high[0] - low[0]), float(high[1] - low[1]), float(high[2] - low[2]))

    @cached_property
    def window(self) -> Window:
        """The build and a strip of table around it, mm."""
        low, high = self.bounds
        width, depth = self.terrain.size_mm
        return Window(
            max(float(low[0]) - WIDE_MM, -10.0),
            max(float(low[1]) - WIDE_MM, -10.0),
            min(float(high[0]) + WIDE_MM, width + 10.0),
            min(float(high[1]) + WIDE_MM, depth + 10.0),
        )

    def own(self, x: float, y: float, z: float) -> Point:
        """A place on the table (mm) in the subject's own coordinates."""
        return (x + self.origin[0], y + self.origin[1], z + self.origin[2])

    def spot(self, x: float, y: float, z: float) -> Point:
        """A place on the table (mm) in inches."""
        return (inches(x), inches(y), inches(z))

    def height_mm(self, pack: Pack) -> float:
        """Height of the model that is asked about."""
        return mm(self.settings.height or pack.movement.standing_height)

    def body(self, base: Base, pack: Pack) -> Body:
        """The body that is asked about."""
        return Body(base.long / 2, base.short / 2, self.height_mm(pack), base.facing)

    @property
    def bases(self) -> tuple[Base, ...]:
        """The bases that are asked about, smallest first."""
        return tuple(sorted(self.settings.bases, key=lambda b: (b.short, b.long)))


def settings_for(path: Path) -> Settings:
    """What is written about the check of a model or a scene."""
    if path.suffix.lower() in MODEL_SUFFIXES:
        return settings_of_model(path)
    return settings_of_scene(open_scene(path).document)


def open_subject(path: Path, settings: Settings) -> Subject:
    """Read a build. UserError where its file is not right."""
    raw: RawModel | None = None
    origin: Point = (0.0, 0.0, 0.0)
    if path.suffix.lower() in MODEL_SUFFIXES:
        scene, origin = _on_a_table(path, settings)
        raw = load_model(path)
    else:
        scene = open_scene(path)
    terrain = build_terrain(scene)
    return Subject(path, settings, scene, terrain, _unders(scene, terrain, settings), origin, raw)


def _on_a_table(path: Path, settings: Settings) -> tuple[Scene, Point]:
    """The scene in which a model stands in the middle of a table, and where its own origin is."""
    scene = scene_for_model(
        path, units=settings.units, up=settings.up, scale=settings.scale, kind=settings.kind
    )
    marks = tuple(Mark(m.kind, m.box[:3], m.box[3:]) for m in settings.marks)
    piece = replace(scene.terrain[0], parts=settings.parts, marks=marks, anchor=Anchor.CORNER)
    standing = stand_piece(piece)
    size = standing.vertices.max(axis=0)
    piece = replace(piece, at=(inches(ROOM_MM), inches(ROOM_MM), 0.0))
    board = Board(size=(inches(float(size[0]) + 2 * ROOM_MM), inches(float(size[1]) + 2 * ROOM_MM)))
    low = _own_low(path, settings)
    origin = (low[0] - ROOM_MM, low[1] - ROOM_MM, low[2])
    return replace(scene, board=board, terrain=(piece,)), origin


def _own_low(path: Path, settings: Settings) -> tuple[float, float, float]:
    """The lowest corner of a model in its own coordinates, mm, z up."""
    from sandbox.terrain.place import upright  # noqa: PLC0415

    model = load_model(path)
    used = np.concatenate([node.vertices[node.faces.ravel()] for node in model.nodes])
    points = upright(used, settings.units or model.unit, settings.up or model.up, settings.scale)
    low = points.min(axis=0)
    return float(low[0]), float(low[1]), float(low[2])


def _unders(scene: Scene, terrain: Terrain, settings: Settings) -> tuple[Under, ...]:
    names: Sequence[str] = settings.packs
    if not names:
        usual = (DEFAULT_PACK, *(name for name in pack_names() if name != DEFAULT_PACK))
        names = (scene.rules,) if scene.document is not None else usual
    shared: dict[object, Ground] = {}
    found = []
    for name in names:
        pack = load_pack(name, relative_to=scene.path.parent)
        field = Battlefield(scene, pack, terrain, strict=False)
        ground = field.ground.plain
        # how high a railing may be hardly matters here, and finding ways takes long
        key = (replace(ground.numbers, rail_max_mm=50.8), ground.permits, ground.areas)
        rules = pack.for_fighter({} if settings.move is None else {"M": settings.move})
        found.append(Under(pack, rules, field, shared.setdefault(key, ground)))
    return tuple(found)
