"""A sheet to build from: a parts list, and each level's plan to scale, on pages of A4 or Letter."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sandbox.errors import UserError
from sandbox.export.drawing import Drawn, Page, Pen, Shape, Text, Window, pdf, svg
from sandbox.export.meshes import bodies_of
from sandbox.export.openplan import board_size, open_parts, open_plan
from sandbox.export.plan import (
    DOORS,
    DUCT_LINE,
    FAINT,
    HATCH,
    INK,
    LADDER,
    RAIL,
    STAIRS,
    THING,
    WALL,
    plan_of,
    size_of,
    what_of,
)
from sandbox.files.pages import write_made
from sandbox.layout.board import layout_scene
from sandbox.scene.layouts import Loaded, SquareKind, State
from sandbox.scene.model import Scene
from sandbox.scene.model import Shape as PieceShape
from sandbox.units import inches, mm

MARGIN = 12.0
HEAD = 25.0
"""mm for a page's title."""
FOOT = 14.0
NAMES = 9.0
"""mm on the page for the names of columns and rows."""
OVERLAP = 8.0
"""mm that pages of one plan have in common."""
ROUND = (1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 10, 12, 15, 20)
"""scales that are chosen from: one to so many."""
BAR_MM = 50.0
"""length on the page of the bar that says whether the printer kept the scale."""


class Paper(StrEnum):
    """Sizes of paper."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of a page that stands, mm."""
        return (210.0, 297.0) if self is Paper.A4 else (215.9, 279.4)


@dataclass(frozen=True)
class Part:
    """Parts that are alike."""

    what: str
    size: str
    """millimetres in words."""
    count: int


def write_sheet(
    scene: Path, out: Path, paper: Paper = Paper.A4, scale: float | None = None
) -> tuple[Path, ...]:
    """Write the sheet of a scene: one PDF, or one SVG for each page. scale: one to so many; None: one page a level.

    UserError where the file is neither, or the scene has no pieces.
    """
    suffix = out.suffix.lower()
    if suffix not in (".pdf", ".svg"):
        raise UserError("a sheet is a .pdf or .svg file", file=out)
    read = layout_scene(scene)
    pages = (
        open_sheet(read, paper, scale) if read.layout is None else sheet(read.layout, read.name, paper, scale)
    )
    if suffix == ".pdf":
        write_made(out, pdf(pages, f"{read.name}: build sheet"), "sheet")
        return (out,)
    written = []
    for number, page in enumerate(pages, start=1):
        path = out.with_name(f"{out.stem}-{number}{out.suffix}")
        write_made(path, svg(page).encode("utf-8"), "sheet")
        written.append(path)
    return tuple(written)


def sheet(loaded: Loaded, name: str, paper: Paper = Paper.A4, scale: float | None = None) -> list[Page]:
    """The pages: the parts list, then each level's plan, on several pages where one does not hold it."""
    layout = loaded.layout
    width, depth = size_of(layout)
    levels = ", ".join(
        f"{level.name} (floor at {_mm(layout.floor_mm(k))} mm)" for k, level in enumerate(layout.levels)
    )
    facts = [
        f"{layout.tiles[0]} x {layout.tiles[1]} tiles of {_mm(layout.tile)} mm: {_mm(width)} x {_mm(depth)} mm, "
        f'{inches(width):.1f}" x {inches(depth):.1f}".',
        f"Levels: {levels}.",
        "All sizes in millimetres. Walls stand with their middle on the lines between squares.",
    ]
    pages = [*_lists(name, facts, parts_of(loaded), paper)]
    for level, here in enumerate(layout.levels):

        def drawn(at: float, level: int = level) -> list[Drawn]:
            return plan_of(loaded, level, names=at)

        pages += _plans(f"{name}: {here.name}", (width, depth), drawn, paper, scale)
    return [_footed(page, number, len(pages)) for number, page in enumerate(pages, start=1)]


def open_sheet(scene: Scene, paper: Paper = Paper.A4, scale: float | None = None) -> list[Page]:
    """The pages of an open board: what stands on it, and where. UserError where nothing stands on it."""
    bodies = bodies_of(scene)
    if not bodies:
        raise UserError("the scene has no pieces; there is nothing to build", file=scene.path)
    size = board_size(scene, bodies)
    facts = [
        f'{_mm(size[0])} x {_mm(size[1])} mm, {inches(size[0]):.1f}" x {inches(size[1]):.1f}".',
        "All sizes in millimetres, of each piece as it stands unturned. Lines are a foot apart.",
    ]
    pages = [*_lists(scene.name, facts, open_rows(scene), paper)]
    pages += _plans(scene.name, size, lambda at: open_plan(scene, bodies, at), paper, scale, legend=False)
    return [_footed(page, number, len(pages)) for number, page in enumerate(pages, start=1)]


