"""Pictures for explanations and lessons: one stage for a battlefield, without the panel that pictures have elsewhere."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from sandbox.moves.answers import Leg, LegalMoves, Move, Point
from sandbox.teach.explaining import Explanation, Part, Step
from sandbox.teach.words import say
from sandbox.view import ink, offscreen, words
from sandbox.view.camera import Camera
from sandbox.view.clips import RATE
from sandbox.view.clips import frames as clip_frames
from sandbox.view.compose import aimed, framed, labels_of, subject, turned
from sandbox.view.marks import staged
from sandbox.view.model import FighterMark, StageInput
from sandbox.view.prepared import prepare
from sandbox.view.stage import Stage

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

SIZE = (760, 480)
CLIP = (640, 400)
RIM = 6.0
"""pixels left free of words around a picture."""
DISC = 0.05
"""inches: how high the discs are that mark places."""
MARKED = "yellow"
"""the side whose colour these discs have: of nobody in the lessons."""


@dataclass(frozen=True)
class Ghost:
    """A base drawn where nobody stands: a place that is asked about, or where somebody would end."""

    name: str
    at: Point
    prone: bool = False
    """lying down, after a fall."""
    height: float = DISC
    """inches."""


class Painter:
    """Draws one battlefield again and again; what stands on it and what is shown may change."""

    def __init__(self, field: Battlefield) -> None:
        """field: whose terrain is drawn."""
        self.pipe = offscreen.pipe()
        given = staged(field)
        self.stage = Stage(prepare(given.terrain, given.part_kinds), shaded=self.pipe.shaded)
        self.azimuth: float | None = None
        """from where the last picture was taken, degrees."""

    def draw(
        self,
        given: StageInput,
        *,
        camera: str | Camera | None = None,
        size: tuple[int, int] = SIZE,
        side: float | None = None,
        numbered: bool = True,
    ) -> Image.Image:
        """A picture; side: the azimuth to look from, degrees (None: as is best); numbered: number the legs of a way."""
        eye = aimed(given, self.stage, camera, size)
        if side is not None:
            eye = framed(given, subject(given, self.stage, "way"), replace(eye, azimuth=side), size)
        self.stage.show(given, pixel=eye.pixel(size))
        if given.way is not None and given.way.legs and camera in (None, "way"):
            eye = turned(given, self.stage, eye, size, self.pipe)
            self.stage.show(given, pixel=eye.pixel(size))
        self.azimuth = eye.azimuth
        shot = offscreen.shoot(self.stage, eye, size, using=self.pipe)
        picture = Image.fromarray(shot.picture)
        labels, clear = labels_of(given, self.stage, eye, size, shot)
        nothing = (words.say("refused", "first"), words.say("refused", "nothing"))
        labels = [_plain(label, numbered) for label in labels if label.lines != nothing]
        rim = (RIM, RIM, size[0] - RIM, size[1] - RIM)
        ink.draw(picture, ink.place(labels, rim, clear))
        return picture


def _plain(label: ink.Label, numbered: bool) -> ink.Label:
    """A label without the number of its leg, where legs are not numbered."""
    if numbered:
        return label
    return replace(label, lines=(re.sub(r"^\d+\. ", "", label.lines[0]), *label.lines[1:]))


def shown(
    field: Battlefield,
    *,
    fighter: str | None = None,
    moves: LegalMoves | None = None,
    move: Move | None = None,
    leg: Leg | None = None,
    ghosts: Sequence[Ghost] = (),
) -> StageInput:
    """What a picture is handed: a reach, a way, or one leg of one with the fighter where it begins."""
    if move is not None and not np.isfinite(move.to).all():
        move = None
    given = staged(field, fighter=fighter, moves=moves, move=move)
    if leg is not None and move is not None:
        one = replace(move, legs=(leg,), checks=leg.checks, to=leg.end, legal=True, cost=None, rulings=())
        given = staged(field, fighter=move.fighter, move=one)
        given = replace(
            given, fighters=tuple(replace(f, at=leg.start) if f.active else f for f in given.fighters)
        )
    if ghosts:
        active = given.active
        base = (32.0, 32.0) if active is None else active.base_mm
        marks = tuple(
            FighterMark(ghost.name, ghost.at, base, ghost.height, side=MARKED, prone=ghost.prone)
            for ghost in ghosts
        )
        given = replace(given, fighters=(*given.fighters, *marks))
    return given


def step_picture(field: Battlefield, told: Explanation, step: Step, painter: Painter) -> Image.Image:
    """The picture of one step of an explanation."""
    move = told.move
    if step.part is Part.LEG:
        if painter.azimuth is None:
            painter.draw(shown(field, move=move))
        return painter.draw(shown(field, move=move, leg=step.leg), side=painter.azimuth, numbered=False)
    if step.part is Part.WHY:
        assert step.ruling is not None
        return painter.draw(shown(field, move=replace(move, rulings=(step.ruling,))))
    if step.part is Part.START:
        there = Ghost(say("explain", "there"), move.to)
        picture = painter.draw(shown(field, fighter=move.fighter, ghosts=(there,)), camera="whole")
        painter.azimuth = None
        return picture
    return painter.draw(shown(field, move=move))


def data_url(picture: Image.Image) -> str:
    """A picture as a data URL, small."""
    out = BytesIO()
    picture.save(out, format="WEBP", quality=82, method=4)
    return _url(out, "webp")


def clip_url(
    parts: Sequence[StageInput], *, size: tuple[int, int] = CLIP, camera: str | Camera | None = None
) -> str:
    """Moves that are played, one after the other, as a data URL of an animated picture."""
    pictures = [frame for given in parts for frame in clip_frames(given, size=size, camera=camera)]
    out = BytesIO()
    pictures[0].save(
        out, format="WEBP", save_all=True, append_images=pictures[1:], duration=round(1000 / RATE), loop=0,
        quality=70, method=3, minimize_size=False,
    )  # fmt: skip
    return _url(out, "webp")


def _url(out: BytesIO, form: str) -> str:
    return f"data:image/{form};base64,{base64.b64encode(out.getvalue()).decode('ascii')}"
