"""Short clips, drawn off screen like the pictures: a board that turns, or a move that is played.

Written as GIF, or as MP4 through FFmpeg, which comes with the package `imageio-ffmpeg`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

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
"""pictures a second where each costs much room."""
RATES = {".gif": RATE, ".mp4": 24}
"""pictures a second, by the end of the file's name."""
LONGEST = 20.0
"""seconds of a clip at most."""
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
    """Draw a clip: the way of `given` played, or where there is none the board turning once.

    path: of a GIF or an MP4; seconds: of a turn. UserError for another name, for an MP4 where nothing writes one, and
    for what pictures refuse as well.
    """
    kind = clip_path(path).suffix.lower()
    if not 0.5 <= seconds <= LONGEST:
        raise UserError(f"a clip of {seconds:g} seconds is not possible; 0.5 to {LONGEST:g}")
    shown = frames(given, size=size, camera=camera, seconds=seconds, rate=RATES[kind])
    write_made(path, _gif(shown) if kind == ".gif" else _mp4(shown, path), "clip")


def clip_path(path: Path) -> Path:
    """The path, where a clip can be written to one of its name; UserError else, before anything is drawn."""
    kind = path.suffix.lower()
    if kind not in RATES:
        raise UserError("a clip is a GIF or an MP4; name a file that ends in .gif or .mp4", file=path)
    if kind == ".mp4" and find_spec("imageio_ffmpeg") is None:
        raise UserError("an MP4 needs the package `imageio-ffmpeg`; install sandbox[clips]", file=path)
    return path


def frames(
    given: StageInput,
    *,
    size: tuple[int, int] = (800, 600),
    camera: str | Camera | None = None,
    seconds: float = 6.0,
    rate: int = RATE,
) -> Iterator[Image.Image]:
    """The pictures of a clip, `rate` of them a second; the other arguments are those of `clip`."""
    chosen = offscreen.pipe()
    stage = Stage(prepare(given.terrain, given.part_kinds), shaded=chosen.shaded)
    eye = aimed(given, stage, camera, size)
    if given.way is None or not given.way.legal:
        return _turn(given, stage, eye, size, max(8, round(seconds * rate)), chosen)
    return _played(given, stage, eye, size, rate, chosen)


def _turn(
    given: StageInput,
    stage: Stage,
    eye: Camera,
    size: tuple[int, int],
    count: int,
    chosen: offscreen.Pipe,
) -> Iterator[Image.Image]:
    stage.show(given, pixel=eye.pixel(size))
    for number in range(count):
        turned = replace(eye, azimuth=eye.azimuth + 360.0 * number / count)
        yield Image.fromarray(offscreen.shoot(stage, turned, size, using=chosen).picture)


def _played(
    given: StageInput, stage: Stage, eye: Camera, size: tuple[int, int], rate: int, chosen: offscreen.Pipe
) -> Iterator[Image.Image]:
    way, active = given.way, given.active
    assert way is not None
    stage.show(given, pixel=eye.pixel(size))
    if active is None or not stage.stretches:
        yield Image.fromarray(offscreen.shoot(stage, eye, size, using=chosen).picture)
        return
    line = np.concatenate([stretch.path for stretch in stage.stretches]) - np.array([0.0, 0.0, LIFT])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    count = round(min(max(0.7, along[-1] / SPEED), LONGEST - HOLD) * rate)
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
            yield from [picture] * round(HOLD * rate)


def _with(fighters: tuple[FighterMark, ...], active: FighterMark, at: Floats) -> tuple[FighterMark, ...]:
    where = (float(at[0]), float(at[1]), float(at[2]))
    return tuple(replace(f, at=where) if f.name == active.name else f for f in fighters)


def _mp4(frames: Iterator[Image.Image], path: Path) -> bytes:
    """Pictures as H.264 that every browser and player shows; UserError where FFmpeg fails."""
    import imageio_ffmpeg  # noqa: PLC0415 - an extra

    first = next(frames)
    # The format wants even sides.
    size = (first.width // 2 * 2, first.height // 2 * 2)
    with TemporaryDirectory() as folder:
        made = Path(folder) / "clip.mp4"
        try:
            writer = imageio_ffmpeg.write_frames(
                str(made), size, fps=RATES[".mp4"], quality=8, macro_block_size=2, ffmpeg_log_level="error"
            )
            writer.send(None)
            for frame in itertools.chain([first], frames):
                writer.send(np.asarray(frame.convert("RGB"))[: size[1], : size[0]].tobytes())
            writer.close()
        except (OSError, RuntimeError) as error:
            why = str(error).strip().splitlines()[-1] if str(error).strip() else type(error).__name__
            raise UserError(f"the clip cannot be written: {why}", file=path) from None
        return made.read_bytes()


def _gif(frames: Iterator[Image.Image]) -> bytes:
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
    return out.getvalue()
