"""Movement against one's will: knockback, drag and throws, for models and for things that can be carried.

How far, in which direction, and what stops it; what is hit; over a lip, into contact, and an inch away afterwards. Everything
comes as a tree of outcomes, and nothing is rolled here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sandbox.errors import UserError
from sandbox.moves import odds_tree
from sandbox.moves.answers import Hit, Point
from sandbox.moves.carrying import ITEM_HALF, ITEM_HEIGHT
from sandbox.moves.distance import Base
from sandbox.moves.engagement import Engaging
from sandbox.moves.falling import Falling
from sandbox.moves.falling_ground import Near, Site
from sandbox.moves.falling_state import NONE, State, Then, changed, moved, state_of
from sandbox.moves.falling_straight import Line, Stop
from sandbox.moves.odds_tree import After, Branch, Event, Happening, Throw, Tree
from sandbox.moves.placed import Placed
from sandbox.moves.words import length, sentence
from sandbox.rules import dice
from sandbox.rules.formula import evaluate
from sandbox.rules.words import Posture
from sandbox.scene import Fighter, Item
from sandbox.units import SNAP_MM, inches, mm

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

_TICK = inches(SNAP_MM)
_DIE = re.compile(r"\d{0,2}[dD]\d{1,3}")
_STRIDE = 0.1
"""inches between two places of a push that are looked at for a lip under the base."""


class How(StrEnum):
    """Ways of being pushed."""

    KNOCKBACK = "knockback"
    """directly away from where the attack came from."""
    DRAG = "drag"
    """straight towards the attacker, as far as contact."""
    HURL = "hurl"
    """thrown away by an enemy that it is engaged with."""


@dataclass(frozen=True)
class Push:
    """One push."""

    who: str
    """id of the model, or of the thing."""
    by: str
    """id of the model that attacks."""
    how: How
    strength: int | None = None
    """of the attack, or the number of its Drag; None where the distance is known."""
    inches: float | None = None
    """the distance, where a weapon says it; None: force less resistance, by the pack's table."""


def push(field: Battlefield, one: Push) -> Tree:
    """What can happen on a push. UserError: nobody of that name, or no way to know how far it goes."""
    if any(item.id == one.who for item in field.scene.items):
        return _Things(field, one).tree()
    return _Models(field, one).tree()


def rule_of(field: Battlefield, how: How) -> str:
    """The rule of a pack that says how something is pushed; ``directly`` or ``push_hits`` where none does."""
    for rule in (how.value, f"skill.{how.value}", "directly"):
        if rule in field.pack.rule_ids:
            return rule
    return "push_hits"


