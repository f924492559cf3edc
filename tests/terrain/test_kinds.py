"""Kinds: of a piece, by node names, parents and body numbers, by marks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import trimesh

from sandbox.kinds import Kind
from sandbox.scene.model import Mark
from sandbox.terrain.build import build_terrain
from sandbox.terrain.model import Terrain

from .shapes import box, obj, piece, saved, scene, stl


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A GLB: house -> (walls, ladder-1 -> rung), and a crate beside it."""
    made = trimesh.Scene(base_frame="root")

    def add(
        name: str, parent: str | None, low: tuple[float, float, float], high: tuple[float, float, float]
    ) -> None:
        triangles = box(low, high) / 1000
        mesh = trimesh.Trimesh(triangles.reshape(-1, 3), np.arange(36).reshape(-1, 3))
        made.add_geometry(mesh, node_name=name, geom_name=f"mesh of {name}", parent_node_name=parent)

    add("house", None, (0, 0, 0), (60, 60, 60))
    add("walls", "house", (80, 0, 0), (120, 60, 60))
    add("ladder-1", "house", (0, 80, 0), (20, 90, 60))
    add("rung", "ladder-1", (0, 100, 0), (20, 110, 60))
    add("crate", None, (80, 80, 0), (100, 100, 20))
    return saved(tmp_path, "house.glb", made.export(file_type="glb"))


def kinds(terrain: Terrain) -> dict[str, Kind]:
    return {part.name.rsplit("/", 1)[-1]: part.kind for part in terrain.parts[1:]}


def test_node_paths_are_kept(house: Path) -> None:
    names = {part.name for part in build_terrain(scene(piece(house))).parts[1:]}
    assert {name.rsplit("house", 1)[-1] for name in names if "house" in name} == {
        "",
        "/walls",
        "/ladder-1",
        "/ladder-1/rung",
    }


def test_the_kind_of_the_piece_covers_everything(house: Path) -> None:
    assert set(kinds(build_terrain(scene(piece(house, kind=Kind.WALL)))).values()) == {Kind.WALL}


def test_a_pattern_goes_before_the_piece_and_covers_children(house: Path) -> None:
    found = kinds(build_terrain(scene(piece(house, kind=Kind.STRUCTURE, parts=(("ladder*", Kind.LADDER),)))))
    assert found == {
        "house": Kind.STRUCTURE,
        "walls": Kind.STRUCTURE,
        "ladder-1": Kind.LADDER,
        "rung": Kind.LADDER,
        "crate": Kind.STRUCTURE,
    }


def test_the_nearest_match_counts(house: Path) -> None:
    found = kinds(build_terrain(scene(piece(house, parts=(("house", Kind.WALL), ("ladder-?", Kind.LADDER))))))
    assert found["walls"] is Kind.WALL
    assert found["rung"] is Kind.LADDER
    assert found["crate"] is Kind.AUTO


def test_a_pattern_may_be_a_path(house: Path) -> None:
    found = kinds(build_terrain(scene(piece(house, parts=(("*house/w*", Kind.WALL),)))))
    assert [name for name, kind in found.items() if kind is Kind.WALL] == ["walls"]


def test_a_pattern_that_matches_nothing_is_warned_of_with_the_names_there_are(house: Path) -> None:
    notes = build_terrain(scene(piece(house, parts=(("lader*", Kind.LADDER),)))).notes
    (warning,) = [note for note in notes if note.warning]
    assert "'lader*'" in warning.text
    assert "ladder-1" in warning.text


def test_a_body_number_counts_in_the_order_of_the_file(tmp_path: Path) -> None:
    mesh = np.concatenate([box((k * 40, 0, 0), (k * 40 + 20, 20, 20 + k)) for k in (2, 0, 1)])
    path = saved(tmp_path, "a.stl", stl(mesh))
    terrain = build_terrain(scene(piece(path, parts=(("#3", Kind.DANGEROUS),))))
    assert [part.height_mm for part in terrain.parts if part.kind is Kind.DANGEROUS] == pytest.approx([21])
    notes = build_terrain(scene(piece(path, parts=(("#4", Kind.DANGEROUS),)))).notes
    assert any(note.warning and "#4" in note.text and "3" in note.text for note in notes)


def test_a_body_of_another_kind_is_a_part_of_its_own_where_it_touches(tmp_path: Path) -> None:
    mesh = np.concatenate((box((0, 0, 0), (40, 40, 20)), box((0, 0, 20), (10, 10, 40), flip=("bottom",))))
    path = saved(tmp_path, "a.stl", stl(mesh))
    assert len(build_terrain(scene(piece(path))).parts) == 2
    assert len(build_terrain(scene(piece(path, parts=(("#2", Kind.RAILING),)))).parts) == 3


