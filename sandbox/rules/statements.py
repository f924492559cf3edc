"""Rules without a number that every pack words: the ids that rulings use beside the constants."""

from __future__ import annotations

from enum import StrEnum


class RuleName(StrEnum):
    """Statements that a pack has to hold, because a ruling may name them."""

    ALLOWANCE = "allowance"
    """how far a model may go."""
    FLAT_GROUND = "flat_ground"
    """where a move may start and end."""
    NO_OVERLAP = "no_overlap"
    HEADROOM = "headroom"
    ROOM = "room"
    """solid things in the way of the body."""
    IMPASSABLE = "impassable"
    NOT_CLIMBABLE = "not_climbable"
    OTHER_MODELS = "other_models"
    OFF_BOARD = "off_board"
    CEILING = "ceiling"
    NO_WAY = "no_way"
    """nothing leads there within what is looked for."""
    ACTION = "action"
    """an action that the pack or the model's state does not give."""
    TARGET = "target"
    CHARGE = "charge"
    ENGAGED = "engaged"
    RAILING = "railing"
    """crossing a railing at a lip."""
    LANDING = "landing"
    MEASURING = "measuring"
