"""``sandbox moves``: where a fighter may go, or one way there. Lengths are in inches, angles in degrees."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from sandbox.cli.output import console, print_json, warn, working
from sandbox.cli.params import CAMERA, FACING, PLACE, SIZE, Place, picture_path


@click.command(
    "moves",
    epilog="\b\nExamples:\n  sandbox moves scenes/gantry.yaml --fighter kal"
    "\n  sandbox moves scenes/gantry.yaml --fighter kal --to 11,13.9,3 --image out/kal.png"
    "\n  sandbox moves scenes/gantry.yaml --fighter kal --against blightmeer",
)
@click.argument("scene", type=click.Path(path_type=Path))
@click.option("--fighter", required=True, metavar="ID", help="The fighter that moves.")
@click.option(
    "--action", default="move", show_default=True, help="What it does: move, double-move, charge ..."
)
@click.option("--target", metavar="ID", help="Whom a charge is for.")
@click.option("--to", type=PLACE, help="Ask for the way to one place, in inches.")
@click.option("--facing", type=FACING, help="Heading of an oval base at the end, degrees from east.")
@click.option("--rules", metavar="PACK", help="A pack id or file instead of the scene's own.")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Another value for a constant.")
@click.option("--against", metavar="PACK|KEY=VALUE", help="Tell what another pack or setting changes.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of tables.")
@click.option("--image", type=click.Path(path_type=Path), help="Draw the answer into this PNG file.")
@click.option("--size", type=SIZE, default="1600x1000", show_default=True, help="The picture's size.")
@click.option("--camera", type=CAMERA, help="whole, reach, way, top, or level:Z (cut open at Z inches).")
def command(
    scene: Path,
    fighter: str,
    action: str,
    target: str | None,
    to: Place | None,
    facing: float | None,
    rules: str | None,
    settings: tuple[str, ...],
    against: str | None,
    as_json: bool,
    image: Path | None,
    size: tuple[int, int],
    camera: str | None,
) -> None:
    """Where a fighter may move, what it costs, what has to be rolled.

    Without --to: all places where it may end. With --to: the way there, or what forbids it.
    """
    picture = picture_path(image)
    with working("reading the scene"):
        from sandbox import load  # noqa: PLC0415 - geometry and physics are slow to import
        from sandbox.cli.comparing import chosen, tell_against  # noqa: PLC0415

        field = load(scene, rules=rules, settings=chosen(settings))
    if against is not None:
        tell_against(field, against, fighter, action, target, to, facing, as_json=as_json)
        return
    with working(f"working out where {fighter} may go"):
        moves = field.moves(fighter, action, target=target)
        move = None if to is None else moves.to(*to, facing=facing)
        answer = moves.to_json() if move is None and as_json else None
        outcomes = field.odds(move) if move is not None and move.legal and move.checks else None
        if move is None:
            _ = moves.spots
    warn(field.warnings)
    if as_json:
        whole = move.to_json() if move is not None else answer or {}
        print_json(whole if outcomes is None else {**whole, "outcomes": outcomes.to_json()})
    else:
        from sandbox.cli.tables import legs_table, levels_table, nowhere_line, ruling_line  # noqa: PLC0415
        from sandbox.moves.narrate import tell  # noqa: PLC0415
        from sandbox.moves.odds_words import tell_odds  # noqa: PLC0415

        out = console()
        if move is None:
            if len(moves.spots):
                out.print(levels_table(moves))
            else:
                out.print(escape(nowhere_line(moves)))
            for ruling in moves.rulings:
                out.print(escape(ruling_line(ruling)))
        else:
            for sentence in tell(move, driven=field.fighter(fighter).drives):
                out.print(escape(sentence))
            if move.legs:
                out.print(legs_table(move.legs))
            for sentence in tell_odds(outcomes) if outcomes is not None else ():
                out.print(escape(sentence))
    if picture is not None:
        with working("drawing"):
            from sandbox.view import picture as draw  # noqa: PLC0415

            draw(field, picture, fighter=fighter, moves=moves, move=move, size=size, camera=camera)
        if not as_json:
            console().print(escape(f"picture: {picture}"), soft_wrap=True)
