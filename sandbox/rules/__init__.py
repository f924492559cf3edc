"""Rule packs: what a game says, as data, and the few procedures that data cannot say."""

from sandbox.rules.dice import CheckDice
from sandbox.rules.fighter import ActionRules, FighterRules, Refusal
from sandbox.rules.formula import Roll
from sandbox.rules.movement import MovementRules
from sandbox.rules.pack import DEFAULT_PACK, Pack, Rule, load_pack, pack_names

__all__ = [
    "DEFAULT_PACK",
    "ActionRules",
    "CheckDice",
    "FighterRules",
    "MovementRules",
    "Pack",
    "Refusal",
    "Roll",
    "Rule",
    "load_pack",
    "pack_names",
]
