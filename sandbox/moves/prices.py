"""What links cost under a pack, and what has to be rolled for them. Links are in mm, rules in inches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray

from sandbox.ground.model import Floats, LinkKind, Links, Permit, Place, Places
from sandbox.ground.stacks import standing_low
from sandbox.moves.answers import CheckKind, Reason
from sandbox.moves.roles import Roles
from sandbox.rules import FighterRules, MovementRules, Pack
from sandbox.rules.jumps import LeapLimit
from sandbox.rules.ticks import at_most
from sandbox.rules.words import Ground, MidClimb
from sandbox.terrain.model import Terrain
from sandbox.units import inches, mm

NONE = "none"
OVER_DIFFICULT = -2
"""`Links.part` of a leap over difficult ground: there is no gap, so a failed one pins halfway."""


OVER_PITFALL = -3
"""`Links.part` of a leap over an agreed pitfall: a failed one falls in."""


@dataclass(frozen=True)
class Test:
    """A check to be made, before it is known what a fail does."""

    kind: CheckKind
    reason: Reason
    needed: int
    """lowest unmodified roll that passes; more than the dice can show where nothing does."""
    modifier: int
    chance: float
    source: str


@dataclass(frozen=True, eq=False)
class LinkPrices:
    """Columns for the search's question, one row per link."""

    price: Floats
    """mm of movement; +inf: not allowed."""
    chance: Floats
    whole: NDArray[np.bool_]
    refused: Mapping[int, str]
    """rule id of what the pack refuses, by row."""


@dataclass(frozen=True, eq=False)
class Pricing:
    """Prices and checks for one model."""

    pack: Pack
    rules: FighterRules
    base_width: float
    """shorter diameter of its base, inches."""
    boosted: frozenset[int] = frozenset()
    """links that a booster is used on."""
    boost: float = 0.0
    """inches that it leaves out."""

    @property
    def movement(self) -> MovementRules:
        """The numbers of this model."""
        return self.rules.movement

    def links(self, links: Links, places: Places, found: Roles) -> LinkPrices:
        """Price every link between the places of one body."""
        m = self.movement
        kind = links.kind
        price = np.array(links.plan, dtype=np.float64)
        chance = np.ones(len(kind))
        # a railing at a lip is an obstacle, priced once: by the walk where the base overlaps it before the link
        over = (places.flags[np.maximum(links.start, 0)] & Place.OVER) != 0
        railed = np.flatnonzero((links.rail > 0.0) & ~(over & (links.start >= 0)))
        price[railed] += [mm(m.cross_extra(inches(h), 0.0)) for h in links.rail[railed]]

        climbs = kind == LinkKind.CLIMB
        price[climbs] += m.climb_cost * (links.up + links.down)[climbs]
        # a climb found by geometry goes straight in: the sideways movement that a pack gives for nothing is not in it
        if m.mount_free:
            price[climbs] -= links.plan[climbs]
        ladders = kind == LinkKind.LADDER
        price[ladders] += m.ladder_cost * (links.up + links.down)[ladders]
        leaps = kind == LinkKind.LEAP
        price[leaps] += m.leap_up_cost * np.maximum(0.0, (links.up - links.down)[leaps])
        jumps = kind == LinkKind.JUMP_DOWN
        price[jumps] += m.jump_height_cost * links.down[jumps] + m.climb_cost * links.up[jumps]

        # what guards a lip is gone over within a way that leads over it, even where it is low enough to step on
        price[~ladders & (links.rail <= 0.0) & _on_obstacle(links, places, found)] = np.inf
        forbidden = self.rules.forbidden
        price[climbs & np.any([a.value == "climb" for a in forbidden])] = np.inf
        price[ladders & np.any([a.value == "ladder" for a in forbidden])] = np.inf

        refused: dict[int, str] = {}
        rows = np.flatnonzero(climbs | ladders | leaps | jumps)
        # what is rolled depends on the kind and the sizes alone: each is worked out once
        alike = np.column_stack(
            [
                kind[rows].astype(np.int64) + 8 * (links.part[rows] == OVER_DIFFICULT),
                *(np.round(20 * size[rows]).astype(np.int64) for size in (links.gap, links.up, links.down)),
            ]
        )
        for one, which in _groups(alike):
            row = int(rows[one])
            limit = LeapLimit.NONE
            if kind[row] == LinkKind.LEAP:
                limit = m.leap_allowed(inches(links.gap[row]), inches(links.up[row] - links.down[row]))
            same = rows[which]
            chance[same] = math.prod(test.chance for test in self.link_tests(links, row))
            # beyond the longest leap it is refused, or a fall without a roll: neither ends there
            if limit is not LeapLimit.NONE:
                refused |= dict.fromkeys(same.tolist(), limit.value)
                price[same] = np.inf
        # a climb over a narrow top before a jump may be broken off between two Moves
        whole = leaps | (jumps & (links.up <= 0.0)) | (kind == LinkKind.CROSS)
        if m.mid_climb is MidClimb.NEVER:
            whole |= climbs | ladders
        return LinkPrices(price=price, chance=chance, whole=whole, refused=refused)

    def link_tests(self, links: Links, row: int) -> tuple[Test, ...]:
        """What has to be rolled for a link, in order: over a narrow top first for getting up, then for getting down."""
        m = self.movement
        gap, rise, down = (
            inches(links.gap[row]),
            inches(links.up[row] - links.down[row]),
            inches(links.down[row]),
        )
        if row in self.boosted:
            gap, down = max(0.0, gap - self.boost), max(0.0, down - self.boost)
            rise = math.copysign(max(0.0, abs(rise) - self.boost), rise)
            if links.kind[row] == LinkKind.JUMP_DOWN and at_most(down, m.free_step_down):
                return ()
        found: list[Test | None] = []
        match LinkKind(int(links.kind[row])):
            case LinkKind.LEAP:
                over = links.part[row] == OVER_DIFFICULT
                if over or m.leap_needs_check(gap, self.base_width, rise):
                    found = [self.test(m.leap_check, Reason.LEAP, m.leap_modifier(rise), "leap_check")]
            case LinkKind.JUMP_DOWN:
                if links.up[row] > 0.0:
                    found = [self.test(m.climb_check, Reason.CLIMB, 0, "climb_check")]
                modifier = m.jump_modifier_for(down)
                found.append(self.test(m.jump_check, Reason.JUMP_DOWN, modifier, "jump_check"))
            case LinkKind.CLIMB:
                both = links.up[row] > 0.0 and links.down[row] > 0.0
                found = [self.test(m.climb_check, Reason.CLIMB, 0, "climb_check")] * (2 if both else 1)
            case LinkKind.LADDER:
                found = [self.test(m.ladder_check, Reason.LADDER, 0, "ladder_check")]
        return tuple(test for test in found if test is not None)

    def dangerous_test(self) -> Test | None:
        """What has to be rolled for crossing dangerous ground, or nothing."""
        if Ground.DANGEROUS in self.rules.ignores:
            return None
        return self.test(self.movement.dangerous_check, Reason.DANGEROUS, 0, "dangerous_check")

    def scramble_test(self) -> Test | None:
        """What has to be rolled for scrambling over ground that is not flat, or nothing."""
        return self.test(self.movement.scramble_check, Reason.SCRAMBLE, 0, "scramble_check")

    def test(self, check_id: str, reason: Reason, modifier: int, rule: str) -> Test | None:
        """One check of the pack with a modifier; None where the pack asks for none."""
        if check_id == NONE:
            return None
        dice = self.pack.check(check_id)
        target = self.rules.profile[dice.stat]
        needed = dice.needed(target, modifier)
        return Test(
            kind=CheckKind(check_id) if check_id in set(CheckKind) else CheckKind.INITIATIVE,
            reason=reason,
            needed=int(target - modifier) if needed is None else needed,
            modifier=modifier,
            chance=float(dice.chance(target, modifier)),
            source=self.pack.rule(rule).source,
        )

    def zones(self, terrain: Terrain, found: Roles) -> Floats:
        """What crossing each part as an obstacle costs, mm, (parts,); +inf: it may not be crossed."""
        price = np.full(len(terrain.parts), np.inf)
        low = standing_low(terrain, np.array([bool(p & Permit.CROSS) for p in found.permits], bool))
        for index, part in enumerate(terrain.parts):
            if found.permits[index] & Permit.CROSS:
                height = inches(part.high_mm - float(low[index]))
                price[index] = mm(self.movement.cross_extra(height, 0.0, inches(part.width_mm)))
        return price


