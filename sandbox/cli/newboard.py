"""``sandbox layout new``: a board that is made up, from a size, a seed, wishes and what somebody owns."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape
from rich.table import Table

from sandbox.cli.output import console, print_json
from sandbox.cli.params import BASE
from sandbox.errors import UserError

if TYPE_CHECKING:
    from sandbox.layout.new import Made

SEEDS = 1_000_000
"""a seed that nobody names is one of so many."""


class _TilesType(click.ParamType[tuple[int, int]]):
    name = "COLUMNSxROWS"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Columns and rows of tiles."""
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"(\d{1,2})x(\d{1,2})", str(value))
        if found is None:
            self.fail(f"{value!r} should be columns and rows of tiles like 2x3", param, ctx)
        return int(found[1]), int(found[2])


@click.command(
    "new",
    epilog="\b\nExamples:\n  sandbox layout new --tiles 2x3 --levels 2 --seed 7 --out board.yaml"
    "\n  sandbox layout new --tiles 2x2 --own walls=40,doors=6,ladders=2,stairs=0 --out board.yaml"
    "\n  sandbox layout new --tiles 2x2 --loops 12 --dead-ends 1 --doors 8 --fair even",
)
@click.option(
    "--tiles", type=_TilesType(), default="2x2", show_default=True, help="Columns and rows of tiles."
)
@click.option("--levels", type=int, default=1, show_default=True, help="How many, one above the other.")
@click.option("--seed", type=click.IntRange(0, 2**53), help="The same seed and wishes make the same board.")
@click.option(
    "--own", metavar="PART=COUNT,...", help="What there is to build from; what is not named is not counted."
)
@click.option("--loops", type=click.IntRange(0, 500), help="At least so many ways round something.")
@click.option("--dead-ends", type=click.IntRange(0, 500), help="At most so many rooms with one entrance.")
@click.option("--doors", type=click.IntRange(0, 500), help="How many doors.")
@click.option(
    "--fair",
    type=click.Choice(["turned", "even", "any"]),
    default="turned",
    show_default=True,
    help="The same after half a turn; points about as far from both sides; or as it comes.",
)
@click.option(
    "--base", type=BASE, default="32", show_default=True, help="The widest base that has to get everywhere."
)
@click.option("--name", help="What the board is called.")
@click.option("--out", type=click.Path(path_type=Path), help="Write this file instead of the screen.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: the numbers, and the board as text.")
def new(
    tiles: tuple[int, int],
    levels: int,
    seed: int | None,
    own: str | None,
    loops: int | None,
    dead_ends: int | None,
    doors: int | None,
    fair: str,
    base: tuple[float, float],
    name: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Make up a board that plays: joined, with two ways up to each level, and no way that one enemy closes.

    Parts for --own: walls, doors, double-doors, ducts, columns, rails, stairs, ladders, crates, barricades, consoles;
    walls and rails in pieces one square long.
    """
    from sandbox.files.pages import write_made  # noqa: PLC0415
    from sandbox.layout.new import Fairness, Wishes, make, read_own  # noqa: PLC0415

    if out is not None and out.suffix.lower() not in (".yaml", ".yml"):
        raise UserError("a board is a .yaml file", file=out)
    wishes = Wishes(
        tiles=tiles,
        levels=levels,
        seed=random.randrange(SEEDS) if seed is None else seed,
        loops=loops,
        dead_ends=dead_ends,
        doors=doors,
        fairness=Fairness(fair),
        base=base[0],
        own={} if own is None else read_own(own),
    )
    made = make(wishes)
    text = made.text(name)
    if out is not None:
        write_made(out, text.encode("utf-8"), "board")
    if as_json:
        print_json(_told(made, text, out))
    elif out is None:
        click.echo(text, nl=False)
    else:
        _show(made, out)


def _told(made: Made, text: str, out: Path | None) -> dict[str, Any]:
    proof = made.proof
    return {
        "seed": made.wishes.seed,
        "out": None if out is None else str(out),
        "squares": proof.squares,
        "loops": proof.loops,
        "dead_ends": proof.dead_ends,
        "ways_up": list(proof.ways_up),
        "distances": {
            name: {k: round(v, 2) for k, v in row.items()} for name, row in proof.distances.items()
        },
        "parts": {kind.value: count for kind, count in proof.parts.items()},
        "board": text,
    }


def _show(made: Made, out: Path) -> None:
    proof, screen = made.proof, console()
    ends = "1 dead end" if proof.dead_ends == 1 else f"{proof.dead_ends} dead ends"
    screen.print(
        f"seed {made.wishes.seed}: {proof.squares} squares to be in, {proof.loops} loops, {ends}",
        soft_wrap=True,
    )
    table = Table(title="Parts", title_justify="left", title_style="bold")
    for heading in ("part", "wanted", "owned"):
        table.add_column(heading, justify="left" if heading == "part" else "right")
    for kind, count in sorted(proof.parts.items()):
        limit = made.wishes.limit(kind)
        table.add_row(kind.value, str(count), "" if limit is None else str(limit))
    screen.print(table)
    screen.print(escape(f"board: {out}"), soft_wrap=True)
