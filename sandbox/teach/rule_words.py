"""What a rule says in the language that is spoken, values in the places that its sentence keeps for them."""

from __future__ import annotations

import re

from sandbox.errors import UserError
from sandbox.files.sentences import translated
from sandbox.moves.answers import Hit
from sandbox.moves.words import length, sentence
from sandbox.rules import Pack, Rule
from sandbox.rules.values import PLACE, said_value
from sandbox.teach.words import has, say

_CODE = re.compile(r"`(\w+)`")
"""a rule that another one names."""


def rule_words(pack: Pack, rule: Rule) -> str:
    """A rule's words with its value in them and those of the rules that it names, lengths told as measurements are; of an
    action also what comes with it and what it takes of an activation, of a table its rows."""
    text = translated(rule.words or rule.text).replace(PLACE, _shown(rule))
    text = _CODE.sub(lambda found: _named(pack, found[1]), text)
    rows = _rows(pack, rule.id)
    if rows:
        return f"{text} {say('rows', 'all', rows=', '.join(rows))}"
    action = pack.file.actions.get(rule.id.removeprefix("action.")) if rule.id.startswith("action.") else None
    if action is None:
        return text
    cost = [say("takes", action.cost)] if has("takes", action.cost) else []
    return " ".join((text, *map(translated, action.events), *cost))


def _rows(pack: Pack, rule_id: str) -> list[str]:
    """The rows of a table of falls or mishaps, in words; of other rules none."""
    tables = pack.file.tables
    if rule_id == "table.falling" and tables.falling is not None:
        return [
            say("rows", "height", least=_inches(row.from_height), result=Hit(row.S, row.AP, row.D))
            for row in tables.falling.rows
        ]
    if rule_id == "table.mishap" and tables.mishap is not None:
        return [
            say("rows", "total", least=row.from_total, result=translated(row.result))
            for row in tables.mishap.rows
        ]
    if rule_id == "table.wounds" and tables.wounds is not None:
        w = tables.wounds
        return [
            say("rows", "wounds", least=w.twice, above=w.above, equal=w.equal, below=w.below, half=w.half)
        ]
    return []


def _inches(value: float) -> str:
    return sentence("units", "length", inches=f"{value:g}")


def _named(pack: Pack, name: str) -> str:
    """The value of a rule that another one names; its name in words where the pack has none."""
    try:
        return _shown(pack.rule(name))
    except (KeyError, UserError):
        return name.replace("_", " ")


def _shown(rule: Rule) -> str:
    value, unit = rule.value, rule.unit
    if isinstance(value, bool) or not isinstance(value, int | float):
        return translated(said_value(value))
    if unit == "degrees":
        return sentence("units", "angle", degrees=f"{value:g}")
    if unit == "in":
        return length(value)
    if unit.startswith("in "):
        return _inches(value)
    return f"{value:g}"
