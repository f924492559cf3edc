"""The worker's desk: holds the battlefield and answers the window's questions through sandbox's Python API."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.kinds import DOORS, Kind
from sandbox.moves.answers import LegalMoves
from sandbox.moves.battlefield import Battlefield
from sandbox.moves.narrate import tell
from sandbox.moves.placed import Placed
from sandbox.play.game import is_game
from sandbox.rules import Pack, Refusal, load_pack, pack_names
from sandbox.rules.words import Posture, Procedure, Target
from sandbox.scene import Item, Scene, Shape, open_scene
from sandbox.terrain.build import build_terrain
from sandbox.terrain.model import BOARD_PIECE, CEILING_PIECE, Terrain
from sandbox.view import clips, compose, reach
from sandbox.view.camera import Camera
from sandbox.view.drape import Ground
from sandbox.view.marks import mark, staged, way
from sandbox.view.meshes import face_normals
from sandbox.view.model import StageInput
from sandbox.view.prepared import Prepared, prepare
from sandbox.view.relief import Sky
from sandbox.view.stage import patches
from sandbox.view.way import stretches
from sandbox.view.window import overlays, resting, saving, tape
from sandbox.view.window.eye import Eye
from sandbox.view.window.keeper import Keeper
from sandbox.view.window.talk import (
    ActionInfo,
    Board,
    ItemMark,
    Overlay,
    OverlayKind,
    Point,
    Question,
    ReachAnswer,
    Rules,
    SettingInfo,
    Tape,
    WayAnswer,
)

Floats = NDArray[np.float64]

KEPT = 24
"""moves of fighters that are kept, so that going back to one costs nothing."""
_CLICKED = (Target.ENEMY, Target.ITEM, Target.DOOR, Target.MODEL)
"""what is clicked before it is asked where to."""
_IN_PLACE = (Procedure.STAND_UP, Procedure.OPERATE_DOOR)
"""what moves nobody."""
FLOORLESS = {"flat_ground"}
"""rules whose refusal asks what a fall from there would do."""


class Referee:
    """One battlefield at a time; what was worked out for it is kept until something that it rests on changes."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._document: Any = None
        self._original: Scene | None = None
        self._field: Battlefield | None = None
        self._terrain: Terrain | None = None
        self._pack_key: object = None
        self._prepared: Prepared | None = None
        self._drawing_key: object = None
        self._drape: Ground | None = None
        self._moves: OrderedDict[object, LegalMoves] = OrderedDict()
        self._serial = 0
        self._models: tuple[tuple[str, float], ...] = ()
        self.eye = Eye(lambda: self._terrain)
        """asked by a thread of its own."""
        self.keeper = Keeper(self)

    @property
    def field(self) -> Battlefield:
        """The present battlefield."""
        assert self._field is not None
        return self._field

    # -- the board ---------------------------------------------------------------------------------------------

    def load(self, path: Path, rules: Rules, serial: int) -> Board:
        """Read a scene or a model anew; or go on with the game of a file."""
        if is_game(path):
            return self.keeper.open(path, serial)
        scene = open_scene(path)
        self._document, self._original = scene.document, scene
        self._drawing_key = None
        return self.show(replace(scene, document=None), rules, serial)

    def ready(self) -> bool:
        """Open the collision world before a move has to be proven in it."""
        return self._field is not None and self._field.world is not None

    def reload(self, scene: Scene, rules: Rules, serial: int) -> Board:
        """The same scene with its model files read again, where they changed on disk."""
        return self.show(scene, rules, serial)

    def show(self, scene: Scene, rules: Rules, serial: int) -> Board:
        """Make the battlefield of a scene; what the last one shares with it is used again."""
        self.keeper.leave()
        scene = replace(scene, document=self._document)
        pack = _pack(scene, rules)
        # Looked at before they are read: what changes meanwhile is noticed afterwards.
        self._models = _written(scene)
        terrain = build_terrain(scene)
        ground_key = (terrain.digest, scene.areas, scene.board, _pack_key(pack))
        old = self._field
        same = ground_key == self._pack_key
        field = Battlefield(scene, pack, terrain, strict=False, earlier=None if same else old)
        if old is not None and (same or old.terrain.digest == terrain.digest):
            field.go_on_from(old, ground=same)
        elif old is not None:
            old.opening.close()
        self._pack_key = ground_key
        self._scene, self._field, self._terrain = scene, field, terrain
        self._moves.clear()
        self._serial = serial
        return self._board(field, serial)

    def adopt(self, field: Battlefield, serial: int, others: Sequence[Placed] = ()) -> Board:
        """Make a battlefield of a game the present one; others: who is terrain to everybody else."""
        self._pack_key = (field.terrain.digest, field.scene.areas, field.scene.board, _pack_key(field.pack))
        self._scene, self._field, self._terrain = field.scene, field, field.terrain
        self._moves.clear()
        self._serial = serial
        return self._board(field, serial, others)

    def _board(self, field: Battlefield, serial: int, others: Sequence[Placed] = ()) -> Board:
        scene, pack, terrain = field.scene, field.pack, field.terrain
        given = staged(field)
        drawing_key = (terrain.digest, given.part_kinds)
        fresh: Prepared | None = None
        if drawing_key != self._drawing_key:
            self._prepared = prepare(terrain, given.part_kinds)
            fresh = self._prepared.drawn_only()
            corners = self._prepared.corners
            assert corners is not None
            self._drape = Ground(corners, face_normals(corners))
            self._drawing_key = drawing_key
        assert self._drape is not None
        everybody = (*field.fighters, *others)
        doors = any(kind in DOORS for kind in given.part_kinds)
        return Board(
            serial=serial,
            scene=replace(scene, document=None),
            rules_id=pack.id,
            rules_name=pack.name,
            fighters=(*given.fighters, *(mark(one) for one in others)),
            actions={one.id: _actions(one, doors=doors) for one in everybody},
            prepared=fresh,
            digest=f"{terrain.digest}{hash(given.part_kinds)}",
            patches=patches(given.areas, self._drape),
            piece_kinds=_piece_kinds(terrain, given),
            shown_kinds=_shown_kinds(terrain, given),
            warnings=field.warnings,
            problems=dict(field.problems),
            levels=_levels(terrain),
            settings=_settings(pack),
            packs=pack_names(),
            models=self._models,
            keep=pack.movement.keep_distance,
            edge=pack.movement.edge_zone,
            statuses={one.id: one.rules.statuses for one in everybody},
            caption=given.caption,
            has_file=self._document is not None,
            items=tuple(_item(field, item) for item in scene.items),
        )

    def light(self, cut: float | None) -> Sky:
        """The light where everything above a height is cut away."""
        assert self._prepared is not None
        return self._prepared.sky_under(cut)

    # -- moves -------------------------------------------------------------------------------------------------

    def reach(self, question: Question) -> ReachAnswer:
        """Where a fighter may end, as surfaces."""
        begun, own = time.monotonic(), time.thread_time()
        moves = self._asked(question)
        spots = _spots(moves)
        layers = reach.layers(spots, moves.allowance)
        everything = np.ones(len(spots), dtype=np.bool_)
        return ReachAnswer(
            question,
            spots,
            tuple(layers),
            tuple(reach.tags(spots, layers, reach.band_width(moves.allowance), everything)),
            moves.allowance,
            tuple(ruling.text for ruling in moves.rulings),
            time.monotonic() - begun,
            time.thread_time() - own,
        )

    def way(self, question: Question, at: Point, facing: float | None) -> WayAnswer:
        """The way to one place, on the floor that was pointed at."""
        field = self._field_of(question)
        move = self._asked(question).to(*at, facing=facing)
        shown = way(move, field.fighter(question.fighter).fighter.facing)
        assert self._drape is not None
        fall = None
        if not move.legal and move.rulings and move.rulings[0].rule in FLOORLESS:
            one = field.fighter(question.fighter)
            fall = field.fall(*at, base=one.fighter.base)
            fall = fall if fall.height > 0.5 else None
        return WayAnswer(question, move, shown, tuple(stretches(shown, self._drape)), tell(move), fall)

    def _field_of(self, question: Question) -> Battlefield:
        field = self.keeper.field_for(question.fighter)
        return field if question.at is None else field.with_fighter_at(question.fighter, question.at)

    def _asked(self, question: Question) -> LegalMoves:
        key = (question.fighter, question.action, question.target, question.at)
        if key in self._moves:
            self._moves.move_to_end(key)
            return self._moves[key]
        moves = self._field_of(question).moves(question.fighter, question.action, question.target)
        self._moves[key] = moves
        while len(self._moves) > KEPT:
            self._moves.popitem(last=False)
        return moves

    # -- everything else ---------------------------------------------------------------------------------------

    def overlay(self, kind: OverlayKind, question: Question) -> Overlay:
        """Something to lay over the board, for a fighter's base where it depends on one."""
        assert self._field is not None
        return overlays.make(self._field, kind, question.fighter or None)

    def rest(self, name: str) -> float:
        """Height at which a piece rests on what is under it, inches."""
        assert self._field is not None
        return resting.height(self._field.scene, self._field.terrain, name)

    def measure(self, start: Point, end: Point) -> Tape:
        """The distance between two places, and whether something solid is between them."""
        assert self._field is not None
        return tape.measure(self._field.world, start, end)

    def picture(
        self, path: Path, size: tuple[int, int], camera: Camera, question: Question | None, at: Point | None
    ) -> str:
        """Write a picture of what the window shows, with legend and labels, at any size; where it was written."""
        compose.draw(self._staged(question, at), path, size=size, camera=_fitted(camera, size))
        return str(path)

    def clip(
        self, path: Path, size: tuple[int, int], camera: Camera, question: Question | None, at: Point | None
    ) -> str:
        """Write a GIF or an MP4: the way to `at` played, else the board turning."""
        clips.clip(self._staged(question, at), path, size=size, camera=_fitted(camera, size))
        return str(path)

    def _staged(self, question: Question | None, at: Point | None) -> StageInput:
        field = self._field
        assert field is not None
        if question is None:
            return staged(field)
        moves = self._asked(question)
        return staged(self._field_of(question), moves=moves, move=None if at is None else moves.to(*at))

    def save(self, scene: Scene, path: Path | None) -> tuple[Scene, str]:
        """Write a scene back with its comments; the scene as read again, and where it was written."""
        assert self._original is not None
        saved = saving.save(replace(scene, document=self._document), self._original, path)
        self._document, self._original = saved.document, saved
        return replace(saved, document=None), str(saved.path)


