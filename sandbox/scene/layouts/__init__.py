"""Boards written as text: character maps or lists of tiles, on levels, built into the pieces of a scene."""

from sandbox.scene.layouts.build import Built, build
from sandbox.scene.layouts.legend import Legend
from sandbox.scene.layouts.load import Loaded, library_path, load_layout, load_library, read_layout
from sandbox.scene.layouts.model import (
    Border,
    BorderKind,
    Corner,
    Facing,
    Form,
    Grid,
    Layout,
    Level,
    Placement,
    Section,
    Square,
    SquareKind,
    State,
    Tile,
)
from sandbox.scene.layouts.parts import Door
from sandbox.scene.layouts.tiles import tiled
from sandbox.scene.layouts.write import layout_text, layout_tree

__all__ = [
    "Border",
    "BorderKind",
    "Built",
    "Corner",
    "Door",
    "Facing",
    "Form",
    "Grid",
    "Layout",
    "Legend",
    "Level",
    "Loaded",
    "Placement",
    "Section",
    "Square",
    "SquareKind",
    "State",
    "Tile",
    "build",
    "layout_text",
    "layout_tree",
    "library_path",
    "load_layout",
    "load_library",
    "read_layout",
    "tiled",
]
