"""Scene files: every key is read, every mistake is one line that says what is allowed."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from sandbox.errors import UserError
from sandbox.kinds import Kind
from sandbox.scene import (
    Anchor,
    BoardGround,
    Scene,
    Shape,
    Unit,
    UpAxis,
    load_scene,
    open_scene,
    scene_for_model,
)

WHOLE = """\
name: Sump gantry
rules: necromunda-2023
board:
  size: [36, 48.5]
  ground: pit
  ceiling: 12
  zone_mortalis: true
terrain:
  - id: tower
    model: tower.stl
    units: cm
    up: y
    scale: 0.5
    at: [12, 10]
    turn: 90
    tilt: [5, -5]
    kind: structure
    parts: {"ladder*": ladder, "#3": railing}
    marks: [{kind: ladder, box: [0, 0, 0, 1, 0.3, 3]}]
  - model: tower.stl
  - {box: [2, 2, 1], at: [20, 20, 3]}
  - {cylinder: [1, 4], kind: impassable}
  - {ramp: [6, 2, 3]}
  - {stairs: [6, 2, 3, 8]}
areas:
  - {kind: difficult, polygon: [[4, 4], [8, 4], [8, 9], [4, 9]], z: [0, 1]}
ductways:
  - {from: [10, 12, 0], to: [12, 12]}
zones:
  - {id: south, polygon: [[0, 0], [36, 0], [36, 6]]}
points:
  - {id: lever, at: [3, 4, 5]}
items:
  - {at: [1, 2], heavy: true}
