"""JSON Schemas of the files that people write, so that editors complete and check them."""

from __future__ import annotations

import importlib
from enum import StrEnum
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

_DIALECT = GenerateJsonSchema.schema_dialect


class FileKind(StrEnum):
    """Files that have a schema."""

    SCENE = "scene"
    LAYOUT = "layout"
    LIBRARY = "library"
    PACK = "pack"
    LESSON = "lesson"


_FORMS = {
    FileKind.SCENE: ("sandbox.scene.schema:SceneFile", "A battlefield: board, terrain, fighters."),
    FileKind.LAYOUT: (
        "sandbox.scene.layouts.schema:LayoutEntry",
        "A Zone Mortalis layout in a file of its own.",
    ),
    FileKind.LIBRARY: ("sandbox.scene.layouts.schema:LibraryFile", "A library of tiles for layouts."),
    FileKind.PACK: ("sandbox.rules.schema:PackFile", "A rule pack, or house rules that extend one."),
    FileKind.LESSON: ("sandbox.teach.schema:LessonFile", "A lesson."),
}


def schema_of(kind: FileKind) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one kind of file."""
    place, words = _FORMS[kind]
    module, name = place.split(":")
    form: type[BaseModel] = getattr(importlib.import_module(module), name)
    made = form.model_json_schema(by_alias=True, mode="validation")
    if kind is FileKind.SCENE:
        # the same key names a file, or holds the layout itself
        layout = made["properties"].pop("layout_file")
        made["properties"]["layout"]["anyOf"].insert(0, layout["anyOf"][0])
    if kind is FileKind.PACK:
        # a pack that extends another writes only what it changes
        made.pop("required", None)
    return {"$schema": _DIALECT, "title": f"sandbox {kind}", "description": words} | {
        key: value for key, value in made.items() if key not in ("title", "description")
    }
