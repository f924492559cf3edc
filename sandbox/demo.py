"""The main job, end to end: two boards, one fighter's legal moves of each as a table, and pictures."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sandbox import UserError, load
from sandbox.cli.output import console, warn, working
from sandbox.cli.tables import legs_table, levels, levels_table, ruling_line
from sandbox.files import shipped

if TYPE_CHECKING:
    from sandbox.moves.answers import LegalMoves, Move

BOARDS = ("monastery", "gantry")
WARM_UP = """\
name: Warm-up
board: {size: [24, 24]}
terrain:
  - {id: block, box: [4, 4, 2], at: [12, 12]}
  - {id: second, box: [4, 3, 2], at: [12, 17]}
  - {id: stairs, stairs: [3, 2, 2, 6], at: [8.5, 12], kind: stairs}
  - {id: ramp, ramp: [3, 2, 1], at: [6, 6], kind: ramp}
  - {id: ladder, box: [1, 0.2, 2], at: [12, 9.9], kind: ladder}
  - {id: rail, box: [4, 0.1, 0.8], at: [12, 13.9, 2], kind: railing}
  - {id: low, box: [4, 1, 1], at: [12, 6]}
  - {id: leaning, box: [1, 1, 1], at: [9.6, 13]}
  - {id: wide, box: [9, 9, 0.4], at: [19.4, 19.4]}
areas:
  - {kind: difficult, polygon: [[14, 2], [18, 2], [18, 8], [14, 8]]}
fighters:
  - {id: low, side: red, at: [12, 8], profile: {M: 5, I: 4}}
  - {id: high, side: red, at: [12, 12, 2], profile: {M: 5, I: 4}}
  - {id: rax, side: blue, at: [16, 8], profile: {M: 5, I: 4}}
"""
"""A board with a bit of everything: asking about it compiles what has to be fast (or reads it from the cache)."""

Answer = TypeVar("Answer")


class Times:
    """Seconds by what they went into."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, float]] = []

    def add(self, what: str, work: Callable[[], Answer]) -> Answer:
        """Do some work and note how long it took."""
        started = time.perf_counter()
        with working(what):
            answer = work()
        self.rows.append((what, time.perf_counter() - started))
        return answer


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demo: 0 when all pictures were written, 2 with one line on standard error else."""
    parser = argparse.ArgumentParser(prog="sandbox.demo", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the pictures")
    parser.add_argument("--install-seconds", type=float, default=0.0, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    try:
        _run(options.out, options.install_seconds)
    except UserError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    return 0


def _run(out: Path, install_seconds: float) -> None:
    screen = console()
    times = Times()
    screen.print("Compiling what has to be fast (the first run ever takes longest) ...")
    times.add("compile", _warm_up)
    out.mkdir(parents=True, exist_ok=True)
    pictures: list[Path] = []
    for name in BOARDS:
        pictures += _show_board(name, out, times, screen)
    screen.print("\nPictures:")
    for picture in pictures:
        screen.print(f"  {escape(str(picture))}", soft_wrap=True)
    _print_times(times, install_seconds, screen)


def _show_board(name: str, out: Path, times: Times, screen: Console) -> list[Path]:
    """Print one fighter's moves on a board and draw them; the pictures' paths."""
    from sandbox.view import picture  # noqa: PLC0415 - the drawing library greets on import

    field = times.add(f"{name}: load", lambda: load(shipped(f"scenes/{name}.yaml")))
    warn(field.warnings)
    fighter = field.scene.fighters[0].id
    moves = times.add(f"{name}: moves", lambda: _asked(field.moves(fighter, "move")))
    screen.print()
    screen.print(f"[bold]{escape(field.scene.name)}[/bold]")
    screen.print(levels_table(moves))
    reach, way = out / f"{name}-reach.png", out / f"{name}-way.png"
    times.add(f"{name}: picture", lambda: picture(field, reach, fighter=fighter, moves=moves))
    move = times.add(f"{name}: one way", lambda: _far_move(moves))
    if move is None:
        return [reach]
    screen.print(f"One of them: {escape(_outcome(move))}")
    for ruling in move.rulings:
        screen.print(escape(ruling_line(ruling)))
    screen.print(legs_table(move.legs))
    times.add(f"{name}: picture", lambda: picture(field, way, fighter=fighter, moves=moves, move=move))
    return [reach, way]


def _asked(moves: LegalMoves) -> LegalMoves:
    _ = moves.spots  # worked out here, so that the time is noted here
    return moves


def _far_move(moves: LegalMoves) -> Move | None:
    """The dearest way to the highest level that is reached at all."""
    by_level = list(levels(moves.spots))
    if not by_level:
        return None
    spot = by_level[-1][int(np.argmax(by_level[-1]["cost"]))]
    return moves.to(float(spot["x"]), float(spot["y"]), float(spot["z"]))


def _outcome(move: Move) -> str:
    from sandbox.moves.narrate import tell  # noqa: PLC0415

    return " ".join(tell(move)[:2])


def _warm_up() -> None:
    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder) / "warm-up.yaml"
        scene.write_text(WARM_UP, encoding="utf-8")
        field = load(scene)
        for fighter in ("low", "high"):
            moves = field.moves(fighter, "move")
            _ = moves.spots
            moves.to(12, 4)
            moves.to(12, 12, 2)
            moves.to(12, 22)  # too far: the search that tells what forbids a move
        field.fall(14.4, 12, 2)


def _print_times(times: Times, install_seconds: float, screen: Console) -> None:
    table = Table(title="Seconds", title_justify="left", title_style="bold")
    table.add_column("what")
    table.add_column("", justify="right")
    table.add_row("install", f"{install_seconds:.0f}")
    for what, seconds in times.rows:
        table.add_row(escape(what), f"{seconds:.2f}")
    run = sum(seconds for what, seconds in times.rows if what != "compile")
    table.add_row("run, all together", f"{run:.2f}", style="bold")
    screen.print(table)


if __name__ == "__main__":
    sys.exit(main())
