"""The typed view of a pack that moves are worked out with: numbers and switches in inches, and what follows
from them.

Every field is named like the constant that it holds, and a constant's name is its rule id: a ruling about
`rules.overhang` names the rule ``overhang``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from sandbox.rules import falls, jumps
from sandbox.rules.ticks import at_most, less_than
from sandbox.rules.words import (
    ClimbFail,
    ClimbShort,
    CrossCost,
    DuctwayEnemy,
    EngagedAt,
    FallAgain,
    FallCompare,
    FallOnModel,
    Harm,
    InvoluntaryNear,
    JumpLanding,
    LeapBeyond,
    LeapLower,
    MidClimb,
    Narrow,
    RailEffect,
    RoughGround,
    Rounding,
    Support,
)

Base = Literal["base"]
Movement = Literal["movement"]
Step = Literal["step"]
NoLength = Literal["none"]


@dataclass(frozen=True)
class MovementRules:
    """All constants of a pack, for one model or in general. What each means stands in the pack file."""

    free_step_up: float
    free_step_down: float
    walk_slope: float
    stand_slope: float
    uneven: float
    support: Support
    hang: bool
    span: float | Base
    standing_height: float
    prone_height: float
    rough_ground: RoughGround
    scramble_check: str

    difficult_cost: float
    difficult_once: float
    difficult_by_centre: bool
    dangerous_check: str
    dangerous_fail: Harm
    dangerous_vehicle_check: str
    dangerous_vehicle_fail: Harm

    climb_cost: float
    climb_check: str
    climb_fail: ClimbFail
    mid_climb: MidClimb
    climb_short: ClimbShort
    overhang: float
    underside: float
    mount_free: bool
    walls_climbed: bool
    zone_mortalis_walls: bool
    ladder_cost: float
    ladder_check: str
    ladder_foot: float
    ladder_top: float

    obstacle_height: float
    obstacle_width: float
    obstacle_width_reached: bool
    cross_cost: CrossCost
    cross_flat: float
    cross_free_height: float
    cross_free_width: float
    obstacle_stand: bool
    measure_over_height: float
    measure_over_width: float
    rail_height: float
    rail_max: float
    rail_reach: float
    rail_effect: RailEffect
    rail_bonus: int

    gap_free: float | Base
    leap_check: str
    leap_max: float | Movement
    leap_beyond: LeapBeyond
    leap_up: float | Movement
    leap_up_cost: float
    leap_level: float
    leap_lower: LeapLower
    leap_short_drop: float
    leap_ignored: float
    leap_over_difficult: bool
    pitfall_fail: Harm

    jump_check: str
    jump_free_height: float
    jump_step: float
    jump_modifier: int
    jump_height_cost: float
    jump_landing: JumpLanding
    jump_reach: float
    jump_over: float | NoLength

    edge_zone: float
    edge_drop: float | Step
    edge_check: str

    fall_hurts: bool
    fall_hurts_from: float
    fall_compare: FallCompare
    fall_height_factor: float
    fall_height_rounding: Rounding
    fall_landing: float
    fall_status: str
    fall_ends_activation: bool
    fall_stay_check: str
    fall_again: FallAgain
    fall_again_zone: float
    fall_again_check: str
    fall_again_rail: bool
    fall_nowhere: Harm
    fall_on_model: FallOnModel

    keep_distance: float
    keep_at_end_only: bool
    pass_friends: bool
    pass_enemies: bool
    engaged_at: EngagedAt
    engaged_within: float
    engaged_by_injured: bool
    vehicle_engaged_within: float | NoLength
    engage_over_width: float
    engage_over_width_reached: bool
    engage_over_height: float
    engage_over_modifier: int
    obstacle_blocks_within: bool
    involuntary_near: InvoluntaryNear

    narrow: Narrow
    squeeze_ratio: float
    squeeze_length: float
    ductway_reach: float
    ductway_length: float
    ductway_enemy: DuctwayEnemy
    door_reach: float
    crawl_rounding: Rounding

    push_edge_check: str
    push_hits: bool
    push_hit_strength: int
    push_status: str

    vehicle_turns: int
    vehicle_turn: float
    rider_check: str
    rider_distance: float

    declare_first: bool
    actions_per_activation: int
    basic_once: bool
    take_reach: float
    slowed: float

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> MovementRules:
        """From the values of all constants."""
        return cls(**{field.name: values[field.name] for field in fields(cls)})

    def changed(self, **values: Any) -> MovementRules:
        """The same with some values changed."""
        return replace(self, **values)

    # -- obstacles and difficult ground ------------------------------------------------------------

    def is_obstacle_size(self, height: float, width: float) -> bool:
        """Whether a part of this height and smaller plan dimension (inches) is within the obstacle's
        limits."""
        narrow = at_most if self.obstacle_width_reached else less_than
        return at_most(height, self.obstacle_height) and narrow(width, self.obstacle_width)

    def measured_over(self, height: float, width: float) -> bool:
        """Whether a free-standing part of this size never stops measuring."""
        return at_most(height, self.measure_over_height) and at_most(width, self.measure_over_width)

    def cross_extra(self, height: float, thickness: float, width: float | None = None) -> float:
        """What crossing an obstacle adds to the length of the path, once per crossing, inches.

        height: above the floor at entry. thickness: plan length of the crossing over the obstacle itself,
        used where it is paid as difficult ground. width: the part's smaller plan dimension, which decides
        what small obstacles waive; the thickness where it is not given. Blightmeer's `once` adds nothing
        here: it is `difficult_once`, per turn.
        """
        wide = thickness if width is None else width
        waived = self.cross_free_height > 0.0 and at_most(height, self.cross_free_height)
        if waived and at_most(wide, self.cross_free_width):
            return 0.0
        if self.cross_cost is CrossCost.HEIGHT:
            return max(0.0, height)
        if self.cross_cost is CrossCost.FLAT:
            return self.cross_flat
        if self.cross_cost is CrossCost.THICKNESS:
            return max(0.0, thickness) * max(0.0, self.difficult_cost - 1.0)
        return 0.0

    # -- gaps, leaps, jumps ------------------------------------------------------------------------

    def leap_needs_check(self, gap: float, base_width: float, rise: float = 0.0) -> bool:
        """Whether a leap needs a check: over a gap (inches, lip to lip) that is not free for a base of this
        (shorter) diameter, or to a floor higher than a free step or lower than what still counts as
        level."""
        if self.leap_check == "none":
            return False
        level = at_most(rise, self.free_step_up) and at_most(-rise, self.leap_level)
        return not (level and self.gap_is_free(gap, base_width))

    def leap_is_jump_down(self, gap: float, rise: float) -> bool:
        """Whether a gap to a floor `rise` inches higher (negative: lower) is a jump down instead of a
        leap."""
        return (
            less_than(self.free_step_down, -rise)
            and self.leap_short_drop > 0.0
            and at_most(gap, self.leap_short_drop)
        )

    def gap_is_free(self, gap: float, base_width: float) -> bool:
        """Whether a gap is crossed without a check by a base of this (shorter) diameter."""
        free = base_width if self.gap_free == "base" else float(self.gap_free)
        return at_most(gap - self.leap_ignored, free)

    def leap_allowed(self, gap: float, rise: float) -> jumps.LeapLimit:
        """Whether a leap over `gap` to a floor `rise` inches higher (negative: lower) is within the longest
        leap and the greatest rise; which of the two it breaks otherwise."""
        longest = None if self.leap_max == "movement" else float(self.leap_max) + self.leap_ignored
        highest = None if self.leap_up == "movement" else float(self.leap_up)
        return jumps.leap_limit(gap, rise, longest, highest)

    def leap_modifier(self, rise: float) -> int:
        """Modifier of a leap's check to a floor `rise` inches higher (negative: lower)."""
        if at_most(-rise, self.leap_level) or self.leap_lower is LeapLower.PLAIN:
            return 0
        return self.jump_modifier_for(-rise)

    def jump_modifier_for(self, height: float) -> int:
        """Modifier of the check for jumping down `height` inches: nothing up to `jump_free_height`, then
        `jump_modifier` for each further `jump_step` begun. Heights are compared before rounding."""
        return jumps.modifier(
            self.fall_height(height), self.jump_free_height, self.jump_step, self.jump_modifier
        )

    # -- falls -------------------------------------------------------------------------------------

    def fall_height(self, height: float) -> float:
        """The height that counts, inches, after what changes it (Catfall halves it)."""
        return falls.counted_height(height, self.fall_height_factor, self.fall_height_rounding)

    def fall_is_a_hit(self, height: float) -> bool:
        """Whether a fall of `height` inches hurts by the table of hits."""
        return self.fall_hurts and falls.hurts(
            self.fall_height(height), self.fall_hurts_from, self.fall_compare
        )

    def is_edge_danger(self, distance: float, drop: float) -> bool:
        """Whether a base whose edge is `distance` inches from a lip with a drop of `drop` is in danger
        there: the distance at most the zone, the drop enough."""
        least = self.free_step_down if self.edge_drop == "step" else float(self.edge_drop)
        deep = less_than(least, drop) if self.edge_drop == "step" else at_most(least, drop)
        return at_most(distance, self.edge_zone) and deep

    # -- models ------------------------------------------------------------------------------------

    def too_near(self, distance: float) -> bool:
        """Whether a distance to an enemy is nearer than what is kept: less than it."""
        return less_than(distance, self.keep_distance)

    def engaged_across(self, height: float, width: float) -> bool:
        """Whether two enemies who both touch an obstacle of this size are engaged across it."""
        if self.engage_over_width <= 0.0 or not at_most(height, self.engage_over_height):
            return False
        narrow = at_most if self.engage_over_width_reached else less_than
        return narrow(width, self.engage_over_width)

    def may_squeeze(self, passage: float, base_width: float, length: float) -> bool:
        """Whether a passage too narrow for the base may be crawled through: wide enough and not too long."""
        return (
            self.narrow is Narrow.CRAWL_THROUGH
            and at_most(base_width * self.squeeze_ratio, passage)
            and at_most(length, self.squeeze_length)
        )
