"""The ledger: every sentence of the documents that states a mechanic, in our words, with its rule and its test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from sandbox.files import read_yaml, validate
from sandbox.rules.entries import Name, Sentence, Strict

LEDGER = Path(__file__).parent / "ledger.yaml"


class LedgerLine(Strict):
    """One mechanic. Exactly one of `test` and `external`."""

    says: Sentence
    rule: Name
    """rule id in every pack that the document belongs to."""
    test: Annotated[str, Field(pattern=r"^[\w/]+\.py::test_\w+$")] | None = None
    """a test that shows it, below tests/."""
    external: Sentence | None = None
    """the setting, scene key or event that stands for what the document only points to."""

    @model_validator(mode="after")
    def _one(self) -> LedgerLine:
        if (self.test is None) is (self.external is None):
            raise ValueError("give exactly one of test and external")
        return self


class LedgerDocument(Strict):
    """One document."""

    pack: Name
    sections: dict[str, tuple[LedgerLine, ...]]


class LedgerFile(Strict):
    """The whole file."""

    documents: dict[str, LedgerDocument]


@dataclass(frozen=True)
class Entry:
    """One line of the ledger with its place."""

    document: str
    section: str
    pack: str
    line: LedgerLine

    @property
    def where(self) -> str:
        """Document and section, the way that rules are cited."""
        return f"{self.document}, {self.section}"


def read_ledger(path: Path = LEDGER) -> tuple[Entry, ...]:
    """All entries in the order of the documents; UserError with file and line for what is not right."""
    file = validate(read_yaml(path), LedgerFile)
    return tuple(
        Entry(number, section, document.pack, line)
        for number, document in file.documents.items()
        for section, lines in document.sections.items()
        for line in lines
    )
