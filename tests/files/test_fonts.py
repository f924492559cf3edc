"""Where the font is missing, a picture ends in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import ImageFont

from sandbox.cli import main
from sandbox.view import ink


def test_a_missing_font_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: Any) -> None:
        raise ImportError("The _imagingft C module is not installed")

    ink.font.cache_clear()
    ink.text_size.cache_clear()
    monkeypatch.setattr(ImageFont, "load_default", missing)
    scene = tmp_path / "scene.yaml"
    scene.write_text("board: {size: [6, 6]}\nfighters: [{id: kal, side: red, at: [3, 3]}]\n")
    assert main(["view", str(scene), "--image", str(tmp_path / "out.png")]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1
    assert "font" in told[0] and "pip install" in told[0]
    assert not (tmp_path / "out.png").exists()
