"""``sandbox stand``: whether a base can stand at a place."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from sandbox.cli.output import console, print_json, warn, working
from sandbox.cli.params import BASE, FACING, HEIGHT, PLACE, Place


@click.command("stand", epilog="\b\nExample:\n  sandbox stand models/container.stl --at 3,1.2 --base 32")
@click.argument("scene", metavar="SCENE|MODEL", type=click.Path(path_type=Path))
@click.option("--at", type=PLACE, required=True, help="The centre of the base, in inches; z picks the floor.")
@click.option("--base", type=BASE, default="32", show_default=True, help="Diameter in mm, or 60x35.")
@click.option(
    "--height",
    type=HEIGHT,
    default=1.4,
    show_default=True,
    help="The model's height, inches.",
)
@click.option(
    "--facing",
    type=FACING,
    default="0",
    show_default=True,
    help="Heading of an oval base, degrees from east.",
)
@click.option("--rules", metavar="PACK", help="A pack id or file instead of the scene's own.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def command(
    scene: Path,
    at: Place,
    base: tuple[float, float],
    height: float,
    facing: float,
    rules: str | None,
    as_json: bool,
) -> None:
    """Whether a base can stand at a place, and why not.

    A MODEL alone lies with its box's corner at the origin.
    """
    with working("reading the scene"):
        from sandbox import load  # noqa: PLC0415 - geometry and physics are slow to import

        field = load(scene, rules=rules)
    with working("looking at the ground"):
        stand = field.stand(*at, base=base, height=height, facing=facing)
    warn(field.warnings)
    if as_json:
        print_json(stand.to_json())
        return
    from sandbox.cli.tables import ruling_line  # noqa: PLC0415

    out = console()
    name = f"{base[0]:g} mm" if base[0] == base[1] else f"{base[0]:g} x {base[1]:g} mm"
    where = "no floor there" if stand.z is None else f'floor at {stand.z:.2f}"'
    verdict = "stands" if stand.stands else "does not stand"
    out.print(
        f"A {name} base {verdict} at {at[0]:g}, {at[1]:g}: {where}, {100 * stand.support:.0f} % supported."
    )
    for ruling in stand.rulings:
        out.print(escape(ruling_line(ruling)))
