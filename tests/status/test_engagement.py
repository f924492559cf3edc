"""Who is engaged with whom: contact, within an inch, across obstacles and not through floors and walls."""

from __future__ import annotations

from typing import Any

import pytest
from cases.board import MM, Board
from cases.table import case
from falling.boards import BLIGHT, N17, N23, NECROMUNDA, PACKS, R32, load


def _engaged(field: Any, name: str = "kal") -> list[tuple[str, str, int]]:
    return [(e.enemy, e.how.value, e.modifier) for e in field.status(name).engaged]


def _pair(board: Board, gap: float, **more: Any) -> Board:
    """Two enemies in the open, their bases `gap` inches apart."""
    board.fighter("kal", (-R32 - gap / 2, 0)).fighter("rax", (R32 + gap / 2, 0), side="blue", **more)
    return board


@pytest.mark.parametrize(
    ("gap", "engaged"),
    [
        (0.0, {N23: "contact", N17: "contact", BLIGHT: "contact"}),
        (0.5, {N23: None, N17: "within", BLIGHT: None}),
        (0.99, {N23: None, N17: "within", BLIGHT: None}),
        (1.0, {N23: None, N17: None, BLIGHT: None}),
    ],
)
@pytest.mark.parametrize("rules", PACKS)
def test_contact_or_within_an_inch(
    board: Board, gap: float, engaged: dict[str, str | None], rules: str
) -> None:
    how = engaged[rules]
    field = load(_pair(board, gap), rules)
    assert _engaged(field) == ([] if how is None else [("rax", how, 0)])
    assert _engaged(field, "rax") == ([] if how is None else [("kal", how, 0)])
    assert field.status("kal").secondary == ("active" if how is None else "engaged")
    assert field.status("kal").words == f"Standing and {'Active' if how is None else 'Engaged'}"


@pytest.mark.parametrize("rules", PACKS)
def test_friends_never_engage(plain: Board, rules: str) -> None:
    plain.fighter("kal", (-R32, 0)).fighter("rax", (R32, 0))
    assert _engaged(load(plain, rules)) == []


def _pipe(board: Board, width: float, height: float, shift: float = 0.0) -> Board:
    """A long pipe along y between two enemies that touch it."""
    board.box((width, 8, height), (0, 0))
    board.fighter("kal", (-R32 - width / 2, 0)).fighter("rax", (R32 + width / 2, shift), side="blue")
    return board


@case(
    26,
    [
        (N23, 1.25, 1.0, []),
        (N23, 0.9, 1.9, [("rax", "across", 0)]),
        (N17, 1.25, 1.0, [("rax", "across", -1)]),
        (N17, 0.9, 1.9, [("rax", "within", 0)]),
        (N17, 0.9, 1.0, [("rax", "across", -1)]),
        (N17, 1.5, 1.5, [("rax", "across", -1)]),
        (N17, 1.55, 1.5, []),
        (N17, 1.5, 1.55, []),
        (N23, 1.0, 1.0, []),
        (N23, 0.98, 1.0, [("rax", "across", 0)]),
        (BLIGHT, 1.25, 1.0, []),
        (BLIGHT, 0.9, 1.9, []),
    ],
    "rules, width, height, engaged",
)
def test_26_across_an_obstacle(
    board: Board, width: float, height: float, rules: str, engaged: list[tuple[str, str, int]]
) -> None:
    assert _engaged(load(_pipe(board, width, height), rules)) == engaged


def test_26_obstacles_that_stop_measuring_are_a_setting(plain: Board) -> None:
    plain.size = 24.0
    _pipe(plain, 0.9, 1.9)
    assert _engaged(load(plain, N17)) == [("rax", "within", 0)]
    assert _engaged(load(plain, N17, obstacle_blocks_within=True)) == []


def test_across_means_on_both_sides_and_next_to_each_other(plain: Board) -> None:
    # both on the same side of one pipe, an inch and more apart
    plain.box((1.25, 8, 1), (0, 0)).fighter("kal", (-R32 - 0.625, -1.2))
    plain.fighter("rax", (-R32 - 0.625, 1.2), side="blue")
    assert _engaged(load(plain, N17)) == []
    # on both sides, but far from one another
    far = Board(plain.folder, angle=17.0)
    assert _engaged(load(_pipe(far, 1.25, 1.0, shift=3.0), N17)) == []
    # not touching it
    loose = Board(plain.folder, angle=17.0)
    loose.box((1.25, 8, 1), (0, 0)).fighter("kal", (-R32 - 0.7, 0)).fighter(
        "rax", (R32 + 0.625, 0), side="blue"
    )
    assert _engaged(load(loose, N17)) == []


def test_across_a_pipe_and_nothing_else(plain: Board) -> None:
    # a sheet of wall stands in the middle of the pipe
    _pipe(plain, 1.25, 1.0).box((0.1, 8, 3), (0, 0, 1.0), kind="wall")
    assert _engaged(load(plain, N17)) == [("rax", "across", -1)]
    wall = Board(plain.folder, angle=17.0)
    wall.box((0.575, 8, 1), (-0.3375, 0)).box((0.1, 8, 3), (0, 0), kind="wall").box(
        (0.575, 8, 1), (0.3375, 0)
    )
    wall.fighter("kal", (-R32 - 0.625, 0)).fighter("rax", (R32 + 0.625, 0), side="blue")
    assert _engaged(load(wall, N17)) == []


