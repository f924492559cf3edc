"""What a failed check does: falls with their height, landing and hit, and the rest in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sandbox.files.sentences import translated
from sandbox.moves.answers import Check, Hit, OnFail, Point
from sandbox.moves.prices import Test
from sandbox.moves.words import length, sentence
from sandbox.rules import FighterRules, Pack, falls
from sandbox.rules.words import Harm, Posture


@dataclass(frozen=True)
class Landing:
    """Where a fall ends, before the rules have their say. Inches."""

    height: float
    """floor to floor."""
    at: Point | None
    """None: nowhere to rest."""


def hit_of(pack: Pack, rules: FighterRules, height: float) -> Hit | None:
    """The hit of a fall of that height, inches; None where it does not hurt, or nothing is below (inf)."""
    table = pack.file.tables.falling
    if table is None or not math.isfinite(height) or not rules.movement.fall_is_a_hit(height):
        return None
    found = falls.hit(table, rules.movement.fall_height(height))
    return None if found is None else Hit(found.S, found.AP, found.D)


def status_words(status_id: str) -> str:
    """A status as a sentence has it: ``Prone and Seriously Injured``, ``Tried to engage``."""
    first, _, rest = status_id.partition("-")
    if first != Posture.PRONE.value or not rest:
        return translated(status_id.replace("-", " ").capitalize())
    return translated(f"{first.capitalize()} and {rest.replace('-', ' ').title()}")


def fall(pack: Pack, rules: FighterRules, landing: Landing) -> OnFail:
    """A fall that ends there."""
    hit = hit_of(pack, rules, landing.height)
    if landing.at is None and rules.movement.fall_nowhere is not Harm.NOTHING:
        return OnFail(
            sentence("fails", "fall-nowhere", height=length(landing.height))
            if math.isfinite(landing.height)
            else sentence("fails", "fall-nothing"),
            landing.height,
            None,
            hit,
        )
    words = "fall" if hit is None else "fall-hit"
    if pack.file.tables.mishap is not None and rules.movement.fall_hurts:
        words = "fall-mishap"  # what it comes to is rolled for, not stated
    ends = sentence("fails", "activation-ends") if rules.movement.fall_ends_activation else ""
    happens = sentence(
        "fails",
        words,
        height=length(landing.height),
        hit=hit,
        status=status_words(rules.movement.fall_status),
        ends=ends,
    )
    return OnFail(happens, landing.height, landing.at, hit)


def harm(rules: FighterRules) -> OnFail:
    """Failing on dangerous ground."""
    return OnFail(sentence("fails", f"harm-{rules.movement.dangerous_fail.value}"))


def check(test: Test, on_fail: OnFail) -> Check:
    """A test with what its fail does."""
    return Check(test.kind, test.reason, test.needed, test.modifier, test.chance, on_fail, test.source)
