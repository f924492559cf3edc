"""Statuses: worked out from where everybody is, what each may do and what it stops, and when they end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from sandbox.files.sentences import translated
from sandbox.moves.answers import Json, Ruling
from sandbox.moves.engagement import Engaged, Engaging
from sandbox.moves.fails import status_words
from sandbox.moves.falling import Falling
from sandbox.moves.falling_ground import Site
from sandbox.moves.falling_state import state_of
from sandbox.moves.odds_tree import Happening, Tree
from sandbox.moves.placed import Placed
from sandbox.moves.words import sentence
from sandbox.rules import Pack, Refusal
from sandbox.rules.words import Posture

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield


class Secondary(StrEnum):
    """What follows for a standing model from where its enemies are."""

    ACTIVE = "active"
    ENGAGED = "engaged"


@dataclass(frozen=True)
class Status:
    """The status of one model, worked out."""

    fighter: str
    statuses: tuple[str, ...]
    """the pack's status and what lies over it, after what follows at once."""
    posture: Posture
    secondary: Secondary | None
    """Active or Engaged while it stands ready; None while it lies, is stunned, or is a vehicle."""
    words: str
    """``Standing and Engaged``, ``Prone and Pinned``."""
    engaged: tuple[Engaged, ...]
    """the enemies that it is engaged with."""
    choices: tuple[Engaged, ...]
    """vehicles that it may choose to be engaged with."""
    facing: float | None
    """degrees; None for models without a facing or an arc."""
    blocks_sight: bool
    kept_from: bool
    """enemies keep the pack's distance from it."""
    may: tuple[str, ...]
    """actions that it may take."""
    may_not: tuple[Ruling, ...]
    """why it may not take the others, one ruling for each."""
    changes: tuple[Happening, ...] = ()
    """what followed at once from where the models are."""

    def to_json(self) -> Json:
        """Keys fighter, statuses, posture, secondary, words, engaged, choices, facing, blocks_sight, kept_from, may,
        may_not, changes."""
        return {
            "fighter": self.fighter,
            "statuses": list(self.statuses),
            "posture": self.posture.value,
            "secondary": None if self.secondary is None else self.secondary.value,
            "words": self.words,
            "engaged": [_engaged_json(e) for e in self.engaged],
            "choices": [_engaged_json(e) for e in self.choices],
            "facing": self.facing,
            "blocks_sight": self.blocks_sight,
            "kept_from": self.kept_from,
            "may": list(self.may),
            "may_not": [ruling.to_json() for ruling in self.may_not],
            "changes": [one.to_json() for one in self.changes],
        }


def _engaged_json(one: Engaged) -> Json:
    return {
        "enemy": one.enemy,
        "how": one.how.value,
        "distance": round(one.distance, 4),
        "modifier": one.modifier,
        "rule": one.rule,
        "source": one.source,
    }


@dataclass(frozen=True)
class Settled:
    """Everybody's status, worked out."""

    placed: tuple[Placed, ...]
    """with the rules of what they are now."""
    engaged: tuple[Engaged, ...]
    changes: tuple[Happening, ...]


def settle(field: Battlefield, placed: Sequence[Placed]) -> Settled:
    """Work out statuses from where models are: who is engaged, and who stands up because of it.

    To be asked again whenever something moved, at the latest when an activation ends.
    """
    engaging = Engaging(field)
    now, told = Falling(Site(field), engaging).stood_up(state_of(placed))
    standing = tuple(now[one.id].placed for one in placed)
    found = engaging.all(standing)
    settled = []
    for one in standing:
        enemies = tuple(e.enemy for e in found if e.who == one.id and not e.chosen)
        rules = field.rules_of(one.fighter, one.rules.statuses, engaged=True) if enemies else one.rules
        settled.append(replace(one, rules=rules, engaged_with=enemies))
    return Settled(tuple(settled), found, told)


def status(field: Battlefield, one: Placed) -> Status:
    """The status of one model of a battlefield."""
    pack = field.pack
    rows = [pack.status(s) for s in one.rules.statuses]
    engaged = tuple(e for e in field.settled.engaged if e.who == one.id)
    secondary = None
    if one.rules.posture is Posture.STANDING and all(row.engages for row in rows):
        secondary = Secondary.ENGAGED if one.engaged_with else Secondary.ACTIVE
    may, may_not = [], []
    for action, found in one.rules.actions.items():
        if isinstance(found, Refusal):
            may_not.append(Ruling(found.rule, found.text, source=found.source))
        else:
            may.append(action)
    return Status(
        fighter=one.id,
        statuses=one.rules.statuses,
        posture=one.rules.posture,
        secondary=secondary,
        words=_words(one.rules.statuses, secondary),
        engaged=tuple(e for e in engaged if not e.chosen),
        choices=tuple(e for e in engaged if e.chosen),
        facing=one.base.facing if all(row.faces for row in rows) else None,
        blocks_sight=all(row.blocks_sight for row in rows),
        kept_from=all(row.kept_from for row in rows),
        may=tuple(may),
        may_not=tuple(may_not),
        changes=tuple(h for h in field.settled.changes if h.who == one.id),
    )


def _words(statuses: Sequence[str], secondary: Secondary | None) -> str:
    told = [status_words(s) for s in statuses]
    if secondary is not None:
        told.insert(1, translated(secondary.value.capitalize()))
    first = told[0] if len(told) < 2 else sentence("statuses", first=told[0], second=told[1])
    return ", ".join((first, *told[2:]))


def becomes(field: Battlefield, one: Placed, status_id: str) -> Tree:
    """What can happen when a model gets a status where it is: next to a lip it may fall. UserError: no such status."""
    (base, *overlays) = field.pack.status_ids(status_id)
    falling = Falling(Site(field), Engaging(field))
    state = state_of(field.fighters)
    if overlays:
        state = falling.with_overlays(state, one.id, tuple(overlays))
    return falling.becomes(state, one.id, base, f"status.{base}", falling.finish(one.id))


def falls(field: Battlefield, one: Placed) -> Tree:
    """What can happen when a model loses its footing where it is."""
    falling = Falling(Site(field), Engaging(field))
    return falling.fall(state_of(field.fighters), one.id, falling.finish(one.id))


def turn_ends(pack: Pack, statuses: Sequence[str], given: Sequence[str] = ()) -> tuple[str, ...]:
    """A model's statuses after its turn has ended; given: those that something it has gives (a treasure)."""
    kept = [s for s in statuses if pack.status(s).ends_with != "turn" or s in given]
    return tuple(kept) or (pack.file.default_status,)


def recovers(pack: Pack, statuses: Sequence[str]) -> tuple[str, ...]:
    """A model's statuses after it has recovered; the same where it has nothing to recover from."""
    found: list[str] = []
    for one in statuses:
        found.extend(pack.status(one).recovers_as or (one,))
    return tuple(dict.fromkeys(found))
