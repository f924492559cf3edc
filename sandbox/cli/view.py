"""``sandbox view``: the window on a scene or a model, or a picture of it."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from sandbox.cli.output import console, warn, working
from sandbox.cli.params import CAMERA, SIZE, picture_path


@click.command(
    "view",
    epilog="\b\nExamples:\n  sandbox view scenes/gantry.yaml\n  sandbox view scenes/gantry.yaml --image out/gantry.png",
)
@click.argument("scene", metavar="SCENE|MODEL", type=click.Path(path_type=Path))
@click.option("--image", type=click.Path(path_type=Path), help="Draw into this PNG file, without a window.")
@click.option(
    "--size", type=SIZE, default="1600x1000", show_default=True, help="The picture's or window's size."
)
@click.option("--camera", type=CAMERA, help="whole, reach, way, top, or level:Z (cut open at Z inches).")
@click.option("--rules", metavar="PACK", help="A pack id or file instead of the scene's own.")
def command(
    scene: Path, image: Path | None, size: tuple[int, int], camera: str | None, rules: str | None
) -> None:
    """The window on a scene or a model: look, ask, move, build; --image draws without one.

    A MODEL alone lies with its box's corner at the origin.
    """
    picture = picture_path(image)
    if picture is None:
        from sandbox.scene import open_scene  # noqa: PLC0415
        from sandbox.view.window import open_window  # noqa: PLC0415

        open_scene(scene)  # what is wrong with the file is told here, before a window opens
        open_window(scene, rules, size=size)
        return
    with working("reading the scene"):
        from sandbox import load  # noqa: PLC0415 - geometry and physics are slow to import

        field = load(scene, rules=rules)
    warn(field.warnings)
    with working("drawing"):
        from sandbox.view import picture as draw  # noqa: PLC0415

        draw(field, picture, size=size, camera=camera)
    console().print(escape(f"picture: {picture}"), soft_wrap=True)
