"""A lesson worked out: every sentence filled in, every question answered by the engine, every attempt solvable.

Whatever does not hold under a pack is a mistake in the lesson, told with its line; so a lesson cannot be wrong.
"""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from sandbox.errors import UserError
from sandbox.files.sentences import translated
from sandbox.moves.answers import LegalMoves, Move, Point
from sandbox.moves.battlefield import Battlefield
from sandbox.moves.odds_tree import Event
from sandbox.rules import Pack, load_pack
from sandbox.rules.values import value_text
from sandbox.teach.driving import DriveFact, board_of
from sandbox.teach.explaining import Part, explain_move
from sandbox.teach.facts import (
    Fact,
    FallFact,
    MoveFact,
    ReachFact,
    StandFact,
    TreeFact,
)
from sandbox.teach.glossary import Glossary
from sandbox.teach.known import Facts
from sandbox.teach.load import Lesson
from sandbox.teach.model import (
    LETTERS,
    Attempt,
    Choice,
    Course,
    Kind,
    Look,
    Marked,
    Question,
    Row,
    Shown,
    Verdict,
    View,
)
from sandbox.teach.schema import LookEntry, StepEntry
from sandbox.teach.values import Chance, Inches, filled, holds
from sandbox.teach.words import say, sentence_of
from sandbox.terrain.build import build_terrain

T = TypeVar("T")


def fields_of(lesson: Lesson, packs: Sequence[str]) -> dict[str, Battlefield]:
    """The lesson's battlefield under each pack; terrain and collision world are shared."""
    found: dict[str, Battlefield] = {}
    terrain = build_terrain(lesson.scene)
    for name in packs:
        pack = _pack(lesson, name)
        first = next(iter(found.values()), None)
        found[name] = (
            Battlefield(lesson.scene, pack, terrain, strict=False) if first is None else first.under(pack)
        )
    return found


def _pack(lesson: Lesson, name: str) -> Pack:
    try:
        return load_pack(name, relative_to=lesson.document.path.parent)
    except UserError as error:
        if error.file is not None or name not in lesson.packs:
            raise
        raise lesson.mistake(error.message, "packs", lesson.packs.index(name)) from None


def work_out(lesson: Lesson, pack: str | None = None) -> Course:
    """The lesson under a pack (None: its first). UserError with its line for whatever does not hold there."""
    name = lesson.packs[0] if pack is None else pack
    needed = [name, *lesson.packs] if any(step.compare for step in lesson.steps) else [name]
    return course(lesson, name, fields_of(lesson, list(dict.fromkeys(needed))))


def courses(lesson: Lesson) -> Iterator[Course]:
    """The lesson under each pack that it names."""
    fields = fields_of(lesson, lesson.packs)
    for name in lesson.packs:
        yield course(lesson, name, fields)


def course(lesson: Lesson, pack: str, fields: Mapping[str, Battlefield]) -> Course:
    """The lesson under one of the packs that there is a battlefield for."""
    field = fields[pack]
    facts = {name: _facts(lesson, one) for name, one in fields.items()}
    worker = _Worker(lesson, field, facts, pack)
    steps = tuple(worker.steps())
    title, about = translated(lesson.form.title), translated(lesson.form.about)
    return Course(lesson.id, title, about, field.pack.id, field.pack.name, field, steps)


def _facts(lesson: Lesson, field: Battlefield) -> Facts:
    def mistake(name: str, message: str) -> UserError:
        return lesson.mistake(f"under {field.pack.id}: {message}", "facts", name)

    return Facts(field, lesson.facts, mistake)


