"""The stage: one battlefield as a scene graph. It holds no window and no camera; whoever shows it brings both.

Each thing on the stage can be set again on its own (fighters, reach, way, level cut), so that a window redraws only what
has changed. Units of the scene graph: inches, the board's frame.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from panda3d import core

from sandbox.kinds import Kind
from sandbox.moves.answers import LegKind
from sandbox.terrain.model import BOARD_PIECE, CEILING_PIECE, Terrain
from sandbox.units import MM_PER_INCH, inches
from sandbox.view import figures, meshes, palette, reach, relief, shaders
from sandbox.view.camera import NEAR_SHARE, Camera
from sandbox.view.drape import Ground
from sandbox.view.model import AreaMark, FighterMark, Reach, StageInput, Way
from sandbox.view.palette import Colour
from sandbox.view.way import LIFT, Stretch, stretches

Floats = NDArray[np.float64]

OPEN_SKY = 1.0e6
"""a level cut that cuts nothing, inches."""


class Stage:
    """A battlefield as Panda3D nodes under `root`."""

    def __init__(
        self, terrain: Terrain, kinds: tuple[Kind, ...] | None = None, *, shaded: bool = True
    ) -> None:
        """terrain: what to show; kinds: what each part counts as (None: as declared).

        shaded: whether shaders can be used (else plain colours, light baked in).
        """
        self.root = core.NodePath("stage")
        self.shaded = shaded
        self.terrain = terrain
        self.cut: float | None = None
        self._areas = self.root.attach_new_node("areas")
        self._fighters = self.root.attach_new_node("fighters")
        self._reach = self.root.attach_new_node("reach")
        self._way = self.root.attach_new_node("way")
        self.layers: list[reach.Layer] = []
        self.stretches: list[Stretch] = []
        self._build_terrain(terrain, kinds or tuple(part.kind for part in terrain.parts))
        self._prepare()

    # -- what is on it -------------------------------------------------------------------------------------------

    def show(self, given: StageInput, *, pixel: float = 0.03) -> None:
        """Fighters, reach and way of `given`; pixel: inches that one pixel covers, for the thickness of marks."""
        self.set_areas(given.areas)
        self.set_fighters(given.fighters, pixel=pixel)
        self.set_reach(given.reach)
        self.set_way(given.way, given.active, pixel=pixel)

    def set_fighters(self, fighters: tuple[FighterMark, ...], *, pixel: float = 0.03) -> None:
        """Stand these fighters on the board."""
        self._fighters.node().remove_all_children()
        colours = palette.side_colours([fighter.side for fighter in fighters])
        for fighter in fighters:
            colour = colours[fighter.side]
            parts = figures.figure(fighter)
            self._solid(self._fighters, parts.base, _mixed(colour, (20, 20, 24), 0.45))
            self._solid(self._fighters, parts.body, colour)
            self._ghost(self._fighters, parts.body, colour)
            self._ghost(self._fighters, parts.base, colour)
            self._mark(self._fighters, parts.wedge.corners, palette.INK, toward=0.11)
            self._outline(
                self._fighters,
                fighter.at,
                fighter,
                (255, 255, 255) if fighter.active else colour,
                max(0.05, 2.2 * pixel) if fighter.active else max(0.03, pixel),
            )

    def set_areas(self, areas: tuple[AreaMark, ...]) -> None:
        """Tint the floors of agreed ground."""
        self._areas.node().remove_all_children()
        for area in areas:
            corners = self.ground.patch(area.polygon, area.z)
            if len(corners):
                node = self._solid(self._areas, meshes.flat(corners), palette.KINDS[area.kind])
                node.set_two_sided(True)
                node.set_tag("toward", "0.012")
                if not self.shaded:
                    node.set_depth_offset(1)

    def set_reach(self, shown: Reach | None) -> None:
        """Drape a reach over every level, or take it away."""
        self._reach.node().remove_all_children()
        self.layers = [] if shown is None else reach.layers(shown.spots)
        if shown is None:
            return
        count = reach.band_count(shown.allowance)
        width = reach.band_width(shown.allowance)
        colours = palette.bands(count)
        for layer in self.layers:
            if not len(layer.faces):
                continue
            if self.shaded:
                self._reach.attach_new_node(meshes.sheet(layer.points, layer.values, layer.faces))
                continue
            corners = layer.points[layer.faces]
            values = layer.values[layer.faces].mean(axis=1)
            index = np.clip(np.floor(values[:, 0] / width), 0, count - 1).astype(np.int64)
            rgb = np.asarray(colours, dtype=np.uint8)[index]
            striped = (values[:, 1] < 0.999) & (np.floor(corners[:, 0, :2].sum(axis=1) / 0.18) % 2 == 0)
            rgb[striped] = palette.TEST
            self._reach.attach_new_node(meshes.solid(meshes.flat(corners), _with_alpha(rgb, 255)))
        if self.shaded:
            self._reach.set_shader(shaders.reach())
            self._reach.set_shader_input("colours", _padded(colours))
            self._reach.set_shader_input("bands", count)
            self._reach.set_shader_input("band", width)
            self._reach.set_shader_input("test", _unit(palette.TEST))
            self._reach.set_shader_input("line", 1.6)
            self._reach.set_shader_input("opacity", 0.86)
            self._reach.set_transparency(core.TransparencyAttrib.M_alpha)
            self._reach.set_depth_write(False)
            self._reach.set_bin("transparent", 10)
            self._reach.set_two_sided(True)
            self._reach.set_shader_input("presence", 1.0)
            self._behind(self._reach, 0.18)

    def set_way(self, way: Way | None, fighter: FighterMark | None = None, *, pixel: float = 0.03) -> None:
        """Draw a way with its legs, the base at its end and at each bend of kind, or take it away."""
        self._way.node().remove_all_children()
        self.stretches = [] if way is None else stretches(way, self.ground)
        if way is None:
            return
        radius = float(np.clip(2.6 * pixel, 0.045, 0.22))
        refused = not way.legal
        for stretch in self.stretches:
            colour = palette.REFUSED if refused else palette.LEGS[stretch.kind]
            self._line(stretch.path, colour, radius)
        if self.stretches:
            last = self.stretches[-1]
            colour = palette.REFUSED if refused else palette.LEGS[last.kind]
            self._head(last.path, colour, radius)
        if fighter is not None:
            edge = palette.REFUSED if refused else (255, 255, 255)
            wide = max(0.05, 2.2 * pixel)
            for stretch in self.stretches[:-1]:
                x, y, z = (float(value) for value in stretch.path[-1] - (0.0, 0.0, LIFT))
                self._outline(self._way, (x, y, z), fighter, edge, wide * 0.4)
            self._outline(self._way, way.end, replace(fighter, facing=way.facing), edge, wide)
            self._shadow_figure(replace(fighter, at=way.end, facing=way.facing), refused)
        if refused:
            self._cross(way.end, max(0.3, 9 * pixel), radius)

    # -- how it is seen ------------------------------------------------------------------------------------------

    def set_cut(self, height: float | None) -> None:
        """Cut away everything above `height` inches; None shows all."""
        if height == self.cut:
            return
        self.cut = height
        self.root.set_shader_input("cut", OPEN_SKY if height is None else height)
        if self.shaded:
            # What is cut away lets the light in.
            above = self.high + np.array([0.0, 0.0, 1.0])
            self.sky = relief.sky(self._corners, self.low, above, cut=np.inf if height is None else height)
            self.root.set_shader_input("sky", _texture(self.sky))
        if not self.shaded:
            self.root.clear_clip_plane()
            if height is not None:
                plane = core.PlaneNode("cut", core.Plane(core.Vec3(0, 0, -1), core.Point3(0, 0, height)))
                self.root.set_clip_plane(self.root.attach_new_node(plane))

    def aim(self, camera: Camera) -> None:
        """Tell the shaders where they are seen from; call whenever the camera moves."""
        eye = camera.eye
        self.root.set_shader_input("eye", core.Vec3(*map(float, eye)))
        near, far = clip_range(camera, self.terrain)
        # What a nudge of one inch towards the eye, at the target's distance, is in depth units.
        unit = 2 * far * near / ((far - near) * camera.distance**2)
        for node in self.root.find_all_matches("**/=toward"):
            node.set_shader_input("toward", float(node.get_tag("toward")) * unit)
        self._reach.set_shader_input("toward", 0.05 * unit)

    # -- building ------------------------------------------------------------------------------------------------

    def _build_terrain(self, terrain: Terrain, kinds: tuple[Kind, ...]) -> None:
        shown = np.array([part.piece != CEILING_PIECE for part in terrain.parts] or [True])[terrain.face_part]
        faces = np.asarray(terrain.faces)[shown]
        part = np.asarray(terrain.face_part)[shown]
        vertices = np.asarray(terrain.vertices, dtype=np.float64) / MM_PER_INCH
        corners = vertices[faces]
        normals = meshes.face_normals(corners)
        shape = meshes.Shape(corners, np.repeat(normals[:, None, :], 3, axis=1))
        colours = np.array(
            [part_colour(p.piece, kind) for p, kind in zip(terrain.parts, kinds, strict=True)], dtype=np.uint8
        ).reshape(-1, 3)
        rgb = colours[part] if len(part) else np.empty((0, 3), dtype=np.uint8)
        width, depth = inches(terrain.size_mm[0]), inches(terrain.size_mm[1])
        low = np.minimum(corners.reshape(-1, 3).min(axis=0), (0.0, 0.0, 0.0)) if len(corners) else np.zeros(3)
        high = (
            np.maximum(corners.reshape(-1, 3).max(axis=0), (width, depth, 0.5))
            if len(corners)
            else np.ones(3)
        )
        low[2] = max(low[2], -0.5)
        self.low, self.high = low, high
        self._corners = corners
        self.sky = relief.sky(corners, low, high + np.array([0.0, 0.0, 1.0]))
        if not self.shaded:
            rgb = _baked(rgb, corners, normals, self.sky)
        board = np.array([p.piece == BOARD_PIECE for p in terrain.parts] or [False])[part]
        # What lies flush with the table shows on it, not through it.
        for chosen, toward in ((board, -0.02), (~board, 0.0)):
            some = meshes.Shape(shape.corners[chosen], shape.normals[chosen])
            # Sheets have no inside that a cut could open; their faces say so by a lower alpha.
            closed = np.asarray(terrain.shell_closed)[np.asarray(terrain.face_shell)[shown][chosen]]
            rgba = np.column_stack([rgb[chosen], np.where(closed, 255, 200).astype(np.uint8)])
            node = self.root.attach_new_node(meshes.solid(some, rgba))
            node.set_bin("background", 0)
            node.set_two_sided(True)
            node.set_tag("toward", str(toward))
        self.ground = Ground(corners, normals)
        self.extremes = _extremes(vertices[np.unique(faces[~board])])
        pieces = np.array([p.piece != BOARD_PIECE for p in terrain.parts] or [True])[part]
        pairs = relief.creases(vertices, faces[pieces], normals[pieces])
        segments = vertices[pairs]
        self._creases = self.root.attach_new_node(meshes.lines(segments, _crease_colours(segments)))
        self._flat(self._creases, toward=0.035)
        self._creases.set_transparency(core.TransparencyAttrib.M_alpha)
        self._creases.set_depth_write(False)
        self._grid = self.root.attach_new_node(meshes.lines(*_grid(width, depth)))
        self._flat(self._grid, toward=0.015)
        self._grid.set_transparency(core.TransparencyAttrib.M_alpha)
        self._grid.set_depth_write(False)

    def set_line_width(self, pixels: float) -> None:
        """Thickness of creases and grid in pixels of the buffer that is drawn into."""
        self._creases.set_render_mode_thickness(pixels)
        self._grid.set_render_mode_thickness(pixels)
        self._reach.set_shader_input("line", 0.8 * pixels)

    def _prepare(self) -> None:
        self.root.set_shader_input("cut", OPEN_SKY)
        if not self.shaded:
            return
        self.root.set_shader(shaders.solid())
        self.root.set_shader_input("sky", _texture(self.sky))
        self.root.set_shader_input("sky_low", core.Vec3(*map(float, self.sky.low)))
        self.root.set_shader_input("sky_size", core.Vec3(*map(float, self.sky.size)))
        self.root.set_shader_input("sky_cell", self.sky.cell)
        self.root.set_shader_input("sun", core.Vec3(*map(float, relief.SUN)))
        self.root.set_shader_input("inside", _unit(palette.CUT))
        self.root.set_shader_input("toward", 0.0)
        self.root.set_shader_input("eye", core.Vec3(0, 0, 100))

    def _solid(self, parent: Any, shape: meshes.Shape, colour: tuple[int, ...]) -> Any:
        if self.shaded:
            return parent.attach_new_node(meshes.solid(shape, colour))
        rgb = np.tile(np.array(colour[:3], dtype=np.uint8), (len(shape.corners), 1))
        rgb = _baked(rgb, shape.corners, shape.normals[:, 0], self.sky)
        return parent.attach_new_node(meshes.solid(shape, _with_alpha(rgb, (*colour, 255)[3])))

    def _mark(self, parent: Any, corners: Floats, colour: Colour, *, toward: float) -> Any:
        node = parent.attach_new_node(meshes.solid(meshes.flat(corners), colour))
        node.set_two_sided(True)
        self._flat(node, toward=toward)
        return node

    def _flat(self, node: Any, *, toward: float) -> None:
        """Show in its own colours, drawn a little towards the eye so that it wins over the ground it lies on."""
        node.set_tag("toward", str(toward))
        if self.shaded:
            node.set_shader(shaders.plain())
        else:
            node.set_depth_offset(1)

    def _outline(
        self, parent: Any, at: tuple[float, float, float], fighter: FighterMark, colour: Colour, wide: float
    ) -> None:
        """The outline of a base on the ground: a band of `wide` inches with a thin dark rim."""
        long, short = inches(fighter.base_mm[0]) / 2, inches(fighter.base_mm[1]) / 2
        inner = figures.band(at, long, short, fighter.facing, width=wide)
        outer = figures.band(at, long + wide, short + wide, fighter.facing, width=wide * 0.45)
        self._mark(parent, inner, colour, toward=0.12)
        self._mark(parent, outer, palette.INK, toward=0.12)

    def _shadow_figure(self, fighter: FighterMark, refused: bool) -> None:
        """Who will stand there, see-through."""
        parts = figures.figure(fighter)
        colour = palette.REFUSED if refused else (255, 255, 255)
        for shape in (parts.base, parts.body):
            node = self._solid(self._way, shape, (*colour, 120))
            node.set_transparency(core.TransparencyAttrib.M_alpha)
            node.set_attrib(core.CullFaceAttrib.make(core.CullFaceAttrib.M_cull_clockwise))
            node.set_bin("fixed", 30)

    def _line(self, path: Floats, colour: Colour, radius: float) -> None:
        """A tube with a dark rim; what stands before it leaves a faint trace of it."""
        body, rim = meshes.tube(path, radius), meshes.tube(path, radius * 1.55)
        outer = self._way.attach_new_node(meshes.solid(rim, palette.INK))
        outer.set_attrib(core.CullFaceAttrib.make(core.CullFaceAttrib.M_cull_counter_clockwise))
        self._flat(outer, toward=0.0)
        inner = self._way.attach_new_node(meshes.solid(body, colour))
        self._flat(inner, toward=0.0)
        self._ghost(self._way, body, colour)

    def _head(self, path: Floats, colour: Colour, radius: float) -> None:
        tip = path[-1]
        apart = np.linalg.norm(path - tip, axis=1) > 1e-6
        if not apart.any():
            return
        before = path[np.flatnonzero(apart)[-1]]
        head = meshes.arrow_head(tip, tip - before, radius * 6.0, radius * 2.6)
        node = self._way.attach_new_node(meshes.solid(head, colour))
        self._flat(node, toward=0.1)
        rim = meshes.arrow_head(tip + _toward(before, tip) * radius, tip - before, radius * 8.0, radius * 3.4)
        outer = self._way.attach_new_node(meshes.solid(rim, palette.INK))
        outer.set_attrib(core.CullFaceAttrib.make(core.CullFaceAttrib.M_cull_counter_clockwise))
        self._flat(outer, toward=0.1)
        self._ghost(self._way, head, colour)

    def _behind(self, node: Any, presence: float) -> None:
        """Show faintly what of a node stands behind something else."""
        ghost = node.copy_to(node)
        ghost.set_shader_input("presence", presence)
        ghost.set_attrib(core.DepthTestAttrib.make(core.RenderAttrib.M_greater))
        # Right after the terrain, so that it does not shine through the fighters.
        ghost.set_bin("background", 10)

    def _ghost(self, parent: Any, shape: meshes.Shape, colour: Colour) -> None:
        """A faint trace of a shape where something stands before it."""
        ghost = parent.attach_new_node(meshes.solid(shape, (*colour, 110)))
        self._flat(ghost, toward=0.0)
        ghost.set_transparency(core.TransparencyAttrib.M_alpha)
        ghost.set_attrib(core.DepthTestAttrib.make(core.RenderAttrib.M_greater))
        ghost.set_depth_write(False)
        ghost.set_bin("fixed", 20)

    def _cross(self, at: tuple[float, float, float], half: float, radius: float) -> None:
        centre = np.asarray(at) + np.array([0.0, 0.0, 0.1])
        for slant in (1.0, -1.0):
            arm = np.array([half, slant * half, 0.0]) * 0.7
            bar = meshes.tube(np.stack([centre - arm, centre + arm]), radius * 0.9)
            self._flat(self._way.attach_new_node(meshes.solid(bar, palette.REFUSED)), toward=0.1)


def part_colour(piece: str, kind: Kind) -> Colour:
    """Colour of a terrain part: the board's own, else its kind's."""
    return palette.TABLE if piece == BOARD_PIECE else palette.KINDS[kind]


def clip_range(camera: Camera, terrain: Terrain) -> tuple[float, float]:
    """Nearest and farthest distance that is drawn, inches."""
    reach_out = float(np.hypot(*terrain.size_mm)) / MM_PER_INCH + 40.0
    return max(0.1, NEAR_SHARE * camera.distance), camera.distance + 2 * reach_out


def leg_colour(kind: LegKind, legal: bool) -> Colour:
    """Colour of a leg of a way."""
    return palette.LEGS[kind] if legal else palette.REFUSED


def _toward(start: Floats, end: Floats) -> Floats:
    axis = np.asarray(end) - start
    return np.asarray(axis / max(float(np.linalg.norm(axis)), 1e-12))


def _grid(width: float, depth: float) -> tuple[Floats, NDArray[np.uint8]]:
    """Lines of a 1" grid on the table, every sixth one stronger: (n, 2, 3) inches and (n, 4) colours."""
    segments: list[list[list[float]]] = []
    colours: list[tuple[int, int, int, int]] = []
    for along, across, turned in ((width, depth, False), (depth, width, True)):
        for k in range(int(along + 1e-6) + 1):
            line = [[float(k), 0.0, 0.0], [float(k), across, 0.0]]
            segments.append([[y, x, z] for x, y, z in line] if turned else line)
            colours.append((*palette.TABLE_GRID, 170 if k % 6 == 0 else 60))
    return np.array(segments, dtype=np.float64).reshape(-1, 2, 3), np.array(colours, np.uint8).reshape(-1, 4)


