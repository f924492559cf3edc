"""Scene files in: read, checked, ids and paths filled in, layouts built."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from sandbox.errors import UserError
from sandbox.files import YamlDocument, existing_file, read_yaml, validate
from sandbox.files.shipped import no_file
from sandbox.kinds import Kind
from sandbox.scene.layouts.build import Built
from sandbox.scene.layouts.load import Loaded, load_layout, read_layout
from sandbox.scene.model import (
    DEFAULT_RULES,
    Anchor,
    Area,
    Board,
    Ductway,
    Fighter,
    Item,
    Loc,
    Mark,
    NamedPoint,
    Piece,
    Point,
    Scene,
    Shape,
    Unit,
    UpAxis,
    Zone,
)
from sandbox.scene.schema import PieceEntry, SceneFile

MODEL_SUFFIXES = (".stl", ".obj", ".glb", ".gltf", ".ply", ".3mf", ".off")
SCENE_SUFFIXES = (".yaml", ".yml")
RESERVED_PIECES = ("board", "ceiling")
"""names that the table and its ceiling have among the pieces."""


def open_scene(path: str | Path) -> Scene:
    """The scene of a scene file, or the scene in which a model file lies alone, by the file's ending.

    UserError where it is neither, is missing, or is wrong (see `load_scene`).
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix in SCENE_SUFFIXES:
        return load_scene(path)
    if suffix in MODEL_SUFFIXES:
        return scene_for_model(path)
    if path.is_dir() or not path.exists():
        load_scene(path)  # says what is wrong
    allowed = ", ".join((*SCENE_SUFFIXES, *MODEL_SUFFIXES))
    raise UserError(f"neither a scene nor a model; allowed endings: {allowed}", file=path)


def load_scene(path: str | Path) -> Scene:
    """The scene of a scene file. Raises UserError with file and line for the first mistake in it.

    Model files are looked for and not opened; whether rules, skills and status names exist is the packs'
    matter. A lesson is a scene too: the board that it is taught on.
    """
    document = read_yaml(path)
    if "steps" in document.plain and isinstance(document.plain.get("scene"), dict):
        document = document.part("scene")
    return scene_of(document)


def scene_of(document: YamlDocument) -> Scene:
    """The scene of a document that was read; see `load_scene`."""
    form = validate(document, SceneFile)
    laid = layout_of(document, form)
    built = None if laid is None or laid.listed else laid.built
    names = _Names(document)
    return Scene(
        name=form.name or document.path.stem,
        path=document.path,
        rules=_rules(document, form.rules),
        board=_board(document, form, None if laid is None else laid.built),
        terrain=(*(built.terrain if built else ()), *_terrain(document, form, built, names)),
        areas=(*(built.areas if built else ()), *_areas(document, form)),
        ductways=(*(built.ductways if built else ()), *_ductways(document, form, names)),
        zones=(*(built.zones if built else ()), *_zones(document, form, built, names)),
        points=(*(built.points if built else ()), *_points(document, form, built, names)),
        items=_items(document, form, names),
        fighters=_fighters(document, form, names),
        document=document,
        layout=laid,
    )


def _terrain(document: YamlDocument, form: SceneFile, built: Built | None, names: _Names) -> list[Piece]:
    reserved = (*RESERVED_PIECES, *(piece.id for piece in (built.terrain if built else ())))
    ids = names.fill("terrain", [(e.id, _stem(e)) for e in form.terrain], reserved)
    return [_piece(document, e, ids[i], ("terrain", i)) for i, e in enumerate(form.terrain)]


def _areas(document: YamlDocument, form: SceneFile) -> list[Area]:
    return [
        Area(
            kind=e.kind,
            polygon=_polygon(document, e.polygon, ("areas", i, "polygon")),
            z=_heights(document, e.z, ("areas", i, "z")),
            line=document.line_of(("areas", i)),
            loc=("areas", i),
        )
        for i, e in enumerate(form.areas)
    ]


def _ductways(document: YamlDocument, form: SceneFile, names: _Names) -> list[Ductway]:
    ids = names.fill("ductways", [(e.id, "duct") for e in form.ductways])
    return [
        Ductway(
            ids[i],
            _place3(e.start),
            _place3(e.end),
            document.line_of(("ductways", i)),
            ("ductways", i),
        )
        for i, e in enumerate(form.ductways)
    ]


