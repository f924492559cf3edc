"""One move told step by step: each with what was measured, the rule that it hangs on, and what a picture of it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from sandbox.errors import UserError
from sandbox.files.sentences import translated
from sandbox.moves.answers import Json, Leg, LegKind, Move, Reason, Ruling
from sandbox.moves.fails import status_words
from sandbox.moves.narrate import tell_check, tell_leg
from sandbox.moves.odds_words import tell_odds
from sandbox.moves.words import action_words, chance, length, source_words
from sandbox.play.naming import Names
from sandbox.rules import ActionRules, Pack
from sandbox.rules.values import value_text
from sandbox.teach.glossary import Glossary
from sandbox.teach.instead import Instead, Reading, instead, place_words, readings
from sandbox.teach.known import Facts
from sandbox.teach.rule_words import rule_words
from sandbox.teach.words import listed, say, sentence_of

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

Place = tuple[float, float, float | None]

_SAME = 0.006
"""inches: sums that agree this well are told as a sum."""

LEG_RULES: dict[LegKind, tuple[str, ...]] = {
    LegKind.WALK: (),
    LegKind.CLIMB: ("climb_cost",),
    LegKind.LADDER: ("ladder_cost",),
    LegKind.LEAP: ("gap_free",),
    LegKind.JUMP_DOWN: ("jump_height_cost",),
    LegKind.CROSS: ("cross_cost",),
    LegKind.DUCTWAY: ("ductway_length",),
    LegKind.SCRAMBLE: ("rough_ground",),
    LegKind.SQUEEZE: ("narrow",),
    LegKind.GRAPNEL: ("action.grapnel",),
    LegKind.FLY: (),
    LegKind.TELEPORT: ("action.teleport",),
}
"""what prices each kind of leg, as rule ids."""
NOTE_RULES = {
    "difficult": "difficult_cost",
    "difficult-once": "difficult_once",
    "dangerous": "dangerous_check",
    "obstacle": "cross_cost",
    "rail": "rail_max",
    "over-difficult": "leap_over_difficult",
}
"""what prices what is met on a leg."""
CHECK_RULES: dict[Reason, tuple[str, ...]] = {
    Reason.LEAP: ("leap_check",),
    Reason.JUMP_DOWN: ("jump_check",),
    Reason.CLIMB: ("climb_check", "climb_fail"),
    Reason.LADDER: ("ladder_check",),
    Reason.DANGEROUS: ("dangerous_check", "dangerous_fail"),
    Reason.SCRAMBLE: ("scramble_check",),
    Reason.DISTANCE: ("stop_short",),
    Reason.CHARGE: ("charge",),
}
MODIFIER_RULES = {
    Reason.JUMP_DOWN: ("jump_free_height", "jump_step", "jump_modifier"),
    Reason.LEAP: ("leap_lower", "jump_free_height", "jump_step", "jump_modifier"),
}


class Part(StrEnum):
    """Which part of the telling a step is."""

    START = "start"
    WHY = "why"
    """a ruling that forbids the move."""
    LEG = "leg"
    END = "end"


@dataclass(frozen=True)
class Stated:
    """A rule as its pack states it."""

    rule: str
    text: str
    source: str
    """document and section, or in words where it comes from no document."""
    value: str = ""
    """the number or word that is played with, in words; empty for what has none."""

    def to_json(self) -> Json:
        """Keys rule, text, source, value."""
        return {"rule": self.rule, "text": self.text, "source": self.source, "value": self.value}


@dataclass(frozen=True)
class Step:
    """One step of the telling."""

    part: Part
    title: str
    text: tuple[str, ...]
    """sentences."""
    measures: tuple[str, ...]
    """what was measured and how it adds up, in sentences."""
    rules: tuple[Stated, ...]
    leg: Leg | None = None
    """the stretch that it is about, for its picture."""
    ruling: Ruling | None = None
    """what forbids the move, for its picture."""

    def to_json(self) -> Json:
        """Keys part, title, text, measures, rules."""
        return {
            "part": self.part.value,
            "title": self.title,
            "text": list(self.text),
            "measures": list(self.measures),
            "rules": [rule.to_json() for rule in self.rules],
        }


@dataclass(frozen=True)
class Explanation:
    """One move, explained."""

    move: Move
    steps: tuple[Step, ...]
    readings: tuple[Reading, ...]
    """readings of open settings that would allow a refused move, tried out."""
    instead: tuple[Instead, ...]
    """what can be done instead of a refused move, the most useful first."""
    words: tuple[str, ...] = ()
    """what words mean that a newcomer cannot know."""
    name: str = ""
    """what the fighter is called; empty: by its id."""

    @property
    def head(self) -> str:
        """One line: what comes of it."""
        return say(
            "explain",
            "legal-head" if self.move.legal else "refused-head",
            fighter=self.name or self.move.fighter,
            action=action_words(self.move.action),
        )

    def to_json(self) -> Json:
        """The move's keys, and steps, readings, instead, words."""
        return {
            **self.move.to_json(),
            "steps": [step.to_json() for step in self.steps],
            "readings": [one.to_json() for one in self.readings],
            "instead": [one.to_json() for one in self.instead],
            "words": list(self.words),
        }


