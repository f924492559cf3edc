"""Boards and their parts as meshes: STL for slicers, 3MF with names and colours, findings marked for the CAD program."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

from sandbox.check.finding import Finding, Severity
from sandbox.check.finding import Unit as Measure
from sandbox.check.settings import Settings
from sandbox.errors import UserError
from sandbox.export.doors import doors_of
from sandbox.files.pages import write_made
from sandbox.kinds import Kind
from sandbox.scene.layouts import State
from sandbox.scene.model import Piece, Scene, Shape
from sandbox.terrain.build import stand_piece
from sandbox.terrain.load import load_model
from sandbox.terrain.place import put, upright
from sandbox.units import mm

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Colour = tuple[int, int, int]

KINDS: dict[Kind, Colour] = {
    Kind.WALL: (110, 118, 130),
    Kind.LADDER: (160, 92, 40),
    Kind.STAIRS: (190, 196, 204),
    Kind.RAMP: (190, 196, 204),
    Kind.RAILING: (196, 158, 60),
    Kind.OBSTACLE: (214, 180, 132),
    Kind.DOOR_OPEN: (90, 170, 110),
    Kind.DOOR_CLOSED: (90, 140, 200),
    Kind.IMPASSABLE: (196, 22, 42),
}
PLAIN: Colour = (200, 204, 210)
MARKS: dict[Severity, Colour] = {
    Severity.ERROR: (220, 20, 40),
    Severity.WARNING: (255, 150, 0),
    Severity.INFO: (40, 120, 220),
}
MARK_MM = 4.0
"""radius of a marker."""
MOST_MM = 4000.0
"""no table is larger."""
WHEN = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, eq=False)
class Body:
    """A named mesh."""

    name: str
    vertices: Floats
    """(n, 3) mm."""
    faces: Ints
    """(m, 3)"""
    colour: Colour = PLAIN


def bodies_of(scene: Scene) -> list[Body]:
    """Every piece of a scene where it stands, without the table."""
    found = []
    for piece in scene.terrain:
        standing = stand_piece(piece)
        name = piece.id
        vertices = put(standing.vertices, piece.turn, piece.at)
        found.append(Body(name, vertices, standing.faces, KINDS.get(piece.kind, PLAIN)))
    return found


def without_thresholds(scene: Scene) -> Scene:
    """A scene without the thresholds that stand for the open doors of a layout: nobody prints them."""
    doors = () if scene.layout is None else scene.layout.built.doors
    thin = {door.name for door in doors if door.state is State.OPEN}
    return replace(scene, terrain=tuple(piece for piece in scene.terrain if piece.id not in thin))


def parts_of(scene: Scene) -> list[tuple[Body, int]]:
    """Pieces that are alike once, standing at the origin, with how many there are; doors as frames and leaves."""
    alike: dict[tuple[object, ...], tuple[Piece, int]] = {}
    doors: dict[tuple[object, ...], tuple[Body, int]] = {}
    done: set[str] = set()
    for parts, mine in doors_of(scene):
        done |= mine
        for part in parts:
            kind = Kind.DOOR_CLOSED if part.what == "leaf" else Kind.WALL
            body = Body(part.name, part.vertices, part.faces, KINDS[kind])
            known_door = doors.get(part.key)
            doors[part.key] = (body, 1) if known_door is None else (known_door[0], known_door[1] + 1)
    for piece in scene.terrain:
        if piece.id in done:
            continue
        sizes = tuple(round(size, 4) for size in piece.sizes)
        if len(sizes) == 3:
            sizes = (*sorted(sizes[:2], reverse=True), sizes[2])
        key = (
            piece.shape,
            sizes,
            str(piece.model),
            piece.units,
            piece.up,
            piece.scale,
            piece.tilt,
            piece.kind,
        )
        known = alike.get(key)
        alike[key] = (piece, 1) if known is None else (known[0], known[1] + 1)
    found = []
    for piece, count in alike.values():
        standing = stand_piece(piece)
        name = _part_name(piece)
        found.append((Body(name, standing.vertices, standing.faces, KINDS.get(piece.kind, PLAIN)), count))
    return [*found, *doors.values()]


def _part_name(piece: Piece) -> str:
    words = piece.id.split(" ")
    if piece.model is not None:
        return piece.model.stem
    what = words[1] if len(words) > 2 else words[0]
    plan = piece.sizes[:2] if piece.shape is not Shape.BOX else sorted(piece.sizes[:2], reverse=True)
    sizes = "x".join(f"{mm(size):.0f}" for size in (*plan, *piece.sizes[2:3]))
    return f"{what}-{sizes}"


def marker(finding: Finding) -> Body:
    """A small double pyramid, its lower point at the place of a finding."""
    at = np.array(finding.at, np.float64) * (25.4 if finding.at_unit is Measure.INCH else 1.0)
    r = MARK_MM
    corners = np.array([[0, 0, 0], [r, 0, r], [0, r, r], [-r, 0, r], [0, -r, r], [0, 0, 2 * r]], np.float64)
    faces = [[0, k % 4 + 1, (k - 1) % 4 + 1] for k in range(1, 5)]
    faces += [[5, (k - 1) % 4 + 1, k % 4 + 1] for k in range(1, 5)]
    name = f"{finding.severity.value} {finding.number}: {finding.id}"
    return Body(name, corners + at, np.array(faces, np.int32), MARKS[finding.severity])


# -- formats -------------------------------------------------------------------------------------------------------


def stl(bodies: Sequence[Body]) -> bytes:
    """Binary STL, millimetres, all bodies in one."""
    corners = np.concatenate([body.vertices[body.faces] for body in bodies]).astype("<f4")
    rows = np.zeros(
        len(corners), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("count", "<u2")])
    )
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    rows["normal"] = np.divide(normal, length, out=np.zeros_like(normal), where=length > 0)
    rows["corners"] = corners
    return b"sandbox, millimetres".ljust(80, b" ") + np.uint32(len(rows)).tobytes() + rows.tobytes()


def threemf(bodies: Sequence[Body]) -> bytes:
    """3MF, millimetres: one object for each body, with its name and its colour; the same bodies give the same bytes."""
    colours = list(dict.fromkeys(body.colour for body in bodies))
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<model unit="millimeter" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">\n'
        '<metadata name="Application">sandbox</metadata>\n<resources>\n<basematerials id="1">'
    ]
    for colour in colours:
        parts.append(f'<base name="colour" displaycolor="#{"{:02X}{:02X}{:02X}".format(*colour)}FF"/>')
    parts.append("</basematerials>\n")
    for number, body in enumerate(bodies, start=2):
        parts.append(
            f'<object id="{number}" type="model" name={quoteattr(_xml(body.name))} pid="1" '
            f'pindex="{colours.index(body.colour)}"><mesh><vertices>'
        )
        parts += [f'<vertex x="{x:.6g}" y="{y:.6g}" z="{z:.6g}"/>' for x, y, z in body.vertices.tolist()]
        parts.append("</vertices><triangles>")
        parts += [f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in body.faces.tolist()]
        parts.append("</triangles></mesh></object>\n")
    items = "".join(f'<item objectid="{number}"/>' for number in range(2, len(bodies) + 2))
    parts.append(f"</resources>\n<build>{items}</build>\n</model>\n")
    files = {
        "[Content_Types].xml": '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>\n',
        "_rels/.rels": '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Target="/3D/3dmodel.model" Id="rel0" '
        'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>\n',
        "3D/3dmodel.model": "".join(parts),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text.encode("utf-8"))
    return out.getvalue()


def _xml(text: str) -> str:
    """Text without what no XML file may hold."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)


