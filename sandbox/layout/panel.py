"""The words beside a picture of a layout: what is shown, how far it is, what was found."""

from __future__ import annotations

from PIL import Image, ImageDraw

from sandbox.layout.findings import Report
from sandbox.scene import Scene
from sandbox.scene.layouts import SquareKind, State
from sandbox.units import inches
from sandbox.view import ink, legend, palette
from sandbox.view.palette import Colour

PAPER: Colour = (250, 251, 252)
DOORS: dict[State, Colour] = {
    State.OPEN: (0, 150, 136),
    State.CLOSED: (30, 74, 150),
    State.LOCKED: (176, 28, 60),
}
"""colours of doors by what they are at the start."""
DUCT: Colour = (112, 60, 150)
GROUND: dict[SquareKind, Colour] = {
    SquareKind.DIFFICULT: (96, 140, 60),
    SquareKind.DANGEROUS: (214, 96, 40),
    SquareKind.PIT: (20, 18, 26),
}
"""colours of squares that are not plain floor."""
MOST = 14
"""findings that are listed."""


class _Sheet:
    def __init__(self, size: tuple[int, int]) -> None:
        self.factor = legend.scale(size)
        self.image = Image.new("RGB", (legend.width(size) or 1, size[1]), PAPER)
        self.pen = ImageDraw.Draw(self.image, "RGBA")
        self.pen.line([(0, 0), (0, size[1])], fill=(200, 204, 210), width=2)
        self.y = 18 * self.factor
        self.left = 18 * self.factor

    @property
    def room(self) -> float:
        return self.image.width - 34 * self.factor

    def line(
        self,
        text: str,
        size: float = 14.0,
        colour: Colour = palette.INK,
        *,
        strong: bool = False,
        mark: Colour | None = None,
    ) -> None:
        if self.y > self.image.height - 30 * self.factor:
            return
        high = size * self.factor
        indent = 18 * self.factor if mark is not None else 0.0
        for number, part in enumerate(ink.wrapped(text, high, self.room - indent)):
            if mark is not None and number == 0:
                middle = self.y + high * 0.62
                self.pen.line(
                    [(self.left, middle), (self.left + 12 * self.factor, middle)],
                    fill=(*mark, 255),
                    width=round(4 * self.factor),
                )
            ink.rich_text(self.pen, (self.left + indent, self.y), part, high, colour, strong)
            self.y += high * 1.3

    def heading(self, text: str) -> None:
        self.y += 10 * self.factor
        self.line(text, 14.0, palette.FAINT_INK, strong=True)
        self.y += 2 * self.factor


def level_panel(scene: Scene, number: int, report: Report | None, size: tuple[int, int]) -> Image.Image:
    """The words beside the picture of one level."""
    assert scene.layout is not None
    layout = scene.layout.layout
    level = layout.levels[number]
    sheet = _Sheet(size)
    sheet.line(scene.name, 21.0, strong=True)
    several = len(layout.levels) > 1
    sheet.line(f"level {level.name}" + (f", {number + 1} of {len(layout.levels)}" if several else ""), 17.0)
    floor = inches(layout.floor_mm(number))
    sheet.line(
        f'Floor at {floor:.2f}", ceiling {level.height:.2f}" above it; cut open.', 13.0, palette.FAINT_INK
    )
    sheet.line(
        f'A square is {layout.pitch:.1f} mm ({inches(layout.pitch):.2f}"), a tile {layout.tile:g} mm.',
        13.0,
        palette.FAINT_INK,
    )
    states = {door.state for door in scene.layout.built.doors if door.level == number}
    kinds = {square.kind for row in level.grid.squares for square in row}
    ducts = any(abs(duct.start[2] - floor) < 0.3 for duct in scene.ductways)
    if states or ducts or kinds & set(GROUND):
        sheet.heading("In the picture")
        for state, colour in DOORS.items():
            if state in states:
                sheet.line(f"{state.value} door", 13.0, mark=colour)
        if ducts:
            sheet.line("ductway", 13.0, mark=DUCT)
        for kind, colour in GROUND.items():
            if kind in kinds:
                sheet.line(
                    kind.value if kind is SquareKind.PIT else f"{kind.value} ground", 13.0, mark=colour
                )
    if report is not None:
        _distances(sheet, scene, report)
        _levels(sheet, report, level.name if several else None)
        _findings(sheet, report, level.name if several else None)
    return sheet.image


def exploded_panel(scene: Scene, report: Report | None, size: tuple[int, int]) -> Image.Image:
    """The words beside the exploded picture."""
    assert scene.layout is not None
    layout = scene.layout.layout
    sheet = _Sheet(size)
    sheet.line(scene.name, 21.0, strong=True)
    sheet.line(f"{len(layout.levels)} levels, pulled apart; walls cut low.", 14.0)
    width, depth = layout.tiles[0] * layout.tile, layout.tiles[1] * layout.tile
    sheet.line(
        f"{layout.tiles[0]} x {layout.tiles[1]} tiles of {layout.tile:g} mm: "
        f'{inches(width):.1f}" x {inches(depth):.1f}".',
        13.0,
        palette.FAINT_INK,
    )
    if report is not None:
        _distances(sheet, scene, report)
        _levels(sheet, report, None)
        _findings(sheet, report, None)
    return sheet.image


def _distances(sheet: _Sheet, scene: Scene, report: Report) -> None:
    assert scene.layout is not None
    colours = palette.side_colours(list(dict.fromkeys(scene.layout.layout.zones.values())))
    if not report.distances:
        return
    sheet.heading(f'Distances, {report.bases[0].base} mm base, Moves of {report.move:g}"')
    for row in report.distances:
        if row.doors != "drawn" or row.way != "shortest":
            continue
        told = (
            "no way"
            if row.moves is None or row.inches is None
            else f'{row.moves:.1f} Moves ({row.inches:.1f}")'
        )
        sheet.line(f"{row.start} to {row.target}: {told}", 14.0, mark=colours.get(row.start))
    sheet.line("Closed doors are opened on the way, for an action each.", 12.0, palette.FAINT_INK)


def _levels(sheet: _Sheet, report: Report, level: str | None) -> None:
    sure = [
        way
        for way in report.levels
        if way.chance > 0.999
        and way.up > 0
        and (level is None or level in (way.start.split()[0], way.end.split()[0]))
    ]
    if not sure:
        return
    sheet.heading("Ways up")
    for way in sure[:10]:
        sheet.line(f'{way.kind} {way.start} to {way.end}: {way.cost:.1f}"', 13.0)


def _findings(sheet: _Sheet, report: Report, level: str | None) -> None:
    found = [
        finding
        for finding in report.findings
        if finding.severity.value != "info"
        and (level is None or level in finding.place.split() or level in finding.id)
    ]
    if not found:
        return
    sheet.heading("Found (numbers as in the picture)")
    for finding in found[:MOST]:
        colour = palette.REFUSED if finding.severity.value == "error" else (150, 92, 0)
        sheet.line(f"{finding.number}  {finding.text}", 13.0, colour)
