"""How the panels look: one readable font, soft light colours, room to breathe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from imgui_bundle import imgui

from sandbox.view import palette
from sandbox.view.palette import Colour

PANEL: Colour = (250, 251, 252)
EDGE: Colour = (206, 210, 216)
SOFT: Colour = (234, 238, 243)
HOVER: Colour = (218, 228, 240)
PRESSED: Colour = (198, 214, 234)
ACCENT: Colour = (24, 108, 190)
GOOD: Colour = (0, 122, 92)

FONTS = "assets/fonts/Roboto"


class Fonts:
    """The type of the window."""

    def __init__(self, size: float) -> None:
        """size: height of plain text in pixels."""
        import imgui_bundle  # noqa: PLC0415

        folder = Path(imgui_bundle.__file__).parent / FONTS
        io = imgui.get_io()
        self._size = size
        self.scale = 1.0
        """how much larger everything is written."""
        self.plain: Any = io.fonts.add_font_from_file_ttf(str(folder / "Roboto-Regular.ttf"), size)
        self.strong: Any = io.fonts.add_font_from_file_ttf(str(folder / "Roboto-Bold.ttf"), size)
        io.font_default = self.plain

    @property
    def size(self) -> float:
        """Height of plain text in pixels."""
        return self._size * self.scale


def apply() -> None:
    """Colours and distances of all panels."""
    style = imgui.get_style()
    style.window_rounding = 0.0
    style.child_rounding = 6.0
    style.frame_rounding = 5.0
    style.grab_rounding = 5.0
    style.popup_rounding = 6.0
    style.window_border_size = 0.0
    style.frame_border_size = 0.0
    style.window_padding = imgui.ImVec2(14, 12)
    style.item_spacing = imgui.ImVec2(8, 6)
    style.frame_padding = imgui.ImVec2(9, 5)
    style.scrollbar_size = 11
    col = imgui.Col_
    for name, colour, alpha in (
        (col.text, palette.INK, 255),
        (col.text_disabled, palette.FAINT_INK, 255),
        (col.window_bg, PANEL, 255),
        (col.popup_bg, PANEL, 252),
        (col.border, EDGE, 255),
        (col.frame_bg, SOFT, 255),
        (col.frame_bg_hovered, HOVER, 255),
        (col.frame_bg_active, PRESSED, 255),
        (col.button, SOFT, 255),
        (col.button_hovered, HOVER, 255),
        (col.button_active, PRESSED, 255),
        (col.header, HOVER, 255),
        (col.header_hovered, HOVER, 255),
        (col.header_active, PRESSED, 255),
        (col.slider_grab, ACCENT, 255),
        (col.slider_grab_active, ACCENT, 255),
        (col.check_mark, ACCENT, 255),
        (col.separator, EDGE, 255),
        (col.scrollbar_bg, PANEL, 255),
        (col.scrollbar_grab, EDGE, 255),
        (col.title_bg, SOFT, 255),
        (col.title_bg_active, SOFT, 255),
    ):
        style.set_color_(name, vec(colour, alpha))


def vec(colour: Colour, alpha: int = 255) -> Any:
    """A colour as ImGui takes it."""
    return imgui.ImVec4(colour[0] / 255, colour[1] / 255, colour[2] / 255, alpha / 255)


def packed(colour: Colour, alpha: int = 255) -> int:
    """A colour for a draw list."""
    return int(imgui.get_color_u32(vec(colour, alpha)))


def on(colour: Colour) -> Colour:
    """Ink that can be read on a colour."""
    return palette.INK if sum(colour) > 380 else (255, 255, 255)