class _Pushing:
    """What pushes of models and of things have in common: how far, which way, what stops them."""

    def __init__(self, field: Battlefield, push_: Push) -> None:
        self.field, self.push = field, push_
        self.falling = Falling(Site(field), Engaging(field))
        self.by = field.fighter(push_.by)
        self.rule = rule_of(field, push_.how)
        self.table = field.pack.file.tables.push
        self._done: dict[float, Tree] = {}

    @property
    def pushed(self) -> Placed:
        """What is pushed, on its base."""
        raise NotImplementedError

    def resistance(self) -> tuple[str, Mapping[str, float]]:
        """The sum that it resists by, and the numbers in it."""
        raise NotImplementedError

    def course(self, distance: float) -> Tree:
        """What comes of being pushed so many inches."""
        raise NotImplementedError

    def nothing(self) -> Tree:
        """It is not moved at all."""
        raise NotImplementedError

    # -- how far -----------------------------------------------------------------------------------------------

    def tree(self) -> Tree:
        """The dice of force and resistance, then the course."""
        if self.push.inches is not None:
            return self._course(self.push.inches)
        if self.table is None or self.push.strength is None:
            raise UserError(
                f"{self.field.pack.id} does not say how far a {self.push.how.value} goes without its strength; "
                "give the inches"
            )
        drag = self.push.how is How.DRAG
        force = self.table.drag_force if drag else self.table.knockback_force
        return self._rolled("force", force, {"S": self.push.strength}, self._against)

    def _against(self, force: Fraction) -> Tree:
        text, stats = self.resistance()
        return self._rolled("resistance", text, stats, lambda against: self._less(force, against))

    def _less(self, force: Fraction, against: Fraction) -> Tree:
        distance = float(max(Fraction(0), force - against))
        if distance <= 0.0:
            filled = {"force": f"{float(force):g}", "resistance": f"{float(against):g}"}
            told = self._told(Event.STAYS, "unaffected", self.rule, filled)
            return self.nothing().after(told)
        return self._course(distance)

    def _course(self, distance: float) -> Tree:
        if distance not in self._done:
            self._done[distance] = self.course(distance)
        return self._done[distance]

    def _rolled(
        self, reason: str, text: str, stats: Mapping[str, float], then: Callable[[Fraction], Tree]
    ) -> Tree:
        """The roll of a sum; one without dice needs none."""
        sum_ = evaluate(text, stats)
        tokens = _DIE.findall(text)
        if not tokens:
            return then(sum_.values[0][0])
        fewest = sum(int(min(dice.roll(token))) for token in tokens)
        who = self.push.by if reason == "force" else self.push.who
        throw = Throw(" + ".join(tokens).upper(), reason, who, "table.push", self._source("table.push"))
        branches = [
            Branch((round(value - sum_.values[0][0]) + fewest,), chance, None, then(value))
            for value, chance in sum_.values
        ]
        return Tree(throw=throw, branches=tuple(branches))

    # -- which way ---------------------------------------------------------------------------------------------

    def line(self) -> Line:
        """The straight line that it is pushed along. Any model stops it, friends too."""
        pushed, by = self.pushed, self.by
        way = np.array(pushed.at[:2]) - np.array(by.at[:2])
        size = float(np.hypot(*way))
        if size < 1e-6:
            raise UserError(f"{pushed.id} and {by.id} have no line between their centres")
        if self.push.how is How.DRAG:
            way = -way
        return _Blocked(self.field, pushed, way / size)

    # -- words -------------------------------------------------------------------------------------------------

    def _told(
        self,
        what: Event,
        words: str,
        rule: str,
        filled: Mapping[str, object] | None = None,
        who: str | None = None,
        **more: Any,
    ) -> Happening:
        text = sentence("pushes", words, **(filled or {}))
        return Happening(what, who or self.push.who, text, rule, self._source(rule), **more)

    def _moved(self, gone: float, distance: float, at: Point) -> Happening:
        how = sentence("pushes", "towards" if self.push.how is How.DRAG else "away", name=self.by.id)
        filled = {"gone": length(gone), "distance": length(distance), "how": how}
        less = "pushed-less" if gone > _TICK else "pushed-none"
        words = "pushed" if abs(gone - distance) < _TICK else less
        return self._told(Event.MOVED, words, self.rule, filled, at=at)

    def _source(self, rule: str) -> str:
        return self.falling.source(rule)

    def _obstruction(self, line: Line) -> str:
        """What a line ended at, by name."""
        parts = self.field.terrain.parts
        return parts[line.part].piece if 0 <= line.part < len(parts) else sentence("something-solid")

    def _hit(self, distance: float) -> Hit | None:
        """The hit of being pushed into something; None: there is none."""
        m = self.field.pack.movement
        if not m.push_hits:
            return None
        return Hit(m.push_hit_strength or math.ceil(distance - _TICK), 0, 1)


