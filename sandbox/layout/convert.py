"""A layout written another way: as character maps, as lists of tiles, or as the pieces of a scene."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from ruamel.yaml import YAML

from sandbox.errors import UserError
from sandbox.files import read_yaml
from sandbox.scene import Scene, load_scene
from sandbox.scene.layouts import (
    Form,
    Loaded,
    Tile,
    layout_tree,
    library_path,
    load_layout,
    load_library,
    read_layout,
)


def rewritten(path: Path, form: str, out: Path | None = None) -> str:
    """The file's text with its layout written as `form`: map, tiles or scene.

    out: where it will be put, so that paths in it are right. Everything else in the file stays as it is.
    """
    document = read_yaml(path)
    own = "levels" in document.plain
    loaded = _layout(path, own)
    tree = document.data
    if form == "scene":
        raise UserError("not yet", file=path)
    written = layout_tree(loaded.layout, Form(form), _tiles(loaded, path), loaded.legend)
    if own:
        tree = written
    else:
        tree["layout"] = written
    yaml = YAML(typ="rt", pure=True)
    yaml.width = 1_000_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    text = StringIO()
    yaml.dump(tree, text)
    return text.getvalue()


def _layout(path: Path, own: bool) -> Loaded:
    if own:
        document, entry = read_layout(path)
        return load_layout(document, entry, ())
    scene: Scene = load_scene(path)
    if scene.layout is None:
        raise UserError("the scene has no `layout:`", file=path)
    return scene.layout


def _tiles(loaded: Loaded, path: Path) -> dict[str, Tile]:
    return {**load_library(library_path(loaded.layout.library, path)), **loaded.tiles}
