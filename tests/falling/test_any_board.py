"""Falls on boards that nobody chose: whatever happens, what is true of every fall stays true."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any

import pytest
from cases.board import MM, Board
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.moves.distance import Base, plan_gap
from sandbox.moves.odds_tree import Event
from sandbox.moves.odds_tree import Path as Way

from .boards import BLIGHT, N17, PACKS, R32, load

BASES = (25, 32, 40, [60, 35])

decks = st.tuples(st.floats(1.0, 6.0), st.floats(0.2, 2.6), st.floats(0.0, 1.0), st.booleans())
models = st.tuples(
    st.floats(-0.5, 4.0),
    st.floats(-2.5, 2.5),
    st.sampled_from(BASES),
    st.sampled_from(["red", "blue"]),
    st.booleans(),
)


def _board(folder: Path, angle: float, rules: str, drawn: Any) -> Board:
    (height, deep, ledge, railed), others, base, gap = drawn
    board = Board(folder, angle=angle, rules=rules)
    board.box((8, 12, height), (-4, 0))
    if deep > 0.4:
        board.box((deep, 12, height * ledge + 0.05), (deep / 2, 0))
    if railed:
        board.box((0.1, 12, 0.6), (-0.05, 0, height), kind="railing")
    half = (base[0] if isinstance(base, list) else base) / 2 * MM
    board.fighter("kal", (-half - gap, 0, height), base=base)
    for n, (x, y, size, side, lies) in enumerate(others):
        status = "standing" if not lies else "stunned" if rules == BLIGHT else "prone-pinned"
        board.fighter(f"m{n}", (x, y), base=size, side=side, status=status)
    return board


def _ends(field: Any, path: Way) -> dict[str, Base]:
    """Bases of everybody who is still there at the end."""
    bases = {one.id: one.base for one in field.fighters}
    for end in path.ends:
        if end.at is None:
            bases.pop(end.who)
        else:
            bases[end.who] = bases[end.who].moved(end.at)
    return bases


@pytest.mark.parametrize("rules", PACKS)
@settings(max_examples=max(8, settings.default.max_examples // 3))
@given(
    drawn=st.tuples(decks, st.lists(models, max_size=3), st.sampled_from(BASES), st.floats(0.0, 0.45)),
    angle=st.floats(0, 90),
)
def test_what_is_true_of_every_fall(rules: str, drawn: Any, angle: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        field = load(_board(Path(folder), angle, rules, drawn), rules)
        if field.problems:
            return
        for tree in (field.falls("kal"), field.becomes("kal", "dazed" if rules == BLIGHT else "pinned")):
            assert sum(path.chance for path in tree.paths()) == 1
            for path in tree.paths():
                _check(field, path, rules)


def _check(field: Any, path: Way, rules: str) -> None:
    falls = path.events(Event.FALL)
    for fall in falls:
        assert fall.start is not None
        if fall.at is not None:
            assert fall.height == pytest.approx(max(0.0, fall.start[2] - fall.at[2]), abs=1e-6)
    ends = _ends(field, path)
    by_id = {end.who: end for end in path.ends}
    for who, end in by_id.items():
        assert end.fallen == pytest.approx(sum(f.height or 0.0 for f in falls if f.who == who), abs=1e-6)
        if end.at is None:
            assert end.out
            continue
        # it lies where a base can lie, on nobody
        one = field.fighter(who)
        size = (2 * one.base.half_long / MM, 2 * one.base.half_short / MM)
        if any(h.who == who and h.at is not None for h in path.happens):
            stand = field.stand(*end.at, base=size, height=one.height, facing=one.base.facing)
            assert stand.stands or stand.support > 0.98, (end, [r.text for r in stand.rulings])
        for other, base in ends.items():
            if other != who and abs(base.at[2] - end.at[2]) < 0.5:
                assert plan_gap(ends[who], base) > -0.02, (who, other)
    hits = path.events(Event.HIT)
    assert all(hit.hit is not None for hit in hits)
    if rules == BLIGHT:
        assert hits == ()
        assert len(path.events(Event.LANDS_ON)) == 0 or path.first.at is None or _clear(field, path)
    elif falls and not path.first.out and path.first.fallen > 0:
        assert path.first.statuses[0] in ("prone-pinned", "standing")
        assert not path.first.goes_on
        if path.first.statuses[0] == "standing":
            assert rules == N17
            assert path.events(Event.STANDS_UP)


def _clear(field: Any, path: Way) -> bool:
    """Whether a faller of Blightmeer touches no enemy that it came down on."""
    ends = _ends(field, path)
    met = {h.text.rsplit(" ", 1)[1] for h in path.events(Event.LANDS_ON)}
    return all(
        plan_gap(ends["kal"], ends[m]) > 0.02 - 1e-6 or not field.fighter("kal").is_enemy(field.fighter(m))
        for m in met
        if abs(ends[m].at[2] - ends["kal"].at[2]) < 0.5
    )


def test_falling_ovals_part_like_round_ones(tmp_path: Path) -> None:
    board = Board(tmp_path, angle=17.0).box((8, 12, 4), (-4, 0))
    board.fighter("kal", (-30 * MM - 0.1, 0, 4), base=[60, 35])
    board.fighter("rax", (30 * MM + 0.2, 0.3, 0), base=[60, 35], side="blue")
    (path,) = load(board, PACKS[0]).falls("kal").paths()
    field = load(board, PACKS[0])
    kal = field.fighter("kal").base.moved(path.first.at)
    assert plan_gap(kal, field.fighter("rax").base) == pytest.approx(1.0, abs=0.02)
    assert math.hypot(*(a - b for a, b in zip(path.first.at[:2], board.turned(R32, 0), strict=True))) < 3.5
