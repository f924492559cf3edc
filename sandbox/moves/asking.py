"""From a question to what answers it: which action, what it is aimed at, and who works it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sandbox.errors import UserError
from sandbox.files.mistakes import suggestion
from sandbox.kinds import DOORS
from sandbox.moves.air import Flying, Grapnel, Teleport, wings
from sandbox.moves.answers import LegalMoves, Ruling
from sandbox.moves.carrying import Carry, Load
from sandbox.moves.crawling import CrawlThrough
from sandbox.moves.inplace import OperateDoor, StandUp
from sandbox.moves.leaving import Disengage, Flee, Retreat
from sandbox.moves.legal import Asked
from sandbox.moves.placed import Placed
from sandbox.moves.refusal import Judge, judge
from sandbox.moves.words import sentence
from sandbox.rules import ActionRules, Refusal
from sandbox.rules.formula import evaluate
from sandbox.rules.statements import RuleName
from sandbox.rules.words import Posture, Procedure, Target

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

WORKERS: Mapping[Procedure, type[Asked]] = {
    Procedure.CRAWL_THROUGH: CrawlThrough,
    Procedure.CARRY: Carry,
    Procedure.DISENGAGE: Disengage,
    Procedure.RETREAT: Retreat,
    Procedure.FLEE: Flee,
    Procedure.STAND_UP: StandUp,
    Procedure.OPERATE_DOOR: OperateDoor,
    Procedure.GRAPNEL: Grapnel,
    Procedure.TELEPORT: Teleport,
}
"""Who works out the actions that a pack gives a procedure to; all others are moved along the ground."""


def ask(field: Battlefield, mover: Placed, action: str, target: str | None) -> LegalMoves:
    """What a fighter can do with an action; an action that it cannot take at all is a ruling.

    UserError: a target that does not exist, or one for an action that is aimed at nobody.
    """
    allowed = granted(field, mover, action) or mover.rules.action(action)
    saying = judge(field.pack, field.terrain, mover.rules, mover.height, 2 * mover.base.half_short)

    def answer(rulings: tuple[Ruling, ...] = (), asked: Asked | None = None) -> LegalMoves:
        allowance = 0.0 if isinstance(allowed, Refusal) else allowed.allowance
        if asked is not None:
            allowance = asked.allowance
        return LegalMoves(field.name, field.pack.id, mover.id, action, target, allowance, rulings, asked)

    if isinstance(allowed, Refusal):
        return answer((Ruling(allowed.rule, allowed.text, source=allowed.source),))
    if mover.id in field.problems:
        told = saying.ruling(
            "fighter-unplaced", RuleName.FLAT_GROUND, fighter=mover.id, problem=field.problems[mover.id]
        )
        return answer((told,))
    aim = _aim(field, mover, allowed, target, saying)
    if isinstance(aim, Ruling):
        return answer((aim,))
    enemy = aim if isinstance(aim, Placed) and allowed.row.target is Target.ENEMY else None
    worker = Asked if allowed.row.procedure is None else WORKERS.get(allowed.row.procedure)
    if worker is Asked and wings(mover.rules, action) is not None:
        worker = Flying
    if worker is None or (worker is Asked and not allowed.moves):
        return answer((saying.ruling("action-later", RuleName.ACTION, action=action),))
    asked = worker(field, mover, allowed, enemy, saying, aim)
    return answer(asked.at_all(), asked)


def granted(field: Battlefield, mover: Placed, action: str) -> ActionRules | Refusal | None:
    """The move that a skill of this name gives outside the usual actions; None where there is none."""
    if action in field.pack.file.actions:
        return None
    for used in mover.rules.used:
        for given in used.entry.procedures:
            named = used.id.partition(".")[2] == action
            if not (named and given.name is Procedure.EXTRA_MOVE and given.distance is not None):
                continue
            plain = mover.rules.action("move")
            if isinstance(plain, Refusal):
                return plain
            roll = evaluate(given.distance, mover.rules.profile)
            row = plain.row.model_copy(update={"events": used.entry.events})
            return replace(plain, id=action, row=row, moves=(roll,))
    return None


def _aim(
    field: Battlefield, mover: Placed, allowed: ActionRules, target: str | None, saying: Judge
) -> object:
    """What an action is aimed at, or the ruling against it."""
    wanted = allowed.row.target
    if wanted in (Target.NONE, Target.POINT):
        if target is not None:
            raise UserError(sentence("rulings", "target-needless", action=allowed.id, target=target))
        return None
    if wanted is Target.DUCTWAY:
        known = [one.id for one in field.scene.ductways]
        if target is not None and target not in (*known, "squeeze"):
            raise UserError(f"there is no ductway {target!r}; {suggestion(target, (*known, 'squeeze'))}")
        return target
    if target is None:
        told = "target-missing" if wanted is Target.ENEMY else f"target-missing-{wanted.value}"
        return saying.ruling(told, RuleName.TARGET, action=allowed.id, fighter=mover.id)
    if wanted is Target.ITEM:
        return _load(field, mover, target, saying)
    if wanted is Target.DOOR:
        doors = {p.piece for p in field.terrain.parts if p.kind in DOORS}
        if not doors:
            raise UserError("this board has no doors")
        if target not in doors:
            raise UserError(f"there is no door {target!r}; {suggestion(target, sorted(doors))}")
        return target
    aim = field.fighter(target)
    if wanted is Target.ENEMY and not mover.is_enemy(aim):
        return saying.ruling("target-wrong", RuleName.TARGET, name=target, fighter=mover.id)
    return aim


def _load(field: Battlefield, mover: Placed, target: str, saying: Judge) -> object:
    """The thing, or the fighter that cannot walk, that is to be carried."""
    for item in field.scene.items:
        if item.id == target:
            z = field.ground.floor_at(*item.at, item.z)
            return Load(item.id, (*item.at, 0.0 if z is None else z), heavy=item.heavy)
    known = [item.id for item in field.scene.items]
    fighters = [one.id for one in field.fighters]
    if target not in fighters:
        raise UserError(f"there is nothing to carry named {target!r}; {suggestion(target, known + fighters)}")
    one = field.fighter(target)
    injured = one.rules.posture is Posture.PRONE and any("injured" in s for s in one.rules.statuses)
    if one.id == mover.id or not injured:
        return saying.ruling("carry-who", RuleName.TARGET, name=target)
    return Load(one.id, one.at, heavy=True, base=one.base, height=one.height)
