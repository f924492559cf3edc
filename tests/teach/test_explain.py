"""One move explained: what adds up, what forbids, which reading allows it, what to do instead. All of it is tried out."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

import sandbox
from sandbox.cli import main
from sandbox.moves.answers import LegKind
from sandbox.teach.explain_page import lines
from sandbox.teach.explaining import Part, explain
from sandbox.teach.instead import Kind
from sandbox.teach.load import find_lesson
from sandbox.teach.run import fields_of

GANTRY = "scenes/gantry.yaml"

BOARD = """\
name: Deck
board: {size: [18, 12]}
terrain:
  - {id: deck, box: [5, 5, 3], at: [11, 7], kind: structure}
  - {id: far-body, box: [6, 2, 1.6], at: [4, 9], kind: structure}
  - {id: far-deck, box: [6, 3.3, 0.2], at: [4, 8.35, 1.6], kind: structure}
areas:
  - {kind: difficult, polygon: [[14.5, 0], [15.5, 0], [15.5, 12], [14.5, 12]]}
fighters:
  - {id: kal, side: red, at: [11, 3.6], profile: {M: 5, I: 4}}
  - {id: juno, side: red, at: [4, 5.4], profile: {M: 4, I: 4}}
  - {id: bram, side: red, at: [12.8, 5.3, 3], profile: {M: 5, I: 4}}
