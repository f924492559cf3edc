"""What models, things and pieces are called when something is told of them: names made out of their ids."""

from __future__ import annotations

import re
from functools import cache

from sandbox.files.sentences import sentences_of
from sandbox.play.words import say
from sandbox.scene import Scene

_WORD = re.compile(r"[\w-]+")


class Names:
    """The names of one scene: ``kal`` is Kal, ``gantry-west`` is gantry west, ``hut`` is the hut."""

    def __init__(self, scene: Scene) -> None:
        """scene: whose fighters, things, pieces and ductways are named."""
        self.sides = {one.id: one.side for one in scene.fighters}
        things = [piece.id for piece in scene.terrain]
        things += [duct.id for duct in scene.ductways] + [item.id for item in scene.items]
        self._shown = {name: thing_name(name) for name in things}
        self._shown |= {one.id: fighter_name(one.id) for one in scene.fighters}
        plain = [re.escape(name) for name in self._shown if name not in _sentence_words()]
        longest_first = sorted(plain, key=len, reverse=True)
        self._found = re.compile(rf"(?<![\w'-])(?:{'|'.join(longest_first)})(?![\w'-])") if plain else None
        self._typed = {fighter_name(one.id).lower(): one.id for one in scene.fighters}

    def of(self, name: str) -> str:
        """What an id is called; what is not known is told as it is."""
        return self._shown.get(name, name)

    def within(self, text: str) -> str:
        """A sentence that names ids, with their names; an id that is a word of ordinary sentences is left as it is."""
        return text if self._found is None else self._found.sub(lambda found: self._shown[found[0]], text)

    def meant(self, word: str) -> str:
        """The id of the fighter whose name was typed; any other word as it is."""
        return self._typed.get(word.lower(), word) if word not in self._shown else word


def fighter_name(name: str) -> str:
    """What a fighter with that id is called."""
    words = name.replace("-", " ").replace("_", " ").split()
    return " ".join(word[:1].upper() + word[1:] for word in words)


def thing_name(name: str) -> str:
    """What a thing or a piece with that id is called: those that have a number or a surname need no article."""
    words = name.replace("-", " ").replace("_", " ")
    return words if " " in words or any(c.isdigit() for c in words) else say("lines", "thing", name=words)


def capital(line: str) -> str:
    """A line that begins like a sentence, behind the number that it may have."""
    start = line.index("] ") + 2 if line.startswith("[") and "] " in line else 0
    return line[:start] + line[start : start + 1].upper() + line[start + 1 :]


@cache
def _sentence_words() -> frozenset[str]:
    """All words that the sentences of games and moves are made of; not their examples of orders."""
    found: set[str] = set()
    own = {group: rows for group, rows in sentences_of("sandbox.play").items() if group != "forms"}
    tables: list[object] = [own, sentences_of("sandbox.moves")]
    while tables:
        held = tables.pop()
        if isinstance(held, dict):
            tables += held.values()
        else:
            found |= set(_WORD.findall(re.sub(r"\{[^}]*\}", " ", str(held)).lower()))
    return frozenset(found)
