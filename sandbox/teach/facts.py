"""What a lesson asks the engine: moves, reaches, places, falls, statuses. Each answers by name, and tells itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sandbox.files.mistakes import suggestion
from sandbox.moves.answers import CheckKind, LegalMoves, LegKind, Move, Point
from sandbox.moves.narrate import tell, tell_check
from sandbox.moves.odds_tree import Event, Tree
from sandbox.moves.odds_words import tell_odds
from sandbox.moves.words import chance, length, sentence
from sandbox.teach.instead import place_words, stops_short
from sandbox.teach.values import Chance, Inches, Missing, Pips
from sandbox.teach.words import listed, say
from sandbox.units import inches

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

_SURE = 0.9995
_STILL = 0.05
"""inches: a model that ends no farther away than this has not moved."""
_STATS = {"I": CheckKind.INITIATIVE, "A": CheckKind.AGILITY, "Hnd": CheckKind.HANDLING}
"""what a check of each characteristic is called."""


class Fact:
    """One answer of the engine. `get` gives values by name; `told` is one line; `lines` are all of it."""

    def __init__(self, field: Battlefield) -> None:
        self.field = field

    def values(self) -> Mapping[str, Callable[[], Any]]:
        """Every name with what gives its value."""
        raise NotImplementedError

    @property
    def told(self) -> str:
        """One line."""
        raise NotImplementedError

    @property
    def lines(self) -> tuple[str, ...]:
        """In the engine's own sentences."""
        return (self.told,)

    @property
    def rolls(self) -> tuple[str, ...]:
        """What has to be rolled for it, and what a fail does, in sentences."""
        return ()

    def get(self, name: str) -> Any:
        """The value of that name. Missing where there is none."""
        known = self.values()
        if name == "told":
            return self.told
        if name not in known:
            raise Missing(f"no value {name!r} here; {suggestion(name, ['told', *known])}")
        return known[name]()


