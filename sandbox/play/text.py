"""Orders and events as lines of text: what people type, and what they read in the log.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from sandbox.errors import UserError
from sandbox.files.mistakes import suggestion
from sandbox.moves.words import source_words
from sandbox.play.events import Event
from sandbox.play.naming import Names, capital
from sandbox.play.orders import Do, Order
from sandbox.play.state import State
from sandbox.play.table import Table
from sandbox.play.words import say

FORMS: tuple[tuple[str, str], ...] = (
    ("WHO ACTION [TARGET] [X,Y[,Z]] [facing D] [afoot]", "act"),
    ("WHO is STATUS [by RULE]", "is"),
    ("WHO recovers", "recovers"),
    ("WHO faces D", "faces"),
    ("WHO takes THING | WHO drops THING", "things"),
    ("WHO|THING pushed HOW by WHOM [strength N] [inches N] [impaling A,B,WHO]", "pushed"),
    ("WHO moved N towards|away WHOM", "moved"),
    ("WHO drives X,Y [X,Y ...] [inches N]", "drives"),
    ("WHO shoved N towards D", "shoved"),
    ("WHO consolidates N to X,Y[,Z] [through DUCT]", "consolidates"),
    ("WHO placed X,Y[,Z] [facing D]", "placed"),
    ("WHO out", "out"),
    ("activate WHO | end | turn [SIDE]", "turns"),
    ("resolve N [out | wounds N | STATUS | words]", "resolve"),
    ("remove PIECE | restore PIECE | shift PIECE X,Y[,Z] [facing D]", "terrain"),
    ("agree flimsy|transport|cutter [SIDE] NAME ...", "agree"),
    ("declare on|off", "declare"),
    ("note WORDS", "note"),
)
"""what can be typed, and the sentence in `forms` that says what it does."""


class _Words:
    """The words of a line, taken one after the other."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)

    def next(self, what: str) -> str:
        if not self.words:
            raise UserError(f"{what} is missing; `help` shows how orders are written")
        return self.words.pop(0)

    def number(self, what: str) -> float:
        word = self.next(what)
        try:
            found = float(word)
        except ValueError:
            raise UserError(f"{what} should be a number, not {word!r}") from None
        if not abs(found) < 1e4:
            raise UserError(f"{what}: {word} cannot be")
        return found

    def after(self, key: str, what: str) -> str | None:
        """What follows a key word, taken out with it; None where the word is not there."""
        if key not in self.words:
            return None
        at = self.words.index(key)
        if at + 1 >= len(self.words):
            raise UserError(f"{what} is missing after {key}")
        found = self.words[at + 1]
        del self.words[at : at + 2]
        return found

    def number_after(self, key: str) -> float | None:
        word = self.after(key, "a number")
        return None if word is None else _Words([word]).number(key)

    def done(self) -> None:
        if self.words:
            raise UserError(f"{self.words[0]!r} is too much; `help` shows how orders are written")


def place_of(word: str) -> list[float] | None:
    """The place that a word names, x,y or x,y,z; None where it is no place."""
    parts = word.split(",")
    if len(parts) not in (2, 3):
        return None
    try:
        found = [float(part) for part in parts]
    except ValueError:
        return None
    return found if all(abs(v) < 1e4 for v in found) else None


