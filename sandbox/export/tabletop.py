"""Boards for Tabletop Simulator: a saved object, with a model for each level and one for each door.

The format is that of its knowledge base (Save File Format, Custom Model): JSON whose ``ObjectStates`` are objects with
a ``Transform`` and a ``CustomMesh`` that names OBJ files by address. A unit is an inch, y goes up. Every model has its
origin under the middle of the board, so that all objects have one place.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sandbox.errors import UserError
from sandbox.export.meshes import PLAIN, Body, Colour, bodies_of
from sandbox.files import write_atomic
from sandbox.scene.model import Piece, Scene
from sandbox.units import MM_PER_INCH

MOST_VERTICES = 25_000
"""of one model; larger ones may not come in."""
FLOOR_Y = 1.0
"""height of the table in Tabletop Simulator."""
PLASTIC, GENERIC = 0, 0
"""MaterialIndex and TypeIndex."""
SAVE = "board.json"


def write_tabletop(scene: Scene, folder: Path, address: str | None = None) -> list[Path]:
    """Write a saved object and its models into a folder; the files written, the saved object first.

    address: where the models will lie, like ``https://example.org/boards/``; None: this folder on this computer, which
    the game reads too, and from where it puts them into its own cloud. UserError where a model is too large.
    """
    groups = grouped(scene)
    if address is not None and not re.match(r"(https?|file)://\S", address):
        raise UserError(f"--address: {address!r} should be an address like https://example.org/boards")
    width, depth = _size(scene)
    files: list[tuple[str, str]] = []
    objects = []
    for number, (name, pieces) in enumerate(groups.items(), start=1):
        bodies = [body for body in bodies_of(_only(scene, pieces)) if len(body.faces)]
        if not bodies:
            continue
        text, count = obj(bodies, (width / 2, depth / 2))
        if count > MOST_VERTICES:
            raise UserError(
                f"{name}: {count:,} points, more than the {MOST_VERTICES:,} that Tabletop Simulator takes in one model; "
                "make its models coarser",
                file=scene.path,
            )
        file = f"{number:03d}-{_tidy(name)}.obj"
        files.append((file, text))
        base = address if address is not None else f"{folder.resolve().as_uri()}/"
        objects.append(_object(name, (base if base.endswith("/") else base + "/") + file, _colour(bodies)))
    save = {
        "SaveName": scene.name,
        "GameMode": "",
        "Date": "",
        "Table": "",
        "Sky": "",
        "Note": "",
        "Rules": "",
        "PlayerTurn": "",
        "ObjectStates": objects,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=folder) from None
    written = [folder / SAVE]
    for file, text in files:
        write_atomic(folder / file, text.encode("utf-8"))
        written.append(folder / file)
    write_atomic(folder / SAVE, (json.dumps(save, indent=2, ensure_ascii=False) + "\n").encode("utf-8"))
    return written


def grouped(scene: Scene) -> dict[str, list[Piece]]:
    """What becomes one object: the fixed things of a level, each door and hatch, each loose thing."""
    found: dict[str, list[Piece]] = {}
    built = scene.layout.built if scene.layout is not None and not scene.layout.listed else None
    fixed = {piece.id for piece in built.terrain} if built is not None else set()
    doors = {door.name for door in built.doors} if built is not None else set()
    loose = ("crate", "console", "barricade")
    for piece in scene.terrain:
        words = piece.id.split(" ")
        if piece.id not in fixed or piece.id in doors or (len(words) > 1 and words[1] in loose):
            found[piece.id] = [piece]
        else:
            found.setdefault(f"{words[0]} level" if len(words) > 1 else "board", []).append(piece)
    return found


def obj(bodies: Sequence[Body], middle: tuple[float, float]) -> tuple[str, int]:
    """An OBJ of some bodies, inches, y up, about the middle of the board (mm); and how many points it has."""
    lines = ["# sandbox, inches, y up"]
    first = 1
    for body in bodies:
        lines.append(f"o {_tidy(body.name)}")
        points = (body.vertices - np.array([middle[0], middle[1], 0.0])) / MM_PER_INCH
        corners = points[body.faces]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
        # each face has points of its own: edges stay sharp
        lines += [f"v {x:.5f} {z:.5f} {-y:.5f}" for x, y, z in corners.reshape(-1, 3).tolist()]
        lines += [f"vn {x:.4f} {z:.4f} {-y:.4f}" for x, y, z in normal.tolist()]
        for k in range(len(corners)):
            a = first + 3 * k
            n = (first - 1) // 3 + k + 1
            lines.append(f"f {a}//{n} {a + 1}//{n} {a + 2}//{n}")
        first += 3 * len(corners)
    return "\n".join(lines) + "\n", first - 1


def _object(name: str, address: str, colour: Colour) -> dict[str, Any]:
    red, green, blue = (round(v / 255, 4) for v in colour)
    return {
        "GUID": hashlib.sha256(name.encode("utf-8")).hexdigest()[:6],
        "Name": "Custom_Model",
        "Transform": {
            "posX": 0.0, "posY": FLOOR_Y, "posZ": 0.0,
            "rotX": 0.0, "rotY": 180.0, "rotZ": 0.0,
            "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0,
        },
        "Nickname": name,
        "Description": "",
        "ColorDiffuse": {"r": red, "g": green, "b": blue},
        "Locked": True,
        "Grid": False,
        "Snap": False,
        "Autoraise": True,
        "Sticky": False,
        "Tooltip": True,
        "GridProjection": False,
        "CustomMesh": {
            "MeshURL": address,
            "DiffuseURL": "",
            "NormalURL": "",
            "ColliderURL": address,
            "Convex": False,
            "MaterialIndex": PLASTIC,
            "TypeIndex": GENERIC,
            "CastShadows": True,
        },
        "XmlUI": "",
        "LuaScript": "",
        "LuaScriptState": "",
    }  # fmt: skip


def _size(scene: Scene) -> tuple[float, float]:
    if scene.board.size is not None:
        return scene.board.size[0] * MM_PER_INCH, scene.board.size[1] * MM_PER_INCH
    corners = np.concatenate([body.vertices for body in bodies_of(scene)])
    return float(corners[:, 0].max()), float(corners[:, 1].max())


def _only(scene: Scene, pieces: Iterable[Piece]) -> Scene:
    from dataclasses import replace  # noqa: PLC0415

    return replace(scene, terrain=tuple(pieces))


def _colour(bodies: Sequence[Body]) -> Colour:
    """The colour of most of what is in an object."""
    count: dict[Colour, int] = {}
    for body in bodies:
        count[body.colour] = count.get(body.colour, 0) + len(body.faces)
    return max(count, key=lambda colour: count[colour], default=PLAIN)


def _tidy(name: str) -> str:
    return "".join(c if c.isalnum() and c.isascii() else "-" for c in name).strip("-") or "piece"
