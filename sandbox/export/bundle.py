"""A scene with everything that it needs in one file: written here, `sandbox.export.unbundle` takes it apart.

A bundle is a zip file: the scene, its models under ``models/``, layouts and tile libraries under ``layouts/``, rule
packs of its own under ``packs/``, and ``bundle.json``, which lists every file with its size and SHA-256. Paths in the
scene are rewritten to what lies in the bundle; comments and everything else stay. The same scene makes the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from sandbox import __version__
from sandbox.errors import UserError
from sandbox.files import YamlDocument, dump_yaml, existing_file, read_yaml
from sandbox.files.pages import write_made
from sandbox.rules.reading import find_pack, pack_names
from sandbox.scene import load_scene
from sandbox.terrain.limits import limits
from sandbox.terrain.load import load_model

MANIFEST = "bundle.json"
FORMAT = 1
WHEN = (1980, 1, 1, 0, 0, 0)
"""the date of everything in a bundle, so that the same scene makes the same file."""


@dataclass(frozen=True)
class Bundled:
    """What was put into a bundle."""

    path: Path
    scene: str
    """the scene's name in the bundle."""
    files: tuple[tuple[str, int], ...]
    """name and bytes of everything else."""


@dataclass
class _Bundle:
    """Files by the name that they get, and where each came from."""

    files: dict[str, bytes] = field(default_factory=dict)
    names: dict[Path, str] = field(default_factory=dict)
    size: int = 0

    def put(self, name: str, content: bytes, source: Path) -> str:
        self.size += len(content)
        if self.size > limits().file_bytes:
            raise UserError(
                f"the bundle would be larger than {limits().file_bytes / 1e6:,.0f} MB; "
                "leave models out, or raise SANDBOX_MAX_FILE_MB",
                file=source,
            )
        self.files[name] = content
        return name

    def free(self, folder: str, name: str) -> str:
        """A name in a folder that nothing has yet."""
        tidy = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "file"
        path = PurePosixPath(folder) / tidy
        chosen, number = path, 1
        taken = {known.lower() for known in self.files}
        while str(chosen).lower() in taken:
            number += 1
            chosen = path.with_name(f"{path.stem}-{number}{path.suffix}")
        return str(chosen)

    def model(self, path: Path) -> str:
        """A model with the files beside it that it is read with."""
        path = path.resolve()
        if path in self.names:
            return self.names[path]
        beside = [name for name, _ in load_model(path).beside]
        folder = str(PurePosixPath(self.free("models", path.stem))) if beside else "models"
        name = self.put(self.free(folder, path.name), _content(path), path)
        for other in beside:
            self.put(f"{folder}/{other}", _content(path.parent / other), path.parent / other)
        told = path.with_name(f"{path.stem}.check.yaml")
        if told.is_file():
            self.put(str(PurePosixPath(name).with_suffix("")) + ".check.yaml", _content(told), told)
        self.names[path] = name
        return name

    def pack(self, name: str, base: Path) -> str:
        """A rule pack that is a file, with those that it extends; a built-in one keeps its id."""
        if name in pack_names():
            return name
        path = find_pack(name, base)
        if path in self.names:
            return self.names[path]
        arc = self.names[path] = self.put(self.free("packs", path.name), b"", path)
        document = read_yaml(path)
        if isinstance(document.plain.get("extends"), str):
            document.data["extends"] = self.reference(arc, self.pack(document.plain["extends"], path.parent))
        self.put(arc, dump_yaml(document).encode("utf-8"), path)
        return arc

    def library(self, path: Path) -> str:
        """A tile library with the meshes of its tiles."""
        path = path.resolve()
        if path in self.names:
            return self.names[path]
        arc = self.names[path] = self.put(self.free("layouts", path.name), b"", path)
        document = read_yaml(path)
        self.tiles(document, document.data.get("tiles"), arc)
        self.put(arc, dump_yaml(document).encode("utf-8"), path)
        return arc

    def tiles(self, document: YamlDocument, tiles: Any, arc: str) -> None:
        """Point tiles that are meshes at what lies in the bundle."""
        for tile in (tiles or {}).values():
            if isinstance(tile, dict) and isinstance(tile.get("model"), str):
                found = existing_file(str(tile["model"]), base=document.path, what="model")
                tile["model"] = self.reference(arc, self.model(found))

    def layout(self, document: YamlDocument, tree: Any, arc: str) -> None:
        """Point a layout at what lies in the bundle."""
        if isinstance(tree.get("library"), str):
            found = existing_file(str(tree["library"]), base=document.path, what="library")
            tree["library"] = self.reference(arc, self.library(found))
        self.tiles(document, tree.get("own_tiles"), arc)

    @staticmethod
    def reference(arc: str, name: str) -> str:
        """How a file in the bundle is written in another one."""
        if name in pack_names():
            return name
        return "../" * (len(PurePosixPath(arc).parts) - 1) + name


def bundle(scene: Path, out: Path) -> Bundled:
    """Write a scene and everything that it needs into one file. UserError where something is missing or too large."""
    if out.suffix.lower() != ".zip":
        raise UserError("a bundle is a .zip file", file=out)
    load_scene(scene)  # says what is wrong, file and line
    document = read_yaml(scene)
    made = _Bundle()
    name = f"{re.sub(r'[^A-Za-z0-9._-]+', '-', scene.stem).strip('-.') or 'scene'}.yaml"
    made.files[name] = b""
    whole = document.data
    tree: Any = (
        whole["scene"] if "steps" in document.plain and isinstance(whole.get("scene"), dict) else whole
    )
    for piece in tree.get("terrain") or ():
        if isinstance(piece.get("model"), str):
            piece["model"] = made.model(existing_file(str(piece["model"]), base=scene, what="model"))
    if isinstance(tree.get("rules"), str):
        tree["rules"] = made.pack(str(tree["rules"]), scene.parent)
    if isinstance(tree.get("layout"), str):
        path = existing_file(str(tree["layout"]), base=scene, what="layout")
        other = read_yaml(path)
        arc = tree["layout"] = made.free("layouts", path.name)
        made.put(arc, b"", path)
        made.layout(other, other.data, arc)
        made.put(arc, dump_yaml(other).encode("utf-8"), path)
    elif isinstance(tree.get("layout"), dict):
        made.layout(document, tree["layout"], name)
    made.put(name, dump_yaml(document).encode("utf-8"), scene)
    content = _zipped(made.files, name)
    write_made(out, content, "bundle")
    return Bundled(
        out, name, tuple((one, len(held)) for one, held in sorted(made.files.items()) if one != name)
    )


def _zipped(files: dict[str, bytes], scene: str) -> bytes:
    manifest = {
        "format": FORMAT,
        "sandbox": __version__,
        "scene": scene,
        "files": {
            name: {"bytes": len(held), "sha256": hashlib.sha256(held).hexdigest()}
            for name, held in sorted(files.items())
        },
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        for name, held in [(MANIFEST, text.encode("utf-8")), *sorted(files.items())]:
            entry = zipfile.ZipInfo(name, WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, held)
    return out.getvalue()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=path) from None
