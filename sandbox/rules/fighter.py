"""The rules for one model: numbers after its skills, gear and tags, and its actions or why it has them
not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from sandbox.errors import UserError
from sandbox.files.mistakes import suggestion
from sandbox.files.sentences import told_in, translated
from sandbox.rules.formula import Roll, evaluate
from sandbox.rules.movement import MovementRules
from sandbox.rules.schema import ActionRow, Change, Entry, GrantedProcedure
from sandbox.rules.words import Allow, Ground, Posture, Procedure, Rounding

if TYPE_CHECKING:
    from sandbox.rules.pack import Pack


@dataclass(frozen=True)
class Refusal:
    """Why something is not allowed; the twin of every "may it?"."""

    rule: str
    """rule id."""
    text: str
    source: str


@dataclass(frozen=True)
class ActionRules:
    """One action as one model takes it."""

    id: str
    row: ActionRow
    moves: tuple[Roll, ...]
    """the lengths of its Moves, inches, after everything that changes them; empty: it goes no distance of
    its own."""

    @property
    def allowance(self) -> float:
        """Inches altogether; where dice decide, the most that it can be."""
        return sum(move.most for move in self.moves)


@dataclass(frozen=True)
class Used:
    """A skill, a piece of gear or a tag that bears on this model."""

    id: str
    """rule id: ``skill.clamber``."""
    entry: Entry


@dataclass(frozen=True, eq=False)
class FighterRules:
    """Everything that the rules say about one model's movement."""

    movement: MovementRules
    """the pack's numbers, changed by what the model has."""
    profile: Mapping[str, float]
    statuses: tuple[str, ...]
    """its status and what lies over it."""
    posture: Posture
    height: float
    """where the scene states none: the pack's, by posture."""
    used: tuple[Used, ...]
    ignored: tuple[str, ...]
    """names that this pack does not know."""
    forbidden: frozenset[Allow]
    """what it may not do with any part, by its tags."""
    ignores: frozenset[Ground]
    """ground that costs it nothing extra."""
    changed_by: Mapping[str, tuple[str, ...]]
    """for each changed constant the rule ids of what changed it."""
    _actions: Mapping[str, ActionRules | Refusal]
    _unknown_action: Refusal
    """what is said of an action that the pack has not."""

    def action(self, action_id: str) -> ActionRules | Refusal:
        """The action as this model takes it, or why it cannot."""
        found = self._actions.get(action_id)
        if found is not None:
            return found
        listed = suggestion(action_id, self._actions)
        unknown = self._unknown_action
        return Refusal(
            unknown.rule, _say("unknown", text=unknown.text, action=action_id, listed=listed), unknown.source
        )

    @property
    def actions(self) -> Mapping[str, ActionRules | Refusal]:
        """All actions of the pack."""
        return self._actions

    def procedure(self, name: Procedure) -> tuple[Used, GrantedProcedure] | None:
        """The procedure that one of its skills or pieces of gear gives, with where it comes from."""
        for used in self.used:
            for granted in used.entry.procedures:
                if granted.name is name:
                    return used, granted
        return None


def fighter_rules(
    pack: Pack,
    profile: Mapping[str, float],
    skills: Sequence[str],
    gear: Sequence[str],
    tags: Sequence[str],
    status: str | list[str] | tuple[str, ...] | None,
    *,
    engaged: bool,
    strict: bool,
) -> FighterRules:
    """See `Pack.for_fighter`; profile: by characteristic, inches or what a die has to show."""
    ignored: list[str] = []
    used = [
        *_entries(pack, "tag", tags, pack.file.tags, ignored, strict),
        *_entries(pack, "skill", skills, pack.file.skills, ignored, strict),
        *_entries(pack, "gear", gear, pack.file.gear, ignored, strict),
    ]
    statuses = _statuses(pack, status, ignored, strict)
    given = (overlay for one in used for overlay in one.entry.gives_status)
    statuses = tuple(dict.fromkeys((*statuses, *given)))
    stats = _profile(pack, profile, ignored, strict)
    constants = {field.name: getattr(pack.movement, field.name) for field in fields(MovementRules)}
    actions = dict(pack.file.actions)
    changed_by: dict[str, tuple[str, ...]] = {}
    for one in used:
        for change in one.entry.changes:
            _apply(change, constants, stats, actions)
            changed_by[change.change] = (*changed_by.get(change.change, ()), one.id)
    movement = MovementRules.of(constants)
    posture = _posture(pack, statuses)
    names = {one.id.partition(".")[2] for one in used}
    slowed = any(pack.status(s).slowed for s in statuses)
    return FighterRules(
        movement=movement,
        profile=stats,
        statuses=statuses,
        posture=posture,
        height=movement.prone_height if posture is Posture.PRONE else movement.standing_height,
        used=tuple(used),
        ignored=tuple(ignored),
        forbidden=frozenset(allow for one in used for allow in one.entry.forbid),
        ignores=frozenset(ground for one in used for ground in one.entry.ignores),
        changed_by=changed_by,
        _actions={
            key: _refusal(pack, key, row, statuses, names, engaged=engaged)
            or ActionRules(key, row, _moves(row, stats, movement, slowed=slowed))
            for key, row in actions.items()
        },
        _unknown_action=Refusal("action", f"{pack.id} has no action", pack.rule("action").source),
    )


