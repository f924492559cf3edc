"""All constants that a pack has to state, by group. The names are the rule ids of rulings and the keys of
settings."""

from __future__ import annotations

from typing import Any

from sandbox.rules.entries import (
    Angle,
    CheckOrNone,
    Constant,
    Length,
    LengthOrBase,
    LengthOrMovement,
    LengthOrNone,
    LengthOrStep,
    Modifier,
    Number,
    Price,
    Share,
    StatusName,
    StatusOrNone,
    Strict,
    Switch,
)
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


class Standing(Strict):
    """Where a model may be, and ground that is not flat."""

    free_step_up: Length
    free_step_down: Length
    walk_slope: Angle
    stand_slope: Angle
    uneven: Length
    """greatest distance of the floor under a base from its own plane."""
    support: Constant[Support]
    hang: Switch
    """the base may stick out over a lip while it passes."""
    span: LengthOrBase
    """widest gap that is simply moved over."""
    standing_height: Length
    """model height where a scene says nothing."""
    prone_height: Length
    rough_ground: Constant[RoughGround]
    scramble_check: CheckOrNone


class Difficult(Strict):
    """Difficult and dangerous ground."""

    difficult_cost: Price
    difficult_once: Length
    """taken off the turn's movement, once, when any difficult ground is touched."""
    difficult_by_centre: Switch
    dangerous_check: CheckOrNone
    dangerous_fail: Constant[Harm]
    dangerous_vehicle_check: CheckOrNone
    dangerous_vehicle_fail: Constant[Harm]


class Climbing(Strict):
    """Climbs and ladders."""

    climb_cost: Price
    climb_check: CheckOrNone
    climb_fail: Constant[ClimbFail]
    mid_climb: Constant[MidClimb]
    climb_short: Constant[ClimbShort]
    overhang: Length
    underside: Length
    """a stretch of a climb deeper under an overhang than the limit stops it when it is higher than this."""
    mount_free: Switch
    """the plan movement over the lip at the end of a climb is left out."""
    walls_climbed: Switch
    zone_mortalis_walls: Switch
    """walls of a zone_mortalis board may be climbed and walked on."""
    ladder_cost: Price
    ladder_check: CheckOrNone
    ladder_foot: Length
    ladder_top: Length


class Crossing(Strict):
    """Obstacles and railings."""

    obstacle_height: Length
    obstacle_width: Length
    obstacle_width_reached: Switch
    """a part exactly as wide as the limit is still an obstacle."""
    cross_cost: Constant[CrossCost]
    cross_flat: Length
    cross_free_height: Length
    """obstacles up to this height, and `cross_free_width`, add nothing; 0: all do."""
    cross_free_width: Length
    obstacle_stand: Switch
    measure_over_height: Length
    """free-standing parts up to this height (and `measure_over_width`) never stop measuring."""
    measure_over_width: Length
    rail_height: Length
    rail_max: Length
    """railings up to this height are gone over within a climb, a leap or a jump down."""
    rail_reach: Length
    rail_effect: Constant[RailEffect]
    rail_bonus: Modifier


class Leaping(Strict):
    """Gaps and leaps."""

    gap_free: LengthOrBase
    """gap crossed without a check."""
    leap_check: CheckOrNone
    leap_max: LengthOrMovement
    leap_beyond: Constant[LeapBeyond]
    leap_up: LengthOrMovement
    """landing at most this much higher."""
    leap_up_cost: Price
    """movement for an inch of height gained by a leap."""
    leap_level: Length
    """landing at most this much lower is a leap and no jump down."""
    leap_lower: Constant[LeapLower]
    leap_short_drop: Length
    """a gap of at most this to a floor lower than a step is a jump down."""
    leap_ignored: Length
    """inches of a gap that are left out before it is judged."""
    leap_over_difficult: Switch
    pitfall_fail: Constant[Harm]


class Jumping(Strict):
    """Jumps down."""

    jump_check: CheckOrNone
    jump_free_height: Length
    jump_step: Length
    jump_modifier: Modifier
    """for each `jump_step` begun above `jump_free_height`."""
    jump_height_cost: Price
    jump_landing: Constant[JumpLanding]
    jump_reach: Length
    """how far beyond just clear of the lip it may land."""
    jump_over: LengthOrNone
    """what lies at least this far below may be jumped over, models too."""


