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
from sandbox.view.stage import Stage
from sandbox.view.window.canvas import Canvas

REST = 0.18
"""seconds after which a still board is drawn again, finer."""
SLUGGISH = 0.085
"""a frame that takes longer than this makes the next moving frames coarser, seconds."""
COARSE = (1.0, 0.75, 0.5)
"""sizes of the board's picture while it moves, as parts of the window's."""
LONG, HOLD = 0.025, 0.25
"""seconds that a picture takes where drawing is slow; seconds that a small change waits there for the larger one that is
about to come."""
SIGN = 0.4
"""seconds after which the window is drawn again even while nothing happens: signs of life, notices that end."""
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
        self.boards = 0
        """pictures of the board that were drawn."""
        self._canvas = Canvas(self.base)
        self._coarse = 0
        self._changed = time.monotonic()
        self._presented = 0.0
        self._dirty = True
        self._fine = False
        self._takes = 0.0
        """seconds that the last fine picture took."""
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

    def _plain_renderer(self) -> None:
        """Without OpenGL: the board straight into the window, and a sentence instead of the panels."""
        from direct.gui.OnscreenText import OnscreenText  # noqa: PLC0415 - here only

        self._region = self.base.win.make_display_region()
        self._region.set_sort(-10)
        self._region.set_camera(self._canvas.whole)
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
        self._canvas.show(stage)
        self.touch()

    def warm(self, stage: Stage) -> None:
        """Hand a stage that is not shown yet to the card with the next frame."""
        self._canvas.warm(stage)

    def touch(self, *, terrain: bool = True) -> None:
        """Something on the board has changed; terrain: not only what lies and stands on it."""
        self._dirty = True
        self._changed = time.monotonic()
        if terrain:
            self._canvas.stale()

    def draw(
        self, camera: Camera, box: tuple[float, float, float, float], *, moving: bool, awaiting: bool = False
    ) -> bool:
        """Prepare the next frame: draw the board anew where it changed; whether it is drawn.

        box: left, top, right, bottom of its place in the window, pixels; moving: the eye is on its way, so that speed
        counts more than fineness; awaiting: there will be more to draw in a moment.
        """
        if self._box != box or self._window != self.size:
            self._place(box)
        if self._region is not None:
            if self.stage is not None:
                self._canvas.aim(self.stage, camera, 1.0, lines=True)
            return self.stage is not None
        travels, turned = moving, camera != self._shown
        if turned:
            travels = self._shown is not None
            self._shown = camera
            self.touch(terrain=False)
        self._canvas.rest()
        stage = self.stage
        if stage is None:
            return False
        still = not moving and not awaiting and time.monotonic() - self._changed > REST
        if not (self._dirty or (still and not self._fine)):
            return False
        if awaiting and not travels and self._takes > LONG and time.monotonic() - self._changed < HOLD:
            # Drawing takes long here, and from what is worked out meanwhile: both are drawn together.
            return False
        if still and not self._dirty and not self._canvas.grown(stage, camera, float(FINE)):
            return True
        if not (still or travels) and self._canvas.kept(stage, camera, float(FINE)):
            # With the terrain as it was drawn before, there may be time for fineness at once.
            still = self._takes < SLUGGISH or not self._canvas.kept(stage, camera, 1.0)
        factor = float(FINE) if still else COARSE[self._coarse] if travels else 1.0
        self._fine, self._dirty = still, False
        self.boards += 1
        lines = not travels or self._coarse < len(COARSE) - 1
        picture = self._canvas.draw(stage, camera, factor, lines=lines, keep=not turned)
        self._card.set_texture(picture, 1)
        self._card.show()
        return True

    def _place(self, box: tuple[float, float, float, float]) -> None:
        """Another place of the board's picture in the window, or another window."""
        self._box, self._window = box, self.size
        width, height = self._window
        across, down = (box[2] - box[0]) / width, (box[3] - box[1]) / height
        self._card.set_pos((box[0] + box[2]) / width - 1, 0, 1 - (box[1] + box[3]) / height)
        self._card.set_scale(across, 1, down)
        self._canvas.resize((max(64, round(box[2] - box[0])), max(64, round(box[3] - box[1]))))
        self.touch()

    def step(self, *, quiet: bool = False) -> None:
        """One turn of the loop: events, panels, drawing; quiet: the window is drawn now and then only."""
        begun = time.monotonic()
        drawing = self._canvas.drawing
        shown = not quiet or begun - self._presented > SIGN
        self.base.win.set_active(shown)
        if shown:
            self._presented = begun
        self.base.taskMgr.step()
        took = time.monotonic() - begun
        self._canvas.warmed()
        if not drawing:
            return
        if self._fine:
            self._takes = took
        elif took > SLUGGISH and self._coarse < len(COARSE) - 1:
            self._coarse += 1
        elif took < SLUGGISH / 3 and self._coarse > 0:
            self._coarse -= 1

    def shot(self) -> NDArray[np.uint8]:
        """What the window shows now, (height, width, 3) RGB. UserError where it cannot be read back."""
        # Once more: what can be read back may be the frame before the one that is seen.
        self.base.win.set_active(True)
        self.base.graphicsEngine.render_frame()
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
