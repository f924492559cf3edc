"""``sandbox explain``: one move told in plain sentences, each with its measurement and its rule, a picture per step."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape
from rich.padding import Padding

from sandbox.cli.output import console, print_json, warn, working
from sandbox.cli.params import FACING, PLACE, Place
from sandbox.errors import UserError

STYLES = {"head": "bold", "title": "bold", "measure": "cyan", "rule": "dim", "instead": "green"}


@click.command(
    "explain",
    epilog="\b\nExamples:\n  sandbox explain scenes/gantry.yaml --fighter kal --to 11,13.9,3"
    "\n  sandbox explain scenes/gantry.yaml --fighter kal --to 16.5,13.7,3 --action double-move --html out/kal.html",
)
@click.argument("scene", type=click.Path(path_type=Path))
@click.option("--fighter", required=True, metavar="ID", help="The fighter that moves.")
@click.option("--to", type=PLACE, required=True, help="Where to, in inches.")
@click.option("--action", default="move", show_default=True, help="With which action.")
@click.option("--target", metavar="ID", help="Whom a charge is for.")
@click.option("--facing", type=FACING, help="Heading of an oval base at the end, degrees from east.")
@click.option("--rules", metavar="PACK", help="A pack id or file instead of the scene's own.")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Another value for a constant.")
@click.option("--language", type=click.Path(path_type=Path), help="Speak the language of this file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of sentences.")
@click.option("--html", type=click.Path(path_type=Path), help="Write a page with pictures into this file.")
@click.option(
    "--pictures", type=click.Path(path_type=Path), help="Write a picture per step into this folder."
)
def command(
    scene: Path,
    fighter: str,
    to: Place,
    action: str,
    target: str | None,
    facing: float | None,
    rules: str | None,
    settings: tuple[str, ...],
    language: Path | None,
    as_json: bool,
    html: Path | None,
    pictures: Path | None,
) -> None:
    """One move in plain sentences: what is measured on each stretch, what it uses, which rule says so.

    A move that is not allowed is told what forbids it, which reading of an open rule would allow it, and what can be
    done instead.
    """
    if html is not None and html.suffix.lower() not in (".html", ".htm"):
        raise UserError("a page is a .html file", file=html)
    if pictures is not None and pictures.exists() and not pictures.is_dir():
        raise UserError("the pictures go into a folder; this is a file", file=pictures)
    with working("reading the scene"):
        from sandbox import load  # noqa: PLC0415 - geometry and physics are slow to import
        from sandbox.cli.comparing import chosen  # noqa: PLC0415
        from sandbox.teach import explain_page  # noqa: PLC0415
        from sandbox.teach.explaining import explain  # noqa: PLC0415

        if language is not None:
            from sandbox.teach.language import use_words  # noqa: PLC0415

            use_words(language)
        field = load(scene, rules=rules, settings=chosen(settings))
    with working(f"working out how {fighter} may go"):
        told = explain(field, fighter, to, action, target, facing)
    written: tuple[Path, ...] = ()
    if pictures is not None or html is not None:
        with working("drawing"):
            drawn = tuple(explain_page.pictures(field, told))
            if pictures is not None:
                written = explain_page.write_pictures(drawn, pictures)
            if html is not None:
                explain_page.write_page(field, told, drawn, html)
    warn(field.warnings)
    if as_json:
        print_json(explain_page.to_json(told, written))
        return
    out = console()
    for manner, text in explain_page.lines(told):
        if manner == "title":
            out.print()
        shown = escape(text)
        style = STYLES.get(manner)
        out.print(
            Padding(
                f"[{style}]{shown}[/]" if style else shown, (0, 0, 0, 0 if manner in ("head", "title") else 3)
            )
        )
    for path in (*written, *((html,) if html is not None else ())):
        out.print(escape(str(path)), soft_wrap=True)
