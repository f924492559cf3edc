"""The terrain as nodes: faces in the colours of their kinds, creases, the table's grid, light, and the level cut."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from panda3d import core

from sandbox.terrain.model import BOARD_PIECE
from sandbox.view import meshes, palette, passes, relief, shaders
from sandbox.view.brush import FAR_SIDES, NEAR_SIDES, Brush, baked, with_alpha
from sandbox.view.drape import Ground
from sandbox.view.prepared import PieceRows, Prepared, part_colour

__all__ = ["OPEN_SKY", "Scenery", "part_colour"]

Floats = NDArray[np.float64]

OPEN_SKY = 1.0e6
"""a level cut that cuts nothing, inches."""
PART = 80_000
"""triangles, or lines, that are handed to the graphics card at a time."""
SEEN_THROUGH = 0.3
"""how solid terrain is while it is seen through."""


class Scenery:
    """What stands still: nodes under `root`, whose shader inputs it sets for all that is drawn there."""

    def __init__(self, root: Any, prepared: Prepared, *, shaded: bool, at_once: bool = True) -> None:
        """shaded: whether shaders can be used; at_once: all of it, else it comes by `grow`."""
        self.root = root
        self.shaded = shaded
        self.prepared = prepared
        self.cut: float | None = None
        self.glassy = False
        """whether terrain is seen through."""
        self.sky = prepared.sky
        self.extremes = prepared.extremes
        self.brush = Brush(self.sky, shaded=shaded)
        self._ground: Ground | None = None
        self._cap: Any = None
        self._faces: dict[str, Any] = {}
        self._lines: dict[str, Any] = {}
        self._vertices: dict[str, Any] = {}
        self._pieces: dict[str, Any] = {}
        self._grown: list[tuple[Any, int]] = []
        self._parts = itertools.chain.from_iterable(self._add(piece) for piece in prepared.pieces)
        self._set_inputs()
        while at_once and self.grow():
            pass

    @property
    def ground(self) -> Ground:
        """Its floors, for laying lines and tints on them; only where the terrain was prepared with its triangles."""
        if self._ground is None:
            corners = self.prepared.corners
            none = np.empty((0, 3, 3))
            self._ground = Ground(
                none if corners is None else corners,
                np.empty((0, 3)) if corners is None else meshes.face_normals(corners),
            )
        return self._ground

    def piece(self, name: str) -> Any:
        """The node of one piece, to be moved while somebody drags it; None where there is none of that id."""
        return self._pieces.get(name)

    def settle(self) -> bool:
        """Put every piece where the terrain has it, whoever dragged it; whether one was elsewhere."""
        moved = [node for node in self._pieces.values() if not node.get_transform().is_identity()]
        for node in moved:
            node.clear_transform()
        return bool(moved)

    def rows(self, name: str) -> PieceRows | None:
        """What one piece is drawn from, with its box."""
        return next((piece for piece in self.prepared.pieces if piece.piece == name), None)

    def grow(self) -> list[Any]:
        """Add about as much more terrain as is drawn for the first time without a stall; its nodes, none: all is there."""
        added: list[Any] = []
        size = 0
        while size < PART:
            found = next(self._parts, None)
            if found is None:
                break
            self._grown.append(found)
            added.append(found[0])
            size += found[1]
        return added

    def portions(self) -> list[list[Any]]:
        """All nodes that are drawn, in runs that take about as long each, in the order in which they go on each other."""
        lines = {node for drawn in self._lines.values() for node in drawn.get_children()}
        answer: list[list[Any]] = [[] if self._cap is None else [self._cap]]
        size = 0
        # Creases lie on faces.
        for node, count in sorted(self._grown, key=lambda one: one[0] in lines):
            if size + count > 2 * PART and answer[-1]:
                answer.append([])
                size = 0
            answer[-1].append(node)
            size += count
        return answer

    def set_cut(self, height: float | None, *, relight: bool = True) -> None:
        """Cut away everything above `height` inches; None shows all.

        relight: work out at once what light comes in through the cut; else `set_sky` brings it later.
        """
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
        if relight:
            self.set_sky(self.prepared.sky_under(height))
        if self._cap is not None:
            self._cap.remove_node()
        self._cap = None if height is None else self._build_cap(height)

    def set_shadows(self, on: bool) -> None:
        """Whether what stands in the sun throws a shadow."""
        if self.shaded:
            self.root.set_shader_input("shadows", 1.0 if on else 0.0)

    def set_sky(self, sky: relief.Sky) -> None:
        """Another light on the same board."""
        self.sky = sky
        if self.shaded:
            self.root.set_shader_input("sky", _texture(sky))

    def set_line_width(self, pixels: float) -> None:
        """Thickness of creases and grid in pixels of the buffer that is drawn into."""
        for node in self._lines.values():
            node.set_render_mode_thickness(pixels)

    def show_lines(self, shown: bool) -> None:
        """Show or leave out creases (the grid stays), for cards that draw slowly."""
        for name, node in self._lines.items():
            if name != BOARD_PIECE:
                node.show() if shown else node.hide()

    def see_through(self, on: bool) -> None:
        """Show all terrain but the table like glass."""
        self.glassy = on
        for name, node in self._faces.items():
            if name == BOARD_PIECE:
                continue
            if on:
                node.set_transparency(core.TransparencyAttrib.M_alpha)
                node.set_color_scale(1, 1, 1, SEEN_THROUGH)
                node.set_depth_write(False)
                node.set_bin("transparent", 5)
            else:
                node.clear_transparency()
                node.clear_color_scale()
                node.clear_depth_write()
                node.set_bin("background", 0)

    def aim(self, eye: Floats) -> None:
        """Tell the shaders where the eye is, (3,) inches; a cut seen from below has no lid."""
        self.root.set_shader_input("eye", core.Vec3(*map(float, eye)))
        if self._cap is None or self.cut is None:
            return
        if eye[2] > self.cut:
            self._cap.show()
        else:
            self._cap.hide()

    def _add(self, piece: PieceRows) -> Iterator[tuple[Any, int]]:
        """The nodes of a piece, one after the other, with the triangles or lines of each."""
        name = piece.piece
        parent = passes.terrain(self.root.attach_new_node(f"piece {name}"))
        self._pieces[name] = parent
        if len(piece.faces):
            node = parent.attach_new_node("faces")
            if self.shaded:
                node.set_shader(shaders.facets())
            node.set_bin("background", 0)
            node.set_two_sided(True)
            # What lies flush with the table shows on it, not through it.
            node.set_tag("toward", "-0.02" if name == BOARD_PIECE else "0.0")
            self._faces[name] = node
            for part in self._faces_of(piece):
                yield node.attach_new_node(part), min(len(piece.faces), PART)
        drawn = parent.attach_new_node("lines")
        self.brush.plain(drawn, toward=0.015 if name == BOARD_PIECE else 0.035)
        drawn.set_transparency(core.TransparencyAttrib.M_alpha)
        drawn.set_depth_write(False)
        self._lines[name] = drawn
        for rows in _runs(piece.lines, 2 * PART):
            # the table comes alone: with the first thing that is drawn the shaders are made ready
            yield (
                drawn.attach_new_node(meshes.segments(rows)),
                PART if name == BOARD_PIECE else len(rows) // 2,
            )

    def _faces_of(self, piece: PieceRows) -> Iterator[Any]:
        if self.shaded:
            vertices = self._vertices[piece.piece] = meshes.shared(piece.corners)
            yield from (meshes.facets(vertices, faces) for faces in _runs(piece.faces, PART))
            return
        # Without shaders the light goes into the colours, one for each face.
        shape = meshes.flat(piece.corners["pos"][piece.faces].astype(np.float64))
        rgb = piece.corners["colour"][piece.faces[:, 0], :3]
        shade = baked(rgb, shape.corners, shape.normals[:, 0], self.sky)
        yield meshes.solid(shape, with_alpha(shade, 255))

    def _build_cap(self, height: float) -> Any:
        """What closes solids that a cut opens: a lid at its height, drawn where a line of sight enters a solid.

        Along a line of sight below the cut, a solid's far sides outnumber its near sides exactly where the line came
        in through the cut; the stencil counts them.
        """
        cap = passes.terrain(self.root.attach_new_node("cap"))
        counted = core.NodePath("counted")
        for piece in self.prepared.pieces:
            closed = self.prepared.closed.get(piece.piece)
            if closed is not None:
                for part in _runs(closed.across(height), PART):
                    counted.attach_new_node(meshes.facets(self._vertices[piece.piece], part))
        count = core.StencilAttrib
        for order, (cull, change) in enumerate(
            ((NEAR_SIDES, count.SO_decrement_saturate), (FAR_SIDES, count.SO_increment_saturate))
        ):
            node = counted.copy_to(cap)
            node.set_shader(shaders.counted())
            node.set_attrib(core.CullFaceAttrib.make(cull))
            node.set_attrib(
                count.make(True, count.SCF_always, count.SO_keep, count.SO_keep, change, 0, 0xFF, 0xFF)
            )
            node.set_attrib(core.ColorWriteAttrib.make(core.ColorWriteAttrib.C_off))
            node.set_depth_test(False)
            node.set_depth_write(False)
            node.set_bin("background", -10 - order)
        low, high = self.prepared.low[:2] - 1.0, self.prepared.high[:2] + 1.0
        square = np.array(
            [[low[0], low[1], 0.0], [high[0], low[1], 0.0], [high[0], high[1], 0.0], [low[0], high[1], 0.0]]
        )
        lid = cap.attach_new_node(meshes.solid(meshes.flat(square[[[0, 1, 2], [0, 2, 3]]]), palette.CUT))
        lid.set_z(height)
        lid.set_two_sided(True)
        lid.set_shader(shaders.section())
        lid.set_attrib(
            count.make(True, count.SCF_not_equal, count.SO_keep, count.SO_keep, count.SO_keep, 0, 0xFF, 0xFF)
        )
        lid.set_bin("background", 5)
        return cap

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
        root.set_shader_input("shadows", 1.0)
        root.set_shader_input("sun", core.Vec3(*map(float, relief.SUN)))
        root.set_shader_input("toward", 0.0)
        root.set_shader_input("eye", core.Vec3(0, 0, 100))


def _runs(rows: NDArray[Any], most: int) -> Iterator[NDArray[Any]]:
    """Rows in runs of at most so many."""
    return (rows[start : start + most] for start in range(0, len(rows), most))


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
