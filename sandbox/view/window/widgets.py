"""Small pieces of the panels: headings, swatches, wrapped text, segmented buttons. Sizes are in pixels."""

from __future__ import annotations

from typing import Any

from imgui_bundle import imgui

from sandbox.view import palette
from sandbox.view.palette import Colour
from sandbox.view.window import style
from sandbox.view.words import in_millimetres


class Units:
    """What distances are read in."""

    millimetres = False


def text(words: str, colour: Colour = palette.INK) -> None:
    """Words that wrap at the panel's edge, with distances as the user wants to read them."""
    words = in_millimetres(words) if Units.millimetres else words
    imgui.push_style_color(imgui.Col_.text, style.vec(colour))
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(words)
    imgui.pop_text_wrap_pos()
    imgui.pop_style_color()


def strong(words: str, fonts: style.Fonts, size: float | None = None, colour: Colour = palette.INK) -> None:
    """Words in bold, perhaps larger."""
    imgui.push_font(fonts.strong, size or fonts.size)
    text(words, colour)
    imgui.pop_font()


def heading(words: str, fonts: style.Fonts) -> None:
    """The head of a section, with a line above."""
    imgui.dummy((0, 2))
    imgui.separator()
    imgui.dummy((0, 1))
    strong(words, fonts, fonts.size * 0.9, palette.FAINT_INK)


def swatch(colour: Colour, words: str, *, striped: bool = False, line: bool = False) -> None:
    """A field of colour with words beside it."""
    size = imgui.get_font_size() * 0.93
    pen: Any = imgui.get_window_draw_list()
    at = imgui.get_cursor_screen_pos()
    wide, high = size * 1.5, size
    top = at.y + 2
    if line:
        middle = top + high / 2
        pen.add_line((at.x, middle), (at.x + wide, middle), style.packed(palette.INK), size * 0.5)
        pen.add_line((at.x + 1, middle), (at.x + wide - 1, middle), style.packed(colour), size * 0.32)
    else:
        pen.add_rect_filled((at.x, top), (at.x + wide, top + high), style.packed(colour), 3.0)
        if striped:
            pen.push_clip_rect((at.x, top), (at.x + wide, top + high), True)
            for k in range(-2, 6):
                x = at.x + k * size * 0.42
                pen.add_line((x, top + high), (x + high, top), style.packed(palette.TEST), size * 0.16)
            pen.pop_clip_rect()
        pen.add_rect((at.x, top), (at.x + wide, top + high), style.packed(palette.INK, 130), 3.0)
    imgui.dummy((wide, high))
    imgui.same_line()
    text(words)


def field(pixels: float) -> None:
    """The next field is so wide, in pixels at the usual size of type."""
    imgui.set_next_item_width(pixels * imgui.get_font_size() / 15.0)


def dot(colour: Colour, size: float = 12.0) -> None:
    """A disc of a side's colour, on the line that goes on."""
    pen: Any = imgui.get_window_draw_list()
    at = imgui.get_cursor_screen_pos()
    pen.add_circle_filled((at.x + size / 2, at.y + size * 0.75), size / 2, style.packed(colour))
    imgui.dummy((size + 2, size))
    imgui.same_line()


def button(words: str, *, on: bool = False, enabled: bool = True, wide: float = 0.0) -> bool:
    """A button; on: drawn as pressed in."""
    if on:
        imgui.push_style_color(imgui.Col_.button, style.vec(style.ACCENT))
        imgui.push_style_color(imgui.Col_.button_hovered, style.vec(style.ACCENT))
        imgui.push_style_color(imgui.Col_.text, style.vec((255, 255, 255)))
    imgui.begin_disabled(not enabled)
    pressed = bool(imgui.button(words, (wide, 0)))
    imgui.end_disabled()
    if on:
        imgui.pop_style_color(3)
    return pressed and enabled


def check(words: str, on: bool) -> tuple[bool, bool]:
    """A box to tick: whether it was just clicked, and whether it is ticked."""
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 1.0)
    clicked, ticked = imgui.checkbox(words, on)
    imgui.pop_style_var()
    return bool(clicked), bool(ticked)


def tip(words: str) -> None:
    """What is said when the mouse rests on the last thing drawn."""
    if words and imgui.is_item_hovered(imgui.HoveredFlags_.allow_when_disabled):
        imgui.begin_tooltip()
        imgui.push_text_wrap_pos(320.0)
        imgui.text_unformatted(words)
        imgui.pop_text_wrap_pos()
        imgui.end_tooltip()


def segments(words: tuple[str, ...], chosen: str, width: float) -> str:
    """A row of buttons of which one is on; the one that is on afterwards."""
    answer = chosen
    gap = 4.0
    each = (width - gap * (len(words) - 1)) / len(words)
    for number, word in enumerate(words):
        if number:
            imgui.same_line(0, gap)
        if button(word, on=word == chosen, wide=each):
            answer = word
    return answer


def number(label: str, value: float, step: float, unit: str, *, wide: float = 110.0) -> float | None:
    """A number to type or step; the new one once it is finished, else None."""
    field(wide)
    shown = _typed.get(label, float(value))
    changed, fresh = imgui.input_float(f"##{label}", shown, step, step * 4, "%.3g")
    if changed:
        _typed[label] = float(fresh)
    # Typing changes it letter by letter; it counts when the field is left.
    done = imgui.is_item_deactivated_after_edit()
    imgui.same_line()
    imgui.text_unformatted(f"{label} {unit}".strip())
    if not done:
        return None
    wanted = _typed.pop(label, float(value))
    return wanted if abs(wanted - value) > 1e-6 else None


_typed: dict[str, float] = {}
"""numbers that are being typed, by label."""
