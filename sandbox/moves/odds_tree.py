"""Trees of what can happen: what follows for certain, then a roll, then a branch for each of its outcomes.

Chances are exact fractions; those of the branches of one roll add up to 1. Inches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from sandbox.moves.answers import Hit, Json, Point
from sandbox.rules import dice
from sandbox.rules.dice import CheckDice

Dice = Callable[["Throw"], int]
"""Rolls for a throw: the unmodified result, as its branches list them."""


class Event(StrEnum):
    """What can happen to a model."""

    FALL = "fall"
    """it falls; `height`, `start`, `at`."""
    LANDS_ON = "lands-on"
    """it comes down on another model."""
    HIT = "hit"
    """it takes `hit`; wounds, saves and injuries are for the players."""
    STATUS = "status"
    """it is in `status` from now on."""
    MOVED = "moved"
    """it is moved to `at` against its will, without falling."""
    WOUND = "wound"
    """it has one Wound less."""
    OUT = "out"
    """it is out of the game."""
    STAYS = "stays"
    """a danger was there and passed, or it stays where it is."""
    ENDS = "ends"
    """its activation ends."""
    STANDS_UP = "stands-up"
    """it gets up for nothing."""
    ARRIVES = "arrives"
    """it ends its move where it meant to."""
    STOPS = "stops"
    """it ends its move short of that, at `at`."""
    PLAYERS = "players"
    """something that the players have to resolve."""


@dataclass(frozen=True)
class Happening:
    """One thing that happens."""

    what: Event
    who: str
    """id of the model."""
    text: str
    """one sentence without the model's name."""
    rule: str
    """rule id."""
    source: str = ""
    at: Point | None = None
    """where the model is afterwards; None: where it was."""
    start: Point | None = None
    """where a fall began."""
    height: float | None = None
    """height fallen, floor to floor, inches."""
    hit: Hit | None = None
    status: str | None = None

    def to_json(self) -> Json:
        """Keys what, who, text, rule, source, and of at, start, height, hit, status those that say something."""
        answer: Json = {
            "what": self.what.value,
            "who": self.who,
            "text": self.text,
            "rule": self.rule,
            "source": self.source,
        }
        for key, point in (("at", self.at), ("start", self.start)):
            if point is not None:
                answer[key] = [round(v, 4) + 0.0 for v in point]
        if self.height is not None:
            answer["height"] = round(self.height, 4)
        if self.hit is not None:
            answer["hit"] = self.hit.to_json()
        if self.status is not None:
            answer["status"] = self.status
        return answer


@dataclass(frozen=True)
class Throw:
    """A roll that decides how it goes on."""

    dice: str
    """``D6``, ``D20``, ``2D6``; ``direction``: one of the branches, each as likely."""
    reason: str
    """what it is for: a word of the pack or of `Reason`."""
    who: str
    rule: str
    source: str = ""
    check: str | None = None
    """id of the check, None for rolls that are no check."""
    needed: int | None = None
    """least unmodified result that passes a check; None where none does, or it is no check."""
    modifier: int = 0
    """added to the roll; already worked into `needed`."""

    def to_json(self) -> Json:
        """Keys dice, reason, who, rule, source, check, needed, modifier."""
        return {
            "dice": self.dice,
            "reason": self.reason,
            "who": self.who,
            "rule": self.rule,
            "source": self.source,
            "check": self.check,
            "needed": self.needed,
            "modifier": self.modifier,
        }


@dataclass(frozen=True)
class After:
    """How one model ends."""

    who: str
    at: Point | None
    """where it is; None: nowhere on the battlefield."""
    statuses: tuple[str, ...]
    out: bool = False
    """out of the game."""
    hits: tuple[Hit, ...] = ()
    """hits to be resolved, in order."""
    wounds_lost: int = 0
    """Wounds lost without a hit."""
    fallen: float = 0.0
    """height fallen altogether, inches."""
    goes_on: bool = True
    """its activation may go on."""

    def to_json(self) -> Json:
        """Keys who, at, statuses, out, hits, wounds_lost, fallen, goes_on."""
        return {
            "who": self.who,
            "at": None if self.at is None else [round(v, 4) + 0.0 for v in self.at],
            "statuses": list(self.statuses),
            "out": self.out,
            "hits": [hit.to_json() for hit in self.hits],
            "wounds_lost": self.wounds_lost,
            "fallen": round(self.fallen, 4),
            "goes_on": self.goes_on,
        }


@dataclass(frozen=True)
class Branch:
    """One outcome of a throw."""

    faces: tuple[int, ...]
    """unmodified results of the dice that lead here; for a direction its number, from 1."""
    chance: Fraction
    """of this branch, given that it came to the throw."""
    passed: bool | None
    """whether a check passes here; None where it is no check."""
    tree: Tree


