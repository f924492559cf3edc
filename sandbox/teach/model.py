"""What a lesson comes to under one pack: steps with words, pictures, questions with their right answers, attempts.

Every reader (terminal, page, window) shows these and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from sandbox.moves.answers import Json, LegalMoves, Move, Point

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield
    from sandbox.teach.explaining import Explanation


LETTERS = "ABCDEFGH"
"""what choices and places are called."""


class Kind(StrEnum):
    """What a step does."""

    SAY = "say"
    PLAY = "play"
    """a move is played."""
    ASK = "ask"
    """a question with choices."""
    TRY = "try"
    """the learner picks a place."""
    COMPARE = "compare"
    """the same question under several packs or readings."""


@dataclass(frozen=True)
class Look:
    """A camera of a lesson's own."""

    at: Point
    side: float
    """degrees counter-clockwise from east, where the eye stands."""
    above: float
    """degrees above the horizon."""
    wide: float
    """inches that the picture is high."""


@dataclass(frozen=True)
class Marked:
    """A place that a picture marks."""

    name: str
    """a letter, or words."""
    at: Point
    prone: bool = False
    """somebody lies there after a fall."""


@dataclass(frozen=True, eq=False)
class View:
    """What a picture shows."""

    field: Battlefield
    fighter: str | None = None
    moves: LegalMoves | None = None
    """a reach."""
    move: Move | None = None
    """a way."""
    marked: tuple[Marked, ...] = ()
    look: str | Look | None = None
    """None: the whole board, or what a way needs."""
    clip: tuple[View, ...] = ()
    """where it can be shown moving by more than its own way: what a clip shows, one after the other."""


@dataclass(frozen=True)
class Choice:
    """One answer that can be given."""

    text: str
    right: bool


@dataclass(frozen=True)
class Question:
    """A question; the engine worked out which choice is right."""

    text: str
    choices: tuple[Choice, ...]
    because: tuple[str, ...]
    """what is said once it was answered: the lesson's words and the engine's."""
    words: tuple[str, ...] = ()
    """what words in that mean that occur for the first time."""

    @property
    def right(self) -> int:
        """Index of the right choice."""
        return next(index for index, choice in enumerate(self.choices) if choice.right)


@dataclass(frozen=True)
class Verdict:
    """What came of a place that the learner picked."""

    right: bool
    move: Move
    text: str
    """why, in a line or two."""


@dataclass(frozen=True, eq=False)
class Attempt:
    """The learner picks a place; any place can be judged."""

    text: str
    fighter: str
    action: str
    target: str | None
    places: tuple[Point, ...]
    """places to pick from, lettered."""
    verdicts: tuple[Verdict, ...]
    """of these places."""
    best: Verdict
    """a place that the engine found, the surest and then the cheapest."""
    judge: Callable[[float, float, float | None], Verdict]
    because: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """what words in `because` mean that occur for the first time."""


@dataclass(frozen=True, eq=False)
class Row:
    """One answer of a comparison."""

    name: str
    """the pack, or the reading."""
    rules: str
    """what the pack says about it; empty where nothing is written."""
    text: str
    """the answer, what has to be rolled for it, and what a fail does."""
    lines: tuple[str, ...]
    view: View | None


@dataclass(frozen=True, eq=False)
class Shown:
    """One step of a lesson, worked out."""

    number: int
    """from 1."""
    kind: Kind
    text: tuple[str, ...]
    """paragraphs."""
    told: tuple[str, ...] = ()
    """the engine's own sentences."""
    view: View | None = None
    then: View | None = None
    """the picture after the answer."""
    played: Explanation | None = None
    question: Question | None = None
    attempt: Attempt | None = None
    rows: tuple[Row, ...] = ()
    words: tuple[str, ...] = ()
    """what words mean that occur for the first time."""

    @property
    def scores(self) -> bool:
        """Whether a point can be won."""
        return self.question is not None or self.attempt is not None

    def to_json(self) -> Json:
        """Keys number, kind, text, words, told; and played, question, attempt, rows where it has them."""
        answer: Json = {
            "number": self.number,
            "kind": self.kind.value,
            "text": list(self.text),
            "words": list(self.words),
            "told": list(self.told),
        }
        if self.played is not None:
            answer["played"] = self.played.to_json()
        if self.question is not None:
            answer["question"] = {
                "text": self.question.text,
                "choices": [{"text": c.text, "right": c.right} for c in self.question.choices],
                "because": list(self.question.because),
                "words": list(self.question.words),
            }
        if self.attempt is not None:
            answer["attempt"] = {
                "text": self.attempt.text,
                "fighter": self.attempt.fighter,
                "action": self.attempt.action,
                "places": [
                    {"at": [round(v, 4) for v in at], "right": v.right, "text": v.text}
                    for at, v in zip(self.attempt.places, self.attempt.verdicts, strict=True)
                ],
                "best": [round(v, 4) for v in self.attempt.best.move.to],
            }
        if self.rows:
            answer["rows"] = [
                {"name": row.name, "rules": row.rules, "text": row.text, "lines": list(row.lines)}
                for row in self.rows
            ]
        return answer


@dataclass(frozen=True, eq=False)
class Course:
    """A lesson under one pack, worked out to its end."""

    id: str
    title: str
    about: str
    pack: str
    """its id."""
    pack_name: str
    field: Battlefield
    steps: tuple[Shown, ...]

    @property
    def points(self) -> int:
        """The most that can be won."""
        return sum(step.scores for step in self.steps)

    def to_json(self) -> Json:
        """Keys lesson, title, about, rules, points, steps."""
        return {
            "lesson": self.id,
            "title": self.title,
            "about": self.about,
            "rules": self.pack,
            "points": self.points,
            "steps": [step.to_json() for step in self.steps],
        }
