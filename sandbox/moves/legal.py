"""Legal moves of one fighter with one action: where it may end, and the way to any one place.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats
from sandbox.ground.search import Reach
from sandbox.moves import blocked, boosting, charge, chutes, fails, leaping, off_limits, spots, turning
from sandbox.moves.answers import (
    IN_ONE_MOVE,
    Answerer,
    Check,
    CheckKind,
    Leg,
    LegKind,
    Move,
    OnFail,
    Point,
    Reason,
    Ruling,
)
from sandbox.moves.boosting import Booster
from sandbox.moves.finding import Finder
from sandbox.moves.hazards import Choice
from sandbox.moves.landing import fall_from
from sandbox.moves.legs import LegMaker
from sandbox.moves.others import Others, others
from sandbox.moves.placed import Placed
from sandbox.moves.prices import Pricing, Test
from sandbox.moves.proof import Proof
from sandbox.moves.refusal import Judge, just_fits, plain
from sandbox.moves.setup import LABELS, Chain, Setup, set_up
from sandbox.moves.standing import FLOOR_WITHIN, on_board
from sandbox.moves.touching import touched, underfoot
from sandbox.moves.ways import Found, closest_on
from sandbox.moves.words import length, sentence
from sandbox.rules import ActionRules, MovementRules, Roll
from sandbox.rules.statements import RuleName
from sandbox.rules.ticks import at_most
from sandbox.units import SNAP_MM, inches, mm

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

FAR = 3
"""ways are looked for up to this many times the allowance."""
_FARTHER = (1.5, FAR)
"""the same in steps, as most ways that are too long are not much too long."""
_OWN_SEARCHES = 2
"""places beyond the allowance that are searched for one by one, before all of them are."""
_TRIES = 4
"""ways that are tried until the collision world confirms one."""


class Asked(Answerer):
    """One question, worked out as far as it is asked."""

    def __init__(
        self,
        field: Battlefield,
        mover: Placed,
        action: ActionRules,
        target: Placed | None,
        saying: Judge,
        aim: object = None,
    ) -> None:
        """saying: puts this mover's rulings into words. aim: what the action is for where that is no model."""
        self.field = field
        self.mover = mover
        self.action = action
        self.target = target
        self.aim = aim
        self.judge = saying
        self.chain = Chain(tuple(move.most for move in action.moves))
        self.body = field.body_of(mover)
        self.ground = field.ground.ground(mover.rules)
        self.roles = field.ground.roles(mover.rules)
        self.pricing = Pricing(field.pack, mover.rules, 2 * mover.base.half_short)
        self.start: Point = field.start_of(mover)
        self.nearer: Ruling | None = None
        """why the last way that was found is none: it comes nearer to an enemy again."""
        self.leaving: dict[int, tuple[tuple[Choice, Reach], ...]] = {}
        """searches that only move away from enemies, by setup."""
        self.boosters: dict[int, Booster] = {}
        """boosted searches, by setup."""

    @property
    def allowance(self) -> float:
        """Inches, at most."""
        return self.chain.total

    @property
    def rule(self) -> str:
        """Rule id of the action, or of the skill that gives it."""
        known = f"action.{self.action.id}"
        return known if self.action.id in self.field.pack.file.actions else f"skill.{self.action.id}"

    @property
    def movement(self) -> MovementRules:
        """The mover's numbers."""
        return self.mover.rules.movement

    @property
    def engages(self) -> bool:
        """Whether the action has to end engaged with its target (a charge)."""
        return self.action.row.must_engage and self.target is not None

    def at_all(self) -> tuple[Ruling, ...]:
        """Why the action is not possible at all, whatever the place."""
        return ()

    @property
    def taken(self) -> tuple[str, ...]:
        """Ids of models that are moved along."""
        return ()

    @property
    def events(self) -> tuple[str, ...]:
        """What the players resolve themselves, after the action or because of what the mover has."""
        told = list(self.action.row.events)
        for used in self.mover.rules.used:
            of_action = any(self.action.id in granted.actions for granted in used.entry.procedures)
            changes = any(c.change.startswith(f"action.{self.action.id}.") for c in used.entry.changes)
            if of_action or changes:
                told += used.entry.events
        return tuple(dict.fromkeys(told))

    @cached_property
    def others(self) -> Others:
        """The other models, as this action meets them."""
        return others(
            self.field.pack,
            self.mover,
            [one for one in self.field.fighters if one.id not in self.taken],
            self.field.measuring,
            self.judge,
            self.mover.height,
            near_enemies=self.action.row.near_enemies,
        )

    @cached_property
    def near(self) -> Setup:
        """The searches within the allowance."""
        return self._set_up(self.chain, LABELS)

    @cached_property
    def _beyond(self) -> dict[tuple[float, Point | None], Setup]:
        return {}

    def beyond(self, at: Point, factor: float = FAR) -> Setup:
        """The searches beyond it for ways to one place: one Move so many times as long.

        The first places asked for get searches of their own, over the little ground that ways to them can touch; who goes
        on asking gets one over all that is so far, which then answers for every place.
        """
        key: tuple[float, Point | None] = (factor, at)
        if key not in self._beyond and sum(one == factor for one, _ in self._beyond) >= _OWN_SEARCHES:
            key = (factor, None)
        if key not in self._beyond:
            self._beyond[key] = self._set_up(self.chain.times(factor), 1, key[1])
        return self._beyond[key]

    def way_beyond(self, at: Point) -> Found | None:
        """The cheapest way to a place within three times the allowance, looked for in ever wider regions."""
        apart = math.dist(self.start[:2], at[:2])
        for factor in _FARTHER:
            if apart > factor * self.allowance:
                continue
            found = self.arrive(self.beyond(at, factor), at)
            if found is not None:
                return found
        return None

    def setup_of(self, reach: Reach) -> Setup:
        """Whose search that is."""
        boosted = (booster.setup for booster in self.boosters.values())
        known = (self.near, *boosted, *self._beyond.values())
        return next((one for one in known if one.places is reach.places), self.near)

    def _set_up(self, chain: Chain, labels: int, goal: Point | None = None) -> Setup:
        return set_up(
            self.field.ground,
            self.ground,
            self.roles,
            self.body,
            self.start,
            chain,
            self.pricing,
            self.others,
            longest=max(self.chain.moves),
            labels=1 if self.engages else labels,
            goal=goal,
            more=lambda places: leaping.given(self, places),
        )

    # -- ways --------------------------------------------------------------------------------------------------

    @cached_property
    def boost(self) -> float:
        """Inches that the mover's booster leaves out; 0: it has none."""
        return boosting.inches_of(self)

    def booster(self, setup: Setup) -> Booster | None:
        """The boosted searches of a setup; None without a booster."""
        if not self.boost:
            return None
        if id(setup) not in self.boosters:
            moves = setup.chain.moves
            longer = Chain((*moves[:-1], moves[-1] + self.movement.climb_cost * self.boost))
            wide = self._set_up(longer, LABELS)
            self.boosters[id(setup)] = Booster(wide, setup.chain, self.pricing, self.boost)
        return self.boosters[id(setup)]

    def arrive(self, setup: Setup, at: Point) -> Found | None:
        """The best way to a place within a setup's chain; None where there is none."""
        return Finder(self).arrive(setup, at)

    def many(self, points: Floats) -> tuple[Floats, Floats]:
        """Cost (inches, inf where there is no way) and chance of the best ways to points (n, 3) in inches."""
        return Finder(self).many(points)

    # -- rolled distances --------------------------------------------------------------------------------------

    @property
    def rolled(self) -> Roll | None:
        """The distance of this action that dice decide, if one does."""
        return next((move for move in self.action.moves if move.rolled), None)

    def distance_chance(self, cost: float) -> float:
        """Chance that a rolled distance is enough, 1 where none is rolled."""
        roll = self.rolled
        if roll is None or not np.isfinite(cost):
            return 1.0
        return float(roll.chance_at_least(cost - inches(0.03) - (self.allowance - roll.most)))

    @property
    def first_checks(self) -> tuple[Check, ...]:
        """What is rolled before anything moves."""
        return ()

    @property
    def first_chance(self) -> float:
        """Chance to pass all of that."""
        return float(np.prod([check.chance for check in self.first_checks])) if self.first_checks else 1.0

    def distance_check(self, cost: float) -> Check | None:
        """The check that a rolled distance is; None where nothing can go wrong."""
        roll, chance = self.rolled, self.distance_chance(cost)
        if roll is None or chance >= 1.0:
            return None
        needed = roll.needed(cost - inches(0.03) - (self.allowance - roll.most)) or roll.most
        reason, short = Reason.DISTANCE, sentence("fails", "short")
        if self.target is not None:
            reason = Reason.CHARGE
            keep = length(self.mover.rules.movement.keep_distance)
            short = sentence("fails", "charge", name=self.target.id, keep=keep)
        # what the dice themselves have to show: the least roll shows as many as there are dice
        dice = sum(int(count or 1) for count in re.findall(r"(\d*)[dD]\d+", roll.text))
        test = Test(
            CheckKind.DISTANCE,
            reason,
            round(needed - roll.least) + dice,
            0,
            chance,
            self.field.pack.rule(self.rule).source,
        )
        return fails.check(test, OnFail(short))

    # -- answers -----------------------------------------------------------------------------------------------

    def spots(self) -> NDArray[Any]:
        """Places to stand at the end, (n,) of dtype SPOT, see `LegalMoves.spots`."""
        return charge.contacts(self) if self.engages else spots.spots(self)

    def to(self, x: float, y: float, z: float | None, facing: float | None) -> Move:
        """The way to one place, see `LegalMoves.to`."""
        return self.straight_to(x, y, z) if self.body.is_round else turning.to(self, x, y, z, facing)

    def straight_to(self, x: float, y: float, z: float | None) -> Move:
        """The way to one place with the heading that the base has."""
        asked: Point = (x, y, z or 0.0)
        if not (np.isfinite(asked).all() and on_board(self.field, (x, y))):
            return self._refused(asked, (self.judge.ruling("off-board", RuleName.OFF_BOARD),))
        if self.engages:
            x, y = charge.into_contact(self, (x, y), z)
        floors = self.floors(x, y, z)
        if not floors:
            words = "nothing-there" if z is None else "no-floor"
            ruling = self.judge.ruling(words, RuleName.FLAT_GROUND, None, FLOOR_WITHIN)
            return self._refused(asked, (ruling,))
        found = self._cheapest_floor(x, y, floors)
        at: Point = (x, y, found)
        against = self.against(at)
        way = self.arrive(self.near, at)
        if way is not None and not against:
            proven = self._proven(at, way)
            if proven is not None:
                return proven
        return self._refusal(at, against)

    def turned(self, facing: float) -> Asked:
        """The same question for an oval that keeps another heading."""
        if facing not in self._turned:
            mover = replace(self.mover, base=self.mover.base.moved(self.mover.at, facing))
            self._turned[facing] = type(self)(
                self.field, mover, self.action, self.target, self.judge, self.aim
            )
        return self._turned[facing]

    @cached_property
    def _turned(self) -> dict[float, Asked]:
        return {}

    def floors(self, x: float, y: float, z: float | None) -> list[float]:
        """Heights of the floors at a place (those within 0.5" of z), highest first."""
        column = self.ground.column(mm(x), mm(y))
        ceiling = self.field.scene.board.ceiling
        # nobody gets onto the far side of a ceiling
        top = np.inf if ceiling is None else mm(ceiling) - SNAP_MM
        floor = (column.face >= 0) & (column.z < top)
        here = sorted((inches(float(h)) for h in column.z[floor]), reverse=True)
        if z is None:
            return here
        near = [h for h in here if at_most(abs(h - z), FLOOR_WITHIN)]
        return [min(near, key=lambda h: abs(h - z))] if near else []

    def _cheapest_floor(self, x: float, y: float, floors: list[float]) -> float:
        if len(floors) == 1:
            return floors[0]
        ways = [(self.arrive(self.near, (x, y, h)), h) for h in floors]
        if all(way is None for way, _ in ways):
            ways = [(self.way_beyond((x, y, h)), h) for h in floors]
        found = [(way.cost, h) for way, h in ways if way is not None]
        if found:
            return min(found)[1]
        return floors[0]

    def against(self, at: Point) -> tuple[Ruling, ...]:
        """Why the move may not end at a place, whatever the way."""
        standing = self.ground.stand(self.body, mm(at[0]), mm(at[1]), mm(at[2]))
        told = (
            ()
            if standing.stands or just_fits(standing)
            else self.judge.hindrances([plain(self.ground, self.body, at, h) for h in standing.hindrances])
        )
        if not standing.stands and not just_fits(standing) and not told:
            told = (self.judge.ruling("lip", RuleName.FLAT_GROUND, None, None, at),)
        off = off_limits.ruling(self.roles, self.body, at, self.judge)
        if off is not None:
            told = (*told, off)
        model = self.others.ending(at, self.mover.base.facing)
        if model is not None:
            told = (*told, model)
        if self.engages and not told:
            apart = charge.contact(self, at)
            told = () if apart is None else (apart,)
        return told

    # -- legal moves -------------------------------------------------------------------------------------------

    @cached_property
    def proof(self) -> Proof:
        """The collision world's confirmation of legs."""
        return Proof(self.field.world, self.body, self.ground)

    def _proven(self, at: Point, way: Found) -> Move | None:
        """The move by the best way that the collision world confirms; None where it confirms none."""
        barred: frozenset[int] = frozenset()
        spots_met: tuple[Point, ...] = ()
        for _ in range(_TRIES):
            legs = self.legs(way)
            confirmed, refusals = self.proof.confirm(legs)
            if not refusals:
                return self.legal(at, way, confirmed)
            for refusal in refusals:
                self.proof.count(self.field.scene, self.mover.id, refusal)
            walks = [r for r in refusals if r.leg.kind in (LegKind.WALK, LegKind.SCRAMBLE)]
            if walks:
                # a body's width beside what it met is where its centre was
                spots_met += tuple(closest_on(r.leg.path, r.point) for r in walks if r.point is not None)
            if len(walks) < len(refusals) or not spots_met:
                links = {s.link for s in way.reach.way(way.arrival) if s.link >= 0}
                if not links:
                    return None
                barred |= links
            reach = self.near.without(way.choice, barred, spots_met)
            arrival = None if reach is None else reach.at(way.arrival.point, cheapest=self.engages)
            if reach is None or arrival is None:
                return None
            rest = way.cost - inches(way.arrival.cost)
            cost, chance = inches(arrival.cost) + rest, arrival.chance * way.choice.chance
            way = replace(way, reach=reach, arrival=arrival, cost=cost, chance=chance)
        return None

    def maker(self, way: Found) -> LegMaker:
        """What makes the legs of a way."""
        return LegMaker(
            way.reach.places,
            way.reach.links,
            way.pricing or self.pricing,
            lambda start, end: fall_from(self.ground, self.body, start, end),
            2 * self.mover.base.half_short,
            lambda points: self._notes(way.reach, points),
        )

    def legs(self, way: Found) -> tuple[Leg, ...]:
        """The legs of a way, with their checks."""
        legs = self.maker(way).legs(way.reach.way(way.arrival), way.tail)
        setup = self.setup_of(way.reach)
        legs = touched(self, setup, way.choice, legs)
        return legs if way.booster is None else boosting.told(legs, way.booster)

    def _notes(self, reach: Reach, points: Floats) -> tuple[str, ...]:
        """What a walked path goes over."""
        if len(points) < 2:
            return ()
        setup = self.setup_of(reach)
        return underfoot(setup, points)

    def legal(self, at: Point, way: Found, legs: tuple[Leg, ...]) -> Move:
        """The move to a place by a way whose legs are confirmed."""
        rolled = self.distance_check(way.cost)
        checks = tuple(c for leg in legs for c in leg.checks)
        checks = (*self.first_checks, *(() if rolled is None else (rolled,)), *checks)
        return self._move(
            at,
            legal=True,
            cost=way.cost,
            success=way.chance * self.distance_chance(way.cost) * self.first_chance,
            legs=legs,
            checks=checks,
        )

    # -- refused moves -----------------------------------------------------------------------------------------

    def _refusal(self, at: Point, against: tuple[Ruling, ...]) -> Move:
        """A refused move: the ruling that forbids it first, and the cheapest way where there is one."""
        far = self.way_beyond(at)
        legs = () if far is None else self.legs(far)
        rulings = list(against)
        if far is not None and not at_most(far.cost, self.allowance):
            if self.engages:
                rulings.append(charge.short(self, far))
            if not against and not self.engages:
                rulings += blocked.nearer(self, at, far.cost - self.allowance)
            rulings.append(self.judge.allowance(far.cost, self.allowance))
        elif far is not None and not against:
            near = self.arrive(self.near, at)
            if near is None:
                rulings.append(self._whole(legs))
            else:
                rulings.append(self.proof.ruling(self.judge))
        elif far is None and self.nearer is not None:
            rulings.append(self.nearer)
        elif far is None and not against:
            rulings += self._blocked(at)
        return self._move(
            at,
            legal=False,
            cost=blocked.cost(self, at) if far is None and against else None if far is None else far.cost,
            success=None,
            legs=legs,
            checks=tuple(c for leg in legs for c in leg.checks),
            rulings=tuple(rulings),
        )

    def _whole(self, legs: tuple[Leg, ...]) -> Ruling:
        """Payable by the chain as a whole, but some leg has to fit inside one of its Moves: it does not, or what is lost
        by waiting for the next one is missing at the end."""
        longest = max(self.chain.moves)
        leg = max(legs, key=lambda one: one.cost)
        clock, where, ends = 0.0, leg.start, np.cumsum(self.chain.moves)
        for one in legs:
            left = float(next((end - clock for end in ends if end > clock), 0.0))
            if one.kind in IN_ONE_MOVE and one.cost > left:
                clock, where = clock + left, one.start
            clock += one.cost
        if leg.cost > longest or at_most(clock, self.allowance):
            return self.judge.ruling("one-move", RuleName.ALLOWANCE, leg.cost, longest, leg.start)
        return self.judge.ruling("one-move-wait", RuleName.ALLOWANCE, clock, self.allowance, where)

    def _blocked(self, at: Point) -> list[Ruling]:
        """What the least forbidden way there breaks."""
        return [*blocked.rulings(self, at), self.judge.no_way(FAR * self.allowance)]

    def _refused(self, at: Point, rulings: tuple[Ruling, ...]) -> Move:
        return self._move(at, legal=False, cost=None, success=None, rulings=rulings)

    def _move(
        self,
        at: Point,
        *,
        legal: bool,
        cost: float | None,
        success: float | None,
        legs: tuple[Leg, ...] = (),
        checks: tuple[Check, ...] = (),
        rulings: tuple[Ruling, ...] = (),
    ) -> Move:
        return Move(
            scene=self.field.name,
            rules=self.field.pack.id,
            fighter=self.mover.id,
            action=self.action.id,
            allowance=self.allowance,
            to=at,
            legal=legal,
            cost=cost,
            success=success,
            legs=legs,
            checks=checks,
            rulings=rulings,
            facing=None if self.body.is_round else self.body.facing,
            ends_as=self.action.row.ends_as if legal else None,
            events=(*self.events, *chutes.events(self, legs)) if legal else (),
        )
