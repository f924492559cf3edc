"""The contract's sample answer, and that spots agree with `to`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox

BLOCK = """
name: Block
board: {size: [24, 24]}
terrain:
  - {id: block, box: [8, 8, 3], at: [12, 13]}
fighters:
  - {id: kal, side: red, base: 32, at: [12, 8.37], profile: {M: 5, I: 4}}
  - {id: rax, side: blue, base: 32, at: [8, 6], profile: {M: 5, I: 4}}
  - {id: juno, side: red, base: 32, at: [14, 7], profile: {M: 5, I: 4}}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("block") / "block.yaml"
    file.write_text(BLOCK, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def field(path: Path):
    return sandbox.load(path)


def test_json_is_the_contracts_sample(field) -> None:
    answer = field.moves("kal", "move").to(12, 9.68, 3).to_json()
    leg, ruling = answer["legs"][0], answer["rulings"][0]
    assert list(answer) == [
        "scene", "rules", "fighter", "action", "allowance", "to", "legal", "cost", "success", "legs", "checks",
        "rulings",
    ]  # fmt: skip
    assert len(answer["legs"]) == 1
    assert answer["scene"] == "Block"
    assert answer["allowance"] == 5.0
    assert answer["to"] == pytest.approx([12.0, 9.68, 3.0], abs=1e-3)
    assert answer["legal"] is False
    assert answer["success"] is None
    assert answer["cost"] == pytest.approx(7.31, abs=0.01)
    assert leg["kind"] == "climb"
    assert leg["start"] == pytest.approx([12.0, 8.37, 0.0], abs=1e-3)
    assert leg["end"] == pytest.approx([12.0, 9.68, 3.0], abs=1e-3)
    assert leg["length"] == pytest.approx(4.31, abs=0.01)
    assert leg["cost"] == pytest.approx(7.31, abs=0.01)
    assert leg["checks"] == []
    assert ruling == {
        "rule": "allowance",
        "text": "needs 7.31 in, has 5.00 in",
        "measured": pytest.approx(7.31, abs=0.01),
        "limit": 5.0,
        "source": "002, Moving Models",
        "setting": None,
    }


def test_spots_agree_with_to(field) -> None:
    moves = field.moves("kal", "move")
    spots = moves.spots
    assert len(spots) > 300
    assert set(spots.dtype.names) == {"x", "y", "z", "cost", "success"}
    for spot in spots[:: max(1, len(spots) // 25)]:
        move = moves.to(float(spot["x"]), float(spot["y"]), float(spot["z"]))
        assert move.legal
        assert move.cost == spot["cost"]
        assert move.success == spot["success"]


def test_spots_lie_close_together(field) -> None:
    """Wherever the fighter may end there is a spot within a quarter of an inch."""
    moves = field.moves("kal", "move")
    spots = np.column_stack([moves.spots["x"], moves.spots["y"]])
    rng = np.random.default_rng(7)
    near = 0
    for x, y in rng.uniform([7.5, 3.5], [16.5, 8.2], (40, 2)):
        if moves.to(float(x), float(y), 0).legal:
            near += 1
            assert np.hypot(*(spots - (x, y)).T).min() <= 0.25
    assert near > 15


def test_the_one_inch_rule(field) -> None:
    moves = field.moves("kal", "move")
    touching = 1.26
    near = moves.to(8 + touching + 0.9, 6.0)
    assert not near.legal
    assert near.rulings[0].rule == "keep_distance"
    assert near.rulings[0].measured == pytest.approx(0.9, abs=0.01)
    assert moves.to(8 + touching + 1.01, 6.0).legal


def test_no_ending_on_a_friend(field) -> None:
    moves = field.moves("kal", "move")
    on_top = moves.to(14, 6.2)
    assert not on_top.legal
    assert on_top.rulings[0].rule == "no_overlap"


def test_what_cannot_be_asked_is_a_ruling(field) -> None:
    for action in ("fly-away", "crawl", "stand-up"):
        moves = field.moves("kal", action)
        assert len(moves.spots) == 0
        assert moves.rulings
        assert moves.to(12, 7).rulings == moves.rulings
    assert field.moves("kal", "charge").rulings[0].rule == "target"
    assert field.moves("kal", "charge", target="juno").rulings[0].rule == "target"


def test_off_the_board_is_a_ruling(field) -> None:
    assert field.moves("kal").to(-1, 5).rulings[0].rule == "off_board"
    assert not field.stand(30, 5).stands
    assert field.moves("kal").to(12, 7, 9).rulings[0].rule == "flat_ground"


def test_an_unknown_fighter_is_an_error(field) -> None:
    with pytest.raises(sandbox.UserError, match="rax"):
        field.moves("nobody")


def test_charge_into_contact(field) -> None:
    moves = field.moves("kal", "charge", target="rax")
    assert moves.allowance == 8.0
    spots = moves.spots
    assert len(spots) > 20
    gap = np.hypot(spots["x"] - 8, spots["y"] - 6) - 2 * 16 / 25.4
    assert np.abs(gap).max() < 0.02
    nearest = spots[int(np.argmin(spots["cost"]))]
    straight = np.hypot(4, 2.37) - 2 * 16 / 25.4
    assert nearest["cost"] == pytest.approx(straight, abs=0.02)
    move = moves.to(float(nearest["x"]), float(nearest["y"]))
    assert move.legal
    assert move.success == 1.0
    assert moves.to(10, 6).rulings[0].rule == "charge"


def test_charge_that_needs_its_die(path: Path) -> None:
    text = BLOCK.replace("at: [8, 6]", "at: [4.5, 3]")
    file = path.with_name("far.yaml")
    file.write_text(text, encoding="utf-8")
    moves = sandbox.load(file).moves("kal", "charge", target="rax")
    spots = moves.spots
    nearest = spots[int(np.argmin(spots["cost"]))]
    straight = np.hypot(7.5, 5.37) - 2 * 16 / 25.4
    assert 7.0 < straight < 8.0
    assert nearest["success"] == pytest.approx(1 / 3)
    move = moves.to(float(nearest["x"]), float(nearest["y"]))
    assert move.checks[0].kind == "distance"
    assert move.checks[0].needed == 3
    assert move.checks[0].chance == pytest.approx(1 / 3)


def test_charge_that_cannot_reach(path: Path) -> None:
    text = BLOCK.replace("at: [8, 6]", "at: [2, 2]")
    file = path.with_name("too-far.yaml")
    file.write_text(text, encoding="utf-8")
    moves = sandbox.load(file).moves("kal", "charge", target="rax")
    assert len(moves.spots) == 0
    way = np.array([10.0, 6.37])
    contact = np.array([2.0, 2.0]) + way / np.linalg.norm(way) * 2 * 16 / 25.4
    move = moves.to(float(contact[0]), float(contact[1]))
    assert not move.legal
    assert move.rulings[0].rule == "charge"
    assert move.rulings[0].limit == 8.0
    stop = move.rulings[0].where
    assert stop is not None
    assert np.hypot(stop[0] - 12, stop[1] - 8.37) == pytest.approx(8.0, abs=0.06)
