"""The panels beside the board: who, what, how far, why not, dice, log; and the bar with levels and views."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.view import palette
from sandbox.view.window import lesson, panel_build, panel_play, style, widgets
from sandbox.view.window.extras import RAY_FREE, RAY_MET
from sandbox.view.window.state import Mode
from sandbox.view.window.talk import OverlayKind
from sandbox.view.words import in_millimetres

if TYPE_CHECKING:
    from sandbox.view.window.app import App

LEFT, RIGHT = 268.0, 312.0
SHARE = 0.28
"""of the window's width that a panel with large type may take."""
BAR = 640.0
"""width of the bar with views and levels in one row, pixels."""
SIZES = ((1600, 1000), (2400, 1500), (3840, 2160), (1000, 1000))
CLIP = (800, 560)
BELOW = 14.0
"""room below the bar, pixels."""
BUILDING = (
    "Drag a piece or a fighter. Q and E turn it, the arrows move it by a step, page up and page down lift and lower "
    "it; control + D copies it, delete takes it away, control + S saves."
)
FIXED = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_bring_to_front_on_focus
)
HELP = (
    "left click: choose, order   shift + click: plan two actions   right click: hold the way shown\n"
    "drag: turn the board   middle drag, shift + drag: shift it   wheel: come nearer   shift + wheel: levels"
)