"""


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("explain") / "deck.yaml"
    path.write_text(BOARD, encoding="utf-8")
    return sandbox.load(path)


def test_what_the_steps_use_adds_up(field: Any) -> None:
    told = explain(field, "kal", (11, 5.3, 3.0), action="double-move")
    assert told.move.legal
    legs = [step for step in told.steps if step.part is Part.LEG]
    assert [step.leg.kind.value for step in legs if step.leg is not None][:2] == ["walk", "climb"]
    assert sum(step.leg.cost for step in legs if step.leg is not None) == pytest.approx(told.move.cost)
    last = legs[-1].measures[-1]
    assert last == f"Used so far: {told.move.cost:.2f} in of 10.00 in."
    climb = next(step for step in legs if step.leg is not None and step.leg.kind.value == "climb")
    numbers = [float(n) for n in re.findall(r"\d+\.?\d*", climb.measures[0])]
    height, price, paid, plan, cost = numbers
    assert (paid, cost) == (pytest.approx(height * price), pytest.approx(paid + plan, abs=0.011))
    assert [rule.rule for rule in climb.rules] == ["climb_cost"]


def test_a_jump_is_told_with_its_odds_and_the_rules_of_its_modifier(field: Any) -> None:
    told = explain(field, "bram", (12.8, 3.0, 0.0))
    jump = next(step for step in told.steps if step.leg is not None and step.leg.kind.value == "jump-down")
    assert {"jump_check", "jump_modifier", "jump_free_height"} <= {rule.rule for rule in jump.rules}
    assert told.steps[-1].part is Part.END
    assert any(text.startswith("67 %: Bram falls 3.00 in") for text in told.steps[-1].text)
    assert told.readings == () and told.instead == ()


def test_a_move_that_is_too_long_gets_the_nearest_things_to_do(field: Any) -> None:
    told = explain(field, "kal", (10.6, 5.2, 3.0))
    assert not told.move.legal
    kinds = [one.kind for one in told.instead]
    assert {Kind.ACTION, Kind.NEAREST, Kind.STOPS} <= set(kinds)
    for one in told.instead:
        if one.move is not None:
            assert one.move.legal
    nearest = next(one for one in told.instead if one.kind is Kind.NEAREST)
    spots = field.moves("kal").spots
    closest = min(math.dist((s["x"], s["y"], s["z"]), told.move.to) for s in spots)
    assert nearest.away == pytest.approx(closest)
    allowing = {(one.setting, one.value) for one in told.readings if one.allows}
    assert ("climb_cost", 1) in allowing
    for one in told.readings:
        other = field.under(field.pack.with_settings({one.setting: one.value}))
        assert other.moves("kal").to(10.6, 5.2, 3.0).legal is one.allows


def test_a_deck_that_sticks_out_too_far_names_the_reading_that_allows_it(field: Any) -> None:
    told = explain(field, "juno", (4, 7.4, 1.8), action="double-move")
    why = next(step for step in told.steps if step.part is Part.WHY)
    assert why.ruling is not None and why.ruling.rule == "overhang"
    assert [rule.rule for rule in why.rules] == ["overhang"]
    assert [(one.setting, one.value) for one in told.readings if one.allows] == [("overhang", 2.0)]


def test_two_moves_where_no_single_action_gets_there(field: Any) -> None:
    told = explain(field.under(sandbox.rules.load_pack("blightmeer")), "kal", (16.8, 3.0, 0.0))
    two = next(one for one in told.instead if one.kind is Kind.TWO_MOVES)
    assert two.move is not None and two.move.legal


def test_a_base_beyond_a_lip_is_measured_in_inches(field: Any) -> None:
    told = explain(field, "bram", (13.2, 5.2, 3.0))
    why = next(step for step in told.steps if step.part is Part.WHY)
    assert why.text == ("Part of the base would be beyond a lip.",)
    assert [re.sub(r"[0-9.]+ in", "N", line) for line in why.measures] == ["Measured: N. Allowed: nothing."]


def test_a_way_that_is_not_told_is_not_promised(tmp_path: Path) -> None:
    """Where the place itself is the reason, the way there has a price and no legs."""
    path = tmp_path / "taken.yaml"
    path.write_text(
        BOARD + "  - {id: rax, side: blue, at: [10, 6, 3], profile: {M: 5, I: 4}}\n", encoding="utf-8"
    )
    text = explain(sandbox.load(path), "kal", (10, 6, 3.0), action="double-move").steps[0].text
    assert any(line.startswith("The way there alone would use") for line in text)
    assert not any("told below" in line for line in text)


def test_who_cannot_charge_may_walk_nearer(tmp_path: Path) -> None:
    path = tmp_path / "far.yaml"
    path.write_text(
        BOARD + "  - {id: rax, side: blue, at: [1, 1], profile: {M: 5, I: 4}}\n", encoding="utf-8"
    )
    told = explain(sandbox.load(path), "kal", (2.2, 1.0, None), action="charge", target="rax")
    assert not told.move.legal
    assert any(one.action in ("move", "double-move") and one.away < 5 for one in told.instead)


def test_nothing_is_told_twice_and_every_line_is_a_sentence(field: Any) -> None:
    for to, action in (((11, 5.3, 3.0), "double-move"), ((10.6, 5.2, 3.0), "move"), ((9, 7, 1.0), "move")):
        told = [text for manner, text in lines(explain(field, "kal", to, action=action)) if manner == "text"]
        assert len(told) == len(set(told))
        assert all(text[-1] in ".:" and "None" not in text and "{" not in text for text in told), told


def test_the_command_writes_json_with_the_moves_own_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", GANTRY, "--fighter", "kal", "--to", "11,13.9,3", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {"legal", "cost", "legs", "rulings", "steps", "readings", "instead"} <= set(answer)
    assert answer["legal"] is False
    assert answer["instead"][0]["kind"] == "action"
    assert answer["steps"][0]["part"] == "start"


def test_a_picture_for_each_step_and_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = tmp_path / "deck.yaml"
    scene.write_text(BOARD, encoding="utf-8")
    call = ["explain", str(scene), "--fighter", "kal", "--to", "11,5.3,3", "--action", "double-move"]
    assert main([*call, "--pictures", str(tmp_path / "pictures"), "--html", str(tmp_path / "page.html")]) == 0
    out = capsys.readouterr().out
    steps = len(re.findall(r"^\d+\. ", out, re.M))
    names = sorted(path.name for path in (tmp_path / "pictures").glob("*.png"))
    assert len(names) == steps and names[0] == "01-start.png" and names[-1].endswith("-end.png")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.count('src="data:image/webp') == steps
    assert "http" not in re.sub(r"data:[^\"')]*", "", page)


def test_a_page_has_to_be_html(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["explain", GANTRY, "--fighter", "kal", "--to", "11,13.9,3", "--html", str(tmp_path / "page.pdf")]
    assert main(call) == 2
    assert "html" in capsys.readouterr().err


def test_a_way_over_a_narrow_top_that_is_too_long_ends_at_its_foot() -> None:
    lesson = find_lesson("distance")
    field = fields_of(lesson, ["blightmeer"])["blightmeer"]
    move = field.moves("Kal", "move").to(8.6, 4.4)
    assert [leg.kind for leg in move.legs][:2] == [LegKind.WALK, LegKind.CLIMB]
    assert field.stops(move) == move.legs[0].end