class _Worker:
    """One lesson under one pack."""

    def __init__(self, lesson: Lesson, field: Battlefield, facts: Mapping[str, Facts], pack: str) -> None:
        self.lesson = lesson
        self.field = field
        self.by_pack = facts
        self.facts = facts[pack]
        self.glossary = Glossary((self.facts, *(one for name, one in facts.items() if name != pack)))
        self.at: tuple[str | int, ...] = ()
        self.board = board_of(field)
        """what pictures show that are of no fact."""

    def steps(self) -> Iterator[Shown]:
        """All steps that belong under this pack, numbered."""
        number = 0
        for index, step in enumerate(self.lesson.steps):
            self.at = ("steps", index)
            if step.when is not None and not self._holds(step.when, "when"):
                continue
            number += 1
            yield self._explained(self._step(number, step), step.explains)

    def _explained(self, shown: Shown, explains: Sequence[str]) -> Shown:
        """A step with what its words mean that occur for the first time; explains: those that it explains itself."""
        texts = [*shown.text, *shown.told, *(f"{row.name} {row.rules} {row.text}" for row in shown.rows)]
        if shown.number == 1:
            texts.append(self.field.pack.name)
        if shown.played is not None:
            told = (part for part in shown.played.steps if part.part is not Part.START)
            texts += [line for part in told for line in (*part.text, *part.measures)]
        question, attempt = shown.question, shown.attempt
        if question is not None:
            texts += [question.text, *(choice.text for choice in question.choices)]
        if attempt is not None:
            texts += [attempt.text, *(verdict.text for verdict in attempt.verdicts)]
        shown = replace(shown, words=self.glossary.explain(texts, explains))
        if question is not None:
            more = self.glossary.explain(question.because)
            return replace(shown, question=replace(question, words=more))
        if attempt is not None:
            more = self.glossary.explain(attempt.because)
            return replace(shown, attempt=replace(attempt, words=more))
        return shown

    def _step(self, number: int, step: StepEntry) -> Shown:
        for at, claim in enumerate(step.sure):
            if not self._holds(claim, "sure", at):
                raise self._mistake(f"this does not hold: {claim}", "sure", at)
        text = () if step.say is None else (self._filled(step.say, "say"),)
        told = tuple(line for name in step.tell for line in self._fact(name, "tell").lines)
        view = self._view(step, step.show, "show")
        then = self._view(step, step.then, "then") if step.then else None
        if step.play is not None:
            return self._play(number, step, text, told)
        if step.ask is not None:
            question = self._question(step)
            return Shown(number, Kind.ASK, text, told, view, then, question=question)
        if step.attempt is not None:
            attempt = self._attempt(step)
            marks = tuple(Marked(LETTERS[i], at) for i, at in enumerate(attempt.places))
            view = View(self.board, attempt.fighter, marked=marks, look=self._look(step))
            after = then or View(self.board, attempt.fighter, move=attempt.best.move, look=self._look(step))
            return Shown(number, Kind.TRY, text, told, view, after, attempt=attempt)
        if step.compare is not None:
            rows = tuple(self._rows(step))
            return Shown(number, Kind.COMPARE, text, told, None if rows[0].view else view, rows=rows)
        return Shown(number, Kind.SAY, text, told, view)

    # -- words -------------------------------------------------------------------------------------------------

    def _mistake(self, message: str, *loc: str | int) -> UserError:
        return self.lesson.mistake(f"under {self.field.pack.id}: {message}", *self.at, *loc)

    def _asked(self, work: Callable[[], T], *loc: str | int) -> T:
        """What `work` comes to; what is wrong with it is a mistake at a line of the lesson."""
        try:
            return work()
        except (ValueError, UserError) as error:
            if isinstance(error, UserError) and error.file == str(self.lesson.document.path):
                raise
            message = error.message if isinstance(error, UserError) else str(error)
            raise self._mistake(message, *loc) from None

    def _holds(self, text: str, *loc: str | int) -> bool:
        return self._asked(lambda: holds(text, self.facts), *loc)

    def _filled(self, text: str, *loc: str | int) -> str:
        return self._asked(lambda: filled(translated(text), self.facts), *loc)

    def _fact(self, name: str, *loc: str | int) -> Fact:
        return self._asked(lambda: self.facts.fact(name), *loc)

    # -- pictures ----------------------------------------------------------------------------------------------

    def _look(self, step: StepEntry) -> str | Look | None:
        look = step.look
        if isinstance(look, LookEntry):
            at = look.at
            return Look((at[0], at[1], at[2] if len(at) > 2 else 0.0), look.side, look.above, look.wide)
        return look

    def _view(self, step: StepEntry, names: Sequence[str], key: str) -> View | None:
        shown = [self._fact(name, key, at) for at, name in enumerate(names)]
        marks = [self._fact(name, "mark", at) for at, name in enumerate(step.mark)] if key == "show" else []
        if not (shown or marks or (key == "show" and (step.look is not None or step.ask is not None))):
            return None
        return view_of(self.board, shown, marks, self._look(step))

    def _play(self, number: int, step: StepEntry, text: tuple[str, ...], told: tuple[str, ...]) -> Shown:
        assert step.play is not None
        fact = self._fact(step.play, "play")
        if isinstance(fact, DriveFact):
            return self._drive(number, step, fact, text, told)
        if not isinstance(fact, MoveFact):
            raise self._mistake(f"{step.play} is no move, so it cannot be played", "play")
        if not fact.move.legal:
            raise self._mistake(f"{step.play} cannot be played, {fact.told}", "play")
        view = View(fact.field, fact.move.fighter, move=fact.move, look=self._look(step))
        return Shown(number, Kind.PLAY, text, told, view, played=explain_move(fact.field, fact.move))

    def _drive(
        self, number: int, step: StepEntry, fact: DriveFact, text: tuple[str, ...], told: tuple[str, ...]
    ) -> Shown:
        if not fact.get("legal"):
            raise self._mistake(f"{step.play} cannot be played, {fact.told}", "play")
        look = self._look(step)
        before = View(self.board, look=look) if fact.move is None else driven(fact, look)
        after = View(fact.ends, look=look) if fact.leaves_marks else None
        return Shown(number, Kind.PLAY, text, (*told, *fact.lines), before, after)

    # -- questions ---------------------------------------------------------------------------------------------

    def _question(self, step: StepEntry) -> Question:
        assert step.ask is not None
        because = () if step.because is None else (self._filled(step.because, "because"),)
        asked = self._filled(step.ask, "ask")
        if step.yes is not None:
            right = self._holds(step.yes, "yes")
            choices = [Choice(say("choices", "yes"), right), Choice(say("choices", "no"), not right)]
            return Question(asked, tuple(choices), because)
        if step.choose is not None:
            return Question(asked, self._chosen(step), because)
        assert step.answer is not None and step.others is not None
        right_text = self._filled(step.answer, "answer")
        texts = {right_text: True}
        for at, other in enumerate(step.others):
            texts.setdefault(self._filled(other, "others", at), False)
        if len(texts) < 2:
            raise self._mistake(f"every choice reads {right_text!r}, so there is nothing to choose", "others")
        # in the order of their words, so that the right one has no place of its own
        return Question(asked, tuple(Choice(t, texts[t]) for t in sorted(texts, key=_by_number)), because)

    def _chosen(self, step: StepEntry) -> tuple[Choice, ...]:
        assert step.choose is not None
        found = [
            Choice(self._filled(c.say, "choose", i, "say"), self._holds(c.right, "choose", i, "right"))
            for i, c in enumerate(step.choose)
        ]
        right = sum(choice.right for choice in found)
        if step.exclusive:
            if right != 1:
                raise self._mistake(f"{right} choices are right; exactly one has to be", "choose")
            return tuple(found)
        if len(found) == 2:
            both, neither = right == 2, right == 0
            found = [Choice(c.text, c.right and right == 1) for c in found]
            return (*found, Choice(say("choices", "both"), both), Choice(say("choices", "neither"), neither))
        if right > 1:
            raise self._mistake(f"{right} choices are right; one has to be, or none", "choose")
        return (*found, Choice(say("choices", "none"), right == 0))

    # -- attempts ----------------------------------------------------------------------------------------------

    def _attempt(self, step: StepEntry) -> Attempt:
        assert step.attempt is not None and step.fighter is not None
        assert step.goal is not None and step.places is not None
        fighter, goal = step.fighter, step.goal
        action = self._asked(lambda: self.facts.word(step.action), "action") or "move"
        target = self._asked(lambda: self.facts.word(step.target), "target")
        moves = self._asked(lambda: self.facts.moves(fighter, action, target), "fighter")

        def judge(x: float, y: float, z: float | None) -> Verdict:
            return self._verdict(moves.to(x, y, z), goal)

        verdicts = [judge(at[0], at[1], at[2] if len(at) > 2 else None) for at in step.places]
        if len({verdict.right for verdict in verdicts}) < 2:
            what = "right" if verdicts[0].right else "wrong"
            raise self._mistake(f"every place is {what}, so there is nothing to try", "places")
        text = self._filled(step.attempt, "try")
        because = () if step.because is None else (self._filled(step.because, "because"),)
        return Attempt(
            text=text,
            fighter=fighter,
            action=action,
            target=target,
            places=tuple(verdict.move.to for verdict in verdicts),
            verdicts=tuple(verdicts),
            best=self._best(moves, goal, [v for v in verdicts if v.right]),
            judge=judge,
            because=because,
        )

    def _verdict(self, move: Move, goal: str) -> Verdict:
        fact = MoveFact(self.field, move)
        if not move.legal:
            return Verdict(False, move, sentence_of(fact.told))
        right = self._asked(lambda: holds(goal, self._names(fact)), "goal")
        return Verdict(
            right, move, sentence_of(fact.told if right else say("lesson", "not-the-goal", told=fact.told))
        )

    def _names(self, fact: MoveFact) -> Mapping[str, Any]:
        own = {
            name: fact.get(name)
            for name in (
                "legal",
                "x",
                "y",
                "z",
                "cost",
                "left",
                "checks",
                "chance",
                "kinds",
                "extra",
                "notes",
            )
        }
        return ChainMap(_Ending(own, self.field, fact.move), self.facts)  # type: ignore[arg-type]

    def _best(self, moves: LegalMoves, goal: str, known: Sequence[Verdict]) -> Verdict:
        """The surest and then the cheapest of all places in reach that meet the goal, and of those that are known."""
        spots = moves.spots
        order = np.lexsort((spots["cost"], -np.round(spots["success"], 4)))
        best = min(known, key=_rank)
        for index in order[:400]:
            row = spots[int(index)]
            if (-round(float(row["success"]), 4), float(row["cost"])) >= _rank(best):
                break
            here = {
                "legal": True, "x": Inches(row["x"]), "y": Inches(row["y"]), "z": Inches(row["z"]),
                "cost": Inches(row["cost"]), "chance": Chance(row["success"]),
                "left": Inches(moves.allowance - float(row["cost"])),
            }  # fmt: skip
            try:
                met = holds(goal, ChainMap(here, self.facts))  # type: ignore[arg-type]
            except ValueError:  # the goal asks about the way, which spots do not tell
                return best
            if met:
                found = self._verdict(moves.to(float(row["x"]), float(row["y"]), float(row["z"])), goal)
                if found.right:
                    return found
        return best

    # -- side by side ------------------------------------------------------------------------------------------

    def _rows(self, step: StepEntry) -> Iterator[Row]:
        assert step.compare is not None
        name = step.compare
        if step.readings is not None:
            yield self._row(say("lesson", "as-written", pack=self.field.pack.name), self.facts, name, step)
            for at, reading in enumerate(step.readings):
                settings = dict(reading)
                other = self._asked(partial(self._read, settings), "readings", at)
                words = " ".join(self._changes(key, value) for key, value in settings.items())
                yield self._row(say("lesson", "read-as", changes=words), self.facts.under(other), name, step)
            return
        for pack in step.packs or self.lesson.packs:
            if pack not in self.by_pack:
                raise self._mistake(f"the lesson does not name the pack {pack!r}", "packs")
            facts = self.by_pack[pack]
            yield self._row(facts.field.pack.name, facts, name, step)

    def _changes(self, key: str, value: Any) -> str:
        """What another reading changes, in its pack's words; its name and value where the pack has none for it."""
        options = self.field.pack.rule(key).setting
        words = next((translated(option.changes) for option in options if option.value == value), None)
        return words.rstrip(".") if words else f"{key}: {value_text(value)}"

    def _read(self, settings: Mapping[str, Any]) -> Battlefield:
        """The battlefield under other readings."""
        return self.field.under(self.field.pack.with_settings(settings))

    def _row(self, title: str, facts: Facts, name: str, step: StepEntry) -> Row:
        fact = self._asked(lambda: facts.fact(name), "compare")
        each = self._asked(lambda: facts.word(step.each), "each")
        rules = "" if each is None else self._asked(lambda: filled(translated(each), facts), "each")
        view = view_of(fact.field, [fact], [], self._look(step))
        return Row(title, rules, " ".join((sentence_of(fact.told), *fact.rolls)), fact.lines, view)


