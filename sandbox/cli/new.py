"""``sandbox new``: a commented scene to begin with."""

from __future__ import annotations

from pathlib import Path

import click

from sandbox.cli.output import console, warn, working


@click.command("new", epilog="\b\nExample:\n  sandbox new tower.stl bridge.stl --out yard.yaml")
@click.argument("models", metavar="[MODEL]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default="battlefield.yaml",
    show_default=True,
    help="The scene file.",
)
@click.option(
    "--rules", metavar="PACK", default="necromunda-2023", show_default=True, help="A pack id or file."
)
@click.option("--name", help="What the battlefield is called.")
def command(models: tuple[Path, ...], out: Path, rules: str, name: str | None) -> None:
    """Write a scene with comments from some models, laid out side by side, and two fighters.

    Nothing that is there is overwritten.
    """
    with working("reading the models", ground=False):
        from sandbox.help.beginning import begin  # noqa: PLC0415 - geometry is slow to import

        made = begin(models, out, rules=rules, name=name)
    warn(made.warnings)
    width, depth = made.size
    screen = console()
    screen.print(
        f'{made.path}: a board of {width:g} x {depth:g}" with {len(made.pieces) or "one shape and no"} '
        f"model{'' if len(made.pieces) == 1 else 's'} and two fighters."
    )
    screen.print(f"Look at it: sandbox view {made.path}")
    screen.print(f"Ask it:     sandbox moves {made.path} --fighter one")