class MoveFact(Fact):
    """One way to one place."""

    def __init__(self, field: Battlefield, move: Move) -> None:
        super().__init__(field)
        self.move = move

    def values(self) -> Mapping[str, Callable[[], Any]]:
        """See `Fact.values`."""
        m = self.move
        first = m.checks[0] if m.checks else None
        falls = [c.on_fail for c in m.checks if c.on_fail.height is not None]
        ruling = m.rulings[0] if m.rulings else None
        return {
            "legal": lambda: m.legal,
            "cost": lambda: None if m.cost is None else Inches(m.cost),
            "allowance": lambda: Inches(m.allowance),
            "left": lambda: None if m.cost is None else Inches(m.allowance - m.cost),
            "over": lambda: None if m.cost is None else Inches(m.cost - m.allowance),
            "way": lambda: m.cost is not None,
            "length": lambda: Inches(sum(leg.length for leg in m.legs)),
            "extra": lambda: Inches(sum(leg.cost - leg.length for leg in m.legs)),
            "plan": lambda: Inches(sum(_plan(leg.path or (leg.start, leg.end)) for leg in m.legs)),
            "straight": lambda: Inches(math.dist(self._start[:2], m.to[:2])),
            "height": lambda: Inches(max((max(leg.up, leg.down) for leg in m.legs), default=0.0)),
            "up": lambda: Inches(sum(leg.up for leg in m.legs)),
            "down": lambda: Inches(sum(leg.down for leg in m.legs)),
            "gap": lambda: Inches(max((leg.gap for leg in m.legs), default=0.0)),
            "kinds": lambda: tuple(dict.fromkeys(leg.kind.value for leg in m.legs)),
            **{_word(k): partial(self._paid, k) for k in LegKind},
            "notes": lambda: tuple(dict.fromkeys(note for leg in m.legs for note in leg.notes)),
            "legs": lambda: len(m.legs),
            "checks": lambda: len(m.checks),
            "chance": lambda: None if m.success is None else Chance(m.success),
            "fails": lambda: None if m.success is None else Chance(1.0 - m.success),
            "needed": lambda: None if first is None else Pips(first.needed),
            "modifier": lambda: None if first is None else first.modifier,
            "happens": lambda: None if first is None else first.on_fail.happens,
            "fall": lambda: Inches(falls[0].height or 0.0) if falls else None,
            "hit": lambda: str(falls[0].hit) if falls and falls[0].hit is not None else None,
            "hurts": lambda: any(f.hit is not None for f in falls),
            "why": lambda: None if ruling is None else ruling.text,
            "rule": lambda: None if ruling is None else str(ruling.rule),
            "measured": lambda: (
                None if ruling is None or ruling.measured is None else Inches(ruling.measured)
            ),
            "limit": lambda: None if ruling is None or ruling.limit is None else Inches(ruling.limit),
            "reading": lambda: "" if ruling is None or ruling.setting is None else ruling.setting,
            "declared": self._declared,
            "x": lambda: Inches(m.to[0]),
            "y": lambda: Inches(m.to[1]),
            "z": lambda: Inches(m.to[2]),
        }

    @property
    def _start(self) -> Point:
        return self.field.fighter(self.move.fighter).at

    def _paid(self, kind: LegKind) -> Inches:
        """What legs of a kind use up."""
        return Inches(sum(leg.cost for leg in self.move.legs if leg.kind is kind))

    @property
    def told(self) -> str:
        """One line."""
        m = self.move
        if m.legal and m.cost is not None:
            sure = m.success is None or m.success >= _SURE
            name = "move-sure" if sure else "move-chance"
            if m.allowance <= 0.0:  # an action that goes no distance of its own
                name += "-free"
            return say(
                "facts",
                name,
                cost=length(m.cost),
                allowance=length(m.allowance),
                chance=chance(m.success or 0.0),
            )
        why = m.rulings[0].text if m.rulings else ""
        return say("facts", "move-no", why=why)

    @property
    def lines(self) -> tuple[str, ...]:
        """See `Fact.lines`."""
        return tell(self.move, cited=False, driven=self.field.fighter(self.move.fighter).drives)

    @property
    def rolls(self) -> tuple[str, ...]:
        """See `Fact.rolls`."""
        return tuple(tell_check(check) for check in self.move.checks) if self.move.legal else ()

    def _declared(self) -> str | None:
        """What comes of a way that is only too long, declared all the same; None of any other."""
        short = stops_short(self.field, self.move)
        if short is None:
            return None
        stays = math.dist(short.at, self._start) < _STILL
        name = "declared-stays" if stays else "declared-stops"
        return say("facts", name, who=self.move.fighter, place=place_words(short.at))


def _plan(path: tuple[Point, ...]) -> float:
    points = np.asarray(path, dtype=np.float64)[:, :2]
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _word(kind: LegKind) -> str:
    return kind.value.replace("-", "_")


class ReachFact(Fact):
    """Everywhere that somebody may end."""

    def __init__(self, field: Battlefield, moves: LegalMoves) -> None:
        super().__init__(field)
        self.moves = moves

    def values(self) -> Mapping[str, Callable[[], Any]]:
        """See `Fact.values`."""
        spots = self.moves.spots
        start = self.field.fighter(self.moves.fighter).at
        some = len(spots) > 0
        plan = np.hypot(spots["x"] - start[0], spots["y"] - start[1])
        return {
            "places": lambda: len(spots),
            "allowance": lambda: Inches(self.moves.allowance),
            "possible": lambda: not self.moves.rulings,
            "why": lambda: self.moves.rulings[0].text if self.moves.rulings else None,
            "farthest": lambda: Inches(float(plan.max())) if some else None,
            "highest": lambda: Inches(float(spots["z"].max())) if some else None,
            "tested": lambda: bool((spots["success"] < _SURE).any()),
        }

    @property
    def told(self) -> str:
        """One line."""
        if self.moves.rulings:
            return say("facts", "move-no", why=self.moves.rulings[0].text)
        allowance, places = length(self.moves.allowance), len(self.moves.spots)
        return say("facts", "reach", allowance=allowance, places=places)


