"""The terrain as nodes: faces in the colours of their kinds, creases, the table's grid, light, and the level cut."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from panda3d import core

from sandbox.kinds import Kind
from sandbox.terrain.model import BOARD_PIECE, CEILING_PIECE, Terrain
from sandbox.units import MM_PER_INCH, inches
from sandbox.view import meshes, palette, relief, shaders
from sandbox.view.brush import FAR_SIDES, NEAR_SIDES, Brush, baked, with_alpha
from sandbox.view.drape import Ground
from sandbox.view.palette import Colour

Floats = NDArray[np.float64]

OPEN_SKY = 1.0e6
"""a level cut that cuts nothing, inches."""
HEADROOM = np.array([0.0, 0.0, 1.0])
"""room above the terrain that the light is worked out for, inches."""


class Scenery:
    """What stands still: nodes under `root`, whose shader inputs it sets for all that is drawn there."""

    def __init__(self, root: Any, terrain: Terrain, kinds: tuple[Kind, ...], *, shaded: bool) -> None:
        """kinds: what each part counts as; shaded: whether shaders can be used."""
        self.root = root
        self.shaded = shaded
        self.cut: float | None = None
        shown = np.array([part.piece != CEILING_PIECE for part in terrain.parts], dtype=np.bool_)
        shown = shown[terrain.face_part]
        faces = np.asarray(terrain.faces)[shown]
        part = np.asarray(terrain.face_part)[shown]
        vertices = np.asarray(terrain.vertices, dtype=np.float64) / MM_PER_INCH
        self._corners = vertices[faces]
        normals = meshes.face_normals(self._corners)
        size = np.array([inches(terrain.size_mm[0]), inches(terrain.size_mm[1]), 0.5])
        cloud = np.concatenate([self._corners.reshape(-1, 3), [np.zeros(3), size]])
        self.low, self.high = cloud.min(axis=0), cloud.max(axis=0)
        self.low[2] = max(self.low[2], -0.5)
        self.sky = relief.sky(self._corners, self.low, self.high + HEADROOM)
        self.brush = Brush(self.sky, shaded=shaded)
        self.ground = Ground(self._corners, normals)
        """its floors, for laying lines and tints on them."""
        board = np.array([p.piece == BOARD_PIECE for p in terrain.parts], dtype=np.bool_)[part]
        self.extremes = _extremes(vertices[np.unique(faces[~board])])
        """(n, 3) its outermost points, for framing."""
        self._colour_faces(terrain, kinds, part, normals, board)
        self._solids = np.asarray(terrain.shell_closed)[terrain.face_shell][shown] & ~board
        self._cap: Any = None
        pairs = relief.creases(vertices, faces[~board], normals[~board])
        self._lines = [
            self._overlay(vertices[pairs], _crease_colours(vertices[pairs]), 0.035),
            self._overlay(*_grid(size[0], size[1]), 0.015),
        ]
        self._set_inputs()

    def set_cut(self, height: float | None) -> None:
        """Cut away everything above `height` inches; None shows all."""
        if height == self.cut:
            return
        self.cut = height
        self.root.set_shader_input("cut", OPEN_SKY if height is None else height)
        if not self.shaded:
            self.root.clear_clip_plane()
            if height is not None:
                plane = core.PlaneNode("cut", core.Plane(core.Vec3(0, 0, -1), core.Point3(0, 0, height)))
                self.root.set_clip_plane(self.root.attach_new_node(plane))
            return
        # What is cut away lets the light in.
        above = np.inf if height is None else height
        self.sky = relief.sky(self._corners, self.low, self.high + HEADROOM, cut=above)
        self.root.set_shader_input("sky", _texture(self.sky))
        if self._cap is not None:
            self._cap.hide()
        if height is not None:
            self._cap = self._cap or self._build_cap()
            self._cap.show()
            self._cap.find("lid").set_z(height)

    def set_line_width(self, pixels: float) -> None:
        """Thickness of creases and grid in pixels of the buffer that is drawn into."""
        for node in self._lines:
            node.set_render_mode_thickness(pixels)

    def aim(self, eye: Floats) -> None:
        """Tell the shaders where the eye is; a cut seen from below has no lid."""
        self.root.set_shader_input("eye", core.Vec3(*map(float, eye)))
        if self._cap is None or self.cut is None:
            return
        if eye[2] > self.cut:
            self._cap.show()
        else:
            self._cap.hide()

    def _colour_faces(
        self,
        terrain: Terrain,
        kinds: tuple[Kind, ...],
        part: NDArray[np.int32],
        normals: Floats,
        board: NDArray[np.bool_],
    ) -> None:
        colours = [part_colour(p.piece, kind) for p, kind in zip(terrain.parts, kinds, strict=True)]
        rgb = np.array(colours, dtype=np.uint8).reshape(-1, 3)[part]
        if not self.shaded:
            rgb = baked(rgb, self._corners, normals, self.sky)
        # What lies flush with the table shows on it, not through it.
        for chosen, toward in ((board, -0.02), (~board, 0.0)):
            shape = meshes.Shape(self._corners[chosen], np.repeat(normals[chosen][:, None, :], 3, axis=1))
            node = self.root.attach_new_node(meshes.solid(shape, with_alpha(rgb[chosen], 255)))
            node.set_bin("background", 0)
            node.set_two_sided(True)
            node.set_tag("toward", str(toward))

    def _build_cap(self) -> Any:
        """What closes solids that a cut opens: a lid at the cut's height, drawn where a line of sight enters a solid.

        Along a line of sight below the cut, a solid's far sides outnumber its near sides exactly where the line came
        in through the cut; the stencil counts them.
        """
        cap = self.root.attach_new_node("cap")
        counted = meshes.solid(meshes.flat(self._corners[self._solids]), palette.CUT)
        count = core.StencilAttrib
        for order, (cull, change) in enumerate(
            ((NEAR_SIDES, count.SO_decrement_saturate), (FAR_SIDES, count.SO_increment_saturate))
        ):
            node = cap.attach_new_node("count")
            node.attach_new_node(counted)
            node.set_attrib(core.CullFaceAttrib.make(cull))
            node.set_attrib(
                count.make(True, count.SCF_always, count.SO_keep, count.SO_keep, change, 0, 0xFF, 0xFF)
            )
            node.set_attrib(core.ColorWriteAttrib.make(core.ColorWriteAttrib.C_off))
            node.set_depth_test(False)
            node.set_depth_write(False)
            node.set_bin("background", -10 - order)
        low, high = self.low[:2] - 1.0, self.high[:2] + 1.0
        square = np.array(
            [[low[0], low[1], 0.0], [high[0], low[1], 0.0], [high[0], high[1], 0.0], [low[0], high[1], 0.0]]
        )
        lid = cap.attach_new_node(meshes.solid(meshes.flat(square[[[0, 1, 2], [0, 2, 3]]]), palette.CUT))
        lid.set_name("lid")
        lid.set_two_sided(True)
        lid.set_shader(shaders.section())
        lid.set_attrib(
            count.make(True, count.SCF_not_equal, count.SO_keep, count.SO_keep, count.SO_keep, 0, 0xFF, 0xFF)
        )
        lid.set_bin("background", 5)
        return cap

    def _overlay(self, segments: Floats, colours: NDArray[np.uint8], toward: float) -> Any:
        node = self.root.attach_new_node(meshes.lines(segments, colours))
        self.brush.plain(node, toward=toward)
        node.set_transparency(core.TransparencyAttrib.M_alpha)
        node.set_depth_write(False)
        return node

    def _set_inputs(self) -> None:
        root = self.root
        root.set_shader_input("cut", OPEN_SKY)
        if not self.shaded:
            return
        root.set_shader(shaders.solid())
        root.set_shader_input("sky", _texture(self.sky))
        root.set_shader_input("sky_low", core.Vec3(*map(float, self.sky.low)))
        root.set_shader_input("sky_size", core.Vec3(*map(float, self.sky.size)))
        root.set_shader_input("sky_cell", self.sky.cell)
        root.set_shader_input("sun", core.Vec3(*map(float, relief.SUN)))
        root.set_shader_input("toward", 0.0)
        root.set_shader_input("eye", core.Vec3(0, 0, 100))


def part_colour(piece: str, kind: Kind) -> Colour:
    """Colour of a terrain part: the board's own, else its kind's."""
    return palette.TABLE if piece == BOARD_PIECE else palette.KINDS[kind]


def _grid(width: float, depth: float) -> tuple[Floats, NDArray[np.uint8]]:
    """Lines of a 1" grid on the table, every sixth one stronger: (n, 2, 3) inches and (n, 4) colours."""
    segments: list[list[list[float]]] = []
    colours: list[tuple[int, int, int, int]] = []
    for along, across, turned in ((width, depth, False), (depth, width, True)):
        for k in range(int(along + 1e-6) + 1):
            line = [[float(k), 0.0, 0.0], [float(k), across, 0.0]]
            segments.append([[y, x, z] for x, y, z in line] if turned else line)
            colours.append((*palette.TABLE_GRID, 190 if k % 6 == 0 else 85))
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