def _extremes(points: Floats) -> Floats:
    """(n, 3) the outermost of (n, 3) points in sixty directions, enough to frame a camera by."""
    if not len(points):
        return np.empty((0, 3))
    turn = np.arange(60) * 2.39996
    height = np.linspace(-1, 1, 60)
    around = np.sqrt(1 - height**2)
    directions = np.stack([around * np.cos(turn), around * np.sin(turn), height])
    far = directions.T.astype(np.float32) @ np.ascontiguousarray(points.T, dtype=np.float32)
    return np.asarray(points[far.argmax(axis=1)])


def _crease_colours(segments: Floats) -> NDArray[np.uint8]:
    """Long edges in full strength, short ones fainter, so that fine detail does not turn black from afar."""
    length = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    strength = np.clip(0.06 + 0.5 * length, 0.06, 0.8)
    rgb = np.tile(np.array(palette.CREASE, dtype=np.uint8), (len(segments), 1))
    return np.asarray(np.column_stack([rgb, np.round(strength * 255).astype(np.uint8)]))


def _baked(rgb: NDArray[np.uint8], corners: Floats, normals: Floats, sky: relief.Sky) -> NDArray[np.uint8]:
    """Face colours with the light in them, for renderers without shaders."""
    # One light for the whole face: what its middle and the middles of its corners get on average.
    middle = corners.mean(axis=1)
    places = [
        middle,
        *((corners[:, k] + middle) / 2 for k in range(3)),
        *(corners[:, k] * 0.9 + middle * 0.1 for k in range(3)),
    ]
    share = np.mean([sky.at(place + normals * sky.cell * 1.2) for place in places], axis=0)
    key = np.maximum(normals @ relief.SUN, 0.0) * share[:, 1]
    light = (0.34 + 0.36 * share[:, 0]) * (0.9 + 0.1 * normals[:, 2]) + 0.40 * key
    return np.asarray(np.round(np.clip(rgb * light[:, None], 0, 255)), dtype=np.uint8)


