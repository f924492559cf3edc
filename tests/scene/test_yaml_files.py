"""Reading files that people write: every mistake is one line with file and line; comments survive a save."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from sandbox.errors import UserError
from sandbox.files import dump_yaml, existing_file, read_yaml, resolve_path, save_yaml, validate, write_atomic


def refused(path: Path, content: str | bytes) -> UserError:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UserError) as caught:
        read_yaml(path)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(path))
    return caught.value


def bomb() -> str:
    """Nine levels of nine aliases each: 3 KB that would unfold to 400 million values."""
    lines = ["a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]"]
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        ("", None, "empty"),
        ("\n# nothing but words\n", 1, "nothing but comments"),
        ("- 1\n- 2\n", 1, "top level"),
        ("solid box\n", 1, "top level"),
        ("a: 1\nb: 2\na: 3\n", 3, 'duplicate key "a"'),
        ("a:\n  b: !!python/object/apply:os.system [ls]\n", 2, "tag"),
        ("a: !!str 1\n", 1, "tag"),
        ("!thing\na: 1\n", 1, "tag"),
        ("a: 1\nb: .nan\n", 2, "finite"),
        ("a: 1\nb: [1, -.inf]\n", 2, "finite"),
        ("a: 1e300\n", 1, "absurd"),
        ("a: " + "9" * 5000 + "\n", None, "cannot be read"),
        ("a: 1\nb: [1,\n", 3, "not valid YAML"),
        ("a: b: c\n", 1, "not valid YAML"),
        ("a: 1\n---\nb: 1\n", 2, "another document"),
        ("a: *nobody\n", 1, "alias"),
        ("a: &a [*a]\n", 1, "hold itself"),
        ("a: " + "[" * 5000, 1, "nested"),
        (bomb(), 6, "unfolds"),
        ("a: 1\n? [b, c]\n: 2\n", 1, "not allowed"),
        (b"a: 1\nb: \xff\xfe\n", 2, "UTF-8"),
        (b"a: 1\n\0\0\0\x80?", 2, "binary"),
        ("a: 1\nb: \x07\n", 2, "control characters"),
    ],
)
def test_what_is_no_plain_yaml_is_one_line(
    tmp_path: Path, content: str | bytes, line: int | None, said: str
) -> None:
    error = refused(tmp_path / "x.yaml", content)
    assert said in error.message
    assert error.line == line


def test_a_tag_runs_nothing(tmp_path: Path) -> None:
    witness = tmp_path / "ran"
    call = f"!!python/object/apply:os.mkdir ['{witness}']"
    refused(tmp_path / "x.yaml", f"a: {call}\n")
    assert not witness.exists()


def test_missing_folder_large_and_special_files(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_yaml(tmp_path / "none.yaml")
    with pytest.raises(UserError, match="folder"):
        read_yaml(tmp_path)
    with pytest.raises(UserError, match="ordinary file"):
        read_yaml("/dev/zero")
    large = tmp_path / "large.yaml"
    large.write_text("a: 1\n" + "# filler\n" * 400_000)
    with pytest.raises(UserError, match="larger than the limit"):
        read_yaml(large)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    path = tmp_path_factory.mktemp("bytes") / "x.yaml"
    path.write_bytes(raw)
    try:
        assert isinstance(read_yaml(path).plain, dict)
    except UserError as error:
        assert "\n" not in str(error)


def test_merge_keys_and_aliases_are_plain_values(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("base: &base {M: 5, I: 4}\none: *base\ntwo:\n  <<: *base\n  M: 6\n")
    assert read_yaml(path).plain == {
        "base": {"M": 5, "I": 4},
        "one": {"M": 5, "I": 4},
        "two": {"M": 6, "I": 4},
    }


COMMENTED = """\
# a board for two
name: "Sump gantry"   # quoted on purpose
board:
  size: [48, 48]      # inches
  ceiling: null       # open sky

terrain:
  - id: tower
    # the big one
    at: [12, 10.50]
  - {id: crate, box: [2, 2, 1], at: [20, 20]}    # in one line