class _Models(_Pushing):
    """A model that is pushed."""

    @property
    def pushed(self) -> Placed:
        """The model as it stands."""
        return self.field.fighter(self.push.who)

    def resistance(self) -> tuple[str, Mapping[str, float]]:
        """Its own strength and dice."""
        assert self.table is not None
        return self.table.resistance_model, self.pushed.rules.profile

    def nothing(self) -> Tree:
        """It stays as it is; still Active it is laid low all the same only where it was moved."""
        return self.falling.finish(self.push.who)(state_of(self.field.fighters))

    def course(self, distance: float) -> Tree:
        """Along the line until something stops it: see the module."""
        line, state = self.line(), state_of(self.field.fighters)
        who = self.push.who
        check = self.field.pack.movement.push_edge_check
        edge = None if check == NONE else _first_over(line, distance)
        if edge is not None:
            return self._tested(line, state, distance, edge, str(check))
        gone, stop = line.far(distance)
        at = line.at(gone)
        now = moved(state, who, at)
        told = self._moved(gone, distance, at)
        match stop:
            case Stop.LIP:
                return self._over(now, line).after(told)
            case Stop.SOLID if self._pit(line, at) is not None:
                return self._into_pit(state, line, at).after(told)
            case Stop.SOLID:
                return self._into_solid(now, line, distance).after(told)
            case Stop.MODEL:
                return self._into_model(now, line.met or "", distance).after(told)
            case Stop.BOARD:
                return self._rest(now).after(told, self._told(Event.STAYS, "board", self.rule))
        return self._rest(now).after(told)

    # -- lips --------------------------------------------------------------------------------------------------

    def _tested(self, line: Line, state: State, distance: float, gone: float, check: str) -> Tree:
        """Its base has come over a lip: it tests, and stays there or falls."""
        at = line.at(gone)
        now = moved(state, self.push.who, at)
        rule = "knockback_edge" if "knockback_edge" in self.field.pack.rule_ids else "push_edge_check"
        return self.falling.check(
            now[self.push.who],
            check,
            0,
            "pushed-over",
            rule,
            lambda: self._rest(now).after(self._told(Event.STAYS, "edge-stays", rule)),
            lambda: self._over(now, line),
        ).after(self._moved(gone, distance, at))

    def _over(self, state: State, line: Line) -> Tree:
        """It falls over the lip; the attack that pushed it is finished before."""
        ahead = line.at(0.0)
        x, y, z = state[self.push.who].at
        towards = (x + float(line.way[0]), y + float(line.way[1]), ahead[2])
        first = "push_first" if "push_first" in self.field.pack.rule_ids else "fall_status"
        told = self._told(Event.STAYS, "over", first)
        finish = self.falling.finish(self.push.who)
        return self.falling.leap_short(state, self.push.who, (towards[0], towards[1], z), finish).after(told)

    def _pit(self, line: Line, at: Point) -> Point | None:
        """The place over a pitfall that a push has come to; None where something else stopped it."""
        reach = line.one.base.half_long + _TICK
        ahead = (at[0] + float(line.way[0]) * reach, at[1] + float(line.way[1]) * reach, at[2])
        return ahead if self.falling.site.is_pit(line.one.rules, line.part, ahead) else None

    def _into_pit(self, state: State, line: Line, at: Point) -> Tree:
        """Moved over a pitfall it falls in."""
        over = self._pit(line, at)
        assert over is not None
        who = self.push.who
        told = self._told(Event.STAYS, "over", "kind.pitfall")
        finish = self.falling.finish(who)
        return self.falling.drop_down(moved(state, who, over), who, over, finish).after(told)

    # -- what it is pushed into --------------------------------------------------------------------------------

    def _into_solid(self, state: State, line: Line, distance: float) -> Tree:
        name, who = self._obstruction(line), self.push.who
        hit = self._hit(distance)
        blocked = "blocked" if "blocked" in self.field.pack.rule_ids else self.rule
        stopped = self._told(Event.STAYS, "stopped-solid", blocked, {"name": name})
        if hit is None:
            return self._rest(state).after(stopped)
        now = changed(state, who, hits=(*state[who].hits, hit))
        told = [
            stopped,
            self._told(Event.HIT, "hit-solid", self.rule, {"hit": hit, "name": name}, hit=hit),
            self._told(Event.PLAYERS, "has-wounds", self.rule, {"hit": hit, "name": name}),
        ]
        return self._rest(now).after(*told)

    def _into_model(self, state: State, other: str, distance: float) -> Tree:
        """Into another model: dragged to an enemy it is engaged; else both are hit."""
        who = self.push.who
        if self.push.how is How.DRAG and state[who].placed.is_enemy(state[other].placed):
            told = self._told(Event.STAYS, "engages", self.rule, {"name": other})
            return self._rest(state).after(told)
        stopped = self._told(Event.STAYS, "stopped-model", self.rule, {"name": other})
        hit = self._hit(distance)
        if hit is None:
            return self._rest(state).after(stopped)
        now = changed(state, who, hits=(*state[who].hits, hit))
        now = changed(now, other, hits=(*now[other].hits, hit))
        return self._rest(now).after(
            stopped,
            self._told(Event.HIT, "hit-solid", self.rule, {"hit": hit, "name": other}, hit=hit),
            self._told(Event.HIT, "hit-by", self.rule, {"hit": hit, "name": who}, who=other, hit=hit),
        )

    # -- afterwards --------------------------------------------------------------------------------------------

    def _rest(self, state: State) -> Tree:
        """Too near an enemy it is moved off or into contact; still Active it is laid low; it ends where it can stand."""
        who = self.push.who
        return self.falling.after_landing(state, who, (), lambda s: self._lowered(s, who))

    def _lowered(self, state: State, who: str) -> Tree:
        finish = self.falling.finish(who)

        def settled(after: State) -> Tree:
            return self._settled(after, who, finish)

        one = state[who]
        status = self.field.pack.movement.push_status
        if status == NONE or not self._active(state, who):
            return settled(state)
        rule = "push_first" if "push_first" in self.field.pack.rule_ids else "push_status"
        if status in one.rules.statuses:
            return settled(state)
        return self.falling.becomes(state, who, status, rule, settled)

    def _active(self, state: State, who: str) -> bool:
        """Standing, and engaged with nobody."""
        one = state[who]
        standing = one.rules.posture is Posture.STANDING
        return standing and not one.out and not self.falling.engaged_with(state, who)

    def _settled(self, state: State, who: str, then: Then) -> Tree:
        """Where a push left it over a lip, it comes to rest at the nearest place where it stands."""
        one = state[who]
        site = self.falling.site
        if one.out or one.fallen > 0.0:
            return then(state)
        body = site.body(one.base, one.placed.height)
        x, y, z = one.at
        if site.ground(one.rules).stand(body, mm(x), mm(y), mm(z)).stands:
            return then(state)
        near = [Near(o.base, o.placed.height) for key, o in state.items() if key != who and not o.out]
        at = site.rest(one.rules, one.base, one.placed.height, one.at, near)
        if at is None:
            return then(state).after(self.falling.told(Event.PLAYERS, who, "agree", "flat_ground"))
        return then(moved(state, who, at)).after(self._told(Event.MOVED, "settled", "flat_ground", at=at))


