"""What happened, as plain JSON: each with the rule that says so, the dice that decided, and what was measured."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict

from sandbox.errors import UserError
from sandbox.moves.answers import Json, Move, Ruling
from sandbox.moves.odds_tree import Event as Happened
from sandbox.moves.odds_tree import Happening, Throw
from sandbox.moves.words import length
from sandbox.play.words import called, has, say
from sandbox.rules import Pack

_BESIDE: dict[tuple[Happened, str], tuple[str, ...]] = {
    (Happened.HIT, "fall_hurts_from"): ("table.falling", "fall_hurts"),
    (Happened.FALL, "fall_status"): ("fall_landing",),
    (Happened.STANDS_UP, "engaged"): ("status.prone-pinned",),
}
"""rules that something rests on beside the one that it names."""
_THROWN: dict[str, tuple[str, ...]] = {
    "edge_check": ("edge_zone",),
    "fall_again": ("fall_again_zone",),
    "jump_check": ("jump_free_height",),
}
_MODIFIED: dict[str, tuple[str, ...]] = {
    "edge_check": ("rail_bonus", "rail_effect"),
    "jump_check": ("jump_modifier",),
    "leap_check": ("leap_lower",),
    "table.mishap": ("fall_hurts_from",),
}


_SQUEEZE = "squeeze"
"""target of an action that goes through an opening without a name."""


class Rolled(TypedDict):
    """One roll."""

    dice: str
    """``D6``, ``2D6``, ``direction`` (one of several ways, by number), ``angle`` (degrees from east)."""
    reason: str
    check: str | None
    """id of the check; None: it is none."""
    needed: int | None
    """least unmodified result that passes."""
    modifier: int
    result: int
    """as the dice showed it."""
    passed: bool | None


class Measured(TypedDict):
    """One measurement."""

    of: str
    """what: ``cost``, ``height``, ``pushed`` ..."""
    value: float
    limit: float | None
    unit: str
    """``in`` or ``degrees``."""


class Event(TypedDict, total=False):
    """One thing that happened, or was asked for and refused."""

    what: str
    """orders: activates, acts, refused ...; outcomes: as `sandbox.moves.odds_tree.Event` has them; ``rolled``."""
    who: str
    text: str
    """one sentence without the model's name."""
    rule: str
    rules: list[str]
    """further rules that it rests on."""
    source: str
    rolled: Rolled
    measured: Measured
    at: list[float]
    start: list[float]
    path: list[list[float]]
    """the way that was gone, inches."""
    hit: Json
    status: str
    open: int
    """id of the open event that it left to the players."""


def event(pack: Pack, what: str, who: str, text: str, rule: str, **more: Any) -> Event:
    """An event; its source is the rule's. more: further keys of `Event`; None is left out."""
    told: dict[str, Any] = {
        "what": what,
        "who": who,
        "text": text,
        "rule": rule,
        "source": source(pack, rule),
    }
    told.update({key: value for key, value in more.items() if value is not None})
    return told  # type: ignore[return-value]


def source(pack: Pack, rule: str) -> str:
    """Where a rule of the pack comes from; empty where the pack does not state it."""
    try:
        return pack.rule(rule).source
    except UserError:
        return ""


def measured(of: str, value: float, limit: float | None = None, unit: str = "in") -> Measured:
    """A measurement in its unit, to a hundredth of a millimetre."""
    return {
        "of": of,
        "value": round(value, 4) + 0.0,
        "limit": None if limit is None else round(limit, 4) + 0.0,
        "unit": unit,
    }


def of_happening(one: Happening) -> Event:
    """Something out of a tree of outcomes."""
    told = one.to_json()
    height = told.pop("height", None)
    if height is not None:
        told["measured"] = measured("height", height)
    if one.what is Happened.ENDS:
        told["text"] = say("turns", "cut-short")
    more = _BESIDE.get((one.what, one.rule), ())
    if one.status is not None and one.rule != f"status.{one.status}":
        more = (*more, f"status.{one.status}")
    if more:
        told["rules"] = list(more)
    return told  # type: ignore[return-value]


def _rules_of(throw: Throw) -> list[str]:
    """What a roll rests on beside its own rule: a modifier, a zone."""
    found = list(_THROWN.get(throw.rule, ()))
    if throw.modifier:
        found += _MODIFIED.get(throw.rule, ())
    return found


def passes(throw: Throw, face: int) -> bool | None:
    """Whether a result passes its check; None where it is no check."""
    if throw.check is None:
        return None
    return throw.needed is not None and face >= throw.needed


def of_throw(throw: Throw, face: int, passed: bool | None) -> Event:
    """A roll; passed: None where nothing hangs on it but a number."""
    return {
        "what": "rolled",
        "who": throw.who,
        "text": _rolled(throw, face, passed),
        "rule": throw.rule,
        "rules": _rules_of(throw),
        "source": throw.source,
        "rolled": {
            "dice": throw.dice,
            "reason": throw.reason,
            "check": throw.check,
            "needed": throw.needed,
            "modifier": throw.modifier,
            "result": face,
            "passed": passed,
        },
    }


def reason_words(throw: Throw) -> str:
    """What a roll is for."""
    return called("reasons", throw.reason, reason=throw.reason.replace("-", " "))


def asked_words(throw: Throw) -> str:
    """A roll that is waited for."""
    reason = reason_words(throw)
    if throw.check is None:
        return reason
    name = "asked-hopeless" if throw.needed is None else "asked-needed"
    return say("rolls", name, check=called("checks", throw.check), reason=reason, needed=throw.needed)


def _rolled(throw: Throw, face: int, passed: bool | None) -> str:
    """A roll in words."""
    filled = {"dice": throw.dice, "face": face, "reason": reason_words(throw)}
    if throw.check is None:
        plain = {"angle": "angle", "direction": "direction"}.get(throw.dice, "number")
        return say("rolls", plain if passed is None else "enough" if passed else "short", **filled)
    name = "check-hopeless" if throw.needed is None else "check-modified" if throw.modifier else "check"
    return say(
        "rolls",
        name,
        check=called("checks", throw.check),
        needed=throw.needed,
        modifier=f"{throw.modifier:+d}",
        verdict=say("rolls", "passed" if passed else "failed"),
        **filled,
    )


def of_ruling(pack: Pack, who: str, ruling: Ruling) -> Event:
    """A ruling that refused something."""
    told = event(pack, "refused", who, ruling.text, ruling.rule)
    told["source"] = ruling.source or told["source"]
    if ruling.measured is not None:
        told["measured"] = measured(ruling.rule, ruling.measured, ruling.limit)
    return told


def action_words(action: str, target: str | None, *, declared: bool = False) -> str:
    """What somebody does who takes an action; declared: who only set out to."""
    group = "declares" if declared else "actions"
    alone = f"{action}-alone"
    name = alone if target in (None, _SQUEEZE) and has(group, alone) else action
    return called(group, name, action=action.replace("-", " "), target=target or "")


def of_move(
    pack: Pack, move: Move, rules: Iterable[str], *, gone: float | None, target: str | None = None
) -> Event:
    """A move that was made; gone: inches that were paid, None where it ended otherwise than intended."""
    spent = (move.cost if gone is None else gone) or 0.0
    text = action_words(move.action, target, declared=gone is None)
    if move.allowance or spent:
        text = say("acts", "gone", does=text, spent=f"{spent:.2f}", allowance=length(move.allowance))
    section = "action" if move.action in pack.file.actions else "skill"
    return event(
        pack,
        "acts",
        move.fighter,
        text,
        f"{section}.{move.action}",
        rules=list(rules),
        measured=measured("cost", spent, move.allowance),
    )