def parse(table: Table, state: State, line: str) -> Order:
    """The order that a line of text gives. UserError that says what is wrong with it."""
    try:
        words = _Words(shlex.split(line))
    except ValueError as error:
        raise UserError(f"{str(error).lower()} in the line") from None
    first = table.names.meant(words.next("an order"))
    if first != Do.NOTE.value:
        verbs = 1 if first in state["models"] else 0  # a verb is no name, whatever it looks like
        named = [table.names.meant(word) for word in words.words[verbs:]]
        words.words = [*words.words[:verbs], *named]
    if first in state["models"] or (first in state["items"] and words.words[:1] == ["pushed"]):
        return _of_model(table, state, first, words)
    try:
        verb = Do(first)
    except ValueError:
        known = [
            *state["models"],
            "activate",
            "end",
            "turn",
            "resolve",
            "remove",
            "restore",
            "shift",
            "agree",
            "declare",
        ]
        raise UserError(f"{first!r} is neither a fighter nor an order; {suggestion(first, known)}") from None
    order: Order = {"do": verb.value}
    match verb:
        case Do.ACTIVATE:
            order["who"] = _known(words.next("the fighter"), state["models"], "fighter")
        case Do.END:
            pass
        case Do.TURN:
            if words.words:
                sides = sorted({f.side for f in table.scene.fighters})
                order["side"] = _known(words.next("the side"), sides, "side")
        case Do.RESOLVE:
            order["event"] = int(words.number("the number of the event"))
            _resolved(table, words, order)
        case Do.REMOVE | Do.RESTORE | Do.SHIFT:
            order["piece"] = _known(words.next("the piece"), [p.id for p in table.scene.terrain], "piece")
            if verb is Do.SHIFT:
                order["to"] = _place(words.next("where to"))
                _facing(words, order)
        case Do.AGREE:
            order["word"] = words.next("what is agreed")
            if words.words[:1] and words.words[0] in {f.side for f in table.scene.fighters}:
                order["side"] = words.words.pop(0)
            order["names"], words.words = words.words, []
        case Do.DECLARE:
            order["on"] = _known(words.next("on or off"), ("on", "off"), "switch") == "on"
        case Do.NOTE:
            order["text"], words.words = " ".join(words.words), []
        case _:
            raise UserError(f"begin with the fighter: WHO {first} ...; `help` shows how orders are written")
    words.done()
    return order


def _of_model(table: Table, state: State, who: str, words: _Words) -> Order:
    verb = words.next(f"what {who} does")
    order: Order = {"do": Do.ACT.value, "who": who}
    match verb:
        case "is":
            order["do"], order["status"] = Do.STATUS.value, words.next("the status")
            rule = words.after("by", "a rule")
            if rule is not None:
                order["rule"] = rule
        case "recovers":
            order["do"] = Do.RECOVER.value
        case "faces":
            order["do"], order["facing"] = Do.FACE.value, words.number("degrees")
        case "takes" | "drops":
            order["do"] = Do.TAKE.value if verb == "takes" else Do.DROP.value
            order["item"] = _known(words.next("the thing"), state["items"], "thing")
        case "placed":
            order["do"], order["to"] = Do.PLACE.value, _place(words.next("where"))
            _facing(words, order)
        case "out":
            order["do"] = Do.OUT.value
        case "moved":
            order["do"], order["inches"] = Do.DIRECTLY.value, words.number("inches")
            order["on"] = _known(words.next("towards or away"), ("towards", "away"), "direction") == "towards"
            order["by"] = _known(words.next("from whom"), state["models"], "fighter")
        case "pushed":
            _pushed(state, words, order)
        case "drives":
            order["do"] = Do.DRIVE.value
            inches = words.number_after("inches")
            if inches is not None:
                order["inches"] = inches
            order["path"], words.words = [_place(word) for word in words.words], []
        case "shoved":
            order["do"], order["inches"] = Do.SHOVE.value, words.number("inches")
            order["facing"] = words.number_after("towards") or 0.0
        case "consolidates":
            order["do"], order["inches"] = Do.CONSOLIDATE.value, words.number("inches")
            duct = words.after("through", "a ductway")
            if duct is not None:
                order["target"] = duct
            words.words = [word for word in words.words if word != "to"]
            order["to"] = _place(words.next("where to"))
        case _:
            _action(table, who, verb, words, order)
    words.done()
    return order


def _action(table: Table, who: str, verb: str, words: _Words, order: Order) -> None:
    fighter = table.fighter(who)
    known = [*table.pack.file.actions, *fighter.skills]
    order["action"] = _known(verb, known, "action")
    _facing(words, order)
    if words.words[:1] == ["at"]:
        words.words.pop(0)
    while words.words:
        word = words.next("")
        at = place_of(word)
        if word == "to":
            continue
        if word == "afoot":
            order["on"] = False
            continue
        if at is not None and "to" not in order:
            order["to"] = at
        elif at is None and "target" not in order:
            order["target"] = word
        else:
            raise UserError(f"{word!r} is too much; `help` shows how orders are written")


def _pushed(state: State, words: _Words, order: Order) -> None:
    order["do"] = Do.PUSH.value
    order["how"] = words.next("how it is pushed")
    by = words.after("by", "a model")
    if by is None:
        raise UserError("say who pushes: pushed knockback by WHOM")
    order["by"] = _known(by, state["models"], "fighter")
    impaled = words.after("impaling", "those that were hit, A,B,C")
    if impaled is not None:
        order["names"] = impaled.split(",")
    strength, inches = words.number_after("strength"), words.number_after("inches")
    if strength is not None:
        order["strength"] = int(strength)
    if inches is not None:
        order["inches"] = inches


