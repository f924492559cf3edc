"""Boards that are made up: as they were wished, the same for the same seed, and right by the real check."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from sandbox.cli import main
from sandbox.cli.layout import command
from sandbox.errors import UserError
from sandbox.layout.check import check_layout
from sandbox.layout.findings import Report
from sandbox.layout.new import Fairness, Made, Wishes, make, prove, read_own
from sandbox.layout.new.wishes import PartKind
from sandbox.scene import load_scene
from sandbox.scene.layouts import Border, BorderKind, Facing, Grid, Layout, Square, SquareKind, State

OWN = read_own("walls=24,doors=4,ladders=2,stairs=2,rails=6,crates=2")
WISHES = (
    Wishes(tiles=(1, 2), levels=2),
    Wishes(tiles=(1, 2), levels=1, fairness=Fairness.EVEN),
    Wishes(tiles=(2, 1), levels=2, dead_ends=1),
    Wishes(tiles=(1, 1), levels=1, fairness=Fairness.ANY, doors=3),
    Wishes(tiles=(1, 2), levels=1, base=40.0, loops=5),
    Wishes(tiles=(2, 2), levels=2, own=OWN),
)


def seeds(full: bool) -> range:
    return range(1, 1001 if full else 19)


def test_seeds_never_fail(full: bool) -> None:
    for seed in seeds(full):
        wishes = replace(WISHES[seed % len(WISHES)], seed=seed)
        made = make(wishes)
        proof = prove(made.layout, wishes)
        assert proof.faults == (), (seed, proof.faults)
        assert proof.cuts == 0
        assert len(proof.ways_up) == wishes.levels - 1
        assert all(count >= 2 for count in proof.ways_up)


@pytest.mark.full
def test_a_thousand_seeds_of_the_usual_board() -> None:
    for seed in range(1, 1001):
        assert make(Wishes(tiles=(2, 3), levels=2, seed=seed)).proof.faults == ()


def test_the_same_seed_makes_the_same_board() -> None:
    wishes = Wishes(tiles=(2, 2), levels=2, seed=7)
    first, again = make(wishes).text(), make(wishes).text()
    assert first == again
    assert make(replace(wishes, seed=8)).text() != first


@pytest.fixture(scope="module")
def small() -> Made:
    return make(Wishes(tiles=(1, 1), levels=2, seed=3))


def really(folder: Path, made: Made) -> Report:
    """What the real check says of a board, which nothing may be wrong with."""
    path = folder / "board.yaml"
    path.write_text(made.text("Small"), encoding="utf-8")
    report = check_layout(path, [(made.wishes.base, made.wishes.base)])
    assert [f.text for f in report.findings if f.severity.value != "info"] == []
    assert report.bases[0].reached == report.bases[0].squares > 20
    return report


def test_the_real_check_finds_nothing(small: Made, tmp_path: Path) -> None:
    assert {way.kind for way in really(tmp_path, small).levels} & {"stairs", "ladder"}


FOUND = (
    Wishes(tiles=(1, 1), levels=4, seed=5),  # ladders side by side
    Wishes(tiles=(2, 3), levels=2, seed=7),  # floor beside stairs, a ladder at a lip
    Wishes(tiles=(2, 2), levels=3, seed=4, base=40.0),  # stairs between a wall below and one above
    Wishes(
        tiles=(2, 2), levels=2, seed=7, base=40.0, fairness=Fairness.EVEN, loops=4
    ),  # ladders beside walls
    Wishes(tiles=(2, 1), levels=4, seed=26),  # floor beside stairs
)
"""boards that once did not pass."""


def test_a_board_that_did_not_pass_does(tmp_path: Path) -> None:
    really(tmp_path, make(FOUND[0]))


@pytest.mark.full
@pytest.mark.parametrize("wishes", FOUND[1:])
def test_boards_that_did_not_pass_do(wishes: Wishes, tmp_path: Path) -> None:
    really(tmp_path, make(wishes))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1, 13))
def test_the_real_check_finds_nothing_on_many(seed: int, tmp_path: Path) -> None:
    really(tmp_path, make(replace(WISHES[seed % len(WISHES)], seed=seed)))


def test_the_file_holds_the_board(small: Made, tmp_path: Path) -> None:
    path = tmp_path / "board.yaml"
    path.write_text(small.text('A "quoted" name'), encoding="utf-8")
    scene = load_scene(path)
    assert scene.name == 'A "quoted" name'
    assert scene.layout is not None
    assert scene.layout.layout == small.layout
    assert {zone.id.split()[0] for zone in scene.zones} == {"red", "blue"}
    assert [fighter.side for fighter in scene.fighters] == ["red", "blue"]


# -- the proof sees what is wrong ----------------------------------------------------------------------------------


def changed(layout: Layout, level: int, **tables: object) -> Layout:
    levels = list(layout.levels)
    levels[level] = replace(levels[level], grid=replace(levels[level].grid, **tables))
    return replace(layout, levels=tuple(levels))


def with_square(layout: Layout, node: tuple[int, int, int], square: Square) -> Layout:
    level, column, row = node
    rows = [list(line) for line in layout.levels[level].grid.squares]
    rows[row][column] = square
    return changed(layout, level, squares=tuple(map(tuple, rows)))


def find(layout: Layout, kind: SquareKind) -> tuple[int, int, int]:
    return next(
        (k, c, r)
        for k, level in enumerate(layout.levels)
        for r, row in enumerate(level.grid.squares)
        for c, square in enumerate(row)
        if square.kind is kind
    )


def faults(layout: Layout) -> str:
    return "; ".join(prove(layout, Wishes(tiles=(2, 2), levels=2, fairness=Fairness.ANY)).faults)


@pytest.fixture(scope="module")
def board() -> Made:
    return make(Wishes(tiles=(2, 2), levels=2, seed=1))


def test_a_closed_floor_over_stairs_is_a_fault(board: Made) -> None:
    level, column, row = find(board.layout, SquareKind.STAIRS)
    assert "the floor above it is closed" in faults(
        with_square(board.layout, (level + 1, column, row), Square())
    )


def test_a_ladder_without_a_hatch_is_a_fault(board: Made) -> None:
    level, column, row = find(board.layout, SquareKind.LADDER)
    broken = with_square(board.layout, (level + 1, column, row), Square())
    assert "there is no hatch above it" in faults(broken)


def test_a_walled_up_square_is_a_fault(board: Made) -> None:
    grid = board.layout.levels[0].grid
    wall = Border.of(BorderKind.WALL)
    across = [list(row) for row in grid.across]
    upright = [list(row) for row in grid.upright]
    across[3][3] = across[4][3] = upright[3][3] = upright[3][4] = wall
    walled = changed(
        with_square(board.layout, (0, 3, 3), Square()),
        0,
        across=tuple(map(tuple, across)),
        upright=tuple(map(tuple, upright)),
    )
    assert "1 squares are not reached from red, main D4 among them" in faults(walled)


def test_locked_doors_and_lost_halves_are_faults(board: Made) -> None:
    grid = board.layout.levels[0].grid
    lock = Border.of(BorderKind.DOOR, state=State.LOCKED)
    across = [list(row) for row in grid.across]
    across[6] = [lock] * grid.width
    told = faults(changed(board.layout, 0, across=tuple(map(tuple, across))))
    assert "not reached from red" in told or "one enemy closes" in told


def test_what_is_not_the_same_after_half_a_turn_is_told(board: Made) -> None:
    lopsided = with_square(board.layout, (0, 5, 5), Square(SquareKind.DIFFICULT))
    assert any("half a turn" in fault for fault in prove(lopsided, Wishes(tiles=(2, 2), levels=2)).faults)


def test_wishes_that_are_not_kept_are_told(board: Made) -> None:
    wishes = Wishes(tiles=(2, 2), levels=2, loops=400, dead_ends=0, doors=99, own={PartKind.WALLS: 3})
    told = "; ".join(prove(board.layout, wishes).faults)
    assert "wished are at least 400" in told
    assert "wished are 99" in told
    assert "walls are wanted, and there are 3" in told


@pytest.mark.parametrize(
    ("grid", "ways"),
    [
        # a ring of eight squares around a filled one
        (["...", ".#.", "..."], 1),
        (["...", "...", "..."], 0),
        ([".....", ".#.#.", "....."], 2),
    ],
)
def test_loops_are_ways_round_something(grid: list[str], ways: int) -> None:
    rows = tuple(tuple(Square(SquareKind.SOLID) if sign == "#" else Square() for sign in row) for row in grid)
    plain = Grid.filled(len(rows[0]), len(rows), Square())
    layout = make(Wishes(tiles=(1, 1), seed=1)).layout
    level = replace(layout.levels[0], grid=replace(plain, squares=rows), marks=())
    layout = replace(layout, levels=(level,), zones={}, points={})
    assert prove(layout, Wishes(tiles=(1, 1), fairness=Fairness.ANY)).loops == ways


def test_a_narrow_way_is_none_for_a_wide_base() -> None:
    column = Grid.filled(2, 2, Square())
    one = Grid(
        column.squares,
        ((Border(),) * 2, (Border(), Border.of(BorderKind.WALL)), (Border(),) * 2),
        column.upright,
        column.corners,
    )
    from sandbox.layout.new.graph import clear_width

    assert clear_width(one, (0, 0, 0), Facing.NORTH, 48.0) == 48.0
    assert clear_width(one, (0, 1, 0), Facing.NORTH, 48.0) == 0.0
    door = replace(one, across=(one.across[0], (Border.of(BorderKind.DOOR),) * 2, one.across[2]))
    assert clear_width(door, (0, 0, 0), Facing.NORTH, 48.0) == 69.0


# -- the command ---------------------------------------------------------------------------------------------------


def test_the_command_writes_a_board_and_says_what_it_takes(tmp_path: Path) -> None:
    out = tmp_path / "board.yaml"
    call = [
        "new",
        "--tiles",
        "1x2",
        "--levels",
        "1",
        "--seed",
        "7",
        "--own",
        "walls=12,doors=3",
        "--out",
        str(out),
    ]
    told = CliRunner().invoke(command, call)
    assert told.exit_code == 0, told.output
    text = out.read_text(encoding="utf-8")
    assert text.startswith(
        "# Made up by: sandbox layout new --tiles 1x2 --levels 1 --seed 7 --own walls=12,doors=3\n"
    )
    row = next(line for line in told.output.splitlines() if "walls" in line)
    wanted, owned = (int(cell) for cell in row.replace("│", " ").split()[1:])
    assert 0 < wanted <= owned == 12


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (["--tiles", "9x9"], "1 to 6 tiles"),
        (["--levels", "9"], "1 to 4 levels"),
        (["--own", "wals=3"], "did you mean 'walls'"),
        (["--own", "walls=many"], "should be a part and a number"),
        (["--levels", "2", "--own", "stairs=0,ladders=1"], "2 levels want 2 ways up"),
        (
            ["--levels", "2", "--own", "stairs=1,ladders=1"],
            "takes in pairs; fewer levels, or more of either, or --fair any",
        ),
        (["--base", "60"], "up to 40 mm"),
        (["--out", "board.txt"], "a board is a .yaml file"),
        (["--seed", "1", "--tiles", "1x1", "--loops", "400"], " loops, wished are at least 400"),
        (
            ["--seed", "1", "--tiles", "1x1", "--doors", "40"],
            "20 tries gave no board that is as wished. --doors: ",
        ),
        (["--doors", "5", "--own", "doors=2"], "--doors: 5 are wished, and --own has 2"),
        (
            ["--seed", "1", "--tiles", "1x1", "--levels", "4", "--own", "stairs=8,ladders=0"],
            "no room for two ways up to each of 4 levels with --own stairs=8,ladders=0",
        ),
    ],
)
def test_what_cannot_be_had_is_told(capsys: pytest.CaptureFixture[str], call: list[str], told: str) -> None:
    assert main(["layout", "new", *call]) == 2
    assert told in capsys.readouterr().err


def test_parts_are_read() -> None:
    assert read_own("walls=12, doors=3") == {PartKind.WALLS: 12, PartKind.DOORS: 3}
    assert Wishes(own=read_own("doors=3")).limit(PartKind.DOUBLE_DOORS) == 0
    assert Wishes(own=read_own("doors=3")).limit(PartKind.WALLS) is None
    with pytest.raises(UserError):
        read_own("walls=1,walls=2")