def _texture(sky: relief.Sky) -> Any:
    depth, rows, columns, _ = sky.light.shape
    texture = core.Texture("sky")
    texture.setup_3d_texture(columns, rows, depth, core.Texture.T_unsigned_byte, core.Texture.F_rgb)
    packed = np.zeros((depth, rows, columns, 3), dtype=np.uint8)
    # Panda3D keeps colours in memory as blue, green, red.
    packed[..., 2], packed[..., 1] = sky.light[..., 0], sky.light[..., 1]
    texture.set_ram_image(packed.tobytes())
    texture.set_auto_texture_scale(core.ATS_none)
    for wrap in (texture.set_wrap_u, texture.set_wrap_v, texture.set_wrap_w):
        wrap(core.SamplerState.WM_clamp)
    texture.set_minfilter(core.SamplerState.FT_linear)
    texture.set_magfilter(core.SamplerState.FT_linear)
    return texture


def _with_alpha(rgb: NDArray[np.uint8], alpha: int) -> NDArray[np.uint8]:
    return np.asarray(np.column_stack([rgb, np.full(len(rgb), alpha, dtype=np.uint8)]))


def _mixed(first: Colour, second: Colour, part: float) -> Colour:
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(first, second, strict=True))
    return red, green, blue


def _unit(colour: Colour) -> Any:
    return core.Vec3(*(channel / 255.0 for channel in colour))


def _padded(colours: tuple[Colour, ...]) -> Any:
    values = core.PTA_LVecBase3f()
    for index in range(6):
        values.push_back(_unit(colours[min(index, len(colours) - 1)]))
    return values
