"""A tour through the real window, run as a process of its own: what was seen goes to a folder as pictures and JSON.

python -m tests.view.window_tour SCENE FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from sandbox.view.window.app import App
from sandbox.view.window.state import Mode
from tests.view.driver import Hand

WALK_TO = (10.2, 8.6, 0.0)
"""open ground before kal."""
BARRICADE = (13.0, 9.3, 1.0)
"""on top of an obstacle, where nobody ends."""


def tour(scene: Path, out: Path) -> dict[str, Any]:
    """Everything in one go; the facts by name."""
    app = App(scene, size=(1120, 700))
    hand = Hand(app)
    session = app.session
    seen: dict[str, Any] = {}

    def spot(name: str, at: tuple[float, float, float]) -> None:
        seen.setdefault("spots", {})[name] = hand.place(at)

    hand.wait(lambda: app.stage is not None, "the board")
    hand.settle()
    hand.shot(out / "start.png")

    # A fighter is clicked: its reach appears.
    kal = app.mark("kal")
    assert kal is not None
    hand.click(hand.place((kal.at[0], kal.at[1], kal.at[2] + 0.8)))
    hand.wait(lambda: session.reach is not None, "the reach")
    app.frame_chosen()
    hand.to((20.0, 690.0))
    hand.settle()
    assert session.reach is not None
    seen["chosen"] = session.fighter
    seen["reach"] = len(session.reach.spots)
    spot("near", (kal.at[0] - 0.2, kal.at[1] - 0.9, 0.0))
    spot("far", (kal.at[0] - 0.9, kal.at[1] - 4.5, 0.0))
    hand.shot(out / "reach.png")

    # A legal place.
    hand.to(hand.place(WALK_TO))
    hand.wait(lambda: session.hover is not None, "a way")
    hand.settle()
    assert session.hover is not None
    seen["legal"] = session.hover.move.to_json()
    middle = session.hover.stretches[0].middle
    spot("way", (float(middle[0]), float(middle[1]), float(middle[2])))
    hand.shot(out / "legal.png")

    # A place where nobody may end.
    hand.to(hand.place(BARRICADE))
    hand.wait(lambda: session.hover is not None and not session.hover.move.legal, "a refusal")
    hand.settle()
    assert session.hover is not None
    seen["refused"] = session.hover.move.to_json()
    spot("refused", session.hover.move.to)
    hand.shot(out / "refused.png")

    # All of it drawn at once, as it is where terrain is seen through.
    assert app.stage is not None
    app.stage.scenery.glassy = True
    app.screen.touch()
    hand.settle()
    hand.shot(out / "together.png")
    app.stage.scenery.glassy = False
    app.screen.touch()
    hand.settle()

    # The legal place again, and there it goes.
    hand.to(hand.place(WALK_TO))
    hand.wait(lambda: session.hover is not None and session.hover.move.legal, "the way")
    hand.settle()
    hand.press(down=True)
    hand.press(down=False)
    hand.wait(lambda: session.past and not session.waiting and session.playing is None, "the move")
    moved = app.mark("kal")
    assert moved is not None
    seen["moved"] = moved.at
    seen["log"] = [list(words) for words in session.log]
    hand.to((20.0, 690.0))
    hand.settle()
    spot("there", (WALK_TO[0], WALK_TO[1], 0.75))
    hand.shot(out / "moved.png")

    # Taken back, and done again.
    hand.key("z", control=True)
    hand.wait(lambda: not session.past and not session.waiting, "the undo")
    back = app.mark("kal")
    assert back is not None
    seen["undone"] = back.at
    hand.key("y", control=True)
    hand.wait(lambda: session.past and not session.waiting, "the redo")
    again = app.mark("kal")
    assert again is not None
    seen["redone"] = again.at
    hand.key("z", control=True)
    hand.wait(lambda: not session.past and not session.waiting, "the undo")

    # A level is cut away.
    session.select(None)
    app.view_whole()
    hand.wait(lambda: not app.orbit.moving, "the view")
    hand.settle()
    spot("deck", (9.0, 14.0, 3.0))
    hand.shot(out / "whole.png")
    hand.key("bracketleft")
    while app.cut is not None and app.cut > 3.0:
        hand.key("bracketleft")
    hand.settle()
    seen["cut"] = app.cut
    hand.shot(out / "cut.png")
    while app.cut is not None and app.cut < 9.0:
        hand.key("bracketright")
    seen["uncut"] = app.cut

    # A crate is dragged and the scene saved.
    hand.key("b")
    seen["mode"] = session.mode is Mode.BUILD
    crate = (20.6, 5.2, 1.4)
    start = hand.place(crate)
    end = hand.place((18.6, 4.2, 1.4))
    hand.drag(start, end)
    hand.wait(lambda: session.past and not session.waiting, "the drag")
    assert session.scene is not None
    seen["crate"] = next(p.at for p in session.scene.terrain if p.id == "crate-2")
    hand.to((20.0, 690.0))
    hand.settle()
    spot("crate", (18.6, 4.2, 1.4))
    spot("old crate", (20.6, 5.2, 0.4))
    hand.shot(out / "dragged.png")
    hand.key("s", control=True)
    hand.wait(lambda: not session.unsaved, "the save")
    seen["notices"] = [n.text for n in session.notices]

    # A game is begun; in it nothing is measured before it is declared.
    hand.key("b")
    session.begin_game(out / "tour.game")
    hand.wait(lambda: session.game is not None, "the game")
    hand.settle()
    hand.click(hand.place((kal.at[0], kal.at[1], kal.at[2] + 0.8)))
    hand.wait(lambda: session.fighter == "kal", "the choice")
    hand.to(hand.place(WALK_TO))
    hand.wait(lambda: session.aim is not None, "the aim")
    hand.settle()
    seen["measured"] = session.reach is not None or session.hover is not None
    hand.shot(out / "declared.png")
    hand.press(down=True)
    hand.press(down=False)
    hand.wait(lambda: session.told and session.playing is None and session.order is None, "the order")
    hand.settle()
    assert session.game is not None and session.board is not None
    seen["game"] = {
        "active": session.game.active,
        "left": session.game.left,
        "log": [list(words) for words in session.told],
        "at": next(f.at for f in session.board.fighters if f.name == "kal"),
    }
    app.close()
    return seen


if __name__ == "__main__":
    folder = Path(sys.argv[2])
    (folder / "seen.json").write_text(json.dumps(tour(Path(sys.argv[1]), folder)))