# the end
"""


def test_saving_keeps_comments_quotes_and_order(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(COMMENTED)
    document = read_yaml(path)
    document.data["terrain"][0]["at"][0] = 13
    save_yaml(document)
    saved = path.read_text()
    assert saved == COMMENTED.replace("[12, 10.50]", "[13, 10.50]")
    assert read_yaml(path).plain["terrain"][0]["at"] == [13, 10.5]


def test_saving_is_refused_where_the_file_changed_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("a: 1\n")
    document = read_yaml(path)
    path.write_text("a: 2\n")
    document.data["a"] = 3
    with pytest.raises(UserError, match="changed on disk"):
        save_yaml(document)
    assert path.read_text() == "a: 2\n"
    save_yaml(document, force=True)
    assert path.read_text() == "a: 3\n"


def test_windows_line_ends_stay(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"a: 1\r\nb: 2\r\n")
    document = read_yaml(path)
    document.data["b"] = 3
    save_yaml(document)
    assert path.read_bytes() == b"a: 1\r\nb: 3\r\n"


def test_a_failed_write_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("old")

    def full_disk(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(UserError, match="No space left"):
        write_atomic(path, b"new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.yaml"]


def test_writing_through_a_link_keeps_the_link_and_the_permissions(tmp_path: Path) -> None:
    real = tmp_path / "real.yaml"
    real.write_text("old")
    real.chmod(0o640)
    link = tmp_path / "link.yaml"
    link.symlink_to(real)
    write_atomic(link, b"new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")
    size: float = Field(gt=0)
    start: int = Field(default=0, alias="from")


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    items: list[Inner] = []
    word: str = ""


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        ("word: a\nitem: []\n", 2, "unknown key 'item'; did you mean 'items'? Allowed: items, word"),
        ("items:\n- size: 1\n- sise: 1\n", 3, "unknown key 'sise' in items[1]; did you mean 'size'?"),
        ("items:\n- size: 1\n  form: 1\n", 3, "did you mean 'from'? Allowed: size, from"),
        ("items:\n- from: 1\n", 2, "missing key 'size' in items[0]"),
        ("items:\n- size: 1\n- size: -1\n", 3, "items[1].size: should be greater than 0, not -1"),
        ("items:\n- size: wide\n", 2, "'wide' is not a number"),
        ("word: 7\n", 1, "put it in quotes"),
        ("items: 3\n", 1, "should be a list"),
        ("items: [3]\n", 1, "should be `key: value` lines"),
    ],
)
def test_the_first_mistake_of_form_has_its_line(tmp_path: Path, content: str, line: int, said: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(content)
    with pytest.raises(UserError) as caught:
        validate(read_yaml(path), Outer)
    assert said in caught.value.message
    assert caught.value.line == line


@pytest.mark.pybullet
def test_package_paths_are_found_without_importing(tmp_path: Path) -> None:
    sys.modules.pop("pybullet_data", None)
    path = existing_file("package:pybullet_data/samurai_monastry.obj", base=tmp_path / "x.yaml")
    assert path.name == "samurai_monastry.obj"
    assert "pybullet_data" not in sys.modules


@pytest.mark.parametrize(
    "text",
    [
        "package:pybullet_data/../secret",
        "package:pybullet_data/a/../../secret",
        "package:pybullet_data//etc/passwd",
        "package:pybullet_data\\..\\secret",
        "package:pybullet_data/..\\secret",
        "package:../x",
        "package:os.path/x",
        "package:pybullet_data",
        "package:",
        "package:no_such_package_here/x.stl",
        "https://example.org/x.stl",
        "file:///etc/passwd",
        "a\0b",
        "  ",
    ],
)
def test_paths_that_lead_out_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError) as caught:
        resolve_path(text, base=tmp_path / "x.yaml", line=7)
    assert caught.value.line == 7


def test_a_link_out_of_a_package_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "terrain_kit_for_test"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('imported')")
    (package / "fine.stl").write_text("")
    (package / "out.stl").symlink_to("/etc/hostname")
    monkeypatch.syspath_prepend(str(tmp_path))
    base = tmp_path / "x.yaml"
    assert existing_file("package:terrain_kit_for_test/fine.stl", base=base) == package / "fine.stl"
    with pytest.raises(UserError, match="out of its package"):
        existing_file("package:terrain_kit_for_test/out.stl", base=base)


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    for folder in ("models", "scenes"):
        (tmp_path / folder).mkdir()
    (tmp_path / "models" / "a.stl").write_text("")
    found = existing_file("../models/a.stl", base=tmp_path / "scenes" / "x.yaml", what="model")
    assert found.resolve() == tmp_path / "models" / "a.stl"
    with pytest.raises(UserError, match=r"the model '\.\./models/b\.stl' does not exist"):
        existing_file("../models/b.stl", base=tmp_path / "scenes" / "x.yaml", what="model")


def test_round_trip_of_an_unchanged_file_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(COMMENTED)
    assert dump_yaml(read_yaml(path)) == path.read_text()