def _zones(document: YamlDocument, form: SceneFile, built: Built | None, names: _Names) -> list[Zone]:
    reserved = [z.id for z in built.zones] if built else ()
    ids = names.fill("zones", [(e.id, "zone") for e in form.zones], reserved)
    return [
        Zone(
            id=ids[i],
            polygon=_polygon(document, e.polygon, ("zones", i, "polygon")),
            z=_heights(document, e.z, ("zones", i, "z")),
            line=document.line_of(("zones", i)),
            loc=("zones", i),
        )
        for i, e in enumerate(form.zones)
    ]


def _points(document: YamlDocument, form: SceneFile, built: Built | None, names: _Names) -> list[NamedPoint]:
    reserved = [p.id for p in built.points] if built else ()
    ids = names.fill("points", [(e.id, "point") for e in form.points], reserved)
    return [
        NamedPoint(ids[i], _plan(e.at), _z(e.at), document.line_of(("points", i)), ("points", i))
        for i, e in enumerate(form.points)
    ]


def _items(document: YamlDocument, form: SceneFile, names: _Names) -> tuple[Item, ...]:
    ids = names.fill("items", [(e.id, "item") for e in form.items])
    return tuple(
        Item(ids[i], _plan(e.at), _z(e.at), e.heavy, document.line_of(("items", i)), ("items", i))
        for i, e in enumerate(form.items)
    )


def _fighters(document: YamlDocument, form: SceneFile, names: _Names) -> tuple[Fighter, ...]:
    ids = names.fill("fighters", [(e.id, e.side or "fighter") for e in form.fighters])
    return tuple(
        Fighter(
            id=ids[i],
            at=_plan(e.at),
            z=_z(e.at),
            side=e.side,
            base=(max(e.base), min(e.base)),
            height=e.height,
            facing=e.facing,
            profile=dict(e.profile),
            status=e.status,
            skills=tuple(e.skills),
            gear=tuple(e.gear),
            tags=tuple(e.tags),
            line=document.line_of(("fighters", i)),
            loc=("fighters", i),
        )
        for i, e in enumerate(form.fighters)
    )


def layout_of(document: YamlDocument, form: SceneFile) -> Loaded | None:
    """The layout of a scene file, read and built; None where it has none."""
    if form.layout_file is not None:
        line = document.line_of(("layout",))
        own, entry = read_layout(
            existing_file(form.layout_file, base=document.path, line=line, what="layout")
        )
        return load_layout(own, entry, ())
    return None if form.layout is None else load_layout(document, form.layout)


def _board(document: YamlDocument, form: SceneFile, built: Built | None) -> Board:
    """The table: a layout brings its size and its ceiling along."""
    board = form.board
    if built is None:
        return Board(board.size, board.ground, board.ceiling, board.zone_mortalis)
    stated = board.model_fields_set
    for key in ("size", "ceiling"):
        if key in stated:
            document.fail(f"board.{key} comes from the layout; leave it out", ("board", key))
    flag = board.zone_mortalis if "zone_mortalis" in stated else built.board.zone_mortalis
    return Board(built.board.size, board.ground, built.board.ceiling, flag)


def scene_for_model(
    path: str | Path,
    *,
    rules: str = DEFAULT_RULES,
    units: Unit | None = None,
    up: UpAxis | None = None,
    scale: float = 1.0,
    kind: Kind = Kind.AUTO,
) -> Scene:
    """The scene in which one model lies alone, its box's corner at the origin, on a board of its own size.

    Raises UserError where no such file is, or its ending is not a model's.
    """
    path = Path(path)
    if not path.is_file():
        raise UserError(no_file(path), file=path)
    _check_suffix(path.name, file=path)
    piece = Piece(
        id=_tidy(path.stem) or "model",
        shape=Shape.MODEL,
        model=path,
        model_name=path.name,
        units=units,
        up=up,
        scale=scale,
        anchor=Anchor.CORNER,
        kind=kind,
    )
    return Scene(name=path.stem, path=path, rules=rules, board=Board(size=None), terrain=(piece,))