@dataclass(frozen=True)
class Tree:
    """What follows: first `happens`, then `throw` and one of its branches; without a throw it ends there."""

    happens: tuple[Happening, ...] = ()
    throw: Throw | None = None
    branches: tuple[Branch, ...] = ()
    ends: tuple[After, ...] = ()
    """where it ends: every model that something happened to, the first one being the one that was asked about."""
    reached: bool = False
    """where it ends: the move ended as intended."""

    def to_json(self) -> Json:
        """Keys happens; then throw and branches (each faces, chance, passed, and a tree again), or ends and reached."""
        answer: Json = {"happens": [one.to_json() for one in self.happens]}
        if self.throw is None:
            return {**answer, "ends": [one.to_json() for one in self.ends], "reached": self.reached}
        branches = [
            {
                "faces": list(branch.faces),
                "chance": round(float(branch.chance), 6),
                "passed": branch.passed,
                **branch.tree.to_json(),
            }
            for branch in self.branches
        ]
        return {**answer, "throw": self.throw.to_json(), "branches": branches}

    def paths(self) -> Iterator[Path]:
        """All ways through, each with its chance, depth first; the chances add up to 1."""
        if self.throw is None:
            yield Path(Fraction(1), self.happens, (), self.ends, self.reached)
        for branch in self.branches:
            for path in branch.tree.paths():
                yield replace(
                    path,
                    chance=path.chance * branch.chance,
                    happens=(*self.happens, *path.happens),
                    rolled=((self.throw, branch), *path.rolled) if self.throw else path.rolled,
                )

    def chance(self, wanted: Callable[[Path], bool]) -> Fraction:
        """Chance of all ways for which `wanted` holds."""
        return sum((path.chance for path in self.paths() if wanted(path)), Fraction(0))

    @property
    def success(self) -> Fraction:
        """Chance that the move ends as intended."""
        return self.chance(lambda path: path.reached)

    def resolve(self, roll: Dice) -> Path:
        """The one way that dice lead: `roll` is asked for each throw in turn. ValueError for an impossible result."""
        if self.throw is None:
            return Path(Fraction(1), self.happens, (), self.ends, self.reached)
        face = roll(self.throw)
        for branch in self.branches:
            if face in branch.faces:
                rest = branch.tree.resolve(roll)
                return replace(
                    rest,
                    chance=rest.chance * branch.chance,
                    happens=(*self.happens, *rest.happens),
                    rolled=((self.throw, branch), *rest.rolled),
                )
        raise ValueError(f"{self.throw.dice} does not show {face}")

    def after(self, *happens: Happening) -> Tree:
        """The same, these things happening first."""
        return replace(self, happens=(*happens, *self.happens)) if happens else self


@dataclass(frozen=True)
class Path:
    """One way through a tree."""

    chance: Fraction
    happens: tuple[Happening, ...]
    rolled: tuple[tuple[Throw, Branch], ...]
    ends: tuple[After, ...]
    reached: bool

    @property
    def first(self) -> After:
        """How the model ends that was asked about."""
        return self.ends[0]

    def events(self, what: Event) -> tuple[Happening, ...]:
        """Everything of one kind that happened."""
        return tuple(one for one in self.happens if one.what is what)


def of_check(
    check: CheckDice,
    target: float,
    modifier: int,
    throw: Throw,
    passed: Callable[[], Tree],
    failed: Callable[[], Tree],
) -> Tree:
    """A check with what follows when it passes and when it fails; outcomes without a chance are left out."""
    rolled = dice.roll(check.dice)
    good = tuple(int(v) for v in rolled if check.passes(int(v), target, modifier))
    bad = tuple(int(v) for v in rolled if int(v) not in good)
    throw = replace(
        throw, dice=check.dice, check=check.id, needed=check.needed(target, modifier), modifier=modifier
    )
    branches = []
    for faces, does, follow in ((good, True, passed), (bad, False, failed)):
        if faces:
            chance = sum((rolled[Fraction(face)] for face in faces), Fraction(0))
            branches.append(Branch(faces, chance, does, follow()))
    return Tree(throw=throw, branches=tuple(branches))


def of_results(throw: Throw, results: Iterable[tuple[tuple[int, ...], Tree]]) -> Tree:
    """A roll that is no check: for each group of results of its dice what follows; empty groups are left out."""
    rolled = dice.roll(throw.dice)
    branches = [
        Branch(faces, sum((rolled[Fraction(face)] for face in faces), Fraction(0)), None, follow)
        for faces, follow in results
        if faces
    ]
    return Tree(throw=throw, branches=tuple(branches))


def of_directions(throw: Throw, follows: Iterable[Tree]) -> Tree:
    """A random direction: each as likely."""
    trees = list(follows)
    share = Fraction(1, len(trees))
    return Tree(
        throw=replace(throw, dice="direction"),
        branches=tuple(Branch((at,), share, None, tree) for at, tree in enumerate(trees, 1)),
    )
