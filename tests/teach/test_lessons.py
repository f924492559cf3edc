"""Every lesson runs to its end under every pack that it names; so no lesson can say what is not so."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from sandbox.cli import main
from sandbox.teach.load import find_lesson, folder
from sandbox.teach.model import LETTERS, Course, Kind, Shown
from sandbox.teach.run import courses
from sandbox.teach.schema import StepEntry
from sandbox.teach.terminal import Player, right_answers, scripted

Taught = tuple[str, tuple[Course, ...]]

NAMES = sorted(path.stem for path in folder().glob("*.yaml"))
RULES = {
    "distance", "difficult-ground", "climbing", "overhangs", "ladders-and-stairs", "obstacles", "leaping", "jumping-down",
    "lips-and-rails", "falling", "one-inch", "engagement", "narrow-places", "ductways", "knockback", "dangerous-ground",
    "vehicles", "readings",
}  # fmt: skip
"""what there has to be a lesson about."""
STRANGE = (
    "lip", "Initiative", "Agility", "D6", "D3", "D20", "AP", "Prone", "Pinned", "Seriously Injured", "Out of Action", "Dazed",
    "Stunned", "Incapacitated", "activation", "Double Move", "M", "Catastrophic", "Drive", "scatter", "transport space",
)  # fmt: skip
"""words of the games."""


@pytest.fixture(scope="module", params=NAMES)
def taught(request: pytest.FixtureRequest) -> Taught:
    """The name of a lesson, and the lesson under each of its packs, worked out once for all tests of it.

    pytest runs these lesson by lesson, so that only one is held at a time.
    """
    return request.param, tuple(courses(find_lesson(request.param)))


def _played(course: Course, typed: list[str]) -> tuple[tuple[int, int], list[tuple[str, str]]]:
    """The score of somebody who types that, and all that is said: manner and text."""
    said: list[tuple[str, str]] = []
    player = Player(course, scripted(typed), lambda text, manner: said.append((manner, text)))
    return player.play(), said


def test_there_is_a_lesson_about_every_rule() -> None:
    assert set(NAMES) >= RULES


def test_a_lesson_runs_to_its_end_under_all_its_packs(taught: Taught) -> None:
    name, found = taught
    assert [course.pack for course in found] == list(find_lesson(name).packs)
    for course in found:
        assert course.points >= 2, "a lesson asks at least two things"
        assert course.steps[0].kind is Kind.SAY, "a lesson begins by showing the board"
        score, said = _played(course, right_answers(course))
        assert score == (course.points, course.points)
        assert ("wrong", "Not quite.") not in said
        assert not [text for _, text in said if re.search(r"[{}`]|\bNone\b(?! of)|[a-z]_[a-z]", text)]


def test_what_a_newcomer_cannot_know_is_explained_where_it_first_occurs(taught: Taught) -> None:
    name, found = taught
    for course in found:
        lesson = iter(find_lesson(name).steps)
        known = ""
        for step in course.steps:
            written = next(one for one in lesson if one.when is None or _begins_alike(one, step))
            known += " ".join([*step.words, *(step.text if written.explains else ())])
            shown = [*step.text, *step.told, *(f"{row.rules} {row.text}" for row in step.rows)]
            if step.question is not None:
                shown += [step.question.text, *(choice.text for choice in step.question.choices)]
            told = re.sub(r"(AP-?\d*) D\d", r"\1", " ".join(shown))  # in a hit D is no die
            for word in STRANGE:
                if re.search(rf"\b{word}s?\b", told):
                    assert re.search(rf"\b{word}\b", known), (course.pack, step.number, word)
            if step.question is not None:
                known += " ".join((*step.question.because, *step.question.words))


def _begins_alike(written: StepEntry, shown: Shown) -> bool:
    """Whether a step with a condition is the one that is shown."""
    text = written.say or written.ask or written.attempt or ""
    told = " ".join(
        [
            *shown.text,
            shown.question.text if shown.question else "",
            shown.attempt.text if shown.attempt else "",
        ]
    )
    return text.split("{")[0].strip() in told


def test_who_answers_wrongly_gets_no_point_and_is_told_why(taught: Taught) -> None:
    course = taught[1][0]
    typed = []
    for step in course.steps:
        if step.question is not None:
            typed.append(LETTERS[(step.question.right + 1) % len(step.question.choices)])
        elif step.attempt is not None:
            wrong = next(i for i, v in enumerate(step.attempt.verdicts) if not v.right)
            typed += [LETTERS[wrong]] * 3
        typed.append("")
    score, said = _played(course, typed)
    assert score == (0, course.points)
    questions = sum(step.question is not None for step in course.steps)
    assert sum(manner == "wrong" for manner, _ in said) == course.points
    assert sum(text.startswith("The answer is") for _, text in said) == questions


def _texts(name: str) -> Iterator[str]:
    """What a lesson says in its own words: each sentence and choice."""
    form = find_lesson(name).form
    yield from (form.title, form.about)
    for step in form.steps:
        texts = [
            step.say,
            step.ask,
            step.because,
            step.attempt,
            step.answer,
            *(step.others or ()),
            *step.each_text,
        ]
        texts += [choice.say for choice in step.choose or ()]
        yield from (text for text in texts if text is not None)


@pytest.mark.parametrize("name", NAMES)
def test_no_number_is_typed_in(name: str) -> None:
    """Numbers come from the engine; only a chance of all or nothing may be offered as a wrong answer."""
    for text in _texts(name):
        own = re.sub(r"\{[^{}]*\}|100 %", "", text)
        assert not re.search(r"\d", own), text


def test_side_by_side_tells_each_rule_the_answer_and_what_a_fail_does(taught: Taught) -> None:
    for course in taught[1]:
        for row in (row for step in course.steps for row in step.rows):
            assert row.rules.endswith("."), (course.pack, row.name)
            if "with a chance of" in row.text:
                assert re.search(r"(check: a roll of \d+ or more|has to show \d).*On a fail ", row.text), (
                    row.text
                )


@pytest.mark.parametrize("taught", ["difficult-ground"], indirect=True)
def test_side_by_side_tells_each_pack_with_its_own_numbers(taught: Taught) -> None:
    rows = taught[1][0].steps[-1].rows
    assert ["uses up 2 in" in row.rules for row in rows] == [True, True, False]
    assert ["Slowed" in row.rules for row in rows] == [False, False, True]


def test_pictures_letter_what_questions_name(taught: Taught) -> None:
    for course in taught[1]:
        for step in course.steps:
            if step.attempt is not None:
                assert step.view is not None
                assert [m.name for m in step.view.marked] == list(LETTERS[: len(step.attempt.places)])
            if step.question is not None:
                letters = {word for word in re.findall(r"\b[A-D]\b", step.question.text) if word != "A"}
                marked = set() if step.view is None else {m.name for m in step.view.marked}
                assert letters <= marked, step.question.text


@pytest.mark.full
def test_the_right_answer_has_no_place_of_its_own() -> None:
    """Somebody who always answers the same letter does badly."""
    right = [
        step.question.right
        for name in NAMES
        for step in next(courses(find_lesson(name))).steps
        if step.question is not None and len(step.question.choices) > 2
    ]
    assert len(right) >= 20
    assert max(right.count(place) for place in set(right)) <= 0.7 * len(right)


def test_lessons_are_listed_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["teach"]) == 0
    out = capsys.readouterr().out
    order = sorted(NAMES, key=lambda name: find_lesson(name).form.order)
    places = [out.index(f"│ {name[:10]}") for name in order]
    assert places == sorted(places)


def test_a_lesson_is_a_scene_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    path = folder() / "climbing.yaml"
    assert main(["moves", str(path), "--fighter", "Bram", "--to", "3.6,2.5,1.2"]) == 0
    assert "Bram gets there" in capsys.readouterr().out
