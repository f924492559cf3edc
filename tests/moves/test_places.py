"""Questions about one place: standing, falling; boards that can be read but not played."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandbox

BOARD = """
name: Places
board: {size: [24, 24]}
terrain:
  - {id: deck, box: [6, 6, 3], at: [12, 12]}
fighters:
FIGHTERS
"""


def _load(tmp_path: Path, *fighters: str) -> sandbox.moves.battlefield.Battlefield:  # type: ignore[name-defined]
    file = tmp_path / "places.yaml"
    lines = "\n".join(f"  - {{{one}, side: red}}" for one in fighters)
    file.write_text(BOARD.replace("FIGHTERS", lines), encoding="utf-8")
    return sandbox.load(file)


def test_stand_and_its_reasons(tmp_path: Path) -> None:
    field = _load(tmp_path, "id: kal, at: [2, 2]")
    inside = field.stand(12, 12)
    assert inside.stands
    assert inside.z == pytest.approx(3.0)
    assert inside.support == 1.0
    at_lip = field.stand(9.3, 12, 3)
    assert not at_lip.stands
    assert 0.5 < at_lip.support < 1.0
    assert at_lip.rulings[0].rule == "flat_ground"
    against_wall = field.stand(8.8, 12, 0)
    assert not against_wall.stands
    assert against_wall.rulings[0].rule == "room"


def test_fall_from_a_deck(tmp_path: Path) -> None:
    fall = _load(tmp_path, "id: kal, at: [2, 2]").fall(9.2, 12, 3)
    assert fall.height == pytest.approx(3.0, abs=0.01)
    assert fall.landing is not None
    assert fall.landing[2] == pytest.approx(0.0, abs=0.01)
    assert str(fall.hit) == "S3 AP- D1"


@pytest.mark.parametrize(
    ("fighters", "word"),
    [
        (("id: kal, at: [8.8, 12, 0]",), "inside deck"),
        (("id: kal, at: [2, 2]", "id: juno, at: [2.8, 2]"), "overlaps"),
    ],
)
def test_unplayable_boards_load_with_a_warning(tmp_path: Path, fighters: tuple[str, ...], word: str) -> None:
    field = _load(tmp_path, *fighters)
    assert any(word in warning for warning in field.warnings)
    moves = field.moves("kal", "move")
    assert len(moves.spots) == 0
    assert "cannot move" in moves.rulings[0].text
