"""Model files as people have them: what is read, what is put up with, what is refused and why."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sandbox.errors import UserError
from sandbox.scene.model import Unit, UpAxis
from sandbox.terrain.formats.raw import RawModel
from sandbox.terrain.load import load_model

from .shapes import box, obj, saved, stl

CUBE = box((0, 0, 0), (10, 20, 30))


def refusal(path: Path) -> str:
    """The one line with which a file is refused."""
    with pytest.raises(UserError) as caught:
        load_model(path)
    line = str(caught.value)
    assert line.startswith(str(path))
    assert "\n" not in line
    return line.removeprefix(str(path))


def size(model: RawModel) -> list[float]:
    corners = np.concatenate([node.vertices[node.faces].reshape(-1, 3) for node in model.nodes])
    return [float(value) for value in corners.max(axis=0) - corners.min(axis=0)]


def ascii_stl(end: str = "\n", last: bool = True, name: str = "cube") -> bytes:
    lines = [f"solid {name}"]
    for face in CUBE.tolist():
        lines += ["  facet normal 0 0 0", "    outer loop"]
        lines += [f"      vertex {x:e} {y:e} {z:e}" for x, y, z in face]
        lines += ["    endloop", "  endfacet"]
    return end.join([*lines, *([f"endsolid {name}", ""] if last else [])]).encode()


@pytest.mark.parametrize(
    ("data", "noted"),
    [
        (stl(CUBE), False),
        (stl(CUBE, b"solid made by hand"), False),
        (stl(CUBE) + b"trailing words", True),
        (ascii_stl(), False),
        (ascii_stl("\r\n"), False),
        (ascii_stl("\r"), False),
        (ascii_stl(last=False), True),
        (ascii_stl().upper(), False),
    ],
    ids=["binary", "binary 'solid'", "trailing bytes", "ascii", "crlf", "cr", "no last line", "capitals"],
)
def test_stl_in_all_its_forms(tmp_path: Path, data: bytes, noted: bool) -> None:
    model = load_model(saved(tmp_path, "a.STL", data))
    assert model.triangles == 12
    assert size(model) == pytest.approx([10, 20, 30])
    assert bool(model.notes) == noted
    assert (model.unit, model.up) == (Unit.MM, UpAxis.Z)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"solid nothing\nendsolid nothing\n", "no triangles"),
        (stl(CUBE)[:300], "promises 12 facets and 4 are there"),
        (stl(CUBE)[:84], "promises 12 facets and 0 are there"),
        (ascii_stl()[:900], "cut short"),
        (ascii_stl().replace(b"1.000000e+01", b"1.0e+0x", 1), "no number"),
        (ascii_stl().replace(b"1.000000e+01", b"nan", 1), "not finite"),
        (b"\x01\x02\x03", "no STL"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "git lfs pull"),
        (b"<html>not found</html>", "no STL"),
    ],
)
def test_broken_stl_is_refused_with_the_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    assert reason in refusal(saved(tmp_path, "a.stl", data))


def test_a_cut_facet_is_refused_with_its_line(tmp_path: Path) -> None:
    lines = ascii_stl().decode().split("\n")
    del lines[10]  # the second facet begins on line 9
    assert refusal(saved(tmp_path, "a.stl", "\n".join(lines).encode())).startswith(":9: ")


def _encoded(encoding: str) -> bytes:
    return obj({"caf\u00e9": CUBE}).decode().encode(encoding)


@pytest.mark.parametrize(
    "data",
    [
        obj({"a": CUBE}),
        obj({"a": CUBE}).replace(b"\n", b"\r\n"),
        obj({"a": CUBE}).replace(b" ", b"\t"),
        b"mtllib gone.mtl\nusemtl x\n" + obj({"a": CUBE}),
        _encoded("utf-16"),
        _encoded("utf-16-be"),
        _encoded("latin-1"),
        obj({"a": CUBE}).replace(b"f 1 2 3", b"f 1/1 2/2/2 3//3"),
        obj({"a": CUBE}).replace(b"f 1 2 3", b"f 1 \\\n2 3 # the first"),
        obj({"a": CUBE}).replace(b"f 1 2 3", b"f -3 1 2") + b"\nl 1 2\np 3\n",
    ],
)
def test_obj_in_all_its_forms(tmp_path: Path, data: bytes) -> None:
    if b"f -3 1 2" in data:
        data = data.replace(b"f -3 1 2", b"f 1 2 3")
    model = load_model(saved(tmp_path, "a.obj", data))
    assert model.triangles == 12
    assert size(model) == pytest.approx([10, 20, 30])


def test_negative_obj_indices_count_from_the_last_vertex_before_the_face(tmp_path: Path) -> None:
    text = b"v 0 0 0\nv 10 0 0\nv 0 20 0\nf -3 -2 -1\nv 9 9 9\nv 8 8 8\nv 7 7 30\nf -6 -5 -1\n"
    (node,) = load_model(saved(tmp_path, "a.obj", text)).nodes
    assert node.vertices[node.faces[0]].tolist() == [[0, 0, 0], [10, 0, 0], [0, 20, 0]]
    assert node.vertices[node.faces[1]].tolist() == [[0, 0, 0], [10, 0, 0], [7, 7, 30]]


def test_a_hollow_obj_polygon_is_cut_into_ears(tmp_path: Path) -> None:
    """An L: a fan from its first corner would cover the notch."""
    corners = [(40, 10), (40, 0), (0, 0), (0, 40), (10, 40), (10, 10)][::-1]
    text = "".join(f"v {x} {y} 0\n" for x, y in corners) + "f 1 2 3 4 5 6\n"
    (node,) = load_model(saved(tmp_path, "a.obj", text.encode())).nodes
    a, b, c = (node.vertices[node.faces[:, k]] for k in range(3))
    area = np.cross(b - a, c - a)[:, 2] / 2
    assert len(area) == 4
    assert abs(area.sum()) == pytest.approx(700)
    assert np.abs(area).sum() == pytest.approx(700)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", ":4: has a face"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", ":4: has a face"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", "no number"),
        (b"v 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "three numbers"),
        (b"v 0 0 0\nv 1 0 0\n", "no triangles"),
        (b"v 0 0 inf\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not finite"),
    ],
)
def test_broken_obj_is_refused_with_the_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    assert reason in refusal(saved(tmp_path, "a.obj", data))


def gltf(**changes: object) -> dict[str, object]:
    """A one-triangle glTF with its data inside."""
    data = struct.pack("<9f3H", 0, 0, 0, 1, 0, 0, 0, 2, 3, 0, 1, 2)
    tree: dict[str, object] = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "a", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
        "buffers": [{"byteLength": 42, "uri": "data:;base64," + base64.b64encode(data).decode()}],
    }
    return {**tree, **changes}


def test_gltf_nodes_go_through_the_scene_graph(tmp_path: Path) -> None:
    nodes = [
        {"name": "root", "children": [1, 2], "translation": [10, 0, 0], "scale": [2, 2, 2]},
        {"name": "turned", "mesh": 0, "rotation": [0, 0, 2**-0.5, 2**-0.5]},
        {"name": "mirrored", "mesh": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]},
    ]
    model = load_model(saved(tmp_path, "a.gltf", json.dumps(gltf(nodes=nodes)).encode()))
    assert [node.path for node in model.nodes] == [("root", "turned"), ("root", "mirrored")]
    turned, mirrored = model.nodes
    assert turned.vertices == pytest.approx(np.array([[10, 0, 0], [10, 2, 0], [6, 0, 6]]))
    assert mirrored.vertices == pytest.approx(np.array([[10, 0, 0], [8, 0, 0], [10, 4, 6]]))
    assert mirrored.faces.tolist() == [[2, 1, 0]]  # a mirror turns faces over
    assert (model.unit, model.up) == (Unit.METRE, UpAxis.Y)


def test_gltf_strips_fans_and_primitives_of_one_mesh_are_one_node(tmp_path: Path) -> None:
    points = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0)
    tree = gltf(
        meshes=[{"primitives": [{"attributes": {"POSITION": 0}, "mode": mode} for mode in (5, 6, 1)]}],
        accessors=[{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}],
        bufferViews=[{"buffer": 0, "byteLength": 48}],
        buffers=[{"byteLength": 48, "uri": "data:;base64," + base64.b64encode(points).decode()}],
    )
    (node,) = load_model(saved(tmp_path, "a.gltf", json.dumps(tree).encode())).nodes
    assert node.faces.tolist() == [[0, 1, 2], [3, 2, 1], [4, 5, 6], [4, 6, 7]]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"nodes": [{"children": [1]}, {"children": [0], "mesh": 0}]}, "own ancestor"),
        ({"nodes": [{"mesh": 7}]}, "no valid glTF"),
        ({"nodes": [{}]}, "no triangles"),
        ({"asset": {"version": "1.0"}}, "version 1.0"),
        ({"extensionsRequired": ["KHR_draco_mesh_compression"]}, "without compression"),
        ({"buffers": [{"byteLength": 42, "uri": "http://example.com/a.bin"}]}, "only files beside"),
        ({"buffers": [{"byteLength": 42, "uri": "../secret.bin"}]}, "outside its own folder"),
        ({"buffers": [{"byteLength": 42, "uri": "/etc/hostname"}]}, "outside its own folder"),
        ({"buffers": [{"byteLength": 42, "uri": "%2e%2e/secret.bin"}]}, "outside its own folder"),
        ({"buffers": [{"byteLength": 42, "uri": "gone.bin"}]}, "not there"),
        ({"buffers": [{"byteLength": 99, "uri": "data:;base64,AAAA"}]}, "cut short"),
        ({"bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteLength": 4}]}, "past the end"),
        (
            {
                "bufferViews": [
                    {"buffer": 0, "byteLength": 36},
                    {"buffer": 0, "byteOffset": 12, "byteLength": 30},
                ]
            },
            "past its end",
        ),
    ],
)
def test_broken_gltf_is_refused_with_the_reason(
    tmp_path: Path, changes: dict[str, object], reason: str
) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    saved(tmp_path, "secret.bin", b"\0" * 42)
    assert reason in refusal(saved(folder, "a.gltf", json.dumps(gltf(**changes)).encode()))


@pytest.mark.parametrize("cut", [10, 30, 100])
def test_a_glb_cut_short_is_refused(tmp_path: Path, cut: int) -> None:
    text = json.dumps(gltf()).encode()
    text += b" " * (-len(text) % 4)
    whole = b"glTF" + struct.pack("<II", 2, 20 + len(text)) + struct.pack("<I", len(text)) + b"JSON" + text
    assert load_model(saved(tmp_path, "whole.glb", whole)).triangles == 1
    refusal(saved(tmp_path, "a.glb", whole[:-cut]))


def test_ply_and_off(tmp_path: Path) -> None:
    import trimesh

    mesh = trimesh.Trimesh(CUBE.reshape(-1, 3), np.arange(36).reshape(-1, 3))
    for name, form in (("a.ply", {}), ("b.ply", {"encoding": "ascii"}), ("c.off", {})):
        data = mesh.export(file_type=name[-3:], **form)
        path = saved(tmp_path, name, data if isinstance(data, bytes) else data.encode())
        assert load_model(path).triangles == 12
        assert size(load_model(path)) == pytest.approx([10, 20, 30])
        refusal(saved(tmp_path, "cut-" + name, path.read_bytes()[:-60]))
    quads = b"COFF # colours\n4 1 0\n0 0 0 1 1 1 1\n9 0 0 1 1 1 1\n9 9 0 1 1 1 1\n0 9 0 1 1 1 1\n4 0 1 2 3 255 0 0\n"
    assert load_model(saved(tmp_path, "d.off", quads)).triangles == 2
    assert "names a vertex" in refusal(saved(tmp_path, "e.off", quads.replace(b"4 0 1 2 3", b"4 0 1 2 9")))


_SPACE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"


def threemf(build: str, objects: str = "", unit: str = "millimeter", more: str = "") -> bytes:
    """A 3MF package: object 1 is the block, `objects` are further ones."""
    mesh = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in CUBE.reshape(-1, 3).tolist())
    faces = "".join(f'<triangle v1="{3 * k}" v2="{3 * k + 1}" v3="{3 * k + 2}"/>' for k in range(12))
    block = f"<mesh><vertices>{mesh}</vertices><triangles>{faces}</triangles></mesh>"
    text = (
        f'<?xml version="1.0"?>{more}<model xmlns="{_SPACE}" unit="{unit}"><resources>'
        f'<object id="1" name="block">{block}</object><object id="2" type="support">{block}</object>{objects}'
        f"</resources><build>{build}</build></model>"
    )
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("3D/3dmodel.model", text)
    return held.getvalue()


def test_3mf_items_components_units_and_supports(tmp_path: Path) -> None:
    pair = '<object id="3" name="pair"><components><component objectid="1"/>'
    pair += '<component objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0 50"/></components></object>'
    build = (
        '<item objectid="3" transform="0 1 0 -1 0 0 0 0 1 100 0 0"/><item objectid="2"/><item objectid="1"/>'
    )
    model = load_model(saved(tmp_path, "a.3mf", threemf(build, pair, "inch")))
    assert [node.path for node in model.nodes] == [("pair", "block"), ("pair", "block"), ("block",)]
    assert model.unit is Unit.INCH
    assert model.nodes[1].vertices.min(axis=0) == pytest.approx([80, 0, 50])
    assert model.nodes[1].vertices.max(axis=0) == pytest.approx([100, 10, 80])
    assert any("support" in note for note in model.notes)
    assert size(load_model(saved(tmp_path, "b.3mf", threemf('<item objectid="1"/>', unit="foot")))) == [
        120,
        240,
        360,
    ]


_LOOP = '<object id="3"><components><component objectid="3"/></components></object>'
_BOMB = "".join(
    f'<object id="{k}"><components>{f"<component objectid={chr(34)}{k - 1 if k > 10 else 1}{chr(34)}/>" * 9}'
    "</components></object>"
    for k in range(10, 20)
)
_ENTITY = '<!DOCTYPE model [<!ENTITY a SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (threemf('<item objectid="9"/>'), "object 9"),
        (threemf('<item objectid="3"/>', _LOOP), "holds itself"),
        (threemf('<item objectid="19"/>', _BOMB), "more than the 2,000 parts"),
        (threemf('<item objectid="2"/>'), "no triangles"),
        (threemf('<item objectid="1" transform="1 2"/>'), "no valid 3MF"),
        (threemf("", unit="cubit"), "cubit"),
        (threemf("&a;", more=_ENTITY), "no triangles"),
        (threemf("<item"), "no valid XML"),
        (threemf('<item objectid="1"/>')[:200], "no readable 3MF"),
        (b"words", "no readable 3MF"),
    ],
)
def test_broken_3mf_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, reason: str
) -> None:
    monkeypatch.setenv("SANDBOX_MAX_PARTS", "2000")
    assert reason in refusal(saved(tmp_path, "a.3mf", data))


def test_an_unknown_format_names_the_known_ones(tmp_path: Path) -> None:
    assert ".stl, .obj" in refusal(saved(tmp_path, "a.fbx", b"words"))


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    assert "cannot be read" in refusal(tmp_path / "gone.stl")


def test_noise_never_gets_past_the_readers(tmp_path: Path) -> None:
    """Files with bytes changed or lost are read or refused, never anything else."""
    random = np.random.default_rng(7)
    makers: dict[str, Callable[[], bytes]] = {
        "a.stl": lambda: stl(CUBE),
        "b.stl": ascii_stl,
        "c.obj": lambda: obj({"a": CUBE}),
        "d.gltf": lambda: json.dumps(gltf()).encode(),
        "e.3mf": lambda: threemf('<item objectid="1"/>'),
    }
    read = refused = 0
    for name, make in makers.items():
        for _ in range(40):
            data = bytearray(make())
            for place in random.integers(0, len(data), random.integers(1, 8)):
                data[place] = random.integers(0, 256)
            if random.random() < 0.3:
                del data[random.integers(1, len(data)) :]
            try:
                with np.errstate(all="ignore"):
                    load_model(saved(tmp_path, name, bytes(data)))
                read += 1
            except UserError:
                refused += 1
    assert read > 20
    assert refused > 20
