"""Where a piece changes, ground is built anew near it alone, and is what it would be had it been built whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from sandbox.ground.model import Body, Limit, Links
from sandbox.ground.places import TILE_COLUMNS
from sandbox.ground.region import Region
from sandbox.moves.battlefield import Battlefield
from sandbox.rules import load_pack
from sandbox.scene import Scene, open_scene
from sandbox.scene.model import Piece
from sandbox.terrain.build import build_terrain

SCENE = """
name: A board with things on it
board: {size: [48, 14]}
terrain:
  - {id: hull, model: hull.stl, at: [14, 7], units: mm}
  - {id: stairs, ramp: [2, 3, 2], at: [25, 7], kind: stairs}
  - {id: deck, box: [4, 4, 2], at: [28.4, 7], turn: 12}
  - {id: crate, box: [1, 1, 1], at: [31.5, 9]}
  - {id: door, box: [0.2, 2, 3], at: [36, 7], kind: door-closed}
  - {id: wall, box: [0.2, 5, 3], at: [36, 3.5], kind: wall}
  - {id: wall2, box: [0.2, 5, 3], at: [36, 10.5], kind: wall}
areas:
  - {kind: difficult, polygon: [[39, 2], [44, 2], [44, 8], [39, 8]]}
fighters:
  - {id: kal, side: red, base: 32, at: [33, 6, 0], profile: {M: 4}}
"""
BODIES = (Body(16.0, 16.0, 35.56), Body(30.0, 17.5, 50.8, 33.0))


def hull(path: Path, hatch: float) -> None:
    """A hollow block whose roof has a hatch 80 mm long and so wide (mm; 0: closed tight), and a row of studs."""
    boxes = [
        ((150.0, 120.0, 4.0), (0.0, 0.0, 2.0)),
        ((4.0, 120.0, 40.0), (-73.0, 0.0, 20.0)),
        ((4.0, 120.0, 40.0), (73.0, 0.0, 20.0)),
        ((150.0, 4.0, 40.0), (0.0, -58.0, 20.0)),
        ((150.0, 4.0, 40.0), (0.0, 58.0, 20.0)),
        ((150.0, 60.0 - hatch / 2, 3.0), (0.0, -30.0 - hatch / 4, 38.5)),
        ((150.0, 60.0 - hatch / 2, 3.0), (0.0, 30.0 + hatch / 4, 38.5)),
        ((35.0, 60.0, 3.0), (-57.5, 0.0, 38.5)),
        ((35.0, 60.0, 3.0), (57.5, 0.0, 38.5)),
    ]
    boxes += [((6.0, 6.0, 9.0), (x, 90.0, 4.5)) for x in np.arange(-70.0, 71.0, 20.0)]
    made = [trimesh.creation.box(size).apply_translation(at) for size, at in boxes]
    trimesh.util.concatenate(made).export(path)


def without(scene: Scene, *names: str) -> Scene:
    return replace(scene, terrain=tuple(one for one in scene.terrain if one.id not in names))


def moved(scene: Scene, name: str, **how: object) -> Scene:
    return replace(
        scene, terrain=tuple(replace(one, **how) if one.id == name else one for one in scene.terrain)
    )


def crate_first(scene: Scene) -> Scene:
    """Another order of the pieces: every part has another number."""
    first: list[Piece] = [one for one in scene.terrain if one.id == "crate"]
    return replace(scene, terrain=(*first, *without(scene, "crate").terrain))


CHANGES: dict[str, Callable[[Scene], Scene]] = {
    "the door is gone": lambda scene: without(scene, "door"),
    "the crate stands elsewhere": lambda scene: moved(scene, "crate", at=(41.0, 5.0, 0.0)),
    "the crate stands on the deck": lambda scene: moved(scene, "crate", at=(28.0, 7.5, 2.0)),
    "the deck is turned and all are numbered anew": lambda scene: crate_first(
        moved(scene, "deck", turn=40.0)
    ),
    "nothing but an order": crate_first,
}


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    hull(tmp_path / "hull.stl", 45.0)
    (tmp_path / "board.yaml").write_text(SCENE)
    return open_scene(tmp_path / "board.yaml")


def board(scene: Scene, earlier: Battlefield | None = None) -> Battlefield:
    pack = load_pack("necromunda-2023")
    return Battlefield(scene, pack, build_terrain(scene), earlier=earlier)


MIDDLE = Region.disc(30.0 * 25.4, 7.0 * 25.4, 8.0 * 25.4)
HULL = Region.disc(14.0 * 25.4, 7.0 * 25.4, 9.0 * 25.4)


def same(a: Any, b: Any) -> bool:
    """Whether two arrays are the same to the last digit."""
    return np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f")


def assert_as_built_whole(after: Battlefield, where: Region = MIDDLE) -> None:
    """Places of two bodies and the moves of all fighters are those of a ground that knows nothing of an earlier one."""
    fresh = board(after.scene)
    for body in BODIES:
        kept, alone = (field.ground.plain.places(body, where) for field in (after, fresh))
        # which of several things that leave no room is told is the one that was met first
        clear = alone.limit != Limit.NO_ROOM
        for one in fields(kept):
            a, b = getattr(kept, one.name), getattr(alone, one.name)
            if one.name in ("culprit", "measured"):
                a, b = a[clear], b[clear]
            if one.name != "body":
                assert same(a, b), one.name
    for fighter in after.scene.fighters:
        kept_links, links = (near_links(field, fighter.id) for field in (after, fresh))
        for one in fields(links):
            assert same(getattr(kept_links, one.name), getattr(links, one.name)), (fighter.id, one.name)


def near_links(field: Battlefield, who: str) -> Links:
    answerer: Any = field.moves(who).answerer
    links: Links = answerer.near.links
    return links


def asked(field: Battlefield, where: Region = MIDDLE) -> Battlefield:
    for body in BODIES:
        field.ground.plain.places(body, where)
    for fighter in field.scene.fighters:
        assert len(field.moves(fighter.id).spots)
    return field


def judged_anew(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Squares that are judged from now on."""
    from sandbox.ground import ground as module

    squares: list[tuple[int, int]] = []
    judge = module.judge_tiles

    def watched(*args: object) -> object:
        squares.extend(args[7])  # type: ignore[arg-type]
        return judge(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "judge_tiles", watched)
    return squares


