"""What only the window shows on the board: overlays, the tape, proof rays, zones, planned moves, what is chosen.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from panda3d import core

from sandbox.moves.answers import Ray
from sandbox.terrain import primitives
from sandbox.units import inches
from sandbox.view import figures, meshes, palette, passes, shaders
from sandbox.view.model import FighterMark
from sandbox.view.palette import Colour
from sandbox.view.reach import Layer
from sandbox.view.stage import Stage
from sandbox.view.way import Stretch
from sandbox.view.window.talk import ItemMark, Overlay, Point, Sheet, Tape

Floats = NDArray[np.float64]

TAPE: Colour = (230, 160, 0)
RAY_FREE: Colour = (0, 229, 255)
RAY_MET: Colour = (255, 120, 0)
CHOSEN: Colour = (24, 108, 190)
GREY: Colour = (150, 156, 166)
THING: Colour = (176, 130, 40)


class Extras:
    """Layers above a stage."""

    def __init__(self, stage: Stage) -> None:
        """stage: what they are laid over."""
        self._stage = stage
        self._brush = stage.scenery.brush
        self._nodes = {
            name: passes.mark(stage.root.attach_new_node(name))
            for name in ("overlay", "tape", "proof", "zones", "plan", "chosen", "aim", "items")
        }

    def _cleared(self, name: str) -> Any:
        node = self._nodes[name]
        node.node().remove_all_children()
        return node

    def set_overlay(self, overlay: Overlay | None) -> None:
        """Lay an overlay over the board, or take it away."""
        parent = self._cleared("overlay")
        if overlay is None:
            return
        for order, sheet in enumerate(overlay.sheets):
            for layer in sheet.layers:
                if len(layer.faces):
                    self._tint(parent, sheet, layer, order)
        for colour, segments in overlay.lines:
            if len(segments):
                self._segments(parent, segments, colour, 2.6)

    def _tint(self, parent: Any, sheet: Sheet, layer: Layer, order: int) -> None:
        points = layer.points + np.array([0.0, 0.0, sheet.lift], dtype=np.float32)
        if not self._stage.shaded:
            corners = points[layer.faces[(layer.values[layer.faces, 2] > 0).all(axis=1)]]
            self._brush.mark(parent, corners, sheet.colour, toward=0.045)
            return
        node = parent.attach_new_node(meshes.sheet(points, layer.values, layer.faces))
        node.set_shader(shaders.tint())
        node.set_shader_input("tint", core.Vec4(*(v / 255 for v in sheet.colour), sheet.solid))
        node.set_tag("toward", "0.045")
        node.set_transparency(core.TransparencyAttrib.M_alpha)
        node.set_two_sided(True)
        # Of areas over each other the last one hides the others.
        node.set_depth_write(True)
        node.set_bin("transparent", 12 - order)

    def _segments(
        self, parent: Any, segments: Floats, colour: Colour, wide: float, toward: float = 0.1
    ) -> None:
        up = np.broadcast_to((0.0, 0.0, 1.0), segments.shape)
        colours = np.broadcast_to(np.array((*colour, 255), dtype=np.uint8), (len(segments), 4))
        node = parent.attach_new_node(meshes.segments(meshes.rows(segments, up, colours)))
        node.set_render_mode_thickness(wide)
        self._brush.plain(node, toward=toward)

    def set_tape(self, tape: Tape | None, points: list[tuple[float, float, float]], pixel: float) -> None:
        """Stretch the tape between its ends; pixel: inches that one pixel covers."""
        parent = self._cleared("tape")
        radius = float(np.clip(1.6 * pixel, 0.02, 0.15))
        ends = [tape.start, tape.end] if tape is not None else points
        lift = np.array([0.0, 0.0, 0.05])
        for end in ends:
            ball = meshes.tube(np.array([end, end]) + lift, radius * 2.4)
            self._brush.plain(parent.attach_new_node(meshes.solid(ball, TAPE)), toward=0.1)
        if tape is None:
            return
        a, b = np.asarray(tape.start) + lift, np.asarray(tape.end) + lift
        colour = TAPE if tape.clear else palette.REFUSED
        self._brush.line(parent, np.array([a, b]), colour, radius)
        if abs(tape.height) > 0.05 and tape.plan > 0.05:
            corner = np.array([b[0], b[1], a[2]])
            self._segments(parent, np.array([[a, corner], [corner, b]]), TAPE, 1.5)

    def set_proof(self, rays: tuple[Ray, ...]) -> None:
        """The rays that confirmed a way."""
        parent = self._cleared("proof")
        if not rays:
            return
        segments = np.array([[ray.start, ray.end] for ray in rays], dtype=np.float64)
        # A dark rim, so that they are seen on every colour of a reach.
        self._segments(parent, segments, palette.INK, 4.2)
        self._segments(parent, segments, RAY_FREE, 2.0, toward=0.12)
        # Where a ray ended: something that was met, or as far as it was sent.
        tips = np.stack([segments[:, 1] - (0.03, 0.0, 0.0), segments[:, 1] + (0.03, 0.0, 0.0)], axis=1)
        self._segments(parent, tips, RAY_MET, 5.0, toward=0.14)

    def set_zones(self, fighters: tuple[FighterMark, ...], side: str | None, keep: float) -> None:
        """The distance that is kept from enemies, around each of them."""
        parent = self._cleared("zones")
        if side is None or keep <= 0:
            return
        for fighter in fighters:
            if fighter.side == side:
                continue
            long, short = (inches(across) / 2 for across in fighter.base_mm)
            ring = figures.band(fighter.at, long, short, fighter.facing, width=keep)
            node = parent.attach_new_node(meshes.solid(meshes.flat(ring), (*palette.REFUSED, 60)))
            self._brush.plain(node, toward=0.06)
            node.set_transparency(core.TransparencyAttrib.M_alpha)
            node.set_depth_write(False)
            node.set_two_sided(True)
            edge = figures.band(fighter.at, long + keep - 0.03, short + keep - 0.03, 0.0, width=0.03)
            self._brush.mark(parent, edge, palette.REFUSED, toward=0.07)

    def set_plan(self, planned: list[tuple[tuple[Stretch, ...], FighterMark]], pixel: float) -> None:
        """Ways that were planned, and who will stand at their ends; pixel: inches that one pixel covers."""
        parent = self._cleared("plan")
        for stretches, there in planned:
            for stretch in stretches:
                self._grey_line(parent, stretch.path, pixel)
            self._grey(parent, there)

    def _grey_line(self, parent: Any, path: Floats, pixel: float) -> None:
        self._brush.line(parent, path, GREY, float(np.clip(1.8 * pixel, 0.035, 0.18)))

    def _grey(self, parent: Any, there: FighterMark) -> None:
        """Who will stand there, grey."""
        parts = figures.figure(there)
        for shape in (parts.base, parts.body):
            self._brush.ghost(parent, shape, palette.INK, 60)
            node = self._brush.solid(parent, shape, (*GREY, 150))
            node.set_transparency(core.TransparencyAttrib.M_alpha)
            node.set_bin("fixed", 29)

    def set_aim(self, there: FighterMark | None, route: Sequence[Point], pixel: float) -> None:
        """Where an action would be declared to, without a word on how far it is; and the way of a vehicle.

        pixel: inches that one pixel covers.
        """
        parent = self._cleared("aim")
        if there is not None:
            self._grey(parent, there)
        lift = np.array([0.0, 0.0, 0.12])
        places = [*route, there.at] if there is not None and route else list(route)
        if len(places) > 1:
            self._grey_line(parent, np.asarray(places, dtype=np.float64) + lift, pixel)

    def set_items(self, items: tuple[ItemMark, ...]) -> None:
        """Things to carry: a chest each, 20 mm wide; who holds one has it over its head."""
        parent = self._cleared("items")
        for item in items:
            x, y, z = item.at
            half = inches(10.0)
            lift = 1.75 if item.holder else 0.0
            tall = half * (1.5 if item.heavy else 1.0)
            corners, faces = primitives.box(2 * half, 1.4 * half, tall)
            shape = meshes.flat(corners[faces] + np.array([x, y, z + lift]))
            node = self._brush.solid(parent, shape, THING)
            node.set_tag("thing", item.name)
            self._brush.ghost(node, shape, THING)

    def item(self, name: str) -> Any:
        """The node of a thing, in the board's frame, to be moved while it is carried; None: there is none."""
        found = self._nodes["items"].find(f"=thing={name}")
        return None if found.is_empty() else found

    def set_chosen(self, box: Floats | None) -> None:
        """A box around what is chosen while building: (8, 3) corners, those of the underside first, both the same way
        round."""
        parent = self._cleared("chosen")
        if box is None:
            return
        pairs = [(k, (k + 1) % 4) for k in range(4)]
        pairs += [(a + 4, b + 4) for a, b in pairs] + [(k, k + 4) for k in range(4)]
        self._segments(parent, np.array([[box[a], box[b]] for a, b in pairs]), CHOSEN, 2.0)

    def ghost_at(self, fighter: FighterMark, at: tuple[float, float, float]) -> FighterMark:
        """The same fighter elsewhere."""
        return replace(fighter, at=at, active=False)
