"""Layouts in: from a scene's ``layout:``, or from a file of their own; tile libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sandbox.errors import UserError
from sandbox.files import YamlDocument, existing_file, read_yaml, shipped, suggestion, validate
from sandbox.scene.layouts.build import Built, build
from sandbox.scene.layouts.legend import Legend
from sandbox.scene.layouts.model import (
    AS_TILE,
    HOLE,
    SIZE_WORDS,
    SOLID,
    Border,
    BorderKind,
    Corner,
    Facing,
    Grid,
    Layout,
    Level,
    Placement,
    Section,
    Square,
    SquareKind,
    Tile,
)
from sandbox.scene.layouts.names import square_name
from sandbox.scene.layouts.parts import JAMB_MM, Door
from sandbox.scene.layouts.schema import LayoutEntry, LegendEntry, LevelEntry, LibraryFile, TileEntry
from sandbox.scene.layouts.text import Drawn, Fail, blank, lines_of, read_map, read_marks
from sandbox.scene.layouts.tiles import Clash, laid

Loc = tuple[str | int, ...]
SHIPPED_LIBRARY = "models/zone-mortalis/library.yaml"
MODEL_SUFFIXES = (".stl", ".obj", ".glb", ".gltf", ".ply", ".3mf", ".off")


@dataclass(frozen=True)
class Loaded:
    """A layout as it was read, with what it names."""

    layout: Layout
    tiles: Mapping[str, Tile]
    """all tiles that it may name: the library's and its own."""
    legend: Legend
    """the characters of its maps."""
    built: Built
    listed: bool = False
    """its pieces stand in the scene's own lists, and the layout is kept to convert back."""


def load_layout(document: YamlDocument, entry: LayoutEntry, loc: Loc = ("layout",)) -> Loaded:
    """The layout that stands at `loc` of a document. UserError, with file and line, for the first mistake."""
    return _Reader(document, entry, loc).loaded()


def read_layout(path: str | Path) -> tuple[YamlDocument, LayoutEntry]:
    """A layout file: the keys of ``layout:`` at its top."""
    document = read_yaml(path)
    return document, validate(document, LayoutEntry)


def load_library(path: Path) -> Mapping[str, Tile]:
    """The tiles of a library file, by name. UserError, with file and line, for the first mistake."""
    try:
        stamp = path.stat().st_mtime_ns
    except OSError:
        stamp = 0
    return _library(path, stamp)[0]


@lru_cache(maxsize=8)
def _library(path: Path, stamp: int) -> tuple[dict[str, Tile], float, int]:
    """The tiles of a library, the side of a tile in mm, and its squares."""
    document = read_yaml(path)
    form = validate(document, LibraryFile)
    legend = read_legend(document, form.legend, ("legend",))
    tiles = {
        name: _tile(document, name, entry, form.squares, legend, ("tiles", name))
        for name, entry in form.tiles.items()
    }
    return tiles, form.tile, form.squares


def library_path(text: str | None, base: Path, line: int | None = None) -> Path:
    """Where a library lies that a layout names; without a name the one that ships."""
    return (
        shipped(SHIPPED_LIBRARY)
        if text is None
        else existing_file(text, base=base, line=line, what="library")
    )


def read_legend(document: YamlDocument, entry: LegendEntry, loc: Loc) -> Legend:
    """A legend with the characters of a file's own. UserError for sizes that do not fit a kind."""
    squares = {}
    for sign, square in entry.squares.items():
        where = (*loc, "squares", sign)
        wanted = SIZE_WORDS.get(square.kind)
        count = 0 if wanted is None else wanted.count(",") + 1
        if square.size is not None and len(square.size) != count:
            document.fail(
                f"size of {square.kind}: should be {wanted} in mm"
                if wanted
                else f"{square.kind} has no size",
                where,
            )
        if square.kind is SquareKind.TILE:
            document.fail("a square of a mesh is written *, and has no other character", where)
        squares[sign] = Square.of(square.kind, square.facing, tuple(square.size or ()), square.state)
    borders = {}
    for sign, border in entry.borders.items():
        if border.kind is not BorderKind.DOOR and (border.state or border.opening):
            document.fail(
                f"only doors have a state and an opening, not {border.kind}", (*loc, "borders", sign)
            )
        borders[sign] = Border.of(border.kind, border.thick, border.high, border.state, border.opening)
    corners = {sign: Corner(corner.column) for sign, corner in entry.corners.items()}
    for table in (squares, borders, corners):
        if any("*" in sign for sign in table):
            document.fail("the character * says `as the tile has it`; choose another", loc)
    return Legend().with_own(squares, borders, corners)