def short_drops(links: Links, movement: MovementRules) -> Links:
    """The same ways, those leaps down over gaps so narrow that the pack has them as jumps down being such."""
    if movement.leap_short_drop <= 0.0:
        return links
    leaps = np.flatnonzero((links.kind == LinkKind.LEAP) & (links.down > links.up))
    sizes = zip(links.gap[leaps].tolist(), (links.up - links.down)[leaps].tolist(), strict=True)
    jumps = [movement.leap_is_jump_down(inches(gap), inches(rise)) for gap, rise in sizes]
    rows = leaps[np.array(jumps, bool)]
    if not rows.size:
        return links
    kind, gap, up, down = links.kind.copy(), links.gap.copy(), links.up.copy(), links.down.copy()
    kind[rows], gap[rows] = LinkKind.JUMP_DOWN, 0.0
    down[rows] -= up[rows]
    up[rows] = 0.0
    return replace(links, kind=kind, gap=gap, up=up, down=down)


def more_for_rails(links: Links, price: Floats, shapes: Sequence[shapely.Geometry], extra: float) -> None:
    """Add what the thickness of the railings costs that ways over a lip go over.

    price: (k,) of each link, mm, changed in place. shapes: what obstacles cover in plan, mm, that are paid by
    their thickness; extra: price of each mm more than one.
    """
    rows = np.flatnonzero((links.rail > 0.0) & np.isfinite(price))
    if rows.size == 0:
        return
    ways = shapely.linestrings(np.stack([links.start_pos[rows, :2], links.end_pos[rows, :2]], axis=1))
    for shape in shapes:
        price[rows] += extra * shapely.length(shapely.intersection(ways, shape))


def _groups(keys: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Rows of a table of whole numbers that are alike: the first of them, and all of them."""
    order = np.lexsort(keys.T)
    new = np.any(np.diff(keys[order], axis=0) != 0, axis=1)
    for which in np.split(order, np.flatnonzero(new) + 1):
        if which.size:
            yield int(which.min()), which


def _on_obstacle(links: Links, places: Places, found: Roles) -> NDArray[np.bool_]:
    """Links that begin or end on top of an obstacle, where nobody may stop; (k,)."""
    crossed = np.array([bool(p & Permit.CROSS) for p in found.permits] + [False])
    part = np.append(places.part, -1)
    on = crossed[part[links.start]] | crossed[part[links.end]]
    return np.asarray(on)
