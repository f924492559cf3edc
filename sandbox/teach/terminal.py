"""Lessons in a terminal: words, questions, places to pick; pictures are written where they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sandbox.teach.model import LETTERS, Attempt, Course, Question, Shown
from sandbox.teach.words import say

if TYPE_CHECKING:
    from sandbox.teach.draw import Album

Ask = Callable[[str], str]
"""Puts a question to the learner and gives back what was typed; raises EOFError where nothing more comes."""
Say = Callable[[str, str], None]
"""Shows a line; the second word is its manner: title, text, word, engine, measure, right, wrong, question,
choice, note."""

TRIES = 3
"""places that may be tried before the engine shows one."""


class Left(Exception):
    """The learner has had enough."""


class Player:
    """One lesson, played through."""

    def __init__(self, course: Course, ask: Ask, tell: Say, album: Album | None = None) -> None:
        """album: where pictures are written; None: nowhere."""
        self.course = course
        self.ask = ask
        self.tell = tell
        self.album = album
        self.points = 0
        self.answered = 0

    def play(self) -> tuple[int, int]:
        """Step by step to the end, or until the learner leaves. Points won, and points of the questions that were met."""
        course = self.course
        self.tell(course.title, "title")
        self.tell(course.about, "text")
        self.tell(say("player", "rules", pack=course.pack_name), "note")
        try:
            for step in course.steps:
                self._step(step)
        except Left:
            self.tell(say("player", "left"), "note")
        if self.answered:
            self.tell(score_line(self.points, self.answered), "title")
        return self.points, self.answered

    def _step(self, step: Shown) -> None:
        self.tell("", "text")
        for line in step.text:
            self.tell(line, "text")
        for line in step.words:
            self.tell(say("player", "word", text=line), "word")
        self._picture(step, "")
        for line in step.told:
            self.tell(line, "engine")
        if step.played is not None:
            self._played(step)
        if not step.scores:
            self._picture(step, "then")
        for row in step.rows:
            self.tell(f"{row.name}:", "choice")
            if row.rules:
                self.tell(row.rules, "choice")
            self.tell(row.text, "engine")
        if step.question is not None:
            self._question(step, step.question)
        elif step.attempt is not None:
            self._attempt(step, step.attempt)
        elif step is not self.course.steps[-1]:
            self._typed(say("player", "on"))

    def _played(self, step: Shown) -> None:
        assert step.played is not None
        for part in step.played.steps:
            for line in part.text if part.leg is not None or part.part.value == "end" else ():
                self.tell(line, "engine")
            for line in part.measures:
                self.tell(line, "measure")

    def _picture(self, step: Shown, which: str) -> None:
        if self.album is None:
            return
        for path in self.album.write(step, which):
            self.tell(say("explain", "picture", path=path), "note")

    def _typed(self, prompt: str) -> str:
        try:
            text = self.ask(prompt).strip()
        except EOFError:
            raise Left from None
        if text.lower() in say("player", "leave-words").split():
            raise Left
        return text

    def _question(self, step: Shown, question: Question) -> None:
        self.tell(question.text, "question")
        letters = LETTERS[: len(question.choices)]
        for letter, choice in zip(letters, question.choices, strict=True):
            self.tell(f"{letter}  {choice.text}", "choice")
        while True:
            typed = self._typed(say("player", "which", letters=_span(letters))).upper()
            if len(typed) == 1 and typed in letters:
                break
            self.tell(say("player", "letter-wanted", letters=_span(letters)), "note")
        right = question.choices[letters.index(typed)].right
        self._judged(right)
        if not right:
            letter = letters[question.right]
            self.tell(say("player", "was", letter=letter, text=question.choices[question.right].text), "text")
        self._after(step, question)

    def _attempt(self, step: Shown, attempt: Attempt) -> None:
        self.tell(attempt.text, "question")
        letters = LETTERS[: len(attempt.places)]
        for letter, at in zip(letters, attempt.places, strict=True):
            self.tell(f"{letter}  {_place(at)}", "choice")
        for number in range(TRIES):
            verdict = None
            while verdict is None:
                typed = self._typed(say("player", "where", letters=_span(letters)))
                if len(typed) == 1 and typed.upper() in letters:
                    verdict = attempt.verdicts[letters.index(typed.upper())]
                elif (place := _numbers(typed)) is not None:
                    verdict = attempt.judge(*place)
                else:
                    self.tell(say("player", "place-wanted", letters=_span(letters)), "note")
            if number == 0 or verdict.right:
                self._judged(verdict.right, counts=number == 0)
            self.tell(verdict.text, "engine")
            if verdict.right:
                break
        else:
            self.tell(say("player", "one-way", place=_place(attempt.best.move.to)), "text")
            self.tell(attempt.best.text, "engine")
        self._after(step, attempt)

    def _judged(self, right: bool, *, counts: bool = True) -> None:
        if counts:
            self.answered += 1
            self.points += right
        self.tell(say("player", "right" if right else "wrong"), "right" if right else "wrong")

    def _after(self, step: Shown, asked: Question | Attempt) -> None:
        for line in asked.because:
            self.tell(line, "text")
        for line in asked.words:
            self.tell(say("player", "word", text=line), "word")
        self._picture(step, "then")
        if step is not self.course.steps[-1]:
            self._typed(say("player", "on"))


def score_line(points: int, of: int) -> str:
    """The score in words."""
    share = points / of if of else 1.0
    name = "score-all" if share == 1.0 else "score-most" if share >= 0.6 else "score-some"
    return say("player", name, points=points, of=of)


def _span(letters: str) -> str:
    return "/".join(letters)


def _place(at: tuple[float, float, float]) -> str:
    return ", ".join(f"{value + 0.0:.2f}" for value in at)


def _numbers(text: str) -> tuple[float, float, float | None] | None:
    parts = text.replace(",", " ").split()
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        return None
    if len(numbers) not in (2, 3) or not all(abs(n) < 1000 for n in numbers):
        return None
    return numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else None


def scripted(answers: Iterable[str]) -> Ask:
    """A learner whose answers are known; after them nothing more comes."""
    left = iter(answers)

    def ask(prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError(prompt) from None

    return ask


def right_answers(course: Course) -> list[str]:
    """What somebody types who knows everything: an answer for each question, and Enter everywhere else."""
    typed = []
    for step in course.steps:
        last = step is course.steps[-1]
        if step.question is not None:
            typed.append(LETTERS[step.question.right])
        elif step.attempt is not None:
            typed.append(LETTERS[next(i for i, v in enumerate(step.attempt.verdicts) if v.right)])
        if not last:
            typed.append("")
    return typed
