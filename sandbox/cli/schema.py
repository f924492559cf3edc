"""``sandbox schema``: JSON Schemas of scene, layout, pack and lesson files, for editors."""

from __future__ import annotations

import json
from pathlib import Path

import click

from sandbox.cli.output import console


@click.command(
    "schema",
    epilog="\b\nExample:\n  sandbox schema scene --out scene.schema.json\n"
    "Then let a scene begin with:\n  # yaml-language-server: $schema=scene.schema.json",
)
@click.argument("kind", type=click.Choice(["scene", "layout", "library", "pack", "lesson"]))
@click.option("--out", type=click.Path(path_type=Path), help="Write it there instead of to the screen.")
def command(kind: str, out: Path | None) -> None:
    """The JSON Schema of one kind of file, with which editors complete and check it while you write."""
    from sandbox.files.pages import write_made  # noqa: PLC0415
    from sandbox.help.schemas import FileKind, schema_of  # noqa: PLC0415 - pydantic is slow to import

    text = json.dumps(schema_of(FileKind(kind)), indent=2, ensure_ascii=False) + "\n"
    if out is None:
        click.echo(text, nl=False)
        return
    write_made(out, text.encode(), "schema")
    console().print(f"{out}: the schema of {kind} files")
