"""The ledger: every entry names a rule that is there and a test that is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sandbox.errors import UserError
from sandbox.rules import load_pack
from sandbox.rules.ledger import Entry, holes, read_ledger

TESTS = Path(__file__).parents[1]
ENTRIES = read_ledger()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e.where}: {e.line.says[:30]}")
def test_entries_name_a_rule_and_a_test(entry: Entry) -> None:
    load_pack(entry.pack).rule(entry.line.rule)
    if entry.line.test is not None:
        file, _, name = entry.line.test.partition("::")
        assert re.search(rf"^def {name}\(", (TESTS / file).read_text(encoding="utf-8"), re.MULTILINE), file


def test_every_source_that_a_pack_cites_has_a_section_in_the_ledger() -> None:
    sections = {(entry.pack, entry.where) for entry in ENTRIES}
    for pack in {entry.pack for entry in ENTRIES}:
        for rule_id in load_pack(pack).rule_ids:
            source = load_pack(pack).rule(rule_id).source
            if source[0].isdigit():
                cited = {(pack, source), (pack, source.partition(" (")[0])}
                assert cited & sections, (rule_id, source)


def test_all_five_documents_are_there() -> None:
    assert {entry.document for entry in ENTRIES} == {"000", "001", "002", "003", "004"}
    assert len({(entry.where, entry.line.says) for entry in ENTRIES}) == len(ENTRIES) > 180


def test_holes_are_entries_that_nothing_shows() -> None:
    assert {entry.line.test for entry in holes(ENTRIES)} <= {None}
    assert len(holes(ENTRIES)) < len(ENTRIES) / 2


def test_an_entry_has_exactly_one_witness(tmp_path: Path) -> None:
    path = tmp_path / "ledger.yaml"
    path.write_text(
        'documents:\n  "000":\n    pack: p\n    sections:\n      A:\n        - {says: x, rule: y}\n'
    )
    with pytest.raises(UserError, match=r"ledger\.yaml:6: .*exactly one of test, external and missing"):
        read_ledger(path)
