"""A layout written another way: as character maps, as lists of tiles, or as the pieces of a scene, and back.

A scene that lists the pieces of its layout says ``built: true`` in it; the layout stays there, so that nothing is
lost. On the way back the pieces have to be those that the layout makes; who has changed one is told so.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from sandbox.errors import UserError
from sandbox.files import read_yaml
from sandbox.kinds import Kind
from sandbox.scene import Area, Ductway, NamedPoint, Piece, Scene, Shape, Zone, load_scene
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

LEEWAY = 1e-6
"""inches by which a piece may differ from what the layout makes and still be the same."""


def rewritten(path: Path, form: str, out: Path | None = None) -> str:
    """The file's text with its layout written as `form`: map, tiles or scene.

    out: where it will be put, for the paths of models in it. Everything else in the file stays as it is. Raises
    UserError where the file has no layout, or where the pieces of a built scene are not those of its layout.
    """
    document = read_yaml(path)
    own = "levels" in document.plain
    scene, loaded = _read(path, own)
    tree: CommentedMap = document.data
    if loaded.listed:
        check_same(scene, loaded)
        _strip(tree, loaded)
    written = layout_tree(
        loaded.layout, Form.MAP if form == "scene" else Form(form), _tiles(loaded, path), loaded.legend
    )
    if form == "scene":
        if own:
            tree = CommentedMap(name=path.stem)
        written["built"] = True
        tree["layout"] = written
        _list_pieces(tree, loaded, (out or path).parent)
    elif own:
        tree = written
    else:
        tree["layout"] = written
    yaml = YAML(typ="rt", pure=True)
    yaml.width = 1_000_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    text = StringIO()
    yaml.dump(tree, text)
    return text.getvalue()


def check_same(scene: Scene, loaded: Loaded) -> None:
    """UserError unless a scene lists just the pieces that its layout makes (others may be there as well)."""
    made = loaded.built
    pieces = {piece.id: piece for piece in scene.terrain}
    for piece in made.terrain:
        there = pieces.get(piece.id)
        if there is None:
            raise scene.error(
                f"the piece {piece.id!r} of the layout is missing; the layout would bring it back",
                ("terrain",),
            )
        if not _same(piece, there):
            raise scene.error(
                f"the piece {piece.id!r} is not as the layout makes it; change the layout instead", there.loc
            )


def _same(made: Piece, there: Piece) -> bool:
    close = all(
        abs(a - b) <= LEEWAY
        for a, b in zip(
            (*made.sizes, *made.at, made.turn), (*there.sizes, *there.at, there.turn), strict=False
        )
    )
    model = made.model is None or (there.model is not None and made.model.resolve() == there.model.resolve())
    return (
        close
        and model
        and made.shape is there.shape
        and made.kind is there.kind
        and made.parts == there.parts
        and len(made.sizes) == len(there.sizes)
    )


def _read(path: Path, own: bool) -> tuple[Scene, Loaded]:
    if own:
        from sandbox.layout.board import layout_scene  # noqa: PLC0415 - the board needs the whole engine

        document, entry = read_layout(path)
        return layout_scene(path), load_layout(document, entry, ())
    scene = load_scene(path)
    if scene.layout is None:
        raise UserError("the scene has no `layout:`", file=path)
    return scene, scene.layout


def _tiles(loaded: Loaded, path: Path) -> dict[str, Tile]:
    library = load_library(library_path(loaded.layout.library, path))
    fitting = {name: tile for name, tile in library.items() if tile.grid.width == loaded.layout.squares}
    return {**fitting, **loaded.tiles}


def _strip(tree: CommentedMap, loaded: Loaded) -> None:
    """Take the pieces of the layout out of the scene's lists."""
    made = loaded.built
    names: dict[str, set[str]] = {
        "terrain": {piece.id for piece in made.terrain},
        "ductways": {duct.id for duct in made.ductways},
        "zones": {zone.id for zone in made.zones},
        "points": {point.id for point in made.points},
    }
    for key, ids in names.items():
        if key in tree:
            _keep(tree, key, [row for row in tree[key] if row.get("id") not in ids])
    if "areas" in tree:
        count = len(made.areas)
        _keep(tree, "areas", list(tree["areas"])[count:])


def _keep(tree: CommentedMap, key: str, rows: list[Any]) -> None:
    if rows:
        tree[key] = CommentedSeq(rows)
    else:
        del tree[key]


def _list_pieces(tree: CommentedMap, loaded: Loaded, folder: Path) -> None:
    made = loaded.built
    rows: dict[str, Iterable[CommentedMap]] = {
        "terrain": (_piece(piece, folder) for piece in made.terrain),
        "areas": (_area(area) for area in made.areas),
        "ductways": (_duct(duct) for duct in made.ductways),
        "zones": (_zone(zone) for zone in made.zones),
        "points": (_spot(point) for point in made.points),
    }
    for key, entries in rows.items():
        listed = [*entries, *tree.get(key, ())]
        if listed:
            tree[key] = CommentedSeq(listed)


def _flow(**values: Any) -> CommentedMap:
    made = CommentedMap()
    for key, value in values.items():
        if isinstance(value, list | tuple):
            listed = CommentedSeq([_row(v) if isinstance(v, list | tuple) else v for v in value])
            listed.fa.set_flow_style()
            value = listed  # noqa: PLW2901
        made[key] = value
    made.fa.set_flow_style()
    return made


def _row(values: Iterable[Any]) -> CommentedSeq:
    made = CommentedSeq(list(values))
    made.fa.set_flow_style()
    return made


def _piece(piece: Piece, folder: Path) -> CommentedMap:
    values: dict[str, Any] = {"id": piece.id}
    if piece.shape is Shape.MODEL:
        assert piece.model is not None
        values["model"] = Path(os.path.relpath(piece.model.resolve(), folder.resolve())).as_posix()
    else:
        sizes = list(piece.sizes)
        values[piece.shape.value] = [*sizes[:3], round(sizes[3])] if piece.shape is Shape.STAIRS else sizes
    values["at"] = piece.at
    if piece.turn:
        values["turn"] = piece.turn
    values["kind"] = piece.kind.value
    if piece.parts:
        values["parts"] = {pattern: kind.value for pattern, kind in piece.parts}
    return _flow(**values)


def _area(area: Area) -> CommentedMap:
    return _flow(kind=Kind(area.kind).value, polygon=[list(p) for p in area.polygon], z=list(area.z or ()))


def _duct(duct: Ductway) -> CommentedMap:
    return _flow(**{"id": duct.id, "from": list(duct.start), "to": list(duct.end)})


def _zone(zone: Zone) -> CommentedMap:
    return _flow(id=zone.id, polygon=[list(p) for p in zone.polygon], z=list(zone.z or ()))


def _spot(point: NamedPoint) -> CommentedMap:
    return _flow(id=point.id, at=[*point.at, 0.0 if point.z is None else point.z])
