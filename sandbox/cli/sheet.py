"""``sandbox layout sheet``: what to build a board from, and its plans to scale, on paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from sandbox.cli.output import console, print_json


class _ScaleType(click.ParamType[float]):
    name = "1:N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """One to so many."""
        if isinstance(value, float):
            return value
        found = re.fullmatch(r"1:(\d{1,3}(?:\.\d+)?)", str(value).replace(" ", ""))
        if found is None or not 1.0 <= float(found[1]) <= 100.0:
            self.fail(f"{value!r} should be a scale like 1:1 or 1:5", param, ctx)
        return float(found[1])


@click.command(
    "sheet",
    epilog="\b\nExample:\n  sandbox layout sheet scenes/vault.yaml --out out/vault.pdf --paper letter",
)
@click.argument("scene", metavar="SCENE|LAYOUT", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="A .pdf, or .svg: one file for each page."
)
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Size of the pages."
)
@click.option(
    "--scale", type=_ScaleType(), help="Like 1:1, over as many pages as it takes; else one page a level."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object that names the files and the parts.")
def sheet(scene: Path, out: Path, paper: str, scale: float | None, as_json: bool) -> None:
    """A sheet to build from: the parts list, and a plan of each level to scale."""
    from sandbox.export.sheet import Paper, open_rows, parts_of, write_sheet  # noqa: PLC0415
    from sandbox.layout.board import layout_scene  # noqa: PLC0415

    written = write_sheet(scene, out, Paper(paper), scale)
    if as_json:
        read = layout_scene(scene)
        found = parts_of(read.layout) if read.layout is not None else open_rows(read)
        parts = [{"part": part.what, "size": part.size, "count": part.count} for part in found]
        print_json({"files": [str(path) for path in written], "parts": parts})
        return
    for path in written:
        console().print(escape(f"sheet: {path}"), soft_wrap=True)
