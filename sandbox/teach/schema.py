"""The lesson file's form, key by key, as pydantic models: what may be written, with which limits.

Only the form is checked here; `load` turns it into the frozen values of `model`, and `run` works the lesson out.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from sandbox.files.limits import Most
from sandbox.scene.entry import Entry, PathText, Word, number
from sandbox.scene.model import DEFAULT_RULES
from sandbox.scene.schema import Millimetres, Place, Size
from sandbox.teach.values import parsed

MOST_STEPS = 60
MOST_FACTS = 80
MOST_CHOICES = 6


def _expression(text: str) -> str:
    parsed(text)
    return text


def _one_line(text: str) -> str:
    """Lines that a file breaks are one paragraph."""
    return " ".join(text.split())


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Text = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1), Most(1500), AfterValidator(_one_line)
]
Expression = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_expression)
]
Names = Annotated[
    list[Word], BeforeValidator(_listed, json_schema_input_type=str | list[str]), Field(max_length=8)
]
PerPack = Word | dict[Word, Word]
"""one word, or one for each pack: ``{blightmeer: engage, otherwise: charge}``."""
TextPerPack = Text | dict[Word, Text]
"""one text, or one for each pack."""
Setting = dict[Word, bool | float | str]
Angle = Annotated[float, number(ge=-3600, le=3600)]


class LookEntry(Entry):
    """``look:`` where it is a mapping: a camera of one's own."""

    at: Place
    side: Angle = -68.0
    """where the eye stands, degrees counter-clockwise from east (-90: south)."""
    above: Annotated[float, number(ge=1, le=90)] = 46.0
    """degrees above the horizon."""
    wide: Size = 12.0
    """inches of the board that the picture is high."""


class FactEntry(Entry):
    """One of ``facts:``: a question to the engine. The first key says which."""

    move: Word | None = None
    reach: Word | None = None
    stand: Place | None = None
    fall: Place | None = None
    falls: Word | None = None
    becomes: Word | None = None
    status_of: Word | None = Field(default=None, alias="status of")
    between: Annotated[list[Word], Field(min_length=2, max_length=2)] | None = None
    push: Word | None = None
    drive: Word | None = None
    along: Annotated[list[Place], Field(min_length=1, max_length=6)] | None = None
    """where the stretches of a drive end."""
    dice: list[Annotated[int, Field(strict=True, ge=0, le=360)]] = Field(default_factory=list, max_length=8)
    """what the dice of a drive show, in the order in which they are rolled."""
    to: Place | None = None
    action: PerPack = "move"
    target: PerPack | None = None
    status: PerPack = "pinned"
    base: Millimetres = 32.0
    height: Annotated[float, number(gt=0, le=50)] | None = None
    by: Word | None = None
    """who pushes."""
    how: Literal["knockback", "drag", "hurl"] = "knockback"
    strength: Annotated[int, Field(strict=True, ge=1, le=20)] | None = None
    """of the attack; its pack says how far that pushes."""
    inches: Annotated[float, number(gt=0, le=48)] | None = None
    facing: Angle | None = None
    reading: Setting = Field(default_factory=dict, max_length=6)
    rules: Word | None = None

    @model_validator(mode="after")
    def _one_question(self) -> Self:
        names = (
            "move",
            "reach",
            "stand",
            "fall",
            "falls",
            "becomes",
            "status_of",
            "between",
            "push",
            "drive",
        )
        shown = ", ".join(name.replace("_", " ") for name in names)
        given = [name for name in names if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"a fact asks one question; write one of {shown}")
        needs = {"move": ("to",), "push": ("by",), "drive": ("along",)}.get(given[0], ())
        if self.target is not None:  # a charge without a place goes into contact by the best way
            needs = ()
        missing = [name.replace("_", " ") for name in needs if getattr(self, name) is None]
        if missing:
            raise ValueError(f"'{given[0]}' needs '{missing[0]}' as well")
        return self


