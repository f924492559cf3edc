"""Each threshold: 0.3 mm past it is found, 0.6 mm this side of it is not, and what is near is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from quality.shapes import Triangles, box, pillar, prism

from .builds import checked, grave, walls

B = 32.0


def _ledge(deep: float) -> list[Triangles]:
    return [box(0, 0, 0, 100, deep + 60, 40), box(0, deep, 39.5, 100, deep + 60, 90)]


def _tunnel(clear: float) -> list[Triangles]:
    return [
        box(0, 0, 0, 6, 70, clear + 0.5),
        box(66, 0, 0, 72, 70, clear + 0.5),
        box(0, 0, clear, 72, 70, clear + 4),
    ]


def _gate(clear: float) -> list[Triangles]:
    return [*walls(40.0), box(28, 0.3, clear, 72, 4.7, 59)]


def _rail(tall: float) -> list[Triangles]:
    return [box(0, 0, 0, 70, 73, 45), box(0, 70, 44.5, 70, 73, 45 + tall)]


def _mushroom(out: float) -> list[Triangles]:
    side = 45 + 2 * out
    return [box(out, out, 0, out + 45, out + 45, 42.5), box(0, 0, 42, side, side, 46)]


def _stair(riser: float, wide: float = 40.0) -> list[Triangles]:
    treads = [box(14 * k, 0, 0, 14 * k + 14.2, wide, riser * (k + 1)) for k in range(4)]
    return [*treads, box(56, 0, 0, 126, 70, riser * 5)]


def _block(high: float) -> list[Triangles]:
    return [box(0, 0, 0, 70, 70, high)]


def _barricade(room: float) -> list[Triangles]:
    return [box(0, 0, 0, 90, 10, 20), box(-5, 10 + room, 0, 95, 18 + room, 60)]


@pytest.mark.parametrize(
    ("kind", "build", "wrong", "right", "measured"),
    [
        ("door", walls, B - 0.3, B + 0.6, B - 0.3),
        ("ledge", _ledge, B - 0.3, B + 0.6, B - 0.3),
        ("headroom", _tunnel, 35.56 - 0.3, 35.56 + 0.6, 35.26),
        ("headroom", _gate, 35.56 - 0.3, 35.56 + 0.6, 35.26),
        ("rail", _rail, 12.4, 13.3, 12.4),
        ("unreachable", _mushroom, 25.7, 24.8, 25.7),
        ("steps", _stair, 13.0, 12.1, 13.0),
        ("landing", _barricade, B - 0.3, B + 0.6, B - 0.3),
    ],
)
def test_past_a_threshold_is_found_and_this_side_is_not(
    tmp_path: Path, kind: str, build: object, wrong: float, right: float, measured: float
) -> None:
    assert callable(build)
    found = grave(checked(tmp_path, build(wrong), turn=17.0))
    assert kind in found, sorted(found)
    assert found[kind].measured == pytest.approx(measured, abs=0.1)
    assert not grave(checked(tmp_path, build(right), turn=17.0))


@pytest.mark.parametrize(
    ("kind", "build", "value"),
    [
        ("near-door", walls, B + 0.2),
        ("near-ledge", _ledge, B + 0.2),
        ("near-headroom", _tunnel, 35.8),
        ("near-rail", _rail, 12.9),
        ("near-overhang", _mushroom, 25.2),
        ("near-step", _block, 12.9),
        ("near-step", _block, 12.5),
        ("near-landing", _barricade, B + 0.2),
    ],
)
def test_what_the_printer_decides_is_told(tmp_path: Path, kind: str, build: object, value: float) -> None:
    assert callable(build)
    found = grave(checked(tmp_path, build(value), turn=-8.0))
    assert set(found) == {kind}


def test_a_near_gap_between_two_decks_and_a_near_hole(tmp_path: Path) -> None:
    decks = [box(0, 0, 0, 70, 70, 60), box(70 + B + 0.3, 0, 0, 140 + B, 70, 60)]
    found = grave(checked(tmp_path, decks, turn=30.0))
    assert found["near-gap"].measured == pytest.approx(B + 0.3, abs=0.05)
    hole = 40.0 + B - 0.3
    ring = [box(0, 0, 0, 120, 40, 60), box(0, hole, 0, 120, 120, 60)]
    ring += [box(0, 39.6, 0, 40, hole + 0.4, 60), box(hole, 39.6, 0, 120, hole + 0.4, 60)]
    assert grave(checked(tmp_path, ring))["near-gap"].measured == pytest.approx(B - 0.3, abs=0.05)


def test_equality_is_in_the_movers_favour(tmp_path: Path) -> None:
    assert set(grave(checked(tmp_path, walls(B), band=0.0))) == set()
    assert set(grave(checked(tmp_path, walls(B - 0.1), band=0.0))) == {"door"}


def test_floors_that_nothing_leads_to_and_floors_for_a_leap(tmp_path: Path) -> None:
    deck = [pillar(55, 55, 9, 0, 57), box(0, 0, 56, 110, 110, 60)]
    found = grave(checked(tmp_path, deck))
    assert "unreachable" in found
    assert set(found) <= {"unreachable", "overhang"}  # the post is beyond what a climb passes
    block = box(-100, 0, 0, -45, 110, 60)
    found = grave(checked(tmp_path, [*deck, block]))
    assert "check-only" in found
    assert set(found) <= {"check-only", "overhang"}
    near = box(-80, 0, 0, -28, 110, 60)
    assert not grave(checked(tmp_path, [*deck, near]))


def test_a_pit_that_nobody_leaves(tmp_path: Path) -> None:
    far, hole = 140.0, (48.0, 92.0)
    a, b = hole
    chamber = [
        box(0, 0, 0, far, 5, 45),
        box(0, far - 5, 0, far, far, 45),
        box(0, 4.5, 0, 5, far - 4.5, 45),
        box(far - 5, 4.5, 0, far, far - 4.5, 45),
        box(0, 0, 44.5, far, a, 48),
        box(0, b, 44.5, far, far, 48),
        box(0, a - 0.4, 44.5, a, b + 0.4, 48),
        box(b, a - 0.4, 44.5, far, b + 0.4, 48),
    ]
    assert "trap" in grave(checked(tmp_path, chamber))


def test_slopes(tmp_path: Path) -> None:
    def roof(rise: float) -> list[Triangles]:
        outline = [(0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (0.0, 60.0)]
        return [prism(outline, 0.0, [30.0, 30.0 + rise, 30.0 + rise, 30.0])]

    found = grave(checked(tmp_path, roof(16.5)))  # 15.4 degrees
    assert found["slope"].measured == pytest.approx(15.38, abs=0.02)
    assert "slope" not in grave(checked(tmp_path, roof(15.5)))  # 14.5 degrees
    ramp = [
        prism([(0.0, 0.0), (90.0, 0.0), (90.0, 60.0), (0.0, 60.0)], 0.0, [0.01, 40.0, 40.0, 0.01]),
        box(90, 0, 0, 160, 60, 40),
    ]
    assert "slope" not in grave(checked(tmp_path, ramp))


def test_a_climb_that_two_moves_do_not_pay_for(tmp_path: Path) -> None:
    most = (2 * 5 * 25.4 - B) / 2
    assert set(grave(checked(tmp_path, _block(most + 0.3)))) == {"climb"}
    assert not grave(checked(tmp_path, _block(most - 0.6)))


def test_a_ladder_hole_is_told_although_the_rules_let_the_base_pass(tmp_path: Path) -> None:
    def deck(hole: float) -> list[Triangles]:
        a, b, far = 45.0, 45.0 + hole, 90.0 + hole
        return [
            box(0, 0, 52, far, a, 56),
            box(0, b, 52, far, far, 56),
            box(0, a - 0.4, 52, a, b + 0.4, 56),
            box(b, a - 0.4, 52, far, b + 0.4, 56),
            box(0, 0, 0, 6, far, 52.5),
            box(far - 6, 0, 0, far, far, 52.5),
            box(a + hole / 2 - 7, b - 2.6, 0, a + hole / 2 + 7, b - 0.4, 51),
        ]

    from sandbox.kinds import Kind

    found = grave(checked(tmp_path, deck(28.0), parts=(("#7", Kind.LADDER),)))
    assert set(found) == {"ladder-hole"}
    assert found["ladder-hole"].measured == pytest.approx(28.0, abs=0.05)
    assert not grave(checked(tmp_path, deck(34.0), parts=(("#7", Kind.LADDER),)))


def test_the_same_build_under_other_packs(tmp_path: Path) -> None:
    """Blightmeer's free step is an inch, and its rails count from a quarter of one."""
    assert not grave(checked(tmp_path, _stair(13.0), packs=["blightmeer"]))
    assert not grave(checked(tmp_path, _rail(9.0), packs=["blightmeer"]))
    found = checked(tmp_path, _stair(13.0), packs=["blightmeer", "necromunda-2023"])
    steps = next(f for f in found.findings if f.kind.value == "steps")
    assert {c.pack for c in steps.cases} == {"necromunda-2023"}
