"""The ledger: every entry names a rule that is there and a test that is there; its page is up to date."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from sandbox.errors import UserError
from sandbox.rules import load_pack, pack_names
from sandbox.rules.ledger import Entry, read_ledger
from sandbox.rules.ledger_page import page

ROOT = Path(__file__).parents[2]
ENTRIES = read_ledger()


@pytest.fixture(scope="module")
def collected() -> frozenset[str]:
    """All tests in the files that the ledger names: functions of the module whose names begin with test."""
    files = sorted({entry.line.test.partition("::")[0] for entry in ENTRIES if entry.line.test})
    return frozenset(
        f"{file}::{node.name}"
        for file in files
        for node in ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    )


def test_every_test_that_the_ledger_names_is_collected(collected: frozenset[str]) -> None:
    missing = [f"{e.where}: {e.line.test}" for e in ENTRIES if e.line.test and e.line.test not in collected]
    assert missing == []


def test_a_test_that_is_not_there_would_be_missed(collected: frozenset[str]) -> None:
    assert "rules/test_ledger.py::test_that_nobody_wrote" not in collected


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e.where}: {e.line.says[:30]}")
def test_entries_name_a_rule_of_their_pack(entry: Entry) -> None:
    assert load_pack(entry.pack).rule(entry.line.rule).text


def test_every_source_that_a_pack_cites_is_a_section_of_the_ledger() -> None:
    sections = {(entry.pack, entry.where) for entry in ENTRIES}
    for pack in pack_names():
        for rule_id in load_pack(pack).rule_ids:
            source = load_pack(pack).rule(rule_id).source
            if source[0].isdigit():
                assert (pack, source) in sections, (rule_id, source)


def test_all_five_documents_are_there() -> None:
    assert {entry.document for entry in ENTRIES} == {"000", "001", "002", "003", "004"}
    assert len({(entry.where, entry.line.says) for entry in ENTRIES}) == len(ENTRIES) > 350


def test_most_is_shown_by_a_test_and_nothing_is_left() -> None:
    assert all((e.line.test is None) is not (e.line.external is None) for e in ENTRIES)
    assert sum(e.line.test is not None for e in ENTRIES) > 0.9 * len(ENTRIES)


def test_what_is_outside_names_something_that_is_there() -> None:
    """A setting, a key or an event in backticks is one that the pack, the scene file or the Python API has."""
    for entry in ENTRIES:
        if entry.line.external is None:
            continue
        named = entry.line.external.split("`")[1::2]
        pack = load_pack(entry.pack)
        for name in named:
            section, _, key = name.partition(".")
            if key and section in ("skill", "gear", "tag", "action"):
                table: Any = getattr(pack.file, section if section == "gear" else f"{section}s")
                assert table[key].events, (entry.where, name)
            elif section not in ("board", "Battlefield", "ductways", "gear", "from", "to", "slowed"):
                assert pack.rule(name), (entry.where, name)


def test_an_entry_has_exactly_one_witness(tmp_path: Path) -> None:
    path = tmp_path / "ledger.yaml"
    path.write_text(
        'documents:\n  "000":\n    pack: p\n    sections:\n      A:\n        - {says: x, rule: y}\n'
    )
    with pytest.raises(UserError, match=r"ledger\.yaml:6: .*exactly one of test and external"):
        read_ledger(path)


def test_the_page_is_made_of_the_ledger() -> None:
    shown = (ROOT / "docs" / "ledger.md").read_text(encoding="utf-8")
    assert shown == page(), "make it again: python -m sandbox.rules.ledger_page"