def open_rows(scene: Scene) -> list[Part]:
    """What an open board is built from."""
    return [Part(*row) for row in open_parts(scene, bodies_of(scene))]


# -- parts ---------------------------------------------------------------------------------------------------------


def parts_of(loaded: Loaded) -> list[Part]:
    """What is to be built, parts that are alike together: a door with its frame is one part."""
    count: Counter[tuple[str, str]] = Counter()
    doors = {door.name: door for door in loaded.built.doors}
    for piece in loaded.built.terrain:
        what = what_of(piece)
        if piece.shape is PieceShape.MODEL:
            count["tile", piece.model_name] += 1
            continue
        if "jamb-" in piece.id or piece.id.endswith(" lintel") or what == "ceiling":
            continue
        size = [mm(v) for v in piece.sizes[:3]]
        if piece.id in doors and what == "door":
            continue
        if piece.shape is PieceShape.STAIRS:
            told = (
                f"{_mm(size[0])} long, {_mm(size[1])} wide, {_mm(size[2])} high, {piece.sizes[3]:.0f} steps"
            )
        elif what == "floor":
            continue
        else:
            low, high = sorted(size[:2])
            told = f"{_mm(high)} x {_mm(low)}, {_mm(size[2])} high"
        count[what, told] += 1
    for door in loaded.built.doors:
        if door.leaf.sizes[2] < 10.0:
            count["hatch", f"hole of {_mm(door.opening)} square, {door.state}"] += 1
        else:
            frame = _frame(loaded, door.name)
            count[
                "door", f"opening {_mm(door.opening)} x {_mm(door.leaf.sizes[2])}, {frame}{door.state}"
            ] += 1
    for level in loaded.layout.levels[1:]:
        squares = sum(square.kind is not SquareKind.HOLE for row in level.grid.squares for square in row)
        told = f"of {level.name}: {squares} squares of {_mm(loaded.layout.pitch)}, {_mm(level.deck)} thick"
        count["floor", told] += 1
    rows = [Part(what, size, number) for (what, size), number in count.items()]
    return sorted(rows, key=lambda row: (row.what, -row.count, row.size))


def _frame(loaded: Loaded, door: str) -> str:
    """How long, thick and high a door's frame is."""
    jambs = [piece for piece in loaded.built.terrain if piece.id.startswith(f"{door} jamb-")]
    if not jambs:
        return ""
    xs = [mm(p.at[0] + side * p.sizes[0] / 2) for p in jambs for side in (-1, 1)]
    ys = [mm(p.at[1] + side * p.sizes[1] / 2) for p in jambs for side in (-1, 1)]
    long, thick = sorted((max(xs) - min(xs), max(ys) - min(ys)), reverse=True)
    return f"frame {_mm(long)} x {_mm(thick)}, {_mm(mm(jambs[0].sizes[2]))} high, "


def _lists(name: str, facts: Sequence[str], parts: Sequence[Part], paper: Paper) -> Iterator[Page]:
    """The parts list, on as many pages as it takes."""
    rows = list(parts)
    x0, top = MARGIN, paper.size[1] - MARGIN - HEAD
    first = True
    while rows or first:
        drawn: list[Drawn] = [Text((x0, top + 6.0), name if first else f"{name}, more parts", 6.0, bold=True)]
        y = top - 3.0
        if first:
            for line in facts:
                for part in _wrapped(line, 112):
                    drawn.append(Text((x0, y), part, 3.4, colour=INK))
                    y -= 5.0
            y -= 4.0
        for at, heading in ((x0, "part"), (x0 + 32.0, "size"), (paper.size[0] - MARGIN, "pieces")):
            align = "end" if heading == "pieces" else "start"
            drawn.append(Text((at, y), heading, 3.4, align, FAINT))  # type: ignore[arg-type]
        y -= 2.0
        drawn.append(_line((x0, y), (paper.size[0] - MARGIN, y)))
        while rows and y > MARGIN + FOOT + 4.0:
            y -= 5.2
            row = rows.pop(0)
            drawn += [
                Text((x0, y), row.what, 3.6, bold=True),
                Text((x0 + 32.0, y), row.size, 3.6),
                Text((paper.size[0] - MARGIN, y), str(row.count), 3.6, "end"),
            ]
        yield Page(paper.size, tuple(drawn), title=f"{name}: parts")
        first = False


# -- plans ---------------------------------------------------------------------------------------------------------