def _fitted(camera: Camera, size: tuple[int, int]) -> Camera:
    """The window's camera for a picture of another shape: as much is seen across."""
    return camera if size[0] >= size[1] else replace(camera, distance=camera.distance * size[1] / size[0])


def _written(scene: Scene) -> tuple[tuple[str, float], ...]:
    """The model files of a scene and when each was written."""
    found: dict[str, float] = {}
    for piece in scene.terrain:
        if piece.shape is Shape.MODEL and piece.model is not None:
            with suppress(OSError):
                found[str(piece.model)] = piece.model.stat().st_mtime
    return tuple(sorted(found.items()))


def _pack(scene: Scene, rules: Rules) -> Pack:
    if rules.pack is None:
        pack = load_pack(scene.rules, relative_to=scene.path.parent)
    else:
        pack = load_pack(rules.pack)
    return pack.with_settings(dict(rules.settings))


def _pack_key(pack: Pack) -> tuple[object, ...]:
    return (str(pack.path), repr(pack.changed))


def _item(field: Battlefield, item: Item) -> ItemMark:
    """A thing where it lies."""
    z = field.ground.floor_at(*item.at, item.z)
    return ItemMark(item.id, (*item.at, item.z or 0.0 if z is None else z), item.heavy)


def _actions(one: Placed, *, doors: bool) -> tuple[ActionInfo, ...]:
    """What a model could do, and what a vehicle drives; doors: whether the board has any."""
    found = [_action(one.rules.actions, name) for name in one.rules.actions]
    if not doors:
        found = [
            replace(info, allowed=False, why="there is no door on this board")
            if info.target is Target.DOOR
            else info
            for info in found
        ]
    moves = next((info for info in found if info.id == "move"), None)
    if one.rules.posture is Posture.VEHICLE and moves is not None:
        found = [replace(moves, id="drive", drives=True), *(info for info in found if not info.allowed)]
    return tuple(found)


