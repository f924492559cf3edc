"""Lessons as one page that needs nothing else, for a club's site; and as a sheet to print, with the answers at its end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from sandbox.files.pages import write_page_text
from sandbox.files.sentences import translated
from sandbox.teach.draw import Studio, views
from sandbox.teach.explaining import Part
from sandbox.teach.load import Lesson
from sandbox.teach.model import LETTERS, Attempt, Course, Question, Row, Shown
from sandbox.teach.pictures import data_url
from sandbox.teach.run import courses, work_out
from sandbox.teach.words import say

SHEET_SIZE = (760, 470)
"""pixels of a picture on the sheet."""


def write_page(lessons: Sequence[Lesson], rules: str | None, path: Path) -> None:
    """Write lessons as one page. UserError where that cannot be.

    rules: the pack to teach under. None: one lesson is written under every pack that it names, to choose from; of several
    each under its first.
    """
    write_page_text(path, _Page().whole(lessons, rules))


def write_sheet(lessons: Sequence[Lesson], rules: str | None, path: Path) -> None:
    """Write lessons as a page to print, under one pack. UserError where that cannot be."""
    write_page_text(path, _sheet(lessons, rules))


def _asset(name: str) -> str:
    return (files("sandbox.teach") / "assets" / name).read_text("utf-8")


def _document(title: str, css: str, body: str, script: str = "") -> str:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{css}</style>\n</head>\n<body>\n{body}\n{script}</body>\n</html>\n"
    )


class _Page:
    """The page under way; pictures that are the same are kept once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.turned: dict[int, list[int]] = {}
        """the pictures of boards that turn, by their first one: under other packs a board mostly looks the same."""

    def whole(self, lessons: Sequence[Lesson], rules: str | None) -> str:
        """The page's text; the boards of one lesson are let go before the next is worked out."""
        several = len(lessons) > 1
        title = say("page", "title") if several else translated(lessons[0].title)
        parts = [f"<header><h1>{escape(title)}</h1>"]
        if several:
            parts.append(f'<p class="about">{escape(say("page", "about"))}</p>')
            entries = "".join(
                f'<li><a href="#{escape(lesson.id)}"><b>{escape(translated(lesson.title))}</b></a> {escape(translated(lesson.form.about))}</li>'
                for lesson in lessons
            )
            parts.append(f'</header>\n<nav><ol class="contents">{entries}</ol></nav>')
        else:
            parts.append(f'<p class="about">{escape(translated(lessons[0].form.about))}</p></header>')
        parts.append("<main>")
        for lesson in lessons:
            every = rules is None and not several
            taught = tuple(courses(lesson)) if every else (work_out(lesson, rules),)
            parts.append(f'<section class="lesson" id="{escape(lesson.id)}">')
            if several:
                parts.append(f"<h2>{escape(translated(lesson.title))}</h2>")
            if len(taught) > 1:
                parts.append(_packs(taught))
            studio = Studio()
            parts += [self._course(course, studio, alone=len(taught) == 1) for course in taught]
            parts.append("</section>")
        parts.append("</main>")
        words = {
            name: say("page", name, letter="{letter}") for name in ("right", "wrong", "answer", "reveal")
        }
        words |= {
            name: say("player", name, points="{points}", of="{of}")
            for name in ("score-all", "score-most", "score-some")
        }
        pictures = list(self.numbers)
        script = (
            f'<script type="application/json" id="words">{_json(words)}</script>\n'
            f'<script type="application/json" id="pictures">{_json(pictures)}</script>\n'
            f"<script>\n{_asset('lesson.js')}</script>\n"
        )
        return _document(title, _asset("lesson.css"), "\n".join(parts), script)

    def _picture(self, url: str, alt: str) -> str:
        return f'<img data-picture="{self._number(url)}" alt="{escape(alt)}" loading="lazy">'

    def _number(self, url: str) -> int:
        return self.numbers.setdefault(url, len(self.numbers))

    def _turning(self, step: Shown, studio: Studio, alt: str) -> str:
        """The board from all sides; dragging turns it."""
        assert step.view is not None
        pictures = (self._number(data_url(picture)) for picture in studio.turning(step.view))
        first = next(pictures)
        numbers = self.turned.setdefault(first, []) or [first, *pictures]
        self.turned[first] = numbers
        listed = " ".join(str(number) for number in numbers)
        hint = escape(say("page", "turn"))
        return (
            f'<figure class="turning"><img data-picture="{numbers[0]}" data-turns="{listed}" alt="{escape(alt)}" '
            f'draggable="false"><figcaption>{hint}</figcaption></figure>'
        )

    def _course(self, course: Course, studio: Studio, *, alone: bool) -> str:
        cards = "\n".join(self._step(course, step, studio) for step in course.steps)
        about = (
            f'<p class="about">{escape(say("player", "rules", pack=course.pack_name))}</p>\n' if alone else ""
        )
        return (
            f'<div class="course" data-pack="{escape(course.pack)}" data-points="{course.points}">\n'
            f"{about}{cards}\n"
            f'<p class="score" data-score hidden></p>\n</div>'
        )

    def _step(self, course: Course, step: Shown, studio: Studio) -> str:
        alt = f"{course.title}, {step.number}"
        words = [f"<p>{escape(line)}</p>" for line in step.text]
        words += [_word(line) for line in step.words]
        words += [f'<p class="engine">{escape(line)}</p>' for line in step.told]
        if step.played is not None:
            words += list(_played(step))
        if step.number == 1 and step.view is not None and step.view.move is None:
            side = [self._turning(step, studio, alt)]
        else:
            side = [self._picture(url, alt) for url in self._urls(step, studio, "")] if not step.rows else []
        then = [self._picture(url, alt) for url in self._urls(step, studio, "then")]
        if step.question is not None:
            words.append(_question(step))
        if step.attempt is not None:
            words.append(_attempt(step))
        hidden = " hidden" if step.scores else ""
        after = f'<div class="then"{hidden}>{"".join(then)}</div>' if then else ""
        rows = ""
        if step.rows:
            rows = f'<div class="rows">{"".join(self._row(row, studio) for row in step.rows)}</div>'
        pictures = f'<div class="pictures">{"".join(side)}{after}</div>' if side or after else ""
        kind = "ask" if step.scores else step.kind.value
        return (
            f'<section class="card {kind}" data-step="{step.number}"><div class="words">'
            f"{''.join(words)}</div>{pictures}{rows}</section>"
        )

    def _urls(self, step: Shown, studio: Studio, which: str) -> Iterator[str]:
        for _, view in views(step, which):
            if view.clip or (step.played is not None and view.move is not None):
                yield studio.clip(view)
            else:
                yield data_url(studio.draw(view))

    def _row(self, row: Row, studio: Studio) -> str:
        picture = (
            "" if row.view is None else self._picture(data_url(studio.draw(row.view, (620, 420))), row.name)
        )
        return f'<div class="row"><h3>{escape(row.name)}</h3>{picture}{_row_words(row)}</div>'


