"""YAML files that people write: read with line numbers and comments, checked, written back whole.

`read_yaml` reads, `validate` checks against a pydantic model, `save_yaml` writes back. Whatever is wrong with
the file is one `UserError` that names file and line. No tag is obeyed, so no file can run code.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.composer import Composer, MaxDepthExceededError
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import AliasEvent
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.representer import RoundTripRepresenter
from ruamel.yaml.util import load_yaml_guess_indent

from sandbox.errors import UserError
from sandbox.files.atomic import alone, write_atomic
from sandbox.files.limits import TEXT, depth, larger, text_bytes, too_deep
from sandbox.files.mistakes import Loc, pick_mistake
from sandbox.files.shipped import missing, no_file

NODES_PER_MIB = 200_000
"""values in one file for each MiB that it may have, aliases counted at every use."""
NUMBER_LIMIT = 1e12
"""no number in any file is larger; schemas set their own, tighter limits."""

Model = TypeVar("Model", bound=BaseModel)


@dataclass(eq=False)
class YamlDocument:
    """One YAML file: the tree as it was written, and the same as plain Python values."""

    path: Path
    data: CommentedMap
    """round-trip tree; change this one and `save_yaml` to write a change back."""
    plain: dict[Any, Any]
    """the values as read: dict, list, str, int, float, bool, None."""
    text: str
    """the file's text as read, to notice that somebody else changed it."""
    root: CommentedMap | None = None
    """the tree of the whole file where this is a part of it; None: this is the whole."""

    def part(self, key: str) -> YamlDocument:
        """The mapping at a key as a document of its own: lines are the file's, and it is written back whole."""
        whole = self.data if self.root is None else self.root
        return YamlDocument(self.path, self.data[key], self.plain[key], self.text, whole)

    def line_of(self, loc: Sequence[str | int] = ()) -> int:
        """Line (from 1) of the value at `loc` (keys and indices from the top), else of its nearest parent."""
        node: Any = self.data
        line = int(node.lc.line) + 1
        for step in loc:
            known = (isinstance(node, CommentedMap) and step in node) or (
                isinstance(node, CommentedSeq) and isinstance(step, int) and 0 <= step < len(node)
            )
            if (
                not known
            ):  # a missing key, or a step that pydantic put in for the variant of a union that it tried
                continue
            at = (node.lc.data or {}).get(step)
            node = node[step]
            if at is not None:
                line = int(at[0]) + 1
        return line

    def fail(self, message: str, loc: Sequence[str | int] = ()) -> NoReturn:
        """Raise a UserError at the line of `loc`."""
        raise self.error(message, loc)

    def error(self, message: str, loc: Sequence[str | int] = ()) -> UserError:
        """A UserError at the line of `loc`."""
        return UserError(message, file=self.path, line=self.line_of(loc))


class _PlainComposer(Composer):
    """Refuses tags while the tree is composed, before anything is made of them."""

    def __init__(self, loader: Any = None) -> None:
        super().__init__(loader)
        self.warn_double_anchors = False

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.parser.peek_event()
        if self.parser.check_event(AliasEvent):
            target = self.anchors.get(event.anchor)
            if target is not None and target.end_mark is None:
                raise MarkedYAMLError(
                    problem=f"the alias *{event.anchor} would hold itself", problem_mark=event.start_mark
                )
        elif event.ctag is not None:
            raise MarkedYAMLError(
                problem=f"the tag {str(event.ctag)[:40]!r} is not allowed; write plain values",
                problem_mark=event.start_mark,
            )
        return super().compose_node(parent, index)


