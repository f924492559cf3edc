"""glTF 2.0 and GLB: the triangles of every node, moved by the scene graph, with node paths. Metres, Y up.

A reader of our own for geometry alone: general ones wrap indices that point nowhere, lose node cycles and
compressed meshes without a word, and rename nodes.
"""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from sandbox.errors import UserError
from sandbox.scene.model import Unit, UpAxis
from sandbox.terrain.formats.raw import Floats, Indices, RawModel, RawNode, allow, beside, content_hash
from sandbox.terrain.limits import limits, too_large

_COMPONENTS = {
    5120: np.int8,
    5121: np.uint8,
    5122: np.int16,
    5123: np.uint16,
    5125: np.uint32,
    5126: np.float32,
}
_WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_PACKED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression")
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_DEEPEST = 500
_GLB, _JSON, _BIN = 0x46546C67, 0x4E4F534A, 0x004E4942


def read_gltf(data: bytes, file: Path) -> RawModel:
    """Nodes of a .gltf or .glb file, in the order of its scene graph; UserError where it is broken or too large."""
    try:
        return _Reader(data, file).model()
    except UserError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, struct.error) as error:
        reason = f"{type(error).__name__} {error}".strip()
        raise UserError(f"is no valid glTF ({reason}); export it again", file=file) from error


