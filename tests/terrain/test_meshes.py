"""Real meshes: those found through SANDBOX_MESHES, and the monastery that ships with pybullet."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from sandbox.errors import UserError
from sandbox.scene.model import Anchor, Unit, UpAxis
from sandbox.terrain.build import build_terrain
from sandbox.terrain.load import load_model
from sandbox.terrain.model import Terrain

from .shapes import piece, scene

_MESHES = Path(os.environ.get("SANDBOX_MESHES", "/nonexistent"))
needs_meshes = pytest.mark.skipif(not _MESHES.is_dir(), reason="SANDBOX_MESHES names no folder of meshes")

_SCALES = {"KayKit-Dungeon": 12.7, "KayKit-Medieval": 15.9, "heroscape": 24.0}
"""what makes the unitless ones about as large as on a table."""
_SCULPTED = ("uneven_spline_plane_grid.stl", "glacier-outcrop-6.glb")
_ELSEWHERE = (
    *_SCULPTED,
    "plane_risky.stl",
    "ruin3-colored-lowpoly.glb",
    "crates_stacked.gltf.glb",
    "handmade-ladder.glb",
)
"""facets a little off level at any height, or open sheets, of which either side may be stood on."""


def _cells() -> list[list[str]]:
    """The rows of the table in INDEX.md."""
    index = _MESHES / "INDEX.md"
    if not index.is_file():
        return []
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in index.read_text().splitlines()
    ]
    return [cells for cells in rows if len(cells) == 11 and "/" in cells[0] and cells[2].isdecimal()]


def _rows() -> list[tuple[str, list[float], int]]:
    """(file, levels, triangles) of each mesh."""
    return [
        (
            cells[0],
            [float(word) for word in re.findall(r"[\d.]+\d|\d", re.sub(r"\.\.\..*", "", cells[10]))],
            int(cells[2]),
        )
        for cells in _cells()
    ]


def _factor(name: str) -> float:
    return next((factor for start, factor in _SCALES.items() if name.startswith(start)), 1.0)


def _alone(name: str) -> tuple[Terrain, float]:
    """A file alone on its board, in mm per file unit as given."""
    factor = _factor(name)
    up = UpAxis.Y if factor != 1.0 else None
    placed = piece(_MESHES / name, units=Unit.MM, scale=factor, up=up, at=(0, 0, 0), anchor=Anchor.CORNER)
    return build_terrain(scene(placed, size=None)), factor


def _levels(terrain: Terrain) -> tuple[np.ndarray, np.ndarray]:
    """Heights of the level upward faces of a piece (either side of sheets), and their areas."""
    own = terrain.face_part > 0
    corners = terrain.vertices[terrain.faces[own]]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
    area = np.linalg.norm(cross, axis=1)
    up = cross[:, 2] / np.maximum(area, 1e-300)
    sheet = ~terrain.shell_closed[terrain.face_shell[own]]
    level = (up > 0.99) | (sheet & (up < -0.99))
    return corners[level][:, :, 2].mean(axis=1), area[level]


@needs_meshes
def test_the_index_names_every_mesh() -> None:
    models = {
        f"{path.parent.name}/{path.name}"
        for path in _MESHES.glob("*/*")
        if path.suffix in (".stl", ".obj", ".glb", ".gltf") and path.parent.name != "broken"
    }
    assert {name for name, _, _ in _rows()} == models
    assert [name for name, levels, _ in _rows() if not levels] == ["skirmishterrain/stairFull.stl"]


@needs_meshes
@pytest.mark.parametrize(
    ("name", "levels", "triangles"), _rows(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_level_surfaces_lie_where_they_were_measured(name: str, levels: list[float], triangles: int) -> None:
    assert load_model(_MESHES / name).triangles == triangles
    terrain, factor = _alone(name)
    heights, area = _levels(terrain)
    for level in levels:
        # the index gives three digits, and gathers what is nearly level on sculpted ground
        leeway = 0.06 if name.endswith(_SCULPTED) else max(0.005 * level, 0.0006, 0.02 / factor)
        near = np.abs(heights / factor - level) <= leeway
        assert area[near].sum() > 0.01 * area.sum(), level


@needs_meshes
@pytest.mark.parametrize("cells", _cells(), ids=lambda cells: cells[0])
def test_sizes_are_those_that_were_measured(cells: list[str]) -> None:
    raw = load_model(_MESHES / cells[0])
    corners = np.concatenate([node.vertices[node.faces].reshape(-1, 3) for node in raw.nodes])
    measured = [float(word) for word in cells[3].split(" x ")]
    assert np.ptp(corners, axis=0) == pytest.approx(measured, rel=0.002, abs=0.002)


@needs_meshes
@pytest.mark.parametrize(
    "cells",
    [c for c in _cells() if "..." not in c[10] and not c[0].endswith(_ELSEWHERE)],
    ids=lambda cells: cells[0],
)
def test_no_level_surface_lies_where_none_was_measured(cells: list[str]) -> None:
    """What was left out of the list holds less than 2 % of the level area; a half more for what repair takes away."""
    name, listed = cells[0], cells[10]
    levels = [float(word) for word in re.findall(r"[\d.]+\d|\d", listed)]
    terrain, factor = _alone(name)
    heights, area = _levels(terrain)
    spare = np.ones(len(heights), dtype=bool)
    for level in levels:
        spare &= np.abs(heights / factor - level) > max(0.006 * level, 0.001, 0.03 / factor)
    odd = [round(float(z), 3) for z in np.unique(np.round(heights[spare] / factor, 2))]
    shares = [area[spare & (np.abs(heights / factor - z) < 0.006)].sum() / area.sum() for z in odd]
    assert max(shares, default=0.0) < 0.03, max(zip(shares, odd, strict=True))


@needs_meshes
@pytest.mark.parametrize(
    ("name", "shells"),
    [
        ("cqterrain/building.stl", 13),
        ("cqterrain/building_with_roof.stl", 24),
        ("cqterrain/bridge.stl", 2),
        ("cqterrain/shieldwall_set.stl", 10),
        ("skirmishbunker/bunker_small_custom_door.stl", 5),
        ("cqterrain/walkway.stl", 1),
        ("Gridfinity-medieval-tiles/9X-Tile-Church-V2.stl", 9),
        ("KayKit-Dungeon-Remastered-1.0/stairs_wood.gltf.glb", 7),
    ],
)
def test_printed_terrain_becomes_solid_whatever_its_defects(name: str, shells: int) -> None:
    terrain, _ = _alone(name)
    assert len(terrain.shell_closed) == shells + 1
    assert terrain.shell_closed.all()


_BROKEN: dict[str, int | str] = {
    "no_endsolid.stl": 628,
    "trailing_junk.stl": 10064,
    "unit_cube.STL": 12,
    "multibody.stl": 32,
    "triangle_with_two_solids.stl": 2,
    "soup.stl": 100,
    "featuretype.3MF": 2208,
    "pyramids.3mf": 3276,
    "MUSTPASS_Chapter3.2c_MultipleItemsTransform.3mf": 60,
    "MUSTPASS_Chapter4.1_ExplicitSupport.3mf": 404,
    "cube_gears_prod_req.3mf": 25692,
    "box_UTF16BE.obj": 12,
    "noimg.obj": 1000,
    "cut_midfacet_with_endsolid.stl": "cut short",
    "count_but_no_data.stl": "promises 10064 facets",
    "lfs-pointer.stl": "Git LFS",
    "empty.stl": "no triangles",
    "empty_nodes.glb": "no triangles",
    "points_ascii.ply": "no triangles",
    "BoxWithInfinites.glb": "not finite",
    "IndexOutOfRange.gltf": "index past its end",
    "Cube.gltf": "no whole triangles",
    "malformed.obj": "not there",
    "RecursiveNodes.gltf": "own ancestor",
}
"""how many triangles the awkward files hold, and why the broken ones are refused."""


@needs_meshes
@pytest.mark.parametrize(("name", "outcome"), _BROKEN.items())
def test_awkward_files_load_and_broken_ones_are_refused(name: str, outcome: int | str) -> None:
    path = _MESHES / "broken" / name
    if isinstance(outcome, int):
        assert load_model(path).triangles == outcome
        assert len(build_terrain(scene(piece(path))).faces) > 12
    else:
        with pytest.raises(UserError, match=outcome) as caught:
            build_terrain(scene(piece(path)))
        assert caught.value.file == str(path)
        assert "\n" not in str(caught.value)


@needs_meshes
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no_endsolid.stl", "endsolid"),
        ("trailing_junk.stl", "19 bytes after the last facet"),
        ("MUSTPASS_Chapter4.1_ExplicitSupport.3mf", "support"),
        ("soup.stl", "not closed"),
    ],
)
def test_what_was_put_up_with_is_told(name: str, said: str) -> None:
    notes = build_terrain(scene(piece(_MESHES / "broken" / name, scale=20))).notes
    assert any(said in note.text for note in notes)


@needs_meshes
def test_several_solids_of_one_file_are_its_parts() -> None:
    terrain = build_terrain(scene(piece(_MESHES / "broken" / "multibody.stl", scale=20)))
    own = [part for part in terrain.parts if part.piece == "it"]
    assert len(own) == 2
    assert len({part.name for part in own}) == 2
    terrain = build_terrain(scene(piece(_MESHES / "broken" / "triangle_with_two_solids.stl", scale=20)))
    assert len(terrain.faces) == 12 + 2
    assert not terrain.shell_closed[1:].any()


@needs_meshes
def test_all_build_items_are_in_place() -> None:
    """Where the viewers of the two files' makers show them."""

    def boxes(name: str) -> list[tuple[list[float], list[float]]]:
        corners = [n.vertices[n.faces].reshape(-1, 3) for n in load_model(_MESHES / "broken" / name).nodes]
        return [(c.min(axis=0).round(1).tolist(), c.max(axis=0).round(1).tolist()) for c in corners]

    assert boxes("MUSTPASS_Chapter3.2c_MultipleItemsTransform.3mf") == [
        ([0, 0, 0], [40, 20, 30]),
        ([30, 40, 0], [70, 60, 30]),
    ]
    placed = boxes("pyramids.3mf")
    assert len(placed) == 12
    whole = [box for box in placed if box[1][0] - box[0][0] > 40]
    assert {(low[2], high[2]) for low, high in whole} == {(10.0, 35.0)}
    for k, (low, high) in enumerate(whole):  # side by side, none in another's place
        for other_low, other_high in whole[:k]:
            assert any(low[i] >= other_high[i] or other_low[i] >= high[i] for i in (0, 1))