def _entries(
    pack: Pack,
    section: str,
    given: Sequence[str],
    known: Mapping[str, Entry],
    ignored: list[str],
    strict: bool,
) -> list[Used]:
    found = []
    for name in dict.fromkeys(given):
        word = "-".join(name.lower().replace(":", " ").split())
        key = next((k for k, e in known.items() if word == k or word in e.aliases), None)
        if key is not None:
            found.append(Used(f"{section}.{key}", known[key]))
        elif strict:
            raise UserError(f"{pack.id}: no {section} {name!r}; {suggestion(word, known)}")
        else:
            ignored.append(f"{section} {name}")
    return found


def _statuses(
    pack: Pack, status: str | list[str] | tuple[str, ...] | None, ignored: list[str], strict: bool
) -> tuple[str, ...]:
    try:
        return pack.status_ids(status)
    except UserError:
        if strict:
            raise
        ignored.append(f"status {status}")
        return pack.status_ids(None)


def _profile(pack: Pack, given: Mapping[str, float], ignored: list[str], strict: bool) -> dict[str, float]:
    stats = dict(pack.file.profile.stats)
    for key, value in given.items():
        if key in stats:
            stats[key] = value
        elif strict:
            raise UserError(f"{pack.id}: no characteristic {key!r}; {suggestion(key, stats)}")
        else:
            ignored.append(f"characteristic {key}")
    return stats


def _posture(pack: Pack, statuses: tuple[str, ...]) -> Posture:
    postures = [pack.status(s).posture for s in statuses if not pack.status(s).overlay]
    return Posture.PRONE if Posture.PRONE in postures else (postures or [Posture.STANDING])[0]


def _apply(
    change: Change, constants: dict[str, Any], stats: dict[str, float], actions: dict[str, ActionRow]
) -> None:
    match change.change.split("."):
        case [name]:
            old = constants[name]
            new = _changed(old, change)
            constants[name] = _like(old, new)
        case ["profile", stat]:
            stats[stat] = float(_changed(stats[stat], change))
        case ["action", action, field]:
            actions[action] = _changed_action(actions[action], field, change)


def _like(old: Any, new: Any) -> Any:
    """A new value as the kind of thing that the old one is: words stay enum members, counts stay whole."""
    if isinstance(old, str) and isinstance(new, str):
        return type(old)(new)
    if isinstance(old, int) and not isinstance(old, bool) and isinstance(new, float):
        return int(new)
    return new


def _changed(old: Any, change: Change) -> Any:
    if change.set is not None:
        return change.set
    if not isinstance(old, int | float) or isinstance(old, bool):
        # "base" or "movement": no number to add to; the reading that is wider stays
        return old
    if isinstance(change.add, int | float):
        return old + change.add
    if change.multiply is not None:
        return old * change.multiply
    if change.cap is not None:
        return min(old, change.cap)
    return old


def _changed_action(row: ActionRow, field: str, change: Change) -> ActionRow:
    """An action with one field changed; adding to `moves` lengthens its last Move."""
    old = getattr(row, field)
    if field == "moves" and change.set is None:
        added = change.add if change.add is not None else 0
        new: Any = (*old[:-1], f"{old[-1]} + {added}") if old else old
    else:
        new = _changed(old, change)
    plain = row.model_dump()
    plain[field] = new
    try:
        return ActionRow.model_validate(plain)
    except ValidationError as error:
        raise UserError(f"{change.change}: {error.errors()[0]['msg']}") from None


def _moves(
    row: ActionRow, stats: Mapping[str, float], movement: MovementRules, *, slowed: bool
) -> tuple[Roll, ...]:
    rounding = movement.crawl_rounding if row.rounding else Rounding.EXACT
    rolls = []
    for text in row.moves:
        sum_text = f"{text} - {movement.slowed:g}" if slowed else text
        rolls.append(evaluate(sum_text, stats, rounding))
    return tuple(rolls)


def _refusal(
    pack: Pack,
    key: str,
    row: ActionRow,
    statuses: tuple[str, ...],
    names: set[str],
    *,
    engaged: bool,
) -> Refusal | None:
    """Why the model cannot take the action, or nothing."""

    def because(name: str, rule: str = f"action.{key}", source: str = row.source, **filled: str) -> Refusal:
        return Refusal(rule, _say(name, action=translated(key), **filled), source)

    base = [status for status in statuses if not pack.status(status).overlay]
    if row.needs and not names & set(row.needs):
        return because("needs", what=_listed("either", row.needs))
    if names & set(row.tags_barred):
        return because("not-for", what=_listed("either", tuple(names & set(row.tags_barred))))
    if not set(base) & set(row.statuses):
        return because("for", what=_listed("either", row.statuses), now=_listed("now", statuses))
    barred = [status for status in statuses if status in row.not_while]
    if barred:
        stated = pack.status(barred[0])
        return because("while", f"status.{barred[0]}", stated.source, what=_listed("either", barred[:1]))
    lacking = [status for status in row.needs_status if status not in statuses]
    if lacking:
        return because("lacking", what=_listed("either", lacking[:1]))
    if engaged and row.engaged == "no":
        return because("while-engaged", "engaged", pack.rule("engaged").source)
    if not engaged and row.engaged == "only":
        return because("only-engaged")
    return None


def _say(name: str, **filled: str) -> str:
    return told_in("sandbox.rules", "refusals", name, **filled)


def _listed(name: str, ids: Sequence[str]) -> str:
    """Ids as words: ``a``, ``a or b``, ``a, b or c``; name: the sentence that joins the last one."""
    words = [translated(one.replace("-", " ")) for one in ids]
    if len(words) < 2:
        return "".join(words)
    return told_in("sandbox.rules", "lists", name, first=", ".join(words[:-1]), last=words[-1])