def _piece(document: YamlDocument, entry: PieceEntry, piece_id: str, loc: Loc) -> Piece:
    shape = next(shape for shape in Shape if getattr(entry, shape.value) is not None)
    line = document.line_of(loc)
    model: Path | None = None
    sizes: tuple[float, ...] = ()
    if entry.model is not None:
        at = document.line_of((*loc, "model"))
        _check_suffix(entry.model, file=document.path, line=at)
        model = existing_file(entry.model, base=document.path, line=at, what="model")
    else:
        sizes = tuple(getattr(entry, shape.value))
    return Piece(
        id=piece_id,
        shape=shape,
        model=model,
        model_name=entry.model or "",
        sizes=sizes,
        units=entry.units,
        up=entry.up,
        scale=entry.scale,
        at=_place3(entry.at),
        turn=entry.turn,
        tilt=entry.tilt,
        kind=entry.kind,
        parts=tuple(entry.parts.items()),
        marks=tuple(Mark(m.kind, _place3(m.box[:3]), _place3(m.box[3:])) for m in entry.marks),
        line=line,
        loc=loc,
    )


def _rules(document: YamlDocument, rules: str) -> str:
    """A pack id as it is; the path of a pack file resolved against the scene's folder."""
    if rules.lower().endswith(SCENE_SUFFIXES) or "/" in rules or "\\" in rules:
        line = document.line_of(("rules",))
        return str(existing_file(rules, base=document.path, line=line, what="pack file").absolute())
    return rules


def _check_suffix(name: str, *, file: Path, line: int | None = None) -> None:
    if not name.lower().endswith(MODEL_SUFFIXES):
        ending = Path(name).suffix or "no ending"
        allowed = ", ".join(MODEL_SUFFIXES)
        raise UserError(f"{name!r} is no model file: {ending}; allowed: {allowed}", file=file, line=line)


def _plan(at: Sequence[float]) -> Point:
    return (at[0], at[1])


def _z(at: Sequence[float]) -> float | None:
    return at[2] if len(at) > 2 else None


def _place3(at: Sequence[float]) -> tuple[float, float, float]:
    return (at[0], at[1], at[2] if len(at) > 2 else 0.0)


def _heights(document: YamlDocument, z: tuple[float, float] | None, loc: Loc) -> tuple[float, float] | None:
    if z is not None and z[0] > z[1]:
        document.fail("z: should be [lowest, highest] in inches, the lower one first", loc)
    return z


def _polygon(document: YamlDocument, polygon: list[Point], loc: Loc) -> tuple[Point, ...]:
    from shapely.geometry import Polygon  # noqa: PLC0415 - a scene without polygons need not wait for it
    from shapely.validation import explain_validity  # noqa: PLC0415

    outline = Polygon(polygon)
    if not outline.is_valid or outline.area <= 0:
        reason = explain_validity(outline).split("[")[0].lower()
        document.fail(f"the polygon is no simple outline with an area inside ({reason})", loc)
    return tuple(polygon)


def _stem(entry: PieceEntry) -> str:
    if entry.model is None:
        return next(shape.value for shape in Shape if getattr(entry, shape.value) is not None)
    name = _file_name(entry.model)
    return _tidy(name) or "piece"


def _file_name(model: str) -> str:
    """The file name without folders and ending, of a path as scene files write it."""
    return Path(re.split(r"[/\\:]", model)[-1]).stem


def _tidy(name: str) -> str:
    return "".join(c for c in name if c.isprintable()).strip()[:60]


class _Names:
    """Ids: unique within their list, made up where they are missing."""

    def __init__(self, document: YamlDocument) -> None:
        self.document = document

    def fill(
        self, key: str, ids: Sequence[tuple[str | None, str]], reserved: Iterable[str] = ()
    ) -> list[str]:
        """An id for each entry of the list `key`; ids holds (written id or None, name to make one from)."""
        first: dict[str, int] = {}
        for index, (written, _) in enumerate(ids):
            if written is None:
                continue
            loc: Loc = (key, index, "id")
            if written in reserved:
                self.document.fail(f"the id {written!r} is reserved; choose another", loc)
            if written in first:
                line = self.document.line_of((key, first[written], "id"))
                self.document.fail(f"the id {written!r} is used twice in {key} (first on line {line})", loc)
            first[written] = index
        taken = {*first, *reserved}
        return [written if written is not None else _free(name, taken) for written, name in ids]


def _free(name: str, taken: set[str]) -> str:
    number = 1
    chosen = name
    while chosen in taken:
        number += 1
        chosen = f"{name}-{number}"
    taken.add(chosen)
    return chosen
