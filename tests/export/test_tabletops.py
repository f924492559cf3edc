"""Boards for other tabletops: in the form that their documentation gives, with everything in its place."""

from __future__ import annotations

import base64
import io
import json
import math
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import jsonschema
import numpy as np
import pytest
import shapely
from PIL import Image

from sandbox.cli import main
from sandbox.errors import UserError
from sandbox.export import tabletop
from sandbox.export.meshes import bodies_of
from sandbox.export.tabletop import grouped, write_tabletop
from sandbox.export.virtual import write_virtual
from sandbox.files import shipped
from sandbox.layout.board import layout_scene
from sandbox.scene import Scene, load_scene
from sandbox.scene.layouts import State
from sandbox.terrain.load import load_model

VAULT = shipped("scenes/vault.yaml")
INCH = 25.4

POINT = {
    "type": "object",
    "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
    "required": ["x", "y"],
    "additionalProperties": False,
}
LINES = {"type": "array", "items": {"type": "array", "items": POINT, "minItems": 2}}
UNIVERSAL = {
    "type": "object",
    "required": ["format", "resolution", "line_of_sight", "portals", "environment", "lights", "image"],
    "properties": {
        "format": {"const": 0.3},
        "resolution": {
            "type": "object",
            "required": ["map_origin", "map_size", "pixels_per_grid"],
            "properties": {
                "map_origin": POINT,
                "map_size": POINT,
                "pixels_per_grid": {"type": "integer", "minimum": 1},
            },
        },
        "line_of_sight": LINES,
        "objects_line_of_sight": LINES,
        "portals": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["position", "bounds", "rotation", "closed", "freestanding"],
                "properties": {
                    "position": POINT,
                    "bounds": {"type": "array", "items": POINT, "minItems": 2, "maxItems": 2},
                    "rotation": {"type": "number"},
                    "closed": {"type": "boolean"},
                    "freestanding": {"type": "boolean"},
                },
            },
        },
        "environment": {
            "type": "object",
            "required": ["baked_lighting", "ambient_light"],
            "properties": {
                "baked_lighting": {"type": "boolean"},
                "ambient_light": {"type": "string", "pattern": "^[0-9a-fA-F]{8}$"},
            },
        },
        "lights": {"type": "array"},
        "image": {"type": "string", "contentEncoding": "base64"},
    },
}
"""Universal VTT 0.3, as Arkenforge describes it."""
VECTOR = {"type": "number"}
SAVED_OBJECT = {
    "type": "object",
    "required": ["SaveName", "GameMode", "Table", "Sky", "Note", "Rules", "PlayerTurn", "ObjectStates"],
    "properties": {
        "ObjectStates": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["Name", "Transform", "Nickname", "ColorDiffuse", "Locked", "CustomMesh", "GUID"],
                "properties": {
                    "Name": {"const": "Custom_Model"},
                    "GUID": {"type": "string", "pattern": "^[0-9a-f]{6}$"},
                    "Locked": {"type": "boolean"},
                    "Transform": {
                        "type": "object",
                        "required": [f"{a}{b}" for a in ("pos", "rot", "scale") for b in "XYZ"],
                        "additionalProperties": VECTOR,
                    },
                    "ColorDiffuse": {
                        "type": "object",
                        "required": ["r", "g", "b"],
                        "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1},
                    },
                    "CustomMesh": {
                        "type": "object",
                        "required": [
                            "MeshURL", "DiffuseURL", "NormalURL", "ColliderURL", "Convex", "MaterialIndex", "TypeIndex",
                        ],
                        "properties": {
                            "MeshURL": {"type": "string", "minLength": 1},
                            "Convex": {"type": "boolean"},
                            "MaterialIndex": {"type": "integer", "minimum": 0, "maximum": 3},
                            "TypeIndex": {"type": "integer", "minimum": 0, "maximum": 7},
                        },
                    },
                },
            },
        }
    },
}  # fmt: skip
"""A saved object, as the Tabletop Simulator knowledge base describes it."""


@pytest.fixture(scope="module")
def vault() -> Scene:
    return load_scene(VAULT)


# -- Tabletop Simulator --------------------------------------------------------------------------------------------


def saved(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder / "board.json").read_text(encoding="utf-8"))
    return told


def test_a_saved_object_has_the_documented_form(vault: Scene, tmp_path: Path) -> None:
    written = write_tabletop(vault, tmp_path / "a board")
    told = saved(tmp_path / "a board")
    jsonschema.validate(told, SAVED_OBJECT)
    objects = told["ObjectStates"]
    assert len({one["GUID"] for one in objects}) == len(objects) == len(written) - 1
    for one in objects:
        mesh = one["CustomMesh"]
        assert mesh["ColliderURL"] == mesh["MeshURL"]
        assert mesh["Convex"] is False
        file = Path(unquote(urlparse(mesh["MeshURL"]).path))
        assert file in written


