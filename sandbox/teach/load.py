"""Lesson files in: found by name or path, read, their form checked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import sandbox
from sandbox.errors import UserError
from sandbox.files import YamlDocument, existing_file, read_yaml, validate
from sandbox.files.mistakes import suggestion
from sandbox.scene import Scene, load_scene
from sandbox.scene.load import scene_of
from sandbox.teach.glossary import entries
from sandbox.teach.schema import FactEntry, LessonFile, StepEntry

FOLDER = "scenes/lessons"
SUFFIX = ".yaml"


@dataclass(frozen=True, eq=False)
class Lesson:
    """One lesson, as it is written."""

    id: str
    """its file's name without the ending."""
    form: LessonFile
    document: YamlDocument

    @cached_property
    def scene(self) -> Scene:
        """Its board. UserError for the first mistake in it."""
        where = self.form.scene
        if isinstance(where, str):
            line = self.document.line_of(("scene",))
            return load_scene(existing_file(where, base=self.document.path, line=line, what="scene"))
        return scene_of(self.document.part("scene"))

    @property
    def title(self) -> str:
        """Its title."""
        return self.form.title

    @property
    def packs(self) -> tuple[str, ...]:
        """Ids of the packs that it is taught under, the first one unless another is asked for."""
        return tuple(self.form.packs)

    @property
    def facts(self) -> dict[str, FactEntry]:
        """What it asks the engine, by name."""
        return self.form.facts

    @property
    def steps(self) -> tuple[StepEntry, ...]:
        """Its steps."""
        return tuple(self.form.steps)

    def mistake(self, message: str, *loc: str | int) -> UserError:
        """A mistake in the lesson, at its line."""
        return self.document.error(message, loc)


def folder() -> Path:
    """Where the lessons that ship lie. UserError where the installation has none."""
    package = Path(sandbox.__file__).parent
    for root in (package / "data", package.parent):
        if (root / FOLDER).is_dir():
            return root / FOLDER
    raise UserError("the lessons are missing from this installation; install sandbox again")


def all_lessons() -> tuple[Lesson, ...]:
    """The lessons that ship, in the order in which they are best taken; their boards are not looked at yet."""
    found = [_read(path) for path in sorted(folder().glob(f"*{SUFFIX}"))]
    return tuple(sorted(found, key=lambda lesson: (lesson.form.order, lesson.id)))


def find_lesson(name: str | Path) -> Lesson:
    """A lesson by its name or its path. UserError that lists those there are."""
    path = Path(name)
    if path.suffix.lower() in (".yaml", ".yml") or path.is_file():
        return load_lesson(path)
    own = folder() / f"{name}{SUFFIX}"
    if str(name).replace("-", "").replace("_", "").isalnum() and own.is_file():
        return load_lesson(own)
    names = sorted(found.stem for found in folder().glob(f"*{SUFFIX}"))
    raise UserError(f"there is no lesson {str(name)!r}; {suggestion(str(name), names)}")


def load_lesson(path: str | Path) -> Lesson:
    """The lesson of a file, with its board. UserError with file and line for the first mistake in its form."""
    lesson = _read(path)
    _names(lesson)
    return lesson


def _read(path: str | Path) -> Lesson:
    document = read_yaml(path)
    return Lesson(document.path.stem, validate(document, LessonFile), document)


def _names(lesson: Lesson) -> None:
    """Names of facts are words that an expression can hold, no fighter's, and those that steps use are there."""
    taken = {fighter.id for fighter in lesson.scene.fighters} | {"rule", "says", "pack", "true", "false"}
    for name in lesson.facts:
        if not name.isidentifier():
            raise lesson.mistake(f"{name!r} cannot be a fact's name; use letters and _", "facts", name)
        if name in taken:
            raise lesson.mistake(f"the name {name!r} is taken; choose another", "facts", name)
    for index, step in enumerate(lesson.steps):
        for key in ("show", "mark", "then", "tell"):
            for at, name in enumerate(getattr(step, key)):
                _known(lesson, name, "steps", index, key, at)
        for at, name in enumerate(step.explains):
            if name not in entries():
                known = suggestion(name, sorted(entries()))
                raise lesson.mistake(
                    f"the glossary has no word {name!r}; {known}", "steps", index, "explains", at
                )
        for key in ("play", "compare"):
            if (found := getattr(step, key)) is not None:
                _known(lesson, found, "steps", index, key)


def _known(lesson: Lesson, name: str, *loc: str | int) -> None:
    if name not in lesson.facts:
        raise lesson.mistake(f"there is no fact {name!r}; {suggestion(name, sorted(lesson.facts))}", *loc)
