"""Each limit of a file that people write, or play, is told with what raises it; and raised, it lets the file in."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.errors import UserError
from sandbox.files import read_yaml
from sandbox.play import scene_of
from sandbox.scene import load_scene


def _filled(path: Path, mib: float) -> Path:
    path.write_text("a: 1\n" + "# filler\n" * int(mib * 2**20 / 9), encoding="utf-8")
    return path


def test_a_text_that_is_too_large_names_what_lets_it_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _filled(tmp_path / "large.yaml", 1.5)
    with pytest.raises(UserError, match=r"limit of 1 MiB; SANDBOX_MAX_TEXT_MB=2 lets it in"):
        read_yaml(path)
    path = _filled(tmp_path / "smaller.yaml", 0.1)
    monkeypatch.setenv("SANDBOX_MAX_TEXT_MB", "0.0625")
    with pytest.raises(UserError, match=r"limit of 0.0625 MiB; SANDBOX_MAX_TEXT_MB=1 lets it in"):
        read_yaml(path)
    monkeypatch.setenv("SANDBOX_MAX_TEXT_MB", "1")
    assert read_yaml(path).plain == {"a": 1}


def test_a_text_that_unfolds_too_far_names_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.yaml"
    path.write_text("a: &a [" + "1," * 1000 + "1]\nb: &b [*a, *a]\nc: [*b, *b]\n", encoding="utf-8")
    monkeypatch.setenv("SANDBOX_MAX_TEXT_MB", "0.01")
    with pytest.raises(UserError, match=r"more than 2000 values; .* raise SANDBOX_MAX_TEXT_MB"):
        read_yaml(path)
    monkeypatch.delenv("SANDBOX_MAX_TEXT_MB")
    assert len(read_yaml(path).plain["c"]) == 2


def test_a_game_that_is_too_large_names_what_lets_it_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _filled(tmp_path / "long.game", 0.2)
    monkeypatch.setenv("SANDBOX_MAX_GAME_MB", "0.1")
    with pytest.raises(UserError, match=r"SANDBOX_MAX_GAME_MB=1 lets it in"):
        scene_of(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fighters:\n- {at: [1, 1], skills: [" + "a, " * 101 + "]}", r"fighters\[0\]\.skills: 101 values"),
        (
            "layout:\n  tiles: [1, 1]\n  levels:\n" + "  - {map: x}\n" * 13,
            r"levels: 13 values, usually at most 12 are read",
        ),
        ("name: " + "[" * 41 + "]" * 41, r"nested more than 40 deep; SANDBOX_MAX_DEPTH=80 lets more in"),
    ],
)
def test_lists_that_are_too_long_name_what_lets_them_in(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "long.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=told) as caught:
        load_scene(path)
    assert "SANDBOX_MAX_" in str(caught.value)


def test_a_list_longer_than_usual_is_let_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long.yaml"
    path.write_text("fighters:\n- {at: [1, 1], skills: [" + "a, " * 101 + "]}", encoding="utf-8")
    with pytest.raises(UserError, match="SANDBOX_MAX_LISTS=2 lets them in"):
        load_scene(path)
    monkeypatch.setenv("SANDBOX_MAX_LISTS", "2")
    assert len(load_scene(path).fighters[0].skills) == 101


@pytest.mark.parametrize("text", ["lots", "0", "-3", "nan", "inf"])
def test_a_limit_that_is_no_number_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("SANDBOX_MAX_TEXT_MB", text)
    with pytest.raises(UserError, match="SANDBOX_MAX_TEXT_MB"):
        read_yaml(_filled(tmp_path / "small.yaml", 0.001))
