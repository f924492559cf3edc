#!/usr/bin/env python3
"""Figures behind docs/ground.md: exact offset polygons against fine samples with exact close calls, on one window.

    .venv/bin/python scripts/compare_ground.py [SCENE] [INCHES]

Prints, for a window in the middle of the board, what each way of holding ground costs, in one run.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import shapely

import sandbox
from sandbox.ground.ground import Ground
from sandbox.ground.model import Body, Place, Window
from sandbox.units import mm

RADIUS = 16.0
HEIGHT = 35.56


def polygons(ground: Ground, window: Window) -> tuple[float, int]:
    """Floor of one level as shapely polygons: union, closed and opened by the base, walls grown and taken away."""
    terrain = ground.terrain
    corners = terrain.vertices[terrain.faces]
    middle = corners[:, :, :2].mean(axis=1)
    near = (middle >= (window.x0, window.y0)).all(axis=1) & (middle <= (window.x1, window.y1)).all(axis=1)
    corners = corners[near]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    up = np.abs(normal[:, 2]) / np.maximum(np.linalg.norm(normal, axis=1), 1e-12)
    begun = time.process_time()
    flat = shapely.polygons(corners[:, :, :2])
    good = shapely.is_valid(flat) & (shapely.area(flat) > 1e-9)
    floor = shapely.union_all(flat[good & (up > 0.7071)])
    steep = shapely.union_all(shapely.buffer(flat[(up <= 0.7071) & good], RADIUS, quad_segs=16))
    closed = floor.buffer(RADIUS, quad_segs=16).buffer(-RADIUS, quad_segs=16)
    opened = closed.buffer(-RADIUS / 2, quad_segs=16).buffer(RADIUS / 2, quad_segs=16)
    free = opened.difference(steep)
    return time.process_time() - begun, int(shapely.get_num_coordinates(free))


def samples(ground: Ground, window: Window) -> tuple[float, float, int]:
    """Survey and places of the same window: seconds of each, and the number of places to pass."""
    fresh = Ground(ground.terrain, ground.permits, ground.numbers, ground.areas)
    begun = time.process_time()
    fresh.patch(window)
    surveyed = time.process_time() - begun
    begun = time.process_time()
    places = fresh.places(Body(RADIUS, RADIUS, HEIGHT), window)
    return surveyed, time.process_time() - begun, int(((places.flags & Place.PASS) != 0).sum())


def main() -> None:
    scene = sys.argv[1] if len(sys.argv) > 1 else "scenes/monastery.yaml"
    side = mm(float(sys.argv[2]) if len(sys.argv) > 2 else 12.0)
    field = sandbox.load(scene)
    ground = field.ground.plain
    x, y = (0.5 * size for size in ground.terrain.size_mm)
    window = Window(x - side / 2, y - side / 2, x + side / 2, y + side / 2)
    samples(ground, window)  # kernels compiled or loaded before anything is timed
    surveyed, placed, count = samples(ground, window)
    print(f"{scene}, a window of {side / 25.4:.0f} x {side / 25.4:.0f} inches, one 32 mm base; CPU seconds")
    print(f"samples:  survey and lips {surveyed:.2f}, places {placed:.2f}; {count:,} places, all levels")
    seconds, coordinates = polygons(ground, window)
    print(f"polygons: {seconds:.2f} for one flattened level; {coordinates:,} corners")


if __name__ == "__main__":
    main()