def test_every_piece_is_in_one_object_and_doors_are_their_own(vault: Scene) -> None:
    groups = grouped(vault)
    assert sorted(p.id for pieces in groups.values() for p in pieces) == sorted(p.id for p in vault.terrain)
    assert vault.layout is not None
    names = {piece.id for piece in vault.terrain}
    for door in vault.layout.built.doors:
        assert (door.name in groups) == (door.name in names)
    assert {"floor level", "gallery level"} <= set(groups)


def test_models_come_back_as_large_as_the_board(vault: Scene, tmp_path: Path) -> None:
    write_tabletop(vault, tmp_path / "v", address="https://example.org/boards")
    objects = {one["Nickname"]: one for one in saved(tmp_path / "v")["ObjectStates"]}
    assert objects["floor level"]["CustomMesh"]["MeshURL"].startswith("https://example.org/boards/0")
    bodies = {body.name: body for body in bodies_of(vault)}
    middle = np.array([578.0 / 2, 578.0 / 2, 0.0])
    for name, pieces in grouped(vault).items():
        model = load_model(tmp_path / "v" / objects[name]["CustomMesh"]["MeshURL"].rsplit("/", 1)[1])
        got = np.concatenate([node.vertices[node.faces] for node in model.nodes]).reshape(-1, 3)
        wanted = (
            np.concatenate([bodies[p.id].vertices[bodies[p.id].faces] for p in pieces]).reshape(-1, 3)
            - middle
        )
        # inches, y up: east, up, south
        turned = np.column_stack([wanted[:, 0], wanted[:, 2], -wanted[:, 1]]) / INCH
        assert len(got) == len(turned)
        assert got.min(axis=0) == pytest.approx(turned.min(axis=0), abs=1e-4)
        assert got.max(axis=0) == pytest.approx(turned.max(axis=0), abs=1e-4)
        signed = np.einsum("ij,ij->i", got[::3], np.cross(got[1::3], got[2::3])).sum()
        assert signed > 0.0


def test_models_too_large_for_the_game_are_told(
    vault: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tabletop, "MOST_VERTICES", 100)
    with pytest.raises(UserError, match="more than the 100 that Tabletop Simulator takes"):
        write_tabletop(vault, tmp_path / "v")
    assert not (tmp_path / "v").exists()


# -- Universal VTT -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    written = write_virtual(VAULT, tmp_path_factory.mktemp("vtt"), 40)
    assert [path.name for path in written] == ["1-floor.dd2vtt", "2-gallery.dd2vtt"]
    return [json.loads(path.read_text(encoding="utf-8")) for path in written]


def test_maps_have_the_documented_form(maps: list[dict[str, Any]]) -> None:
    for told in maps:
        jsonschema.validate(told, UNIVERSAL)
        size = told["resolution"]["map_size"]
        assert (size["x"], size["y"]) == pytest.approx((578 / INCH, 578 / INCH), abs=1e-3)
        picture = Image.open(io.BytesIO(base64.b64decode(told["image"])))
        assert picture.size == (round(size["x"] * 40), round(size["y"] * 40))
        for line in told["line_of_sight"]:
            assert all(
                -1e-6 <= p["x"] <= size["x"] + 1e-3 and -1e-6 <= p["y"] <= size["y"] + 1e-3 for p in line
            )


def test_walls_stop_sight_where_the_board_does(maps: list[dict[str, Any]], vault: Scene) -> None:
    """Between the middles of squares side by side a line meets a wall or a closed door, or it does not, as drawn."""
    loaded = layout_scene(VAULT).layout
    assert loaded is not None
    layout = loaded.layout
    pitch = layout.pitch / INCH
    for level, told in enumerate(maps):
        grid = layout.levels[level].grid
        walls = shapely.union_all(
            [shapely.LineString([(p["x"], p["y"]) for p in line]) for line in told["line_of_sight"]]
        )
        portals = [
            (shapely.LineString([(p["x"], p["y"]) for p in one["bounds"]]), one["closed"])
            for one in told["portals"]
        ]
        tried = 0
        for r in range(layout.depth):
            for c in range(layout.width - 1):
                border = grid.upright[r][c + 1]
                if (
                    "solid" in (grid.squares[r][c].kind, grid.squares[r][c + 1].kind)
                    or border.kind.value == "rail"
                ):
                    continue
                y = (layout.depth - r - 0.5) * pitch
                # a little aside of the middle, where columns and crates in squares are not in the way
                line = shapely.LineString([((c + 0.85) * pitch, y), ((c + 1.15) * pitch, y)])
                posts = (grid.corners[r][c + 1], grid.corners[r + 1][c + 1])
                beside = [grid.across[k][j] for k in (r, r + 1) for j in (c, c + 1)]
                if any(post.column for post in posts) or any(one.thick > 10.0 for one in (border, *beside)):
                    continue  # thick ones reach over the middle of the border
                met = line.intersects(walls)
                doors = [closed for portal, closed in portals if line.intersects(portal)]
                tried += 1
                if border.kind.value == "door":
                    if doors:
                        assert doors == [border.state is not State.OPEN], (level, c, r)
                        assert not met, (level, c, r)
                else:
                    assert met == border.is_wall, (level, c, r, border)
                    assert not doors
        assert tried > 60


