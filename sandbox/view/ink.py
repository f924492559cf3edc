"""Words on a finished picture: the font, texts in boxes with a leader to what they speak of, and where they find room.

The placing is plain arithmetic on rectangles, so that a window can use it with its own way of drawing text.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from sandbox.view import palette
from sandbox.view.palette import Colour

Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]
"""left, top, right, bottom in pixels."""


@dataclass(frozen=True)
class Label:
    """A text that belongs to a point of the picture."""

    at: tuple[float, float]
    """pixel column and row that it speaks of."""
    lines: tuple[str, ...]
    """the first in strong type where there are several."""
    edge: Colour = palette.INK
    ink: Colour = palette.INK
    paper: Colour = (255, 255, 255)
    size: float = 15.0
    """height of the type in pixels."""
    gap: float = 14.0
    """least distance from the point to the box; 0: the box lies on the point, without a leader."""
    bare: bool = False
    """only the letters with a pale rim, no box."""
    must: bool = True
    """drawn even where there is no room for it; else left out."""


@dataclass(frozen=True)
class Placed:
    """A label with the box that was found for it."""

    label: Label
    box: Box


@lru_cache(maxsize=32)
def font(size: float) -> Any:
    """The font that comes with Pillow, at a height in pixels."""
    return ImageFont.load_default(size)


def text_size(text: str, size: float) -> tuple[float, float]:
    """Width and line height of a text in pixels."""
    return float(font(size).getlength(text)), size * 1.25


def wrapped(text: str, size: float, width: float) -> list[str]:
    """The text in lines no wider than `width` pixels, broken between words."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and text_size(longer, size)[0] > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def place(labels: list[Label], frame: Box, keep_clear: Floats | None = None) -> list[Placed]:
    """Boxes for the labels, in their order of importance, beside their points and off each other.

    keep_clear: (n, 2) pixels that should stay visible (a way's line); they are avoided where that is possible.
    """
    placed: list[Placed] = []
    clear = np.empty((0, 2)) if keep_clear is None else np.asarray(keep_clear, dtype=np.float64)
    anchors = np.array([label.at for label in labels]).reshape(-1, 2)
    clear = np.concatenate([clear, anchors])
    for label in labels:
        best: Box | None = None
        best_cost = np.inf
        for box, bother in _candidates(label):
            shifted = _inside(box, frame)
            cost = bother + 0.6 * (abs(shifted[0] - box[0]) + abs(shifted[1] - box[1]))
            overlap = max((_overlap(shifted, other.box) for other in placed), default=0.0)
            if overlap > 0:
                cost += 400 + 4000 * overlap
            if label.gap > 0 and len(clear):
                within = (clear[:, 0] > shifted[0] - 3) & (clear[:, 0] < shifted[2] + 3)
                within &= (clear[:, 1] > shifted[1] - 3) & (clear[:, 1] < shifted[3] + 3)
                cost += 9.0 * min(float(within.sum()), 24.0)
            if cost < best_cost:
                best, best_cost = shifted, cost
        if best is not None and (label.must or best_cost < 400):
            placed.append(Placed(label, best))
    return placed


def draw(picture: Image.Image, placed: list[Placed]) -> None:
    """Draw labels with their leaders: leaders first, then the boxes from the least to the most important."""
    pen = ImageDraw.Draw(picture, "RGBA")
    for item in placed:
        if item.label.gap > 0:
            _leader(pen, item)
    for item in reversed(placed):
        _box(pen, item)


def rich_text(
    pen: Any, at: tuple[float, float], text: str, size: float, ink: Colour, strong: bool = False
) -> None:
    """A line of text, its upper left corner at `at`."""
    pen.text(at, text, font=font(size), fill=ink, stroke_width=size / 45 if strong else 0, stroke_fill=ink)


def _measure(label: Label) -> tuple[float, float]:
    width = max(text_size(line, label.size)[0] for line in label.lines)
    pad = 0.0 if label.bare else label.size * 0.45
    return width + 2 * pad, len(label.lines) * label.size * 1.25 + 1.1 * pad


def _candidates(label: Label) -> list[tuple[Box, float]]:
    """Boxes around the point with how far each is from the one liked best."""
    width, height = _measure(label)
    x, y = label.at
    if label.gap <= 0:
        return [((x - width / 2, y - height / 2, x + width / 2, y + height / 2), 0.0)]
    answer = []
    for ring, out in enumerate((1.0, 2.2, 4.0, 6.5, 9.5)):
        for turn in range(0, 360, 30):
            cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
            middle_x = x + cos * (label.gap * out + width / 2)
            middle_y = y - sin * (label.gap * out + height / 2)
            liked = 6.0 * (1 - np.cos(np.radians(turn - 60)))
            box = (middle_x - width / 2, middle_y - height / 2, middle_x + width / 2, middle_y + height / 2)
            answer.append((box, 26.0 * ring + liked))
    return answer


def _inside(box: Box, frame: Box) -> Box:
    left = min(max(box[0], frame[0]), max(frame[2] - (box[2] - box[0]), frame[0]))
    top = min(max(box[1], frame[1]), max(frame[3] - (box[3] - box[1]), frame[1]))
    return left, top, left + box[2] - box[0], top + box[3] - box[1]


def _overlap(first: Box, second: Box) -> float:
    """Shared part of two boxes, as a share of the smaller one; a rim of three pixels counts as touching."""
    width = min(first[2], second[2]) - max(first[0], second[0]) + 3
    height = min(first[3], second[3]) - max(first[1], second[1]) + 3
    if width <= 0 or height <= 0:
        return 0.0
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (first, second)]
    return float(width * height / max(min(areas), 1.0))


def _leader(pen: Any, item: Placed) -> None:
    x, y = item.label.at
    left, top, right, bottom = item.box
    end = (min(max(x, left), right), min(max(y, top), bottom))
    if np.hypot(end[0] - x, end[1] - y) < 5:
        return
    pen.line([(x, y), end], fill=(255, 255, 255, 230), width=4)
    pen.line([(x, y), end], fill=(*item.label.edge, 255), width=2)
    pen.ellipse(
        (x - 3.5, y - 3.5, x + 3.5, y + 3.5), fill=(*item.label.edge, 255), outline=(255, 255, 255, 230)
    )


def _box(pen: Any, item: Placed) -> None:
    label = item.label
    left, top, right, _ = item.box
    if label.bare:
        for index, line in enumerate(label.lines):
            width = text_size(line, label.size)[0]
            at = ((left + right - width) / 2, top + index * label.size * 1.25)
            pen.text(
                at,
                line,
                font=font(label.size),
                fill=label.ink,
                stroke_width=label.size / 7,
                stroke_fill=label.paper,
            )
        return
    pad = label.size * 0.45
    pen.rounded_rectangle(
        item.box, radius=label.size * 0.3, fill=(*label.paper, 238), outline=(*label.edge, 255), width=2
    )
    for index, line in enumerate(label.lines):
        at = (left + pad, top + pad * 0.45 + index * label.size * 1.25)
        rich_text(pen, at, line, label.size, label.ink, strong=index == 0)
