"""A corner of a step that the rim just reaches counts, wherever the columns of the ground fall."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox

R = 25.0 / 25.4


@pytest.mark.parametrize("turn", [0.0, 7.0, 33.0, 45.0])
@pytest.mark.parametrize(("gap_mm", "stands"), [(-0.25, False), (0.25, True)])
def test_a_corner_of_a_low_step_under_the_rim(
    turn: float, gap_mm: float, stands: bool, tmp_path: Path
) -> None:
    # a step 8.3 mm high joins the table, so it makes the floor uneven where the base of 50 mm reaches it
    scene = tmp_path / "step.yaml"
    scene.write_text(
        f"board: {{size: [24, 24]}}\nterrain:\n  - {{id: step, box: [1.5, 1.5, 0.3268], at: [12, 12], turn: {turn}}}\n"
    )
    field = sandbox.load(scene)
    a = np.radians(turn + 45.0)
    corner = 12.0 + 0.75 * 2**0.5 * np.array([np.cos(a), np.sin(a)])
    for off in np.linspace(-30.0, 30.0, 13):
        b = a + np.radians(off)
        x, y = corner + (R + gap_mm / 25.4) * np.array([np.cos(b), np.sin(b)])
        found = field.stand(float(x), float(y), 0.0, base=50)
        assert found.stands is stands, (off, [r.text for r in found.rulings])
