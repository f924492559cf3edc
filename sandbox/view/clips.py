"""Short clips, drawn off screen like the pictures: a board that turns, or a move that is played. Written as GIF."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from sandbox.errors import UserError
from sandbox.files.pages import write_made
from sandbox.view import ink, offscreen
from sandbox.view.camera import Camera
from sandbox.view.compose import aimed, labels_of
from sandbox.view.model import FighterMark, StageInput
from sandbox.view.prepared import prepare
from sandbox.view.stage import Stage
from sandbox.view.way import LIFT

Floats = NDArray[np.float64]

RATE = 12
"""pictures a second."""
MOST = 240
"""pictures of a clip at most."""
SPEED = 4.0
"""inches a second that a fighter goes."""
HOLD = 0.9
"""seconds that the end of a move is looked at."""


def clip(
    given: StageInput,
    path: Path,
    *,
    size: tuple[int, int] = (800, 600),
    camera: str | Camera | None = None,
    seconds: float = 6.0,
) -> None:
    """Draw a clip and write it as GIF: the way of `given` played, or where there is none the board turning once.

    seconds: of a turn. UserError for a name that does not end in .gif, and for what pictures refuse as well.
    """
    if path.suffix.lower() != ".gif":
        raise UserError("clips are written as GIF; name a file that ends in .gif", file=path)
    if not 0.5 <= seconds <= MOST / RATE:
        raise UserError(f"a clip of {seconds:g} seconds is not possible; 0.5 to {MOST / RATE:g}")
    _write(frames(given, size=size, camera=camera, seconds=seconds), path)


def frames(
    given: StageInput,
    *,
    size: tuple[int, int] = (800, 600),
    camera: str | Camera | None = None,
    seconds: float = 6.0,
) -> Iterator[Image.Image]:
    """The pictures of a clip, `RATE` of them a second; the arguments are those of `clip`."""
    chosen = offscreen.pipe()
    stage = Stage(prepare(given.terrain, given.part_kinds), shaded=chosen.shaded)
    eye = aimed(given, stage, camera, size)
    if given.way is None or not given.way.legal:
        return _turn(given, stage, eye, size, seconds, chosen)
    return _played(given, stage, eye, size, chosen)


def _turn(
    given: StageInput,
    stage: Stage,
    eye: Camera,
    size: tuple[int, int],
    seconds: float,
    chosen: offscreen.Pipe,
) -> Iterator[Image.Image]:
    stage.show(given, pixel=eye.pixel(size))
    count = max(8, round(seconds * RATE))
    for number in range(count):
        turned = replace(eye, azimuth=eye.azimuth + 360.0 * number / count)
        yield Image.fromarray(offscreen.shoot(stage, turned, size, using=chosen).picture)


def _played(
    given: StageInput, stage: Stage, eye: Camera, size: tuple[int, int], chosen: offscreen.Pipe
) -> Iterator[Image.Image]:
    way, active = given.way, given.active
    assert way is not None
    stage.show(given, pixel=eye.pixel(size))
    if active is None or not stage.stretches:
        yield Image.fromarray(offscreen.shoot(stage, eye, size, using=chosen).picture)
        return
    line = np.concatenate([stretch.path for stretch in stage.stretches]) - np.array([0.0, 0.0, LIFT])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    count = min(max(8, round(along[-1] / SPEED * RATE)), MOST - 20)
    words: list[ink.Placed] | None = None
    for number in range(count + 1):
        at = np.array([np.interp(along[-1] * number / count, along, line[:, k]) for k in range(3)])
        stage.set_fighters(_with(given.fighters, active, at), pixel=eye.pixel(size))
        shot = offscreen.shoot(stage, eye, size, using=chosen)
        picture = Image.fromarray(shot.picture)
        if words is None:
            labels, clear = labels_of(given, stage, eye, size, shot)
            labels = [one for one in labels if not one.bare and one.lines[0] != active.name]
            words = ink.place(labels, (6.0, 6.0, size[0] - 6.0, size[1] - 6.0), clear)
        ink.draw(picture, words)
        yield picture
        if number == count:
            yield from [picture] * round(HOLD * RATE)


def _with(fighters: tuple[FighterMark, ...], active: FighterMark, at: Floats) -> tuple[FighterMark, ...]:
    where = (float(at[0]), float(at[1]), float(at[2]))
    return tuple(replace(f, at=where) if f.name == active.name else f for f in fighters)


def _write(frames: Iterator[Image.Image], path: Path) -> None:
    """One palette for all pictures, so that nothing flickers."""
    shown = list(frames)
    wide, high = shown[0].size
    sample = Image.new("RGB", (wide, 3 * high))
    for row, frame in enumerate((shown[0], shown[len(shown) // 2], shown[-1])):
        sample.paste(frame, (0, row * high))
    first = sample.quantize(colors=255, method=Image.Quantize.MAXCOVERAGE, kmeans=2)
    flat = [frame.quantize(palette=first, dither=Image.Dither.NONE) for frame in shown]
    out = BytesIO()
    flat[0].save(
        out,
        format="GIF",
        save_all=True,
        append_images=flat[1:],
        duration=round(1000 / RATE),
        loop=0,
        optimize=True,
    )
    write_made(path, out.getvalue(), "clip")
