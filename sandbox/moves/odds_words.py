"""A tree of outcomes in sentences: each way that things can go, with its chance, the likeliest first."""

from __future__ import annotations

from fractions import Fraction

from sandbox.moves.odds_tree import Event, Happening, Path, Tree
from sandbox.moves.words import chance, sentence

_SILENT = (Event.ENDS,)
"""what every reader of a fall knows."""


def tell_odds(tree: Tree, asked: str) -> tuple[str, ...]:
    """One sentence for each way that ends differently, with its chance; asked: the model that needs no name."""
    told: dict[str, Fraction] = {}
    for path in tree.paths():
        words = _words(path, asked)
        told[words] = told.get(words, Fraction(0)) + path.chance
    order = sorted(told.items(), key=lambda item: -item[1])
    return tuple(sentence("odds", "way", chance=chance(float(share)), words=words) for words, share in order)


def _words(path: Path, asked: str) -> str:
    said = [_one(h, asked) for h in path.happens if h.what not in _SILENT]
    return ", ".join(said) or sentence("odds", "nothing")


def _one(happening: Happening, asked: str) -> str:
    if happening.who == asked:
        return happening.text
    return sentence("odds", "other", name=happening.who, words=happening.text)