def explain(
    field: Battlefield,
    fighter: str,
    to: Place,
    action: str = "move",
    target: str | None = None,
    facing: float | None = None,
) -> Explanation:
    """One move of a fighter to a place (inches), explained. UserError: no such fighter or target."""
    moves = field.moves(fighter, action, target=target)
    move = moves.to(*to, facing=facing)
    if move.legal:
        told = Explanation(move, tuple(_legal(field, move)), (), ())
    else:
        read = readings(field, move, to, target, facing)
        told = Explanation(move, tuple(_refused(field, move)), read, instead(field, moves, move, to, facing))
    told = _with_names(told, Names(field.scene))
    return replace(told, words=Glossary((Facts(field, {}),)).explain(_said(told)))


def _with_names(told: Explanation, names: Names) -> Explanation:
    """An explanation that calls fighters and things by their names instead of their ids."""
    return replace(
        told,
        steps=tuple(
            replace(
                step,
                text=tuple(map(names.within, step.text)),
                measures=tuple(map(names.within, step.measures)),
            )
            for step in told.steps
        ),
        readings=tuple(replace(one, text=names.within(one.text)) for one in told.readings),
        instead=tuple(replace(one, text=names.within(one.text)) for one in told.instead),
        name=names.of(told.move.fighter),
    )


def _said(told: Explanation) -> Iterator[str]:
    """All words of an explanation."""
    for step in told.steps:
        yield from (step.title, *step.text, *step.measures, *(rule.text for rule in step.rules))
    yield from (one.text for one in told.readings)
    yield from (one.text for one in told.instead)


def explain_move(field: Battlefield, move: Move) -> Explanation:
    """A move that was already asked about, without what could be done instead."""
    steps = _legal(field, move) if move.legal else _refused(field, move)
    return Explanation(move, tuple(steps), (), ())


def stated(pack: Pack, rule_id: str) -> Stated | None:
    """A rule of a pack in words; None where the pack has no such rule."""
    try:
        rule = pack.rule(rule_id)
    except (KeyError, UserError):
        return None
    value = value_text(rule.value, _unit(rule.unit))
    return Stated(rule.id, rule_words(pack, rule), cited(pack, rule.source), value)


def cited(pack: Pack, source: str) -> str:
    """Where a rule comes from: a document by its title, with the section; in words where it comes from no document."""
    document, comma, section = source.partition(", ")
    title = pack.file.documents.get(document, "").partition(" (")[0]
    if not comma or not title:
        return source_words(source)
    return section if title == section else f"{title}: {section}"


def _unit(unit: str) -> str:
    """A unit as a new reader wants it: what is so much for each inch needs none."""
    return "" if " for " in unit else unit


def _stated(pack: Pack, ids: Iterator[str] | tuple[str, ...]) -> tuple[Stated, ...]:
    found = (stated(pack, one) for one in dict.fromkeys(ids))
    return tuple(one for one in found if one is not None)


def _legal(field: Battlefield, move: Move) -> Iterator[Step]:
    yield _start(field, move)
    yield from _legs(field, move)
    told = [say("explain", "done", cost=length(move.cost or 0.0), allowance=length(move.allowance))]
    if move.checks:
        told.append(say("explain", "chance", chance=chance(move.success or 0.0)))
        told.append(say("explain", "odds"))
        told += tell_odds(field.odds(move))
    else:
        told.append(say("explain", "certain"))
    if move.ends_as is not None:
        told.append(say("explain", "ends-as", fighter=move.fighter, status=status_words(move.ends_as)))
    told += [sentence_of(translated(event)) for event in move.events]
    yield Step(Part.END, say("titles", "result"), tuple(told), (), ())


def _refused(field: Battlefield, move: Move) -> Iterator[Step]:
    yield _start(field, move)
    for ruling in move.rulings:
        measures: tuple[str, ...] = ()
        if ruling.measured is not None and ruling.limit is not None and not _told(ruling):
            name = "measured" if ruling.limit else "measured-none"
            known = {"measured": length(ruling.measured), "limit": length(ruling.limit)}
            measures = (say("measures", name, **known),)
        yield Step(
            Part.WHY,
            say("explain", "why"),
            (sentence_of(ruling.text),),
            measures,
            _stated(field.pack, (ruling.rule,)),
            ruling=ruling,
        )
    if move.legs:
        yield from _legs(field, move)


def _told(ruling: Ruling) -> bool:
    """Whether a ruling's own words hold its numbers."""
    return any(c.isdigit() for c in ruling.text)