def size_note(bodies: Sequence[Body]) -> str | None:
    """What to be told about a mesh that is larger than any table; None where it is not."""
    if not bodies:
        return None
    points = np.concatenate([body.vertices for body in bodies])
    across = float(np.ptp(points, axis=0).max())
    if across <= MOST_MM:
        return None
    return f"the mesh is {across / 1000.0:,.1f} m across; are `units`, `scale` and the places of its pieces right?"


def write_mesh(bodies: Sequence[Body], out: Path) -> None:
    """Write bodies as the file's ending says. UserError where that cannot be."""
    if not bodies:
        raise UserError("there is nothing to write: the scene has no pieces", file=out)
    maker = {".stl": stl, ".3mf": threemf}.get(out.suffix.lower())
    if maker is None:
        raise UserError("a mesh is a .stl or .3mf file", file=out)
    write_made(out, maker(bodies), "mesh")


def write_parts(scene: Scene, folder: Path, suffix: str) -> list[tuple[Path, int]]:
    """Each part once in a file of its own, named by what it is, how large, and how many: ``wall-96x10x63_x4.stl``.

    The files that were written. UserError where the folder is a file, or cannot be written to.
    """
    if folder.exists() and not folder.is_dir():
        raise UserError("is there already, and no folder", file=folder)
    written: list[tuple[Path, int]] = []
    taken: set[str] = set()
    for body, count in parts_of(scene):
        tidy = re.sub(r"[^A-Za-z0-9.-]+", "-", body.name).strip("-.") or "part"
        name = tidy
        number = 1
        while name.lower() in taken:
            number += 1
            name = f"{tidy}-{number}"
        taken.add(name.lower())
        path = folder / f"{name}_x{count}{suffix}"
        write_mesh([replace(body, name=name)], path)
        written.append((path, count))
    return written


# -- findings ------------------------------------------------------------------------------------------------------


def own_bodies(path: Path, settings: Settings) -> list[Body]:
    """A model's nodes in its own coordinates, mm, z up: as the CAD program shows it. settings: how it is read."""
    model = load_model(path)
    unit, up = settings.units or model.unit, settings.up or model.up
    return [
        Body(
            "/".join(node.path) or f"{path.stem} {number}",
            upright(node.vertices, unit, up, settings.scale),
            np.asarray(node.faces, np.int32),
        )
        for number, node in enumerate(model.nodes, start=1)
    ]


def markers(findings: Sequence[Finding], *, everything: bool = False) -> Iterator[Body]:
    """Markers of errors and warnings; everything: of information too."""
    for finding in findings:
        if everything or finding.severity is not Severity.INFO:
            yield marker(finding)
