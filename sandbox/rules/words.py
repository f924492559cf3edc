"""The closed lists of words that a pack file may use: one enum for each switch and each column."""

from __future__ import annotations

from enum import StrEnum


class Support(StrEnum):
    """What makes a place one to stand on."""

    FLAT = "flat"
    """the whole base over floor that is flat enough."""
    BALANCED = "balanced"
    """what stays up when it is let go."""


class RoughGround(StrEnum):
    """What ground too tilted to stand on, that is no ramp and no stairs, does to a mover."""

    WALK = "walk"
    SCRAMBLE = "scramble"


class ClimbFail(StrEnum):
    """Where a failed climbing check leaves the model."""

    RETURN = "return"
    """where the climb began; its Move ends."""
    FALL = "fall"


class ClimbShort(StrEnum):
    """Where a model stays whose declared way proves too short while it climbs."""

    START = "start"
    """where it was when the action was declared."""
    FOOT = "foot"
    """where the climb would have begun."""


class MidClimb(StrEnum):
    """Whether a Move may stop on the way up or down."""

    BETWEEN_MOVES = "between-moves"
    """only where the next action of the activation finishes the way."""
    NEVER = "never"


class CrossCost(StrEnum):
    """What crossing an obstacle adds to the path."""

    HEIGHT = "height"
    THICKNESS = "thickness"
    """difficult ground for as long as its plan thickness."""
    FLAT = "flat"
    """the inches of `cross_flat`."""
    ONCE = "once"
    """difficult ground that is paid once a turn, `difficult_once`."""


class RailEffect(StrEnum):
    """What a railing at the nearest lip does to the check against falling over it."""

    BONUS = "bonus"
    PREVENTS = "prevents"


class LeapBeyond(StrEnum):
    """What a leap longer or higher than the limit is."""

    REFUSED = "refused"
    FALL = "fall"
    """allowed to be tried, falls without a roll."""


class LeapLower(StrEnum):
    """How a leap is checked whose landing is lower than the level band."""

    JUMP_MODIFIER = "jump-modifier"
    PLAIN = "plain"


class JumpLanding(StrEnum):
    """How freely the landing of a jump down is chosen."""

    NEAREST = "nearest"
    """the nearest place outward from the lip, slid along it."""
    FREE = "free"
    """anywhere within reach in plan."""


class FallCompare(StrEnum):
    """Whether a fall is compared with the least height that hurts before it is rounded, or after."""

    BEFORE_ROUNDING = "before-rounding"
    AFTER_ROUNDING = "after-rounding"


class FallAgain(StrEnum):
    """What happens to a faller that lands next to another lip."""

    CHECK = "check"
    """a check, and a second fall on a fail."""
    SUM = "sum"
    """it keeps falling, the heights are added into one fall."""


class FallOnModel(StrEnum):
    """What a faller does to a model that it lands on."""

    HIT_BOTH = "hit-both"
    BESIDE = "beside"
    """it is placed next to the other, touching nobody."""


class EngagedAt(StrEnum):
    """What engages two enemies."""

    CONTACT = "contact"
    WITHIN = "within"
    """less than `engaged_within` apart, with nothing between that measuring does not cross."""


class InvoluntaryNear(StrEnum):
    """What is done with a model that was moved against its will too near an enemy."""

    MOVED_AWAY = "moved-away"
    INTO_CONTACT = "into-contact"
    NOTHING = "nothing"


class Narrow(StrEnum):
    """What a passage narrower than the base is."""

    BLOCKED = "blocked"
    CRAWL_THROUGH = "crawl-through"


class DuctwayEnemy(StrEnum):
    """What an enemy near the far mouth of a ductway does."""

    KEPT_FROM = "kept-from"
    """the way is open where a free place keeps the distance."""
    CLOSES = "closes"


class Rounding(StrEnum):
    """How a divided distance is rounded."""

    EXACT = "exact"
    UP = "up"
    DOWN = "down"


class Harm(StrEnum):
    """What comes of a failed hazard."""

    NOTHING = "nothing"
    OUT_OF_ACTION = "out-of-action"
    LASTING_INJURY = "out-of-action-and-lasting-injury"
    CATASTROPHIC_DRIVE = "catastrophic-hit-to-drive"
    PIECE = "as-the-piece-says"


class Allow(StrEnum):
    """What may be done with a part of a kind; the same words as ground's permits."""

    WALK = "walk"
    STAND = "stand"
    CLIMB = "climb"
    CROSS = "cross"
    LADDER = "ladder"
    RAIL = "rail"
    SLOPE = "slope"
    BARRED = "barred"


class Ground(StrEnum):
    """What moving over it is like."""

    OPEN = "open"
    DIFFICULT = "difficult"
    DANGEROUS = "dangerous"
    GAP = "gap"
    """a hole: leapt or fallen into."""


class ObstacleWhen(StrEnum):
    """When a part of this kind counts as an obstacle, given that it is within the pack's size limits."""

    NEVER = "never"
    FREE_STANDING = "free-standing"
    LOW = "low"
    """whatever it is fused to."""
    ALWAYS = "always"
    """whatever its size."""


class Cost(StrEnum):
    """What an action takes out of an activation."""

    FREE = "free"
    SIMPLE = "simple"
    BASIC = "basic"
    DOUBLE = "double"
    PHASE = "phase"
    """once, in its own phase of the turn."""


class Target(StrEnum):
    """What an action is aimed at."""

    NONE = "none"
    ENEMY = "enemy"
    MODEL = "model"
    ITEM = "item"
    DOOR = "door"
    DUCTWAY = "ductway"
    POINT = "point"


class Direction(StrEnum):
    """Which way the movement of an action goes."""

    FREE = "free"
    SHORTEST = "shortest"
    AWAY = "away"
    TOWARDS = "towards"


class Posture(StrEnum):
    """How a model of a status lies on the table."""

    STANDING = "standing"
    PRONE = "prone"
    VEHICLE = "vehicle"


class Procedure(StrEnum):
    """The few ways of moving that data cannot say; the moves room knows each by this name."""

    CRAWL_THROUGH = "crawl-through"
    DISENGAGE = "disengage"
    RETREAT = "retreat"
    CARRY = "carry"
    STAND_UP = "stand-up"
    OPERATE_DOOR = "operate-door"
    GRAPNEL = "grapnel"
    TELEPORT = "teleport"
    FLEE = "flee"
    NEAREST_LANDING = "nearest-landing"
    """a faller is set up at the nearest free place instead."""
    BOOSTER = "booster"
    """some inches of one step, leap, jump, crossing or difficult ground are left out, once."""
    ROCKET_JUMP = "rocket-jump"
    FLY = "fly"
    FLIGHT_PLATFORM = "flight-platform"
    EXTRA_MOVE = "extra-move"
    """a move outside the model's own activation, or free after another action."""
    DUCTWAYS_IN_MOVE = "ductways-in-move"
    EVENT = "event"
    """nothing that moves: recorded for the players."""
