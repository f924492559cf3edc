"""What parts count as, what may be done with them, and engagement by size of what lies between."""

from __future__ import annotations

import pytest

from sandbox.ground.model import Permit
from sandbox.kinds import Kind
from sandbox.rules import Pack, load_pack
from sandbox.rules.words import Allow, EngagedAt

MM = 1 / 25.4
ALL = {Allow.WALK, Allow.STAND, Allow.CLIMB, Allow.RAIL}


def test_allowances_are_grounds_permits_by_name() -> None:
    # which floor of a tile with walls is meant follows from the board, and no pack says it
    assert {allow.name for allow in Allow} == {permit.name for permit in Permit} - {"LOWEST"}


@pytest.mark.parametrize(
    ("height_mm", "width_mm", "n23", "n17", "blight"),
    [
        (25.4, 40, "obstacle", "structure", "structure"),
        (25.4, 60, "structure", "structure", "structure"),
        (50.8, 12.7, "obstacle", "structure", "structure"),
        (52.07, 12.7, "structure", "structure", "structure"),
        (38.1, 38.1, "obstacle", "obstacle", "structure"),
        (50.8, 50.8, "obstacle", "structure", "structure"),
        (50.86, 20, "structure", "structure", "structure"),
        (25.4, 25.3, "obstacle", "obstacle", "obstacle"),
        (25.4, 25.4, "obstacle", "obstacle", "structure"),
    ],
)
def test_obstacle_or_structure(height_mm: float, width_mm: float, n23: str, n17: str, blight: str) -> None:
    packs = ("necromunda-2023", "necromunda-2017", "blightmeer")
    roles = [
        load_pack(name).role(Kind.AUTO, height_mm * MM, width_mm * MM, free_standing=True) for name in packs
    ]
    assert roles == [n23, n17, blight]


def test_what_is_fused_is_no_obstacle_but_for_blightmeers_walls(necro23: Pack, blightmeer: Pack) -> None:
    assert necro23.role(Kind.AUTO, 1.0, 0.5, free_standing=False) is Kind.STRUCTURE
    assert necro23.role(Kind.WALL, 1.0, 0.5, free_standing=False) is Kind.WALL
    assert blightmeer.role(Kind.WALL, 1.0, 0.5, free_standing=False) is Kind.OBSTACLE
    assert blightmeer.role(Kind.RAILING, 0.2, 0.1, free_standing=False) is Kind.OBSTACLE
    assert blightmeer.role(Kind.AUTO, 1.0, 0.5, free_standing=False) is Kind.STRUCTURE


@pytest.mark.parametrize("name", ["necromunda-2023", "necromunda-2017", "blightmeer"])
def test_stated_kinds_stay_what_they_are(name: str) -> None:
    pack = load_pack(name)
    assert pack.role(Kind.OBSTACLE, 9.0, 9.0, free_standing=False) is Kind.OBSTACLE
    for kind in Kind:
        if kind not in (Kind.AUTO, Kind.WALL, Kind.RAILING):
            assert pack.role(kind, 0.5, 0.5, free_standing=True) is kind


@pytest.mark.parametrize("name", ["necromunda-2023", "necromunda-2017"])
def test_walls_of_a_maze_are_neither_climbed_nor_walked_on(name: str) -> None:
    pack = load_pack(name)
    assert pack.permits(Kind.WALL) == ALL
    assert pack.permits(Kind.WALL, zone_mortalis=True) == set()
    assert pack.role(Kind.WALL, 1.0, 0.5, free_standing=True, zone_mortalis=True) is Kind.WALL
    other = pack.with_settings({"zone_mortalis_walls": True})
    assert other.permits(Kind.WALL, zone_mortalis=True) == ALL
    flat = pack.with_settings({"walls_climbed": False})
    assert Allow.CLIMB not in flat.permits(Kind.WALL)


@pytest.mark.parametrize("name", ["necromunda-2023", "necromunda-2017", "blightmeer"])
def test_permits(name: str) -> None:
    pack = load_pack(name)
    assert pack.permits(Kind.OBSTACLE) == {Allow.CROSS, Allow.RAIL}
    assert pack.permits(Kind.STRUCTURE) == ALL
    assert pack.permits(Kind.LADDER) == {Allow.LADDER}
    for kind in (Kind.IMPASSABLE, Kind.PITFALL, Kind.DOOR_CLOSED):
        assert pack.permits(kind) == {Allow.BARRED}
    for kind in (Kind.RAMP, Kind.STAIRS):
        assert Allow.SLOPE in pack.permits(kind)
    assert pack.kind(Kind.DIFFICULT).ground == "difficult"
    assert pack.kind(Kind.DANGEROUS).ground == "dangerous"
    assert pack.kind(Kind.OBSTACLE).measure_through


def test_engaged_across_an_obstacle(necro23: Pack, necro17: Pack, blightmeer: Pack) -> None:
    pipes = [(1.0, 1.25), (1.9, 0.9), (1.5, 1.5), (1.0, 1.0)]
    assert [necro23.movement.engaged_across(*pipe) for pipe in pipes] == [False, True, False, False]
    assert [necro17.movement.engaged_across(*pipe) for pipe in pipes] == [True, False, True, True]
    assert not any(blightmeer.movement.engaged_across(*pipe) for pipe in pipes)
    assert necro17.movement.engaged_at is EngagedAt.WITHIN
    assert not necro17.movement.obstacle_blocks_within


@pytest.mark.parametrize(
    ("door_mm", "base_mm", "through"),
    [
        (30, 32, True),
        (30, 40, True),
        (30, 50, True),
        (24, 50, False),
        (25, 50, True),
        (16, 32, True),
        (15.9, 32, False),
    ],
)
def test_squeezing_through_at_least_half_the_base(
    necro17: Pack, necro23: Pack, door_mm: float, base_mm: float, through: bool
) -> None:
    assert necro17.movement.may_squeeze(door_mm * MM, base_mm * MM, 0.4) is through
    assert not necro23.movement.may_squeeze(door_mm * MM, base_mm * MM, 0.4)
    assert not necro17.movement.may_squeeze(door_mm * MM, base_mm * MM, 2.01)


def test_the_kept_distance_is_less_than_an_inch(necro23: Pack, blightmeer: Pack) -> None:
    assert necro23.movement.too_near(0.99)
    assert not necro23.movement.too_near(1.0)
    assert not blightmeer.movement.too_near(0.0)


def test_what_never_stops_measuring(necro23: Pack) -> None:
    assert necro23.movement.measured_over(2.0, 2.0)
    assert not necro23.movement.measured_over(2.01, 1.0)
    assert not necro23.movement.measured_over(1.0, 2.01)


def test_statuses_and_the_distance_kept(necro23: Pack, necro17: Pack) -> None:
    assert not necro23.status("prone-seriously-injured").kept_from
    assert necro17.status("prone-seriously-injured").kept_from
    assert necro23.status("prone-pinned").kept_from
    assert necro23.status("prone-pinned").tested_at_lips
    assert not necro23.status("standing").tested_at_lips
