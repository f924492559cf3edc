"""The page of a lesson: one file that fetches nothing, with answers that a browser really judges; and the sheet."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from sandbox.teach.draw import TURNING, Studio
from sandbox.teach.load import Lesson, load_lesson
from sandbox.teach.page import write_page, write_sheet
from sandbox.teach.run import work_out

LESSON = """\
title: Small & <tidy>
about: A test.
packs: [necromunda-2023, blightmeer]
scene:
  name: Board
  board: {size: [8, 6]}
  terrain:
    - {id: block, box: [2, 2, 2], at: [5.5, 4.2], kind: structure}
  fighters:
    - {id: Kal, side: red, at: [2, 2], profile: {M: 3}}
facts:
  there: {move: Kal, to: [4, 2]}
  up: {move: Kal, to: [5.5, 4.2, 2]}
steps:
  - say: This is Kal.
    look: whole
  - say: He walks.
    play: there
  - ask: How far was that?
    answer: "{there.cost}"
    others: ["{3 * there.cost}", "{there.cost / 4}"]
    because: It was {there.cost}.
  - say: And up there?
    compare: up
  - try: Move to the east.
    fighter: Kal
    goal: x > 3
    places: [[1, 1], [4, 2], [2, 4]]
"""


SIDES = 6
"""from which the board that turns is drawn here."""


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Lesson:
    path = tmp_path_factory.mktemp("pages") / "small.yaml"
    path.write_text(LESSON, encoding="utf-8")
    return load_lesson(path)


@pytest.fixture(scope="module")
def page(lesson: Lesson, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "small.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Studio.turning, "__defaults__", (TURNING, SIDES))
        write_page([lesson], None, path)
    return path


def test_one_file_that_fetches_nothing(page: Path) -> None:
    text = page.read_text("utf-8")
    assert "http" not in re.sub(r"data:[^\"')]*", "", text)
    assert not re.findall(r"<(?:link|iframe|object|script src)", text)
    assert "<tidy>" not in text and "Small &amp; &lt;tidy&gt;" in text


def test_under_every_pack_with_pictures_kept_once(page: Path) -> None:
    text = page.read_text("utf-8")
    assert re.findall(r'class="course" data-pack="([^"]+)"', text) == ["necromunda-2023", "blightmeer"]
    pictures = json.loads(re.search(r'id="pictures">(.*?)</script>', text, re.S)[1])  # type: ignore[index]
    used = [int(n) for n in re.findall(r'data-picture="(\d+)"', text)]
    turns = [[int(n) for n in found.split()] for found in re.findall(r'data-turns="([\d ]+)"', text)]
    assert [len(set(numbers)) for numbers in turns] == [SIDES, SIDES] and turns[0] == turns[1]
    used += [n for numbers in turns for n in numbers]
    assert set(used) == set(range(len(pictures)))
    assert len(used) > len(pictures)
    assert all(url.startswith("data:image/webp;base64,") for url in pictures)


def test_the_sheet_has_questions_first_and_answers_last(lesson: Lesson, tmp_path: Path) -> None:
    write_sheet([lesson], "blightmeer", tmp_path / "sheet.html")
    text = (tmp_path / "sheet.html").read_text("utf-8")
    asked, answers = text.split('class="answers"')
    course = work_out(lesson, "blightmeer")
    question = course.steps[2].question
    assert question is not None
    for choice in question.choices:
        assert choice.text in asked
    assert "It was 2.00 in." not in asked and "It was 2.00 in." in answers
    assert "<script" not in text


PROBE = """
<script>
addEventListener("load", () => {
  const told = { shown: Array.from(document.querySelectorAll(".course")).map((c) => !c.hidden) };
  const course = document.querySelectorAll(".course")[0];
  const cards = course.querySelectorAll(".card.ask");
  cards[0].querySelector('[data-right="0"]').click();
  told.first = cards[0].querySelector(".judged").textContent;
  told.because = !cards[0].querySelector(".because").hidden;
  told.before = !course.querySelector("[data-score]").hidden;
  cards[1].querySelector('[data-right="1"]').click();
  told.second = cards[1].querySelector(".judged").textContent;
  told.score = course.querySelector("[data-score]").textContent;
  const board = course.querySelector("img[data-turns]"), before = board.src;
  const point = (kind, x) => board.dispatchEvent(new PointerEvent(kind, { clientX: x, pointerId: 1, bubbles: true }));
  board.setPointerCapture = () => {};
  point("pointerdown", 300); point("pointermove", 200);
  told.turned = board.src !== before;
  point("pointermove", 300);
  told.again = board.src === before;
  document.querySelector('[data-choose-pack="blightmeer"]').click();
  told.then = Array.from(document.querySelectorAll(".course")).map((c) => !c.hidden);
  told.loaded = Array.from(document.querySelectorAll("img[data-picture]")).every((i) => i.src.startsWith("data:"));
  document.body.insertAdjacentHTML("beforeend", '<pre id="told">' + JSON.stringify(told) + "</pre>");
});
</script>
"""


@pytest.mark.browser
def test_a_browser_judges_the_answers(page: Path, tmp_path: Path) -> None:
    probed = tmp_path / "probed.html"
    probed.write_text(page.read_text("utf-8").replace("</body>", PROBE + "</body>"), "utf-8")
    done = subprocess.run(
        [
            os.environ["SANDBOX_BROWSER"], "--headless", "--no-sandbox", "--disable-gpu",
            f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=5000", "--dump-dom", probed.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert 'data-ready="true"' in done.stdout
    told = json.loads(re.findall(r'<pre id="told">(.*?)</pre>', done.stdout, re.S)[-1].replace("&amp;", "&"))
    assert told["shown"] == [True, False]
    assert told["then"] == [False, True]
    assert told["first"].startswith("Not quite. The answer is")
    assert told["because"] and not told["before"] and told["loaded"]
    assert told["second"].startswith("Right. Yes, for 2.00 in")
    assert told["turned"] and told["again"]
    assert told["score"].startswith("1 of 2")
