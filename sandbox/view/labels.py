"""Words that both pictures and the window write beside a way: its legs, its price, why it is refused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sandbox.terrain.model import BOARD_PIECE
from sandbox.view import ink, legend, palette, reach
from sandbox.view.camera import Camera
from sandbox.view.ink import Label
from sandbox.view.model import FighterMark, Way
from sandbox.view.stage import Stage, between, kept, leg_colour
from sandbox.view.way import Stretch
from sandbox.view.words import say

Floats = NDArray[np.float64]
Point = tuple[float, float, float]

_SURE = 0.9995
"""a chance that is told as certain."""
_LEAST_WEIGHT = 4
"""spots that a tag on a reach must stand for."""
_SAME_PLACE = 0.25
"""inches: reasons measured this near share a label."""


def pixel(eye: Camera, point: Point | Floats, size: tuple[int, int]) -> tuple[float, float]:
    """Where a point (3,) of the board, inches, falls in a picture of `size` pixels: column, row."""
    seen = eye.project(np.asarray(point, dtype=np.float64)[None], size)[0]
    return float(seen[0]), float(seen[1])


def leg(
    stretch: Stretch, number: int, legal: bool, eye: Camera, size: tuple[int, int], type_size: float
) -> Label:
    """What a stretch of a way is and costs, at its middle; type_size: pixels."""
    edge = leg_colour(stretch.kind, legal)
    edge = palette.INK if min(edge) > 200 else edge
    return Label(
        pixel(eye, stretch.middle, size), legend.summary(stretch, number), edge, size=type_size, gap=20
    )


def total(way: Way, eye: Camera, size: tuple[int, int], type_size: float) -> Label:
    """What a legal way costs in all, and its chance where it is not certain, at its end."""
    unsure = way.success is not None and way.success <= _SURE
    odds = (
        (say("price", "chance", chance=f"{way.success * 100:.0f}"),)
        if unsure and way.success is not None
        else ()
    )
    cost = say("price", "total", cost=f"{way.cost or 0.0:.2f}")
    return Label(pixel(eye, way.end, size), (cost, *odds), size=type_size, gap=24)


def bands(
    tags: Iterable[reach.Tag],
    eye: Camera,
    size: tuple[int, int],
    factor: float,
    *,
    odds: float,
    inches: float,
) -> list[Label]:
    """Inches and odds on the bands of a reach, those that stand for too little left out.

    odds, inches: height of their type at factor 1, pixels.
    """
    labels: list[Label] = []
    for tag in tags:
        if tag.weight < _LEAST_WEIGHT:
            continue
        # Odds stand beside a stretch that they would cover.
        small = tag.test and tag.weight * (0.25 / eye.pixel(size)) ** 2 < 3 * 46 * 20 * factor**2
        labels.append(
            Label(
                pixel(eye, tag.at, size),
                (tag.text,),
                palette.TEST,
                palette.TEST if tag.test else palette.INK,
                size=(odds if tag.test else inches) * factor,
                gap=22 if small else 0,
                bare=not tag.test,
                must=False,
            )
        )
    return labels


def refusals(
    way: Way,
    active: FighterMark | None,
    fighters: tuple[FighterMark, ...],
    eye: Camera,
    size: tuple[int, int],
    type_size: float,
    *,
    wide: float,
    most: int,
) -> list[Label]:
    """Why a way is refused, each reason where it was measured; reasons of one place share a label.

    active: who moves; fighters: all models shown. type_size, wide (of a label): pixels; most: labels.
    """
    reasons: list[tuple[Floats, list[str]]] = []
    for ruling in way.rulings:
        at = np.asarray(way.end if ruling.where is None else ruling.where, dtype=np.float64)
        if active is not None:
            there = replace(active, at=way.end, facing=way.facing)
            for other, _ in kept(replace(way, rulings=(ruling,)), fighters):
                at = between(there, other).mean(axis=0)
        lines = ink.wrapped(ruling.text, type_size, wide)
        same = [told for place, told in reasons if np.linalg.norm(place - at) < _SAME_PLACE]
        if same:
            same[0] += lines
        else:
            reasons.append((at, lines))
    if not reasons:
        reasons.append((np.asarray(way.end, dtype=np.float64), [say("refused", "nothing")]))
    return [
        Label(
            pixel(eye, at, size),
            (say("refused", "first" if index == 0 else "next"), *lines),
            palette.REFUSED,
            palette.REFUSED,
            (255, 244, 244),
            type_size,
            26,
        )
        for index, (at, lines) in enumerate(reasons[:most])
    ]


def border(
    stage: Stage, eye: Camera, size: tuple[int, int], height: float
) -> list[tuple[tuple[float, float, float], Label]]:
    """Inch numbers along the two borders of the table that are nearest to the eye: where each stands, and its label.

    size: of the picture, pixels; height: of the numbers, pixels.
    """
    width, depth = stage.size
    pieces = stage.scenery.prepared.pieces
    low = min((piece.low[2] for piece in pieces if piece.piece == BOARD_PIECE), default=0.0)
    if width <= 0 or depth <= 0:
        return []
    # Below the table's slab and clear of it, so that they do not stand on its side.
    low *= max(0.0, 1 - eye.elevation / 85.0)
    out = 0.35 + 0.8 * height * eye.pixel(size)
    near_y = -out if eye.eye[1] < depth / 2 else depth + out
    near_x = -out if eye.eye[0] < width / 2 or eye.elevation > 80 else width + out
    step = 1
    while step / eye.pixel(size) < 2.9 * height and step < 12:
        step = {1: 2, 2: 3, 3: 6, 6: 12}[step]
    places = [((float(k), near_y, low), k) for k in range(0, int(width) + 1, step)]
    places += [((near_x, float(k), low), k) for k in range(0, int(depth) + 1, step)]
    return [
        (
            at,
            Label(
                pixel(eye, at, size),
                (str(number),),
                ink=palette.FAINT_INK,
                paper=palette.PAPER,
                size=height,
                gap=0,
                bare=True,
                must=False,
            ),
        )
        for at, number in places
    ]