@needs_meshes
def test_every_broken_file_is_looked_at() -> None:
    assert {path.name for path in (_MESHES / "broken").iterdir() if path.suffix != ".bin"} == set(_BROKEN)


@needs_meshes
def test_units_of_3mf_and_warnings_of_soup() -> None:
    terrain = build_terrain(scene(piece(_MESHES / "broken" / "featuretype.3MF")))
    low, high = terrain.vertices[8:].min(axis=0), terrain.vertices[8:].max(axis=0)
    assert high - low == pytest.approx([127, 63.5, 34.925], abs=0.01)
    notes = build_terrain(scene(piece(_MESHES / "broken" / "soup.stl", scale=20))).notes
    assert any(note.warning and "not closed" in note.text for note in notes)


@pytest.fixture(scope="module")
def monastery() -> Terrain:
    spec = find_spec("pybullet_data")
    assert spec is not None and spec.origin is not None
    path = Path(spec.origin).parent / "samurai_monastry.obj"
    placed = piece(path, "monastery", units=Unit.INCH, up=UpAxis.Y, scale=0.385, at=(24, 24, 0))
    return build_terrain(scene(placed))


@pytest.mark.pybullet
def test_the_monastery_fills_the_table(monastery: Terrain) -> None:
    own = monastery.vertices[8:] / 25.4
    assert own.min(axis=0) == pytest.approx([24 - 124.53 * 0.385 / 2, 24 - 121.0 * 0.385 / 2, 0], abs=0.01)
    assert own.max(axis=0)[2] == pytest.approx(30.36 * 0.385, abs=0.01)
    assert not any("over the edge" in note.text for note in monastery.notes)


@pytest.mark.pybullet
def test_the_monasterys_shells(monastery: Terrain) -> None:
    """As law 2 makes them. A plain split over shared edges, before repair, gives 5,314, of which 1,992 close

    when holes of three or four edges are filled whatever their size; here small holes are capped whatever their edges.
    """
    assert len(monastery.shell_closed) - 1 == pytest.approx(5181, abs=5)
    assert int(monastery.shell_closed.sum()) - 1 == pytest.approx(3063, abs=5)
    assert any("capped" in note.text for note in monastery.notes)


@pytest.mark.pybullet
def test_no_triangle_of_the_monastery_is_without_direction(monastery: Terrain) -> None:
    corners = monastery.vertices[monastery.faces]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert np.linalg.norm(cross, axis=1).min() > 0
    closed = monastery.shell_closed[monastery.face_shell]
    part = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    volume = np.bincount(monastery.face_shell[closed], weights=part[closed])
    assert (volume[monastery.shell_closed] > 0).all()
