"""The board that is measured, in several sizes: the walled monastery that comes with pybullet, 48 x 48 inches.

All sizes show the same buildings. The small one keeps the largest shells and leaves out tiles and ornaments; the large
one has its longest edges halved until it has as many triangles as wanted, so answers stay the same while triangles grow.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pybullet_data
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sandbox.terrain.load import load_model

SCALE_MM = 0.385 * 25.4
"""millimetres per unit of the model: it fills a table four feet square."""
START = (26.9, 25.8, 0.0)
"""inches: where the fighter stands, in the sunken court in the middle of the densest part."""

SCENE = """\
name: Monastery, {triangles:,} triangles
rules: necromunda-2023
board: {{size: [48, 48]}}
terrain:
  - {{id: monastery, model: {model}, units: mm, up: z, at: [24, 24]}}
fighters:
  - {{id: kal, side: red, at: [{x}, {y}, {z}], facing: 90, profile: {{M: 10, I: 4}}}}
"""


@dataclass(frozen=True)
class Size:
    """One size of the board."""

    name: str
    triangles: int | None
    """triangles wanted; None: the model as it is."""


SIZES = (Size("10k", 10_000), Size("100k", None), Size("600k", 600_000))


@dataclass(frozen=True)
class Made:
    """A board as files."""

    size: str
    triangles: int
    obj: Path
    """the mesh alone, millimetres, z up."""
    scene: Path
    """a scene of that mesh and one fighter with 10 inches of movement."""


def make(size: Size, folder: Path) -> Made:
    """Write one size of the board into a folder."""
    vertices, faces = _model()
    if size.triangles is not None and size.triangles < len(faces):
        faces = _largest_shells(vertices, faces, size.triangles)
    elif size.triangles is not None:
        vertices, faces = _refined(vertices, faces, size.triangles)
    obj = folder / f"monastery-{size.name}.obj"
    _write_obj(obj, vertices, faces)
    scene = folder / f"monastery-{size.name}.yaml"
    x, y, z = START
    scene.write_text(
        SCENE.format(triangles=len(faces), model=obj.name, x=x, y=y, z=z),
        encoding="utf-8",
    )
    return Made(size.name, len(faces), obj, scene)


def _model() -> tuple[np.ndarray, np.ndarray]:
    """The monastery, upright and in millimetres; equal corners are one vertex."""
    raw = load_model(Path(pybullet_data.getDataPath()) / "samurai_monastry.obj")
    (node,) = raw.nodes
    x, y, z = node.vertices.T * SCALE_MM
    upright = np.column_stack([x, -z, y])
    vertices, inverse = np.unique(upright, axis=0, return_inverse=True)
    return vertices, inverse.reshape(-1)[node.faces]


def _largest_shells(vertices: np.ndarray, faces: np.ndarray, wanted: int) -> np.ndarray:
    """Faces of the largest shells, whole ones, as many as fit into a number of triangles."""
    pairs = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]]])
    n = len(vertices)
    web = coo_array((np.ones(len(pairs), np.int8), pairs.T), shape=(n, n))
    shell = connected_components(web, directed=False)[1][faces[:, 0]]
    corners = vertices[faces]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    count = np.bincount(shell)
    order = np.argsort(-np.bincount(shell, area), kind="stable")
    room, kept = wanted, []
    for one in order:
        if 0 < count[one] <= room:
            kept.append(one)
            room -= count[one]
    return faces[np.isin(shell, kept)]


def _refined(vertices: np.ndarray, faces: np.ndarray, wanted: int) -> tuple[np.ndarray, np.ndarray]:
    """Halve the longest edges, each in all faces that share it, until there are about `wanted` triangles."""
    while len(faces) < wanted:
        edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
        unique, inverse, shared = np.unique(edges, axis=0, return_inverse=True, return_counts=True)
        length = np.linalg.norm(vertices[unique[:, 0]] - vertices[unique[:, 1]], axis=1)
        order = np.argsort(-length, kind="stable")
        # halving an edge adds one triangle in each face that has it; at most half of all edges in one go
        grown = np.cumsum(shared[order])
        count = min(int(np.searchsorted(grown, wanted - len(faces))) + 1, len(order) // 2)
        split = np.full(len(unique), -1)
        split[order[:count]] = len(vertices) + np.arange(count)
        middle = vertices[unique[order[:count]]].mean(axis=1)
        vertices = np.concatenate([vertices, middle])
        faces = _halved(faces, split[inverse.reshape(3, -1).T])
    return vertices, faces


def _halved(faces: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Faces with the middles (m, 3) of their edges 01, 12, 20 joined in; -1 where an edge is not halved."""
    made = [faces[(middle < 0).all(axis=1)]]
    count = (middle >= 0).sum(axis=1)
    for turn in range(3):
        v, m = np.roll(faces, -turn, axis=1), np.roll(middle, -turn, axis=1)
        one = (count == 1) & (m[:, 0] >= 0)
        a, b, c = v[one].T
        p = m[one, 0]
        made += [np.column_stack([a, p, c]), np.column_stack([p, b, c])]
        two = (count == 2) & (m[:, 2] < 0)
        a, b, c = v[two].T
        p, q = m[two, 0], m[two, 1]
        made += [np.column_stack([a, p, c]), np.column_stack([p, q, c]), np.column_stack([p, b, q])]
    three = count == 3
    a, b, c = faces[three].T
    p, q, r = middle[three].T
    made += [np.column_stack(t) for t in ((a, p, r), (p, b, q), (r, q, c), (p, q, r))]
    return np.concatenate(made)


def _write_obj(path: Path, vertices: np.ndarray, faces: np.ndarray) -> None:
    used, inverse = np.unique(faces, return_inverse=True)
    with path.open("w", encoding="ascii") as file:
        np.savetxt(file, vertices[used], fmt="v %.5f %.5f %.5f")
        np.savetxt(file, inverse.reshape(-1, 3) + 1, fmt="f %d %d %d")
