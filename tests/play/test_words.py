"""What a game says: apart from the code, in another language where there is one, all of it used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from play.games import play, table
from sandbox.files.sentences import TRANSLATED, sentences_of
from sandbox.play import Game, told
from sandbox.play.words import called, say
from sandbox.teach.language import all_sentences

ROOT = Path(__file__).parents[2] / "sandbox"
BY_NAME = {"actions", "declares", "checks", "reasons", "legs", "forms", "rolls", "pushes"}
"""groups whose sentences are found by a name that is worked out."""
SAY = re.compile(r'\b(?:say|_line)\(\s*"([\w-]+)",\s*"([\w-]+)"')


def test_every_sentence_that_the_code_names_is_there() -> None:
    sentences = sentences_of("sandbox.play")
    files = [*sorted((ROOT / "play").glob("*.py")), ROOT / "cli" / "play.py"]
    code = "".join(path.read_text(encoding="utf-8") for path in files)
    named = set(SAY.findall(code))
    assert len(named) > 60
    assert [(group, name) for group, name in named if name not in sentences[group]] == []
    for group, rows in sentences.items():
        if group not in BY_NAME:
            unused = [n for n in rows if f'"{n}"' not in code and f'"{n.split("-")[0]}' not in code]
            assert unused == [], group


def test_a_game_speaks_another_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TRANSLATED, "is activated", "ist an der Reihe")
    monkeypatch.setitem(TRANSLATED, "moves", "geht")
    monkeypatch.setitem(TRANSLATED, "{does}, {spent} of {allowance}", "{does} {spent} von {allowance}")
    game = Game(table(tmp_path))
    lines = [told(one, rules=False) for one in play(game, "kal move 11,13,3")]
    assert lines == ["kal ist an der Reihe", "kal geht 1.00 von 5.00 in"]
    assert {"is activated", "falls off {vehicle}", "taken back: {order}"} <= set(all_sentences())


def test_names_without_a_sentence_are_told_as_they_are() -> None:
    assert called("actions", "side-step", action="side-step", target="") == "uses side-step"
    assert called("checks", "iron-will") == "iron will"
    assert say("lines", "nobody", text="x") == "x"


def test_what_was_decided_names_its_rule_and_where_things_are_now(tmp_path: Path) -> None:
    game = Game(table(tmp_path))
    short = [told(one, rules=False) for one in play(game, "kal move 14,12,0", 2)]
    assert short[0] == "kal is activated"
    assert (
        "kal checks Initiative for the jump down at -1: rolls 2, 5 or more needed, failed (jump_check)"
        in short
    )
    fall = next(line for line in short if "falls" in line)
    x, y, z = game.state["models"]["kal"]["at"]
    assert f"to {round(x, 2):g},{round(y, 2):g},{round(z, 2):g}" in fall
    full = [told(one) for one in game.past[-1].events]
    assert full[0] == "kal is activated (status_checked, status.standing)"
