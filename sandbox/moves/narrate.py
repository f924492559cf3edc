"""One move told in sentences, with its rulings; the sentences themselves are in `sentences.yaml`."""

from __future__ import annotations

from sandbox.moves.answers import Check, Leg, LegKind, Move, Ruling
from sandbox.moves.words import action_words, chance, length, sentence, source_words

_SAME = 0.005
"""inches: a price this near the length is the length."""


def tell(move: Move, *, cited: bool = True, driven: bool = False) -> tuple[str, ...]:
    """The whole move, one sentence an entry: what comes of it, its legs with their checks, its rulings.

    cited: rulings name their rule and where it comes from, and the reading that would change them. driven: by a vehicle.
    """
    told = list(_outcome(move))
    heading = None
    for leg in move.legs:
        if leg.facing is not None and heading is not None and leg.facing != heading:
            told.append(sentence("turn", facing=f"{leg.facing:.1f}".rstrip("0").rstrip(".")))
        heading = leg.facing
        told.append(tell_leg(leg, driven=driven))
        told.extend(tell_check(c) for c in leg.checks)
    on_legs = {id(c) for leg in move.legs for c in leg.checks}
    told.extend(tell_check(c) for c in move.checks if id(c) not in on_legs)
    told.extend(tell_ruling(r) if cited else f"{_capital(r.text)}." for r in move.rulings)
    return tuple(told)


def _outcome(move: Move) -> tuple[str, ...]:
    action = action_words(move.action)
    names = {"fighter": move.fighter, "action": action, "allowance": length(move.allowance)}
    if move.legal and move.cost is not None:
        first = sentence("move", "legal", cost=length(move.cost), **names)
        if not move.checks:
            return first, sentence("move", "certain")
        return first, sentence("move", "chance", chance=chance(move.success or 0.0))
    first = sentence("move", "refused", **names)
    if move.cost is None:
        return (first,)  # the rulings say why, and where no way was found at all
    return first, sentence("move", "cheapest", cost=length(move.cost), **names)


def tell_leg(leg: Leg, *, driven: bool = False) -> str:
    """One leg and its price; driven: by a vehicle."""
    name = "drive" if driven and leg.kind is LegKind.WALK else leg.kind.value
    if leg.kind in (LegKind.CLIMB, LegKind.LADDER) and leg.down > leg.up:
        name += "-down"
    text = sentence(
        "legs", name, length=length(leg.length), height=length(max(leg.up, leg.down)), gap=length(leg.gap)
    )
    extra = leg.cost - leg.length
    notes = [n for n in leg.notes if n != "difficult" or extra > _SAME]
    if notes:
        text += " (" + ", ".join(sentence("notes", n, extra=length(extra)) for n in notes) + ")"
    if abs(extra) <= _SAME:
        return sentence("costs", "same", leg=text)
    return sentence("costs", "priced", leg=text, cost=length(leg.cost))


def tell_check(check: Check) -> str:
    """What has to be rolled, and what a fail does."""
    told = [sentence(
        "checks", check.reason.value, check=sentence("check-kinds", check.kind.value), needed=check.needed,
        chance=chance(check.chance),
    )]  # fmt: skip
    if check.modifier:
        told.append(sentence("checks", "modified", modifier=f"{check.modifier:+d}"))
    if check.chance <= 0.0:
        told.append(sentence("checks", "impossible"))
    told.append(sentence("checks", "on-fail", happens=check.on_fail.happens.rstrip(".") + "."))
    return " ".join(told)


def tell_ruling(ruling: Ruling) -> str:
    """A ruling with its source, and the setting that would change it."""
    text = _capital(ruling.text)
    told = sentence("rulings-lead", text=text, rule=ruling.rule, source=source_words(ruling.source or "-"))
    if ruling.setting is not None:
        told += " " + sentence("setting", setting=ruling.setting, reading=ruling.reading)
    return told


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