fighters:
  - id: kal
    side: red
    base: 40
    height: 1.6
    at: [10, 6]
    facing: 45
    profile: {M: 5, I: 4}
    status: pinned
    skills: [clamber]
    gear: [grapnel-launcher]
    tags: [mounted]
  - {side: red, base: [35, 60], at: [1, 1, 3]}
  - {at: [2, 2]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tower.stl").write_text("")
    return tmp_path


def read(folder: Path, text: str) -> Scene:
    path = folder / "scene.yaml"
    path.write_text(text)
    return load_scene(path)


def refused(folder: Path, text: str) -> UserError:
    with pytest.raises(UserError) as caught:
        read(folder, text)
    assert "\n" not in str(caught.value)
    return caught.value


def test_every_key_is_read(folder: Path) -> None:
    scene = read(folder, WHOLE)
    assert scene.name == "Sump gantry"
    assert scene.rules == "necromunda-2023"
    assert scene.board.size == (36.0, 48.5)
    assert scene.board.ground is BoardGround.PIT
    assert scene.board.ceiling == 12.0
    assert scene.board.zone_mortalis
    tower = scene.terrain[0]
    assert tower.model == folder / "tower.stl"
    assert (tower.units, tower.up, tower.scale) == (Unit.CM, UpAxis.Y, 0.5)
    assert (tower.at, tower.turn, tower.tilt) == ((12.0, 10.0, 0.0), 90.0, (5.0, -5.0))
    assert tower.kind is Kind.STRUCTURE
    assert tower.parts == (("ladder*", Kind.LADDER), ("#3", Kind.RAILING))
    assert tower.marks[0].kind is Kind.LADDER
    assert (tower.marks[0].low, tower.marks[0].high) == ((0.0, 0.0, 0.0), (1.0, 0.3, 3.0))
    assert tower.anchor is Anchor.CENTRE
    shapes = [(p.shape, p.sizes, p.at) for p in scene.terrain[2:]]
    assert shapes == [
        (Shape.BOX, (2.0, 2.0, 1.0), (20.0, 20.0, 3.0)),
        (Shape.CYLINDER, (1.0, 4.0), (0.0, 0.0, 0.0)),
        (Shape.RAMP, (6.0, 2.0, 3.0), (0.0, 0.0, 0.0)),
        (Shape.STAIRS, (6.0, 2.0, 3.0, 8), (0.0, 0.0, 0.0)),
    ]
    area = scene.areas[0]
    assert (area.kind, area.z, len(area.polygon)) == (Kind.DIFFICULT, (0.0, 1.0), 4)
    assert (scene.ductways[0].start, scene.ductways[0].end) == ((10.0, 12.0, 0.0), (12.0, 12.0, 0.0))
    assert (scene.zones[0].id, scene.zones[0].z) == ("south", None)
    assert (scene.points[0].id, scene.points[0].at, scene.points[0].z) == ("lever", (3.0, 4.0), 5.0)
    assert (scene.items[0].heavy, scene.items[0].z) == (True, None)
    kal = scene.fighter("kal")
    assert (kal.side, kal.base, kal.height, kal.facing) == ("red", (40.0, 40.0), 1.6, 45.0)
    assert (kal.at, kal.z, dict(kal.profile)) == ((10.0, 6.0), None, {"M": 5.0, "I": 4.0})
    assert (kal.status, kal.skills, kal.gear, kal.tags) == (
        "pinned",
        ("clamber",),
        ("grapnel-launcher",),
        ("mounted",),
    )


def test_defaults_are_those_of_the_contract(folder: Path) -> None:
    scene = read(folder, "fighters: [{at: [1, 2]}]\n")
    assert scene.name == "scene"
    assert scene.rules == "necromunda-2023"
    assert scene.board.size == (48.0, 48.0)
    assert scene.board.ground is BoardGround.OPEN
    assert scene.board.ceiling is None
    assert not scene.board.zone_mortalis
    fighter = scene.fighters[0]
    assert fighter.base == (32.0, 32.0)
    assert fighter.height is None
    assert fighter.status == "standing"


def test_ids_are_made_up_and_never_taken_twice(folder: Path) -> None:
    scene = read(folder, WHOLE)
    assert [p.id for p in scene.terrain] == ["tower", "tower-2", "box", "cylinder", "ramp", "stairs"]
    assert [f.id for f in scene.fighters] == ["kal", "red", "fighter"]
    assert scene.ductways[0].id == "duct"
    boxes = read(folder, "terrain: [{box: [1,1,1]}, {box: [1,1,1], id: box-2}, {box: [1,1,1]}]\n")
    assert [p.id for p in boxes.terrain] == ["box", "box-2", "box-3"]


def test_every_object_knows_its_line(folder: Path) -> None:
    scene = read(folder, WHOLE)
    lines = WHOLE.splitlines()
    assert "id: tower" in lines[(scene.terrain[0].line or 0) - 1]
    assert "side: red, base: [35, 60]" in lines[(scene.fighters[1].line or 0) - 1]
    error = scene.error("no such skill", (*scene.fighter("kal").loc, "skills"))
    assert "skills:" in lines[(error.line or 0) - 1]


def test_the_long_axis_of_an_oval_comes_first(folder: Path) -> None:
    assert read(folder, WHOLE).fighters[1].base == (60.0, 35.0)


def test_keys_with_nothing_behind_them_are_left_out(folder: Path) -> None:
    scene = read(folder, "terrain:\nboard:\n  ceiling:\nfighters:\n#  - {at: [1, 2]}\n")
    assert not scene.terrain
    assert not scene.fighters


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("terain: []\n", 1, "unknown key 'terain'; did you mean 'terrain'?"),
        ("terrain:\n- at: [1, 2]\n  modle: tower.stl\n", 3, "did you mean 'model'?"),
        ("terrain:\n- id: x\n  model: towr.stl\n", 3, "the model 'towr.stl' does not exist"),
        ("terrain:\n- {model: tower.txt}\n", 2, "allowed: .stl, .obj"),
        ("terrain:\n- {model: 'package:../x.stl'}\n", 2, "package:NAME/PATH"),
        ("terrain:\n- {box: [1, 1, 1], kind: laddr}\n", 2, "did you mean 'ladder'?"),
        ("terrain:\n- {model: tower.stl, parts: {a: foo}}\n", 2, "allowed: auto, open"),
        ("terrain:\n- {box: [1, 1]}\n", 2, "should be [dx, dy, dz] in inches, not [1, 1]"),
        ("terrain:\n- {box: [1, 1, 1], cylinder: [1, 1]}\n", 2, "has box and cylinder"),
        ("terrain:\n- {at: [1, 1]}\n", 2, "a piece needs one of model, box"),
        ("terrain:\n- {box: [1, 1, 1], units: mm}\n", 2, "'units' is for model files"),
        ("terrain:\n- {box: [1, 1, 1], id: board}\n", 2, "reserved"),
        ("terrain:\n- {stairs: [1, 1, 1, 2.5]}\n", 2, "valid integer"),
        ("terrain:\n- {box: [1, 1, 0]}\n", 2, "greater than 0"),
        ("terrain:\n- {box: [1, 1, 1], scale: .nan}\n", 2, "finite"),
        ("terrain:\n- {box: [1, 1, 1], at: [1e9, 0]}\n", 2, "less than or equal to 1000"),
        ("board: {size: [48, 1e7]}\n", 1, "less than or equal to 600"),
        ("board: {ground: pits}\n", 1, "did you mean 'pit'? Allowed: open, difficult, pit"),
        ("board: {zone_mortalis: 1}\n", 1, "true or false"),
        ("areas:\n- {kind: open, polygon: [[0, 0], [1, 1], [1, 0], [0, 1]]}\n", 2, "no simple outline"),
        ("areas:\n- {kind: open, polygon: [[0, 0], [1, 1]]}\n", 2, "at least 3"),
        ("areas:\n- {kind: open, polygon: [[0, 0], [1, 1], [1, 0]], z: [2, 1]}\n", 2, "the lower one first"),
        ("ductways:\n- {from: [1, 1], too: [2, 2]}\n", 2, "did you mean 'to'?"),
        (
            "fighters:\n- {id: a, at: [1, 1]}\n- id: a\n  at: [3, 3]\n",
            3,
            "used twice in fighters (first on line 2)",
        ),
        ("fighters:\n- id: a\n", 2, "missing key 'at' in fighters[0]"),
        ("fighters:\n- {at: [1]}\n", 2, "should be [x, y] or [x, y, z] in inches, not [1]"),
        ("fighters:\n- {at: [true, 1]}\n", 2, "should be [x, y]"),
        ("fighters:\n- {at: [1, 1], base: round}\n", 2, "a diameter in mm like 32, or [60, 35]"),
        ("fighters:\n- {at: [1, 1], base: 0.5}\n", 2, "greater than or equal to 5"),
        ("fighters:\n- {at: [1, 1], height: 900}\n", 2, "less than or equal to 50"),
        ("fighters:\n- {at: [1, 1], profile: {M: much}}\n", 2, "not a number"),
        ("fighters:\n- {at: [1, 1], id: 7}\n", 2, "put it in quotes"),
        ('fighters:\n- {at: [1, 1], id: "a\\nb"}\n', 2, "one line of plain text"),
        ("name: x\nrules: ./house.yaml\n", 2, "the pack file './house.yaml' does not exist"),
    ],
)
def test_a_mistake_is_one_line_that_says_where_and_what_is_allowed(
    folder: Path, text: str, line: int, said: str
) -> None:
    error = refused(folder, text)
    assert said in error.message
    assert error.line == line
    assert error.file == str(folder / "scene.yaml")


