"""A battlefield sandbox: real terrain meshes in, legal skirmish-game moves out.

>>> import sandbox
>>> field = sandbox.load("scenes/gantry.yaml")  # doctest: +SKIP
>>> field.moves("kal", "move").to(11, 13.9, 3).legal  # doctest: +SKIP
False
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.errors import UserError

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

__version__ = "0.1.0"
__all__ = ["UserError", "__version__", "load"]


def load(
    path: str | Path, rules: str | Path | None = None, settings: Mapping[str, Any] | None = None
) -> Battlefield:
    """The battlefield of a scene file, or of a model that lies alone, ready for questions.

    rules: a pack id or the path of a pack file, instead of the scene's own. settings: other values for constants
    of the pack (``{"climb_cost": 1}``). Raises UserError, one line with file and line, for whatever is wrong with
    the scene, its models or the pack.
    """
    # Imported here so that `import sandbox` and `sandbox --help` need not wait for geometry and physics. Models are
    # read by another process while the rest is imported.
    from sandbox.terrain.reading import begin_scene  # noqa: PLC0415

    scene = begin_scene(path)
    from sandbox.moves.battlefield import Battlefield  # noqa: PLC0415

    return Battlefield.load(path, rules, settings, scene)