def _tile(document: YamlDocument, name: str, entry: TileEntry, n: int, legend: Legend, loc: Loc) -> Tile:
    if entry.map is not None:
        grid = _drawn(document, entry.map, (n, n), legend, (*loc, "map")).over(None)
        if grid is None:
            document.fail("a tile of a library cannot ask for another tile (*)", (*loc, "map"))
        return Tile(name, grid, about=entry.about)
    assert entry.model is not None
    line = document.line_of((*loc, "model"))
    if not entry.model.lower().endswith(MODEL_SUFFIXES):
        allowed = ", ".join(MODEL_SUFFIXES)
        raise UserError(
            f"{entry.model!r} is no model file; allowed: {allowed}", file=document.path, line=line
        )
    model = existing_file(entry.model, base=document.path, line=line, what="model")
    openings = None
    if entry.openings is not None:
        sides = {facing.word: facing for facing in Facing}
        openings = tuple(
            sorted((sides[side], place - 1) for side, places in entry.openings.items() for place in places)
        )
        if any(not 0 <= place < n for _, place in openings):
            document.fail(f"openings are counted from 1 to {n} along a side", (*loc, "openings"))
    return Tile(
        name=name,
        grid=Grid.filled(n, n, AS_TILE),
        model=model,
        model_name=entry.model,
        floor=entry.floor,
        parts=tuple((pattern, kind.value) for pattern, kind in entry.parts.items()),
        kind=entry.kind.value,
        openings=openings,
        about=entry.about,
    )


def _drawn(document: YamlDocument, text: str, size: tuple[int, int], legend: Legend, loc: Loc) -> Drawn:
    return read_map(text, *size, legend, _failing(document, loc))


def _failing(document: YamlDocument, loc: Loc) -> Fail:
    first = document.line_of(loc) + 1  # a block of text begins on the line after its key

    def fail(text: str, number: int) -> Exception:
        return UserError(text, file=document.path, line=first + number)

    return fail


