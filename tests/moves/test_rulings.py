"""What refusals say: numbers that differ, pieces by name, the cheapest cost, nothing that JSON cannot hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sandbox
from sandbox.ground.model import Hindrance, Limit
from sandbox.moves.narrate import tell, tell_leg, tell_ruling
from sandbox.moves.words import digits_for, length

from .boards import R32, load

YARD = """
terrain:
  - {id: steps, stairs: [3, 3, 3, 9], at: [12, 12], kind: stairs}
  - {id: deck, box: [5, 5, 3], at: [16, 12]}
  - {id: crate, box: [1, 4, 1], at: [6, 12]}
  - {id: wall, box: [0.5, 4, 3], at: [6, 6]}
  - {id: ramp, ramp: [5, 4, 2.9], at: [12, 19], kind: ramp}
  - {id: scree, ramp: [2, 4, 4], at: [19, 19]}
  - {id: roof, box: [4, 4, 0.2], at: [4, 19, 1.0]}
fighters:
  - {id: kal, side: red, at: [8, 12]}
  - {id: rax, side: blue, at: [8, 16]}
"""


def _refuse_constant(name: str) -> Any:
    raise AssertionError(f"{name} in JSON")


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load(tmp_path_factory.mktemp("yard"), YARD)


def test_numbers_that_would_read_alike_get_more_digits() -> None:
    assert digits_for(7.31, 5.0) == 2
    assert digits_for(5.0, 5.0) == 2
    measured, limit = 10.004, 10.0
    digits = digits_for(measured, limit)
    assert length(measured, digits) != length(limit, digits)


def test_a_refusal_by_a_hair_shows_the_hair(tmp_path: Path) -> None:
    move = load(tmp_path, "fighters:\n  - {id: kal, side: red, at: [4, 4]}\n").moves("kal").to(9.004, 4)
    assert not move.legal
    needs, has = move.rulings[0].text.removeprefix("needs ").split(", has ")
    assert needs != has


def test_what_is_in_the_way_is_named_and_measured(field: Any) -> None:
    ruling = field.moves("kal").to(5.6, 6).rulings[0]
    assert ruling.rule == "room"
    assert "wall" in ruling.text
    # the wall's face is at 5.75: the base reaches past it by its radius less 0.15
    assert ruling.measured == pytest.approx(R32 - 0.15, abs=0.01)
    assert ruling.limit == 0.0


def test_no_reader_sees_a_bare_ours(field: Any) -> None:
    told = [
        line
        for at in ((6.0, 12.0), (5.6, 6.0), (4.0, 19.0), (6.0, 6.0))
        for line in tell(field.moves("kal").to(*at))
    ]
    assert any("our own reading, as the documents do not say" in line for line in told)
    assert not any("; ours)" in line or "; found)" in line for line in told)


def test_an_impossible_end_is_not_told_as_a_missing_way(field: Any) -> None:
    told = " ".join(tell(field.moves("kal").to(5.6, 6)))
    assert "way" in told  # what is in the way
    assert "no way" not in told.lower()


def test_a_place_nobody_can_stand_at_still_has_its_cost(field: Any) -> None:
    on_steps = field.moves("kal").to(11.5, 12)
    assert not on_steps.legal
    assert on_steps.cost == pytest.approx(3.5, abs=0.02)
    on_ramp = field.moves("kal").to(12, 19)
    assert on_ramp.rulings[0].rule == "stand_slope"
    assert on_ramp.cost is not None
    assert on_ramp.cost > 5.0
    on_crate = field.moves("kal").to(6, 12)
    assert on_crate.rulings[0].rule == "obstacle_stand"
    assert on_crate.cost == pytest.approx(3.0, abs=0.05)


def test_difficult_ground_is_told_where_it_added_something(tmp_path: Path) -> None:
    text = "areas:\n  - {kind: difficult, polygon: [[6, 0], [8, 0], [8, 24], [6, 24]]}\nfighters:\n"
    text += (
        "  - {id: kal, side: red, at: [4, 12], profile: {M: 8}}\n  - {id: juno, side: red, at: [4, 8]%s}\n"
    )
    plain = load(tmp_path, text % "").moves("kal").to(9, 12)
    assert "difficult ground adds 2.00 in" in " ".join(tell_leg(leg) for leg in plain.legs)
    free = load(tmp_path, text % ", skills: [strider], profile: {M: 8}", "necromunda-2017")
    strider = free.moves("juno").to(9, 8)
    assert strider.legal
    assert strider.cost == pytest.approx(5.0, abs=0.01)
    assert "difficult" not in " ".join(tell_leg(leg) for leg in strider.legs)


def test_json_is_strict_whatever_is_refused(field: Any) -> None:
    asked = 0
    for action in ("move", "double-move"):
        moves = field.moves("kal", action)
        for x in np.arange(1.0, 24.0, 3.7):
            for y in np.arange(2.0, 24.0, 4.1):
                text = json.dumps(moves.to(float(x), float(y)).to_json())
                json.loads(text, parse_constant=_refuse_constant)
                asked += 1
    assert asked > 80


@pytest.mark.parametrize("limit", [one for one in Limit if one is not Limit.NONE])
def test_a_limit_without_a_measurement_is_told_without_one(field: Any, limit: Limit) -> None:
    found = Hindrance(limit, float("nan"), float("nan"), (0.0, 0.0, 0.0))
    ruling = field.moves("kal").answerer.judge.hindrance(found)
    json.loads(json.dumps(ruling.to_json()), parse_constant=_refuse_constant)
    assert "nan" not in tell_ruling(ruling).lower().replace("underside", "")


def test_a_target_for_an_action_without_one_is_a_mistake(field: Any) -> None:
    with pytest.raises(sandbox.UserError, match="aimed at nobody"):
        field.moves("kal", "move", target="rax")


def test_nobody_is_put_on_top_of_a_ceiling(tmp_path: Path) -> None:
    text = "board: {size: [24, 24], ceiling: 3}\nfighters:\n  - {id: kal, side: red, at: [12, 12]}\n"
    move = load(tmp_path, text).moves("kal").to(30, 12)
    assert move.rulings[0].rule == "off_board"
    far = load(tmp_path, text).moves("kal").to(1, 1)
    assert far.to[2] == pytest.approx(0.0, abs=0.01)


def test_one_warning_for_what_another_pack_does_not_know(tmp_path: Path) -> None:
    fighters = "".join(
        f"  - {{id: f{i}, side: red, at: [{2 + 2 * i}, 4], profile: {{M: 5, I: 4}}}}\n" for i in range(6)
    )
    warnings = load(tmp_path, f"fighters:\n{fighters}", "blightmeer").warnings
    assert len([w for w in warnings if "characteristic I" in w]) == 1
