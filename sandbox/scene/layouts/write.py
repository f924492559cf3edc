"""Layouts out: as character maps or as lists of tiles, in the form that `load` reads."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString as Quoted
from ruamel.yaml.scalarstring import LiteralScalarString as Text

from sandbox.scene.layouts.legend import Legend, Signs
from sandbox.scene.layouts.model import (
    HOLE,
    SOLID,
    Border,
    BorderKind,
    Corner,
    Form,
    Grid,
    Layout,
    Level,
    Square,
    Tile,
)
from sandbox.scene.layouts.text import write_map, write_marks
from sandbox.scene.layouts.tiles import Clash, laid, tiled, uncut


def layout_text(
    layout: Layout, form: Form, tiles: Mapping[str, Tile], legend: Legend | None = None, indent: int = 0
) -> str:
    """A layout as YAML text, the keys of ``layout:`` at its top.

    form: maps, or lists of tiles (with a map only where it differs from what they make). tiles: all that it may
    name. legend: the characters that its maps had. indent: spaces before each line.
    """
    yaml = YAML(typ="rt", pure=True)
    yaml.width = 1_000_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    out = StringIO()
    yaml.dump(layout_tree(layout, form, tiles, legend), out)
    pad = " " * indent
    return "".join(pad + line if line.strip() else line for line in out.getvalue().splitlines(keepends=True))


def layout_tree(
    layout: Layout, form: Form, tiles: Mapping[str, Tile], legend: Legend | None = None
) -> CommentedMap:
    """The same as a tree that ruamel.yaml writes."""
    signs = Signs(legend or Legend())
    layout = tiled(layout, tiles) if form is Form.TILES else uncut(layout)
    every = {**tiles, **layout.own}
    levels = [_level(layout, number, form, every, signs) for number in range(len(layout.levels))]
    own = CommentedMap((name, _tile(tile, signs)) for name, tile in layout.own.items())
    tree = CommentedMap()
    tree["tiles"] = _flow(list(layout.tiles))
    tree["tile"] = layout.tile
    tree["squares"] = layout.squares
    if layout.library is not None:
        tree["library"] = layout.library
    used = _legend(signs, legend)
    if used:
        tree["legend"] = used
    for key, names in (("zones", layout.zones), ("points", layout.points)):
        if names:
            tree[key] = _flow({Quoted(mark): name for mark, name in names.items()})
    if own:
        tree["own_tiles"] = own
    tree["levels"] = levels
    return tree


def _level(layout: Layout, number: int, form: Form, tiles: Mapping[str, Tile], signs: Signs) -> CommentedMap:
    level = layout.levels[number]
    tree = CommentedMap(name=level.name, height=level.height)
    if number:
        tree["deck"] = level.deck
    under = _under(layout, number, tiles) if form is Form.TILES else None
    if level.tiles:
        rows = CommentedSeq()
        for one in level.tiles:
            entry: dict[str, Any] = {"tile": one.tile, "at": _flow(list(one.at))}
            if one.turn:
                entry["turn"] = one.turn
            rows.append(_flow(entry))
        tree["tiles"] = rows
    if under is None or under != level.grid:
        tree["map"] = Text(write_map(level.grid, signs, under))
    _rest(tree, level)
    return tree


def _rest(tree: CommentedMap, level: Level) -> None:
    if level.marks:
        tree["marks"] = Text(write_marks(level.marks))
    if level.sections:
        tree["ceilings"] = [
            _flow({"squares": _flow(list(section.squares)), "height": section.height})
            for section in level.sections
        ]


def _under(layout: Layout, number: int, tiles: Mapping[str, Tile]) -> Grid | None:
    level = layout.levels[number]
    if not level.tiles:
        return None
    found = laid(level.tiles, tiles, layout.tiles, layout.squares, HOLE if number else SOLID)
    assert not isinstance(found, Clash), "tiles that were read together lie together"
    return found


def _tile(tile: Tile, signs: Signs) -> CommentedMap:
    tree = CommentedMap()
    if tile.about:
        tree["about"] = tile.about
    if tile.model is None:
        tree["map"] = Text(write_map(tile.grid, signs))
        return tree
    tree["model"] = tile.model_name
    if tile.openings is not None:
        sides: dict[str, list[int]] = {}
        for facing, place in tile.openings:
            sides.setdefault(facing.word, []).append(place + 1)
        tree["openings"] = _flow({side: _flow(places) for side, places in sides.items()})
    if tile.floor:
        tree["floor"] = tile.floor
    tree["kind"] = tile.kind
    if tile.parts:
        tree["parts"] = dict(tile.parts)
    return tree


def _legend(signs: Signs, given: Legend | None) -> CommentedMap:
    """What the usual legend does not have: the characters that were given, and those that were made up."""
    usual = Legend()
    given = given or usual
    squares: dict[str, Square] = {k: v for k, v in given.squares.items() if usual.squares.get(k) != v}
    borders: dict[str, Border] = {k: v for k, v in given.borders.items() if usual.borders.get(k) != v}
    corners: dict[str, Corner] = {k: v for k, v in given.corners.items() if usual.corners.get(k) != v}
    tree = CommentedMap()
    if squares or signs.squares:
        rows = {**squares, **signs.squares}
        tree["squares"] = CommentedMap((Quoted(sign), _square(value)) for sign, value in rows.items())
    if borders or signs.borders:
        lines = {**borders, **signs.borders}
        tree["borders"] = CommentedMap((Quoted(sign), _border(value)) for sign, value in lines.items())
    if corners or signs.corners:
        posts = {**corners, **signs.corners}
        tree["corners"] = CommentedMap(
            (Quoted(sign), _flow({"column": value.column})) for sign, value in posts.items()
        )
    return tree


def _square(square: Square) -> Any:
    entry: dict[str, Any] = {"kind": square.kind.value}
    if square.facing is not None:
        entry["facing"] = square.facing.word
    if square.size:
        entry["size"] = _flow(list(square.size))
    if square.state is not None:
        entry["state"] = square.state.value
    return _flow(entry)


def _border(border: Border) -> Any:
    entry: dict[str, Any] = {"kind": border.kind.value}
    if border.kind is not BorderKind.OPEN:
        entry["thick"] = border.thick
    if border.high is not None:
        entry["high"] = border.high
    if border.state is not None:
        entry["state"] = border.state.value
    if border.opening is not None:
        entry["opening"] = border.opening
    return _flow(entry)


def _flow(value: Any) -> Any:
    """The same, written on one line."""
    made = CommentedSeq(value) if isinstance(value, list) else CommentedMap(value)
    made.fa.set_flow_style()
    return made
