"""The same shapes from other files: units, axes, formats, and one file against one piece for each shell."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from hypothesis import assume, given
from hypothesis import strategies as st

from .boards import INCH, Board, Item, Sketch, disagreements, sketches, trials

PLACES = 20
UNITS = {"mm": 1.0, "cm": 10.0, "in": INCH, "m": 1000.0}


def solid(item: Item) -> trimesh.Trimesh:
    """The mesh of a box, closed and outward, where it stands on the board (from the board's middle), mm."""
    dx, dy, dz = item.sides
    a = np.radians(item.turn)
    place = np.eye(4)
    place[:2, :2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
    place[:3, 3] = (item.at[0], item.at[1], item.at[2] + dz / 2.0)
    made: trimesh.Trimesh = trimesh.creation.box(extents=(dx, dy, dz), transform=place)
    return made


@st.composite
def boxes(draw: st.DrawFn) -> Sketch:
    """A board of boxes alone, all structures."""
    sketch = draw(sketches(most=5))
    found = tuple(replace(i, kind="structure") for i in sketch.items if i.shape == "box")
    assume(found)
    return replace(sketch, items=found)


class Folder:
    """Writes models and loads boards of them."""

    def __init__(self, sketch: Sketch, folder: Path) -> None:
        self.sketch = sketch
        self.folder = folder

    def entry(
        self, name: str, mesh: trimesh.Trimesh, suffix: str, unit: str = "mm", up: str = "z"
    ) -> dict[str, Any]:
        """Write a mesh; the scene's entry that puts it back where it stands."""
        low, high = mesh.bounds
        middle = (low + high) / 2.0 + [*self.sketch.middle, 0.0]
        written = mesh.copy()
        if up == "y":
            x, y, z = written.vertices.T
            written.vertices = np.column_stack([x, z, -y])
        written.apply_scale(1.0 / UNITS[unit])
        path = self.folder / f"{name}.{suffix}"
        if suffix == "obj":
            # with digits enough for metres
            path.write_text(trimesh.exchange.obj.export_obj(written, digits=12, include_normals=False))
        else:
            written.export(path)
        return {
            "id": name,
            "model": str(path),
            "units": unit,
            "up": up,
            "at": [float(middle[0]) / INCH, float(middle[1]) / INCH, float(low[2]) / INCH],
            "kind": "structure",
        }

    def load(self, *entries: dict[str, Any]) -> Board:
        """The board with models in place of its shapes."""
        return replace(self.sketch, items=(), models=tuple(entries)).load()


def alike(one: Board, others: list[tuple[str, Board]]) -> None:
    """All boards answer as the first, asked at its spots."""
    places = one.some(PLACES)
    told = []
    for name, other in others:
        told += [f"{name}: {why}" for why in disagreements(one, other, lambda p: p, places)]
    assert not told, told


@trials(3, 40)
@given(boxes(), st.sampled_from(["cm", "in", "m"]), st.sampled_from(["stl", "obj"]))
def test_units_change_nothing(sketch: Sketch, unit: str, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = Folder(sketch, Path(folder))
        mesh = trimesh.util.concatenate([solid(i) for i in sketch.items])
        one = files.load(files.entry("mm", mesh, suffix))
        alike(one, [(unit, files.load(files.entry("other", mesh, suffix, unit)))])


@trials(3, 40)
@given(boxes())
def test_formats_and_axes_change_nothing(sketch: Sketch) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = Folder(sketch, Path(folder))
        mesh = trimesh.util.concatenate([solid(i) for i in sketch.items])
        one = files.load(files.entry("stl", mesh, "stl"))
        others = [
            ("obj, y up", files.load(files.entry("obj", mesh, "obj", up="y"))),
            ("glb, metres", files.load(files.entry("glb", mesh, "glb", unit="m"))),
        ]
        alike(one, others)


@trials(5, 40)
@given(boxes())
def test_splitting_a_mesh_along_its_shells_changes_nothing(sketch: Sketch) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = Folder(sketch, Path(folder))
        shells = [solid(i) for i in sketch.items]
        one = files.load(files.entry("whole", trimesh.util.concatenate(shells), "stl"))
        parts = [files.entry(f"part-{k}", shell, "stl") for k, shell in enumerate(shells)]
        alike(one, [("split", files.load(*parts)), ("shapes", sketch.load())])


def test_the_mover_sees_the_models() -> None:
    """The tests above would pass on empty boards too: a model in the way must be in the way."""
    item = Item("box", (40.0, 200.0, 60.0), (0.0, 0.0, 0.0), 0.0, "structure")
    with tempfile.TemporaryDirectory() as folder:
        sketch = Sketch((item,))
        files = Folder(sketch, Path(folder))
        for suffix in ("stl", "obj", "glb"):
            board = files.load(files.entry(suffix, solid(item), suffix))
            straight = board.to((50.0, 0.0, 0.0))
            assert not straight[0]
            assert straight[1] > 120.0 + 2.0 * 60.0