def test_obj_objects_groups_and_stl_solids_have_names(tmp_path: Path) -> None:
    text = obj({"rails": box((0, 0, 0), (40, 5, 20))}, "g") + b"\no deck\n"
    path = saved(tmp_path, "a.obj", text)
    assert build_terrain(scene(piece(path))).parts[1].name == "rails"
    solid = "".join(
        f"solid {name}\n"
        + "".join(
            "facet normal 0 0 0\nouter loop\n"
            + "".join(f"vertex {x} {y} {z}\n" for x, y, z in face)
            + "endloop\nendfacet\n"
            for face in box(low, high).tolist()
        )
        + f"endsolid {name}\n"
        for name, low, high in (("ladder a", (0, 0, 0), (9, 9, 9)), ("deck", (20, 0, 0), (40, 20, 20)))
    )
    path = saved(tmp_path, "b.stl", solid.encode())
    terrain = build_terrain(scene(piece(path, parts=(("ladder*", Kind.LADDER),))))
    assert [(part.name, part.kind) for part in terrain.parts[1:]] == [
        ("ladder a", Kind.LADDER),
        ("deck", Kind.AUTO),
    ]


def test_object_and_group_make_a_path(tmp_path: Path) -> None:
    lines = ["o house", "g ladder"]
    for number, corner in enumerate(box((0, 0, 0), (20, 20, 20)).reshape(-1, 3).tolist()):
        lines.append("v {} {} {}".format(*corner))
        if number % 3 == 2:
            lines.append("f -3 -2 -1")
    path = saved(tmp_path, "a.obj", "\n".join(lines).encode())
    assert build_terrain(scene(piece(path))).parts[1].name == "house/ladder"


def test_marks_take_whole_faces_in_inches_of_the_models_own_frame(tmp_path: Path) -> None:
    mesh = np.concatenate((box((100, 0, 0), (125.4, 25.4, 25.4)), box((200, 0, 0), (250, 25.4, 25.4))))
    path = saved(tmp_path, "a.stl", stl(mesh))
    mark = Mark(Kind.DIFFICULT, (100 / 25.4, 0.0, 1.0), (125.4 / 25.4, 1.0, 1.0))
    terrain = build_terrain(scene(piece(path, marks=(mark,), turn=45, at=(30, 30, 0))))
    marked = [k for k, part in enumerate(terrain.parts) if part.kind is Kind.DIFFICULT]
    assert len(marked) == 1
    assert (terrain.face_part == marked[0]).sum() == 2
    assert terrain.parts[marked[0]].low_mm == pytest.approx(25.4)


def test_the_faces_of_one_mark_are_one_part(tmp_path: Path) -> None:
    rungs = [box((0, 0, z), (20, 3, z + 3)) for z in (10, 20, 30)]
    path = saved(tmp_path, "a.stl", stl(np.concatenate((box((0, 10, 0), (60, 20, 60)), *rungs))))
    mark = Mark(Kind.LADDER, (0.0, 0.0, 0.3), (1.0, 0.2, 1.4))
    ladders = [
        part for part in build_terrain(scene(piece(path, marks=(mark,)))).parts if part.kind is Kind.LADDER
    ]
    assert [(part.low_mm, part.high_mm) for part in ladders] == [pytest.approx((10, 33))]


def test_an_empty_mark_is_warned_of(tmp_path: Path) -> None:
    path = saved(tmp_path, "a.stl", stl(box((0, 0, 0), (20, 20, 20))))
    notes = build_terrain(scene(piece(path, marks=(Mark(Kind.LADDER, (5, 5, 5), (6, 6, 6)),)))).notes
    assert any(note.warning and "mark 1" in note.text for note in notes)


def test_unnamed_gltf_nodes_take_the_meshes_name(tmp_path: Path) -> None:
    data = trimesh.Scene(trimesh.creation.box((0.02, 0.02, 0.02))).export(file_type="glb")
    length = int.from_bytes(data[12:16], "little")
    tree = json.loads(data[20 : 20 + length])
    for node in tree["nodes"]:
        node.pop("name", None)
    tree["meshes"][0]["name"] = "ladder"
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + length :]
    whole = b"glTF" + (2).to_bytes(4, "little") + (20 + len(text) + len(rest)).to_bytes(4, "little")
    path = saved(tmp_path, "a.glb", whole + len(text).to_bytes(4, "little") + b"JSON" + text + rest)
    assert build_terrain(scene(piece(path))).parts[1].name.endswith("ladder")