class _Reader:
    """One file while it is read."""

    def __init__(self, data: bytes, file: Path) -> None:
        self.file = file
        self.binary: bytes | None = None
        self.tree: dict[str, Any] = self._header(data)
        self.buffers: dict[int, bytes] = {}
        self.read_too: list[tuple[str, str]] = []
        self.triangles = 0
        version = str(self.tree.get("asset", {}).get("version", ""))
        if not version.startswith("2"):
            raise UserError(f"is glTF version {version or 'unknown'}; only version 2 is read", file=file)
        packed = [name for name in self.tree.get("extensionsRequired", []) if name in _PACKED]
        if packed:
            raise UserError(f"needs {packed[0]}, which is not read; export it without compression", file=file)

    def fail(self, reason: str) -> UserError:
        return UserError(f"{reason}; export it again", file=self.file)

    def _header(self, data: bytes) -> dict[str, Any]:
        text = data
        if data[:4] == b"glTF":
            length = struct.unpack_from("<I", data, 8)[0]
            if length > len(data):
                raise self.fail(f"is cut short: {length} bytes promised, {len(data)} there")
            at, text = 12, b""
            while at + 8 <= length:
                size, kind = struct.unpack_from("<II", data, at)
                if at + 8 + size > length:
                    raise self.fail("has a chunk that runs past its end")
                chunk = data[at + 8 : at + 8 + size]
                if kind == _JSON and not text:
                    text = chunk
                elif kind == _BIN and self.binary is None:
                    self.binary = chunk
                at += 8 + size
        try:
            tree = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self.fail("is no glTF: its JSON cannot be read") from error
        if not isinstance(tree, dict):
            raise self.fail("is no glTF: its JSON is no object")
        return tree

    def model(self) -> RawModel:
        tree = self.tree
        nodes = tree.get("nodes", [])
        if "scenes" in tree:
            roots = tree["scenes"][tree.get("scene", 0)].get("nodes", [])
        else:
            children = {child for node in nodes for child in node.get("children", [])}
            roots = [number for number in range(len(nodes)) if number not in children]
        found: list[RawNode] = []
        visits = 0
        waiting: list[tuple[int, Floats, tuple[str, ...], frozenset[int]]] = [
            (int(root), np.eye(4), (), frozenset()) for root in reversed(roots)
        ]
        while waiting:
            number, above, path, seen = waiting.pop()
            visits += 1
            allow(0, visits + len(waiting), self.file, counted=False)
            if not 0 <= number < len(nodes):
                raise self.fail(f"names node {number}, which is not there")
            if len(path) > _DEEPEST:
                raise self.fail(f"has nodes nested more than {_DEEPEST} deep")
            if number in seen:
                raise self.fail(f"has a node ({number}) that is its own ancestor")
            node = nodes[number]
            matrix = above @ _local(node)
            mesh = node.get("mesh")
            name = str(node.get("name") or "")
            if not name and mesh is not None:
                name = str(tree["meshes"][mesh].get("name") or "")
            here = (*path, name or f"node{number}")
            if mesh is not None:
                found.append(self._mesh(tree["meshes"][mesh], matrix, here))
            below = seen | {number}
            waiting.extend((int(child), matrix, here, below) for child in reversed(node.get("children", [])))
        return RawModel(tuple(found), Unit.METRE, UpAxis.Y, beside=tuple(self.read_too))

    def _mesh(self, mesh: dict[str, Any], matrix: Floats, path: tuple[str, ...]) -> RawNode:
        """Primitives of one mesh as one node: they are one thing in several materials."""
        vertices: list[Floats] = []
        faces: list[Indices] = []
        held = 0
        for primitive in mesh.get("primitives", []):
            mode = primitive.get("mode", _TRIANGLES)
            if mode not in (_TRIANGLES, _STRIP, _FAN):
                continue
            if any(name in primitive.get("extensions", {}) for name in _PACKED):
                raise UserError("has compressed meshes; export it without compression", file=self.file)
            if "POSITION" not in primitive["attributes"]:
                continue
            points = self._accessor(primitive["attributes"]["POSITION"]).astype(np.float64)
            if points.shape[1] != 3:
                raise self.fail("has positions that are not three numbers")
            if "indices" in primitive:
                order = self._accessor(primitive["indices"]).ravel().astype(np.int64)
            else:
                order = np.arange(len(points))
            if len(order) and (order.min() < 0 or order.max() >= len(points)):
                raise self.fail(
                    f"has an index past its end ({order.max()}, but {len(points)} vertices) in {'/'.join(path)!r}"
                )
            if (mode == _TRIANGLES and len(order) % 3) or len(order) in (1, 2):
                raise self.fail(
                    f"has {len(order)} corners, which make no whole triangles, in {'/'.join(path)!r}"
                )
            self.triangles += len(order) // 3 if mode == _TRIANGLES else max(len(order) - 2, 0)
            allow(self.triangles, 0, self.file, counted=False)
            triangles = _triangles(order, mode)
            vertices.append(points)
            faces.append(triangles + held)
            held += len(points)
        if not faces:
            return RawNode(path, np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
        with np.errstate(invalid="ignore", over="ignore"):
            placed = np.concatenate(vertices) @ matrix[:3, :3].T + matrix[:3, 3]
        joined = np.concatenate(faces)
        if np.linalg.det(matrix[:3, :3]) < 0:
            joined = joined[:, ::-1]
        return RawNode(path, placed, joined)

    def _buffer(self, number: int) -> bytes:
        if number in self.buffers:
            return self.buffers[number]
        entry = self.tree["buffers"][number]
        uri = entry.get("uri")
        if uri is None:
            if number != 0 or self.binary is None:
                raise self.fail(f"has a buffer ({number}) without data")
            held = self.binary
        elif uri.startswith("data:"):
            held = base64.b64decode(uri.partition(",")[2])
        else:
            held = self._other_file(beside(uri, self.file))
            self.read_too.append((unquote(uri).replace("\\", "/"), content_hash(held)))
        if len(held) < entry["byteLength"]:
            raise self.fail(
                f"has a buffer cut short: {entry['byteLength']} bytes promised, {len(held)} there"
            )
        self.buffers[number] = held
        return held

    def _other_file(self, path: Path) -> bytes:
        size, most = path.stat().st_size, limits().file_bytes
        if size > most:
            raise UserError(too_large(size, most, f"refers to {path.name!r}, which is"), file=self.file)
        try:
            return path.read_bytes()
        except OSError as error:
            reason = error.strerror or error
            raise UserError(
                f"refers to {path.name!r}, which cannot be read: {reason}", file=self.file
            ) from error

    def _strided(self, view: int, offset: int, kind: Any, width: int, count: int) -> NDArray[Any]:
        entry = self.tree["bufferViews"][view]
        held = self._buffer(entry["buffer"])
        start, length = entry.get("byteOffset", 0), entry["byteLength"]
        item = np.dtype(kind).itemsize * width
        stride = entry.get("byteStride") or item
        if count < 0 or offset < 0 or start < 0 or stride < item:
            raise self.fail("has an accessor with impossible sizes")
        if count and (offset + stride * (count - 1) + item > length or start + length > len(held)):
            raise self.fail("has an accessor that reads past the end of its data")
        if count == 0:
            return np.zeros((0, width), dtype=kind)
        window = np.frombuffer(held, dtype=np.uint8, count=stride * (count - 1) + item, offset=start + offset)
        rows = np.lib.stride_tricks.as_strided(window, shape=(count, item), strides=(stride, 1))
        values: NDArray[Any] = np.ascontiguousarray(rows).view(np.dtype(kind).newbyteorder("<"))
        return values.reshape(count, width)

    def _accessor(self, number: int) -> NDArray[Any]:
        """(count, width) numbers of one accessor."""
        if not 0 <= number < len(self.tree.get("accessors", [])):
            raise self.fail(f"names accessor {number}, which is not there")
        entry = self.tree["accessors"][number]
        kind, width, count = _COMPONENTS[entry["componentType"]], _WIDTH[entry["type"]], entry["count"]
        if not isinstance(count, int) or not 0 <= count <= 12 * limits().triangles:
            raise self.fail(f"has an accessor that claims {count} entries")
        if "bufferView" in entry:
            values = self._strided(entry["bufferView"], entry.get("byteOffset", 0), kind, width, count)
        else:
            values = np.zeros((count, width), dtype=kind)
        if "sparse" in entry:
            sparse = entry["sparse"]
            where, what = sparse["indices"], sparse["values"]
            places = self._strided(
                where["bufferView"],
                where.get("byteOffset", 0),
                _COMPONENTS[where["componentType"]],
                1,
                sparse["count"],
            )
            values = values.copy()
            values[places.ravel().astype(np.int64)] = self._strided(
                what["bufferView"], what.get("byteOffset", 0), kind, width, sparse["count"]
            )
        if entry.get("normalized") and kind is not np.float32:
            values = np.maximum(values.astype(np.float64) / np.iinfo(values.dtype).max, -1.0)
        return values


def _triangles(order: Indices, mode: int) -> Indices:
    if mode == _TRIANGLES:
        return order[: len(order) // 3 * 3].reshape(-1, 3)
    if len(order) < 3:
        return np.zeros((0, 3), dtype=np.int64)
    if mode == _FAN:
        return np.stack([np.full(len(order) - 2, order[0]), order[1:-1], order[2:]], axis=1)
    strip = np.stack([order[:-2], order[1:-1], order[2:]], axis=1)
    strip[1::2] = strip[1::2, ::-1]
    return strip


def _local(node: dict[str, Any]) -> Floats:
    """(4, 4) transform of a node: its matrix, or translation, rotation (x, y, z, w) and scale."""
    if "matrix" in node:
        return np.array(node["matrix"], dtype=np.float64).reshape(4, 4).T
    x, y, z, w = np.array(node.get("rotation", (0, 0, 0, 1)), dtype=np.float64)
    length = np.sqrt(x * x + y * y + z * z + w * w)
    if length > 0:
        x, y, z, w = x / length, y / length, z / length, w / length
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = turn * np.array(node.get("scale", (1, 1, 1)), dtype=np.float64)
    matrix[:3, 3] = node.get("translation", (0, 0, 0))
    return matrix
