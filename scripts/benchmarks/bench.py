"""How fast the sandbox answers, at three sizes of one board, beside what it should reach: ``scripts/bench``."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from boards import SIZES, Made, make
from rich.console import Console
from rich.table import Table
from targets import ROWS, Figures, Row, limit_of, shown

HERE = Path(__file__).resolve().parent
PARTS = ("ground", "questions", "memory", "first")
WIDTH = 150
"""columns of the table where it does not go to a terminal."""
FIRST_EVER = "100k"
"""the board on which the first run ever is measured; compiling takes as long on any."""
FIRST_RUNS = 3
"""new processes whose best first answer counts."""


def main() -> int:
    """Measure, print the table, write the JSON; 0 whatever was met or missed."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    names = [size.name for size in SIZES]
    parser.add_argument("--size", action="append", choices=names, help="only boards of this size")
    parser.add_argument("--only", action="append", choices=PARTS, help="only this part")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures into this file")
    options = parser.parse_args()
    sizes = options.size or names
    parts = options.only or list(PARTS)
    screen = Console()
    if not screen.is_terminal:
        screen = Console(width=WIDTH)
    begun = time.perf_counter()
    results: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(prefix="sandbox-bench-") as folder:
        boards = [make(size, Path(folder)) for size in SIZES if size.name in sizes]
        for board in boards:
            figures: dict[str, Any] = {"triangles": board.triangles}
            for part in parts:
                with screen.status(f"{board.size}: {part} ..."):
                    figures |= _measure(part, board, screen)
                results[board.size] = figures
                _save(results, options.json)  # whoever stops it keeps what was measured
    screen.print(_table(results))
    screen.print(_machine(), style="dim", soft_wrap=True)
    screen.print(f"Measured in {(time.perf_counter() - begun) / 60:.0f} min.", style="dim")
    return 0


def _save(results: dict[str, dict[str, Any]], file: Path | None) -> None:
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(_as_json(results), indent=2) + "\n", encoding="utf-8")


def _measure(part: str, board: Made, screen: Console) -> dict[str, Any]:
    """Figures of one part on one board, keyed ``part: figure``; nothing where it failed, which is told."""
    try:
        found = _first(board) if part == "first" else _probe(part, board)
    except subprocess.CalledProcessError as error:
        screen.print(f"{board.size}: {part} failed\n{error.stderr}", markup=False, highlight=False)
        return {}
    return {f"{part}: {key}": value for key, value in found.items()}


def _probe(part: str, board: Made) -> dict[str, Any]:
    command = [sys.executable, str(HERE / "probe.py"), part, str(board.scene), str(board.obj)]
    env = {**os.environ, "SANDBOX_CACHE": "off"}  # meshes are read from their files every time
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    # pybullet greets on the same channel
    line = next(line for line in done.stdout.splitlines() if line.startswith("{"))
    found: dict[str, Any] = json.loads(line)
    return found


def _first(board: Made) -> dict[str, Any]:
    """Seconds of whole processes that answer one question: with nothing compiled or kept yet, and later."""
    program = "import sys; from sandbox.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "moves", str(board.scene), "--fighter", "kal", "--json"]
    ever = board.size == FIRST_EVER
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "SANDBOX_CACHE": f"{cache}/meshes"}
        if ever:
            env["NUMBA_CACHE_DIR"] = f"{cache}/kernels"
        taken = []
        for _ in range(1 + FIRST_RUNS):
            begun = time.perf_counter()
            subprocess.run(command, env=env, capture_output=True, text=True, check=True)
            taken.append(time.perf_counter() - begun)
    found = {"later": min(taken[1:])}
    return {"ever": taken[0], **found} if ever else found


def _table(results: dict[str, dict[str, Any]]) -> Table:
    table = Table(title="Measured, and what should be reached", title_justify="left")
    table.add_column("")
    for size, figures in results.items():
        table.add_column(f"{size}\n{figures['triangles']:,}", justify="right")
    table.add_column("growth", justify="right")
    table.add_column("to reach", justify="right")
    table.add_column("")
    for row in ROWS:
        if not any(row.key in figures for figures in results.values()):
            continue
        title = f"  {row.title}" if row.detail else row.title
        cells = [shown(f[row.key], row.unit) if row.key in f else "" for f in results.values()]
        table.add_row(
            title, *cells, _growth(row, results), *_verdict(row, results), style="dim" if row.detail else ""
        )
    return table


def _growth(row: Row, results: dict[str, dict[str, Any]]) -> str:
    """By how much the figure grew from the smallest board to the largest, beside the triangles."""
    found = [(f["triangles"], f[row.key]) for f in results.values() if row.key in f]
    if len(found) < 2 or not row.unit or found[0][1] <= 0:
        return ""
    (least, small), (most, large) = found[0], found[-1]
    return f"x{large / small:.3g} of x{most / least:.0f}"


def _verdict(row: Row, results: dict[str, Figures]) -> tuple[str, str]:
    """The limit, and on which boards it was met or missed."""
    told, limits = [], []
    for size, figures in results.items():
        limit = limit_of(row, size, figures)
        if limit is None or row.key not in figures:
            continue
        limits.append(shown(limit, row.unit))
        met = figures[row.key] <= limit
        told.append((size, "[green]met[/green]" if met else "[red]missed[/red]"))
    if not told:
        return "", ""
    words = {word for _, word in told}
    verdict = words.pop() if len(words) == 1 else ", ".join(f"{size} {word}" for size, word in told)
    return " / ".join(dict.fromkeys(limits)), verdict


def _machine() -> str:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"Python {platform.python_version()}, {platform.machine()}, {cores} cores, {load} at the end"


def _as_json(results: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Figures in seconds, MiB and counts, each with its limit and whether it was met."""
    boards = {}
    for size, figures in results.items():
        told = {}
        for row in ROWS:
            if row.key in figures:
                limit = limit_of(row, size, figures)
                told[row.key] = {
                    "title": row.title,
                    "value": figures[row.key],
                    "limit": limit,
                    "met": None if limit is None else figures[row.key] <= limit,
                }
        boards[size] = {"triangles": figures["triangles"], "figures": told}
    return {"machine": _machine(), "boards": boards}


if __name__ == "__main__":
    sys.exit(main())