def test_doors_are_portals(maps: list[dict[str, Any]], vault: Scene) -> None:
    assert vault.layout is not None
    for level, told in enumerate(maps):
        doors = [d for d in vault.layout.built.doors if d.level == level and d.leaf.sizes[2] > 10.0]
        assert len(told["portals"]) == len(doors) > 2
        for door, portal in zip(doors, told["portals"], strict=True):
            (a, b) = portal["bounds"]
            assert math.dist((a["x"], a["y"]), (b["x"], b["y"])) * INCH == pytest.approx(
                door.opening, abs=0.01
            )
            assert (a["x"] + b["x"]) / 2 == pytest.approx(portal["position"]["x"], abs=1e-3)
            assert portal["rotation"] == pytest.approx(
                math.atan2(abs(b["y"] - a["y"]), abs(b["x"] - a["x"])), abs=1e-5
            )


def test_tiles_that_are_meshes_stop_sight_too(tmp_path: Path) -> None:
    """The printed hall of the cell block, south-east: open in the middle of its sides, walled beside that."""
    (path,) = write_virtual(shipped("scenes/cell-block.yaml"), tmp_path, 20)
    told = json.loads(path.read_text(encoding="utf-8"))
    walls = shapely.union_all(
        [shapely.LineString([(p["x"], p["y"]) for p in line]) for line in told["line_of_sight"]]
    )
    pitch = 289 / 6 / INCH
    for row, closed in ((0, True), (1, True), (2, False), (3, False), (4, True)):
        y = (12 - row - 0.5) * pitch
        line = shapely.LineString([(6.6 * pitch, y), (5.4 * pitch, y)])
        assert line.intersects(walls) == closed, row
    # drawn as well: dark where the mesh stands
    picture = np.asarray(Image.open(io.BytesIO(base64.b64decode(told["image"]))).convert("L")).astype(int)
    assert picture[int((12 - 0.5) * pitch * 20), int(6.06 * pitch * 20)] < 130
    assert picture[int((12 - 2.5) * pitch * 20), int(6.06 * pitch * 20)] > 200


def test_the_picture_shows_the_walls(maps: list[dict[str, Any]]) -> None:
    told = maps[0]
    picture = np.asarray(Image.open(io.BytesIO(base64.b64decode(told["image"]))).convert("L")).astype(int)
    longest = max(told["line_of_sight"], key=len)
    inside = shapely.Polygon([(p["x"], p["y"]) for p in longest])
    assert inside.area > 1.0
    # the thick wall west of square D8 of the vault: two inches around its middle
    x, y = 3 * 48.1667 / INCH, (12 - 7.5) * 48.1667 / INCH
    assert picture[int(y * 40), int(x * 40)] < 110
    assert picture[int(y * 40), int((x + 1.9) * 40)] > 200


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "universal-vtt", str(VAULT), str(tmp_path / "v"), "--pixels", "20", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["files"]) == 2
    assert main(["export", "tabletop-simulator", str(VAULT), str(tmp_path / "t"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"][0].endswith("board.json")
    assert main(["export", "universal-vtt", str(shipped("scenes/gantry.yaml")), str(tmp_path / "g")]) == 2


def test_addresses_and_pictures_that_nothing_takes_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["export", "tabletop-simulator", str(VAULT), str(tmp_path / "t"), "--address", "foo"]
    assert main(call) == 2
    assert "--address: 'foo' should be an address like https://" in capsys.readouterr().err
    large = tmp_path / "large.yaml"
    row = "+" + " +" * 36 + "\n" + ("        |" + ". " * 35 + ".|\n        +" + " +" * 36 + "\n") * 36
    large.write_text(
        "name: Large\nlayout:\n  tiles: [6, 6]\n  levels:\n    - name: a\n      map: |\n        " + row,
        "utf-8",
    )
    assert main(["export", "universal-vtt", str(large), str(tmp_path / "v"), "--pixels", "300"]) == 2
    assert "--pixels 146 fits" in capsys.readouterr().err
    assert not (tmp_path / "v").exists()