def read_yaml(path: str | Path, *, times: int = 1) -> YamlDocument:
    """Read one YAML file whose top level is a mapping; times: how often the usual size it may have.

    Raises UserError with file and line for anything else: missing, not a file, too large, not UTF-8, binary,
    not YAML, empty, several documents, duplicate keys, tags, aliases that grow without end, NaN, infinities,
    absurd numbers.
    """
    path = Path(path)
    size = times * text_bytes()
    text = _read_text(path, size)
    if not text.strip():
        raise UserError("the file is empty; it should hold `key: value` lines", file=path)
    data = _parse(path, text)
    if not isinstance(data, CommentedMap):
        what = "nothing but comments" if data is None else "no `key: value` lines at its top level"
        raise UserError(f"this is not a YAML file of the expected form: it holds {what}", file=path, line=1)
    document = YamlDocument(path=path, data=data, plain={}, text=text)
    document.plain = _Plain(document, round(NODES_PER_MIB * size / 2**20), depth()).mapping(data, ())
    return document


def validate(document: YamlDocument, model: type[Model]) -> Model:
    """The document as an instance of the pydantic `model`; the first mistake is a UserError with its line."""
    try:
        return model.model_validate(document.plain)
    except ValidationError as error:
        mistake = pick_mistake(error, model, document.line_of)
        raise document.error(mistake.text, mistake.loc) from None


def dump_yaml(document: YamlDocument) -> str:
    """The document's tree as text, comments, quotes and order kept."""
    out = StringIO()
    _yaml(_guess_indent(document.text)).dump(document.data if document.root is None else document.root, out)
    text = out.getvalue()
    return text.replace("\n", "\r\n") if "\r\n" in document.text else text


def save_yaml(document: YamlDocument, path: str | Path | None = None, *, force: bool = False) -> None:
    """Write the document back, whole or not at all (to `path`, or where it came from).

    Raises UserError where the file changed on disk since it was read (unless `force`), or cannot be written.
    """
    target = document.path if path is None else Path(path)
    with alone(target):
        if not force and target == document.path and target.exists():
            try:
                same = target.read_bytes() == document.text.encode("utf-8")
            except OSError as error:
                raise UserError(f"cannot be read back: {error.strerror}", file=target) from None
            if not same:
                raise UserError(
                    "the file has changed on disk since it was read; read it again first", file=target
                )
        text = dump_yaml(document)
        write_atomic(target, text.encode("utf-8"))
    document.path = target
    document.text = text


class _PlainRepresenter(RoundTripRepresenter):
    """Writes null as ``null``; ruamel leaves the value out."""

    def represent_null(self, data: None) -> ScalarNode:
        return self.represent_scalar("tag:yaml.org,2002:null", "null")


_PlainRepresenter.add_representer(type(None), _PlainRepresenter.represent_null)


def _read_text(path: Path, size_limit: int) -> str:
    try:
        if path.is_dir():
            raise UserError(no_file(path), file=path)
        if path.exists() and not path.is_file():
            raise UserError("this is not an ordinary file", file=path)
        with path.open("rb") as stream:
            raw = stream.read(size_limit + 1)
    except FileNotFoundError:
        raise UserError(missing(path), file=path) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UserError(f"cannot be read: {reason}", file=path) from None
    if len(raw) > size_limit:
        raise UserError(larger(path.stat().st_size, size_limit, TEXT), file=path)
    nul = raw.find(b"\0")
    if nul >= 0:
        line = raw.count(b"\n", 0, nul) + 1
        raise UserError("this is a binary file, not YAML text", file=path, line=line)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UserError("the text is not UTF-8; save it as UTF-8", file=path, line=line) from None
    return text


def _yaml(indent: tuple[int, int] = (2, 0)) -> YAML:
    yaml = YAML(typ="rt", pure=True)
    yaml.preserve_quotes = True
    yaml.width = 1_000_000  # never re-wrap what somebody wrote
    yaml.allow_duplicate_keys = False
    yaml.max_depth = depth()
    yaml.Composer = _PlainComposer
    yaml.Representer = _PlainRepresenter
    sequence, offset = indent
    yaml.indent(mapping=2, sequence=sequence, offset=offset)
    return yaml


