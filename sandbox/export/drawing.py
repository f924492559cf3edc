"""Drawings in millimetres, as lists of a few shapes, written as PDF (by reportlab), as SVG, or as pixels (by Pillow)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Literal

Colour = tuple[int, int, int]
Point = tuple[float, float]
FONT = "Helvetica"


@dataclass(frozen=True)
class Pen:
    """How a shape is drawn."""

    fill: Colour | None = None
    line: Colour | None = None
    width: float = 0.2
    """of the line, mm on the page, whatever the scale of what is drawn."""
    dash: tuple[float, ...] = ()
    """lengths on and off, mm on the page."""


@dataclass(frozen=True)
class Shape:
    """A polygon, or a line of several points."""

    points: tuple[Point, ...]
    pen: Pen
    closed: bool = True


@dataclass(frozen=True)
class Text:
    """One line of text; its place is on its base line."""

    at: Point
    text: str
    size: float
    """of the font, mm on the page."""
    align: Literal["start", "middle", "end"] = "start"
    colour: Colour = (32, 36, 42)
    bold: bool = False


Drawn = Shape | Text


@dataclass(frozen=True)
class Window:
    """A drawing as it lies on a page: scaled, moved, and cut off at a frame."""

    drawn: tuple[Drawn, ...]
    scale: float
    """mm on the page for each mm of what is drawn."""
    origin: Point
    """where the drawing's own origin lies on the page, mm."""
    frame: tuple[float, float, float, float]
    """x0, y0, x1, y1 on the page, mm: nothing is drawn outside."""

    def placed(self) -> list[Drawn]:
        """The shapes in the page's millimetres."""
        (ox, oy), s = self.origin, self.scale
        found: list[Drawn] = []
        for one in self.drawn:
            if isinstance(one, Shape):
                found.append(replace(one, points=tuple((ox + s * x, oy + s * y) for x, y in one.points)))
            else:
                found.append(replace(one, at=(ox + s * one.at[0], oy + s * one.at[1])))
        return found


@dataclass(frozen=True)
class Page:
    """One sheet of paper. y goes up from its lower edge."""

    size: tuple[float, float]
    """mm."""
    drawn: tuple[Drawn, ...] = ()
    windows: tuple[Window, ...] = field(default=())
    title: str = ""


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """The pages as one PDF; the same pages give the same bytes."""
    from reportlab.lib.units import mm  # noqa: PLC0415 - only who wants a PDF waits for it
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415

    out = io.BytesIO()
    canvas = Canvas(out, invariant=True)
    canvas.setTitle(title)
    canvas.setCreator("sandbox")
    for page in pages:
        canvas.setPageSize((page.size[0] * mm, page.size[1] * mm))
        canvas.scale(mm, mm)
        _on_canvas(canvas, page.drawn)
        for window in page.windows:
            canvas.saveState()
            x0, y0, x1, y1 = window.frame
            path = canvas.beginPath()
            path.rect(x0, y0, x1 - x0, y1 - y0)
            canvas.clipPath(path, stroke=0)
            _on_canvas(canvas, window.placed())
            canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _on_canvas(canvas: object, drawn: Sequence[Drawn]) -> None:
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415

    assert isinstance(canvas, Canvas)
    for one in drawn:
        if isinstance(one, Text):
            canvas.setFillColorRGB(*(v / 255 for v in one.colour))
            canvas.setFont(FONT + ("-Bold" if one.bold else ""), one.size)
            put = {
                "start": canvas.drawString,
                "middle": canvas.drawCentredString,
                "end": canvas.drawRightString,
            }[one.align]
            put(*one.at, one.text.encode("cp1252", "replace").decode("cp1252"))
            continue
        pen = one.pen
        path = canvas.beginPath()
        path.moveTo(*one.points[0])
        for point in one.points[1:]:
            path.lineTo(*point)
        if one.closed:
            path.close()
        if pen.fill is not None:
            canvas.setFillColorRGB(*(v / 255 for v in pen.fill))
        if pen.line is not None:
            canvas.setStrokeColorRGB(*(v / 255 for v in pen.line))
            canvas.setLineWidth(pen.width)
            canvas.setDash(*((list(pen.dash), 0) if pen.dash else ([], 0)))
        canvas.drawPath(path, stroke=int(pen.line is not None), fill=int(pen.fill is not None))


def svg(page: Page) -> str:
    """One page as SVG, its size in millimetres."""
    width, height = page.size
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">',
        f"<title>{escape(page.title)}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        *(_element(one, height) for one in page.drawn),
    ]
    for number, window in enumerate(page.windows):
        x0, y0, x1, y1 = window.frame
        parts.append(
            f'<clipPath id="frame{number}"><rect x="{x0:.4f}" y="{height - y1:.4f}" width="{x1 - x0:.4f}" '
            f'height="{y1 - y0:.4f}"/></clipPath>\n<g clip-path="url(#frame{number})">'
        )
        parts += [_element(one, height) for one in window.placed()]
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def _element(one: Drawn, height: float) -> str:
    if isinstance(one, Text):
        weight = ' font-weight="bold"' if one.bold else ""
        return (
            f'<text x="{one.at[0]:.4f}" y="{height - one.at[1]:.4f}" font-family="{FONT}, Arial, sans-serif" '
            f'font-size="{one.size:g}" text-anchor="{one.align}" fill="{_hex(one.colour)}"{weight}>'
            f"{escape(one.text)}</text>"
        )
    points = " ".join(f"{x:.4f},{height - y:.4f}" for x, y in one.points)
    pen = one.pen
    style = f'fill="{_hex(pen.fill)}"'
    if pen.line is not None:
        style += f' stroke="{_hex(pen.line)}" stroke-width="{pen.width:g}"'
        if pen.dash:
            style += f' stroke-dasharray="{" ".join(f"{v:g}" for v in pen.dash)}"'
    return f'<{"polygon" if one.closed else "polyline"} points="{points}" {style}/>'


def _hex(colour: Colour | None) -> str:
    return "none" if colour is None else "#{:02x}{:02x}{:02x}".format(*colour)


def pixels(drawn: Sequence[Drawn], size_mm: tuple[float, float], per_mm: float) -> bytes:
    """A drawing as a PNG: from (0, 0) to size_mm, north up, per_mm pixels for each millimetre."""
    from PIL import Image, ImageDraw  # noqa: PLC0415

    from sandbox.files.fonts import usual_font  # noqa: PLC0415

    over = 2
    width, height = (round(side * per_mm) * over for side in size_mm)
    scale = (width / size_mm[0], height / size_mm[1])
    image = Image.new("RGB", (width, height), (255, 255, 255))
    draw = ImageDraw.Draw(image)

    def at(point: Point) -> Point:
        return point[0] * scale[0], height - point[1] * scale[1]

    for one in drawn:
        if isinstance(one, Text):
            font = usual_font(max(one.size * scale[0] * 2.2, 8.0))
            anchor = {"start": "ls", "middle": "ms", "end": "rs"}[one.align]
            draw.text(at(one.at), one.text, fill=one.colour, font=font, anchor=anchor)
            continue
        points = [at(point) for point in one.points]
        if one.closed and one.pen.fill is not None:
            draw.polygon(points, fill=one.pen.fill)
        if one.pen.line is not None:
            line = [*points, points[0]] if one.closed else points
            draw.line(line, fill=one.pen.line, width=max(round(one.pen.width * 2.2 * scale[0]), over))
    out = io.BytesIO()
    image.resize((width // over, height // over), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()
