"""The referee's desk: a line in, lines out. Orders, questions, the log, files, dice; no terminal in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sandbox.errors import UserError
from sandbox.moves.answers import Ruling
from sandbox.moves.fails import status_words
from sandbox.moves.narrate import tell
from sandbox.moves.odds_tree import Throw
from sandbox.moves.odds_words import tell_odds
from sandbox.moves.words import length
from sandbox.play.dice import Dice, Scripted, Seeded, Typed, possible, span
from sandbox.play.events import Event, asked_words
from sandbox.play.game import Game
from sandbox.play.state import State
from sandbox.play.step import refused
from sandbox.play.table import Table
from sandbox.play.text import FORMS, parse, place_of, sentence, told
from sandbox.play.words import say
from sandbox.rules import ActionRules

Ask = Callable[[str], str]
"""asks a person something and gives the answer; EOFError where nobody is there."""

ASIDE: tuple[tuple[str, str], ...] = (
    ("who", "who"),
    ("may WHO", "may"),
    ("reach WHO ACTION [TARGET]", "reach"),
    ("why WHO ACTION [TARGET] X,Y[,Z]", "why"),
    ("open", "open"),
    ("undo | redo", "undo"),
    ("log [N]", "log"),
    ("dice roll | type | N N ...", "dice"),
    ("practice on|off", "practice"),
    ("rules on|off", "rules"),
    ("sources on|off", "sources"),
    ("save FILE", "save"),
    ("picture FILE.png [WHO ACTION [X,Y]]", "picture"),
    ("help | quit", "help"),
)
"""what can be typed beside orders, and the sentence in `forms` that says what it does."""
_LOG = 20


@dataclass
class Desk:
    """One game on one desk."""

    game: Game
    dice: Dice
    ask: Ask
    rules: bool = False
    """every line names all rules that it rests on."""
    sources: bool = False
    quitting: bool = False

    def __post_init__(self) -> None:
        """What is rolled is known, whatever is typed in."""
        self._rolled = self.dice
        self._given: Scripted | None = None
        self.events: list[Event] = []
        """what the last line made happen; empty for questions and mistakes."""

    @property
    def typing(self) -> bool:
        """Whether dice are typed in."""
        return isinstance(self.dice, Typed)

    def say(self, line: str) -> list[str]:
        """What a line leads to, in lines. Mistakes are told like anything else."""
        self.events = []
        words = line.split()
        if not words or words[0].startswith("#"):
            return []
        try:
            aside = getattr(self, f"_{words[0]}", None) if words[0] in _ASIDE else None
            if aside is not None:
                answer: list[str] = aside(words[1:])
                return answer
            return self._ordered(line)
        except UserError as error:
            return [say("lines", "mistake", text=error)]

    def _ordered(self, line: str) -> list[str]:
        order = parse(self.game.table, self.game.state, line)
        dice: Dice = self.dice
        if self._given is not None and self._given.left:
            dice = _GivenFirst(self._given, self.dice)
        events = self.events = self.game.order(order, dice)
        return self._happened(events, "refused" if refused(events) else "happened")

    def _happened(self, events: Sequence[Event], name: str = "happened") -> list[str]:
        """Events as lines; name: of the sentence that marks them."""
        lines: list[str] = []
        for one in events:
            line = told(one, self.game.table.names, rules=self.rules, sources=self.sources)
            lines += [""] if one["what"] == "turn" else []  # turns are set apart
            lines.append(say("lines", name, line=line))
        return lines

    # -- questions ---------------------------------------------------------------------------------------------

    def _who(self, words: Sequence[str]) -> list[str]:
        state = self.game.state
        lines = []
        choices = self.game.table.choices(state)
        for fighter in self.game.table.scene.fighters:
            model = state["models"][fighter.id]
            if model["out"]:
                lines.append(_line("desk", "who-out", name=fighter.id))
                continue
            found = self.game.table.field(state, fighter.id).status(fighter.id)
            at = ",".join(f"{v:.2f}" for v in model["at"])
            more = [say("desk", "engaged", name=e.enemy) for e in found.engaged]
            chosen = dict.fromkeys((*(e.enemy for e in found.choices), *choices.get(fighter.id, ())))
            more += [say("desk", "may-engage", name=name) for name in chosen]
            more += [say("desk", "holds", item=name) for name in model["holds"]]
            lost = model["wounds_lost"]
            more += [say("hand", "lost" if lost > 1 else "lost-one", count=lost)] if lost else []
            more += [say("desk", "activated")] if fighter.id in state["activated"] else []
            side = fighter.side or say("desk", "no-side")
            line = say("desk", "who", name=fighter.id, side=side, words=found.words, place=at)
            for one in more:
                line = say("desk", "and", first=line, next=one)
            lines.append(say("lines", "happened", line=line))
        active = state["active"]
        left = self.game.table.pack.movement.actions_per_activation - state["spent"]
        name = "turn-active" if active else "turn"
        return [say("desk", name, turn=state["turn"], name=active, left=left), *lines]

    def _may(self, words: Sequence[str]) -> list[str]:
        who = self._fighter(words)
        found = self.game.table.field(self.game.state, who).status(who)
        actions = ", ".join(found.may)
        lines = [_line("desk", "may" if actions else "may-nothing", name=who, actions=actions)]
        return lines + [_why_not(ruling) for ruling in found.may_not]

    def _reach(self, words: Sequence[str]) -> list[str]:
        self._measured("reach")
        who = self._fighter(words)
        action, target = (words[1] if len(words) > 1 else "move"), (words[2] if len(words) > 2 else None)
        moves = self.game.table.field(self.game.state, who).moves(who, action, target)
        if moves.rulings:
            return [_why_not(ruling) for ruling in moves.rulings]
        spots = moves.spots
        most = length(moves.allowance)
        lines = [_line("desk", "reach", name=who, action=action, allowance=most, count=len(spots))]
        for z in sorted({round(float(v) * 2) / 2 for v in spots["z"]}):
            here = spots[abs(spots["z"] - z) <= 0.25]
            sure = here[here["success"] >= 1.0]
            tests = len(here) - len(sure)
            filled = {"height": f"{z:g} in", "count": len(here), "cost": length(float(here["cost"].min()))}
            lines.append(_line("desk", "floor-checks" if tests else "floor", tests=tests, **filled))
        return lines

    def _why(self, words: Sequence[str]) -> list[str]:
        self._measured("why")
        who = self._fighter(words)
        at = next((place_of(word) for word in words[2:] if place_of(word) is not None), None)
        if len(words) < 3 or at is None:
            raise UserError("write: why WHO ACTION X,Y")
        target = next((word for word in words[2:] if place_of(word) is None), None)
        field = self.game.table.field(self.game.state, who)
        move = field.moves(who, words[1], target).to(*at)
        lines = [f"  {sentence}" for sentence in tell(move)]
        if move.legal and move.checks:
            lines += [f"  {sentence}" for sentence in tell_odds(field.odds(move))]
        return lines

    def _measured(self, what: str) -> None:
        if self.game.state["declare"]:
            raise UserError(
                f"{what} measures, and actions are declared before anything is measured; `practice on` for trying out"
            )

    def _fighter(self, words: Sequence[str]) -> str:
        if not words:
            raise UserError("which fighter?")
        return self.game.table.fighter(words[0]).id

    def _open(self, words: Sequence[str]) -> list[str]:
        waiting = self.game.state["open"]
        if not waiting:
            return [_line("desk", "open-none")]
        lines = []
        for one in waiting:
            line = sentence(one["what"], one["who"], one["text"], self.game.table.names)
            line = say("lines", "numbered", number=one["id"], line=line)
            lines.append(_line("lines", "ruled", line=line, rules=one["rule"]))
        return lines

    # -- history and files -------------------------------------------------------------------------------------

    def _undo(self, words: Sequence[str]) -> list[str]:
        self.events = self.game.undo()
        return self._happened(self.events)

    def _redo(self, words: Sequence[str]) -> list[str]:
        self.events = self.game.redo()
        return self._happened(self.events)

    def _log(self, words: Sequence[str]) -> list[str]:
        count = int(words[0]) if words and words[0].isdigit() else _LOG
        return self._happened(self.game.log[-count:])

    def _save(self, words: Sequence[str]) -> list[str]:
        if len(words) != 1:
            raise UserError("write: save FILE")
        self.game.save(Path(words[0]))
        return [_line("desk", "kept", file=words[0])]

    def _picture(self, words: Sequence[str]) -> list[str]:
        if not words or not words[0].endswith(".png"):
            raise UserError("write: picture FILE.png")
        from sandbox.view import picture  # noqa: PLC0415 - graphics are slow to import

        who = self._fighter(words[1:]) if len(words) > 1 else None
        field = self.game.table.field(self.game.state, who)
        if who is None:
            picture(field, words[0])
            return [_line("desk", "drawn", file=words[0])]
        self._measured("a picture of a reach")
        moves = field.moves(who, words[2] if len(words) > 2 else "move")
        at = place_of(words[3]) if len(words) > 3 else None
        picture(field, words[0], fighter=who, moves=moves, move=None if at is None else moves.to(*at))
        return [_line("desk", "drawn", file=words[0])]

    # -- switches ----------------------------------------------------------------------------------------------

    def _dice(self, words: Sequence[str]) -> list[str]:
        if words == ["roll"]:
            self.dice = self._rolled
            return [_line("desk", "dice-rolled")]
        if words == ["type"]:
            self.dice = Typed(self._type)
            return [_line("desk", "dice-typed")]
        if words and all(word.lstrip("-").isdigit() for word in words):
            self._given = Scripted([int(word) for word in words])
            return [_line("desk", "dice-given", dice=", ".join(words))]
        raise UserError("write: dice roll, dice type, or the next results: dice 4 2")

    def _type(self, throw: Throw, faces: Sequence[int]) -> int:
        """Ask until it can be; an empty answer rolls."""
        question = say(
            "desk",
            "ask",
            who=self.game.table.names.of(throw.who),
            dice=throw.dice,
            asked=asked_words(throw),
            span=span(faces),
        )
        while True:
            answer = self.ask(question).strip()
            if not answer:
                return self._rolled.roll(throw, faces)
            try:
                return possible(throw, int(answer), faces)
            except (ValueError, UserError):
                continue

    def _practice(self, words: Sequence[str]) -> list[str]:
        return self._ordered(f"declare {'off' if words == ['on'] else 'on'}")

    def _rules(self, words: Sequence[str]) -> list[str]:
        self.rules = words != ["off"]
        return [_line("desk", "rules-on" if self.rules else "rules-off")]

    def _sources(self, words: Sequence[str]) -> list[str]:
        self.sources = words != ["off"]
        return [_line("desk", "sources-on" if self.sources else "sources-off")]

    def _help(self, words: Sequence[str]) -> list[str]:
        width = max(len(form) for form, _ in (*FORMS, *ASIDE))
        return [f"  {form:<{width}}  {say('forms', what)}".rstrip() for form, what in (*FORMS, *ASIDE)]

    def _quit(self, words: Sequence[str]) -> list[str]:
        self.quitting = True
        return []


_ASIDE = (
    "who", "may", "reach", "why", "open", "undo", "redo", "log", "dice", "practice", "rules", "sources", "save", "picture", "help",
    "quit",
)  # fmt: skip


class _GivenFirst:
    """Results that were given beforehand, then other dice."""

    def __init__(self, given: Scripted, rest: Dice) -> None:
        self.given, self.rest = given, rest

    def roll(self, throw: Throw, faces: Sequence[int]) -> int:
        """See `Dice.roll`."""
        return (self.given if self.given.left else self.rest).roll(throw, faces)


def _line(group: str, name: str, /, **filled: object) -> str:
    """A sentence of the desk's own as a line."""
    return say("lines", "happened", line=say(group, name, **filled))


