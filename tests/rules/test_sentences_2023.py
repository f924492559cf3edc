"""Sentences of the core rulebook that no worked case shows, each on the smallest board that shows it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from cases.board import Board, costs
from falling.boards import N23, R32, load

from sandbox.moves.odds_tree import Event
from sandbox.rules import ActionRules, load_pack


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """An empty board, its contents turned by an odd angle."""
    return Board(tmp_path, angle=17.0)


def ask(board: Board, action: str, x: float, y: float, z: float | None = None, **more: Any) -> Any:
    """The way of kal to a place, in unturned coordinates."""
    return load(board, N23).moves("kal", action, **more).to(*board.turned(x, y), z)


def test_dangerous_ground_is_difficult_too(board: Board) -> None:
    board.area("dangerous", [(1, -12), (2, -12), (2, 12), (1, 12)]).fighter("kal", (0, 0))
    across = ask(board, "move", 3, 0)
    assert costs(across.cost, 4.0)
    assert [c.reason for c in across.checks] == ["dangerous"]


def _vehicle(board: Board, *tags: str) -> Board:
    return board.fighter("kal", (-2, 0), base=60, M=6, status="mobile", tags=["vehicle", *tags])


def test_vehicles_on_dangerous_ground_test_their_handling(board: Board) -> None:
    board.area("dangerous", [(-0.5, -12), (0.5, -12), (0.5, 12), (-0.5, 12)])
    board.fighter("kal", (-2, 0), base=60, M=6, status="mobile", tags=["vehicle", "wheeled"])
    field = load(board, N23)
    across = field.moves("kal", "move").to(*board.turned(2, 0))
    (check,) = across.checks
    assert check.kind == "handling"
    # two dice that show 4 or more: 33 of 36
    assert across.success == pytest.approx(33 / 36)
    failed = next(path for path in field.odds(across).paths() if not path.reached)
    assert "Catastrophic hit to its Drive" in failed.happens[-1].text
    assert not failed.first.out


@pytest.mark.parametrize(("drive", "extra"), [("wheeled", 1.5), ("tracked", 0.0), ("skimmer", 0.0)])
def test_wheels_tracks_and_skimmers_on_difficult_ground(board: Board, drive: str, extra: float) -> None:
    board.area("difficult", [(-0.75, -12), (0.75, -12), (0.75, 12), (-0.75, 12)])
    across = ask(_vehicle(board, drive), "move", 2, 0)
    assert costs(across.cost, 4.0 + extra)
    danger = Board(board.folder, angle=17.0)
    danger.area("dangerous", [(-0.5, -12), (0.5, -12), (0.5, 12), (-0.5, 12)])
    checks = ask(_vehicle(danger, drive), "move", 2, 0).checks
    assert (len(checks) == 0) is (drive == "skimmer")


def test_vehicles_are_terrain_for_fighters(board: Board) -> None:
    board.box((5, 3, 1.6), (3, 0), kind="vehicle").fighter("kal", (0.5 - R32, 0), M=6)
    up = ask(board, "move", 0.5 + R32 + 0.1, 0, 1.6)
    assert up.legal
    assert {leg.kind for leg in up.legs} >= {"climb"}
    assert costs(up.cost, 3.2 + 2 * R32 + 0.1)


@pytest.mark.parametrize("size", [(0.5, 40, 1), (1, 40, 0.4), (3, 40, 2)])
def test_what_is_impassable_is_neither_crossed_nor_climbed_nor_stood_on(
    board: Board, size: tuple[float, float, float]
) -> None:
    board.size = 36
    board.box(size, (3, 0), kind="impassable").fighter("kal", (0, 0), M=9)
    moves = load(board, N23).moves("kal", "double-move")
    for x in (6, 3):
        refused = moves.to(*board.turned(x, 0))
        assert not refused.legal
        assert refused.rulings
    assert max(moves.spots["z"]) < 0.05


@pytest.mark.parametrize("tags", [["mounted"], ["vehicle", "wheeled"]])
def test_mounted_models_and_vehicles_do_not_climb(board: Board, tags: list[str]) -> None:
    board.box((4, 6, 1.5), (2, 0)).fighter("kal", (-R32, 0), M=9, tags=tags)
    if "vehicle" in tags:
        board.fighters[0]["status"] = "mobile"
    assert not ask(board, "move", R32 + 0.1, 0, 1.5).legal
    del board.fighters[0]["tags"]
    board.fighters[0]["status"] = "standing"
    assert ask(board, "move", R32 + 0.1, 0, 1.5).legal


def test_a_declared_climb_that_cannot_be_finished_is_not_begun(board: Board) -> None:
    board.box((4, 6, 3), (3, 0)).fighter("kal", (0, 0), M=5)
    field = load(board, N23)
    up = field.moves("kal", "move").to(*board.turned(1 + R32 + 0.05, 0), 3)
    assert not up.legal
    assert field.stops(up) == pytest.approx(field.fighter("kal").at)
    # another reading walks to its foot
    house = load(board, N23, climb_short="foot")
    foot = house.stops(house.moves("kal", "move").to(*board.turned(1 + R32 + 0.05, 0), 3))
    assert foot == pytest.approx((*board.turned(1 - R32, 0), 0), abs=0.06)


def test_a_charge_takes_the_shortest_way_however_risky(board: Board) -> None:
    # a ladder on the side of the deck is safe and longer, the jump is short and may fail
    board.box((6, 6, 3), (-3, 0)).box((1, 0.1, 3), (-1.5, 3.05), kind="ladder")
    board.fighter("kal", (-R32 - 0.1, 1, 3), M=9).fighter("rax", (3.5, 1.5), side="blue")
    field = load(board, N23)
    at = board.turned(3.5 - 2 * R32, 1.5)
    charge = field.moves("kal", "charge", target="rax").to(*at)
    assert charge.legal
    assert "jump-down" in {leg.kind for leg in charge.legs}
    move = field.moves("kal", "double-move").to(*board.turned(3.5 - 2 * R32 - 1.0, 1.5), 0)
    assert move.legal
    assert move.success == 1.0 > charge.success
    assert charge.cost < move.cost


def test_a_fighter_ends_facing_where_it_likes(board: Board) -> None:
    board.fighter("kal", (0, 0), base=[60, 35])
    moves = load(board, N23).moves("kal", "move")
    for facing in (0.0, 77.0, 170.0):
        assert moves.to(*board.turned(2, 1), facing=facing).facing == facing
    assert load(board, N23).status("kal").facing is not None


def test_a_way_that_proves_too_long_is_gone_as_far_as_possible(board: Board) -> None:
    board.box((1, 3, 3), (3, 0), kind="impassable").fighter("kal", (0, 0))
    board.fighter("rax", (9, 0), side="blue")
    field = load(board, N23)
    far = field.moves("kal", "move").to(*board.turned(6, 0))
    assert not far.legal
    stop = field.stops(far)
    assert stop is not None
    there = field.moves("kal", "move").to(*stop)
    assert there.legal
    assert there.cost == pytest.approx(5.0, abs=0.06)
    # to the lip and no further where the leap cannot be paid
    gap = Board(board.folder, angle=17.0).box((8, 8, 3), (-4, 0)).box((8, 8, 3), (7, 0))
    gap.fighter("kal", (-2, 0, 3), M=5)
    field = load(gap, N23)
    leap = field.moves("kal", "move").to(*gap.turned(3 + R32 + 0.1, 0), 3)
    assert not leap.legal
    assert field.stops(leap) == pytest.approx((*gap.turned(-R32, 0), 3), abs=0.1)


def test_vehicles_need_not_keep_the_inch(board: Board) -> None:
    _vehicle(board, "wheeled").fighter("rax", (2.5, 0), side="blue")
    near = 2.5 - R32 - 30 / 25.4 - 0.3
    assert ask(board, "move", near, 0).legal
    del board.fighters[0]["tags"]
    board.fighters[0]["status"] = "standing"
    assert ask(board, "move", near, 0).rulings[0].rule == "keep_distance"


def test_an_entry_may_open_an_action_to_engaged_models(tmp_path: Path) -> None:
    house = tmp_path / "slippery.yaml"
    house.write_text(
        "pack: slippery\nname: Slippery\nabout: A skill more.\nextends: necromunda-2023\nskills:\n"
        "  slippery:\n    text: Walks out of melees.\n    source: ours\n"
        "    changes: [{change: action.move.engaged, set: 'yes'}]\n",
        encoding="utf-8",
    )
    pack = load_pack(str(house))
    assert isinstance(pack.for_fighter(skills=["slippery"], engaged=True).action("move"), ActionRules)
    assert not isinstance(pack.for_fighter(engaged=True).action("move"), ActionRules)


def test_landing_from_a_failed_leap_is_a_fall_like_any_other(board: Board) -> None:
    board.box((8, 10, 3), (-5, 0)).box((8, 10, 3), (5, 0)).fighter("kal", (-1 - R32, 0, 3), M=6)
    board.fighter("rax", (-1 + R32 + 0.1, 0.3, 0), side="blue")
    field = load(board, N23)
    leap = field.moves("kal", "move").to(*board.turned(1 + R32, 0), 3)
    assert leap.legal
    failed = next(p for p in field.odds(leap).paths() if p.events(Event.FALL))
    assert failed.events(Event.LANDS_ON)
    assert math.isclose(float(failed.chance), 0.5)
