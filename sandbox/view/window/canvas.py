"""The board's picture, drawn into buffers of its own: the terrain is kept as it was drawn, and what changes more often is
drawn over it.

A board of 600,000 triangles takes a software renderer a tenth of a second; a fighter's ring or a new reach on it does
not, as long as the eye stays where it is. So a buffer holds the terrain with its depths, and another one begins with
both and has fighters, reach, ways and overlays drawn into it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from panda3d import core

from sandbox.errors import UserError
from sandbox.view import palette, shaders
from sandbox.view.camera import Camera
from sandbox.view.passes import MARKS, TERRAIN
from sandbox.view.stage import Stage, clip_range

WARM = 32
"""pixels of the picture that is drawn only to hand something to the card, each way."""


@dataclass
class _Sheet:
    """Buffers of one fineness."""

    board: Any
    """buffer of the whole picture."""
    picture: Any
    """its texture."""
    terrain: Any
    """buffer of the terrain alone."""
    over: Any
    """display regions of `board` for terrain that was drawn before and what lies on it."""
    whole: Any
    """display region of `board` for everything at once."""
    drawn: Hashable = None
    """what the terrain was drawn from; None: it is not."""


@dataclass
class _Growing:
    """Terrain that is drawn a portion at a time."""

    sheet: _Sheet
    key: Hashable
    nodes: list[Any]
    """all of it; a frame sees its portion only."""
    left: list[list[Any]]
    """portions that are not drawn yet."""


class Canvas:
    """Draws a stage at several finenesses."""

    def __init__(self, base: Any) -> None:
        """base: Panda3D's, with its window open."""
        self._base = base
        self._lens = core.PerspectiveLens()
        self.eye = core.NodePath("eye")
        self._cameras = {
            name: self._camera(name, mask)
            for name, mask in (("whole", None), ("terrain", TERRAIN), ("marks", MARKS))
        }
        self._sheets: dict[float, _Sheet] = {}
        self._size = (64, 64)
        self._version = 0
        self._growing: _Growing | None = None
        self._warmer = core.NodePath(core.Camera("warmer", core.OrthographicLens()))
        self._warm: Any = None

    def _camera(self, name: str, mask: Any) -> Any:
        camera = core.Camera(name, self._lens)
        if mask is not None:
            camera.set_camera_mask(mask)
        return self.eye.attach_new_node(camera)

    @property
    def whole(self) -> Any:
        """The camera that sees everything."""
        return self._cameras["whole"]

    def resize(self, size: tuple[int, int]) -> None:
        """Another size of the picture in pixels."""
        self._drop()
        for sheet in self._sheets.values():
            self._base.graphicsEngine.remove_window(sheet.board)
            self._base.graphicsEngine.remove_window(sheet.terrain)
        self._sheets.clear()
        self._size = size

    def show(self, stage: Stage) -> None:
        """Another board."""
        self._growing = None
        self.eye.reparent_to(stage.root)
        self.stale()

    def stale(self) -> None:
        """The terrain has changed: what was drawn of it is of no use any more."""
        self._version += 1

    def rest(self) -> None:
        """Draw nothing with the next frame, until told."""
        if self._growing is not None and not self._growing.left:
            self._drop()
        for sheet in self._sheets.values():
            sheet.board.set_active(False)
            sheet.terrain.set_active(False)

    @property
    def drawing(self) -> bool:
        """Whether something is drawn with the next frame."""
        return any(sheet.board.is_active() for sheet in self._sheets.values())

    def kept(self, stage: Stage, camera: Camera, factor: float) -> bool:
        """Whether the terrain need not be drawn again for this view."""
        sheet = self._sheets.get(factor)
        return sheet is not None and not stage.scenery.glassy and sheet.drawn == self._key(camera)

    def _key(self, camera: Camera, *, lines: bool = True) -> Hashable:
        """What terrain is drawn from."""
        return self._version, camera, lines

    def grown(self, stage: Stage, camera: Camera, factor: float) -> bool:
        """Whether the terrain is all there after the next frame; else a portion more of it is drawn with that.

        So a fine picture of a large board stops nobody: whoever looks elsewhere meanwhile drops it.
        """
        if stage.scenery.glassy or self.kept(stage, camera, factor):
            return True
        key = self._key(camera)
        growing = self._growing
        if growing is None or growing.key != key:
            self._drop()
            self.aim(stage, camera, factor, lines=True)
            portions = stage.scenery.portions()
            nodes = [node for portion in portions for node in portion]
            growing = self._growing = _Growing(self._sheet(factor), key, nodes, portions)
            for node in nodes:
                node.hide(TERRAIN)
        else:
            self._wipe(growing.sheet.terrain, False)
        for node in growing.nodes:
            node.show(TERRAIN) if node in growing.left[0] else node.hide(TERRAIN)
        growing.left.pop(0)
        growing.sheet.terrain.set_active(True)
        if growing.left:
            growing.sheet.drawn = None
            return False
        growing.sheet.drawn = key
        return True

    def _drop(self) -> None:
        """Terrain is drawn as a whole again."""
        if self._growing is not None:
            for node in self._growing.nodes:
                node.show(TERRAIN)
            self._wipe(self._growing.sheet.terrain, True)
        self._growing = None

    @staticmethod
    def _wipe(buffer: Any, on: bool) -> None:
        """Whether a buffer is drawn on from an empty picture."""
        buffer.set_clear_color_active(on)
        buffer.set_clear_depth_active(on)
        buffer.set_clear_stencil_active(on)

    def draw(self, stage: Stage, camera: Camera, factor: float, *, lines: bool, keep: bool) -> Any:
        """Draw with the next frame, at `factor` times the size; the texture that the picture is in then.

        lines: with creases; keep: the terrain may be of use once more. UserError where the card has no room for it.
        """
        self.aim(stage, camera, factor, lines=lines)
        sheet = self._sheet(factor)
        # Through glass everything is seen in its turn, so it is drawn together.
        apart = keep and not stage.scenery.glassy
        for region in sheet.over:
            region.set_active(apart)
        sheet.whole.set_active(not apart)
        sheet.board.set_active(True)
        key = self._key(camera, lines=lines)
        if not apart:
            self._drop()
        elif sheet.drawn != key:
            self._drop()
            sheet.terrain.set_active(True)
            sheet.drawn = key
        return sheet.picture

    def aim(self, stage: Stage, camera: Camera, factor: float, *, lines: bool) -> None:
        """Look at a stage through a camera."""
        width, height = self._size
        across = 2 * np.degrees(np.arctan(np.tan(np.radians(camera.view_angle) / 2) * width / height))
        self._lens.set_fov(float(across), camera.view_angle)
        self._lens.set_near_far(*clip_range(camera, stage.size))
        right, up, away = camera.axes
        rows = [(*right, 0.0), (*away, 0.0), (*up, 0.0), (*camera.eye, 1.0)]
        self.eye.set_mat(core.LMatrix4(*(float(value) for row in rows for value in row)))
        stage.aim(camera)
        stage.set_line_width(max(1.0, factor))
        stage.scenery.show_lines(lines)

    def warm(self, stage: Stage) -> None:
        """Draw a stage that is not shown yet in the next frame, so small that only handing it to the card takes time."""
        if self._warm is None:
            self._warm, _ = self._output("warm", (WARM, WARM), -10)
            self._warm.make_display_region().set_camera(self._warmer)
        low, high = stage.scenery.prepared.low, stage.scenery.prepared.high
        middle, lens = (low + high) / 2, self._warmer.node().get_lens()
        lens.set_film_size(*(float(v) for v in high[:2] - low[:2] + 2.0))
        lens.set_near_far(1.0, float(high[2] - low[2]) + 3.0)
        self._warmer.reparent_to(stage.root)
        self._warmer.set_pos_hpr(float(middle[0]), float(middle[1]), float(high[2]) + 2.0, 0, -90, 0)
        self._warm.set_active(True)

    def warmed(self) -> None:
        """What was to be handed to the card is there."""
        if self._warm is not None:
            self._warm.set_active(False)

    def _sheet(self, factor: float) -> _Sheet:
        """The buffers of a fineness, made when they are first wanted."""
        if factor in self._sheets:
            return self._sheets[factor]
        width, height = (max(32, round(side * factor)) for side in self._size)
        terrain, colours = self._output(f"terrain {factor}", (width, height), -20)
        terrain.make_display_region().set_camera(self._cameras["terrain"])
        depths = core.Texture("depths")
        depths.set_minfilter(core.SamplerState.FT_nearest)
        depths.set_magfilter(core.SamplerState.FT_nearest)
        terrain.add_render_texture(
            depths, core.GraphicsOutput.RTM_bind_or_copy, core.GraphicsOutput.RTP_depth_stencil
        )
        board, picture = self._output(f"board {factor}", (width, height), -10)
        under, over, whole = (board.make_display_region() for _ in range(3))
        under.set_camera(_copied(colours, depths))
        over.set_camera(self._cameras["marks"])
        whole.set_camera(self._cameras["whole"])
        for order, region in enumerate((under, over, whole)):
            region.set_sort(order)
        self._sheets[factor] = _Sheet(board, picture, terrain, (under, over), whole)
        return self._sheets[factor]

    def _output(self, name: str, size: tuple[int, int], sort: int) -> tuple[Any, Any]:
        """A buffer and its texture. UserError where the card has no room for it."""
        properties = core.FrameBufferProperties()
        properties.set_rgba_bits(8, 8, 8, 8)
        properties.set_depth_bits(24)
        properties.set_stencil_bits(8)
        base = self._base
        buffer = base.graphicsEngine.make_output(
            base.pipe, name, sort, properties, core.WindowProperties.size(*size),
            core.GraphicsPipe.BF_refuse_window, base.win.get_gsg(), base.win,
        )  # fmt: skip
        if buffer is None:
            raise UserError(f"the graphics card has no room for a picture of {size[0]} x {size[1]} pixels")
        buffer.set_active(False)
        texture = core.Texture(name)
        texture.set_minfilter(core.SamplerState.FT_linear)
        texture.set_magfilter(core.SamplerState.FT_linear)
        texture.set_wrap_u(core.SamplerState.WM_clamp)
        texture.set_wrap_v(core.SamplerState.WM_clamp)
        buffer.add_render_texture(texture, core.GraphicsOutput.RTM_bind_or_copy)
        buffer.set_clear_stencil_active(True)
        buffer.set_clear_stencil(0)
        buffer.set_clear_color(core.LColor(*(channel / 255 for channel in palette.PAPER), 1))
        return buffer, texture


def _copied(colours: Any, depths: Any) -> Any:
    """A camera that sees a picture with its depths, and nothing else."""
    maker = core.CardMaker("copied")
    maker.set_frame_fullscreen_quad()
    card = core.NodePath(maker.generate())
    card.node().set_bounds(core.OmniBoundingVolume())
    card.node().set_final(True)
    card.set_shader(shaders.copied())
    card.set_shader_input("colours", colours)
    card.set_shader_input("depths", depths)
    card.set_attrib(core.DepthTestAttrib.make(core.RenderAttrib.M_always))
    eye = core.NodePath(core.Camera("copied", core.OrthographicLens()))
    scene = core.NodePath("copied")
    card.reparent_to(scene)
    eye.reparent_to(scene)
    return eye