def _row_words(row: Row) -> str:
    rules = f"<p>{escape(row.rules)}</p>" if row.rules else ""
    return f'{rules}<p class="engine">{escape(row.text)}</p>'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/").replace("<!--", "<\\!--")


def _packs(taught: Sequence[Course]) -> str:
    buttons = "".join(
        f'<button type="button" data-choose-pack="{escape(course.pack)}">{escape(course.pack_name)}</button>'
        for course in taught
    )
    return f'<p class="packs">{escape(say("page", "under"))} {buttons}</p>'


def _played(step: Shown) -> Iterator[str]:
    assert step.played is not None
    for part in step.played.steps:
        if part.part is Part.START:
            continue
        yield from (f'<p class="engine">{escape(line)}</p>' for line in part.text)
        yield from (f'<p class="measure">{escape(line)}</p>' for line in part.measures)


def _because(asked: Question | Attempt) -> str:
    told = "".join(f"<p>{escape(line)}</p>" for line in asked.because)
    return told + "".join(_word(line) for line in asked.words)


def _word(line: str) -> str:
    return f'<p class="word">{escape(line)}</p>'


def _question(step: Shown) -> str:
    assert step.question is not None
    choices = "".join(
        f'<button type="button" class="choice" data-right="{int(choice.right)}"><b>{letter}</b> {escape(choice.text)}</button>'
        for letter, choice in zip(LETTERS, step.question.choices, strict=False)
    )
    because = _because(step.question)
    return (
        f'<p class="question">{escape(step.question.text)}</p><div class="choices">{choices}</div>'
        f'<p class="judged" role="status"></p><div class="because" hidden>{because}</div>'
    )


