"""Drawing: a stage that shows what it is handed, cameras, overlays, labels, pictures without a display.

Panda3D is loaded by the first picture, not by importing this.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

    from sandbox.moves.answers import LegalMoves, Move
    from sandbox.moves.battlefield import Battlefield
    from sandbox.view.camera import Camera
    from sandbox.view.model import StageInput

__all__ = ["clip", "draw", "picture"]


def picture(
    field: Battlefield,
    path: str | Path | None = None,
    *,
    fighter: str | None = None,
    moves: LegalMoves | None = None,
    move: Move | None = None,
    size: tuple[int, int] = (1600, 1000),
    camera: str | Camera | None = None,
) -> Image:
    """A picture of a battlefield, written to `path` as PNG where one is named.

    fighter: id of the fighter that it is about (taken from `moves` or `move` where missing); moves: its reach;
    move: the way to draw; size: width and height in pixels; camera: ``whole``, ``reach``, ``way``, ``top``,
    ``level:Z`` (cut open at Z inches), or a Camera. Raises UserError for what cannot be drawn or written.
    """
    from sandbox.view.compose import draw as compose  # noqa: PLC0415
    from sandbox.view.marks import staged  # noqa: PLC0415

    return compose(staged(field, fighter=fighter, moves=moves, move=move), path, size=size, camera=camera)


def clip(
    field: Battlefield,
    path: str | Path,
    *,
    move: Move | None = None,
    size: tuple[int, int] = (800, 600),
    camera: str | Camera | None = None,
    seconds: float = 6.0,
) -> None:
    """A GIF or an MP4 of a battlefield that turns once, or of one legal move that is played.

    seconds: of a turn; the rest as in `picture`. UserError for what cannot be drawn or written.
    """
    from sandbox.view.clips import clip as draw_clip  # noqa: PLC0415
    from sandbox.view.marks import staged  # noqa: PLC0415

    draw_clip(staged(field, move=move), Path(path), size=size, camera=camera, seconds=seconds)


def draw(
    given: StageInput,
    path: str | Path | None = None,
    *,
    size: tuple[int, int] = (1600, 1000),
    camera: str | Camera | None = None,
) -> Image:
    """A picture of plain marks and arrays; see `compose.draw`."""
    from sandbox.view.compose import draw as compose  # noqa: PLC0415

    return compose(given, path, size=size, camera=camera)
