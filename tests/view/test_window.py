"""The real window on a virtual display: clicked, hovered, moved in, undone, cut, built in and saved from."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from sandbox.kinds import Kind
from sandbox.play import Game
from sandbox.scene import load_scene
from sandbox.view import palette
from sandbox.view.window.virtual import virtual_display
from tests.view.window_tour import WALK_TO

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The facts of one tour through the window, with its pictures and the scene file that it saved."""
    home = tmp_path_factory.mktemp("window")
    for name in ("scenes", "models"):
        shutil.copytree(ROOT / name, home / name)
    scene = home / "scenes" / "gantry.yaml"
    with virtual_display() as display:
        done = subprocess.run(
            [sys.executable, "-m", "tests.view.window_tour", str(scene), str(home)],
            cwd=ROOT, env={**os.environ, "DISPLAY": display}, capture_output=True, text=True, timeout=900,
            check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    seen: dict[str, Any] = json.loads((home / "seen.json").read_text())
    return {**seen, "home": home, "scene": scene}


def patch(tour: dict[str, Any], picture: str, spot: str, half: int = 3) -> np.ndarray[Any, Any]:
    """(n, 3) colours around a spot of a picture."""
    image = np.asarray(Image.open(tour["home"] / f"{picture}.png").convert("RGB"), dtype=np.float64)
    x, y = (round(v) for v in tour["spots"][spot])
    return image[y - half : y + half + 1, x - half : x + half + 1].reshape(-1, 3)


def share(colours: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Mean colour as shares of red, green and blue, whatever the light."""
    mean = colours.mean(axis=0)
    return np.asarray(mean / mean.sum())


def like(colours: np.ndarray[Any, Any], wanted: tuple[int, int, int], slack: float = 0.05) -> bool:
    """Whether a patch has a colour, up to brightness."""
    want = np.array(wanted, dtype=np.float64)
    return bool(np.abs(share(colours) - want / want.sum()).max() < slack)


def test_terrain_that_was_kept_looks_as_if_all_were_drawn_at_once(tour: dict[str, Any]) -> None:
    pictures = [
        np.asarray(Image.open(tour["home"] / f"{name}.png").convert("RGB"), dtype=np.int64)
        for name in ("refused", "together")
    ]
    apart = np.abs(pictures[0] - pictures[1]).max(axis=2)
    assert (apart > 40).mean() < 5e-4


def test_a_click_on_a_fighter_drapes_its_reach(tour: dict[str, Any]) -> None:
    assert tour["chosen"] == "kal"
    assert tour["reach"] > 500
    bands = palette.bands(5)
    assert like(patch(tour, "reach", "near"), bands[0])
    assert like(patch(tour, "reach", "far"), bands[4], 0.08)
    assert not like(patch(tour, "start", "near"), bands[0])


def test_hovering_draws_the_way_and_prices_it(tour: dict[str, Any]) -> None:
    move = tour["legal"]
    assert move["legal"] and move["action"] == "move"
    straight = float(np.hypot(move["to"][0] - 11.0, move["to"][1] - 11.8))
    assert straight - 0.02 <= move["cost"] <= straight * 1.05 + 0.05
    # The line of a walk is white, with a dark rim.
    assert patch(tour, "legal", "way", 4).min(axis=1).max() > 225
    assert patch(tour, "reach", "way", 4).min(axis=1).max() < 225


def test_hovering_where_it_may_not_end_says_why(tour: dict[str, Any]) -> None:
    move = tour["refused"]
    assert not move["legal"]
    assert move["rulings"][0]["rule"] == "obstacle_stand"
    red = patch(tour, "refused", "refused", 12)
    assert ((red[:, 0] > 120) & (red[:, 1] < 110) & (red[:, 2] < 110)).mean() > 0.1


def test_a_click_moves_it_there(tour: dict[str, Any]) -> None:
    assert np.allclose(tour["moved"], tour["legal"]["to"], atol=0.01)
    assert tour["log"][0][0].startswith("Kal moves, ")
    assert like(patch(tour, "moved", "there"), palette.SIDES["red"], 0.12)
    assert not like(patch(tour, "reach", "there"), palette.SIDES["red"], 0.12)


def test_undo_and_redo(tour: dict[str, Any]) -> None:
    assert np.allclose(tour["undone"][:2], (11.0, 11.8), atol=0.01)
    assert np.allclose(tour["redone"], tour["moved"], atol=0.01)


def test_a_level_cut_takes_the_deck_away(tour: dict[str, Any]) -> None:
    assert tour["cut"] is not None and 2.0 < tour["cut"] < 3.0
    assert tour["uncut"] is None
    before, after = share(patch(tour, "whole", "deck")), share(patch(tour, "cut", "deck"))
    # The deck is cool grey, the table under it warm.
    assert before[2] - before[0] > -0.01
    assert after[0] - after[2] > 0.005


def test_a_piece_is_dragged_and_snaps(tour: dict[str, Any]) -> None:
    assert tour["mode"]
    x, y, z = tour["crate"]
    assert (x * 4) % 1 == 0 and (y * 4) % 1 == 0 and z == 0
    assert abs(x - 18.6) < 0.3 and abs(y - 4.2) < 0.3
    assert like(patch(tour, "dragged", "crate"), palette.KINDS[Kind.OBSTACLE])
    assert like(patch(tour, "dragged", "old crate"), palette.TABLE, 0.03)


def test_a_game_is_played_by_clicks_and_kept(tour: dict[str, Any]) -> None:
    assert not tour["measured"], "distances are told only once an action is declared"
    game = tour["game"]
    assert game["active"] == "kal" and game["left"] == 1
    assert game["log"][0][0] == "Kal (red) is activated" and game["log"][0][1].startswith("Kal moves, ")
    assert np.hypot(game["at"][0] - WALK_TO[0], game["at"][1] - WALK_TO[1]) < 0.2
    file = tour["home"] / "tour.game"
    kept = Game.opened(file)
    assert kept.state["models"]["kal"]["at"] == pytest.approx(game["at"])


def test_saving_changes_one_line_and_keeps_the_comments(tour: dict[str, Any]) -> None:
    before = (ROOT / "scenes" / "gantry.yaml").read_text().splitlines()
    after = tour["scene"].read_text().splitlines()
    changed = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
    assert len(changed) == 2, changed
    assert all("crate-2" in line for line in changed)
    saved = load_scene(tour["scene"])
    assert next(p.at for p in saved.terrain if p.id == "crate-2") == tuple(tour["crate"])
