"""The ledger: every sentence of the documents that states a mechanic, in our words, with its rule and its test."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from sandbox.files import read_yaml, validate
from sandbox.rules.entries import Name, Sentence, Strict

LEDGER = Path(__file__).parent / "ledger.yaml"


class ToCome(StrEnum):
    """What an entry waits for that nothing shows yet."""

    PLAY = "play"
    """a game with its turns, in which distances are told only after an action is declared."""
    PUSHES = "pushes"
    """knockback, drag, and whatever else throws models about."""
    VEHICLES = "vehicles"
    """vehicles that move, break things and carry riders."""
    GEAR = "gear"
    """gear and skills that need a game around them: scatter, flight, moves in between."""
    TERRAIN = "terrain"
    """terrain that changes: doors, wrecks, flying platforms."""


class LedgerLine(Strict):
    """One mechanic. Exactly one of `test`, `external` and `to_come`."""

    says: Sentence
    rule: Name
    """rule id in every pack that the document belongs to."""
    test: Annotated[str, Field(pattern=r"^[\w/]+\.py::test_\w+$")] | None = None
    """a test that shows it, below tests/."""
    external: Sentence | None = None
    """the setting, scene key or event that stands for what the document only points to."""
    to_come: ToCome | None = None

    @model_validator(mode="after")
    def _one(self) -> LedgerLine:
        if sum(x is not None for x in (self.test, self.external, self.to_come)) != 1:
            raise ValueError("give exactly one of test, external and to_come")
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


def to_come(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries that nothing shows yet."""
    return tuple(entry for entry in entries if entry.line.to_come is not None)
