"""Files that people write: reading with lines, checking, paths, writing back with the comments kept."""

from sandbox.files.atomic import write_atomic
from sandbox.files.document import YamlDocument, dump_yaml, read_yaml, save_yaml, validate
from sandbox.files.mistakes import Loc, pick_mistake, suggestion
from sandbox.files.paths import existing_file, resolve_path
from sandbox.files.shipped import shipped

__all__ = [
    "Loc",
    "YamlDocument",
    "dump_yaml",
    "existing_file",
    "pick_mistake",
    "read_yaml",
    "resolve_path",
    "save_yaml",
    "shipped",
    "suggestion",
    "validate",
    "write_atomic",
]