def _attempt(step: Shown) -> str:
    attempt = step.attempt
    assert attempt is not None
    choices = "".join(
        f'<button type="button" class="choice place" data-right="{int(verdict.right)}" data-told="{escape(verdict.text)}">'
        f"<b>{letter}</b></button>"
        for letter, verdict in zip(LETTERS, attempt.verdicts, strict=False)
    )
    because = _because(attempt)
    return (
        f'<p class="question">{escape(attempt.text)}</p><div class="choices places">{choices}</div>'
        f'<p class="judged" role="status"></p><div class="because" hidden>{because}</div>'
    )


# -- the sheet -------------------------------------------------------------------------------------------------------


def _sheet(lessons: Sequence[Lesson], rules: str | None) -> str:
    title = say("page", "title") if len(lessons) > 1 else translated(lessons[0].title)
    parts: list[str] = []
    answers: list[str] = []
    for lesson in lessons:
        course = work_out(lesson, rules)
        studio = Studio()
        number = 0
        told: list[str] = []
        parts.append(
            f'<article><h1>{escape(course.title)}</h1><p class="about">{escape(course.about)} '
            f"{escape(say('player', 'rules', pack=course.pack_name))}</p>"
        )
        for step in course.steps:
            number += step.scores
            parts.append(_printed(step, number, studio))
            told += _answer(step, number)
        parts.append("</article>")
        if told:
            answers.append(f"<h3>{escape(course.title)}</h3><ol>{''.join(told)}</ol>")
    if answers:
        heading = escape(say("page", "answers"))
        parts.append(f'<article class="answers"><h2>{heading}</h2>{"".join(answers)}</article>')
    return _document(title, _asset("sheet.css"), "\n".join(parts))


def _printed(step: Shown, number: int, studio: Studio) -> str:
    words = [f"<p>{escape(line)}</p>" for line in step.text]
    words += [_word(line) for line in step.words]
    words += [f"<p>{escape(line)}</p>" for line in step.told]
    if step.played is not None:
        words += list(_played(step))
    pictures = [
        f'<img src="{data_url(studio.draw(view, SHEET_SIZE))}" alt="">'
        for which in (("",) if step.scores else ("", "then"))
        for _, view in views(step, which)
        if not step.rows
    ]
    if step.question is not None:
        words.append(f'<p class="question">{number}. {escape(step.question.text)}</p>')
        words += [
            f'<p class="box">{letter} &#9744; {escape(choice.text)}</p>'
            for letter, choice in zip(LETTERS, step.question.choices, strict=False)
        ]
    if step.attempt is not None:
        words.append(f'<p class="question">{number}. {escape(step.attempt.text)}</p>')
        letters = " ".join(
            f"{letter} &#9744;" for letter, _ in zip(LETTERS, step.attempt.places, strict=False)
        )
        words.append(f'<p class="box">{letters}</p>')
    rows = "".join(f"<tr><th>{escape(row.name)}</th><td>{_row_words(row)}</td></tr>" for row in step.rows)
    table = f"<table>{rows}</table>" if rows else ""
    return f'<section><div class="words">{"".join(words)}{table}</div>{"".join(pictures)}</section>'


def _answer(step: Shown, number: int) -> Iterator[str]:
    if step.question is not None:
        right = step.question.right
        why = " ".join((*step.question.because, *step.question.words))
        yield f'<li value="{number}"><b>{LETTERS[right]}</b> {escape(step.question.choices[right].text)}. {escape(why)}</li>'
    if step.attempt is not None:
        letters = [x for x, verdict in zip(LETTERS, step.attempt.verdicts, strict=False) if verdict.right]
        first = next(verdict for verdict in step.attempt.verdicts if verdict.right)
        yield f'<li value="{number}"><b>{", ".join(letters)}</b> {escape(first.text)}</li>'
