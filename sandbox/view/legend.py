"""The panel beside the picture: what is shown, in which colours, what the way costs, what the rules say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageDraw

from sandbox.kinds import Kind
from sandbox.moves.words import source_words
from sandbox.terrain.model import BOARD_PIECE, CEILING_PIECE
from sandbox.view import ink, palette, reach
from sandbox.view.model import StageInput, Way
from sandbox.view.palette import Colour
from sandbox.view.scenery import part_colour
from sandbox.view.stage import leg_colour
from sandbox.view.way import Stretch, stretches

PANEL: Colour = (250, 251, 252)
EDGE: Colour = (200, 204, 210)


@dataclass
class _Pen:
    """Writes down the panel, line by line; without a picture it only measures."""

    draw: Any
    left: float
    width: float
    scale: float
    y: float

    def line(
        self, text: str, size: float = 15.0, ink_colour: Colour = palette.INK, *, strong: bool = False
    ) -> None:
        size *= self.scale
        for part in ink.wrapped(text, size, self.width):
            ink.rich_text(self.draw, (self.left, self.y), part, size, ink_colour, strong)
            self.y += size * 1.28

    def heading(self, text: str) -> None:
        self.gap(9.0)
        self.draw.line(
            [(self.left, self.y), (self.left + self.width, self.y)],
            fill=EDGE,
            width=max(1, round(self.scale)),
        )
        self.gap(7.0)
        self.line(text, 14.0, palette.FAINT_INK, strong=True)
        self.gap(3.0)

    def gap(self, size: float) -> None:
        self.y += size * self.scale

    def keyed(self, fill: Colour, lines: list[str], *, shape: str = "box", number: str = "") -> None:
        """A swatch with text beside it; shape: box, stripes (over the fill), line or disc."""
        size = 15.0 * self.scale
        side = 16.0 * self.scale
        wide = side * 1.6
        x, y = self.left, self.y + 1.5 * self.scale
        box = (x, y, x + wide, y + side)
        if shape == "disc":
            self.draw.ellipse((x + side * 0.3, y, x + side * 1.3, y + side), fill=fill, outline=palette.INK)
        elif shape == "line":
            middle = y + side / 2
            self.draw.line([(x, middle), (x + wide, middle)], fill=palette.INK, width=round(8 * self.scale))
            self.draw.line(
                [(x + 1.5, middle), (x + wide - 1.5, middle)], fill=fill, width=round(5 * self.scale)
            )
        else:
            self.draw.rectangle(box, fill=fill, outline=palette.INK)
            if shape == "stripes":
                self._stripes(box)
        left = x + wide + 8 * self.scale
        room = self.width - (left - self.left)
        first = True
        for line in lines:
            text = f"{number} {line}".strip() if first and number else line
            shade = palette.INK if first else palette.FAINT_INK
            for part in ink.wrapped(text, size, room):
                ink.rich_text(self.draw, (left, self.y), part, size, shade, False)
                self.y += size * 1.28
            first = False
        self.gap(3.0)

    def _stripes(self, box: tuple[float, float, float, float]) -> None:
        left, top, right, bottom = box
        step = 7.0 * self.scale
        start = left - (bottom - top)
        while start < right:
            x0, x1 = max(start, left), min(start + bottom - top, right)
            self.draw.line(
                [(x0, bottom - (x0 - start)), (x1, bottom - (x1 - start))],
                fill=palette.TEST,
                width=round(2.6 * self.scale),
            )
            start += step


def width(size: tuple[int, int]) -> int:
    """Width of the panel for a picture of `size`, pixels; 0 where there is no room for one."""
    if size[0] < 640 or size[1] < 360:
        return 0
    return round(320 * scale(size))


def scale(size: tuple[int, int]) -> float:
    """How large type and marks are, 1 at 1600 x 1000."""
    return min(size[0] / 1600, size[1] / 1000) if min(size[0] / 1600, size[1] / 1000) > 0.8 else 0.8


def panel(given: StageInput, size: tuple[int, int], notes: tuple[str, ...] = ()) -> Image.Image:
    """The panel as a picture of its own, `width(size)` by the height of `size`."""
    across = width(size)
    picture = Image.new("RGB", (across, size[1]), PANEL)
    draw = ImageDraw.Draw(picture, "RGBA")
    draw.line([(0, 0), (0, size[1])], fill=EDGE, width=2)
    factor = scale(size)
    pen = _Pen(draw, 18 * factor, across - 34 * factor, factor, 16 * factor)
    _head(pen, given)
    if given.reach is not None:
        _reach(pen, given)
    if given.way is not None:
        _way(pen, given.way, None if given.reach is None else given.reach.allowance)
    _terrain(pen, given)
    for note in (*given.caption.notes, *notes):
        pen.gap(6)
        pen.line(note, 13.0, palette.FAINT_INK)
    return picture


def _head(pen: _Pen, given: StageInput) -> None:
    caption = given.caption
    if caption.scene:
        pen.line(caption.scene, 21.0, strong=True)
    if caption.rules:
        pen.line(caption.rules, 14.0, palette.FAINT_INK)
    active = given.active
    if active is None:
        if caption.fighter or caption.action:
            pen.gap(8)
            pen.line(
                " - ".join(word for word in (caption.fighter, caption.action) if word), 17.0, strong=True
            )
        return
    pen.gap(8)
    colours = palette.side_colours([fighter.side for fighter in given.fighters])
    long, short = active.base_mm
    base = f"{long:g} mm base" if long == short else f"{long:g} x {short:g} mm base"
    who = f"{active.name} ({active.side})" if active.side else active.name
    pen.keyed(colours[active.side], [who, f'{base}, {active.height:g}" tall'], shape="disc")
    if caption.action:
        allowance = "" if given.reach is None else f', up to {given.reach.allowance:.4g}"'
        pen.line(f"{caption.action}{allowance}", 17.0, strong=True)


def _reach(pen: _Pen, given: StageInput) -> None:
    shown = given.reach
    assert shown is not None
    count, step = reach.band_count(shown.allowance), reach.band_width(shown.allowance)
    pen.heading("REACH: where the base's centre can end")
    if not len(shown.spots):
        pen.line("nowhere: no place where it may end is within reach")
        return
    for index, colour in enumerate(palette.bands(count)):
        low, high = index * step, min((index + 1) * step, shown.allowance)
        pen.keyed(colour, [f'{low:g}" to {high:.3g}"' if index else f'up to {high:.3g}"'])
    needs = shown.spots[:, 4] < 0.999
    if needs.any():
        odds = sorted({round(float(value) * 100) for value in shown.spots[needs, 4]}, reverse=True)
        told = ", ".join(f"{value} %" for value in odds[:5]) + (" ..." if len(odds) > 5 else "")
        pen.keyed(palette.bands(count)[-1 if count < 3 else 2], [f"only by a check: {told}"], shape="stripes")


def _way(pen: _Pen, way: Way, allowance: float | None) -> None:
    pen.heading("THE WAY" if way.legal else "REFUSED")
    for index, stretch in enumerate(stretches(way)):
        pen.keyed(
            leg_colour(stretch.kind, way.legal), list(stretch.words), shape="line", number=f"{index + 1}."
        )
    if way.cost is not None:
        of = "" if allowance is None else f' of {allowance:.2f}"'
        pen.line(f'in all {way.cost:.2f}"{of}', 16.0, strong=True)
    elif not way.legs and not way.rulings:
        pen.line("no way was found", 16.0, strong=True)
    if way.success is not None and way.success < 0.9995:
        pen.line(f"succeeds {way.success * 100:.0f} % of the time", 15.0)
    for ruling in way.rulings:
        pen.gap(5)
        pen.line(ruling.text, 15.0, palette.INK if way.legal else palette.REFUSED, strong=not way.legal)
        told = " - ".join(word for word in (ruling.rule, source_words(ruling.source)) if word)
        pen.line(told, 12.5, palette.FAINT_INK)


def _terrain(pen: _Pen, given: StageInput) -> None:
    pen.heading("BOARD")
    seen: dict[Colour, list[str]] = {}
    for part, kind in zip(given.terrain.parts, given.part_kinds, strict=True):
        if part.piece in (BOARD_PIECE, CEILING_PIECE):
            continue
        word = "terrain" if kind is Kind.AUTO else kind.value
        words = seen.setdefault(part_colour(part.piece, kind), [])
        if word not in words:
            words.append(word)
    for area in given.areas:
        words = seen.setdefault(palette.KINDS[area.kind], [])
        if area.kind.value not in words:
            words.append(area.kind.value)
    for colour, words in list(seen.items())[:9]:
        pen.keyed(colour, [", ".join(words)])
    if given.active is not None:
        pen.line("white ring: the fighter asked about", 13.0, palette.FAINT_INK)
    pen.line('grid 1", strong lines 6"', 13.0, palette.FAINT_INK)


def summary(stretch: Stretch, number: int) -> tuple[str, ...]:
    """The words of a leg's label on the picture."""
    return (f"{number}. {stretch.words[0]}", *stretch.words[1:])