def _why_not(ruling: Ruling) -> str:
    return say("lines", "refused", line=say("lines", "ruled", line=ruling.text, rules=ruling.rule))


def desk(game: Game, *, seed: int | None = None, ask: Ask | None = None) -> Desk:
    """A desk for a game. seed: of the dice that are rolled; ask: where typed dice come from."""

    def nobody(_: str) -> str:
        raise EOFError

    return Desk(game, Seeded(seed), ask or nobody)


def completions(the: Desk, before: str) -> list[tuple[str, str]]:
    """Words that may come next after what is typed, each with what it means or why it is not allowed."""
    return completions_of(the.game.table, the.game.state, before, _ASIDE)


def completions_of(
    table: Table, state: State, before: str, asides: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """The same for orders at a table; asides: words that are no orders."""
    words = before.split()
    if before[-1:].isspace() or not words:
        words.append("")
    start, typed = words[:-1], words[-1]
    if not start:
        live = [(f.id, f.side) for f in table.scene.fighters if not state["models"][f.id]["out"]]
        found = [
            *live,
            *(
                ("activate", "begin an activation"),
                ("end", "end it"),
                ("turn", "end the turn"),
                ("resolve", "an open event"),
            ),
        ]
        found += [(name, "") for name in (*asides, "remove", "restore", "shift", "agree", "declare", "note")]
    elif start[0] in state["models"] and start[1:] == ["is"]:
        found = [(name.removeprefix("prone-"), status_words(name)) for name in table.pack.file.statuses]
    elif start[0] in state["models"] or (start[0] in ("reach", "why", "picture") and len(start) > 1):
        who = start[0] if start[0] in state["models"] else start[-1]
        own = len(start) <= 2 and who in state["models"] and who == start[-1]
        found = _actions(table, state, who) if own else _targets(table, state)
    elif start[0] in ("activate", "may", "reach", "why"):
        found = [(name, "") for name in state["models"]]
    elif start[0] == "resolve":
        found = [(str(one["id"]), one["text"]) for one in state["open"]]
        found += [] if len(start) == 1 else [("out", ""), ("wounds", "")]
    elif start[0] in ("remove", "restore", "shift"):
        found = [(p.id, p.kind.value) for p in table.scene.terrain]
    else:
        found = []
    return [(word, meta) for word, meta in found if word.startswith(typed)]


def _actions(table: Table, state: State, who: str) -> list[tuple[str, str]]:
    field = table.field(state, who)
    if state["models"][who]["out"]:
        return []
    found = []
    for name, row in field.fighter(who).rules.actions.items():
        if isinstance(row, ActionRules):
            length = f", {row.allowance:g} in" if row.moves else ""
            found.append((name, f"{row.row.cost.value}{length}"))
        else:
            found.append((name, say("desk", "not-now", why=row.text)))
    return [
        *found,
        ("is", "gets a status"),
        ("faces", ""),
        ("pushed", ""),
        ("placed", ""),
        ("takes", ""),
        ("out", ""),
        *([("drives", "a vehicle")] if table.is_vehicle(who) else []),
    ]


def _targets(table: Table, state: State) -> list[tuple[str, str]]:
    names = [(name, "") for name in (*state["models"], *state["items"])]
    return [
        *names,
        *((d.id, "ductway") for d in table.scene.ductways),
        ("facing", "degrees"),
        ("by", ""),
    ]
