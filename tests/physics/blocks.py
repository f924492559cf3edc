"""Terrains made of blocks, wedges and sheets by hand, for tests of the collision world."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import trimesh

from sandbox.kinds import Kind
from sandbox.terrain.model import Part, Terrain


@dataclass
class Blocks:
    """Collects meshes in mm, each a part of its own, turned together about a point."""

    turn: float = 0.0
    offset: tuple[float, float] = (0.0, 0.0)
    meshes: list[trimesh.Trimesh] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    closed: list[bool] = field(default_factory=list)

    def place(self, points: np.ndarray) -> np.ndarray:
        """Points (n, 3) mm of the unturned layout, where they come to lie on the board."""
        angle = math.radians(self.turn)
        rotation = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        placed = np.array(points, dtype=np.float64).reshape(-1, 3)
        placed[:, :2] = placed[:, :2] @ rotation.T + self.offset
        return placed

    def at(self, x: float, y: float, z: float) -> tuple[float, float, float]:
        """A place of the unturned layout (mm), in inches on the board."""
        point = self.place(np.array([[x, y, z]]))[0] / 25.4
        return (float(point[0]), float(point[1]), float(point[2]))

    def add(self, name: str, vertices: np.ndarray, faces: np.ndarray, closed: bool = True) -> Blocks:
        """Add any mesh; returns self."""
        self.meshes.append(trimesh.Trimesh(self.place(vertices), faces, process=False))
        self.names.append(name)
        self.closed.append(closed)
        return self

    def box(self, name: str, low: tuple[float, float, float], high: tuple[float, float, float]) -> Blocks:
        """Add a block by two corners, mm; returns self."""
        box = trimesh.creation.box(bounds=[low, high])
        return self.add(name, box.vertices, box.faces)

    def floor(self, half: float = 400.0) -> Blocks:
        """Add the table, top at z = 0; returns self."""
        return self.box("board", (-half, -half, -10), (half, half, 0))

    def terrain(self) -> Terrain:
        """The terrain of everything added."""
        vertices, faces, part = [], [], []
        count = 0
        for number, mesh in enumerate(self.meshes):
            vertices.append(mesh.vertices)
            faces.append(mesh.faces + count)
            part.append(np.full(len(mesh.faces), number))
            count += len(mesh.vertices)
        parts = tuple(
            Part(
                piece=name,
                name="",
                kind=Kind.AUTO,
                low_mm=float(mesh.bounds[0, 2]),
                high_mm=float(mesh.bounds[1, 2]),
                width_mm=float(mesh.extents[:2].min()),
                free_standing=True,
                bounds_mm=(*mesh.bounds[0, :2].tolist(), *mesh.bounds[1, :2].tolist()),
            )
            for name, mesh in zip(self.names, self.meshes, strict=True)
        )
        numbers = np.concatenate(part).astype(np.int32)
        return Terrain(
            vertices=np.vstack(vertices).astype(np.float64),
            faces=np.vstack(faces).astype(np.int32),
            face_shell=numbers,
            face_part=numbers,
            shell_closed=np.array(self.closed),
            parts=parts,
        )


def door(width: float, turn: float, offset: tuple[float, float] = (617.3, 411.7)) -> Blocks:
    """A wall along y = 0, 10 mm thick and 60 mm high, with a door of a width (mm) at x = 0, on the table."""
    half = width / 2
    return (
        Blocks(turn, offset)
        .floor()
        .box("left", (-200, -5, 0), (-half, 5, 60))
        .box("right", (half, -5, 0), (200, 5, 60))
    )