def _start(field: Battlefield, move: Move) -> Step:
    pack = field.pack
    action = field.fighter(move.fighter).rules.action(move.action)
    known = stated(pack, f"action.{move.action}") or stated(pack, f"skill.{move.action}")
    name = action_words(move.action)
    told = [say("explain", "action", fighter=move.fighter, place=place_words(move.to), action=name)]
    if move.allowance > 0.0 and isinstance(action, ActionRules):
        name = "start" if move.legal else "start-refused"
        summed = _sum(action, field.fighter(move.fighter).rules.profile)
        told.append(say("explain", name, fighter=move.fighter, allowance=length(move.allowance), sum=summed))
    if not move.legal:
        told.append(say("explain", "refused", fighter=move.fighter, action=action_words(move.action)))
    distances = [c for c in move.checks if c.reason in (Reason.DISTANCE, Reason.CHARGE, Reason.RETREAT)]
    told += [tell_check(check) for check in distances]
    if not move.legal and move.cost is not None:
        over = move.cost - move.allowance
        only_long = all(r.rule == "allowance" for r in move.rulings)
        name = "too-long" if only_long and over > 0 else "cheapest" if move.legs else "cheapest-untold"
        told.append(say("explain", name, over=length(over), cost=length(move.cost)))
    sources = [known] if known is not None else []
    sources += [one for check in distances for one in _stated(pack, CHECK_RULES.get(check.reason, ()))]
    return Step(Part.START, say("explain", "here"), tuple(told), (), tuple(sources))


def _sum(action: ActionRules, profile: Mapping[str, float]) -> str:
    """How an allowance comes about, in words: ``M + D3, and M is 5``; empty where nothing is to be said."""
    texts = [roll.text for roll in action.moves]
    stats = [s for s in profile if any(re.search(rf"\b{s}\b", text) for text in texts)]
    if not stats:
        return ""
    known = listed([say("explain", "stat", stat=s, value=f"{profile[s]:g}") for s in stats])
    whole = texts[0]
    for text in texts[1:]:
        whole = say("explain", "one-move", first=whole, second=text)
    if whole in stats:
        return say("explain", "stat-only", stats=known)
    return say("explain", "sum", sum=whole, stats=known)


def _legs(field: Battlefield, move: Move) -> Iterator[Step]:
    used = 0.0
    width = field.fighter(move.fighter).base.half_short * 2
    driven = field.fighter(move.fighter).drives
    for leg in _merged(move.legs):
        used += leg.cost
        name = "drive" if driven and leg.kind is LegKind.WALK else leg.kind.value
        if leg.kind in (LegKind.CLIMB, LegKind.LADDER) and leg.down > leg.up:
            name += "-down"
        rules = list(LEG_RULES[leg.kind])
        rules += [NOTE_RULES[note] for note in leg.notes if note in NOTE_RULES]
        for check in leg.checks:
            rules += CHECK_RULES.get(check.reason, ())
            if check.modifier and check.reason in MODIFIER_RULES:
                rules += MODIFIER_RULES[check.reason]
        price = _price(field, move, leg)
        measures = [] if price is None else [price]
        if leg.kind is LegKind.LEAP and leg.gap:
            measures.insert(0, say("measures", "leap", gap=length(leg.gap), base=length(width)))
        beyond = used > move.allowance + _SAME
        measures.append(
            say(
                "measures",
                "used-beyond" if beyond else "used",
                used=length(used),
                allowance=length(move.allowance),
            )
        )
        text = (tell_leg(leg, driven=driven), *(tell_check(check) for check in leg.checks))
        yield Step(
            Part.LEG, say("titles", name), text, tuple(measures), _stated(field.pack, tuple(rules)), leg=leg
        )


def _price(field: Battlefield, move: Move, leg: Leg) -> str | None:
    """How a leg's price adds up; None where it is its length and nothing else."""
    extra = leg.cost - leg.length
    height = max(leg.up, leg.down)
    movement = field.fighter(move.fighter).rules.movement
    if leg.kind in (LegKind.CLIMB, LegKind.LADDER) and height > 0.0:
        price = movement.climb_cost if leg.kind is LegKind.CLIMB else movement.ladder_cost
        plan = leg.length - height
        if abs(plan + price * height - leg.cost) <= _SAME:
            name = "climb" if plan > _SAME else "climb-straight"
            return say(
                "measures", name, height=length(height), price=f"{price:g} in", paid=length(price * height),
                plan=length(plan), cost=length(leg.cost),
            )  # fmt: skip
    if leg.kind is LegKind.JUMP_DOWN and abs(leg.length - height - leg.cost) <= _SAME:
        return say("measures", "jump", height=length(height), plan=length(leg.cost))
    if abs(extra) <= _SAME:
        return None
    name = "priced" if extra > 0 else "cheaper"
    return say("measures", name, length=length(leg.length), extra=length(extra), cost=length(leg.cost))


def _merged(legs: tuple[Leg, ...]) -> list[Leg]:
    """Legs in a row that are only walked are one."""
    answer: list[Leg] = []
    for leg in legs:
        last = answer[-1] if answer else None
        if (
            last is not None
            and last.kind is leg.kind is LegKind.WALK
            and not (last.checks or leg.checks)
            and set(last.notes) == set(leg.notes)
        ):
            path = (*(last.path or (last.start, last.end)), *(leg.path or (leg.start, leg.end)))
            answer[-1] = replace(
                last,
                end=leg.end,
                length=last.length + leg.length,
                cost=last.cost + leg.cost,
                up=last.up + leg.up,
                down=last.down + leg.down,
                path=path,
                rays=(*last.rays, *leg.rays),
            )
        else:
            answer.append(leg)
    return answer
