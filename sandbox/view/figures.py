"""Fighters as shapes: the exact base, a plain figure of the right height on it, a wedge that shows the facing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sandbox.units import inches
from sandbox.view import meshes
from sandbox.view.meshes import Shape
from sandbox.view.model import FighterMark

Floats = NDArray[np.float64]

BASE_HEIGHT = inches(3.2)


@dataclass(frozen=True, eq=False)
class Figure:
    """The parts of a fighter's model, in the board's frame, inches."""

    base: Shape
    body: Shape
    wedge: Shape


def figure(fighter: FighterMark) -> Figure:
    """The model of one fighter; a Prone one lies on its base."""
    at, turn = np.asarray(fighter.at, dtype=np.float64), _turn(fighter.facing)
    made = _driven if fighter.vehicle else _upright
    own = made(fighter.base_mm, fighter.height, fighter.prone and not fighter.vehicle)
    return Figure(own.base.moved(turn, at), own.body.moved(turn, at), own.wedge.moved(turn, at))


@lru_cache(maxsize=64)
def _upright(base_mm: tuple[float, float], height: float, prone: bool) -> Figure:
    """A model over the origin, facing east."""
    long, short = inches(base_mm[0]) / 2, inches(base_mm[1]) / 2
    rim = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.55], [0.93, 1.0], [0.0, 1.0]])
    base = meshes.turned(rim, 72).moved(np.diag([long, short, BASE_HEIGHT]), np.zeros(3))
    wedge = _wedge(long, short)
    thick = min(short * 0.56, height * 0.25)
    body = _pawn(height - BASE_HEIGHT, thick)
    if prone:
        # Lying along its facing, as long as it is tall when up; `height` is the height while prone.
        girth = max(0.5 * (height - BASE_HEIGHT), 0.1)
        lying = _pawn(max(2.0 * long, 1.1), girth)
        lay = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
        half = max(2.0 * long, 1.1) / 2
        body = lying.moved(lay, np.array([-half, 0.0, BASE_HEIGHT + girth]))
    else:
        body = body.moved(np.eye(3), np.array([0.0, 0.0, BASE_HEIGHT]))
    return Figure(base, body, wedge)


@lru_cache(maxsize=64)
def _driven(base_mm: tuple[float, float], height: float, _prone: bool) -> Figure:
    """A vehicle over the origin, facing east: a hull with its cab behind, inside the base's oval."""
    plain = _upright(base_mm, BASE_HEIGHT + 0.01, False)
    long, short = inches(base_mm[0]) / 2, inches(base_mm[1]) / 2
    # a box whose corners lie on the oval
    hull = _box((-0.8 * long, 0.8 * long), 0.6 * short, (BASE_HEIGHT, 0.6 * height))
    cab = _box((-0.7 * long, 0.25 * long), 0.48 * short, (0.6 * height, height))
    return Figure(plain.base, meshes.joined([hull, cab]), plain.wedge)


def _box(along: tuple[float, float], half_across: float, upward: tuple[float, float]) -> Shape:
    """An upright box, its sides along the axes, inches."""
    corners = np.array([[x, y, z] for x in along for y in (-half_across, half_across) for z in upward])
    faces = np.array([[0, 4, 5, 1], [4, 6, 7, 5], [6, 2, 3, 7], [2, 0, 1, 3], [1, 5, 7, 3], [0, 2, 6, 4]])
    return meshes.flat(np.concatenate([corners[faces[:, [0, 1, 2]]], corners[faces[:, [0, 2, 3]]]]))


def band(
    at: tuple[float, float, float],
    long: float,
    short: float,
    facing: float,
    *,
    width: float,
    lift: float = 0.03,
) -> Floats:
    """(n, 3, 3) triangles of a flat band of `width` outside an oval of half axes `long` and `short`, inches."""
    inner = meshes.outline(long, short, facing, 96)
    outer = meshes.outline(long + width, short + width, facing, 96)
    centre = np.asarray(at, dtype=np.float64)
    a = np.column_stack([inner, np.full(len(inner), lift)]) + centre
    b = np.column_stack([outer, np.full(len(outer), lift)]) + centre
    c, d = np.roll(b, -1, axis=0), np.roll(a, -1, axis=0)
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def _turn(facing: float) -> Floats:
    cos, sin = np.cos(np.radians(facing)), np.sin(np.radians(facing))
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


def _pawn(height: float, thick: float) -> Shape:
    """A standing figure as a surface of revolution: feet, shoulders, neck and a round head."""
    head = min(thick * 0.62, height * 0.20)
    shoulder = height - 2.05 * head
    trunk = [
        [0.0, 0.0],
        [thick * 0.62, 0.0],
        [thick * 0.58, 0.10 * height],
        [thick * 0.72, 0.45 * shoulder],
        [thick * 1.0, 0.86 * shoulder],
        [thick * 0.86, 0.97 * shoulder],
        [thick * 0.42, 1.02 * shoulder],
        [head * 0.55, 1.04 * shoulder],
    ]
    angle = np.linspace(-0.32 * np.pi, 0.5 * np.pi, 10)
    skull = np.stack([head * np.cos(angle), height - head + head * np.sin(angle)], axis=1)
    return meshes.turned(np.concatenate([np.array(trunk), skull]), 36)


def _wedge(long: float, short: float) -> Shape:
    """A flat arrowhead on the ground before the base, pointing along +x, clear of the base's ring."""
    size = max(0.16, 0.34 * short)
    root = long + 0.12
    points = np.array([[root + size, 0.0, 0.03], [root, 0.7 * size, 0.03], [root, -0.7 * size, 0.03]])
    return meshes.flat(points[None])
