"""Pictures without a window or a display: buffers are made and freed per picture, by one thread of their own.

OpenGL keeps part of its state per thread (EGL: which OpenGL new contexts are for), so that a picture asked for by
another thread than the last one would fail. The graphics engine is not Panda3D's global one: drawing a picture draws
no window.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from panda3d import core

from sandbox.errors import UserError
from sandbox.view import palette
from sandbox.view.camera import Camera
from sandbox.view.stage import Stage, clip_range

Answer = TypeVar("Answer")

_lock = threading.RLock()
_pipes: list[Pipe] = []
_engines: list[Any] = []
_threads: list[ThreadPoolExecutor] = []

SOFTWARE_NOTE = "no OpenGL here: drawn by the plain software renderer, without soft shade"


@dataclass(frozen=True)
class Pipe:
    """A way to draw on this machine."""

    handle: Any
    shaded: bool
    """whether it runs shaders."""
    note: str = ""
    """what to tell the user about it; empty where there is nothing to tell."""


def pipe() -> Pipe:
    """The best way to draw off screen here, found once per process; UserError where there is none."""
    with _lock:
        if not _pipes:
            _pipes.append(_drawing(_find))
        return _pipes[0]


def software() -> Pipe | None:
    """Panda3D's own software renderer, which needs no OpenGL and runs no shaders; None where it is missing."""
    with _lock:
        return _drawing(_software)