def test_an_unknown_fighter_lists_those_there_are(folder: Path) -> None:
    with pytest.raises(UserError, match="fighters: kal, red, fighter"):
        read(folder, WHOLE).fighter("rax")


def test_a_house_pack_lies_beside_its_scene(folder: Path) -> None:
    (folder / "house.yaml").write_text("")
    assert read(folder, "rules: house.yaml\n").rules == str(folder / "house.yaml")


def test_a_model_alone_lies_with_its_corner_at_the_origin(folder: Path) -> None:
    scene = open_scene(folder / "tower.stl")
    assert scene.board.size is None
    (piece,) = scene.terrain
    assert (piece.id, piece.anchor, piece.at) == ("tower", Anchor.CORNER, (0.0, 0.0, 0.0))
    assert scene_for_model(folder / "tower.stl", units=Unit.INCH).terrain[0].units is Unit.INCH
    assert "tower.stl: x" in str(scene.error("x", ("fighters", 0)))


@pytest.mark.parametrize("name", ["none.stl", "none.yaml", "none.xyz", "none"])
def test_a_missing_file_is_said(folder: Path, name: str) -> None:
    with pytest.raises(UserError, match="no such file"):
        open_scene(folder / name)


def test_other_endings_are_refused_with_those_allowed(folder: Path) -> None:
    (folder / "x.txt").write_text("")
    with pytest.raises(UserError, match=r"allowed endings: \.yaml, \.yml, \.stl"):
        open_scene(folder / "x.txt")


def test_a_scene_can_be_sent_to_another_process(folder: Path) -> None:
    scene = read(folder, WHOLE)
    sent = pickle.loads(pickle.dumps(scene))
    assert sent.terrain == scene.terrain
    assert sent.fighters == scene.fighters
