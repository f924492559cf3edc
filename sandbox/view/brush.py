"""How shapes become nodes: lit solids, flat marks on the ground, lines with rims, faint traces of what is hidden.

Lengths are in inches.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from panda3d import core

from sandbox.view import meshes, palette, relief, shaders
from sandbox.view.palette import Colour

Floats = NDArray[np.float64]

FAR_SIDES = core.CullFaceAttrib.M_cull_counter_clockwise
NEAR_SIDES = core.CullFaceAttrib.M_cull_clockwise


class Brush:
    """Draws shapes into a scene graph, for renderers with shaders and for those without."""

    def __init__(self, sky: relief.Sky, *, shaded: bool) -> None:
        """sky: the board's light, which goes into the colours where there are no shaders."""
        self.sky = sky
        self.shaded = shaded

    def solid(self, parent: Any, shape: meshes.Shape, colour: tuple[int, ...]) -> Any:
        """A lit shape in one RGB or RGBA colour."""
        if self.shaded:
            return parent.attach_new_node(meshes.solid(shape, colour))
        rgb = np.tile(np.array(colour[:3], dtype=np.uint8), (len(shape.corners), 1))
        rgb = baked(rgb, shape.corners, shape.normals[:, 0], self.sky)
        return parent.attach_new_node(meshes.solid(shape, with_alpha(rgb, (*colour, 255)[3])))

    def mark(self, parent: Any, corners: Floats, colour: Colour, *, toward: float) -> Any:
        """Flat triangles (n, 3, 3) on the ground, in their own colour."""
        node = parent.attach_new_node(meshes.solid(meshes.flat(corners), colour))
        node.set_two_sided(True)
        self.plain(node, toward=toward)
        return node

    def plain(self, node: Any, *, toward: float) -> None:
        """Show a node in its own colours, `toward` inches nearer to the eye, so that it wins over what it lies on."""
        node.set_tag("toward", str(toward))
        if self.shaded:
            node.set_shader(shaders.plain())
        elif toward > 0:
            node.set_depth_offset(1)

    def ghost(self, parent: Any, shape: meshes.Shape, colour: Colour, alpha: int = 110) -> Any:
        """A faint trace of a shape, only where something stands before it."""
        node = parent.attach_new_node(meshes.solid(shape, (*colour, alpha)))
        self.plain(node, toward=0.0)
        node.set_transparency(core.TransparencyAttrib.M_alpha)
        node.set_attrib(core.DepthTestAttrib.make(core.RenderAttrib.M_greater))
        node.set_depth_write(False)
        node.set_bin("fixed", 20)
        return node

    def line(self, parent: Any, path: Floats, colour: Colour, radius: float) -> None:
        """A tube along (k, 3) points with a dark rim, and its trace where it is hidden."""
        body = meshes.tube(path, radius)
        self._rimmed(parent, body, meshes.tube(path, radius * 1.55), colour, 0.0)

    def head(self, parent: Any, path: Floats, colour: Colour, radius: float) -> None:
        """An arrowhead at the end of a line along (k, 3) points of the same radius; inches."""
        tip = path[-1]
        apart = np.linalg.norm(path - tip, axis=1) > 1e-6
        if not apart.any():
            return
        axis = tip - path[np.flatnonzero(apart)[-1]]
        axis = axis / np.linalg.norm(axis)
        body = meshes.arrow_head(tip, axis, radius * 6.0, radius * 2.6)
        rim = meshes.arrow_head(tip + axis * radius, axis, radius * 8.0, radius * 3.4)
        self._rimmed(parent, body, rim, colour, 0.1)

    def _rimmed(
        self, parent: Any, body: meshes.Shape, rim: meshes.Shape, colour: Colour, toward: float
    ) -> None:
        # Only the far sides of a slightly larger shape: what looks out behind the body is its rim.
        outer = parent.attach_new_node(meshes.solid(rim, palette.INK))
        outer.set_attrib(core.CullFaceAttrib.make(FAR_SIDES))
        self.plain(outer, toward=toward)
        inner = parent.attach_new_node(meshes.solid(body, colour))
        self.plain(inner, toward=toward)
        self.ghost(parent, body, colour)


def baked(rgb: NDArray[np.uint8], corners: Floats, normals: Floats, sky: relief.Sky) -> NDArray[np.uint8]:
    """(n, 3) face colours with the light in them, for renderers without shaders."""
    # One light for the whole face: what its middle and places near its corners get on average.
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


def with_alpha(rgb: NDArray[np.uint8], alpha: int) -> NDArray[np.uint8]:
    """(n, 4) colours from (n, 3) ones."""
    return np.asarray(np.column_stack([rgb, np.full(len(rgb), alpha, dtype=np.uint8)]))


def mixed(first: Colour, second: Colour, part: float) -> Colour:
    """`first` with a part (0 to 1) of `second`."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(first, second, strict=True))
    return red, green, blue


def unit(colour: Colour) -> Any:
    """A colour for a shader."""
    return core.Vec3(*(channel / 255.0 for channel in colour))