def _drawing(work: Callable[[], Answer]) -> Answer:
    """Do some work in the drawing thread (on macOS, whose graphics belong to the main thread, right here)."""
    if sys.platform == "darwin":
        return work()
    if not _threads:
        _threads.append(ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures"))
    return _threads[0].submit(work).result()


def _engine() -> Any:
    if not _engines:
        _engines.append(core.GraphicsEngine())
    return _engines[0]


def _quiet() -> None:
    """Settings that suit pictures: no sound, and no complaints about displays that are not there."""
    core.load_prc_file_data(
        "",
        "audio-library-name null\nnotify-level-display error\nnotify-level-glgsg error\n"
        "notify-level-egldisplay error\nnotify-level-x11display fatal\n",
    )
    # Drawn in the order of the stage, not of addresses in memory: where two things are equally far, pictures repeat.
    core.CullBinManager.get_global_ptr().set_bin_type("opaque", core.CullBinEnums.BT_unsorted)


def _find() -> Pipe:
    _quiet()
    modules = ["p3headlessgl", "pandagl"] if sys.platform.startswith("linux") else ["pandagl"]
    for module in modules:
        handle = core.GraphicsPipeSelection.get_global_ptr().make_module_pipe(module)
        if handle is None or not handle.is_valid():
            continue
        answer = Pipe(handle, shaded=True)
        if _works(answer):
            return answer
    tiny = _software()
    if tiny is not None:
        return tiny
    raise UserError(
        "no way to draw here: neither OpenGL (EGL) nor Panda3D's software renderer could be opened"
    )


def _software() -> Pipe | None:
    _quiet()
    selection = core.GraphicsPipeSelection.get_global_ptr()
    # Asking for its default pipe loads the module; the one that draws off screen is found by its name.
    selection.make_module_pipe("p3tinydisplay")
    for index in range(selection.get_num_pipe_types()):
        kind = selection.get_pipe_type(index)
        if kind.get_name() == "TinyOffscreenGraphicsPipe":
            handle = selection.make_pipe(kind)
            if handle is not None and handle.is_valid():
                return Pipe(handle, shaded=False, note=SOFTWARE_NOTE)
    return None


def _works(candidate: Pipe) -> bool:
    """Whether a small buffer opens and knows the shaders and 3D textures that the stage uses."""
    engine = _engine()
    buffer = _buffer(engine, candidate, (16, 16))
    if buffer is None:
        return False
    engine.open_windows()
    gsg = buffer.get_gsg()
    good = bool(
        gsg is not None and gsg.is_valid() and gsg.get_supports_glsl() and gsg.get_supports_3d_texture()
    )
    engine.remove_window(buffer)
    return good


def _buffer(engine: Any, chosen: Pipe, size: tuple[int, int]) -> Any:
    properties = core.FrameBufferProperties()
    properties.set_rgba_bits(8, 8, 8, 8)
    properties.set_depth_bits(24)
    if chosen.shaded:
        properties.set_stencil_bits(8)
    return engine.make_output(
        chosen.handle,
        "picture",
        0,
        properties,
        core.WindowProperties.size(*size),
        core.GraphicsPipe.BF_refuse_window,
    )


@dataclass(frozen=True, eq=False)
class Shot:
    """A stage as seen."""

    picture: NDArray[np.uint8]
    """(height, width, 3) uint8 RGB."""
    distance: NDArray[np.float32] | None
    """(rows, columns) distance along the line of sight of what is seen, inches; any fineness; None: unknown."""

    def visible(self, seen: NDArray[np.float64], slack: float) -> NDArray[np.bool_]:
        """Which of (n, 3) projected points (column, row, distance) nothing stands before, by over `slack`."""
        if self.distance is None:
            return np.ones(len(seen), dtype=np.bool_)
        rows, columns = self.distance.shape
        height, width = self.picture.shape[:2]
        column = np.floor(seen[:, 0] * columns / width).astype(np.int64)
        row = np.floor(seen[:, 1] * rows / height).astype(np.int64)
        inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
        answer = np.zeros(len(seen), dtype=np.bool_)
        answer[inside] = self.distance[row[inside], column[inside]] > seen[inside, 2] - slack
        return answer


def shoot(stage: Stage, camera: Camera, size: tuple[int, int], *, using: Pipe | None = None) -> Shot:
    """A stage seen by a camera, drawn at twice the size and averaged, so that edges are smooth.

    Raises UserError where no buffer of that size can be had.
    """
    chosen = using or pipe()
    finer = 2 if max(size) <= 4000 else 1
    with _lock:
        stage.set_cut(camera.cut)
        stage.aim(camera)
        stage.set_line_width(float(finer))
        picture, distance = _drawing(lambda: _drawn(stage, camera, size, finer, chosen))
    return Shot(_averaged(picture, size, finer), distance)


def _drawn(
    stage: Stage, camera: Camera, size: tuple[int, int], finer: int, chosen: Pipe
) -> tuple[NDArray[np.uint8], NDArray[np.float32] | None]:
    """The picture at `finer` times its size, and the distances of what is seen."""
    engine = _engine()
    large = (size[0] * finer, size[1] * finer)
    buffer = _buffer(engine, chosen, large)
    if buffer is None:
        raise UserError(f"no picture of {size[0]} x {size[1]} pixels can be drawn here")
    eye = core.NodePath(_camera_node(stage, camera, size))
    try:
        eye.reparent_to(stage.root)
        eye.set_mat(_matrix(camera))
        buffer.make_display_region().set_camera(eye)
        buffer.set_clear_color(core.LColor(*(channel / 255.0 for channel in palette.PAPER), 1.0))
        texture, depth = core.Texture("picture"), core.Texture("depth")
        depth.set_format(core.Texture.F_depth_component)
        depth.set_component_type(core.Texture.T_float)
        copied = core.GraphicsOutput.RTM_copy_ram
        buffer.add_render_texture(texture, copied)
        if chosen.shaded:
            buffer.add_render_texture(depth, copied, core.GraphicsOutput.RTP_depth)
        engine.render_frame()
        if not texture.has_ram_image():
            raise UserError("the picture could not be read back from the renderer")
        raw = np.frombuffer(texture.get_ram_image_as("RGB"), dtype=np.uint8)
        picture = raw.reshape(texture.get_y_size(), texture.get_x_size(), 3)[::-1][: large[1], : large[0]]
        return picture, _distances(depth, clip_range(camera, stage.size))
    finally:
        eye.remove_node()
        engine.remove_window(buffer)
        # states of stages that are gone hold textures until they are looked for; a window's own loop does this
        core.TransformState.garbage_collect()
        core.RenderState.garbage_collect()


def _averaged(picture: NDArray[np.uint8], size: tuple[int, int], finer: int) -> NDArray[np.uint8]:
    """The picture at its own size from one that is `finer` times as large."""
    if finer == 1:
        return np.ascontiguousarray(picture)
    sums = picture.reshape(size[1], finer, size[0], finer, 3).astype(np.uint16).sum(axis=(1, 3))
    return np.asarray((sums + finer * finer // 2) // (finer * finer), dtype=np.uint8)


def _distances(depth: Any, between: tuple[float, float]) -> NDArray[np.float32] | None:
    """Distances in inches of a depth texture drawn between two clip planes; None where it was not read back."""
    if not depth.has_ram_image() or depth.get_component_type() != core.Texture.T_float:
        return None
    near, far = between
    raw = np.frombuffer(memoryview(depth.get_ram_image()), dtype=np.float32)
    raw = raw.reshape(depth.get_y_size(), depth.get_x_size())[::-1]
    return np.asarray(far * near / (far - raw * (far - near)), dtype=np.float32)


def _camera_node(stage: Stage, camera: Camera, size: tuple[int, int]) -> Any:
    lens = core.PerspectiveLens()
    lens.set_aspect_ratio(size[0] / size[1])
    lens.set_min_fov(camera.view_angle)
    across = 2 * np.degrees(np.arctan(np.tan(np.radians(camera.view_angle) / 2) * size[0] / size[1]))
    lens.set_fov(float(across), camera.view_angle)
    lens.set_near_far(*clip_range(camera, stage.size))
    return core.Camera("eye", lens)


def _matrix(camera: Camera) -> Any:
    """Panda3D's camera looks along its +y with +z up."""
    right, up, away = camera.axes
    rows = [(*right, 0.0), (*away, 0.0), (*up, 0.0), (*camera.eye, 1.0)]
    return core.LMatrix4(*(float(value) for row in rows for value in row))
