"""Odds of a whole move: its checks in order, what follows from each failure, as a tree with chances."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sandbox.moves.answers import IN_ONE_MOVE, Check, CheckKind, Leg, LegKind, Move, OnFail, Point, Reason
from sandbox.moves.asking import granted
from sandbox.moves.engagement import Engaging
from sandbox.moves.falling import Falling
from sandbox.moves.falling_ground import Near, Site
from sandbox.moves.falling_state import State, Then, changed, moved, state_of
from sandbox.moves.odds_tree import Branch, Event, Throw, Tree
from sandbox.moves.words import sentence
from sandbox.rules import ActionRules, Roll, dice
from sandbox.rules.words import ClimbFail, ClimbShort, Harm
from sandbox.units import inches, mm

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

_STEP = 0.05
"""inches between two places that are looked at where a move proves too short."""
_SLACK = inches(0.03)
_CONTINUOUS = (LegKind.WALK, LegKind.FLY)
"""legs that may end anywhere on their way; on others nobody can stand."""
_CLIMBS = (LegKind.CLIMB, LegKind.LADDER)
_DIE = re.compile(r"\d{0,2}[dD]\d{1,3}")
CHECKS = {
    Reason.LEAP: "leap_check",
    Reason.JUMP_DOWN: "jump_check",
    Reason.CLIMB: "climb_check",
    Reason.LADDER: "ladder_check",
    Reason.DANGEROUS: "dangerous_check",
    Reason.SCRAMBLE: "scramble_check",
}
"""the constant that names the check for each reason, which is its rule id too."""


def odds(field: Battlefield, move: Move) -> Tree:
    """See `Battlefield.odds`. A refused move is not made: nothing happens."""
    falling = Falling(Site(field), Engaging(field))
    state = state_of(field.fighters)
    if not move.legal:
        return falling.finish(move.fighter)(state)
    return _Odds(falling, move).tree(state)


def stops(field: Battlefield, move: Move) -> Point | None:
    """See `Battlefield.stops`."""
    if move.legal:
        return move.to
    if not move.legs:
        return None
    falling = Falling(Site(field), Engaging(field))
    return _Odds(falling, move).stopped(state_of(field.fighters), move.allowance)[1]


def short(field: Battlefield, move: Move) -> Tree:
    """What can happen on a declared way that proves too long: it is gone as far as the allowance pays for it.

    Where a part of the distance is rolled, as far as that gets. A move without a way: nothing happens.
    """
    falling = Falling(Site(field), Engaging(field))
    state = state_of(field.fighters)
    worked = _Odds(falling, move)
    if not move.legs:
        return falling.finish(move.fighter)(state)
    return worked.too_long(state)


class _Odds:
    """One move, worked out."""

    def __init__(self, falling: Falling, move: Move) -> None:
        self.falling = falling
        self.field = falling.site.field
        self.pack = falling.pack
        self.move = move
        self.who = move.fighter
        self.landing: Check | None = None
        mover = self.field.fighter(move.fighter)
        action = granted(self.field, mover, move.action) or mover.rules.action(move.action)
        self.action = action if isinstance(action, ActionRules) else None

    def tree(self, state: State) -> Tree:
        """The whole move: the distance that is rolled first, then the way."""
        on_legs = [c for leg in self.move.legs for c in leg.checks]
        first = [c for c in self.move.checks if not any(c is other for other in on_legs)]
        # coming down is the last thing of a way, whatever it is written beside
        self.landing = next((c for c in first if c.reason is Reason.LANDING), None)
        return self._before(state, [c for c in first if c is not self.landing])

    def too_long(self, state: State) -> Tree:
        """See `short`."""
        rolled = self._roll()
        if rolled is None or not rolled.rolled:
            return self._short(state, self.move.allowance, None)
        reason = Reason.CHARGE if self.action and self.action.row.must_engage else Reason.DISTANCE
        fails = OnFail(sentence("fails", "short"))
        return self._rolled(state, Check(CheckKind.DISTANCE, reason, 0, 0, 0.0, fails), ())

    def _before(self, state: State, checks: Sequence[Check]) -> Tree:
        """Checks that belong to no leg: made before anything moves."""
        if not checks:
            return self._go(state, self.move.legs, 0, self._come_down)
        check, rest = checks[0], checks[1:]
        if check.kind is CheckKind.DISTANCE:
            return self._rolled(state, check, rest)
        return self._check(
            state,
            check,
            f"action.{self.move.action}",
            lambda: self._before(state, rest),
            lambda: self._stays(state, check),
        )

    def _come_down(self, state: State) -> Tree:
        """The end of a way through the air: a check, and it is laid low where it lands on a fail."""
        check = self.landing
        if check is None:
            return self._arrive(state)
        there = moved(state, self.who, self.move.to)
        end = self.falling.finish(self.who)
        rule = f"action.{self.move.action}"
        return self._check(
            there,
            check,
            rule,
            lambda: self._arrive(there),
            lambda: self.falling.becomes(there, self.who, self._pinned(), rule, end),
        )

    def _arrive(self, state: State) -> Tree:
        """The move ended where it should; what its action makes of the model comes last."""
        told = self.falling.told(Event.ARRIVES, self.who, "arrives", "allowance", at=self.move.to)
        there = moved(state, self.who, self.move.to)
        then = self.falling.finish(self.who, goal=self.move.to)
        status = None if self.action is None else self.action.row.ends_as
        if status is None or status in there[self.who].rules.statuses:
            return then(there).after(told)
        return self.falling.becomes(there, self.who, status, f"action.{self.move.action}", then).after(told)

    # -- the way -----------------------------------------------------------------------------------------------

    def _go(self, state: State, legs: Sequence[Leg], at: int, then: Then) -> Tree:
        """The legs of a way from one on, each with its checks; then: what follows when all are gone."""
        if at >= len(legs):
            return then(state)
        return self._leg(state, legs[at], 0, lambda s: self._go(s, legs, at + 1, then))

    def _leg(self, state: State, leg: Leg, at: int, then: Then) -> Tree:
        if at >= len(leg.checks):
            return then(moved(state, self.who, leg.end))
        check = leg.checks[at]
        here = moved(state, self.who, leg.start)
        return self._check(
            here,
            check,
            CHECKS.get(check.reason, f"action.{self.move.action}"),
            lambda: self._leg(here, leg, at + 1, then),
            lambda: self._fails(here, leg, check),
        )

    def _check(
        self,
        state: State,
        check: Check,
        rule: str,
        passed: Callable[[], Tree],
        failed: Callable[[], Tree],
    ) -> Tree:
        """A check as the pack rolls it."""
        one = state[self.who]
        check_id = getattr(one.rules.movement, rule, None) or check.kind.value
        return self.falling.check(
            one, str(check_id), check.modifier, check.reason.value, rule, passed, failed
        )

    # -- failures ----------------------------------------------------------------------------------------------

    def _fails(self, state: State, leg: Leg, check: Check) -> Tree:
        """What a failed check on a leg does. The model is at the leg's start."""
        falling, who = self.falling, self.who
        m = state[who].rules.movement
        end = falling.finish(who)
        match check.reason:
            case Reason.LEAP if "over-difficult" in leg.notes:
                middle = _middle(leg)
                return falling.becomes(
                    moved(state, who, middle), who, m.fall_status, "leap_over_difficult", end
                )
            case Reason.LEAP if "over-pitfall" in leg.notes:
                return falling.into_pit(state, who, end)
            case Reason.LEAP:
                return falling.leap_short(state, who, leg.end, end)
            case Reason.JUMP_DOWN:
                return falling.land(state, who, leg.end, leg.down, end)
            case Reason.CLIMB | Reason.LADDER if m.climb_fail is ClimbFail.FALL:
                foot = leg.start if leg.up >= leg.down else leg.end
                return falling.land(state, who, foot, max(leg.up, leg.down), end)
            case Reason.DANGEROUS:
                return self._harmed(state, m.dangerous_fail, end)
            case Reason.SCRAMBLE:
                return falling.slip(state, who, _middle(leg), end)
            case Reason.LANDING:
                there = moved(state, who, leg.end)
                return falling.becomes(there, who, self._pinned(), f"action.{self.move.action}", end)
        return self._stays(state, check)

    def _pinned(self) -> str:
        """What a failed landing makes of a model: what a fall does, where falls lay anybody low."""
        return self.pack.movement.fall_status

    def _stays(self, state: State, check: Check) -> Tree:
        """The move ends where the model is."""
        rule = "climb_fail" if check.reason in (Reason.CLIMB, Reason.LADDER) else f"action.{self.move.action}"
        told = replace(
            self.falling.told(Event.STOPS, self.who, "stops", rule, at=state[self.who].at),
            text=check.on_fail.happens,
        )
        return self.falling.finish(self.who)(changed(state, self.who, goes_on=False)).after(told)

    def _harmed(self, state: State, harm: Harm, then: Then) -> Tree:
        """Dangerous ground has its way."""
        rule, who = "dangerous_fail", self.who
        if harm is Harm.NOTHING:
            return then(changed(state, who, goes_on=False))
        out = harm in (Harm.OUT_OF_ACTION, Harm.LASTING_INJURY)
        what = Event.OUT if out else Event.PLAYERS
        told = self.falling.told(what, who, f"lost-{harm.value}", rule)
        return then(changed(state, who, out=out, goes_on=False)).after(told)

    # -- distances that are rolled -----------------------------------------------------------------------------

    def _rolled(self, state: State, check: Check, rest: Sequence[Check]) -> Tree:
        """The distance is rolled: where it is too short the model goes as far as it gets."""
        roll = self._roll()
        cost = self.move.cost or 0.0
        if roll is None:
            return self._before(state, rest)
        tokens = _DIE.findall(roll.text)
        throw = Throw(
            " + ".join(tokens).upper(),
            check.reason.value,
            self.who,
            f"action.{self.move.action}",
            check.source,
        )
        enough: list[tuple[int, Fraction]] = []
        branches: list[Branch] = []
        for value, chance in roll.values:
            face = round(value - roll.values[0][0]) + _fewest(tokens)
            budget = self.move.allowance - roll.most + float(value)
            if dice.fraction(cost - _SLACK) <= dice.fraction(budget):
                enough.append((face, chance))
            else:
                branches.append(Branch((face,), chance, False, self._short(state, budget, check)))
        if enough:
            faces, total = tuple(face for face, _ in enough), sum((c for _, c in enough), Fraction(0))
            branches.append(Branch(faces, total, True, self._before(state, rest)))
        return Tree(throw=throw, branches=tuple(branches))

    def _roll(self) -> Roll | None:
        if self.action is None:
            return None
        return next((one for one in self.action.moves if one.rolled), None)

    def _short(self, state: State, budget: float, check: Check | None) -> Tree:
        """The way as far as a budget (inches) pays for it, and the last place on it to stand."""
        legs, stop = self.stopped(state, budget)

        def end(after: State) -> Tree:
            rule = "stop_short" if check is None else f"action.{self.move.action}"
            words = "stops" if legs else "stops-at-once"
            told = self.falling.told(Event.STOPS, self.who, words, rule, at=stop)
            if check is not None and legs:
                told = replace(told, text=check.on_fail.happens)
            return self.falling.finish(self.who)(moved(after, self.who, stop)).after(told)

        return self._go(state, legs, 0, end)

    def stopped(self, state: State, budget: float) -> tuple[tuple[Leg, ...], Point]:
        """The legs that a budget (inches) pays for, the last one shortened, and where that ends."""
        legs, paid = self.move.legs, 0.0
        nothing: tuple[tuple[Leg, ...], Point] = ((), state[self.who].at)
        best, stay = nothing, state[self.who].rules.movement.climb_short is ClimbShort.START
        for index, leg in enumerate(legs):
            if leg.kind in _CONTINUOUS and leg.length > 0.0:
                share = min(1.0, (budget - paid) / leg.cost) if leg.cost > 0.0 else 1.0
                part = self._last_standing(state, leg, share)
                if part is not None:
                    best = ((*legs[:index], part), part.end)
            else:
                paid = self._waits(leg, paid)
                if paid + leg.cost <= budget + _SLACK and self._stands(state, leg.end):
                    best = (legs[: index + 1], leg.end)
            paid += leg.cost
            if paid > budget + _SLACK:
                return nothing if stay and leg.kind in _CLIMBS else best
        return best

    def _waits(self, leg: Leg, paid: float) -> float:
        """What is paid when a leg begins that has to fit into one Move: it waits for the next where this one has too
        little left; infinite where none has enough."""
        if leg.kind not in IN_ONE_MOVE or self.action is None:
            return paid
        begins = 0.0
        for move in self.action.moves:
            ends = begins + move.most
            if max(begins, paid) + leg.cost <= ends + _SLACK:
                return max(begins, paid)
            begins = ends
        return float("inf")

    def _last_standing(self, state: State, leg: Leg, most: float) -> Leg | None:
        """A walk up to the last place within a share of it where the model can stand; None where there is none."""
        path = np.array(leg.path or (leg.start, leg.end))
        size = np.linalg.norm(np.diff(path, axis=0), axis=1)
        along = np.concatenate([[0.0], np.cumsum(size)])
        if most <= 0.0 or along[-1] <= 0.0:
            return None
        for share in np.arange(most, 0.0, -_STEP / along[-1]):
            x, y, z = (float(np.interp(share * along[-1], along, path[:, i])) for i in range(3))
            if self._stands(state, (x, y, z)):
                kept = tuple(p for p, a in zip(leg.path, along, strict=False) if a < share * along[-1])
                part = float(share)
                return replace(
                    leg,
                    end=(x, y, z),
                    path=(*kept, (x, y, z)),
                    length=leg.length * part,
                    cost=leg.cost * part,
                )
        return None

    def _stands(self, state: State, at: Point) -> bool:
        """Whether the move may end at a place when it proves too short."""
        one = state[self.who]
        keep = one.rules.movement.keep_distance
        near = [
            Near(o.base, o.placed.height, keep if self._keeps_from(state, key) else 0.0)
            for key, o in state.items()
            if key != self.who and not o.out
        ]
        site = self.falling.site
        if not site.is_free(one.base, one.placed.height, at, near):
            return False
        body = site.body(one.base, one.placed.height)
        found = site.ground(one.rules).stand(body, mm(at[0]), mm(at[1]), mm(at[2]))
        # the end of a climb that goes on over a narrow top has its floor far below
        return found.stands and abs(found.z - mm(at[2])) <= mm(one.rules.movement.free_step_down)

    def _keeps_from(self, state: State, other: str) -> bool:
        return state[self.who].placed.is_enemy(state[other].placed) and self.falling.kept_from(state[other])


def _fewest(tokens: Sequence[str]) -> int:
    """Least that some dice can show together."""
    return sum(int(min(dice.roll(token))) for token in tokens)


def _middle(leg: Leg) -> Point:
    """The point halfway along a leg."""
    path = np.array(leg.path or (leg.start, leg.end))
    size = np.linalg.norm(np.diff(path, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(size)])
    x, y, z = (float(np.interp(along[-1] / 2, along, path[:, i])) for i in range(3))
    return (x, y, z)