class Panels:
    """All panels of one window."""

    def __init__(self, app: App) -> None:
        """app: what they read and steer."""
        self.app = app
        self.shown = True
        self.help = False
        self.under = 54.0
        """what the bar covers at the lower edge of the board, pixels."""
        self.folder = "."
        self.size = SIZES[0]
        self.play = panel_play.PlayPanel(app)
        self.build = panel_build.BuildPanel(app)

    @property
    def widths(self) -> tuple[float, float]:
        """Of the left and the right panel, pixels."""
        if not self.shown:
            return 0.0, 0.0
        left = LEFT if self.app.lesson is None else lesson.WIDE
        # However large the type is, there is room for the board.
        most = SHARE * self.app.screen.size[0]
        return min(left * self.app.scale, max(left, most)), min(RIGHT * self.app.scale, max(RIGHT, most))

    def draw(self) -> None:
        """Everything, once a frame."""
        app = self.app
        width, height = app.screen.size
        left, right = self.widths
        widgets.Units.millimetres = app.millimetres
        imgui.push_font(app.fonts.plain, app.fonts.size)
        if self.shown:
            content = self._left if app.lesson is None else app.lesson.draw
            self._panel("left", 0.0, left, height, content)
            self._panel("right", width - right, right, height, self._right)
        self._bar()
        self._notices()
        imgui.pop_font()

    def _panel(self, name: str, x: float, width: float, height: float, content: object) -> None:
        imgui.set_next_window_pos((x, 0))
        imgui.set_next_window_size((width, height))
        imgui.begin(name, None, FIXED)
        content()  # type: ignore[operator]
        imgui.end()
        pen = imgui.get_foreground_draw_list()
        edge = x + width if x == 0 else x
        pen.add_line((edge, 0), (edge, height), style.packed(style.EDGE), 1.0)

    # -- left --------------------------------------------------------------------------------------------------

    def _left(self) -> None:
        app, session = self.app, self.app.session
        board = session.board
        fonts = app.fonts
        if board is None:
            widgets.strong(session.path.stem, fonts, fonts.size * 1.35)
            if session.error:
                widgets.text(session.error, palette.REFUSED)
            else:
                widgets.text(f"reading the scene{_dots()}", palette.FAINT_INK)
            return
        widgets.strong(board.scene.name, fonts, fonts.size * 1.35)
        widgets.text(board.rules_name, palette.FAINT_INK)
        imgui.dummy((0, 2))
        mode = widgets.segments(tuple(Mode), session.mode, imgui.get_content_region_avail().x)
        if mode != session.mode:
            app.set_mode(Mode(mode))
        if session.mode is Mode.BUILD:
            self.build.left()
        elif session.mode is Mode.TAPE:
            widgets.heading("TAPE MEASURE", fonts)
            widgets.text(
                "Click two places. On a fighter the tape starts at the centre of its base. Escape puts it away.",
                palette.FAINT_INK,
            )
        else:
            self.play.left()
        self._overlays()
        self._pictures()
        self._settings()

    def _overlays(self) -> None:
        session, fonts = self.app.session, self.app.fonts
        widgets.heading("OVERLAY", fonts)
        if not session.measures:
            widgets.text("Nothing is measured before an action is declared.", palette.FAINT_INK)
            return
        imgui.set_next_item_width(-1)
        shown = session.overlay_kind.value if session.overlay_kind else "none"
        if imgui.begin_combo("##overlay", shown):
            if imgui.selectable("none", session.overlay_kind is None)[0]:
                session.lay(None)
            for kind in OverlayKind:
                if imgui.selectable(kind.value, session.overlay_kind is kind)[0]:
                    session.lay(kind)
            imgui.end_combo()
        if session.overlay_kind is not None and session.overlay is None:
            widgets.text(f"working{_dots()}", palette.FAINT_INK)
        if session.overlay is not None:
            for colour, words in session.overlay.legend:
                widgets.swatch(colour, words)
            if session.overlay.note:
                widgets.text(session.overlay.note, palette.FAINT_INK)
        changed, on = widgets.check("distance kept from enemies", session.zones)
        if changed:
            session.zones = on
            session.changed |= type(session.changed).OVERLAY
        changed, on = widgets.check("rays that prove the way (P)", session.proof)
        if changed:
            self.app.toggle_proof()
        if session.proof:
            widgets.swatch(RAY_FREE, "a ray: nothing solid is met along it", line=True)
            widgets.swatch(RAY_MET, "where it ends: floor, a face that is climbed, or as far as it goes")

    def _settings(self) -> None:
        app = self.app
        if not imgui.collapsing_header("Window"):
            return
        changed, on = widgets.check("millimetres", app.millimetres)
        if changed:
            app.millimetres = on
            app.session.changed |= type(app.session.changed).TAPE
        changed, _ = widgets.check("shadows", app.shadows)
        if changed:
            app.toggle_shadows()
        widgets.field(120)
        changed, size = imgui.slider_float("size", app.scale, 0.8, 1.8, "%.1f")
        if changed:
            app.scale = round(size, 1)
        widgets.text(app.screen.note or app.screen.renderer, palette.FAINT_INK)

    def _pictures(self) -> None:
        """Pictures and clips of what is shown."""
        app = self.app
        if not imgui.collapsing_header("Pictures and clips"):
            return
        imgui.set_next_item_width(-1)
        _, self.folder = imgui.input_text("##folder", self.folder)
        widgets.tip("the folder that they are written to")
        widgets.field(120)
        if imgui.begin_combo("size", f"{self.size[0]} x {self.size[1]}"):
            for size in SIZES:
                if imgui.selectable(f"{size[0]} x {size[1]}", size == self.size)[0]:
                    self.size = size
            imgui.end_combo()
        camera = replace(app.orbit.camera, cut=app.cut)
        stem = app.session.path.stem
        if widgets.button("Picture"):
            app.session.record("picture", free(Path(self.folder), stem, ".png"), self.size, camera)
        widgets.tip("with legend and labels, as from the command line")
        imgui.same_line(0, 4)
        if widgets.button("Window"):
            app.picture(free(Path(self.folder), f"{stem}-window", ".png"))
        widgets.tip("the window as it is")
        imgui.same_line(0, 4)
        way = app.session.hover is not None and app.session.hover.move.legal
        shown = "the way that is held, played" if way else "the board turning once"
        for words, suffix in (("GIF", ".gif"), ("MP4", ".mp4")):
            if widgets.button(words):
                app.session.record("clip", free(Path(self.folder), stem, suffix), CLIP, camera)
            widgets.tip(f"a clip: {shown}")
            imgui.same_line(0, 4)
        imgui.new_line()

    # -- right -------------------------------------------------------------------------------------------------

    def _right(self) -> None:
        session = self.app.session
        if session.board is None:
            return
        if session.mode is Mode.BUILD:
            widgets.strong("Building", self.app.fonts, self.app.fonts.size * 1.15)
            widgets.text(BUILDING, palette.FAINT_INK)
            self.play.log()
        else:
            self.play.right()

    # -- over the board ----------------------------------------------------------------------------------------

    def _bar(self) -> None:
        """Views and levels, at the lower edge of the board."""
        app = self.app
        board = app.session.board
        if board is None or app.stage is None:
            return
        left, _, right, bottom = app.view_box
        flags = FIXED | imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_focus_on_appearing
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 9.0)
        imgui.push_style_var(imgui.StyleVar_.window_padding, (10, 7))
        imgui.push_style_color(imgui.Col_.window_bg, style.vec(style.PANEL, 236))
        imgui.set_next_window_pos(((left + right) / 2, bottom - BELOW), imgui.Cond_.always, (0.5, 1.0))
        imgui.begin("bar", None, flags)
        if widgets.button("Whole"):
            app.view_whole()
        widgets.tip("the whole board (H)")
        imgui.same_line()
        if widgets.button("Top"):
            app.view_above()
        widgets.tip("from above (T)")
        imgui.same_line()
        if widgets.button("Frame"):
            app.frame_chosen()
        widgets.tip("come near what is chosen (F)")
        imgui.same_line()
        if widgets.button("X-ray", on=app.xray):
            app.toggle_xray()
        widgets.tip("see through the terrain (X)")
        if right - left > BAR * app.scale:
            imgui.same_line(0, 18)
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted("Level")
        imgui.same_line()
        top = float(app.stage.scenery.prepared.high[2]) + 0.5
        value = top if app.cut is None else app.cut
        widgets.field(170)
        changed, value = imgui.slider_float("##level", value, 0.2, top, "")
        if changed:
            app.set_cut(None if value >= top - 0.05 else round(float(value), 2))
        imgui.same_line(0, 6)
        height = "all  " if app.cut is None else f'{app.cut:.2f}"'
        imgui.text_unformatted(in_millimetres(height) if app.millimetres else height)
        imgui.same_line(0, 8)
        if widgets.button("-"):
            app.step_level(False)
        widgets.tip("one floor down ([)")
        imgui.same_line(0, 4)
        if widgets.button("+"):
            app.step_level(True)
        widgets.tip("one floor up (])")
        imgui.same_line(0, 4)
        if widgets.button("All", enabled=app.cut is not None):
            app.set_cut(None)
        imgui.same_line(0, 18)
        if widgets.button("?", on=self.help):
            self.help = not self.help
        if self.help:
            widgets_text = HELP
            imgui.text_disabled(widgets_text)
        self.under = imgui.get_window_height() + BELOW
        imgui.end()
        imgui.pop_style_color()
        imgui.pop_style_var(2)

    def _notices(self) -> None:
        """What happened, for a few seconds, at the upper edge of the board."""
        session = self.app.session
        busy = max(session.worker.busy("board"), session.worker.busy("reach"))
        notices = [(n.text, n.bad) for n in session.notices]
        if busy > 0.35 and session.board is not None:
            notices.append((f"working it out{_dots()}", False))
        if session.stale_file:
            notices.append(("the scene file was changed by somebody else", True))
        if not notices:
            return
        left, _, right, _ = self.app.view_box
        flags = FIXED | imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_focus_on_appearing
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 8.0)
        imgui.push_style_color(imgui.Col_.window_bg, style.vec(style.PANEL, 240))
        imgui.set_next_window_pos(((left + right) / 2, 12), imgui.Cond_.always, (0.5, 0.0))
        imgui.begin("notices", None, flags)
        imgui.push_text_wrap_pos(min(520.0, right - left - 40))
        for words, bad in notices:
            imgui.push_style_color(imgui.Col_.text, style.vec(palette.REFUSED if bad else palette.INK))
            imgui.text_unformatted(words)
            imgui.pop_style_color()
        imgui.pop_text_wrap_pos()
        if session.stale_file and imgui.button("read it again"):
            session.load()
        imgui.end()
        imgui.pop_style_color()
        imgui.pop_style_var()


def free(folder: Path, stem: str, suffix: str) -> Path:
    """A name in a folder that no file has yet."""
    path = folder / f"{stem}{suffix}"
    number = 2
    while os.path.lexists(path):
        path = folder / f"{stem}-{number}{suffix}"
        number += 1
    return path


def _dots() -> str:
    """A sign of life."""
    return "." * (1 + int(imgui.get_time() * 2.5) % 3)
