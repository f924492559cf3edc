"""3MF: build items with their transforms, components, other model parts of the package; supports are left out.

A reader of our own: general ones take supports for geometry, forget the unit and stay silent about models in other
parts of the package.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from lxml import etree  # type: ignore[import-untyped]

from sandbox.errors import UserError
from sandbox.scene.model import Unit
from sandbox.terrain.formats.raw import Floats, Indices, RawModel, RawNode, allow
from sandbox.terrain.limits import limits, too_large

_UNITS: dict[str, tuple[Unit, float]] = {
    "micron": (Unit.MM, 0.001),
    "millimeter": (Unit.MM, 1.0),
    "centimeter": (Unit.CM, 1.0),
    "inch": (Unit.INCH, 1.0),
    "foot": (Unit.INCH, 12.0),
    "meter": (Unit.METRE, 1.0),
}
_PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
_MATERIALS = "http://schemas.microsoft.com/3dmanufacturing/material/2015/02"
_LEFT_OUT = ("support", "solidsupport", "other")


@dataclass(frozen=True, eq=False)
class _Object:
    """One object of a model part."""

    name: str
    kind: str
    vertices: Floats
    faces: Indices
    components: tuple[tuple[tuple[str, str], Floats], ...]
    """((model part, object id), (4, 4) transform)."""


@dataclass(eq=False)
class _Part:
    """One model part of the package."""

    unit: str = "millimeter"
    objects: dict[str, _Object] = field(default_factory=dict)
    items: list[tuple[tuple[str, str], Floats]] = field(default_factory=list)


def read_3mf(data: bytes, file: Path) -> RawModel:
    """One node per mesh of every build item, in its place; its path is the names of its objects. UserError: it is broken."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return _Reader(package, file).model()
    except UserError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UserError(f"is no readable 3MF package ({error}); export it again", file=file) from error
    except etree.XMLSyntaxError as error:
        raise UserError(
            f"has a model part that is no valid XML ({error.msg}); export it again", file=file
        ) from error
    except (KeyError, IndexError, ValueError, OverflowError, TypeError) as error:
        raise UserError(
            f"is no valid 3MF ({type(error).__name__} {error}); export it again", file=file
        ) from error


