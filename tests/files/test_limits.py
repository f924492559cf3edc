"""Each limit of a file that people write, or play, is told with what raises it; and raised, it lets the file in."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.errors import UserError
from sandbox.files import read_yaml
from sandbox.play import scene_of


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


@pytest.mark.parametrize("text", ["lots", "0", "-3", "nan", "inf"])
def test_a_limit_that_is_no_number_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("SANDBOX_MAX_TEXT_MB", text)
    with pytest.raises(UserError, match="SANDBOX_MAX_TEXT_MB"):
        read_yaml(_filled(tmp_path / "small.yaml", 0.001))
