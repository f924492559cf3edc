"""A lesson beside the board: its words and questions in the left panel, its places lettered on the board.

What a step shows is asked of the window's own session, so a learner may turn the board, ask on and try things at any time.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from sandbox.teach.model import LETTERS
from sandbox.teach.terminal import score_line
from sandbox.teach.words import say
from sandbox.view import palette
from sandbox.view.camera import Camera
from sandbox.view.labels import pixel
from sandbox.view.window import style, widgets
from sandbox.view.window.state import Changed
from sandbox.view.window.talk import Question, Rules, WayAnswer
from sandbox.view.window.work import Worker

if TYPE_CHECKING:
    from sandbox.teach.desk import Lesson, Sight, Told
    from sandbox.teach.load import Lesson as LessonFile
    from sandbox.view.window.app import App

DESK = "sandbox.teach.desk:LessonDesk"
WIDE = 392.0
"""pixels that the panel of a lesson is wide."""
RIGHT: palette.Colour = (29, 122, 69)
DISC = 13.0
"""pixels; half the width of a letter on the board."""


def open_lesson(lesson: LessonFile, rules: str | None = None, *, size: tuple[int, int] = (1440, 900)) -> None:
    """Take a lesson in a window until it is closed. UserError where no window can be opened.

    rules: another pack than the lesson's first.
    """
    from sandbox.view.window.app import App  # noqa: PLC0415 - Panda3D is loaded by the first window

    pack = rules or lesson.packs[0]
    app = App(lesson.document.path, pack, size=size)
    app.lesson = LessonPanel(app, lesson.document.path, pack)
    try:
        app.run()
    finally:
        app.lesson.close()


class LessonPanel:
    """One lesson in one window."""

    def __init__(self, app: App, path: Path, pack: str) -> None:
        """Starts the process that works the lesson out."""
        self.app = app
        self.path = path
        self.worker = Worker(DESK)
        self.lesson: Lesson | None = None
        self.error = ""
        self.at = 0
        """index of the step that is shown."""
        self.answers: dict[int, bool] = {}
        """whether the first answer to each step was right, by index."""
        self.picked: dict[int, int] = {}
        """the choice that was picked last, by index."""
        self.done: set[int] = set()
        """steps that were answered to the end."""
        self.said: tuple[bool, str] | None = None
        """what was said of the last try."""
        self._shown: tuple[int, bool, str] | None = None
        self._marks: tuple[Any, ...] = ()
        self.open(pack)

    def open(self, pack: str) -> None:
        """Begin anew under a pack."""
        self.lesson, self.at, self.said = None, 0, None
        self.answers.clear()
        self.picked.clear()
        self.done.clear()
        self._shown, self._marks = None, ()
        if self.app.session.rules.pack != pack:
            self.app.session.rules = Rules(pack)
            self.app.session.load()
        self.worker.ask("open", "open", self.path, pack, then=self._opened, failed=self._failed)

    def close(self) -> None:
        """End the process."""
        self.worker.close()

    def _opened(self, lesson: Lesson) -> None:
        self.lesson = lesson

    def _failed(self, why: str) -> None:
        self.error = why

    @property
    def step(self) -> Told | None:
        """The step that is shown."""
        return None if self.lesson is None else self.lesson.steps[self.at]

    # -- what the learner does -----------------------------------------------------------------------------------

    def go(self, to: int) -> None:
        """Show another step; what was moved meanwhile stands where it stood."""
        if self.lesson is None or not 0 <= to < len(self.lesson.steps):
            return
        self.at, self.said = to, None

    def choose(self, index: int) -> None:
        """Pick a choice of the question, or a lettered place."""
        step = self.step
        if step is None or self.at in self.done:
            return
        right = step.choices[index].right
        self.picked[self.at] = index
        self._judged(right, step.verdicts[index] if step.tries else "")

    def take_place(self) -> None:
        """Try the place that the way on the board leads to."""
        step, way = self.step, self.app.session.hover
        if step is None or way is None or not step.tries or self.at in self.done:
            return
        self.picked.pop(self.at, None)
        self.worker.ask(
            "judge",
            "judge",
            step.number,
            way.move.to,
            then=lambda told: self._judged(*told),
            failed=self._failed,
        )

    def _judged(self, right: bool, told: str) -> None:
        step = self.step
        if step is None:
            return
        self.answers.setdefault(self.at, right)
        self.said = (right, told)
        if right or not step.tries:
            self.done.add(self.at)

    # -- the board -----------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Once a frame: let the board show what the step is about."""
        self.worker.poll()
        session, step = self.app.session, self.step
        if step is None or session.board is None or session.waiting or self.app.stage is None:
            return
        after = self.at in self.done and step.then is not None
        key = (self.at, after, session.rules.pack or "")
        if key == self._shown:
            return
        if session.past and session.saved_scene is not None:
            session.past.clear()
            session.future.clear()
            session.show(session.saved_scene)
            return
        self._shown = key
        self._show(step.then if after else step.sight)

    def _show(self, sight: Sight | None) -> None:
        session, app = self.app.session, self.app
        session.hover, session.pinned = None, False
        session.changed |= Changed.WAY
        app.screen.touch()
        if sight is None:
            return
        self._marks = sight.marked
        session.select(sight.fighter)
        if sight.fighter is not None and session.board is not None:
            if session.action != sight.action or session.target != sight.target:
                session.action, session.target = sight.action, sight.target
                session.aim_at(sight.target)
            if sight.to is not None:
                question = Question(session.board.serial, sight.fighter, sight.action, sight.target)
                session.worker.ask(
                    "lesson", "way", question, sight.to, None, then=self._found, failed=session.fault
                )
        look = sight.look
        if isinstance(look, Camera):
            app.orbit.glide(replace(look, cut=app.cut))
        elif look == "top":
            app.view_above()
        elif isinstance(look, str) and look.startswith("level:"):
            app.set_cut(float(look.partition(":")[2]))
        else:
            app.view_whole()

    def _found(self, answer: WayAnswer) -> None:
        """The way that a step shows stays until the learner lets it go."""
        session = self.app.session
        if session.order is None and session.playing is None:
            session.hover, session.pinned = answer, True
            session.changed |= Changed.WAY

    def draw_marks(self) -> None:
        """Letters at the places that are asked about."""
        app = self.app
        if app.stage is None or not self._marks:
            return
        left, top, right, bottom = app.view_box
        camera = replace(app.orbit.camera, cut=app.cut)
        pen: Any = imgui.get_background_draw_list()
        pen.push_clip_rect((left, top), (right, bottom))
        size = app.fonts.size
        for mark in self._marks:
            x, y = pixel(camera, mark.at, app.view_size)
            short = len(mark.name) == 1
            half = DISC * app.scale if short else 7.0 * app.scale
            at = (x + left, y + top)
            pen.add_circle_filled(at, half, style.packed((255, 255, 255)))
            pen.add_circle(at, half, style.packed(palette.INK), 0, 2.0)
            words = imgui.calc_text_size(mark.name)
            spot = (
                (at[0] - words.x / 2, at[1] - words.y / 2)
                if short
                else (at[0] + half + 4, at[1] - words.y / 2)
            )
            pen.add_text(app.fonts.strong, size, spot, style.packed(palette.INK), mark.name)
        pen.pop_clip_rect()

    # -- the panel -----------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Everything, once a frame."""
        app, fonts, lesson = self.app, self.app.fonts, self.lesson
        if lesson is None:
            widgets.text(
                self.error or say("window", "working"), palette.REFUSED if self.error else palette.FAINT_INK
            )
            return
        widgets.strong(lesson.title, fonts, fonts.size * 1.35)
        widgets.text(lesson.about, palette.FAINT_INK)
        imgui.dummy((0, 2))
        imgui.set_next_item_width(-1)
        if len(lesson.packs) > 1 and imgui.begin_combo("##pack", lesson.pack_name):
            for pack in lesson.packs:
                if imgui.selectable(pack, pack == lesson.pack)[0] and pack != lesson.pack:
                    self.open(pack)
            imgui.end_combo()
        step = self.step
        if self.lesson is None or step is None:
            return
        widgets.heading(say("window", "step", number=self.at + 1, of=len(lesson.steps)), fonts)
        for line in step.text:
            widgets.text(line)
            imgui.dummy((0, 2))
        for line in step.engine:
            widgets.text(line, palette.FAINT_INK)
        for name, told in step.rows:
            imgui.dummy((0, 3))
            widgets.strong(name, fonts)
            widgets.text(told)
        if step.plays:
            self._play_button()
        if step.asked:
            self._asked(step)
        imgui.dummy((0, 8))
        self._buttons(len(lesson.steps))
        if self.at == len(lesson.steps) - 1 and self.answers and len(self.answers) == lesson.points:
            imgui.dummy((0, 4))
            widgets.strong(score_line(sum(self.answers.values()), lesson.points), fonts, fonts.size * 1.15)
        app.screen.touch()

    def _play_button(self) -> None:
        session = self.app.session
        ready = session.hover is not None and session.hover.move.legal and session.order is None
        if widgets.button(say("window", "play"), enabled=ready and session.playing is None):
            session.go()
        if session.order is not None and session.order.over:
            session.finish_order()
        elif session.order is not None and session.order.waiting is not None:
            imgui.same_line()
            if widgets.button(say("window", "roll")):
                session.roll()

    def _asked(self, step: Told) -> None:
        fonts = self.app.fonts
        imgui.dummy((0, 2))
        widgets.strong(step.asked, fonts)
        done = self.at in self.done
        wide = imgui.get_content_region_avail().x
        for index, choice in enumerate(step.choices):
            shown = f"{LETTERS[index]}   {choice.text}##choice{index}"
            picked = self.picked.get(self.at) == index
            if _choice(
                shown, right=choice.right, told=picked or (done and choice.right), done=done, wide=wide
            ):
                self.choose(index)
        if step.tries and not done:
            widgets.text(say("window", "try"), palette.FAINT_INK)
            way = self.app.session.hover
            if widgets.button(say("window", "take"), enabled=way is not None):
                self.take_place()
        if self.at in self.answers:
            right, told = self.said or (self.answers[self.at], "")
            widgets.strong(
                say("player", "right" if right else "wrong"), fonts, None, RIGHT if right else palette.REFUSED
            )
            if told:
                widgets.text(told)
        if done and not self.answers[self.at] and not step.tries:
            index = next(i for i, choice in enumerate(step.choices) if choice.right)
            widgets.text(say("player", "was", letter=LETTERS[index], text=step.choices[index].text))
        if done:
            for line in step.because:
                widgets.text(line)

    def _buttons(self, count: int) -> None:
        if widgets.button(say("window", "back"), enabled=self.at > 0):
            self.go(self.at - 1)
        imgui.same_line()
        if widgets.button(say("window", "next"), enabled=self.at < count - 1):
            self.go(self.at + 1)


def _choice(words: str, *, right: bool, told: bool, done: bool, wide: float) -> bool:
    """A choice as a button; told: show whether it is right."""
    if told:
        colour = style.vec(RIGHT if right else palette.REFUSED)
        for where in (imgui.Col_.button, imgui.Col_.button_hovered, imgui.Col_.button_active):
            imgui.push_style_color(where, colour)
        imgui.push_style_color(imgui.Col_.text, style.vec((255, 255, 255)))
    imgui.push_style_var(imgui.StyleVar_.button_text_align, (0.0, 0.5))
    pressed = bool(imgui.button(words, (wide, 0)))
    imgui.pop_style_var()
    if told:
        imgui.pop_style_color(4)
    return pressed and not done
