"""Costs where the ground's price changes: difficult patches and slopes, inside brackets found independently."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import shapely
from oracles.visibility import grown
from oracles.weighted import cheapest
from scipy.optimize import minimize

from .scenes import BELOW_MM, INCH, Sketch, above, cost_mm, outline

BASES = (25.0, 28.5, 32.0, 40.0, 50.0)
SIDE = 16.0 * INCH
RAMP_SIDE = 46.0 * INCH
DAILY = (*range(0, 60, 14), 13)
TARGETS = 6


def _patch(rng: np.random.Generator) -> shapely.Polygon:
    """A convex patch of three to six corners, or a rectangle."""
    x, y = rng.uniform(0.25 * SIDE, 0.75 * SIDE, 2)
    if rng.random() < 0.5:
        dx, dy = rng.uniform(8.0, 55.0, 2)
        flat = shapely.affinity.rotate(shapely.box(-dx, -dy, dx, dy), rng.uniform(0, 180), origin=(0.0, 0.0))
        return shapely.affinity.translate(flat, x, y)
    angles = np.sort(rng.uniform(0.0, 2 * np.pi, int(rng.integers(3, 7))))
    size = rng.uniform(20.0, 70.0)
    ring = shapely.MultiPoint(np.column_stack([x + size * np.cos(angles), y + size * np.sin(angles)]))
    return shapely.convex_hull(ring)


def _seeds(count: int, daily: Sequence[int]) -> list[object]:
    """Seeds as parameters: those of the full run marked."""
    return [pytest.param(k, marks=() if k in daily else (pytest.mark.full,)) for k in range(count)]


@pytest.mark.parametrize("seed", _seeds(60, DAILY))
def test_costs_with_difficult_patches(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(20_000 + seed)
    base = BASES[seed % len(BASES)]
    radius = base / 2.0
    sketch = Sketch((SIDE, SIDE))
    patches: list[shapely.Polygon] = []
    wanted = int(rng.integers(1, 4))
    for _ in range(20):
        patch = _patch(rng)
        if patch.area > 200.0 and all(shapely.distance(patch, other) > 3.0 for other in patches):
            patches.append(patch)
            sketch.area(patch)
        if len(patches) == wanted:
            break
    walls: list[shapely.Polygon] = []
    for _ in range(int(rng.integers(0, 4))):
        at = tuple(rng.uniform(0.2 * SIDE, 0.8 * SIDE, 2))
        sides, turn = rng.uniform(1.0, 70.0, 2), float(rng.uniform(0, 180))
        wall = outline(sides, at, turn)
        apart = [shapely.distance(wall, p) for p in patches]
        apart += [shapely.distance(wall, w) - radius for w in walls]
        if min(apart, default=np.inf) > radius + 1.0:
            walls.append(sketch.box((*sides, 60.0), at, turn, "impassable"))
    solid = shapely.union_all(walls)

    def place(spread: float) -> tuple[float, float]:
        while True:
            at = rng.uniform((0.5 - spread) * SIDE, (0.5 + spread) * SIDE, 2)
            if shapely.distance(solid, shapely.Point(at)) > radius + 0.5 or solid.is_empty:
                return (float(at[0]), float(at[1]))

    start = place(0.25)
    sketch.fighter(start, base, 9.0)
    asked = sketch.load(tmp_path)
    inner = [grown(w, radius, 0.16, False) for w in walls]
    outer = [grown(w, radius, 0.16, True) for w in walls]
    for k in range(TARGETS):
        end = place(0.4)
        if k % 2:
            # a hair to either side of an edge, where the price changes
            ring = patches[0].exterior
            on = np.array(ring.interpolate(rng.uniform(0, ring.length)).coords[0])
            on += rng.uniform(-1.0, 1.0, 2)
            end = (float(on[0]), float(on[1]))
        truth = cheapest(start, end, patches, inner, outer)
        move = asked.to(*end)
        told = f"{start} to {end}: {cost_mm(move):.2f}, between {truth.low:.2f} and {truth.high:.2f}"
        assert truth.low - BELOW_MM <= cost_mm(move) <= above(truth.high), told
        if above(truth.high) < asked.allowance:
            assert move.legal, told


@pytest.mark.parametrize("seed", _seeds(24, range(4)))
def test_costs_over_a_ramp(seed: int, tmp_path: Path) -> None:
    # from the table over a ramp on to a deck, or to a place on the ramp; both are wide
    rng = np.random.default_rng(30_000 + seed)
    base = BASES[seed % len(BASES)]
    rise = rng.uniform(20.0, 60.0)
    run = rise / np.tan(np.radians(rng.uniform(8.0, 40.0)))
    wide, turn = 280.0, float(rng.uniform(0, 360))
    a = np.radians(turn)
    middle = np.array([RAMP_SIDE, RAMP_SIDE]) / 2.0 + rng.uniform(-10, 10, 2)

    def at(x: float, y: float) -> np.ndarray:
        return middle + np.array([x * np.cos(a) - y * np.sin(a), x * np.sin(a) + y * np.cos(a)])

    sketch = Sketch((RAMP_SIDE, RAMP_SIDE))
    sketch.terrain.append(
        {
            "id": "ramp",
            "ramp": [run / INCH, wide / INCH, rise / INCH],
            "at": [float(v) for v in at(-run / 2.0, 0.0) / INCH],
            "turn": turn,
            "kind": "ramp",
        }
    )
    sketch.box((100.0, wide, rise), tuple(at(50.0, 0.0)), turn)
    start = np.array([-run - base - rng.uniform(0, 20), rng.uniform(-50, 50)])
    on_deck = seed % 3 > 0
    end = np.array(
        [
            rng.uniform(base / 2 + 0.3, 90 - base / 2)
            if on_deck
            else -rng.uniform(0.6 * base, max(run - 0.6 * base, 0.6 * base)),
            rng.uniform(-60, 60),
        ]
    )
    sketch.fighter(tuple(at(*start)), base, 20.0)
    asked = sketch.load(tmp_path)

    def steep(d: np.ndarray) -> float:
        return float(np.hypot(d[0] * np.hypot(1.0, rise / run), d[1]))

    def cost(y: np.ndarray) -> float:
        foot, lip = np.array([-run, y[0]]), np.array([0.0, y[1]])
        if not on_deck:
            return float(np.linalg.norm(foot - start)) + steep(end - foot)
        return float(np.linalg.norm(foot - start)) + steep(lip - foot) + float(np.linalg.norm(end - lip))

    found = minimize(cost, [start[1], end[1]], method="BFGS", options={"gtol": 1e-9})
    z = rise if on_deck else rise * (1.0 + end[0] / run)
    move = asked.to(*at(*end), z)
    told = f"{cost_mm(move):.2f}, exactly {found.fun:.2f}; {[r.text for r in move.rulings]}"
    assert found.fun - BELOW_MM <= cost_mm(move) <= above(found.fun), told
    # nobody ends on a slope steeper than 15 degrees
    assert move.legal == (on_deck or rise / run <= np.tan(np.radians(15.0))), told
