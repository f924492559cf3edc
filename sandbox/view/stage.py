"""The stage: one battlefield as a scene graph. It holds no window and no camera; whoever shows it brings both.

Each thing on the stage can be set again on its own (fighters, areas, reach, way, level cut), so that a window redraws
only what has changed. Units of the scene graph: inches, the board's frame.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from panda3d import core

from sandbox.kinds import Kind
from sandbox.moves.answers import LegKind
from sandbox.units import inches
from sandbox.view import figures, meshes, palette, passes, reach, shaders
from sandbox.view.brush import NEAR_SIDES, mixed, unit, with_alpha
from sandbox.view.camera import NEAR_SHARE, Camera
from sandbox.view.drape import Ground
from sandbox.view.model import AreaMark, FighterMark, Reach, StageInput, Way
from sandbox.view.palette import Colour
from sandbox.view.prepared import Prepared
from sandbox.view.scenery import OPEN_SKY, Scenery
from sandbox.view.way import LIFT, Stretch, stretches

Floats = NDArray[np.float64]

APART = 0.3
"""inches: a way's rings are at least this far from each other."""
WHITE: Colour = (255, 255, 255)


class Stage:
    """A battlefield as Panda3D nodes under `root`."""

    def __init__(self, prepared: Prepared, *, shaded: bool = True, at_once: bool = True) -> None:
        """prepared: the terrain to show; shaded: whether shaders can be used (else plain colours, light baked in).

        at_once: with all of the terrain, else it comes by `scenery.grow`.
        """
        self.root = core.NodePath("stage")
        self.shaded = shaded
        self.size = prepared.size
        """of the table, inches."""
        self.xray = False
        """show the reach faintly through what stands before it; takes effect with the next `set_reach`."""
        self.scenery = Scenery(self.root, prepared, shaded=shaded, at_once=at_once)
        self.layers: list[reach.Layer] = []
        """surfaces of the reach shown."""
        self.stretches: list[Stretch] = []
        """stretches of the way shown."""
        self._brush = self.scenery.brush
        self._areas = passes.mark(self.root.attach_new_node("areas"))
        self._fighters = passes.mark(self.root.attach_new_node("fighters"))
        self._reach = passes.mark(self.root.attach_new_node("reach"))
        self._way = passes.mark(self.root.attach_new_node("way"))

    def show(self, given: StageInput, *, pixel: float = 0.03) -> None:
        """All of `given` but its terrain; pixel: inches that one pixel covers, for the thickness of marks."""
        self.set_areas(given.areas)
        self.set_fighters(given.fighters, pixel=pixel)
        self.set_reach(given.reach)
        self.set_way(given.way, given.active, pixel=pixel, others=given.fighters)

    def set_fighters(self, fighters: tuple[FighterMark, ...], *, pixel: float = 0.03) -> None:
        """Stand these fighters on the board."""
        self._fighters.node().remove_all_children()
        colours = palette.side_colours([fighter.side for fighter in fighters])
        for fighter in fighters:
            node = self._fighters.attach_new_node(fighter.name)
            node.set_tag("floor", str(fighter.at[2]))
            node.set_tag("fighter", fighter.name)
            colour = colours[fighter.side]
            parts = figures.figure(fighter)
            self._brush.solid(node, parts.base, mixed(colour, (20, 20, 24), 0.45))
            self._brush.solid(node, parts.body, colour)
            self._brush.ghost(node, parts.body, colour)
            self._brush.ghost(node, parts.base, colour)
            self._brush.mark(node, parts.wedge.corners, palette.INK, toward=0.11)
            wide = max(0.05, 2.2 * pixel) if fighter.active else max(0.03, pixel)
            self._outline(node, fighter.at, fighter, WHITE if fighter.active else colour, wide)
        self._hide_above_cut()

    def fighter(self, name: str) -> Any:
        """The node of a fighter's model, in the board's frame, to be moved while a move is played; None: nobody."""
        found = self._fighters.find(f"=fighter={name}")
        return None if found.is_empty() else found

    def set_areas(self, areas: tuple[AreaMark, ...]) -> None:
        """Tint the floors of agreed ground."""
        self.set_patches(patches(areas, self.scenery.ground))

    def set_patches(self, tinted: tuple[tuple[Kind, Floats], ...]) -> None:
        """Tint floors that were already found: (n, 3, 3) triangles in inches for each kind of ground."""
        self._areas.node().remove_all_children()
        for kind, corners in tinted:
            if len(corners):
                node = self._brush.solid(self._areas, meshes.flat(corners), palette.KINDS[kind])
                node.set_two_sided(True)
                node.set_tag("toward", "0.012")
                if not self.shaded:
                    node.set_depth_offset(1)

    def set_reach(self, shown: Reach | None, layers: list[reach.Layer] | None = None) -> None:
        """Drape a reach over every level, or take it away; layers: its surfaces where they were already worked out."""
        self._reach.node().remove_all_children()
        self.layers = [] if shown is None else layers or reach.layers(shown.spots, shown.allowance)
        if shown is None:
            return
        count, width = reach.band_count(shown.allowance), reach.band_width(shown.allowance)
        colours = palette.bands(count)
        for layer in self.layers:
            if len(layer.faces) and self.shaded:
                self._reach.attach_new_node(meshes.sheet(layer.points, layer.values, layer.faces))
            elif len(layer.faces):
                self._plain_layer(layer, colours, width)
        if not self.shaded:
            return
        self._reach.set_shader(shaders.reach())
        for name, value in (
            ("colours", _padded(colours)),
            ("bands", count),
            ("band", width),
            ("allowance", shown.allowance),
            ("test", unit(palette.TEST)),
            ("line", 1.6),
            ("opacity", 0.86),
            ("presence", 1.0),
        ):
            self._reach.set_shader_input(name, value)
        self._reach.set_transparency(core.TransparencyAttrib.M_alpha)
        self._reach.set_depth_write(False)
        self._reach.set_bin("transparent", 10)
        self._reach.set_two_sided(True)
        if self.xray:
            ghost = self._reach.copy_to(self._reach)
            ghost.set_shader_input("presence", 0.3)
            ghost.set_attrib(core.DepthTestAttrib.make(core.RenderAttrib.M_greater))
            # Right after the terrain, so that it does not shine through the fighters.
            ghost.set_bin("background", 10)

    def set_way(
        self,
        way: Way | None,
        fighter: FighterMark | None = None,
        *,
        pixel: float = 0.03,
        others: tuple[FighterMark, ...] = (),
        told: list[Stretch] | None = None,
    ) -> None:
        """Draw a way with its legs, the base at its end and where one kind of leg follows another, or none.

        others: fighters whose distance a ruling may speak of; what has to be kept from them is drawn around them.
        told: the way's stretches where they were already laid on the ground.
        """
        self._way.node().remove_all_children()
        self.stretches = []
        if way is not None:
            self.stretches = stretches(way, self.scenery.ground) if told is None else told
        if way is None:
            return
        radius = float(np.clip(2.6 * pixel, 0.045, 0.22))
        for stretch in self.stretches:
            self._brush.line(self._way, stretch.path, leg_colour(stretch.kind, way.legal), radius)
        if self.stretches:
            last = self.stretches[-1]
            self._brush.head(self._way, last.path, leg_colour(last.kind, way.legal), radius)
        edge = WHITE if way.legal else palette.REFUSED
        if fighter is not None:
            wide = max(0.05, 2.2 * pixel)
            shown = np.array([fighter.at, way.end])
            for stretch in self.stretches[:-1]:
                x, y, z = (float(value) for value in stretch.path[-1] - (0.0, 0.0, LIFT))
                # Two rings that nearly lie on each other would look like one that is drawn badly.
                if np.linalg.norm(shown - (x, y, z), axis=1).min() < APART:
                    continue
                shown = np.concatenate([shown, [(x, y, z)]])
                self._outline(self._way, (x, y, z), fighter, edge, wide * 0.4)
            there = replace(fighter, at=way.end, facing=way.facing)
            self._outline(self._way, way.end, there, edge, wide)
            self._see_through(there, edge)
            for other, keep in kept(way, others):
                long, short = (inches(across) / 2 + keep for across in other.base_mm)
                ring = figures.band(other.at, long, short, other.facing, width=wide * 0.6)
                self._brush.mark(self._way, ring, palette.REFUSED, toward=0.11)
                self._brush.line(self._way, between(there, other), palette.REFUSED, radius * 0.6)
        if not way.legal:
            self._cross(way.end, max(0.3, 9 * pixel), radius)

    @property
    def cut(self) -> float | None:
        """Height of the level cut, inches; None: none."""
        return self.scenery.cut

    def set_cut(self, height: float | None, *, relight: bool = True) -> None:
        """Cut away everything above `height` inches, and the fighters that stand there; None shows all."""
        self.scenery.set_cut(height, relight=relight)
        self._hide_above_cut()

    def set_line_width(self, pixels: float) -> None:
        """Thickness of thin lines in pixels of the buffer that is drawn into."""
        self.scenery.set_line_width(pixels)
        self._reach.set_shader_input("line", 0.8 * pixels)

    def aim(self, camera: Camera) -> None:
        """Tell the shaders where they are seen from; call whenever the camera moves."""
        self.scenery.aim(camera.eye)
        near, far = clip_range(camera, self.size)
        # What a nudge of one inch towards the eye, at the target's distance, is in depth units.
        unit_depth = 2 * far * near / ((far - near) * camera.distance**2)
        for node in self.root.find_all_matches("**/=toward"):
            node.set_shader_input("toward", float(node.get_tag("toward")) * unit_depth)
        self._reach.set_shader_input("toward", 0.05 * unit_depth)

    def _hide_above_cut(self) -> None:
        for node in self._fighters.get_children():
            # A fighter is shown whole or not at all.
            node.set_shader_input("cut", OPEN_SKY)
            if self.cut is not None and float(node.get_tag("floor")) > self.cut:
                node.hide()
            else:
                node.show()

    def _plain_layer(self, layer: reach.Layer, colours: tuple[Colour, ...], width: float) -> None:
        corners = layer.points[layer.faces].astype(np.float64)
        values = layer.values[layer.faces].mean(axis=1)
        index = np.clip(np.floor(values[:, 0] / width), 0, len(colours) - 1).astype(np.int64)
        rgb = np.asarray(colours, dtype=np.uint8)[index]
        striped = (values[:, 1] < 0.0) & (np.floor(corners[:, 0, :2].sum(axis=1) / 0.18) % 2 == 0)
        rgb[striped] = palette.TEST
        self._reach.attach_new_node(meshes.solid(meshes.flat(corners), with_alpha(rgb, 255)))

    def _outline(
        self, parent: Any, at: tuple[float, float, float], fighter: FighterMark, colour: Colour, wide: float
    ) -> None:
        """The outline of a base on the ground: a band of `wide` inches with a thin dark rim."""
        long, short = inches(fighter.base_mm[0]) / 2, inches(fighter.base_mm[1]) / 2
        inner = figures.band(at, long, short, fighter.facing, width=wide)
        outer = figures.band(at, long + wide, short + wide, fighter.facing, width=wide * 0.45)
        self._brush.mark(parent, inner, colour, toward=0.12)
        self._brush.mark(parent, outer, palette.INK, toward=0.12)
        if parent is self._way:
            self._brush.ghost(parent, meshes.flat(inner), colour).set_two_sided(True)

    def _see_through(self, fighter: FighterMark, colour: Colour) -> None:
        """Who will stand there."""
        parts = figures.figure(fighter)
        for shape in (parts.base, parts.body):
            self._brush.ghost(self._way, shape, colour, 70)
            node = self._brush.solid(self._way, shape, (*colour, 120))
            node.set_transparency(core.TransparencyAttrib.M_alpha)
            node.set_attrib(core.CullFaceAttrib.make(NEAR_SIDES))
            node.set_bin("fixed", 30)

    def _cross(self, at: tuple[float, float, float], half: float, radius: float) -> None:
        centre = np.asarray(at) + np.array([0.0, 0.0, 0.1])
        for slant in (1.0, -1.0):
            arm = np.array([half, slant * half, 0.0]) * 0.7
            bar = meshes.tube(np.stack([centre - arm, centre + arm]), radius * 0.9)
            self._brush.plain(self._way.attach_new_node(meshes.solid(bar, palette.REFUSED)), toward=0.1)