def _resolved(table: Table, words: _Words, order: Order) -> None:
    if words.words == ["out"]:
        order["out"], words.words = True, []
        return
    wounds = words.number_after("wounds")
    if wounds is not None:
        order["wounds"] = int(wounds)
    if words.words == ["out"]:
        order["out"], words.words = True, []
        return
    if len(words.words) == 1:
        try:
            order["status"] = table.pack.status_ids(words.words[0])[0]
            words.words = []
        except UserError:
            pass
    if words.words:
        order["text"], words.words = " ".join(words.words), []


def _facing(words: _Words, order: Order) -> None:
    facing = words.number_after("facing")
    if facing is not None:
        order["facing"] = facing


def _place(word: str) -> list[float]:
    found = place_of(word)
    if found is None:
        raise UserError(f"{word!r} should be a place in inches, X,Y or X,Y,Z")
    return found


def _known(word: str, known: Iterable[str], what: str) -> str:
    names = list(known)
    if word not in names:
        raise UserError(f"no {what} {word!r}; {suggestion(word, names)}")
    return word


# -- events ----------------------------------------------------------------------------------------------------


_SAYS = frozenset({"refused", "tries", "warning", "late", "note", "dice", "undone", "redone"})
"""events whose text does not go on from the model's name."""
_ALONE = frozenset({"resolved"})
"""events whose text names whom it is about."""
_PLAIN = frozenset(
    {
        "activates", "ended", "acts", "turn", "resolved", "agreed", "placed", "faces", "takes", "drops",
        "set-down", "door", "removed", "restored", "shifted", "note", "declare", "engaged", "players", "out",
    }
)  # fmt: skip
"""events that need no rule beside them to be believed."""


_ELSEWHERE = {
    "fall": "there", "moved": "there", "shoved": "there", "falls-off": "there", "stops": "there-at", "set-down": "there-at",
}  # fmt: skip
"""events after which people at a table have to put something where it is now, and the sentence that says where."""


def place_words(at: Sequence[float]) -> str:
    """A place as it is typed, to a hundredth of an inch."""
    return ",".join(f"{round(v, 2) + 0.0:g}" for v in at)


def told(one: Event, names: Names | None = None, *, rules: bool = True, sources: bool = False) -> str:
    """An event as one line.

    names: what everybody is called; None: by their ids. rules: with all rules that it rests on; otherwise only what was
    decided names one. sources: and where the first of them comes from.
    """
    line = sentence(one["what"], one.get("who", ""), one["text"], names)
    if one["what"] == "turn":
        line = say("lines", "turn", line=line)
    if one["what"] in _ELSEWHERE and "at" in one:
        line = say("lines", _ELSEWHERE[one["what"]], line=line, place=place_words(one["at"]))
    if "open" in one:
        line = say("lines", "numbered", number=one["open"], line=line)
    cites = [one["rule"], *one.get("rules", ())] if rules else [one["rule"]]
    cites = list(dict.fromkeys(rule for rule in cites if rule != "players"))
    if not cites or (not rules and one["what"] in _PLAIN):
        return line
    if sources and one.get("source"):
        source = source_words(one["source"])
        return say("lines", "ruled-sources", line=line, rules=", ".join(cites), source=source)
    return say("lines", "ruled", line=line, rules=", ".join(cites))


def sentence(what: str, who: str, text: str, names: Names | None = None) -> str:
    """What happened to whom as one sentence; `what` says how its text goes on from the name."""
    # what the players are told may go on from the name, or be a sentence of a rule
    says = what in _SAYS or (what == "players" and text[:1].isupper())
    alone = not who or what in _ALONE
    name = "nobody" if alone else "says" if says else "of-side" if what == "activates" else "does"
    if names is None:
        return say("lines", "does" if name == "of-side" else name, who=who, text=text)
    side = names.sides.get(who, "")
    name = "does" if name == "of-side" and not side else name
    return capital(say("lines", name, who=names.of(who), text=names.within(text), side=side))


def cited_rules(events: Iterable[Event]) -> frozenset[str]:
    """All rules that some events rest on."""
    return frozenset(rule for one in events for rule in (one["rule"], *one.get("rules", ())))