class _Reader:
    def __init__(self, document: YamlDocument, entry: LayoutEntry, loc: Loc) -> None:
        self.document = document
        self.entry = entry
        self.loc = loc
        self.size = (entry.tiles[0] * entry.squares, entry.tiles[1] * entry.squares)
        self.legend = read_legend(document, entry.legend, (*loc, "legend"))
        self.own = {
            name: _tile(document, name, tile, entry.squares, self.legend, (*loc, "own_tiles", name))
            for name, tile in entry.own_tiles.items()
        }
        self._library: Mapping[str, Tile] | None = None

    def loaded(self) -> Loaded:
        entry = self.entry
        names = [level.name for level in entry.levels]
        for index, name in enumerate(names):
            if name in names[:index]:
                self.document.fail(f"the level {name!r} is there twice", (*self.loc, "levels", index, "name"))
        self._check_marks()
        layout = Layout(
            levels=tuple(self._level(index, level) for index, level in enumerate(entry.levels)),
            tiles=entry.tiles,
            tile=entry.tile,
            squares=entry.squares,
            zones=dict(entry.zones),
            points=dict(entry.points),
            own=self.own,
            library=entry.library,
        )
        self._check(layout)
        tiles = self.tiles
        line = self.document.line_of(self.loc)
        built = build(layout, tiles, line=line, loc=self.loc)
        self._check_doors(layout, built.doors)
        return Loaded(layout, tiles, self.legend, built, entry.built)

    @property
    def tiles(self) -> Mapping[str, Tile]:
        """All tiles by name; the library is opened when it is first needed."""
        named = {one.tile for level in self.entry.levels for one in level.tiles}
        needed = self.entry.library is not None or bool(named - set(self.own))
        if self._library is None:
            self._library = self._open_library() if needed else {}
        return {**self._library, **self.own}

    def _open_library(self) -> Mapping[str, Tile]:
        entry = self.entry
        loc = (*self.loc, "library")
        path = library_path(entry.library, self.document.path, self.document.line_of(loc))
        tiles = load_library(path)
        _, tile, squares = _library(path, path.stat().st_mtime_ns)
        if squares != entry.squares:
            self.document.fail(
                f"tiles of {path.name} have {squares} squares along a side, this layout has {entry.squares}",
                loc,
            )
        del tile  # drawn tiles fit any size; meshes are placed by their middle
        return tiles

    def _level(self, index: int, entry: LevelEntry) -> Level:
        loc = (*self.loc, "levels", index)
        placements = tuple(
            sorted(
                (Placement(one.tile, one.at, one.turn) for one in entry.tiles),
                key=lambda one: (one.at[1], one.at[0]),
            )
        )
        under: Grid | None = None
        if placements:
            self._check_tiles(entry, loc)
            empty = SOLID if index == 0 else HOLE
            found = laid(placements, self.tiles, self.entry.tiles, self.entry.squares, empty)
            if isinstance(found, Clash):
                number = next(k for k, one in enumerate(entry.tiles) if one.at == found.tile)
                self.document.fail(
                    f"the tiles {found.first!r} and {found.second!r} want different things on the border between them",
                    (*loc, "tiles", number),
                )
            under = found
        if entry.map is None and under is None:
            self.document.fail(f"the level {entry.name!r} has neither a map nor tiles", loc)
        drawn = blank(*self.size) if entry.map is None else self._map(entry.map, (*loc, "map"))
        grid = drawn.over(under)
        if grid is None:
            self.document.fail("* says `as the tile has it`, but this level lists no tiles", (*loc, "map"))
        marks: tuple[str, ...] = ()
        if entry.marks is not None:
            marks = read_marks(entry.marks, *self.size, _failing(self.document, (*loc, "marks")))
        return Level(
            name=entry.name,
            grid=grid,
            height=entry.height,
            deck=entry.deck if index else Level.deck,
            marks=marks,
            sections=tuple(Section(one.squares, one.height) for one in entry.ceilings),
            tiles=placements,
        )

    def _map(self, text: str, loc: Loc) -> Drawn:
        return _drawn(self.document, text, self.size, self.legend, loc)

    def _check_tiles(self, entry: LevelEntry, loc: Loc) -> None:
        tiles = self.tiles
        seen: set[tuple[int, int]] = set()
        for number, one in enumerate(entry.tiles):
            where = (*loc, "tiles", number)
            if one.tile not in tiles:
                self.document.fail(f"there is no tile {one.tile!r}; {suggestion(one.tile, tiles)}", where)
            if not (one.at[0] < self.entry.tiles[0] and one.at[1] < self.entry.tiles[1]):
                columns, rows = self.entry.tiles
                self.document.fail(
                    f"at: the board has {columns} x {rows} tiles, counted from 0; {list(one.at)} is none of them",
                    where,
                )
            if one.at in seen:
                self.document.fail(f"two tiles lie at {list(one.at)}", where)
            seen.add(one.at)

    def _check_marks(self) -> None:
        both = set(self.entry.zones) & set(self.entry.points)
        if both or "." in self.entry.zones or "." in self.entry.points:
            sign = sorted(both)[0] if both else "."
            self.document.fail(
                f"the mark {sign!r} cannot be used for a zone and for something else", (*self.loc, "zones")
            )

    def _check(self, layout: Layout) -> None:
        """What can be read but makes no board."""
        known = {*layout.zones, *layout.points, "."}
        for index, level in enumerate(layout.levels):
            loc = (*self.loc, "levels", index)
            for r, row in enumerate(level.grid.squares):
                for c, square in enumerate(row):
                    wrong = _wrong_square(layout, index, c, r, square)
                    if wrong is not None:
                        number = 2 * (layout.depth - r) - 1
                        short = self._ends_before(index, number, c)
                        self._fail_at(f"{square_name(c, r)}: {short or wrong}", loc, "map", number)
            for r, marks in enumerate(level.marks):
                for c, mark in enumerate(marks):
                    if mark not in known:
                        self._fail_at(
                            f"{square_name(c, r)}: the mark {mark!r} is in neither `zones` nor `points`",
                            loc,
                            "marks",
                            len(level.marks) - 1 - r,
                        )
            for number, section in enumerate(level.sections):
                c0, r0, c1, r1 = section.squares
                if not (c0 <= c1 < layout.width and r0 <= r1 < layout.depth):
                    self.document.fail(
                        "squares: should be [first column, first row, last column, last row] on the board",
                        (*loc, "ceilings", number),
                    )

    def _ends_before(self, level: int, number: int, column: int) -> str | None:
        """What is wrong with a line of a map that ends before a square; None where it does not."""
        drawn = self.entry.levels[level].map
        if drawn is None or (length := len(lines_of(drawn)[number])) > 2 * column + 1:
            return None
        width = self.size[0]
        return f"the line ends before it: {width} squares and their borders are {2 * width + 1} characters, here are {length}"

    def _check_doors(self, layout: Layout, doors: Sequence[Door]) -> None:
        """Openings have to leave something of their frames."""
        for door in doors:
            room = door.frame - 2 * JAMB_MM
            if door.opening <= room:
                continue
            x, y = (v / layout.pitch for v in door.leaf.rect.middle)
            upright = door.is_hatch or abs(x - round(x)) < abs(y - round(y))
            number = 2 * (layout.depth - int(y)) - 1 if upright else 2 * (layout.depth - round(y))
            self._fail_at(
                f"{door.name}: an opening of {door.opening:g} mm does not fit into {door.frame:.1f} mm; at most "
                f"{room:.1f} mm do",
                (*self.loc, "levels", door.level),
                "map",
                number,
            )

    def _fail_at(self, text: str, loc: Loc, key: str, number: int) -> None:
        written = self.entry.levels[int(loc[-1])]
        inside = getattr(written, key) is not None
        raise UserError(
            text,
            file=self.document.path,
            line=self.document.line_of((*loc, key)) + (1 + number if inside else 0),
        )


def _wrong_square(layout: Layout, level: int, column: int, row: int, square: Square) -> str | None:
    last = len(layout.levels) - 1
    match square.kind:
        case SquareKind.HOLE if level == 0:
            return "the lowest level has no floor to leave out; write . for floor, # for solid, o for a pit"
        case SquareKind.PIT if level > 0:
            return "a pit is in the lowest floor; leave the square of an upper level blank for a hole"
        case SquareKind.HATCH if level == 0:
            return "there is no level below that a hatch could lead to"
        case SquareKind.LADDER | SquareKind.STAIRS | SquareKind.RAMP if level == last:
            return f"there is no level above that {square.kind} could lead to"
        case SquareKind.TILE:
            tile = (column // layout.squares, row // layout.squares)
            if all(one.at != tile for one in layout.levels[level].tiles):
                return "* says `as the tile has it`, but no tile lies here"
    return None
