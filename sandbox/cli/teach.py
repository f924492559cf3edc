"""``sandbox teach``: lessons that show the rules, in the terminal, as a page, as a sheet to print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.markup import escape
from rich.padding import Padding

from sandbox.cli.output import console, print_json, working
from sandbox.errors import UserError

if TYPE_CHECKING:
    from sandbox.teach.load import Lesson

STYLES = {
    "title": "bold",
    "engine": "cyan",
    "measure": "dim",
    "word": "italic",
    "right": "bold green",
    "wrong": "bold red",
    "question": "bold",
    "note": "dim",
}
INDENT = {"engine": 3, "measure": 3, "choice": 3, "word": 3}


@click.command(
    "teach",
    epilog="\b\nExamples:\n  sandbox teach"
    "\n  sandbox teach climbing --pictures out/climbing"
    "\n  sandbox teach climbing --rules blightmeer --html out/climbing.html"
    "\n  sandbox teach all --html out/lessons.html",
)
@click.argument("lesson", required=False)
@click.option("--rules", metavar="PACK", help="Teach under this pack; without it the lesson's first.")
@click.option(
    "--pictures", type=click.Path(path_type=Path), help="Write the pictures into this folder, step by step."
)
@click.option(
    "--html", type=click.Path(path_type=Path), help="Write the lesson as one page (all: every lesson)."
)
@click.option(
    "--sheet", type=click.Path(path_type=Path), help="Write it as a page to print, answers at its end."
)
@click.option("--window", is_flag=True, help="Take the lesson in the window.")
@click.option("--language", type=click.Path(path_type=Path), help="Speak the language of this file.")
@click.option(
    "--words", type=click.Path(path_type=Path), help="Write every sentence into a file to translate."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object: the lesson, worked out.")
def command(
    lesson: str | None,
    rules: str | None,
    pictures: Path | None,
    html: Path | None,
    sheet: Path | None,
    window: bool,
    language: Path | None,
    words: Path | None,
    as_json: bool,
) -> None:
    """Lessons that show the rules on small boards; without LESSON a list of them.

    LESSON is a name from the list, the path of a lesson file, or all (for pages). Every number, ruling and right answer
    in a lesson is worked out by the engine.
    """
    for path in (html, sheet):
        if path is not None and path.suffix.lower() not in (".html", ".htm"):
            raise UserError("a page is a .html file", file=path)
    if pictures is not None and pictures.exists() and not pictures.is_dir():
        raise UserError("the pictures go into a folder; this is a file", file=pictures)
    if words is not None:
        with working("collecting the sentences", ground=False):
            from sandbox.teach.language import write_words  # noqa: PLC0415

            count = write_words(words)
        console().print(escape(f"{words}: {count} sentences"), soft_wrap=True)
        return
    if language is not None:
        from sandbox.teach.language import use_words  # noqa: PLC0415

        use_words(language)
    with working("reading the lessons"):
        from sandbox.teach.load import all_lessons, find_lesson  # noqa: PLC0415 - geometry is slow to import

        found = all_lessons() if lesson in (None, "all") else (find_lesson(str(lesson)),)
    if lesson is None:
        _list(found, as_json=as_json)
        return
    if rules is not None:
        from sandbox.rules import load_pack  # noqa: PLC0415

        load_pack(rules)
    if html is not None or sheet is not None:
        _pages(found, rules, html, sheet)
        return
    if len(found) > 1:
        raise UserError("'all' is for pages: add --html or --sheet, or name one lesson")
    if window:
        from sandbox.view.window.lesson import open_lesson  # noqa: PLC0415

        open_lesson(found[0], rules)
        return
    _play(found[0], rules, pictures, as_json=as_json)


def _list(found: tuple[Lesson, ...], *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "lessons": [
                    {"lesson": one.id, "title": one.title, "about": one.form.about, "rules": list(one.packs)}
                    for one in found
                ]
            }
        )
        return
    from rich.table import Table  # noqa: PLC0415

    from sandbox.teach.words import say  # noqa: PLC0415

    table = Table(title=say("player", "lessons"), title_justify="left", title_style="bold")
    for name in ("lesson", "what it shows", "rules"):
        table.add_column(name)
    for one in found:
        table.add_row(escape(one.id), escape(f"{one.title}. {one.form.about}"), escape(", ".join(one.packs)))
    console().print(table)
    console().print(escape(say("player", "how")))


def _pages(found: tuple[Lesson, ...], rules: str | None, html: Path | None, sheet: Path | None) -> None:
    with working("working out and drawing"):
        from sandbox.teach.page import write_page, write_sheet  # noqa: PLC0415 - Panda3D is slow to load

        if html is not None:
            write_page(found, rules, html)
        if sheet is not None:
            write_sheet(found, rules, sheet)
    for path in (html, sheet):
        if path is not None:
            console().print(escape(str(path)), soft_wrap=True)


def _play(lesson: Lesson, rules: str | None, pictures: Path | None, *, as_json: bool) -> None:
    with working("working out the lesson"):
        from sandbox.teach.run import work_out  # noqa: PLC0415 - geometry and physics are slow to import
        from sandbox.teach.terminal import Player  # noqa: PLC0415

        course = work_out(lesson, rules)
    if as_json:
        print_json(course.to_json())
        return
    album = None
    if pictures is not None:
        from sandbox.teach.draw import Album  # noqa: PLC0415 - Panda3D is slow to load

        album = Album(course, pictures)
    out = console()

    def tell(text: str, manner: str) -> None:
        style = STYLES.get(manner)
        shown = f"[{style}]{escape(text)}[/]" if style and text else escape(text)
        out.print(Padding(shown, (0, 0, 0, INDENT.get(manner, 0))))

    def ask(prompt: str) -> str:
        out.print(escape(prompt), end="")
        return input()

    Player(course, ask, tell, album).play()
