"""From the views of a lesson to pictures: written as files, or as data for a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from PIL.Image import Image

from sandbox.moves.battlefield import Battlefield
from sandbox.teach.eye import eye
from sandbox.teach.model import Course, Shown, View
from sandbox.teach.pictures import CLIP, SIZE, Ghost, Painter, clip_url, shown
from sandbox.view.camera import Camera
from sandbox.view.compose import aimed, write
from sandbox.view.model import StageInput


def staged_view(view: View) -> StageInput:
    """What a view shows, as marks to draw."""
    ghosts = [
        Ghost(m.name, m.at, m.prone) if not m.prone else Ghost(m.name, m.at, True, 1.4) for m in view.marked
    ]
    return shown(view.field, fighter=view.fighter, moves=view.moves, move=view.move, ghosts=ghosts)


def camera_of(view: View) -> str | Camera | None:
    """From where a view is looked at."""
    if view.look is not None:
        return eye(view.look)
    return "way" if view.move is not None and view.move.legs else "whole"


TURNS = 24
"""pictures of a board that turns once."""
TURNING = (640, 420)
"""their size in pixels."""


@dataclass
class Studio:
    """Draws views; boards that are drawn again keep their stage."""

    painters: dict[int, Painter] = field(default_factory=dict)

    def draw(self, view: View, size: tuple[int, int] = SIZE) -> Image:
        """The picture of a view."""
        return self._painter(view.field).draw(staged_view(view), camera=camera_of(view), size=size)

    def turning(self, view: View, size: tuple[int, int] = TURNING, count: int = TURNS) -> Iterator[Image]:
        """A view from all sides, counter-clockwise, the usual side first."""
        painter, given = self._painter(view.field), staged_view(view)
        eye = aimed(given, painter.stage, camera_of(view), size)
        middle = (painter.stage.size[0] / 2, painter.stage.size[1] / 2, eye.target[2])
        eye = replace(eye, target=middle, distance=eye.distance * 1.1)
        for number in range(count):
            yield painter.draw(
                given, camera=replace(eye, azimuth=eye.azimuth + 360.0 * number / count), size=size
            )

    def clip(self, view: View, size: tuple[int, int] = CLIP) -> str:
        """The move of a view played, as a data URL."""
        parts = view.clip or (view,)
        camera = camera_of(view)
        if len(parts) > 1:  # one eye for all of them, where the whole of the way is seen
            camera = aimed(staged_view(view), self._painter(view.field).stage, camera, size)
        return clip_url([staged_view(part) for part in parts], size=size, camera=camera)

    def _painter(self, battlefield: Battlefield) -> Painter:
        # the same terrain may be shown in other colours under another pack
        key = hash((id(battlefield.terrain), battlefield.roles.kinds))
        if key not in self.painters:
            self.painters[key] = Painter(battlefield)
        return self.painters[key]


@dataclass
class Album:
    """Pictures of a lesson, written into a folder as they are met."""

    course: Course
    folder: Path
    studio: Studio = field(default_factory=Studio)

    def write(self, step: Shown, which: str) -> Iterator[Path]:
        """Write the pictures of a step; which: empty for those before an answer, ``then`` for the one after it."""
        for name, view in views(step, which):
            path = self.folder / f"{self.course.id}-{step.number:02d}{name}.png"
            write(self.studio.draw(view), path)
            yield path


def views(step: Shown, which: str = "") -> Iterator[tuple[str, View]]:
    """The views of a step with the ends of their names; which: as in `Album.write`."""
    if which == "then":
        if step.then is not None:
            yield "-then", step.then
        return
    if step.view is not None:
        yield "", step.view
    for number, row in enumerate(step.rows, start=1):
        if row.view is not None:
            yield f"-{number}", row.view
