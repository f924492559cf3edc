"""The font of pictures and drawings: the one that comes with Pillow."""

from __future__ import annotations

from typing import Any

from PIL import ImageFont

from sandbox.errors import UserError


def usual_font(size: float) -> Any:
    """The font at a height in pixels. UserError where Pillow came without it."""
    try:
        return ImageFont.load_default(size)
    except (ImportError, OSError):
        message = (
            "pictures need the font that comes with Pillow, and it is missing here; install Pillow again"
        )
        raise UserError(f"{message}: pip install --force-reinstall pillow") from None