def test_one_change_after_another_gives_what_building_anew_gives(scene: Scene) -> None:
    field = asked(board(scene))
    for change in CHANGES.values():
        scene = change(scene)
        field = board(scene, field)
        assert_as_built_whole(field)


def test_only_squares_near_the_change_are_judged(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    first = board(scene)
    first.ground.plain.places(BODIES[0], MIDDLE)
    squares = judged_anew(monkeypatch)
    after = board(without(scene, "door"), first)
    after.ground.plain.places(BODIES[0], MIDDLE)
    # the door stands at x = 36", y = 6" to 8"
    size = TILE_COLUMNS * 0.1
    assert squares
    assert all(i * size + 0.03 >= 36 - 5.5 and (i + 1) * size <= 36 + 5.5 for i, _ in squares), squares
    assert not set(squares) & {(k, 2) for k in range(10)}


def test_nothing_is_judged_where_nothing_changed(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    first = asked(board(scene))
    squares = judged_anew(monkeypatch)
    asked(board(crate_first(scene), first))
    assert not squares


@pytest.mark.parametrize("hatch", [0.0, 30.0])
def test_a_model_edited_in_one_place_is_judged_there(
    scene: Scene, hatch: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its hatch is closed, which seals the hold below it; or narrower than a base."""
    first = asked(board(scene), HULL)
    hull(scene.path.parent / "hull.stl", hatch)
    squares = judged_anew(monkeypatch)
    after = asked(board(scene, first), HULL)
    near = {i for i, _ in squares}
    assert near
    assert max(near) * TILE_COLUMNS * 0.1 < 14 + 3 + 5.0  # beyond its own end nothing
    assert_as_built_whole(after, HULL)


def test_a_setting_that_geometry_reads_builds_anew(scene: Scene) -> None:
    first = asked(board(scene))
    pack = load_pack("necromunda-2023").with_settings({"free_step_up": 0.2})
    after = Battlefield(scene, pack, first.terrain, earlier=first)
    assert not after.ground.plain._tiles