class Edges(Strict):
    """Danger at a lip."""

    edge_zone: Length
    edge_drop: LengthOrStep
    """least drop that is a danger."""
    edge_check: CheckOrNone


class Falling(Strict):
    """What a fall does."""

    fall_hurts: Switch
    fall_hurts_from: Length
    fall_compare: Constant[FallCompare]
    fall_height_factor: Price
    """of the height, for falls and jumps down."""
    fall_height_rounding: Constant[Rounding]
    """of the height after the factor, to whole inches."""
    fall_landing: Length
    """farthest shift to where the faller can stand."""
    fall_status: StatusName
    fall_ends_activation: Switch
    fall_stay_check: CheckOrNone
    """a check that lets the faller stay standing."""
    fall_again: Constant[FallAgain]
    fall_again_zone: Length
    fall_again_check: CheckOrNone
    """made where `fall_again` is a check; none: nobody falls again."""
    fall_again_rail: Switch
    """a railing at the next lip has the effect that it has at any lip."""
    fall_nowhere: Constant[Harm]
    fall_on_model: Constant[FallOnModel]


class Models(Strict):
    """Other models: distance, passing, engagement."""

    keep_distance: Length
    keep_at_end_only: Switch
    pass_friends: Switch
    pass_enemies: Switch
    engaged_at: Constant[EngagedAt]
    engaged_within: Length
    engaged_by_injured: Switch
    """touching an enemy that cannot fight back (`engages` of its status) engages too."""
    vehicle_engaged_within: LengthOrNone
    """a fighter may choose to engage a vehicle this near."""
    engage_over_width: Length
    """enemies who both touch an obstacle no wider than this are engaged across it; 0: never."""
    engage_over_width_reached: Switch
    engage_over_height: Length
    engage_over_modifier: Modifier
    obstacle_blocks_within: Switch
    involuntary_near: Constant[InvoluntaryNear]


class Passages(Strict):
    """Narrow passages, ductways, doors."""

    narrow: Constant[Narrow]
    squeeze_ratio: Share
    squeeze_length: Length
    ductway_reach: Length
    ductway_length: Length
    ductway_enemy: Constant[DuctwayEnemy]
    door_reach: Length
    crawl_rounding: Constant[Rounding]


class Pushes(Strict):
    """Models and things that are moved against their will: knockback, drag, throws."""

    push_edge_check: CheckOrNone
    """made as soon as any part of the base crosses a lip: passed, it stops there; none: it falls when it is over."""
    push_hits: Switch
    """what one is pushed into is a hit."""
    push_hit_strength: Number
    """strength of that hit; 0: the inches pushed."""
    push_status: StatusOrNone
    """status of who is still Active afterwards."""


class Vehicles(Strict):
    """Vehicles, and who rides on them."""

    vehicle_turns: Number
    """most turns within one move."""
    vehicle_turn: Angle
    """most degrees of one turn."""
    rider_check: CheckOrNone
    """made by everybody on a vehicle that moves, outside transport spaces; none: nobody falls off."""
    rider_distance: Length
    """how far from the vehicle those are placed who fall off."""


class Turn(Strict):
    """How a turn is played, as far as movement needs it."""

    declare_first: Switch
    actions_per_activation: Number
    basic_once: Switch
    """a Basic action is taken at most once in an activation."""
    take_reach: Length
    """how near a thing has to be that is picked up."""
    slowed: Length
    """taken off the movement of a slowed model."""


class Constants(
    Turn,
    Vehicles,
    Pushes,
    Passages,
    Models,
    Falling,
    Edges,
    Jumping,
    Leaping,
    Crossing,
    Climbing,
    Difficult,
    Standing,
):
    """Every constant of a pack; each is also a setting."""


GROUPS: tuple[type[Strict], ...] = (
    Standing,
    Difficult,
    Climbing,
    Crossing,
    Leaping,
    Jumping,
    Edges,
    Falling,
    Models,
    Passages,
    Pushes,
    Vehicles,
    Turn,
)


def names() -> tuple[str, ...]:
    """All constants in the order of the groups."""
    return tuple(name for group in GROUPS for name in group.model_fields)


def entry(constants: Constants, name: str) -> Constant[Any]:
    """The entry of one constant; KeyError where there is none."""
    if name not in Constants.model_fields:
        raise KeyError(name)
    found = getattr(constants, name)
    assert isinstance(found, Constant)
    return found