@case(27, PACKS)
def test_27_not_through_a_floor(board: Board, rules: str) -> None:
    # the deck is 4 mm thick; from base to base it is 0.95" straight up
    thick = 4 * MM
    board.box((6, 6, thick), (0, 0, 0.95 - thick))
    board.fighter("kal", (0, 0, 0), height=0.7).fighter("rax", (0, 0, 0.95), side="blue", height=0.7)
    field = load(board, rules)
    assert _engaged(field) == []
    assert field.measuring.distance(field.fighter("kal").base, field.fighter("rax").base) > 1.0


def test_27_without_the_floor_between_it_would_be(board: Board) -> None:
    board.box((3, 6, 0.95), (1.5, 0)).fighter("kal", (-R32, 0, 0)).fighter("rax", (R32, 0, 0.95), side="blue")
    assert _engaged(load(board, N17)) == [("rax", "within", 0)]


def test_not_through_a_wall(plain: Board) -> None:
    _pair(plain, 0.4).box((0.2, 8, 3), (0, 0), kind="wall")
    assert _engaged(load(plain, N17)) == []


@pytest.mark.parametrize("rules", NECROMUNDA)
def test_who_lies_pinned_next_to_a_standing_enemy_stands_up_for_free(plain: Board, rules: str) -> None:
    field = load(_pair(plain, 0.0, status="prone-pinned"), rules)
    rax = field.status("rax")
    assert (rax.words, rax.statuses) == ("Standing and Engaged", ("standing",))
    (change,) = rax.changes
    assert (change.what, change.rule) == ("stands-up", "engaged")
    assert [e.how for e in field.status("kal").engaged] == ["contact"]
    assert any("stands up" in warning for warning in field.warnings)


@pytest.mark.parametrize("rules", NECROMUNDA)
def test_two_who_lie_engage_nobody(plain: Board, rules: str) -> None:
    _pair(plain, 0.0, status="prone-pinned")
    plain.fighters[0]["status"] = "prone-pinned"
    field = load(plain, rules)
    assert _engaged(field) == []
    assert field.status("rax").words == "Prone and Pinned"


@pytest.mark.parametrize(("rules", "engaged"), [(N23, False), (N17, True)])
def test_an_injured_enemy_engages_as_the_pack_says(plain: Board, rules: str, engaged: bool) -> None:
    field = load(_pair(plain, 0.0, status="prone-seriously-injured"), rules)
    assert bool(_engaged(field)) is engaged
    assert _engaged(field, "rax") == []
    assert field.status("rax").secondary is None
    other = load(plain, rules, engaged_by_injured=not engaged)
    assert bool(_engaged(other)) is not engaged


@pytest.mark.parametrize(("status", "may_leave"), [("standing", False), ("stunned", True), ("dazed", True)])
def test_units_touched_only_by_stunned_and_dazed_enemies_may_leave(
    plain: Board, status: str, may_leave: bool
) -> None:
    _pair(plain, 0.0, status=status)
    plain.fighter("zed", (0, 6), side="blue")
    for one in plain.fighters:
        one["profile"] = {"M": 6, "A": 9}
    plain.rules = BLIGHT
    field = plain.load()
    moves = field.moves("kal", "move")
    assert moves.to(*plain.turned(-4, 0)).legal is may_leave
    if not may_leave:
        assert moves.rulings[0].rule == "engaged"
    else:
        # one enemy more that is on its feet, and it has to stay
        plain.fighters[2]["at"] = [*plain.turned(-R32, 2 * R32)]
        assert not plain.load().moves("kal", "move").to(*plain.turned(-4, 0)).legal


def test_vehicles_are_engaged_by_choice_and_engage_nobody(plain: Board) -> None:
    plain.fighter("kal", (0, 0))
    plain.fighter("truck", (R32 + 0.8 + 30 * MM, 0), side="blue", base=60, status="mobile", tags=["vehicle"])
    field = load(plain, N23)
    kal, truck = field.status("kal"), field.status("truck")
    assert [(e.enemy, e.how) for e in kal.choices] == [("truck", "vehicle")]
    assert kal.engaged == ()
    assert kal.secondary == "active"
    assert truck.engaged == truck.choices == ()
    assert "move" in kal.may
    plain.fighters[1]["at"] = [*plain.turned(R32 + 1.2 + 30 * MM, 0)]
    assert load(plain, N23).status("kal").choices == ()


@pytest.mark.parametrize("rules", PACKS)
def test_three_way_melees(plain: Board, rules: str) -> None:
    plain.fighter("kal", (0, 0)).fighter("rax", (2 * R32, 0), side="blue").fighter(
        "zed", (-2 * R32, 0), side="blue"
    )
    field = load(plain, rules)
    assert [e.enemy for e in field.status("kal").engaged] == ["rax", "zed"]
    assert [e.enemy for e in field.status("rax").engaged] == ["kal"]
