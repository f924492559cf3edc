"""A tree of outcomes in sentences: each way that things can go, with its chance, the likeliest first."""

from __future__ import annotations

from fractions import Fraction

from sandbox.moves.odds_tree import Event, Happening, Path, Tree
from sandbox.moves.words import chance, sentence

_SILENT = (Event.ENDS,)
"""what every reader of a fall knows."""


def tell_odds(tree: Tree) -> tuple[str, ...]:
    """One sentence for each way that ends differently, with its chance."""
    told: dict[str, Fraction] = {}
    for path in tree.paths():
        words = _words(path)
        told[words] = told.get(words, Fraction(0)) + path.chance
    order = sorted(told.items(), key=lambda item: -item[1])
    return tuple(sentence("odds", "way", chance=chance(float(share)), words=words) for words, share in order)


def _words(path: Path) -> str:
    """What happens, one after the other; who it happens to is named at first and where it is somebody else's turn."""
    said = []
    named: str | None = None
    for happening in path.happens:
        if happening.what in _SILENT:
            continue
        said.append(happening.text if happening.who == named else _named(happening))
        named = happening.who
    return ", ".join(said) or sentence("odds", "nothing")


def _named(happening: Happening) -> str:
    return sentence("odds", "other", name=happening.who, words=happening.text)
