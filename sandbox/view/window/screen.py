"""The window itself: Panda3D's loop, a buffer for the board that is drawn only when something changed, the panels."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from panda3d import core

from sandbox.errors import UserError
from sandbox.view import palette
from sandbox.view.camera import Camera
from sandbox.view.stage import Stage, clip_range

REST = 0.18
"""seconds after which a still board is drawn again, finer."""
SLUGGISH = 0.085
"""a frame that takes longer than this makes the next moving frames coarser, seconds."""
COARSE = (1.0, 0.75, 0.5)
"""sizes of the board's picture while it moves, as parts of the window's."""
WARM = 32
"""pixels of the picture that is drawn only to hand something to the card, each way."""
FINE = 2
"""how many times finer a board at rest is drawn, each way."""


class Screen:
    """One window."""

    def __init__(self, title: str, size: tuple[int, int]) -> None:
        """Open it. UserError where that cannot be done here."""
        if sys.platform.startswith("linux") and not (
            os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        ):
            raise UserError("there is no display to open a window on; --image OUT.png draws without one")
        self._configure(title, size)
        from direct.showbase.ShowBase import ShowBase  # noqa: PLC0415 - opens the window

        try:
            self.base: Any = ShowBase()
        except Exception as error:
            raise UserError(
                f"no window can be opened here ({error}); --image OUT.png draws without one"
            ) from None
        gsg = self.base.win.get_gsg()
        self.shaded = bool(gsg.get_supports_glsl() and gsg.get_supports_3d_texture())
        self.note = (
            ""
            if self.shaded
            else "no OpenGL here: the plain software renderer shows the board; panels need OpenGL"
        )
        self.renderer = str(gsg.get_driver_renderer())
        self.base.disable_mouse()
        self.base.set_background_color(*(channel / 255 for channel in palette.PAPER))
        self.base.camNode.set_active(False)
        self.stage: Stage | None = None
        self.slowest = 0.0
        """longest time between two frames since `slowest` was last set to 0, seconds."""
        self.own = 0.0
        """time of the last frame without drawing, seconds."""
        self._eye = core.NodePath(core.Camera("eye", core.PerspectiveLens()))
        self._buffers: dict[float, tuple[Any, Any]] = {}
        self._warmer = core.NodePath(core.Camera("warmer", core.OrthographicLens()))
        self._warm: Any = None
        self._coarse = 0
        self._changed = time.monotonic()
        self._dirty = True
        self._fine = False
        self._shown: Camera | None = None
        maker = core.CardMaker("board")
        maker.set_frame_fullscreen_quad()
        self._card = self.base.render2d.attach_new_node(maker.generate())
        self._card.set_bin("background", -100)
        self._card.set_depth_test(False)
        self._card.set_depth_write(False)
        self._card.hide()
        self._region: Any = None
        if not self.shaded:
            self._plain_renderer()
        self._box = (0.0, 0.0, 0.0, 0.0)
        self._window = (0, 0)
        self._size = self.size

    def _plain_renderer(self) -> None:
        """Without OpenGL: the board straight into the window, and a sentence instead of the panels."""
        from direct.gui.OnscreenText import OnscreenText  # noqa: PLC0415 - here only

        self._region = self.base.win.make_display_region()
        self._region.set_sort(-10)
        self._region.set_camera(self._eye)
        OnscreenText(text=self.note, pos=(0, 0.93), scale=0.045, fg=(0.13, 0.14, 0.16, 1), mayChange=False)

    @staticmethod
    def _configure(title: str, size: tuple[int, int]) -> None:
        core.load_prc_file_data(
            "",
            f"window-title {title}\nwin-size {size[0]} {size[1]}\naudio-library-name null\nsync-video 1\n"
            "textures-power-2 none\nnotify-level-display error\nnotify-level-x11display error\n"
            "notify-level-device fatal\nnotify-level-glxdisplay error\nprint-pipe-types 0\n"
            "framebuffer-multisample 0\nframebuffer-stencil 1\nstencil-bits 8\nsupport-threads 1\naux-display p3tinydisplay\n",
        )
        core.CullBinManager.get_global_ptr().set_bin_type("opaque", core.CullBinEnums.BT_unsorted)

    @property
    def size(self) -> tuple[int, int]:
        """Of the window in pixels."""
        return max(64, int(self.base.win.get_x_size())), max(64, int(self.base.win.get_y_size()))

    def pointer(self) -> tuple[float, float] | None:
        """Where the mouse is, in pixels from the upper left; None outside the window."""
        found = self.base.win.get_pointer(0)
        return (found.get_x(), found.get_y()) if found.get_in_window() else None

    def set_stage(self, stage: Stage) -> None:
        """Show another board."""
        self.stage = stage
        self._eye.reparent_to(stage.root)
        self.touch()

    def warm(self, stage: Stage) -> None:
        """Draw a stage that is not shown yet in the next frame, so small that only handing it to the card takes time."""
        if self._warm is None:
            self._warm, _ = self._output("warm", WARM, WARM, self._warmer)
        low, high = stage.scenery.prepared.low, stage.scenery.prepared.high
        middle, lens = (low + high) / 2, self._warmer.node().get_lens()
        lens.set_film_size(*(float(v) for v in high[:2] - low[:2] + 2.0))
        lens.set_near_far(1.0, float(high[2] - low[2]) + 3.0)
        self._warmer.reparent_to(stage.root)
        self._warmer.set_pos_hpr(float(middle[0]), float(middle[1]), float(high[2]) + 2.0, 0, -90, 0)
        self._warm.set_active(True)

    def touch(self) -> None:
        """Something on the board has changed."""
        self._dirty = True
        self._changed = time.monotonic()

    def draw(self, camera: Camera, box: tuple[float, float, float, float], *, moving: bool) -> bool:
        """Prepare the next frame: draw the board anew where it changed; whether it is drawn.

        box: left, top, right, bottom of its place in the window, pixels; moving: the eye is on its way, so that speed
        counts more than fineness.
        """
        if self._box != box or self._window != self.size:
            self._box, self._window = box, self.size
            self._size = (max(64, round(box[2] - box[0])), max(64, round(box[3] - box[1])))
            width, height = self._window
            across, down = (box[2] - box[0]) / width, (box[3] - box[1]) / height
            self._card.set_pos((box[0] + box[2]) / width - 1, 0, 1 - (box[1] + box[3]) / height)
            self._card.set_scale(across, 1, down)
            for buffer, _ in self._buffers.values():
                self.base.graphicsEngine.remove_window(buffer)
            self._buffers.clear()
            self.touch()
        if self._region is not None:
            if self.stage is not None:
                self._aim(camera, 1.0, lines=True)
            return self.stage is not None
        travels = moving
        if camera != self._shown:
            travels = self._shown is not None
            self._shown = camera
            self.touch()
        still = not moving and time.monotonic() - self._changed > REST
        if still and not self._fine:
            self._dirty = True
        for buffer, _ in self._buffers.values():
            buffer.set_active(False)
        if not self._dirty or self.stage is None:
            return False
        factor = float(FINE) if still else COARSE[self._coarse] if travels else 1.0
        self._fine = still
        self._dirty = False
        buffer, texture = self._buffer(factor)
        buffer.set_active(True)
        self._aim(camera, factor, lines=not travels or self._coarse < len(COARSE) - 1)
        self._card.set_texture(texture, 1)
        self._card.show()
        return True

    def _buffer(self, factor: float) -> tuple[Any, Any]:
        if factor not in self._buffers:
            width, height = (max(32, round(side * factor)) for side in self._size)
            self._buffers[factor] = self._output(f"board {factor}", width, height, self._eye)
        return self._buffers[factor]

    def _output(self, name: str, width: int, height: int, eye: Any) -> tuple[Any, Any]:
        """A buffer that an eye draws into, and its texture. UserError where the card has no room for it."""
        properties = core.FrameBufferProperties()
        properties.set_rgba_bits(8, 8, 8, 8)
        properties.set_depth_bits(24)
        properties.set_stencil_bits(8)
        base = self.base
        buffer = base.graphicsEngine.make_output(
            base.pipe, name, -10, properties, core.WindowProperties.size(width, height),
            core.GraphicsPipe.BF_refuse_window, base.win.get_gsg(), base.win,
        )  # fmt: skip
        if buffer is None:
            raise UserError(f"the graphics card has no room for a picture of {width} x {height} pixels")
        texture = core.Texture(name)
        texture.set_minfilter(core.SamplerState.FT_linear)
        texture.set_magfilter(core.SamplerState.FT_linear)
        texture.set_wrap_u(core.SamplerState.WM_clamp)
        texture.set_wrap_v(core.SamplerState.WM_clamp)
        buffer.add_render_texture(texture, core.GraphicsOutput.RTM_bind_or_copy)
        buffer.set_clear_stencil_active(True)
        buffer.set_clear_stencil(0)
        buffer.set_clear_color(core.LColor(*(channel / 255 for channel in palette.PAPER), 1))
        buffer.make_display_region().set_camera(eye)
        return buffer, texture

    def _aim(self, camera: Camera, factor: float, *, lines: bool) -> None:
        assert self.stage is not None
        stage = self.stage
        lens = self._eye.node().get_lens()
        width, height = self._size
        across = 2 * np.degrees(np.arctan(np.tan(np.radians(camera.view_angle) / 2) * width / height))
        lens.set_fov(float(across), camera.view_angle)
        lens.set_near_far(*clip_range(camera, stage.size))
        right, up, away = camera.axes
        rows = [(*right, 0.0), (*away, 0.0), (*up, 0.0), (*camera.eye, 1.0)]
        self._eye.set_mat(core.LMatrix4(*(float(value) for row in rows for value in row)))
        stage.aim(camera)
        stage.set_line_width(max(1.0, factor))
        stage.scenery.show_lines(lines)

    def step(self) -> None:
        """One turn of the loop: events, panels, drawing."""
        begun = time.monotonic()
        drawing = any(buffer.is_active() for buffer, _ in self._buffers.values()) and not self._fine
        self.base.taskMgr.step()
        took = time.monotonic() - begun
        if self._warm is not None:
            self._warm.set_active(False)
        if drawing:
            if took > SLUGGISH and self._coarse < len(COARSE) - 1:
                self._coarse += 1
            elif took < SLUGGISH / 3 and self._coarse > 0:
                self._coarse -= 1

    def shot(self) -> NDArray[np.uint8]:
        """What the window shows now, (height, width, 3) RGB. UserError where it cannot be read back."""
        image = core.PNMImage()
        if not self.base.win.get_screenshot(image):
            raise UserError("the window's picture could not be read back")
        texture = core.Texture()
        texture.load(image)
        raw = np.frombuffer(texture.get_ram_image_as("RGB"), dtype=np.uint8)
        return raw.reshape(texture.get_y_size(), texture.get_x_size(), 3)[::-1].copy()

    def save_shot(self, path: Path) -> None:
        """Write what the window shows as PNG."""
        from PIL import Image  # noqa: PLC0415

        from sandbox.view.compose import write  # noqa: PLC0415

        write(Image.fromarray(self.shot()), path)

    def close(self) -> None:
        """Close the window."""
        self.base.destroy()
