"""Odds of whole moves: trees against dice that are really rolled, by a referee that knows the rules by heart."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from cases.board import Board

from sandbox.cli import main
from sandbox.moves.odds_tree import Event, Path, Tree

from .boards import BLIGHT, N17, N23, NECROMUNDA, PACKS, R32, load, throws

TRIES = 10_000
GAP = 3.0


def _leap_and_jump(board: Board, M: float = 8) -> Board:
    """A leap of 3" from a deck 6" high to another, then a jump down of 6"; 3" below the gap a ledge 0.4" deeper than
    the base, next to another drop of 3"."""
    board.box((8, 10, 6), (-4 - GAP / 2, 0)).box((3, 10, 6), (1.5 + GAP / 2, 0))
    board.box((2 * R32 + 0.4, 10, 3), (-GAP / 2 + R32 + 0.2, 0))
    return board.fighter("kal", (-GAP / 2 - R32, 0, 6), M=M)


def _asked(board: Board, rules: str) -> tuple[Any, Any]:
    """The battlefield, and the move over the gap and down on its far side."""
    if rules == BLIGHT:
        for one in board.fighters:
            one["profile"] = {"M": 8, "A": 9}
    field = load(board, rules)
    return field, field.moves("kal", "move").to(*board.turned(GAP / 2 + 3 + R32 + 0.02, 0), 0)


def _necromunda(roll: Callable[[int], int]) -> str:
    """The move, played by the rules of Necromunda: I 4."""
    if roll(6) < 4:
        return "fell 3" if roll(6) >= 4 else "fell 6, two hits"
    return "arrived" if roll(6) - 2 >= 4 else "fell 6, one hit"


def _blightmeer(roll: Callable[[int], int]) -> str:
    """The move, played by the rules of Blightmeer: Agility 9."""
    for what in ("leap", "jump"):
        check = roll(20)
        if check >= 9 and check > 4:
            continue
        mishap = roll(20) + 2 * (6 - 2)
        worst = next(
            (s for least, s in ((18, "incapacitated"), (15, "stunned"), (12, "dazed")) if mishap >= least),
            "standing",
        )
        return f"{what}: {worst}"
    return "arrived"


def _ending_necromunda(path: Path) -> str:
    if path.reached:
        return "arrived"
    hits, high = len(path.first.hits), round(path.first.fallen)
    return "fell 3" if high == 3 else f"fell {high}, {'one hit' if hits == 1 else 'two hits'}"


def _ending_blightmeer(path: Path) -> str:
    if path.reached:
        return "arrived"
    return f"{path.rolled[-2][0].reason.split('-')[0]}: {path.first.statuses[0]}"


def _agrees(tree: Tree, ending: Callable[[Path], str], played: Counter[str], tries: int) -> None:
    worked_out: Counter[str] = Counter()
    for path in tree.paths():
        worked_out[ending(path)] += path.chance  # type: ignore[assignment]
    assert set(played) <= set(worked_out)
    for name, chance in worked_out.items():
        p = float(chance)
        error = math.sqrt(p * (1 - p) / tries)
        assert abs(played[name] / tries - p) <= 4 * error, (name, played[name] / tries, p)


def _played(referee: Callable[[Callable[[int], int]], str], dice: random.Random) -> Counter[str]:
    return Counter(referee(lambda sides: dice.randint(1, sides)) for _ in range(TRIES))


@pytest.mark.parametrize("rules", PACKS)
def test_ten_thousand_tries_agree_with_the_tree(plain: Board, rules: str, full: bool) -> None:
    field, move = _asked(_leap_and_jump(plain), rules)
    assert move.legal
    tree = field.odds(move)
    referee, ending = (
        (_blightmeer, _ending_blightmeer) if rules == BLIGHT else (_necromunda, _ending_necromunda)
    )
    assert len({ending(path) for path in tree.paths()}) == (9 if rules == BLIGHT else 4)
    for seed in range(20 if full else 1):
        _agrees(tree, ending, _played(referee, random.Random(seed)), TRIES)


def test_the_chances_of_every_end(board: Board) -> None:
    field, move = _asked(_leap_and_jump(board), N23)
    tree = field.odds(move)
    chances: Counter[str] = Counter()
    for path in tree.paths():
        chances[_ending_necromunda(path)] += path.chance  # type: ignore[assignment]
    assert chances == {
        "arrived": Fraction(1, 12),
        "fell 3": Fraction(1, 4),
        "fell 6, two hits": Fraction(1, 4),
        "fell 6, one hit": Fraction(5, 12),
    }
    assert float(tree.success) == pytest.approx(move.success)


@pytest.mark.parametrize("rules", PACKS)
def test_checks_and_the_tree_tell_the_same_fall(plain: Board, rules: str) -> None:
    field, move = _asked(_leap_and_jump(plain), rules)
    tree = field.odds(move)
    for check in move.checks:
        assert tree.throw is not None
        assert (tree.throw.reason, tree.throw.needed) == (check.reason, check.needed)
        passed, failed = sorted(tree.branches, key=lambda branch: not branch.passed)
        fall = failed.tree.happens[0]
        assert fall.height == pytest.approx(check.on_fail.height, abs=0.01)
        assert fall.at == pytest.approx(check.on_fail.landing, abs=0.05)
        hits = [h.hit for h in failed.tree.happens if h.hit is not None]
        assert hits[:1] == ([] if check.on_fail.hit is None else [check.on_fail.hit])
        tree = passed.tree


