"""Lessons answered in a process of its own, as plain values that go through a pipe; for the window."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sandbox.moves.answers import Point
from sandbox.teach.explaining import Part
from sandbox.teach.eye import eye
from sandbox.teach.load import find_lesson
from sandbox.teach.model import Choice, Course, Marked, Shown, View
from sandbox.teach.run import work_out
from sandbox.teach.words import say
from sandbox.view.camera import Camera


@dataclass(frozen=True)
class Sight:
    """What the board is to show: somebody's reach or way, marked places, from where."""

    fighter: str | None
    action: str
    target: str | None
    to: Point | None
    """the end of the way; None: the reach, or nothing."""
    marked: tuple[Marked, ...]
    look: Camera | str | None


@dataclass(frozen=True)
class Told:
    """One step of a lesson."""

    number: int
    text: tuple[str, ...]
    engine: tuple[str, ...]
    """the engine's own sentences."""
    sight: Sight | None
    then: Sight | None
    """after the answer."""
    asked: str
    """the question, or what is to be tried; empty: nothing is asked."""
    choices: tuple[Choice, ...]
    verdicts: tuple[str, ...]
    """of a try: what is said of each place."""
    because: tuple[str, ...]
    rows: tuple[tuple[str, str], ...]
    """name and answer, side by side."""
    tries: bool
    plays: bool
    """whether the way of `sight` is a move to be played."""


@dataclass(frozen=True)
class Lesson:
    """A lesson under one pack."""

    title: str
    about: str
    pack: str
    pack_name: str
    packs: tuple[str, ...]
    steps: tuple[Told, ...]
    points: int


class LessonDesk:
    """Works a lesson out and judges what the learner tries."""

    def __init__(self) -> None:
        """Nothing is open yet."""
        self.course: Course | None = None

    def open(self, path: Path, rules: str | None) -> Lesson:
        """The lesson of a file under a pack (None: its first). UserError for what is wrong with it."""
        lesson = find_lesson(path)
        course = self.course = work_out(lesson, rules)
        steps = tuple(_told(step) for step in course.steps)
        packs = lesson.packs if course.pack in lesson.packs else (course.pack, *lesson.packs)
        return Lesson(course.title, course.about, course.pack, course.pack_name, packs, steps, course.points)

    def judge(self, number: int, at: Point) -> tuple[bool, str]:
        """Whether a place is right in the step of a number, and why."""
        assert self.course is not None
        attempt = self.course.steps[number - 1].attempt
        assert attempt is not None
        verdict = attempt.judge(*at)
        return verdict.right, verdict.text


def _told(step: Shown) -> Told:
    engine = list(step.told)
    if step.played is not None:
        for part in step.played.steps:
            if part.part is not Part.START:
                engine += [*part.text, *part.measures]
    question, attempt = step.question, step.attempt
    choices: tuple[Choice, ...] = ()
    if question is not None:
        choices = question.choices
    elif attempt is not None:
        choices = tuple(
            Choice(", ".join(f"{v + 0.0:.2f}" for v in at), verdict.right)
            for at, verdict in zip(attempt.places, attempt.verdicts, strict=True)
        )
    view = step.view
    if view is None and step.rows:
        view = step.rows[0].view
    asking = question if question is not None else attempt
    asked = question.text if question is not None else attempt.text if attempt is not None else ""
    return Told(
        number=step.number,
        text=(*step.text, *step.words),
        engine=tuple(engine),
        sight=_sight(view) if attempt is None else _tried(step),
        then=_sight(step.then),
        asked=asked,
        choices=choices,
        verdicts=() if attempt is None else tuple(v.text for v in attempt.verdicts),
        because=() if asking is None else (*asking.because, *asking.words),
        rows=tuple((row.name, f"{row.rules} {row.text}".strip()) for row in step.rows),
        tries=attempt is not None,
        plays=step.played is not None,
    )


def _tried(step: Shown) -> Sight | None:
    """What the board shows while a place is looked for: everything in reach."""
    seen, attempt = _sight(step.view), step.attempt
    if seen is None or attempt is None:
        return seen
    return replace(seen, fighter=attempt.fighter, action=attempt.action, target=attempt.target)


def _sight(view: View | None) -> Sight | None:
    if view is None:
        return None
    if view.clip and view.move is not None:  # a drive is no move that the window could look for by itself
        ends = Marked(say("lesson", "there"), view.move.to)
        return Sight(None, view.move.action, None, None, (*view.marked, ends), eye(view.look))
    action, target, to = "move", None, None
    if view.moves is not None:
        action, target = view.moves.action, view.moves.target
    if view.move is not None:
        action, to = view.move.action, view.move.to
        if not np.isfinite(to).all():
            to = None
    shows = view.moves is not None or view.move is not None
    return Sight(view.fighter if shows else None, action, target, to, view.marked, eye(view.look))