class StandFact(Fact):
    """Whether a base can stand somewhere."""

    def __init__(self, field: Battlefield, at: Point, base: float, height: float | None) -> None:
        super().__init__(field)
        self.stand = field.stand(at[0], at[1], at[2], base=base, height=height)
        self.base = base

    def values(self) -> Mapping[str, Callable[[], Any]]:
        """See `Fact.values`."""
        ruling = self.stand.rulings[0] if self.stand.rulings else None
        return {
            "stands": lambda: self.stand.stands,
            "support": lambda: Chance(self.stand.support),
            "why": lambda: None if ruling is None else ruling.text,
            "measured": lambda: (
                None if ruling is None or ruling.measured is None else Inches(ruling.measured)
            ),
            "limit": lambda: None if ruling is None or ruling.limit is None else Inches(ruling.limit),
            "base": lambda: Inches(inches(self.base)),
        }

    @property
    def told(self) -> str:
        """One line."""
        if self.stand.stands:
            return say("facts", "stands")
        return say("facts", "stands-not", why=self.stand.rulings[0].text if self.stand.rulings else "")


class TreeFact(Fact):
    """What can happen: a fall, a status, with chances."""

    def __init__(self, field: Battlefield, who: str, tree: Tree) -> None:
        super().__init__(field)
        self.who = who
        self.tree = tree
        self.paths = tuple(tree.paths())

    def values(self) -> Mapping[str, Callable[[], Any]]:
        """See `Fact.values`."""
        falling = [p for p in self.paths if p.events(Event.FALL)]
        hits = [
            h.hit for p in self.paths for h in p.events(Event.HIT) if h.who == self.who and h.hit is not None
        ]
        first = self.tree.throw
        drops = [h.height or 0.0 for p in falling for h in p.events(Event.FALL) if h.who == self.who]
        return {
            "falls": lambda: Chance(float(sum(p.chance for p in falling))),
            "safe": lambda: Chance(float(1 - sum(p.chance for p in falling))),
            "hurts": lambda: bool(hits),
            "hit": lambda: str(hits[0]) if hits else None,
            "hits": lambda: max(
                len([h for h in p.events(Event.HIT) if h.who == self.who]) for p in self.paths
            ),
            "drops": lambda: max(len([h for h in p.events(Event.FALL)]) for p in self.paths),
            "height": lambda: Inches(max(drops)) if drops else Inches(0.0),
            "total": lambda: Inches(max((p.first.fallen for p in self.paths if p.ends), default=0.0)),
            "moved": lambda: any(
                p.first.at is not None and self._away(p.first.at) > 0.02 for p in self.paths if p.ends
            ),
            "gone": lambda: Inches(
                max((self._away(p.first.at) for p in self.paths if p.ends and p.first.at), default=0.0)
            ),
            "pushed": lambda: Inches(self._pushed()),
            "hit_chance": lambda: Chance(float(sum(p.chance for p in self.paths if p.events(Event.HIT)))),
            "others": lambda: tuple(
                dict.fromkeys(h.who for p in self.paths for h in p.happens if h.who != self.who)
            ),
            "out": lambda: Chance(float(sum(p.chance for p in self.paths if p.ends and p.first.out))),
            "tested": lambda: first is not None,
            "needed": lambda: None if first is None or first.needed is None else Pips(first.needed),
            "modifier": lambda: 0 if first is None else first.modifier,
            "dice": lambda: None if first is None else first.dice,
        }

    @property
    def told(self) -> str:
        """One line."""
        return " ".join(self.lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """See `Fact.lines`."""
        return tell_odds(self.tree)

    @property
    def rolls(self) -> tuple[str, ...]:
        """See `Fact.rolls`."""
        throw = self.tree.throw
        if throw is None or throw.check is None or throw.needed is None:
            return ()
        kind = _STATS.get(self.field.pack.check(throw.check).stat)
        if kind is None:  # a check of a pack's own
            return ()
        return (say("facts", "roll", check=sentence("check-kinds", kind), needed=throw.needed),)

    def _away(self, at: Point) -> float:
        """How far from where it is now, in plan."""
        return math.dist(self.field.fighter(self.who).at[:2], at[:2])

    def _pushed(self) -> float:
        """How far it is pushed before anything else happens, at most."""
        moves = [h.at for p in self.paths for h in p.events(Event.MOVED)[:1] if h.who == self.who and h.at]
        return max((self._away(at) for at in moves), default=0.0)

    @property
    def landing(self) -> Point | None:
        """Where the likeliest fall ends; None where there is none."""
        ways = [p for p in self.paths if p.events(Event.FALL) and p.ends]
        ways = ways or [
            p for p in self.paths if p.ends and p.first.at is not None and self._away(p.first.at) > 0.02
        ]
        return max(ways, key=lambda p: p.chance).first.at if ways else None

    @property
    def lies(self) -> bool:
        """Whether there is a fall."""
        return any(p.events(Event.FALL) for p in self.paths)


class FallFact(Fact):
    """What a fall from a place does."""

    def __init__(self, field: Battlefield, at: Point, base: float) -> None:
        super().__init__(field)
        self.fall = field.fall(at[0], at[1], at[2], base=base)

    def values(self) -> Mapping[str, Callable[[], Any]]:
        """See `Fact.values`."""
        return {
            "height": lambda: Inches(self.fall.height),
            "hurts": lambda: self.fall.hit is not None,
            "hit": lambda: None if self.fall.hit is None else str(self.fall.hit),
            "rests": lambda: self.fall.landing is not None,
        }

    @property
    def told(self) -> str:
        """One line."""
        fallen = length(self.fall.height)
        if self.fall.landing is None:
            return say("facts", "fall-nowhere", height=fallen)
        if self.fall.hit is None:
            return say("facts", "fall", height=fallen)
        return say("facts", "fall-hit", height=fallen, hit=str(self.fall.hit))


class StatusFact(Fact):
    """What somebody is, and what it may do."""

    def __init__(self, field: Battlefield, who: str) -> None:
        super().__init__(field)
        self.who = who
        self.status = field.status(who)

    def values(self) -> Mapping[str, Callable[[], Any]]:
        """See `Fact.values`."""
        s = self.status
        why = {r.rule: r.text for r in s.may_not}
        return {
            "words": lambda: s.words,
            "engaged": lambda: bool(s.engaged),
            "choices": lambda: bool(s.choices),
            "enemies": lambda: tuple(e.enemy for e in s.engaged),
            "how": lambda: s.engaged[0].how.value if s.engaged else None,
            "modifier": lambda: s.engaged[0].modifier if s.engaged else 0,
            "may": lambda: s.may,
            "why": lambda: next(iter(why.values()), None),
        }

    @property
    def told(self) -> str:
        """One line."""
        if not self.status.engaged:
            return say("facts", "status", who=self.who, words=self.status.words)
        enemies = listed([e.enemy for e in self.status.engaged])
        return say("facts", "status-engaged", who=self.who, words=self.status.words, enemies=enemies)


class BetweenFact(Fact):
    """How far two models are apart."""

    def __init__(self, field: Battlefield, first: str, second: str) -> None:
        super().__init__(field)
        self.first, self.second = field.fighter(first), field.fighter(second)
        self.apart = field.measuring.distance(self.first.base, self.second.base)

    def values(self) -> Mapping[str, Callable[[], Any]]:
        """See `Fact.values`."""
        clear = math.isfinite(self.apart)
        return {
            "measured": lambda: Inches(self.apart) if clear else None,
            "clear": lambda: clear,
            "centres": lambda: Inches(math.dist(self.first.at, self.second.at)),
        }

    @property
    def told(self) -> str:
        """One line."""
        name = "between" if math.isfinite(self.apart) else "between-blocked"
        return say("facts", name, first=self.first.id, second=self.second.id, apart=length(self.apart))
