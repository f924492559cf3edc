"""Between maps, tiles and scenes nothing is lost."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from sandbox.layout.convert import rewritten
from sandbox.scene import Scene, load_scene
from sandbox.scene.layouts import Facing, Form, Layout, Square, SquareKind, layout_text, tiled
from sandbox.scene.layouts.tiles import turned

from .drawn import ROOM, text, write
from .strategies import layouts

FORMS = ("map", "tiles", "scene")
FEWER = max(1, settings.default.max_examples // 4)  # type: ignore[union-attr]


def written(layout: Layout, form: Form, folder: Path, name: str) -> Scene:
    """The scene of a file that holds a layout."""
    path = folder / name
    path.write_text("name: Case\nlayout:\n" + layout_text(layout, form, {}, indent=2), encoding="utf-8")
    return load_scene(path)


def pieces(scene: Scene) -> list[tuple[object, ...]]:
    """What a scene is made of, without the lines of its file."""
    made: list[tuple[object, ...]] = [
        (p.id, p.shape, p.model, _near(p.sizes), _near(p.at), p.turn, p.kind, p.parts) for p in scene.terrain
    ]
    made += [(a.kind, _near(sum(a.polygon, ())), _near(a.z or ())) for a in scene.areas]
    made += [(d.id, _near(d.start), _near(d.end)) for d in scene.ductways]
    made += [(z.id, _near(sum(z.polygon, ())), _near(z.z or ())) for z in scene.zones]
    made += [(p.id, _near(p.at), p.z) for p in scene.points]
    made.append((_near(scene.board.size or ()), scene.board.ceiling, scene.board.zone_mortalis))
    return made


def _near(values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(v, 9) for v in values)


@settings(phases=[Phase.explicit, Phase.generate], max_examples=FEWER)
@given(layouts(), st.permutations(FORMS))
def test_a_layout_comes_back_from_every_form(layout: Layout, order: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = written(layout, Form.MAP, folder, "first.yaml")
        assert first.layout is not None
        assert first.layout.layout == layout
        want = pieces(first)
        path = first.path
        for number, form in enumerate((*order, "map")):
            target = folder / f"{number}.yaml"
            target.write_text(rewritten(path, form, target), encoding="utf-8")
            scene = load_scene(target)
            assert scene.layout is not None
            assert pieces(scene) == want
            assert scene.layout.layout.plain() == layout
            path = target
        assert load_scene(path).layout.layout == layout  # type: ignore[union-attr]


@given(layouts())
def test_tiles_make_the_board_that_they_were_cut_from(layout: Layout) -> None:
    with tempfile.TemporaryDirectory() as name:
        as_tiles = written(layout, Form.TILES, Path(name), "tiles.yaml")
    assert as_tiles.layout is not None
    laid = as_tiles.layout.layout
    assert laid == tiled(layout, {})
    assert laid.plain() == layout


@given(layouts(), st.integers(0, 3), st.integers(0, 3))
def test_turns_add_up(layout: Layout, first: int, second: int) -> None:
    grid = layout.levels[0].grid
    if grid.width != grid.depth:
        return
    assert turned(turned(grid, first), second) == turned(grid, (first + second) % 4)
    assert turned(grid, 4) == grid


def test_a_turned_tile_carries_everything_with_it(tmp_path: Path) -> None:
    drawn = """
        +-+D+-+
        |. . .|
        + + + +
        |. e .%
        + + +b+
        |c > .|
        +-+-O-+
    """
    own = "".join(f"      {line.strip()}\n" for line in drawn.strip().splitlines())
    content = text(
        {"top": "+ + + +\n . . .\n" * 3 + "+ + + +"}, squares=3, more="own_tiles:\n  odd:\n    map: |\n" + own
    )
    low = "    - name: low\n      tiles: [{tile: odd, at: [0, 0], turn: 90}]\n"
    scene = load_scene(write(tmp_path, content.replace("  levels:\n", "  levels:\n" + low)))
    assert scene.layout is not None
    grid = scene.layout.layout.levels[0].grid
    # a quarter turn counter-clockwise: what was in the east is in the north
    assert grid.squares[1][1] == Square.of(SquareKind.LADDER, Facing.NORTH)
    assert grid.squares[1][2] == Square.of(SquareKind.STAIRS, Facing.NORTH)
    assert grid.squares[0][2] == Square.of(SquareKind.CONSOLE, Facing.NORTH)
    assert grid.across[3][1].kind == "duct"
    assert grid.upright[1][0].kind == "door"
    assert grid.corners[2][3].column == 50.0


def test_a_changed_piece_is_told_on_the_way_back(tmp_path: Path) -> None:
    path = write(tmp_path, text({"main": ROOM}))
    built = tmp_path / "built.yaml"
    built.write_text(rewritten(path, "scene", built), encoding="utf-8")
    assert "built: true" in built.read_text()
    broken = built.read_text().replace("kind: wall", "kind: structure", 1)
    built.write_text(broken, encoding="utf-8")
    with pytest.raises(Exception, match="not as the layout makes it"):
        rewritten(built, "map")


def test_comments_and_other_keys_stay(tmp_path: Path) -> None:
    content = text({"main": ROOM}, scene="# our board\nfighters:\n  - {id: kal, at: [5, 5]}   # the boss")
    path = write(tmp_path, content)
    again = rewritten(path, "tiles")
    assert "# our board" in again
    assert "# the boss" in again
    assert "tile: open" in again


@settings(max_examples=10)
@given(layouts())
def test_maps_are_as_large_as_they_should_be(layout: Layout) -> None:
    said = layout_text(layout, Form.MAP, {})
    lines = said.splitlines()
    starts = [k for k, line in enumerate(lines) if line.strip() == "map: |"]
    assert len(starts) == len(layout.levels)
    for start in starts:
        block = lines[start + 1 : start + 2 + 2 * layout.depth]
        assert all(line.startswith(" " * 6) or not line.strip() for line in block)
