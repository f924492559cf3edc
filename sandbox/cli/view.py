"""``sandbox view``: the window on a scene or a model, or a picture or a clip of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.markup import escape

from sandbox.cli.output import console, warn, working
from sandbox.cli.params import CAMERA, PLACE, SIZE, Place, picture_path
from sandbox.errors import UserError

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

WINDOW = (1440, 900)
PICTURE = (1600, 1000)
CLIP = (800, 560)


@click.command(
    "view",
    epilog="\b\nExamples:\n  sandbox view scenes/gantry.yaml"
    "\n  sandbox view scenes/gantry.yaml --image out/gantry.png"
    "\n  sandbox view scenes/gantry.yaml --clip out/climb.gif --fighter kal --to 11,13.8,3",
)
@click.argument("scene", metavar="SCENE|MODEL|GAME", type=click.Path(path_type=Path))
@click.option("--image", type=click.Path(path_type=Path), help="Draw into this PNG file, without a window.")
@click.option(
    "--clip", type=click.Path(path_type=Path), help="Write a GIF or MP4 of the board turning, or of a move."
)
@click.option("--fighter", metavar="ID", help="Whose move a clip shows.")
@click.option("--action", default="move", show_default=True, help="With which action.")
@click.option("--to", type=PLACE, help="Where to, in inches.")
@click.option(
    "--size", type=SIZE, help="Of the window (1440x900), the picture (1600x1000) or the clip (800x560)."
)
@click.option("--camera", type=CAMERA, help="whole, reach, way, top, or level:Z (cut open at Z inches).")
@click.option("--rules", metavar="PACK", help="A pack id or file instead of the scene's own.")
def command(
    scene: Path,
    image: Path | None,
    clip: Path | None,
    fighter: str | None,
    action: str,
    to: Place | None,
    size: tuple[int, int] | None,
    camera: str | None,
    rules: str | None,
) -> None:
    """The window on a scene or a model: look, ask, move, build; --image and --clip draw without one.

    A MODEL alone lies with its box's corner at the origin; a GAME file goes on where it was.
    """
    picture = picture_path(image)
    if clip is not None:
        from sandbox.view.clips import clip_path  # noqa: PLC0415

        clip_path(clip)
    if (fighter is None) != (to is None) or (fighter is not None and clip is None):
        raise click.UsageError("--fighter and --to go together, with --clip")
    if picture is None and clip is None:
        from sandbox.view.window import open_window  # noqa: PLC0415

        _readable(scene)
        open_window(scene, rules, size=size or WINDOW)
        return
    with working("reading the scene"):
        field = _field(scene, rules)
    warn(field.warnings)
    if picture is not None:
        with working("drawing"):
            from sandbox.view import picture as draw  # noqa: PLC0415

            draw(field, picture, size=size or PICTURE, camera=camera)
        console().print(escape(f"picture: {picture}"), soft_wrap=True)
    if clip is not None:
        with working("drawing the clip"):
            from sandbox.view import clip as draw_clip  # noqa: PLC0415

            move = None if fighter is None or to is None else field.moves(fighter, action).to(*to)
            if move is not None and not move.legal:
                why = move.rulings[0].text if move.rulings else "no way"
                raise UserError(f"{fighter} cannot go there, so there is nothing to play: {why}")
            draw_clip(field, clip, move=move, size=size or CLIP, camera=camera)
        console().print(escape(f"clip: {clip}"), soft_wrap=True)


def _field(path: Path, rules: str | None) -> Battlefield:
    """The battlefield of a scene or a model, or of a game as it stands."""
    from sandbox import load  # noqa: PLC0415 - geometry and physics are slow to import
    from sandbox.play import Game, is_game  # noqa: PLC0415

    if not is_game(path):
        return load(path, rules=rules)
    game = Game.opened(path)
    return game.table.field(game.state)


def _readable(path: Path) -> None:
    """UserError that says what is wrong with a file, before a window opens."""
    from sandbox.scene import open_scene  # noqa: PLC0415

    try:
        open_scene(path)
    except UserError:
        from sandbox.play.game import is_game  # noqa: PLC0415

        if not is_game(path):
            raise