@pytest.mark.parametrize("rules", NECROMUNDA)
@pytest.mark.parametrize(("away", "needed"), [(5.5, 1), (6.5, 2), (7.5, 3)])
def test_a_charge_rolls_its_distance_first(plain: Board, rules: str, away: float, needed: int) -> None:
    plain.fighter("kal", (-6, 0)).fighter("rax", (-6 + away + 2 * R32, 0), side="blue")
    field = load(plain, rules)
    move = field.moves("kal", "charge", target="rax").to(*plain.turned(-6 + away, 0))
    assert move.legal
    tree = field.odds(move)
    assert tree.success == Fraction(4 - needed, 3)
    assert float(tree.success) == pytest.approx(move.success)
    for path in tree.paths():
        if path.reached:
            continue
        assert throws(tree) == ["charge"]
        (face,) = path.rolled[0][1].faces
        gone = math.dist(path.first.at[:2], field.fighter("kal").at[:2])
        # as far as the roll goes, and no nearer than an inch
        assert gone == pytest.approx(min(5 + face, away - 1), abs=0.06)
        assert path.events(Event.STOPS)


def test_a_charge_that_falls_short_still_makes_the_checks_on_its_way(plain: Board) -> None:
    plain.box((8, 8, 4), (-4, 0)).fighter("kal", (-R32, 0, 4)).fighter("rax", (7.5 + R32, 0), side="blue")
    field = load(plain, N23)
    move = field.moves("kal", "charge", target="rax").to(*plain.turned(7.5 - R32, 0), 0)
    assert move.legal
    tree = field.odds(move)
    assert tree.success == Fraction(1, 3) * Fraction(1, 3)
    short = [path for path in tree.paths() if not path.reached and not path.events(Event.FALL)]
    assert sum(path.chance for path in short) == Fraction(2, 3) * Fraction(1, 3)
    assert tree.chance(lambda p: bool(p.events(Event.FALL))) == Fraction(2, 3)


def test_dangerous_ground_in_the_tree(plain: Board) -> None:
    plain.area("dangerous", [(-0.5, -12), (0.5, -12), (0.5, 12), (-0.5, 12)]).fighter("kal", (-1.5, 0))
    field = load(plain, N23)
    tree = field.odds(field.moves("kal", "move").to(*plain.turned(1.5, 0)))
    assert tree.success == Fraction(1, 2)
    assert tree.chance(lambda p: p.first.out) == Fraction(1, 2)


def test_a_failed_climb_stays_at_the_foot(plain: Board) -> None:
    plain.box((4, 8, 3), (2, 0)).fighter("kal", (-R32, 0))
    plain.fighters[0]["profile"] = {"M": 6, "A": 9}
    field = load(plain, BLIGHT)
    move = field.moves("kal", "move").to(*plain.turned(R32 + 0.05, 0), 3)
    assert move.legal
    tree = field.odds(move)
    assert tree.success == Fraction(3, 5)
    failed = next(path for path in tree.paths() if not path.reached)
    assert failed.first.at == pytest.approx(field.fighter("kal").at, abs=0.03)
    assert not failed.first.goes_on
    assert failed.events(Event.FALL) == ()


def test_a_scramble_that_fails_falls_at_its_midpoint(plain: Board) -> None:
    rise = 4 * math.tan(math.radians(30))
    plain.terrain.append(
        {"id": "scree", "ramp": [4, 8, rise], "at": [*plain.turned(0, 0)], "turn": plain.angle}
    )
    plain.box((6, 8, rise), (5, 0)).fighter("kal", (-3.0, 0), M=9)
    field = load(plain, N17)
    move = field.moves("kal", "double-move").to(*plain.turned(3.0, 0), rise)
    assert move.legal
    tree = field.odds(move)
    assert tree.success == Fraction(1, 2)
    failed = next(path for path in tree.paths() if not path.reached)
    assert failed.first.statuses == ("prone-pinned",)
    assert not failed.first.goes_on
    # it slides to the flat ground at the foot, and the check on the move says the same
    assert failed.first.at[2] == pytest.approx(0.0, abs=0.01)
    assert failed.first.fallen == pytest.approx(rise / 2, abs=0.15)
    (check,) = move.checks
    assert check.on_fail.landing == pytest.approx(failed.first.at, abs=0.1)
    assert check.on_fail.height == pytest.approx(failed.first.fallen, abs=0.02)


def test_a_refused_move_is_not_made(plain: Board) -> None:
    plain.fighter("kal", (0, 0))
    field = load(plain, N23)
    tree = field.odds(field.moves("kal", "move").to(*plain.turned(8, 0)))
    (path,) = tree.paths()
    assert (path.reached, path.first.at, path.happens) == (False, field.fighter("kal").at, ())


def test_a_certain_move_arrives(plain: Board) -> None:
    plain.fighter("kal", (0, 0))
    field = load(plain, N23)
    tree = field.odds(field.moves("kal", "move").to(*plain.turned(3, 0)))
    assert tree.success == 1
    assert tree.throw is None


def test_the_command_tells_the_tree(plain: Board, capsys: pytest.CaptureFixture[str]) -> None:
    _leap_and_jump(plain)
    x, y = plain.turned(GAP / 2 + 3 + R32 + 0.02, 0)
    call = ["moves", str(plain.write()), "--fighter", "kal", "--to", f"{x},{y},0"]
    assert main([*call, "--json"]) == 0
    outcomes = json.loads(capsys.readouterr().out)["outcomes"]
    assert outcomes["throw"]["reason"] == "leap"
    assert [branch["chance"] for branch in outcomes["branches"]] == [0.5, 0.5]
    assert outcomes["branches"][0]["branches"][0]["reached"] is True
    assert main(call) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "8 %: kal gets there." in told
    assert "falls 3.00 in, takes a hit S3 AP- D1" in told