def _guess_indent(text: str) -> tuple[int, int]:
    """How lists are indented in the text: (sequence, offset) in ruamel's words."""
    try:
        _, sequence, offset = load_yaml_guess_indent(text)
    except Exception:
        return 2, 0
    if not isinstance(sequence, int) or not isinstance(offset, int) or offset < 0 or sequence < offset + 2:
        return 2, 0
    return sequence, offset


def _parse(path: Path, text: str) -> Any:
    try:
        return _yaml().load(text)
    except DuplicateKeyError as error:
        problem = (error.problem or "duplicate key").split(" with value")[0].replace("found ", "")
        raise UserError(problem, file=path, line=_mark_line(error)) from None
    except MaxDepthExceededError as error:
        raise UserError(too_deep(), file=path, line=_mark_line(error)) from None
    except MarkedYAMLError as error:
        problem = error.problem or "not readable"
        raise UserError(f"not valid YAML: {problem}", file=path, line=_mark_line(error)) from None
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise UserError("this is not YAML text: it holds control characters", file=path, line=line) from None
    except Exception as error:  # ruamel raises many kinds for text that is not YAML
        raise UserError(
            f"not valid YAML: a value in it cannot be read ({type(error).__name__})", file=path
        ) from None


def _mark_line(error: MarkedYAMLError) -> int | None:
    mark = error.problem_mark or error.context_mark
    return None if mark is None else int(mark.line) + 1


@dataclass
class _Plain:
    """Turns the round-trip tree into plain values, counting what it makes."""

    document: YamlDocument
    most: int
    """values that it may make."""
    deep: int
    """levels that it may have."""
    count: int = 0
    open_nodes: set[int] = field(default_factory=set)

    def mapping(self, node: CommentedMap, loc: Loc) -> dict[Any, Any]:
        self._enter(node, loc)
        result: dict[Any, Any] = {}
        for key, value in node.items():
            plain_key = self.scalar(key, loc)
            if not isinstance(plain_key, str | int):
                self.document.fail("a key must be a word or a whole number", loc)
            result[plain_key] = self.value(value, (*loc, plain_key))
        self.open_nodes.discard(id(node))
        return result

    def value(self, node: Any, loc: Loc) -> Any:
        if isinstance(node, Mapping):
            return self.mapping(node, loc)  # type: ignore[arg-type]
        if isinstance(node, CommentedSeq):
            self._enter(node, loc)
            items = [self.value(item, (*loc, index)) for index, item in enumerate(node)]
            self.open_nodes.discard(id(node))
            return items
        self._count(loc)
        return self.scalar(node, loc)

    def scalar(self, node: Any, loc: Loc) -> Any:
        if node is None or isinstance(node, bool):
            return node
        if isinstance(node, str):
            return str(node)
        if isinstance(node, datetime.date | datetime.datetime):
            return node.isoformat()
        if isinstance(node, int) and type(node).__name__ == "ScalarBoolean":
            return bool(node)
        if isinstance(node, int):
            self._number(node, loc)
            return int(node)
        if isinstance(node, float):
            self._number(node, loc)
            return float(node)
        self.document.fail(f"a value of this form ({type(node).__name__}) is not allowed", loc)

    def _number(self, number: float, loc: Loc) -> None:
        if math.isnan(number) or math.isinf(number):
            self.document.fail("this is not a finite number; write one like 2.5", loc)
        if abs(number) > NUMBER_LIMIT:
            self.document.fail(f"the number is absurd; at most {NUMBER_LIMIT:g} is allowed", loc)

    def _enter(self, node: Any, loc: Loc) -> None:
        self._count(loc)
        if id(node) in self.open_nodes:
            self.document.fail("an alias (*name) must not hold itself", loc)
        if len(loc) > self.deep:
            self.document.fail(too_deep(), loc)
        self.open_nodes.add(id(node))

    def _count(self, loc: Loc) -> None:
        self.count += 1
        if self.count > self.most:
            self.document.fail(
                f"the file unfolds to more than {self.most} values; use fewer aliases, or raise {TEXT}",
                loc[:1],
            )
