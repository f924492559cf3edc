"""Sentences of the community edition that no worked case shows, each on the smallest board that shows it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from cases.board import MM, Board, costs
from falling.boards import N17, R32, load

from sandbox.moves.odds_tree import Event
from sandbox.rules import ActionRules, load_pack
from sandbox.rules.words import Cost


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """An empty board, its contents turned by an odd angle."""
    return Board(tmp_path, angle=17.0)


def ask(board: Board, action: str, x: float, y: float, z: float | None = None, **more: Any) -> Any:
    """The way of kal to a place, in unturned coordinates."""
    return load(board, N17).moves("kal", action, **more).to(*board.turned(x, y), z)


def test_any_way_and_any_distance_up_to_the_allowance(board: Board) -> None:
    board.box((1, 4, 3), (2, 0), kind="impassable").fighter("kal", (0, 0))
    assert costs(ask(board, "move", -3, 0).cost, 3.0)
    assert ask(board, "move", -5, 0).legal
    assert ask(board, "move", -5.01, 0).rulings[0].rule == "allowance"
    around = ask(board, "double-move", 4, 0)
    assert around.legal
    assert around.cost > 5.5
    assert len(around.legs[0].path) > 2


def test_a_move_may_end_with_another_facing(board: Board) -> None:
    board.fighter("kal", (0, 0), base=[60, 35])
    moves = load(board, N17).moves("kal", "move")
    for facing in (0.0, 50.0, 130.0):
        turned = moves.to(*board.turned(3, 0), facing=facing)
        assert turned.legal
        assert turned.facing == facing


def test_a_declared_way_that_is_too_long_stops_at_the_last_place_to_stand(board: Board) -> None:
    board.fighter("kal", (0, 0))
    field = load(board, N17)
    far = field.moves("kal", "move").to(*board.turned(7, 0))
    assert not far.legal
    assert field.stops(far) == pytest.approx((*board.turned(5, 0), 0.0), abs=0.03)
    # the last two inches would be on the far side of a wall that it cannot stand on
    board.box((0.4, 8, 2), (4.5 - R32 + 0.2, 0), kind="structure")
    field = load(board, N17)
    over = field.moves("kal", "move").to(*board.turned(7, 0))
    assert not over.legal
    stop = field.stops(over)
    assert stop is not None
    assert field.stand(*stop).stands
    assert stop[2] == pytest.approx(0.0, abs=0.01)
    assert math.dist(stop[:2], board.turned(0, 0)) <= 5.0


def test_distances_of_the_actions() -> None:
    pack = load_pack(N17)
    costs_and_lengths = {
        ("standing", "move"): (Cost.SIMPLE, 5),
        ("standing", "double-move"): (Cost.DOUBLE, 10),
        ("pinned", "crawl"): (Cost.DOUBLE, 3),
        ("standing", "carry"): (Cost.SIMPLE, 5),
        ("standing", "carry-heavy"): (Cost.DOUBLE, 4),
    }
    for (status, action), (cost, length) in costs_and_lengths.items():
        found = pack.for_fighter({"M": 5, "S": 4}, status=status).action(action)
        assert isinstance(found, ActionRules)
        assert (found.row.cost, found.allowance) == (cost, length)


def test_climbing_costs_double_and_ladders_do_not(board: Board) -> None:
    board.box((4, 6, 3), (2, 0)).fighter("kal", (-R32, 0), M=10)
    climb = ask(board, "move", R32 + 0.02, 0, 3)
    assert costs(climb.cost, 6 + 2 * R32 + 0.02)
    board.box((0.1, 1, 3), (-0.05, 0), kind="ladder")
    board.fighters[0]["at"] = [*board.turned(-R32 - 0.1, 0)]
    ladder = ask(board, "move", R32 + 0.02, 0, 3)
    assert "ladder" in {leg.kind for leg in ladder.legs}
    assert costs(ladder.cost, 3 + 2 * R32 + 0.12)
    down = Board(board.folder, angle=17.0).box((4, 6, 3), (2, 0))
    down.fighter("kal", (R32, 0, 3), M=10)
    safe = [s for s in load(down, N17).moves("kal", "move").spots if s["z"] < 0.1 and s["success"] == 1.0]
    assert min(float(s["cost"]) for s in safe) == pytest.approx(6 + 2 * R32, abs=0.1)


def test_a_ductway_without_room_behind_it_is_not_taken(board: Board) -> None:
    board.zone_mortalis = True
    board.box((1, 24, 2.4), (0, 0), kind="wall").box((1, 24, 2.4), (1.7, 0), kind="wall")
    board.fighter("kal", (-0.5 - R32 - 0.3, 0))
    board.ductway("duct", (-0.5, 0), (0.5, 0))
    moves = load(board, N17).moves("kal", "crawl-through", target="duct")
    assert len(moves.spots) == 0
    refused = moves.to(*board.turned(0.5 + 0.35, 0))
    assert not refused.legal
    assert refused.rulings


def test_fleeing_keeps_off_hazards_and_enemies(board: Board) -> None:
    board.area("dangerous", [(2, -1), (4, -1), (4, 1), (2, 1)]).fighter("kal", (0, 0), status="broken")
    board.fighter("rax", (-4, 0), side="blue").fighter("zed", (0, 6), side="blue")
    moves = load(board, N17).moves("kal", "flee")
    spots = moves.spots
    assert len(spots)
    for x, y in ((3, 0), (2.5, 0.5)):
        assert not moves.to(*board.turned(x, y)).legal
    zed = board.turned(0, 6)
    assert min(math.dist((s["x"], s["y"]), zed) for s in spots) >= 1 + 2 * R32 - 0.03
    beyond = moves.to(*board.turned(6, 0))
    assert beyond.legal
    assert beyond.cost > 6.05
    assert [c.reason for c in beyond.checks] == ["distance"]


@pytest.mark.parametrize(("deep", "stands"), [(2 * R32 + 0.02, True), (2 * R32 - 0.02, False)])
def test_moves_end_on_flat_ground_that_holds_the_base(board: Board, deep: float, stands: bool) -> None:
    board.box((8, deep, 0.4), (0, deep / 2), kind="structure").box((8, 2, 8), (0, deep + 1))
    board.fighter("kal", (0, -1.5))
    on_ledge = ask(board, "move", 0, deep / 2, 0.4)
    assert on_ledge.legal is stands
    rise = 3 * math.tan(math.radians(20))
    slope = {"id": "scree", "ramp": [3, 6, rise], "at": [*board.turned(0, -5)], "turn": board.angle}
    board.terrain.append(slope)
    assert ask(board, "move", 0, -5).rulings[0].rule in {"stand_slope", "rough_ground", "flat_ground"}


def _scree(board: Board) -> float:
    rise = 2 * math.tan(math.radians(30))
    board.terrain.append(
        {"id": "scree", "ramp": [2, 8, rise], "at": [*board.turned(0, 0)], "turn": board.angle}
    )
    board.box((6, 8, rise), (4, 0)).fighter("kal", (-2.0, 0))
    return rise


def test_scrambles_lead_from_flat_to_flat_at_double_price(board: Board) -> None:
    rise = _scree(board)
    field = load(board, N17)
    across = field.moves("kal", "double-move").to(*board.turned(2, 0), rise)
    assert across.legal
    slanted = math.hypot(2, rise)
    # the very ends of the slope are still flat enough under the middle of a base
    assert across.cost == pytest.approx(2 + 2 * slanted, abs=0.1)
    assert [c.reason for c in across.checks] == ["scramble"]
    assert "scramble" in {leg.kind for leg in across.legs}
    # not entered without the movement for the far side, and no ending on it
    short = field.moves("kal", "move")
    assert not short.to(*board.turned(2, 0), rise).legal
    assert not short.to(*board.turned(0, 0)).legal
    assert not field.moves("kal", "double-move").to(*board.turned(0, 0)).legal


def test_nobody_is_set_up_or_ends_on_another_base(board: Board) -> None:
    board.fighter("kal", (0, 0)).fighter("juno", (3, 0)).fighter("mar", (3, 0.8))
    field = load(board, N17)
    assert any("overlaps" in warning for warning in field.warnings)
    assert field.moves("kal", "move").to(*board.turned(2.5, 0)).rulings[0].rule == "no_overlap"


def test_an_inch_is_kept_all_along_unless_something_allows_less(board: Board) -> None:
    board.fighter("kal", (0, 0)).fighter("rax", (3, 0), side="blue")
    field = load(board, N17)
    near = field.moves("kal", "move").to(*board.turned(3 - 2 * R32 - 0.9, 0))
    assert near.rulings[0].rule == "keep_distance"
    assert field.moves("kal", "move").to(*board.turned(3 - 2 * R32 - 1.0, 0)).legal
    beyond = field.moves("kal", "double-move").to(*board.turned(6, 0))
    assert beyond.legal
    assert beyond.cost > 6.5
    assert field.moves("kal", "charge", target="rax").to(*board.turned(3 - 2 * R32 - 0.5, 0)).legal


def test_a_charge_ends_within_an_inch(board: Board) -> None:
    board.fighter("kal", (0, 0)).fighter("rax", (6, 0), side="blue")
    moves = load(board, N17).moves("kal", "charge", target="rax")
    assert moves.allowance == 8
    for gap, legal in ((0.0, True), (0.95, True), (1.05, False)):
        assert moves.to(*board.turned(6 - 2 * R32 - gap, 0)).legal is legal


def test_disengaging_is_a_basic_action_of_its_own() -> None:
    found = load_pack(N17).for_fighter(engaged=True).action("disengage")
    assert isinstance(found, ActionRules)
    assert found.row.cost is Cost.BASIC
    assert not found.row.must_engage


def test_hemmed_in_nobody_disengages(board: Board) -> None:
    board.fighter("kal", (0, 0)).fighter("rax", (2 * R32, 0), side="blue")
    free = load(board, N17).moves("kal", "disengage")
    assert len(free.spots)
    for x, y in ((-1.2, 0), (0, 1.2), (0, -1.2)):
        board.box((0.4, 4, 3) if x else (4, 0.4, 3), (x, y), kind="impassable")
    hemmed = load(board, N17).moves("kal", "disengage")
    assert len(hemmed.spots) == 0
    assert load(board, N17).status("kal").engaged


def test_floors_ramps_stairs_and_ladders_are_open(board: Board) -> None:
    rise = 2 * math.tan(math.radians(30))
    ramp = {"id": "r", "ramp": [2, 6, rise], "at": [*board.turned(0, 0)], "turn": board.angle, "kind": "ramp"}
    board.terrain.append(ramp)
    board.box((4, 6, rise), (3, 0)).fighter("kal", (-2, 0))
    up = ask(board, "move", 2, 0, rise)
    assert up.legal
    assert up.checks == ()
    assert costs(up.cost, 2 + math.hypot(2, rise))
    stairs = Board(board.folder, angle=17.0).stairs(3, 4, 3, 9, (0, 0)).box((6, 6, 3), (4.5, 0))
    stairs.fighter("kal", (-2.5, 0), M=7)
    assert costs(ask(stairs, "move", 3, 0, 3).cost, 5.5)


def test_difficult_ground_costs_double(board: Board) -> None:
    board.area("difficult", [(1, -9), (2, -9), (2, 9), (1, 9)]).fighter("kal", (0, 0))
    assert costs(ask(board, "move", 3, 0).cost, 4.0)


def test_obstacles_are_crossed_as_difficult_ground_and_larger_things_climbed(board: Board) -> None:
    board.box((1, 20, 1), (2, 0)).fighter("kal", (0, 0), M=9)
    over = ask(board, "move", 4, 0)
    assert "cross" in {leg.kind for leg in over.legs}
    assert costs(over.cost, 5.0)
    assert not ask(board, "move", 2, 0).legal
    for size in ((1, 20, 1.6), (1.6, 20, 1)):
        larger = Board(board.folder, angle=17.0).box(size, (2, 0)).fighter("kal", (0, 0), M=9)
        climbed = ask(larger, "move", 4, 0)
        assert "cross" not in {leg.kind for leg in climbed.legs}
        assert "climb" in {leg.kind for leg in climbed.legs}


def test_dangerous_ground_is_difficult_and_says_what_it_does(board: Board) -> None:
    board.area("dangerous", [(1, -9), (2, -9), (2, 9), (1, 9)]).fighter("kal", (0, 0))
    across = ask(board, "move", 3, 0)
    assert costs(across.cost, 4.0)
    assert load_pack(N17).movement.dangerous_fail == "as-the-piece-says"


def test_other_fighters_are_impassable(board: Board) -> None:
    board.box((10, 63.5 * MM, 0.4), (0, 0)).box((10, 4, 3), (0, 2 + 31.75 * MM), kind="impassable")
    board.box((10, 4, 3), (0, -2 - 31.75 * MM), kind="impassable")
    board.fighter("kal", (-3, 0, 0.4), M=7).fighter("juno", (0, 0, 0.4))
    assert not ask(board, "move", 3, 0, 0.4).legal


@pytest.mark.parametrize(
    ("kind", "over"), [("wall", True), ("structure", True), ("impassable", False), ("door-closed", False)]
)
def test_walls_and_doors_and_solid_things_are_not_moved_through(board: Board, kind: str, over: bool) -> None:
    board.size = 48
    board.box((0.5, 46, 2), (2, 0), kind=kind).fighter("kal", (2 - 0.25 - R32, 0), M=10)
    across = ask(board, "double-move", 4, 0)
    assert across.legal is over
    if over:
        assert "climb" in {leg.kind for leg in across.legs}
    short = Board(board.folder, angle=17.0).box((0.5, 3, 2), (2, 0), kind=kind).fighter("kal", (0, 0), M=10)
    around = ask(short, "move", 4, 0)
    assert around.legal
    assert around.checks == ()
    assert around.cost > 4.3


def test_floors_and_ceilings_are_solid(board: Board) -> None:
    board.box((6, 6, 0.2), (0, 0, 2)).fighter("kal", (0, 0, 0), M=10)
    above = ask(board, "double-move", 0.5, 0, 2.2)
    assert above.cost is None or above.cost > 8
    path = board.write()
    path.write_text(path.read_text().replace("zone_mortalis: false", "zone_mortalis: true\n  ceiling: 3"))
    import sandbox

    field = sandbox.load(path, rules=N17)
    top = field.moves("kal", "double-move").to(*board.turned(5, 0), 3)
    assert not top.legal
    assert top.cost is None


def test_walls_of_zone_mortalis_are_neither_climbed_nor_walked_on(board: Board) -> None:
    board.size = 48
    board.box((3, 46, 2), (3, 0), kind="wall").fighter("kal", (1.5 - R32, 0), M=9)
    assert ask(board, "double-move", 3, 0, 2).legal
    board.zone_mortalis = True
    refused = ask(board, "double-move", 3, 0, 2)
    assert not refused.legal
    assert refused.cost is None
    assert refused.rulings


def test_acrobats_run_past_enemies_and_over_barricades(board: Board) -> None:
    board.box((1, 20, 1), (4, 0)).fighter("kal", (0, 0), M=7, skills=["acrobatic"])
    board.fighter("rax", (2.4, 0.2), side="blue")
    field = load(board, N17)
    past = field.moves("kal", "move").to(*board.turned(6, 0))
    assert past.legal
    assert costs(past.cost, 6.0)
    ending = field.moves("kal", "move").to(*board.turned(2.4, -0.7 - 2 * R32))
    assert ending.rulings[0].rule == "keep_distance"
    assert field.moves("kal", "charge", target="rax").to(*board.turned(2.4, 0.2 - 2 * R32)).legal


def test_clamber_climbs_like_a_ladder_and_crosses_small_things_for_nothing(board: Board) -> None:
    board.box((4, 6, 3), (2, 0)).fighter("kal", (-R32, 0), M=10, skills=["clamber"])
    assert costs(ask(board, "move", R32 + 0.02, 0, 3).cost, 3 + 2 * R32 + 0.02)
    pipe = Board(board.folder, angle=17.0).box((1, 20, 1), (2, 0))
    pipe.fighter("kal", (0, 0), skills=["clamber"])
    assert costs(ask(pipe, "move", 4, 0).cost, 4.0)


def test_lying_low_after_a_move(board: Board) -> None:
    board.box((8, 8, 3), (-4, 0)).fighter("kal", (-3, 0, 3), skills=["lie-low"])
    field = load(board, N17)
    entry = field.pack.file.skills["lie-low"]
    assert "After a Move it may become Pinned" in entry.events[0]
    # next to a lip it may fall when it does
    moved = field.fighter("kal")
    assert field.moves("kal", "move").to(*board.turned(-R32 - 0.2, 0), 3).legal
    board.fighters[0]["at"] = [*board.turned(-R32 - 0.2, 0), 3]
    tree = load(board, N17).becomes("kal", "pinned")
    assert tree.chance(lambda p: p.first.statuses == ("prone-pinned",)) == 1
    assert tree.chance(lambda p: bool(p.events(Event.FALL))) > 0
    assert moved.rules.statuses == ("standing",)


def test_striders_pay_nothing_for_difficult_ground(board: Board) -> None:
    board.area("difficult", [(1, -9), (3, -9), (3, 9), (1, 9)]).fighter("kal", (0, 0), skills=["strider"])
    field = load(board, N17)
    assert costs(field.moves("kal", "move").to(*board.turned(4, 0)).cost, 4.0)
    assert field.moves("kal", "double-move").allowance == 13
    assert field.moves("kal", "move").allowance == 5


def test_teleport_is_for_active_fighters_with_a_warp_pack(board: Board) -> None:
    pack = load_pack(N17)
    found = pack.for_fighter(gear=["warp-pack"]).action("teleport")
    assert isinstance(found, ActionRules)
    assert found.row.cost is Cost.BASIC
    for rules in (
        pack.for_fighter(),
        pack.for_fighter(gear=["warp-pack"], status="pinned"),
        pack.for_fighter(gear=["warp-pack"], engaged=True),
    ):
        assert not isinstance(rules.action("teleport"), ActionRules)


@pytest.mark.parametrize(("rise", "modifier"), [(1.0, 0), (0.0, 0), (-3.0, -1)])
def test_leaps_go_up_and_across_and_down(board: Board, rise: float, modifier: int) -> None:
    gap = 2.0
    board.box((8, 8, 4), (-4 - gap / 2, 0)).box((8, 8, 4 + rise), (4 + gap / 2, 0))
    board.fighter("kal", (-gap / 2 - R32, 0, 4), M=6)
    field = load(board, N17)
    leap = field.moves("kal", "move").to(*board.turned(gap / 2 + R32, 0), 4 + rise)
    assert leap.legal
    (check,) = leap.checks
    assert (check.reason, check.modifier) == ("leap", modifier)
    # height gained is distance
    assert costs(leap.cost, gap + 2 * R32 + max(rise, 0))
    assert field.odds(leap).chance(lambda p: bool(p.events(Event.FALL))) == 1 - field.odds(leap).success > 0


def test_difficult_ground_may_be_leapt(board: Board) -> None:
    board.area("difficult", [(1, -12), (3, -12), (3, 12), (1, 12)]).fighter("kal", (1 - R32, 0))
    field = load(board, N17)
    across = field.moves("kal", "move").to(*board.turned(3 + R32, 0))
    assert across.legal
    assert [c.reason for c in across.checks] == ["leap"]
    assert costs(across.cost, 2 + 2 * R32)
    tree = field.odds(across)
    failed = next(path for path in tree.paths() if not path.reached)
    assert failed.first.statuses == ("prone-pinned",)
    assert failed.events(Event.FALL) == ()
    assert failed.first.at == pytest.approx((*board.turned(2, 0), 0), abs=0.2)


def test_a_grapnel_ends_on_nobody_and_keeps_the_inch(board: Board) -> None:
    board.box((8, 8, 3), (7, 0)).fighter("kal", (-2, 0), gear=["grapnel-launcher"])
    board.fighter("juno", (6, 0, 3)).fighter("rax", (6, 3, 3), side="blue")
    moves = load(board, N17).moves("kal", "grapnel")
    assert moves.to(*board.turned(5, -1), 3).legal
    assert moves.to(*board.turned(5.5, 0), 3).rulings[0].rule == "no_overlap"
    assert moves.to(*board.turned(6 - 2 * R32 - 0.5, 3), 3).rulings[0].rule == "keep_distance"


def test_a_grapnel_goes_through_nothing(board: Board) -> None:
    board.box((8, 8, 3), (7, 0)).fighter("kal", (-2, 0), gear=["grapnel-launcher"])
    assert load(board, N17).moves("kal", "grapnel").to(*board.turned(5, 0), 3).legal
    board.box((0.3, 12, 6), (1, 0), kind="wall")
    assert not load(board, N17).moves("kal", "grapnel").to(*board.turned(5, 0), 3).legal


def test_a_rocket_jumps_over_terrain_and_fighters_but_not_what_is_impassable(board: Board) -> None:
    board.size = 36
    board.box((0.5, 34, 2.5), (2, 0)).fighter("kal", (0, 0), gear=["rocket-pack"])
    board.fighter("rax", (4.5, 0), side="blue")
    over = load(board, N17).moves("kal", "double-move").to(*board.turned(8, 0))
    assert over.legal
    assert "fly" in {leg.kind for leg in over.legs}
    assert over.success == pytest.approx(0.5)
    for piece in board.terrain:
        piece["kind"] = "impassable"
    assert not load(board, N17).moves("kal", "double-move").to(*board.turned(8, 0)).legal
