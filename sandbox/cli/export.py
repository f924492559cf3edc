"""``sandbox export``: a board for the printer, the CAD program, and other tabletops."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.markup import escape

from sandbox.cli.output import console, print_json, warn, working
from sandbox.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sandbox.check.finding import Finding

_SCENE = click.argument("scene", metavar="SCENE|MODEL", type=click.Path(path_type=Path))
_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object that names the files.")


@click.group(
    "export",
    epilog="\b\nExamples:\n  sandbox export mesh scenes/vault.yaml out/vault.3mf"
    "\n  sandbox export tabletop-simulator scenes/vault.yaml out/vault"
    "\n  sandbox export universal-vtt scenes/vault.yaml out/vault",
)
def command() -> None:
    """A board as meshes to print, for the CAD program, and for other tabletops."""


@command.command(
    "mesh",
    epilog="\b\nExample:\n  sandbox export mesh models/tower.glb --findings out/tower-marked.3mf",
)
@_SCENE
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--parts", type=click.Choice(["stl", "3mf"]), help="Each part once, in a file of its own.")
@click.option("--findings", is_flag=True, help="Mark what the check finds: red errors, orange warnings.")
@click.option("--all", "everything", is_flag=True, help="With --findings, mark information too, in blue.")
@_JSON
def mesh(scene: Path, out: Path, parts: str | None, findings: bool, everything: bool, as_json: bool) -> None:
    """The whole board as one mesh, or its parts; with the findings of its check marked.

    OUT is a .stl or .3mf file; with --parts a folder.
    A MODEL stays in its own coordinates, so that its CAD program shows the marks where they belong.
    """
    if parts is not None and findings:
        raise UserError("--findings marks the whole; leave --parts out")
    with working("exporting", ground=False):
        from sandbox.check.subject import settings_for  # noqa: PLC0415
        from sandbox.export.meshes import (  # noqa: PLC0415
            bodies_of,
            markers,
            own_bodies,
            size_note,
            without_thresholds,
            write_mesh,
            write_parts,
        )
        from sandbox.layout.board import layout_scene  # noqa: PLC0415
        from sandbox.scene import open_scene  # noqa: PLC0415
        from sandbox.scene.load import MODEL_SUFFIXES  # noqa: PLC0415

        model = scene.suffix.lower() in MODEL_SUFFIXES
        read = open_scene(scene) if model else layout_scene(scene)
        written = [(out, 1)]
        note = None
        if parts is not None:
            written = write_parts(read, out, f".{parts}")
        else:
            bodies = own_bodies(scene, settings_for(scene)) if model else bodies_of(without_thresholds(read))
            if findings:
                bodies += markers(_findings(scene, layout=read.layout is not None), everything=everything)
            note = size_note(bodies)
            write_mesh(bodies, out)
    warn([note] if note else [])
    _tell([path for path, _ in written], as_json)


@command.command(
    "tabletop-simulator",
    epilog="\b\nExample:\n  sandbox export tabletop-simulator scenes/vault.yaml out/vault",
)
@_SCENE
@click.argument("out", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--address", metavar="URL", help="Where the models will lie on the web; without it, that folder."
)
@_JSON
def tabletop(scene: Path, out: Path, address: str | None, as_json: bool) -> None:
    """A saved object for Tabletop Simulator: a model for each level and for each door."""
    with working("exporting", ground=False):
        from sandbox.export.tabletop import write_tabletop  # noqa: PLC0415
        from sandbox.layout.board import layout_scene  # noqa: PLC0415
        from sandbox.scene import open_scene  # noqa: PLC0415
        from sandbox.scene.load import MODEL_SUFFIXES  # noqa: PLC0415

        read = open_scene(scene) if scene.suffix.lower() in MODEL_SUFFIXES else layout_scene(scene)
        written = write_tabletop(read, out, address)
    _tell(written, as_json)


@command.command(
    "universal-vtt", epilog="\b\nExample:\n  sandbox export universal-vtt scenes/vault.yaml out/vault"
)
@click.argument("scene", metavar="SCENE|LAYOUT", type=click.Path(path_type=Path))
@click.argument("out", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--pixels", type=click.IntRange(20, 300), default=70, show_default=True, help="Pixels for each inch."
)
@_JSON
def virtual(scene: Path, out: Path, pixels: int, as_json: bool) -> None:
    """A Universal VTT map (.dd2vtt) of each level: picture, walls, and doors."""
    with working("exporting", ground=False):
        from sandbox.export.virtual import write_virtual  # noqa: PLC0415

        written = write_virtual(scene, out, pixels)
    _tell(written, as_json)


def _findings(scene: Path, *, layout: bool) -> Sequence[Finding]:
    if layout:
        from sandbox.layout.check import check_layout  # noqa: PLC0415

        return check_layout(scene).findings
    from sandbox.check.check import check  # noqa: PLC0415
    from sandbox.check.subject import settings_for  # noqa: PLC0415

    return check(scene, settings_for(scene))[0].findings


def _tell(written: Sequence[Path], as_json: bool) -> None:
    if as_json:
        print_json({"files": [str(path) for path in written]})
        return
    for path in written:
        console().print(escape(f"file: {path}"), soft_wrap=True)