def _action(actions: Any, name: str) -> ActionInfo:
    found = actions[name]
    if isinstance(found, Refusal):
        return ActionInfo(name, False, 0.0, found.text)
    target = found.row.target if found.row.target in _CLICKED else Target.NONE
    later = found.row.procedure is None and not found.moves
    return ActionInfo(name, not later, found.allowance, "", target, in_place=found.row.procedure in _IN_PLACE)


def _settings(pack: Pack) -> tuple[SettingInfo, ...]:
    return tuple(
        SettingInfo(
            rule.id,
            rule.value,
            rule.unit or "",
            rule.text,
            rule.source,
            tuple((option.value, option.changes) for option in rule.setting or ()),
        )
        for rule in pack.open_settings()
    )


def _spots(moves: LegalMoves) -> Floats:
    spots = moves.spots
    return np.column_stack([spots[name] for name in ("x", "y", "z", "cost", "success")]).astype(np.float64)


def _piece_kinds(terrain: Terrain, given: StageInput) -> dict[str, Kind]:
    largest: dict[str, tuple[float, Kind]] = {}
    for part, kind in zip(terrain.parts, given.part_kinds, strict=True):
        size = part.height_mm * max(part.width_mm, 1.0) ** 2
        if size >= largest.get(part.piece, (-1.0, kind))[0]:
            largest[part.piece] = (size, kind)
    return {piece: kind for piece, (_, kind) in largest.items()}


def _shown_kinds(terrain: Terrain, given: StageInput) -> tuple[Kind, ...]:
    kinds = [
        kind
        for part, kind in zip(terrain.parts, given.part_kinds, strict=True)
        if part.piece not in (BOARD_PIECE, CEILING_PIECE)
    ]
    return tuple(dict.fromkeys([*kinds, *(area.kind for area in given.areas)]))


def _levels(terrain: Terrain) -> tuple[float, ...]:
    """Heights of floors of some size, upwards, inches: where a level slider wants to stop."""
    corners = terrain.vertices[terrain.faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
    flat = normal[:, 2] > 0.97 * np.linalg.norm(normal, axis=1)
    height = np.round(corners[flat, :, 2].mean(axis=1) / 25.4 * 4) / 4
    found, which = np.unique(height, return_inverse=True)
    area = np.bincount(which, weights=normal[flat, 2]) / 25.4**2
    kept: list[float] = []
    # The largest first, so that a deck stands for the steps that lead up to it.
    for row in np.argsort(-area):
        level = float(found[row])
        if area[row] > 3.0 and level > 0.4 and all(abs(level - other) >= 1.5 for other in kept):
            kept.append(level)
    return tuple(sorted(kept))
