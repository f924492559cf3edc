"""A short move after a fight, of as many inches as the rules of fighting give: nearer to enemies than other moves may."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sandbox.moves.answers import LegalMoves, Ruling
from sandbox.moves.legal import Asked
from sandbox.moves.refusal import judge
from sandbox.rules import Refusal
from sandbox.rules.formula import evaluate

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

ACTION = "move"
"""the action that it is like: what a skill allows in a move it allows here (ductways, running past fighters)."""


def consolidate(field: Battlefield, who: str, distance: float) -> LegalMoves:
    """Where a fighter may consolidate to within a distance, inches. UserError: no such fighter."""
    one = field.fighter(who)
    rules = field.rules_of(one.fighter, one.rules.statuses)
    free = replace(one, rules=rules, engaged_with=())
    plain = rules.action(ACTION)

    def answer(rulings: tuple[Ruling, ...] = (), asked: Asked | None = None) -> LegalMoves:
        return LegalMoves(field.name, field.pack.id, who, ACTION, None, distance, rulings, asked)

    if isinstance(plain, Refusal):
        return answer((Ruling(plain.rule, plain.text, source=plain.source),))
    row = plain.row.model_copy(update={"near_enemies": True, "events": ()})
    action = replace(plain, row=row, moves=(evaluate(f"{distance:g}", rules.profile),))
    saying = judge(field.pack, field.terrain, rules, one.height, 2 * one.base.half_short)
    return answer((), Asked(field, free, action, None, saying))