def _plans(
    title: str,
    board: tuple[float, float],
    plan: Callable[[float], list[Drawn]],
    paper: Paper,
    scale: float | None,
    *,
    legend: bool = True,
) -> Iterator[Page]:
    """A plan: on the page as it stands or lies, whatever is larger; on several pages where it is too large.

    board: width and depth of what is drawn, mm. plan: draws it, given its scale.
    """
    width, depth = board
    turned = width > depth
    size = (paper.size[1], paper.size[0]) if turned else paper.size
    room = (size[0] - 2 * MARGIN - NAMES, size[1] - 2 * MARGIN - HEAD - FOOT - NAMES)
    if scale is None:
        wanted = max(width / room[0], depth / room[1])
        scale = next((float(one) for one in ROUND if one >= wanted - 1e-9), math.ceil(wanted))
    factor = 1.0 / scale
    counts = [
        1
        if side * factor <= space + 1e-6
        else 1 + math.ceil((side * factor - space) / (space - OVERLAP) - 1e-9)
        for side, space in zip((width, depth), room, strict=True)
    ]
    drawn = tuple(plan(scale))
    # one page holds it: right under its title
    spare = room[1] - depth * factor if counts[1] == 1 else 0.0
    foot = MARGIN + FOOT + max(spare, 0.0)
    for row in range(counts[1]):
        for column in range(counts[0]):
            left = column * (room[0] - OVERLAP)
            low = row * (room[1] - OVERLAP)
            frame = (
                MARGIN + (NAMES if column else 0.0),
                foot + (NAMES if row else 0.0),
                MARGIN + NAMES + min(room[0], width * factor - left) + 0.3,
                foot + NAMES + min(room[1], depth * factor - low) + 0.3,
            )
            origin = (MARGIN + NAMES - left, foot + NAMES - low)
            several = counts[0] * counts[1] > 1
            where = (
                f", part {column_letter(column)}{row + 1} of {column_letter(counts[0] - 1)}{counts[1]}"
                if several
                else ""
            )
            top = size[1] - MARGIN
            page: list[Drawn] = [
                Text((MARGIN, top - 6.0), title, 6.0, bold=True),
                Text(
                    (MARGIN, top - 12.0),
                    f"1 : {scale:g}, seen from above, north up{where}",
                    3.4,
                    colour=FAINT,
                ),
                *_bar(MARGIN + NAMES, MARGIN + 4.0, scale),
                *(_legend(MARGIN, top - 18.0) if legend else ()),
            ]
            if several:
                page += _crop_marks(frame)
            yield Page(size, tuple(page), (Window(drawn, factor, origin, frame),), title)


def column_letter(number: int) -> str:
    """``A`` for 0."""
    return chr(ord("A") + number)


def _bar(x: float, y: float, scale: float) -> Iterator[Drawn]:
    """A bar of a known length."""
    half = BAR_MM / 2
    yield Shape(((x, y), (x + half, y), (x + half, y + 1.6), (x, y + 1.6)), Pen(INK, INK, 0.1))
    yield Shape(
        ((x + half, y), (x + BAR_MM, y), (x + BAR_MM, y + 1.6), (x + half, y + 1.6)),
        Pen((255, 255, 255), INK, 0.1),
    )
    real = BAR_MM * scale
    told = f"{BAR_MM:g} mm on paper" + (
        "" if scale == 1 else f' = {real:g} mm ({inches(real):.2f}") on the board'
    )
    yield Text((x, y + 3.2), told, 3.0, colour=FAINT)


def _legend(x: float, y: float) -> Iterator[Drawn]:
    """What the colours mean."""
    entries = (
        ("wall", WALL),
        ("open door", DOORS[State.OPEN]),
        ("closed", DOORS[State.CLOSED]),
        ("locked", DOORS[State.LOCKED]),
        ("rail", RAIL),
        ("ladder", LADDER),
        ("hatch", HATCH),
        ("stairs", STAIRS),
        ("ductway", Pen(fill=DUCT_LINE, line=INK, width=0.15)),
        ("thing", THING),
    )
    for word, pen in entries:
        yield Shape(((x, y), (x + 3.0, y), (x + 3.0, y + 2.2), (x, y + 2.2)), pen)
        yield Text((x + 4.0, y), word, 3.0, colour=INK)
        x += 8.0 + 1.6 * len(word)


def _crop_marks(frame: tuple[float, float, float, float]) -> Iterator[Drawn]:
    x0, y0, x1, y1 = frame
    for x, sx in ((x0, -1), (x1, 1)):
        for y, sy in ((y0, -1), (y1, 1)):
            yield _line((x + sx * 1.0, y), (x + sx * 5.0, y))
            yield _line((x, y + sy * 1.0), (x, y + sy * 5.0))


def _footed(page: Page, number: int, of: int) -> Page:
    told = Text((page.size[0] - MARGIN, page.size[1] - MARGIN - 6.0), f"{number} / {of}", 3.4, "end", FAINT)
    return Page(page.size, (*page.drawn, told), page.windows, page.title)


def _line(first: tuple[float, float], second: tuple[float, float]) -> Shape:
    return Shape((first, second), Pen(line=FAINT, width=0.2), closed=False)


def _wrapped(text: str, most: int) -> Iterator[str]:
    line = ""
    for word in text.split():
        if len(line) + len(word) + 1 > most:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    if line:
        yield line


def _mm(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