def patches(areas: tuple[AreaMark, ...], ground: Ground) -> tuple[tuple[Kind, Floats], ...]:
    """The floors of agreed ground: (n, 3, 3) triangles in inches for each area."""
    return tuple((area.kind, ground.patch(area.polygon, area.z)) for area in areas)


def clip_range(camera: Camera, size: tuple[float, float]) -> tuple[float, float]:
    """Nearest and farthest distance that is drawn on a table of a size, inches."""
    reach_out = float(np.hypot(*size)) + 40.0
    return max(0.1, NEAR_SHARE * camera.distance), camera.distance + 2 * reach_out


def kept(way: Way, others: tuple[FighterMark, ...]) -> list[tuple[FighterMark, float]]:
    """Fighters that the rulings say a distance has to be kept from, and that distance in inches."""
    return [
        (other, ruling.keep)
        for ruling in way.rulings
        for other in others
        if ruling.keep and ruling.where is not None and np.allclose(ruling.where, other.at, atol=0.01)
    ]


def between(first: FighterMark, second: FighterMark) -> Floats:
    """(2, 3) the shortest line between two bases, as seen from above, a little over their floors."""
    rims = [
        meshes.outline(inches(one.base_mm[0]) / 2, inches(one.base_mm[1]) / 2, one.facing, 96)
        + np.asarray(one.at[:2])
        for one in (first, second)
    ]
    apart = np.linalg.norm(rims[0][:, None] - rims[1][None], axis=2)
    i, j = np.unravel_index(int(apart.argmin()), apart.shape)
    return np.array([(*rims[0][i], first.at[2] + LIFT), (*rims[1][j], second.at[2] + LIFT)])


def leg_colour(kind: LegKind, legal: bool) -> Colour:
    """Colour of a leg of a way."""
    return palette.LEGS[kind] if legal else palette.REFUSED


def _padded(colours: tuple[Colour, ...]) -> Any:
    values = core.PTA_LVecBase3f()
    for index in range(6):
        values.push_back(unit(colours[min(index, len(colours) - 1)]))
    return values