class _Reader:
    """One package while it is read."""

    def __init__(self, package: zipfile.ZipFile, file: Path) -> None:
        self.package = package
        self.file = file
        self.by_lower = {info.filename.lower().lstrip("/"): info for info in package.infolist()}
        self.unpacked = 0
        self.triangles = 0
        self.visits = 0
        self.parts: dict[str, _Part] = {}

    def fail(self, reason: str) -> UserError:
        return UserError(f"{reason}; export it again", file=self.file)

    def model(self) -> RawModel:
        root = self._root_name()
        part = self._part(root)
        if part.unit not in _UNITS:
            raise self.fail(f"has the unknown unit {part.unit!r}")
        unit, factor = _UNITS[part.unit]
        nodes: list[RawNode] = []
        left_out = 0
        for place, matrix in part.items:
            if self._object(place).kind in _LEFT_OUT:
                left_out += 1
                continue
            left_out += self._collect(place, matrix, (), (), nodes)
        notes = (f"{left_out} support objects were left out",) if left_out else ()
        scaled = tuple(RawNode(node.path, node.vertices * factor, node.faces) for node in nodes)
        return RawModel(scaled, unit, notes=notes)

    def _collect(
        self,
        place: tuple[str, str],
        matrix: Floats,
        path: tuple[str, ...],
        seen: tuple[tuple[str, str], ...],
        nodes: list[RawNode],
    ) -> int:
        """Add an object's meshes to `nodes`; how many supports were left out."""
        if place in seen:
            raise self.fail(f"has an object ({place[1]}) that holds itself")
        if len(seen) > 50:
            raise self.fail("has objects nested more than 50 deep")
        self.visits += 1
        allow(0, self.visits, self.file, counted=False)
        found = self._object(place)
        if found.kind in _LEFT_OUT:
            return 1
        here = (*path, found.name) if found.name else path
        if len(found.faces):
            self.triangles += len(found.faces)
            allow(self.triangles, 0, self.file, counted=False)
            faces = found.faces[:, ::-1] if np.linalg.det(matrix[:3, :3]) < 0 else found.faces
            nodes.append(RawNode(here, found.vertices @ matrix[:3, :3] + matrix[3, :3], faces))
        left_out = 0
        for below, local in found.components:
            left_out += self._collect(below, local @ matrix, here, (*seen, place), nodes)
        return left_out

    def _object(self, place: tuple[str, str]) -> _Object:
        found = self._part(place[0]).objects.get(place[1])
        if found is None:
            raise self.fail(f"names object {place[1]}, which is not there")
        return found

    def _root_name(self) -> str:
        """Name of the first model part, by the package's relationships."""
        if "_rels/.rels" in self.by_lower:
            for entry in self._parsed("_rels/.rels").iter():
                if etree.QName(entry).localname == "Relationship" and str(entry.get("Type", "")).endswith(
                    "/3dmodel"
                ):
                    return _clean(str(entry.get("Target", "")))
        return "3d/3dmodel.model"

    def _bytes(self, name: str) -> bytes:
        info = self.by_lower.get(name)
        if info is None:
            raise self.fail(f"has no part {name!r}")
        self.unpacked += info.file_size
        most = limits().file_bytes
        if self.unpacked > most:
            raise UserError(too_large(self.unpacked, most, "unpacks to"), file=self.file)
        with self.package.open(info) as stream:
            held = stream.read(info.file_size + 1)
        if len(held) > info.file_size:
            raise self.fail(f"has a part {name!r} larger than it says")
        return held

    def _parsed(self, name: str) -> etree._Element:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        return etree.fromstring(self._bytes(name), parser)

    def _part(self, name: str) -> _Part:
        if name in self.parts:
            return self.parts[name]
        root = self._parsed(name)
        made = _Part(str(root.get("unit", "millimeter")))
        for prefix in str(root.get("requiredextensions", "")).split():
            space = root.nsmap.get(prefix, prefix)
            if space not in (_PRODUCTION, _MATERIALS):
                raise UserError(f"needs the 3MF extension {space}, which is not read", file=self.file)
        for entry in root.iter("{*}object"):
            number = str(entry.get("id"))
            made.objects[number] = self._read_object(entry, name)
        for entry in root.iterfind("{*}build/{*}item"):
            made.items.append((self._place(entry, name), _transform(entry.get("transform"))))
        self.parts[name] = made
        return made

    def _place(self, entry: etree._Element, name: str) -> tuple[str, str]:
        path = entry.get(f"{{{_PRODUCTION}}}path")
        return (_clean(str(path)) if path else name, str(entry.get("objectid")))

    def _read_object(self, entry: etree._Element, name: str) -> _Object:
        points = [
            (vertex.get("x"), vertex.get("y"), vertex.get("z"))
            for vertex in entry.iterfind("{*}mesh/{*}vertices/{*}vertex")
        ]
        corners = [
            (triangle.get("v1"), triangle.get("v2"), triangle.get("v3"))
            for triangle in entry.iterfind("{*}mesh/{*}triangles/{*}triangle")
        ]
        vertices = np.array(points, dtype=np.float64).reshape(-1, 3)
        faces = np.array(corners, dtype=np.int64).reshape(-1, 3)
        if len(faces) and (faces.min() < 0 or faces.max() >= len(vertices)):
            raise self.fail(f"has a triangle that names vertex {faces.max()} of {len(vertices)}")
        components = tuple(
            (self._place(component, name), _transform(component.get("transform")))
            for component in entry.iterfind("{*}components/{*}component")
        )
        return _Object(
            str(entry.get("name", "")), str(entry.get("type", "model")), vertices, faces, components
        )


def _clean(name: str) -> str:
    """A part's name as it is looked up: without a leading slash, lower case."""
    return posixpath.normpath(name.replace("\\", "/")).lstrip("/").lower()


def _transform(text: str | None) -> Floats:
    """(4, 4) of the twelve numbers of a 3MF transform, which multiply rows from the right."""
    matrix = np.eye(4)
    if text is not None:
        matrix[:, :3] = np.array(text.split(), dtype=np.float64).reshape(4, 3)
    return matrix
