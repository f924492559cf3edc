"""An explanation as text for a terminal, as picture files, and as one page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.files.pages import page_path, write_page_text
from sandbox.moves.answers import Json
from sandbox.moves.words import action_words
from sandbox.teach.explaining import Explanation, Part, Stated, Step
from sandbox.teach.words import say

if TYPE_CHECKING:
    from PIL.Image import Image

    from sandbox.moves.battlefield import Battlefield


def rule_line(stated: Stated) -> str:
    """A rule in one line, with where it comes from."""
    return say("explain", "says", rule=stated.rule, source=stated.source, text=stated.text)


def lines(told: Explanation) -> Iterator[tuple[str, str]]:
    """An explanation line by line, each with its manner: head, title, text, measure, rule, instead, word."""
    yield "head", told.head
    cut = False
    for number, step in enumerate(told.steps, start=1):
        if step.part is Part.LEG and not told.move.legal and not cut:
            yield "title", say("explain", "way")
            cut = True
        yield "title", f"{number}. {step.title}"
        for text in step.text:
            yield "text", text
        for text in step.measures:
            yield "measure", text
        for one in step.rules:
            yield "rule", rule_line(one)
    if told.readings:
        yield "title", say("explain", "readings")
        yield from (("text", one.text) for one in told.readings)
    if not told.move.legal:
        yield "title", say("explain", "instead")
        if not told.instead:
            yield "text", say("instead", "nothing", fighter=told.name or told.move.fighter)
        yield from (("instead", one.text) for one in told.instead)
    yield "title", say("explain", "words")
    yield from (("word", text) for text in _words(told))


def _words(told: Explanation) -> Iterator[str]:
    """What words mean that a newcomer cannot know, and what the names in brackets are for."""
    yield from told.words
    rules = [one.rule for step in told.steps for one in step.rules]
    if rules:
        yield say("explain", "look-up", pack=told.move.rules, rule=rules[0])


def pictures(field: Battlefield, told: Explanation) -> Iterator[tuple[str, Image]]:
    """A picture for each step, and for what can be done instead; each with a name for its file."""
    from sandbox.teach.pictures import Painter, shown, step_picture  # noqa: PLC0415 - Panda3D is slow to load

    painter = Painter(field)
    for number, step in enumerate(told.steps, start=1):
        name = step.leg.kind.value if step.leg is not None else step.part.value
        yield f"{number:02d}-{name}.png", step_picture(field, told, step, painter)
    for number, one in enumerate(told.instead, start=len(told.steps) + 1):
        if one.move is not None and one.move.legal:
            where = field
            if one.move.legs and one.kind.value == "two-moves":
                where = field.with_fighter_at(one.move.fighter, one.at)
            name = f"{number:02d}-instead-{one.kind.value}.png"
            yield name, painter.draw(shown(where, move=one.move))


def write_pictures(drawn: Sequence[tuple[str, Image]], folder: Path) -> tuple[Path, ...]:
    """Write the pictures of an explanation into a folder, which is made. UserError where that fails."""
    from sandbox.view.compose import write  # noqa: PLC0415 - Panda3D is slow to load

    written = []
    for name, picture in drawn:
        write(picture, folder / name)
        written.append(folder / name)
    return tuple(written)


def write_page(field: Battlefield, told: Explanation, drawn: Sequence[tuple[str, Image]], path: Path) -> None:
    """Write an explanation as one page with its pictures in it. UserError where that fails."""
    write_page_text(page_path(path), _page(field, told, drawn))


def _page(field: Battlefield, told: Explanation, drawn: Sequence[tuple[str, Image]]) -> str:
    from sandbox.teach.pictures import data_url  # noqa: PLC0415 - Panda3D is slow to load

    urls = {name[:2]: data_url(picture) for name, picture in drawn}
    move = told.move
    title = say(
        "explain",
        "page-title",
        fighter=told.name or move.fighter,
        action=action_words(move.action),
        scene=move.scene,
    )
    cards = []
    cut = False
    for number, step in enumerate(told.steps, start=1):
        if step.part is Part.LEG and not move.legal and not cut:
            cards.append(f"<h2>{escape(say('explain', 'way'))}</h2>")
            cut = True
        cards.append(_card(step, number, urls.get(f"{number:02d}")))
    if told.readings:
        cards.append(f"<h2>{escape(say('explain', 'readings'))}</h2>")
        cards.append(_card_of([one.text for one in told.readings], None))
    if not move.legal:
        cards.append(f"<h2>{escape(say('explain', 'instead'))}</h2>")
        if not told.instead:
            cards.append(_card_of([say("instead", "nothing", fighter=told.name or move.fighter)], None))
        for number, one in enumerate(told.instead, start=len(told.steps) + 1):
            cards.append(_card_of([one.text], urls.get(f"{number:02d}")))
    cards.append(f"<h2>{escape(say('explain', 'words'))}</h2>")
    cards.append(_card_of(list(_words(told)), None, "word"))
    css = (files("sandbox.teach") / "assets" / "lesson.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{css}</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(told.head)}</h1>\n"
        f'<p class="about">{escape(move.scene)}; {escape(field.pack.name)}</p></header>\n<main>\n'
        + "\n".join(cards)
        + "\n</main>\n</body>\n</html>\n"
    )


def _card(step: Step, number: int, url: str | None) -> str:
    told = "".join(f"<p>{escape(text)}</p>" for text in step.text)
    measures = "".join(f'<p class="measure">{escape(text)}</p>' for text in step.measures)
    rules = "".join(f'<p class="rule">{escape(rule_line(one))}</p>' for one in step.rules)
    picture = "" if url is None else f'<img src="{url}" alt="{escape(step.title)}">'
    return (
        f'<section class="card {step.part.value}"><div class="words"><h3>{number}. {escape(step.title)}</h3>'
        f"{told}{measures}{rules}</div>{picture}</section>"
    )


def _card_of(texts: list[str], url: str | None, kind: str = "text") -> str:
    told = "".join(f'<p class="{kind}">{escape(text)}</p>' for text in texts)
    picture = "" if url is None else f'<img src="{url}" alt="">'
    return f'<section class="card"><div class="words">{told}</div>{picture}</section>'


def to_json(told: Explanation, written: tuple[Path, ...]) -> Json:
    """An explanation as JSON; pictures: the files that were written, if any were asked for."""
    answer = told.to_json()
    return {**answer, "pictures": [str(path) for path in written]} if written else answer
