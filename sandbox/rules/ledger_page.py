"""The ledger as a page for readers: `python -m sandbox.rules.ledger_page [FILE]` writes it."""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sandbox.files import write_atomic
from sandbox.rules.ledger import Entry, read_ledger
from sandbox.rules.pack import load_pack

HEAD = """\
# The ledger

Every sentence of the five rule documents that states a mechanic, in our own words: where it stands, the rule of the
pack that says it (`sandbox rules PACK RULE` shows that rule), and what shows it.

- **a test** that fails when the mechanic is not so, or
- **outside**: the document only points to something; a setting, a key of the scene file or an event for the players
  stands for it, and is named.

The page is made from `sandbox/rules/ledger.yaml`; the tests check that every rule and every test in it is there.
"""


def page(entries: tuple[Entry, ...] | None = None) -> str:
    """The whole page, Markdown; entries: others than the ledger's own."""
    chosen = read_ledger() if entries is None else entries
    return "\n".join([HEAD, *_summary(chosen), *_documents(chosen)]).rstrip() + "\n"


def _summary(entries: tuple[Entry, ...]) -> Iterator[str]:
    yield "| document | pack | mechanics | shown by a test | outside |"
    yield "|---|---|---|---|---|"
    for document, lines in itertools.groupby(entries, key=lambda e: e.document):
        group = list(lines)
        count = Counter(_kind(e) for e in group)
        cells = [document, group[0].pack, len(group), count["test"], count["outside"]]
        yield _row(*(str(cell) for cell in cells))
    total = Counter(_kind(e) for e in entries)
    yield _row("all", "", str(len(entries)), str(total["test"]), str(total["outside"]))


def _documents(entries: tuple[Entry, ...]) -> Iterator[str]:
    for document, lines in itertools.groupby(entries, key=lambda e: e.document):
        group = list(lines)
        title = load_pack(group[0].pack).file.documents[document]
        yield f"\n## {document}: {title}"
        for section, part in itertools.groupby(group, key=lambda e: e.section):
            yield f"\n### {document}, {section}\n"
            yield "| mechanic | rule | shown by |"
            yield "|---|---|---|"
            for entry in part:
                yield _row(_first_up(entry.line.says), f"`{entry.line.rule}`", _shown(entry))


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]


def _kind(entry: Entry) -> str:
    return "outside" if entry.line.test is None else "test"


def _shown(entry: Entry) -> str:
    line = entry.line
    if line.test is not None:
        file, _, name = line.test.partition("::")
        return f"[{name.removeprefix('test_').replace('_', ' ')}](../tests/{file})"
    return f"outside: {line.external}"


def main() -> None:
    """Write the page, to docs/ledger.md where no file is named."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "docs" / "ledger.md"
    write_atomic(target, page().encode())


if __name__ == "__main__":
    main()