class _Things(_Pushing):
    """A thing to carry that is pushed: it takes no hits and has no status."""

    @property
    def item(self) -> Item:
        """The thing."""
        return next(item for item in self.field.scene.items if item.id == self.push.who)

    @property
    def pushed(self) -> Placed:
        """The thing as if it stood on a base."""
        item = self.item
        z = self.field.ground.floor_at(*item.at, item.z)
        height = 0.0 if z is None else z
        size = 2 * mm(ITEM_HALF)
        fighter = Fighter(item.id, item.at, height, side="", base=(size, size), height=ITEM_HEIGHT)
        rules = self.field.pack.for_fighter({}, (), (), (), None, engaged=False, strict=False)
        return Placed(fighter, Base((*item.at, height), ITEM_HALF, ITEM_HALF), ITEM_HEIGHT, rules)

    def resistance(self) -> tuple[str, Mapping[str, float]]:
        """By whether it is heavy."""
        assert self.table is not None
        return (self.table.resistance_heavy if self.item.heavy else self.table.resistance_item), {}

    def nothing(self) -> Tree:
        """It stays."""
        return self._ends(self.pushed.at)

    def course(self, distance: float) -> Tree:
        """Along the line until something stops it; over a lip it falls."""
        line = self.line()
        gone, stop = line.far(distance)
        at = line.at(gone)
        told = [self._moved(gone, distance, at)]
        if stop is Stop.LIP:
            return self._fallen(at, line).after(*told)
        if stop is Stop.SOLID:
            name, hit = self._obstruction(line), self._hit(distance)
            told.append(self._told(Event.STAYS, "stopped-solid", self.rule, {"name": name}))
            if hit is not None:
                told.append(self._told(Event.PLAYERS, "has-wounds", self.rule, {"hit": hit, "name": name}))
        elif stop is Stop.MODEL and line.met is not None:
            told.append(self._told(Event.STAYS, "stopped-model", self.rule, {"name": line.met}))
        return self._ends(at).after(*told)

    def _fallen(self, at: Point, line: Line) -> Tree:
        site, one = self.falling.site, self.pushed
        base = one.base.moved(at)
        body = site.body(base, one.height)
        edge = site.edge_towards(
            one.rules, body, at, (at[0] + float(line.way[0]), at[1] + float(line.way[1]), at[2])
        )
        drop = site.drop(one.rules, body, at, edge)
        if drop.landing is None or drop.pit:
            return self._ends(at).after(self._told(Event.PLAYERS, "lost-thing", "fall_nowhere"))
        height = drop.height_to(drop.landing)
        told = self._told(
            Event.FALL, "falls-thing", "fall_status", {"height": length(height)},
            at=drop.landing, start=drop.start, height=height,
        )  # fmt: skip
        return self._ends(drop.landing).after(told)

    def _ends(self, at: Point) -> Tree:
        return odds_tree.Tree(ends=(After(self.push.who, at, ()),))


class _Blocked(Line):
    """A line on which any model is in the way, and a pitfall stops what is over it."""

    def _in_the_way(self, other: Placed) -> bool:
        return True

    def _stopped(self, last: float, gone: float) -> Stop | None:
        found = super()._stopped(last, gone)
        if found is None and Site(self.field).is_pit(self.one.rules, -1, self.at(gone)):
            return Stop.SOLID
        return found


def _first_over(line: Line, distance: float) -> float | None:
    """How far a push goes until some part of the base is over a lip; None where none is on the way. Inches."""
    most, _ = line.far(distance)
    for gone in np.append(np.arange(0.0, most, _STRIDE), most):
        if gone > 0.0 and _over_lip(line, float(gone)):
            low, high = max(0.0, float(gone) - _STRIDE), float(gone)
            while high - low > _TICK:
                middle = (low + high) / 2
                low, high = (low, middle) if _over_lip(line, middle) else (middle, high)
            return low
    return None


def _over_lip(line: Line, gone: float) -> bool:
    at = line.at(gone)
    base = line.one.base.moved(at)
    site = Site(line.field)
    edges = site.edges(line.one.rules, site.body(base, line.one.height), at, _TICK)
    return bool(edges)