class ChoiceEntry(Entry):
    """One of ``choose:``."""

    say: Text
    right: Expression


class StepEntry(Entry):
    """One of ``steps:``."""

    say: Text | None = None
    when: Expression | None = None
    """the step is left out where this does not hold."""
    sure: Annotated[list[Expression], BeforeValidator(_listed, json_schema_input_type=str | list[str])] = (
        Field(default_factory=list, max_length=20)
    )
    """what the step's words rest upon; where it does not hold the lesson is wrong."""
    explains: Names = Field(default_factory=list)
    """words of the glossary that the step's own words explain."""
    look: Word | LookEntry | None = None
    show: Names = Field(default_factory=list)
    """facts that the picture shows: a reach, a way, where somebody lands."""
    mark: Names = Field(default_factory=list)
    """facts whose places are lettered, without telling the answer."""
    then: Names = Field(default_factory=list)
    """facts that the picture after the answer shows."""
    play: Word | None = None
    """a fact: a legal move, played and told leg by leg."""
    tell: Names = Field(default_factory=list)
    """facts that are told in the engine's own words."""
    ask: Text | None = None
    choose: Annotated[list[ChoiceEntry], Field(min_length=2, max_length=MOST_CHOICES)] | None = None
    exclusive: bool = False
    """of `choose`: one of them is right, never both, never none."""
    answer: Text | None = None
    others: Annotated[list[Text], Field(min_length=1, max_length=MOST_CHOICES - 1)] | None = None
    yes: Expression | None = None
    because: Text | None = None
    attempt: Text | None = Field(default=None, alias="try")
    fighter: Word | None = None
    action: PerPack = "move"
    target: PerPack | None = None
    goal: Expression | None = None
    places: Annotated[list[Place], Field(min_length=2, max_length=MOST_CHOICES)] | None = None
    compare: Word | None = None
    each: TextPerPack | None = None
    """of `compare`: what is said under each pack's name, filled in with what that pack plays with."""
    packs: list[Word] | None = None
    readings: Annotated[list[Setting], Field(min_length=1, max_length=4)] | None = None

    @property
    def each_text(self) -> tuple[str, ...]:
        """The texts of `each`."""
        if self.each is None:
            return ()
        return (self.each,) if isinstance(self.each, str) else tuple(self.each.values())

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        does = [name for name in ("play", "ask", "attempt", "compare") if getattr(self, name) is not None]
        if len(does) > 1:
            raise ValueError(f"a step does one thing; this one has {does[0]} and {does[1]}")
        if not does and self.say is None:
            raise ValueError("a step has one of say, play, ask, try, compare")
        answers = [name for name in ("choose", "answer", "yes") if getattr(self, name) is not None]
        if self.ask is not None and len(answers) != 1:
            raise ValueError("a question has one of choose, answer (with others) and yes")
        if self.ask is None and answers:
            raise ValueError(f"'{answers[0]}' belongs to a question; write 'ask' as well")
        if (self.answer is None) != (self.others is None):
            raise ValueError("'answer' and 'others' go together")
        if self.each is not None and self.compare is None:
            raise ValueError("'each' belongs to 'compare'; write that as well")
        if self.attempt is not None and (self.fighter is None or self.goal is None or self.places is None):
            raise ValueError("'try' needs 'fighter', 'goal' and 'places'")
        return self


class LessonFile(Entry):
    """The whole file."""

    title: Text
    about: Text
    order: Annotated[float, number(ge=0, le=1000)] = 500
    packs: list[Word] = Field(default_factory=lambda: [DEFAULT_RULES], min_length=1, max_length=8)
    scene: dict[str, Any] | PathText
    facts: Annotated[dict[Word, FactEntry], Most(MOST_FACTS)] = Field(default_factory=dict)
    steps: Annotated[list[StepEntry], Field(min_length=1), Most(MOST_STEPS)]
