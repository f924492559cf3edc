"""The panel of building: pieces and fighters, their numbers, what can be added, saving."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.kinds import Kind
from sandbox.scene import MODEL_SUFFIXES
from sandbox.view import palette
from sandbox.view.window import building, widgets

if TYPE_CHECKING:
    from sandbox.scene import Fighter, Piece, Scene
    from sandbox.view.window.app import App

SNAPS = (0.0, 0.05, 0.25, 0.5, 1.0)


class BuildPanel:
    """Laying out a board."""

    def __init__(self, app: App) -> None:
        """app: what it reads and steers."""
        self.app = app
        self._path = ""
        self._models: list[Path] | None = None

    def left(self) -> None:
        """What is chosen, what can be added, the file."""
        self._chosen()
        self._add()
        self._file()
        self._warnings()

    def _chosen(self) -> None:
        session, fonts = self.app.session, self.app.fonts
        scene = session.scene
        assert scene is not None
        widgets.heading("CHOSEN", fonts)
        imgui.set_next_item_width(-1)
        if imgui.begin_combo("##pieces", session.piece or "click a piece or a fighter"):
            for name in (*(p.id for p in scene.terrain), *(f.id for f in scene.fighters)):
                if imgui.selectable(name, name == session.piece)[0]:
                    self.app.choose_piece(name)
            imgui.end_combo()
        if session.piece is None:
            widgets.text("Drag to move; control turns snapping off.", palette.FAINT_INK)
            return
        piece = building.piece(scene, session.piece)
        fighter = building.fighter(scene, session.piece)
        if piece is not None:
            self._piece(piece)
        elif fighter is not None:
            self._fighter(fighter)
        if widgets.button("Duplicate"):
            self.app.duplicate()
        imgui.same_line(0, 4)
        if widgets.button("Delete"):
            self.app.delete()
        if piece is not None:
            imgui.same_line(0, 4)
            if widgets.button("Drop"):
                session.drop_piece(piece.id)
            widgets.tip("down (or up) to where it rests")

    def _piece(self, piece: Piece) -> None:
        session, app = self.app.session, self.app
        scene = session.scene
        assert scene is not None
        step = app.snap or 0.05
        x, y, z = piece.at
        for label, index, value in (("x", 0, x), ("y", 1, y), ("lift", 2, z)):
            fresh = widgets.number(label, value, step, "in")
            if fresh is not None:
                at = [x, y, z]
                at[index] = fresh
                session.edit(
                    building.change_piece(scene, piece.id, at=(at[0], at[1], at[2])), f"{piece.id} moved"
                )
        fresh = widgets.number("turn", piece.turn, app.snap_turn, "deg")
        if fresh is not None:
            session.edit(
                building.change_piece(scene, piece.id, turn=fresh % 360), f"{piece.id} turned to {fresh:g}"
            )
        for label, index in (("tilt about x", 0), ("tilt about y", 1)):
            fresh = widgets.number(label, piece.tilt[index], 5.0, "deg")
            if fresh is not None and abs(fresh) <= 180:
                tilt = list(piece.tilt)
                tilt[index] = fresh
                session.edit(
                    building.change_piece(scene, piece.id, tilt=(tilt[0], tilt[1])), f"{piece.id} tilted"
                )
        widgets.field(150)
        counts = session.board.piece_kinds.get(piece.id) if session.board else None
        shown = piece.kind.value if piece.kind is not Kind.AUTO else f"auto ({counts or 'structure'})"
        if imgui.begin_combo("kind", shown):
            for kind in Kind:
                if imgui.selectable(kind.value, kind is piece.kind)[0]:
                    session.edit(
                        building.change_piece(scene, piece.id, kind=kind), f"{piece.id} is now {kind.value}"
                    )
            imgui.end_combo()

    def _fighter(self, fighter: Fighter) -> None:
        session, app = self.app.session, self.app
        scene = session.scene
        assert scene is not None
        fresh = widgets.number("facing", fighter.facing, app.snap_turn, "deg")
        if fresh is not None:
            session.edit(
                building.change_fighter(scene, fighter.id, facing=fresh % 360), f"{fighter.id} turned"
            )
        for label, index in (("x", 0), ("y", 1)):
            fresh = widgets.number(label, fighter.at[index], app.snap or 0.05, "in")
            if fresh is not None:
                at = list(fighter.at)
                at[index] = fresh
                session.edit(
                    building.change_fighter(scene, fighter.id, at=(at[0], at[1])), f"{fighter.id} moved"
                )
        fresh = widgets.number("base", fighter.base[0], 1.0, "mm")
        if fresh is not None and 5 <= fresh <= 300:
            session.edit(
                building.change_fighter(scene, fighter.id, base=(fresh, fresh)),
                f"{fighter.id}: base {fresh:g}",
            )

    def _add(self) -> None:
        session, fonts = self.app.session, self.app.fonts
        scene = session.scene
        assert scene is not None
        widgets.heading("ADD", fonts)
        x, y, z = self.app.orbit.camera.target
        at = (round(x * 4) / 4, round(y * 4) / 4, 0.0)
        for number, shape in enumerate(building.SHAPES):
            if number:
                imgui.same_line(0, 4)
            if widgets.button(shape.value):
                self._added(*building.add_shape(scene, shape, at))
        imgui.set_next_item_width(-1)
        if imgui.begin_combo("##models", "a model file"):
            for model in self._near_models():
                if imgui.selectable(model.name, False)[0]:
                    self._added(*building.add_model(scene, model, at))
            imgui.end_combo()
        sides = list(dict.fromkeys(f.side for f in scene.fighters)) or ["red", "blue"]
        for number, side in enumerate(sides):
            if number:
                imgui.same_line(0, 4)
            if widgets.button(f"fighter of {side or 'no side'}"):
                self._added(*building.add_fighter(scene, side, (x, y, max(z, 0.0))))
        widgets.field(80)
        if imgui.begin_combo("snap, in", f"{self.app.snap:g}" if self.app.snap else "off"):
            for snap in SNAPS:
                if imgui.selectable(f"{snap:g}" if snap else "off", snap == self.app.snap)[0]:
                    self.app.snap = snap
            imgui.end_combo()

    def _added(self, scene: Scene, name: str) -> None:
        session = self.app.session
        session.edit(scene, f"{name} added")
        session.piece = name

    def _near_models(self) -> list[Path]:
        """Model files beside the scene and in a folder `models` next to it; looked for once."""
        if self._models is None:
            home = self.app.session.path.resolve().parent
            folders = (home, home / "models", home.parent / "models")
            self._models = sorted(
                {f for folder in folders if folder.is_dir() for f in folder.iterdir()
                 if f.suffix.lower() in MODEL_SUFFIXES}
            )  # fmt: skip
        return self._models

    def _file(self) -> None:
        session, fonts = self.app.session, self.app.fonts
        board = session.board
        assert board is not None
        widgets.heading("FILE", fonts)
        widgets.text("not saved" if session.unsaved else "saved", palette.FAINT_INK)
        if board.has_file:
            if widgets.button("Save", enabled=session.unsaved):
                session.save()
            widgets.tip("control + S; comments stay")
            imgui.same_line(0, 4)
        if not self._path:
            stem = session.path.with_suffix("").name
            self._path = str(session.path.with_name(f"{stem}-2.yaml" if board.has_file else f"{stem}.yaml"))
        if widgets.button("Save as"):
            session.save(Path(self._path))
        imgui.set_next_item_width(-1)
        _, self._path = imgui.input_text("##path", self._path)
        if widgets.button("Undo", enabled=bool(session.past)):
            session.undo()
        imgui.same_line(0, 4)
        if widgets.button("Redo", enabled=bool(session.future)):
            session.redo()

    def _warnings(self) -> None:
        board = self.app.session.board
        assert board is not None
        if not board.warnings:
            return
        widgets.heading("TO MEND", self.app.fonts)
        for warning in board.warnings[:12]:
            name = warning.split(":")[0].split(" ")[0]
            widgets.text(warning, palette.REFUSED)
            scene = self.app.session.scene
            known = scene is not None and (building.piece(scene, name) or building.fighter(scene, name))
            if known and widgets.button(f"show##{warning}"):
                self.app.choose_piece(name)
                self.app.frame_chosen()
