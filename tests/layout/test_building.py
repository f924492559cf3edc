"""A layout's pieces stand where they should, at their real size; mistakes are told with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.errors import UserError
from sandbox.files import shipped
from sandbox.layout.openings import turned_openings
from sandbox.scene import Scene, load_scene
from sandbox.scene.layouts import Facing, Placement, load_library
from sandbox.scene.layouts.names import column_name

from .drawn import HALVES, MM, ROOM, SQUARE, text, write


def scene(folder: Path, content: str) -> Scene:
    return load_scene(write(folder, content))


def piece(found: Scene, name: str) -> tuple[list[float], list[float]]:
    """Sizes and place of a piece in mm."""
    one = next(p for p in found.terrain if p.id == name)
    return [round(v / MM, 3) for v in one.sizes], [round(v / MM, 3) for v in one.at]


def test_tiles_have_their_real_size(tmp_path: Path) -> None:
    found = scene(tmp_path, text({"main": ROOM}))
    assert found.board.size == pytest.approx((289 * MM, 289 * MM))
    assert found.board.zone_mortalis
    nominal = scene(tmp_path, text({"main": ROOM}, tile=304.8))
    assert nominal.board.size == pytest.approx((12.0, 12.0))


def test_walls_are_drawn_between_squares(tmp_path: Path) -> None:
    found = scene(tmp_path, text({"main": HALVES.replace("X", "#")}))
    thin = piece(found, "main wall C1e-C2e")
    # up to the wall on the rim, whose inner half it goes into
    assert thin == ([10.0, 96.333, 60.0], [144.5, 48.167, 0.0])
    thick = piece(found, "main wall C3e")
    assert thick[0] == [25.0, 48.167, 60.0]
    assert thick[1] == [144.5, 120.417, 0.0]
    rim = piece(found, "main wall A1w-A6w")
    assert rim == ([5.0, 289.0, 60.0], [2.5, 144.5, 0.0])


@pytest.mark.parametrize(("drawn", "opening"), [("|. . .X. . .|", 36.167), ("two", 69.0)])
def test_doors_and_their_openings(tmp_path: Path, drawn: str, opening: float) -> None:
    board = HALVES.replace("X", "D")
    if drawn == "two":
        lines = board.splitlines()
        row = next(k for k, line in enumerate(lines) if "D" in line)
        lines[row + 2] = lines[row]
        board = "\n".join(lines)
    found = scene(tmp_path, text({"main": board}))
    assert found.layout is not None
    door = found.layout.built.doors[0]
    assert door.opening == pytest.approx(opening, abs=0.001)
    sizes, at = piece(found, door.name)
    assert sizes == pytest.approx([3.0, opening, 50.0], abs=0.001)
    assert at[0] == 144.5
    kinds = {p.id: p.kind.value for p in found.terrain if p.id.startswith("main door")}
    assert kinds == {
        door.name: "door-closed",
        f"{door.name} jamb-1": "wall",
        f"{door.name} jamb-2": "wall",
        f"{door.name} lintel": "wall",
    }


def test_levels_stand_on_each_other(tmp_path: Path) -> None:
    content = text({"low": ROOM, "mid": ROOM, "top": ROOM}, heights={"low": 2.0, "top": 3.0})
    found = scene(tmp_path, content)
    assert found.layout is not None
    floors = [found.layout.layout.floor_mm(k) for k in range(3)]
    assert floors == pytest.approx([0.0, 54.8, 118.8])
    assert found.board.ceiling == pytest.approx(118.8 * MM + 3.0)
    sizes, at = piece(found, "mid floor 1")
    assert (sizes, at) == ([289.0, 289.0, 4.0], [144.5, 144.5, 50.8])


def test_zones_points_and_agreed_ground(tmp_path: Path) -> None:
    drawn = ROOM.replace("|. . . . . .|", "|~ ~ . o . .|", 1)
    marks = {"main": "RR...1\nRR....\nR.....\n"}
    found = scene(tmp_path, text({"main": drawn}, more='zones: {R: red}\npoints: {"1": gate}', marks=marks))
    assert [area.kind.value for area in found.areas] == ["difficult", "pitfall"]
    assert sum(_area(z.polygon) for z in found.zones) == pytest.approx(5 * SQUARE**2)
    assert {z.id for z in found.zones} == {"red", "red 2"}
    assert found.points[0].at == pytest.approx((5.5 * SQUARE, 5.5 * SQUARE))


def _area(polygon: tuple[tuple[float, float], ...]) -> float:
    xs, ys = zip(*polygon, strict=True)
    return float((max(xs) - min(xs)) * (max(ys) - min(ys)))


def test_terrain_of_the_scene_joins_that_of_the_layout(tmp_path: Path) -> None:
    more = "terrain:\n  - {id: crate, box: [1, 1, 1], at: [5, 5]}"
    found = scene(tmp_path, text({"main": ROOM}, scene=more))
    assert found.terrain[-1].id == "crate"
    with pytest.raises(UserError, match="reserved"):
        scene(tmp_path, text({"main": ROOM}, scene=more.replace("id: crate", 'id: "main wall A1s-F1s"')))


def test_a_layout_in_a_file_of_its_own(tmp_path: Path) -> None:
    whole = text({"main": ROOM})
    own = "\n".join(line[2:] for line in whole.split("layout:\n")[1].splitlines()) + "\n"
    (tmp_path / "board.yaml").write_text(own, encoding="utf-8")
    found = scene(tmp_path, "name: Here\nlayout: board.yaml\n")
    assert found.name == "Here"
    assert len(found.terrain) == 4


MISTAKES = [
    (lambda t: t.replace(". . . . . .", ". . q . . .", 1), "11", "'q' .* is no square; known: "),
    (lambda t: t.replace("+-+-+", "+-|-+", 1), None, None),
    (lambda t: t.replace("+-+-+", "+-+%%+", 1), "10", "line of a map 6 squares wide|no corner"),
    (lambda t: t.replace("        |. . . . . .|\n", "", 1), "10", "13 lines"),
    (
        lambda t: t.replace(". . . . . .", ".   . . . .", 1),
        "11",
        "B6: the lowest level has no floor to leave out",
    ),
    (lambda t: t.replace(". . . . . .", ". n . . . .", 1), "11", "no level above that ladder"),
    (lambda t: t.replace(". . . . . .", ". * . . . .", 1), "9", "lists no tiles"),
    (lambda t: t + "      marks: |\n        Z\n", "24", "A6: the mark 'Z' is in neither"),
    (lambda t: t.replace("levels:", "zones: {A: x}\n  points: {A: y}\n  levels:"), "7", "'A' cannot be used"),
    (lambda t: t.replace("name: main", "name: Main Hall"), "8", "name"),
    (
        lambda t: t.replace("|. . . . . .|", "|. . . .|"),
        "21",
        "E1: the line ends before it: 6 squares and their borders are 13 characters, here are 9",
    ),
    (
        lambda t: t.replace(
            "  levels:", "  legend: {borders: {Q: {kind: door, opening: 47}}}\n  levels:"
        ).replace("|. . . . . .|", "|. . .Q. . .|", 2),
        None,
        None,
    ),
    (
        lambda t: t.replace(
            "  levels:", "  legend: {borders: {Q: {kind: door, opening: 47}}}\n  levels:"
        ).replace("|. . . . . .|", "|. . .Q. . .|", 1),
        "12",
        "main door C6e: an opening of 47 mm does not fit into 48.2 mm; at most 46.2 mm do",
    ),
    (lambda t: t.replace("  squares: 6", "  squares: 6\n  libary: x"), "7", "did you mean 'library'"),
    (lambda t: t.replace("name: Case", "name: Case\nboard: {ceiling: 3}"), "2", "comes from the layout"),
]


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_mistakes_are_one_line_with_their_place(tmp_path: Path, number: int) -> None:
    change, line, said = MISTAKES[number]
    content = change(text({"main": ROOM}))
    if said is None:
        scene(tmp_path, content)
        return
    with pytest.raises(UserError, match=said) as told:
        scene(tmp_path, content)
    if line is not None:
        assert f"case.yaml:{line}:" in str(told.value), str(told.value)
    assert "\n" not in str(told.value)


def test_names_of_squares() -> None:
    assert [column_name(k) for k in (0, 25, 26, 51, 52)] == ["A", "Z", "AA", "AZ", "BA"]


def test_the_library_that_ships(tmp_path: Path) -> None:
    tiles = load_library(shipped("models/zone-mortalis/library.yaml"))
    assert {"crossroads", "hall", "bend", "printed-hall"} <= set(tiles)
    printed = tiles["printed-hall"]
    assert printed.model is not None
    assert printed.openings is not None
    assert set(printed.openings) == {(facing, k) for facing in Facing for k in (2, 3)}
    bend = tiles["printed-bend"]
    assert turned_openings(bend, Placement("x", (0, 0), 90), 6) == [
        (Facing.NORTH, 1), (Facing.NORTH, 0), (Facing.EAST, 0), (Facing.EAST, 1)
    ]  # fmt: skip
    drawn, mesh = (
        scene(
            tmp_path,
            f"layout: {{tiles: [1, 1], levels: [{{name: a, tiles: [{{tile: {name}, at: [0, 0]}}]}}]}}\n",
        )
        for name in ("hall", "printed-hall")
    )
    assert len(mesh.terrain) == 1
    assert mesh.terrain[0].at[2] == pytest.approx(-3 * MM)
    assert len(drawn.terrain) > 4


@pytest.mark.parametrize("name", ["sump-crossing", "vault", "cell-block"])
def test_scenes_that_ship(name: str) -> None:
    found = load_scene(shipped(f"scenes/{name}.yaml"))
    assert found.layout is not None
    assert found.zones
    assert found.points
