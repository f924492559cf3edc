"""A lesson in the window: what its process answers, and a tour on a virtual display."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.teach.desk import LessonDesk
from sandbox.teach.load import folder
from sandbox.view.window.virtual import virtual_display

ROOT = Path(__file__).parents[2]
PATH = folder() / "ladders-and-stairs.yaml"


def test_the_desk_answers_in_values_that_go_through_a_pipe() -> None:
    desk = LessonDesk()
    lesson = pickle.loads(pickle.dumps(desk.open(PATH, "necromunda-2017")))
    assert lesson.pack == "necromunda-2017" and len(lesson.packs) == 3
    assert lesson.points == sum(bool(step.asked) for step in lesson.steps)
    played = next(step for step in lesson.steps if step.plays)
    assert played.sight is not None and played.sight.fighter == "Juno" and played.sight.to is not None
    tried = next(step for step in lesson.steps if step.tries)
    assert (
        tried.sight is not None
        and tried.sight.fighter == "Juno"
        and len(tried.sight.marked) == len(tried.choices)
    )
    assert desk.judge(tried.number, (11.0, 6.2, 3.0))[0]
    right, told = desk.judge(tried.number, (9.0, 8.6, 3.0))
    assert not right and told.startswith("No: needs")


TOUR = """
import json, sys
from pathlib import Path
from sandbox.view.window.app import App
from sandbox.view.window.lesson import LessonPanel
from tests.view.driver import Hand

def main():
    path, out = Path(sys.argv[1]), Path(sys.argv[2])
    app = App(path, "necromunda-2023", size=(1200, 760))
    panel = app.lesson = LessonPanel(app, path, "necromunda-2023")
    hand = Hand(app)
    hand.wait(lambda: app.stage is not None and panel.lesson is not None, "the lesson")
    hand.settle()
    seen = {"steps": len(panel.lesson.steps)}
    played = next(i for i, s in enumerate(panel.lesson.steps) if s.plays)
    panel.go(played)
    hand.wait(lambda: app.session.hover is not None, "the way")
    seen["way"] = app.session.hover.move.legal
    app.session.go()
    hand.wait(lambda: app.session.past, "the move")
    hand.settle()
    seen["moved"] = list(app.mark("Juno").at)
    asked = next(i for i, s in enumerate(panel.lesson.steps) if s.asked and not s.tries)
    panel.go(asked)
    hand.settle()
    seen["back"] = list(app.mark("Juno").at)
    panel.choose(next(i for i, c in enumerate(panel.step.choices) if c.right))
    tried = next(i for i, s in enumerate(panel.lesson.steps) if s.tries)
    panel.go(tried)
    hand.settle()
    panel.choose(next(i for i, c in enumerate(panel.step.choices) if not c.right))
    panel.choose(next(i for i, c in enumerate(panel.step.choices) if c.right))
    seen["answers"] = {str(k): v for k, v in panel.answers.items()}
    seen["done"] = sorted(panel.done)
    hand.settle()
    seen["wanted"] = [asked, tried]
    out.write_text(json.dumps(seen))
    panel.close()
    app.close()

if __name__ == "__main__":
    main()
"""


@pytest.mark.full
def test_a_tour_through_a_lesson(tmp_path: Path) -> None:
    script, out = tmp_path / "tour.py", tmp_path / "seen.json"
    script.write_text(TOUR, encoding="utf-8")
    with virtual_display() as display:
        done = subprocess.run(
            [sys.executable, str(script), str(PATH), str(out)],
            cwd=ROOT, env={**os.environ, "DISPLAY": display, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    seen = json.loads(out.read_text())
    asked, tried = seen["wanted"]
    assert seen["way"] and seen["moved"][2] == pytest.approx(3.0)
    assert seen["back"] == pytest.approx([11.0, 4.6, 0.0])
    assert seen["answers"] == {str(asked): True, str(tried): False}
    assert seen["done"] == [asked, tried]
