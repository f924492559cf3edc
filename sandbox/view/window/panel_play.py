"""The panels of play: fighters, actions, reach on the left; the way, the dice and the log on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.rules.statements import RuleName
from sandbox.rules.words import Target
from sandbox.view import palette, reach
from sandbox.view.stage import leg_colour
from sandbox.view.window import labels, style, widgets
from sandbox.view.window.orders import Order
from sandbox.view.window.panel_game import GamePanel
from sandbox.view.window.talk import ActionInfo, Needs, WayAnswer
from sandbox.view.words import say

if TYPE_CHECKING:
    from sandbox.view.window.app import App

AIM = {
    Target.ENEMY: "Click the enemy that it is aimed at.",
    Target.MODEL: "Click the model that it is aimed at.",
    Target.ITEM: "Click what is carried.",
    Target.DOOR: "Click the door.",
}
INDENT = 10.0
"""of what belongs to a line of the log, pixels."""
BASES = (25.0, 28.5, 32.0, 40.0, 50.0)


class PlayPanel:
    """Asking and moving."""

    def __init__(self, app: App) -> None:
        """app: what it reads and steers."""
        self.app = app
        self.games = GamePanel(app)
        self._typed = 4

    # -- left --------------------------------------------------------------------------------------------------

    def left(self) -> None:
        """Who, and what."""
        self.games.left()
        self._fighters()
        self._actions()
        if self.app.session.game is not None:
            self.games.orders()
        self._reach()
        if self.app.session.game is None:
            self._rules()

    def _fighters(self) -> None:
        session, fonts = self.app.session, self.app.fonts
        board = session.board
        assert board is not None
        widgets.heading("FIGHTERS", fonts)
        if not board.fighters:
            widgets.text("none: add one while building", palette.FAINT_INK)
        colours = palette.side_colours([f.side for f in board.fighters])
        plain = not any(labels.shown_status(f.status) for f in board.fighters)
        columns = 2 if len(board.fighters) > 3 and plain else 1
        if board.fighters and imgui.begin_table("fighters", columns):
            for fighter in board.fighters:
                imgui.table_next_column()
                widgets.dot(colours[fighter.side], fonts.size * 0.8)
                status = labels.shown_status(fighter.status)
                prone = f" ({status})" if status else ""
                game = session.game
                done = game is not None and fighter.name in game.activated and fighter.name != game.active
                if done:
                    imgui.push_style_color(imgui.Col_.text, style.vec(palette.FAINT_INK))
                if imgui.selectable(f"{fighter.name}{prone}", fighter.name == session.fighter)[0]:
                    session.select(fighter.name)
                if done:
                    imgui.pop_style_color()
                    widgets.tip("has had its activation this turn")
                widgets.tip(board.problems.get(fighter.name, ""))
            imgui.end_table()

    def _actions(self) -> None:
        session, fonts = self.app.session, self.app.fonts
        if session.fighter is None:
            if session.board is not None and session.board.fighters:
                widgets.text("Click a fighter to see where it can go.", palette.FAINT_INK)
            return
        widgets.heading("ACTION", fonts)
        infos = [i for i in session.infos() if i.allowed]
        others = [i for i in session.infos() if not i.allowed]
        width = imgui.get_content_region_avail().x
        for number, info in enumerate(infos):
            if number % 2:
                imgui.same_line(0, 4)
            words = f'{info.id}  {info.allowance:.3g}"' if info.allowance else info.id
            if widgets.button(words, on=info.id == session.action, wide=(width - 4) / 2):
                session.choose(info.id)
        if others and imgui.tree_node("not now"):
            for info in others:
                imgui.text_disabled(info.id)
                widgets.tip(info.why or "comes with the game, not with this question")
            imgui.tree_pop()
        found = session.info()
        if found is not None:
            self._chosen(found)

    def _chosen(self, info: ActionInfo) -> None:
        """What the chosen action waits for."""
        session = self.app.session
        if session.needs_target():
            widgets.text(AIM[info.target], style.ACCENT)
            return
        if session.target is not None:
            again = ": click it again, or a place" if info.target is Target.ENEMY else ""
            widgets.text(f"aimed at {session.target}{again}", palette.FAINT_INK)
        if info.drives:
            widgets.text("Click where it drives, stretch by stretch; Escape takes one back.", style.ACCENT)
            if widgets.button("Drive (Enter)", enabled=bool(session.route)):
                session.go()
        elif info.in_place:
            if widgets.button(f"{info.id}: do it", on=True):
                session.do_here()
        elif not session.measures:
            widgets.text("Click where to: the action is declared before anything is measured.", style.ACCENT)

    def _reach(self) -> None:
        session, fonts = self.app.session, self.app.fonts
        answer = session.reach
        if answer is None or session.overlay_kind is not None:
            return
        widgets.heading("REACH: where the base's centre can end", fonts)
        for words in answer.rulings:
            widgets.text(words, palette.REFUSED)
        if not len(answer.spots):
            if not answer.rulings:
                widgets.text("nowhere", palette.FAINT_INK)
            return
        count, step = reach.band_count(answer.allowance), reach.band_width(answer.allowance)
        if imgui.begin_table("bands", 2):
            for index, colour in enumerate(palette.bands(count)):
                imgui.table_next_column()
                low, high = index * step, min((index + 1) * step, answer.allowance)
                widgets.swatch(colour, f'{low:g} - {high:.3g}"' if index else f'up to {high:.3g}"')
            imgui.end_table()
        needs = answer.spots[:, 4] < reach.CERTAIN
        if needs.any():
            odds = sorted({round(float(value) * 100) for value in answer.spots[needs, 4]}, reverse=True)
            told = ", ".join(f"{value} %" for value in odds[:4]) + (" ..." if len(odds) > 4 else "")
            widgets.swatch((214, 208, 220), f"by a check: {told}", striped=True)
        if session.difference is not None:
            found = session.difference
            if found.gained or found.lost:
                widgets.text(
                    f"{found.what}: {found.gained} places more, {found.lost} fewer, of {found.before}",
                    style.ACCENT,
                )
            else:
                widgets.text(f"{found.what}: the same places", palette.FAINT_INK)

    def _rules(self) -> None:
        session = self.app.session
        board = session.board
        assert board is not None
        if not imgui.collapsing_header("Try other rules, base or height"):
            return
        imgui.set_next_item_width(-1)
        shown = session.rules.pack or f"{board.rules_id} (the scene's)"
        if imgui.begin_combo("##pack", shown):
            if imgui.selectable("the scene's own", session.rules.pack is None)[0]:
                session.try_rules(None)
            for pack in board.packs:
                if imgui.selectable(pack, session.rules.pack == pack)[0]:
                    session.try_rules(pack)
            imgui.end_combo()
        self._body()
        if imgui.tree_node("open settings"):
            for setting in board.settings:
                widgets.field(90)
                if imgui.begin_combo(f"{setting.rule}##setting", f"{setting.value}"):
                    for value, changes in setting.options:
                        if imgui.selectable(f"{value}", value == setting.value)[0]:
                            session.try_setting(setting.rule, value)
                        widgets.tip(changes)
                    imgui.end_combo()
                widgets.tip(f"{setting.text} ({setting.source})")
            imgui.tree_pop()
        if session.rules.settings and widgets.button("settings as the pack says"):
            session.drop_settings()

    def _body(self) -> None:
        session = self.app.session
        mark = self.app.mark(session.fighter)
        if mark is None or session.fighter is None:
            return
        widgets.field(90)
        if imgui.begin_combo("base, mm", f"{mark.base_mm[0]:g}"):
            for size in BASES:
                if imgui.selectable(f"{size:g}", mark.base_mm == (size, size))[0]:
                    session.try_body(base=(size, size))
            imgui.end_combo()
        fresh = widgets.number("height", mark.height, 0.1, "in", wide=90)
        if fresh is not None and 0.1 <= fresh <= 20:
            session.try_body(height=fresh)
        if session.fighter in session.what_if and widgets.button("as in the scene"):
            session.drop_body()

    # -- right -------------------------------------------------------------------------------------------------

    def right(self) -> None:
        """The way, the dice, the log."""
        app, session = self.app, self.app.session
        if session.order is not None:
            self._order(session.order)
        elif session.hover is not None:
            self._way(session.hover)
        elif session.fighter is None and not session.refused:
            self._start()
        else:
            widgets.strong("The way", app.fonts, app.fonts.size * 1.15)
            if not session.refused:
                widgets.text("Point at a place on the board.", palette.FAINT_INK)
            for line in session.refused:
                widgets.text(line, palette.REFUSED)
        if session.plan:
            widgets.heading("PLANNED", app.fonts)
            for answer in session.plan:
                cost = answer.move.cost or 0.0
                widgets.text(f'{answer.move.action}: {cost:.2f}" to {_place(answer.move.to)}')
            if widgets.button("Go (Enter)"):
                session.go()
            imgui.same_line()
            if widgets.button("Forget the plan"):
                session.drop_plan()
        self.log()

    def _start(self) -> None:
        """What to do first, for whoever opens a board."""
        fonts, board = self.app.fonts, self.app.session.board
        assert board is not None
        widgets.strong(say("start", "title"), fonts, fonts.size * 1.15)
        told = ("choose", "reach", "point", "go", "eye") if board.fighters else ("empty", "eye")
        for name in told:
            widgets.text(say("start", name), palette.FAINT_INK)
            imgui.dummy((0, 1))

    def _way(self, answer: WayAnswer) -> None:
        app, session = self.app, self.app.session
        move, fonts = answer.move, app.fonts
        if move.legal:
            widgets.strong(f'{move.cost or 0:.2f}" of {move.allowance:.3g}"', fonts, fonts.size * 1.3)
            odds = 1.0 if move.success is None else move.success
            told = "certain" if odds > 0.9995 else f"chance {odds * 100:.0f} %"
            widgets.text(told, style.GOOD if odds > 0.9995 else palette.TEST)
        else:
            widgets.strong("Refused", fonts, fonts.size * 1.3, palette.REFUSED)
        for number, stretch in enumerate(answer.stretches, start=1):
            colour = leg_colour(stretch.kind, move.legal)
            widgets.swatch(colour, f"{number}. {stretch.words[0]}", line=True)
        if not move.legal:
            for ruling in move.rulings:
                imgui.dummy((0, 2))
                widgets.text(ruling.text[:1].upper() + ruling.text[1:] + ".", palette.REFUSED)
                said = f"{ruling.rule}; {ruling.source}" if ruling.source else ruling.rule
                widgets.text(said, palette.FAINT_INK)
                if ruling.setting:
                    widgets.text(f"another reading of {ruling.setting} would change this", style.ACCENT)
            if move.cost is not None and all(r.rule != RuleName.ALLOWANCE for r in move.rulings):
                widgets.text(f'the cheapest way costs {move.cost:.2f}" of {move.allowance:.3g}"')
            if answer.fall is not None:
                hit = "no hit" if answer.fall.hit is None else f"hit {answer.fall.hit}"
                widgets.text(f'a fall from there: {answer.fall.height:.2f}", {hit}', palette.TEST)
        if move.checks:
            widgets.heading("CHECKS", fonts)
            for check in move.checks:
                widgets.text(
                    f"{check.kind.value.capitalize()} {check.needed}+ for {check.reason.value}: "
                    f"{check.chance * 100:.0f} %",
                    palette.TEST,
                )
                widgets.text(f"else: {check.on_fail.happens}", palette.FAINT_INK)
        imgui.dummy((0, 4))
        held = "right click lets go" if session.pinned else "right click holds it"
        words = f"click to move, shift + click to plan on; {held}" if move.legal else held
        widgets.text(words, palette.FAINT_INK)
        if session.pinned and move.legal:
            if widgets.button("Go (Enter)"):
                session.go()
            imgui.same_line()
            if widgets.button("Plan on from there"):
                session.plan_on()

    def _order(self, order: Order) -> None:
        app, session = self.app, self.app.session
        fonts = app.fonts
        widgets.strong(order.title, fonts, fonts.size * 1.3)
        played = order.played
        if played is None:
            widgets.text("working it out", palette.FAINT_INK)
            return
        for die in played.dice:
            good = die.good is not False
            if not order.over:
                widgets.text(die.words, style.GOOD if good else palette.REFUSED)
            _die(die.face, good, fonts)
        if order.over:
            for line in played.words:
                widgets.text(line, palette.FAINT_INK)
            if widgets.button("Go on (Enter)", on=True):
                session.finish_order()
            return
        if played.needs is not None:
            self._roll(order, played.needs)

    def _roll(self, order: Order, needs: Needs) -> None:
        session = self.app.session
        for line in needs.before:
            widgets.text(line, palette.REFUSED)
        odds = "" if needs.chance is None else f" ({needs.chance * 100:.0f} %)"
        widgets.text(f"{needs.words}{odds}")
        for share, words in needs.outcomes:
            widgets.text(f"{share * 100:.0f} %: {words}", palette.FAINT_INK)
        if widgets.button("Roll", on=True):
            session.roll()
        imgui.same_line()
        widgets.field(90)
        _, self._typed = imgui.input_int("##die", self._typed)
        self._typed = max(needs.low, min(needs.high, self._typed))
        imgui.same_line()
        if widgets.button("Take my dice"):
            session.roll(self._typed)
        if not order.rolled and session.measures and widgets.button("Not after all (Esc)"):
            session.cancel_order()

    def log(self) -> None:
        """What was done, the last first, with undo and redo."""
        session, fonts = self.app.session, self.app.fonts
        widgets.heading("LOG", fonts)
        game = session.game
        if widgets.button("Undo", enabled=bool(session.past) if game is None else game.undo):
            session.undo()
        widgets.tip("control + Z")
        imgui.same_line()
        if widgets.button("Redo", enabled=bool(session.future) if game is None else game.redo):
            session.redo()
        widgets.tip("control + Y")
        imgui.begin_child("log", (0, 0))
        lines = session.told
        if not lines:
            widgets.text("nothing has happened yet", palette.FAINT_INK)
        for words in reversed(lines[-60:]):
            widgets.text(words[0])
            imgui.indent(INDENT)
            for line in words[1:]:
                widgets.text(line, palette.FAINT_INK)
            imgui.unindent(INDENT)
            imgui.dummy((0, 2))
        imgui.end_child()


def _die(value: int, good: bool, fonts: style.Fonts) -> None:
    """A die that shows a value: pips up to six, else the number."""
    pen = imgui.get_window_draw_list()
    at = imgui.get_cursor_screen_pos()
    side = 40.0
    edge = style.packed(style.GOOD if good else palette.REFUSED)
    pen.add_rect_filled((at.x, at.y), (at.x + side, at.y + side), style.packed((255, 255, 255)), 8.0)
    pen.add_rect((at.x, at.y), (at.x + side, at.y + side), edge, 8.0, 0, 2.4)
    places = {
        1: [(0, 0)],
        2: [(-1, -1), (1, 1)],
        3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
        5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
        6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
    }
    if value in places:
        for dx, dy in places[value]:
            centre = (at.x + side / 2 + dx * side * 0.26, at.y + side / 2 + dy * side * 0.26)
            pen.add_circle_filled(centre, side * 0.085, style.packed(palette.INK))
    else:
        pen.add_text(fonts.strong, 20.0, (at.x + 9, at.y + 9), style.packed(palette.INK), str(value))
    imgui.dummy((side, side + 4))


def _place(at: tuple[float, float, float]) -> str:
    return f"{at[0]:.1f}, {at[1]:.1f}, {at[2]:.1f}"