class _Ending(dict[str, Any]):
    """What is known about a place that the learner picked; ``danger`` is worked out when it is asked for."""

    def __init__(self, own: Mapping[str, Any], field: Battlefield, move: Move) -> None:
        super().__init__({**own, "danger": None})
        self.field = field
        self.move = move

    def __getitem__(self, name: str) -> Any:
        """The value of a name; danger: the chance to fall when knocked down there."""
        if name != "danger":
            return super().__getitem__(name)
        where = self.field.with_fighter_at(self.move.fighter, self.move.to)
        statuses = where.pack.file.statuses
        down = next((key for key, row in statuses.items() if row.tested_at_lips), None)
        if down is None:
            return Chance(0.0)
        tree = where.becomes(self.move.fighter, down)
        return Chance(float(tree.chance(lambda path: bool(path.events(Event.FALL)))))


def view_of(
    field: Battlefield, shown: Sequence[Fact], marks: Sequence[Fact], look: str | Look | None
) -> View:
    """The picture of facts: ways and reaches drawn, landings and lettered places marked."""
    fighter: str | None = None
    moves: LegalMoves | None = None
    move: Move | None = None
    marked: list[Marked] = []
    for fact in shown:
        if isinstance(fact, DriveFact):
            return View(fact.ends, look=look) if fact.is_hull else driven(fact, look)
        if isinstance(fact, MoveFact):
            move = fact.move if move is None else move
            fighter = fighter or fact.move.fighter
            if move is not fact.move:
                marked.append(Marked(say("lesson", "there"), fact.move.to))
        elif isinstance(fact, ReachFact):
            moves, fighter = fact.moves, fighter or fact.moves.fighter
        elif (place := _place_of(fact)) is not None:
            lies = isinstance(fact, FallFact) or (isinstance(fact, TreeFact) and fact.lies)
            marked.append(Marked(say("lesson", "lands" if lies else "there"), place, prone=lies))
        if fighter is None and isinstance(fact, TreeFact):
            fighter = fact.who
    for at, fact in enumerate(marks):
        place = fact.move.to if isinstance(fact, MoveFact) else _place_of(fact)
        if place is not None:
            marked.append(Marked(LETTERS[at], place))
        if fighter is None and isinstance(fact, MoveFact | TreeFact):
            fighter = fact.move.fighter if isinstance(fact, MoveFact) else fact.who
    return View(field, fighter, moves, move, tuple(marked), look)


def driven(fact: DriveFact, look: str | Look | None) -> View:
    """The picture of a drive, and its clip: stretch by stretch, the vehicle turned along each."""
    clip = tuple(View(field, fact.who, move=move, look=look) for field, move in fact.stretches())
    return View(fact.field, fact.who, move=fact.move, look=look, clip=clip)


def _place_of(fact: Fact) -> Point | None:
    """The place that a fact is about, or ends at; None where it is about none."""
    if isinstance(fact, StandFact):
        return fact.stand.at
    if isinstance(fact, FallFact):
        return fact.fall.landing
    if isinstance(fact, TreeFact):
        return fact.landing
    return None


def _rank(verdict: Verdict) -> tuple[float, float]:
    move = verdict.move
    return -round(move.success or 0.0, 4), move.cost if move.cost is not None else math.inf


def _by_number(text: str) -> tuple[float, str]:
    """Numbers by their size, words behind them by the alphabet."""
    head = text.split(" ", maxsplit=1)[0].rstrip("+%")
    try:
        return float(head), text
    except ValueError:
        return math.inf, text
