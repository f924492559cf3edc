"""Words on a finished picture: the font, texts in boxes with a leader to what they speak of, and where they find room.

The placing is plain arithmetic on rectangles, so that a window can use it with its own way of drawing text.

Sizes are in pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from sandbox.files.fonts import usual_font
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
    return usual_font(size)


@lru_cache(maxsize=4096)
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
    taken = np.empty((0, 4))
    for label in labels:
        if label.gap <= 0 and not label.must:
            # It lies on its point or is left out: nothing to choose from.
            box = _on_point(label, frame)
            if not len(taken) or not (_overlap(np.array([box]), taken) > 0).any():
                placed.append(Placed(label, box))
                taken = np.concatenate([taken, [box]])
            continue
        boxes, bother = _candidates(label)
        shifted = _inside(boxes, frame)
        cost = bother + 0.6 * np.abs(shifted[:, :2] - boxes[:, :2]).sum(axis=1)
        if len(taken):
            overlap = _overlap(shifted, taken).max(axis=1)
            cost += np.where(overlap > 0, 400 + 4000 * overlap, 0.0)
        if label.gap > 0 and len(clear):
            within = (clear[:, 0] > shifted[:, None, 0] - 3) & (clear[:, 0] < shifted[:, None, 2] + 3)
            within &= (clear[:, 1] > shifted[:, None, 1] - 3) & (clear[:, 1] < shifted[:, None, 3] + 3)
            cost += 9.0 * np.minimum(within.sum(axis=1), 24)
        best = int(cost.argmin())
        if label.must or cost[best] < 400:
            left, top, right, bottom = (float(value) for value in shifted[best])
            placed.append(Placed(label, (left, top, right, bottom)))
            taken = np.concatenate([taken, shifted[best][None]])
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


_RINGS = np.repeat([1.0, 2.2, 4.0, 6.5, 9.5], 12)
_TURNS = np.radians(np.tile(np.arange(0, 360, 30), 5))
_BOTHER = 26.0 * np.repeat(np.arange(5), 12) + 6.0 * (1 - np.cos(_TURNS - np.radians(60)))


def _candidates(label: Label) -> tuple[Floats, Floats]:
    """(n, 4) boxes around the point, and (n,) how far each is from the one liked best."""
    width, height = _measure(label)
    x, y = label.at
    if label.gap <= 0:
        box = [[x - width / 2, y - height / 2, x + width / 2, y + height / 2]]
        return np.array(box), np.zeros(1)
    middle_x = x + np.cos(_TURNS) * (label.gap * _RINGS + width / 2)
    middle_y = y - np.sin(_TURNS) * (label.gap * _RINGS + height / 2)
    boxes = [middle_x - width / 2, middle_y - height / 2, middle_x + width / 2, middle_y + height / 2]
    return np.stack(boxes, axis=1), _BOTHER


def _on_point(label: Label, frame: Box) -> Box:
    """The box of a label that lies on its point, moved into the frame."""
    width, height = _measure(label)
    left = min(max(label.at[0] - width / 2, frame[0]), max(frame[2] - width, frame[0]))
    top = min(max(label.at[1] - height / 2, frame[1]), max(frame[3] - height, frame[1]))
    return left, top, left + width, top + height


def _inside(boxes: Floats, frame: Box) -> Floats:
    """The (n, 4) boxes moved into the frame."""
    size = boxes[:, 2:] - boxes[:, :2]
    most = np.maximum(np.array(frame[2:]) - size, np.array(frame[:2]))
    low = np.minimum(np.maximum(boxes[:, :2], np.array(frame[:2])), most)
    return np.concatenate([low, low + size], axis=1)


def _overlap(boxes: Floats, others: Floats) -> Floats:
    """(n, m) shared part of the smaller of (n, 4) and (m, 4) boxes, 0 to 1; a little air between them counts as shared."""
    air = 3.0
    a, b = boxes[:, None], others[None]
    width = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0]) + air
    height = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1]) + air
    smaller = np.minimum(
        (a[..., 2] - a[..., 0]) * (a[..., 3] - a[..., 1]), (b[..., 2] - b[..., 0]) * (b[..., 3] - b[..., 1])
    )
    return np.asarray(np.where((width > 0) & (height > 0), width * height / np.maximum(smaller, 1.0), 0.0))


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
