"""``sandbox bundle`` and ``sandbox unbundle``: a scene with its models in one file, to send and to take apart."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from sandbox.cli.output import console, print_json, working


@click.command("bundle", epilog="\b\nExample:\n  sandbox bundle scenes/gantry.yaml gantry.zip")
@click.argument("scene", metavar="SCENE", type=click.Path(path_type=Path))
@click.argument("out", metavar="OUT.zip", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of words.")
def bundle_command(scene: Path, out: Path, as_json: bool) -> None:
    """A scene with its models, layouts and rule packs in one file, to send to somebody."""
    with working("bundling", ground=False):
        from sandbox.export.bundle import bundle  # noqa: PLC0415

        made = bundle(scene, out)
    if as_json:
        print_json({"bundle": str(made.path), "scene": made.scene, "files": dict(made.files)})
        return
    size = out.stat().st_size / 1000
    files = f"{len(made.files)} file{'s' if len(made.files) != 1 else ''}"
    console().print(escape(f"{out}: {made.scene} and {files} that it needs, {size:,.0f} kB"), soft_wrap=True)


@click.command("unbundle", epilog="\b\nExample:\n  sandbox unbundle gantry.zip gantry")
@click.argument("file", metavar="FILE.zip", type=click.Path(path_type=Path))
@click.argument("folder", metavar="[FOLDER]", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of words.")
def unbundle_command(file: Path, folder: Path | None, as_json: bool) -> None:
    """Take a bundle apart into a new folder (named like the file where none is given), whole or not at all."""
    from sandbox.export.unbundle import unbundle  # noqa: PLC0415

    scene = unbundle(file, file.with_suffix("") if folder is None else folder)
    if as_json:
        print_json({"scene": str(scene)})
    else:
        console().print(escape(f"scene: {scene}"), soft_wrap=True)
