"""The fuzzer itself: atheris mutates good files and watches which lines of the readers they reach.

Every reader runs in a process of its own, so that one that is killed (memory, time) is told by its input too.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from readers import ROOT, TARGETS, feed

FOUND = ROOT / "tests" / "hostile" / "found"
MEMORY_MB = 3000
"""more than this for one small input is a fault; the readers' own limits are lower."""
DONE = "files read: "
SLOW_S = 10.0
"""seconds of processor time."""


def main() -> int:
    """Fuzz the readers that are named, one after another."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--reader", action="append", choices=list(TARGETS))
    asked.add_argument("--seconds", type=int, default=150, help="for each reader")
    asked.add_argument("--inside", help=argparse.SUPPRESS)
    asked.add_argument("--corpus", help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.inside:
        return _inside(given.inside, given.seconds, given.corpus)
    bad = 0
    for name in given.reader or list(TARGETS):
        with tempfile.TemporaryDirectory() as corpus:
            for n, seed in enumerate(TARGETS[name].seeds()):
                (Path(corpus) / f"seed{n}").write_bytes(seed)
            command = [
                sys.executable,
                __file__,
                "--inside",
                name,
                "--corpus",
                corpus,
                "--seconds",
                str(given.seconds),
            ]
            FOUND.mkdir(parents=True, exist_ok=True)
            seen = subprocess.run(
                command, capture_output=True, text=True, errors="replace", check=False, cwd=corpus
            )
            lines = seen.stderr.splitlines()
            runs = [line for line in lines if line.startswith(DONE)]
            told = runs[-1].split()[-1] if runs else "?"
            print(f"{name}: {told} files in {given.seconds} s, status {seen.returncode}", flush=True)
            kept = _kept(name, Path(corpus))
            for path in kept:
                print(f"  kept {path.relative_to(ROOT)}")
            if seen.returncode != 0:
                bad += 1
                print("\n".join("  " + line for line in lines[-25:]))
    return 1 if bad else 0


def _kept(name: str, folder: Path) -> list[Path]:
    kept = []
    for kind in ("crash-*", "oom-*", "timeout-*"):
        for path in folder.glob(kind):
            data = path.read_bytes()
            target = FOUND / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}{TARGETS[name].suffix}"
            target.write_bytes(data)
            kept.append(target)
    return kept


def _inside(name: str, seconds: int, corpus: str) -> int:
    import atheris  # noqa: PLC0415 - only the fuzzing process needs it

    with atheris.instrument_imports(include=["sandbox"]):
        TARGETS[name].seeds()  # and the readers' own modules
        with tempfile.TemporaryDirectory() as first:
            for seed in TARGETS[name].seeds():
                feed(name, seed, Path(first))
    folder = Path(tempfile.mkdtemp())
    count, until = 0, time.monotonic() + seconds

    def one(data: bytes) -> None:
        nonlocal count
        if time.monotonic() > until:
            # libFuzzer's own timers end the process by a signal, which looks like a fault
            print(f"{DONE}{count}", file=sys.stderr, flush=True)
            shutil.rmtree(folder)
            os._exit(0)
        count += 1
        begun = time.process_time()
        feed(name, data, folder)
        assert time.process_time() - begun < SLOW_S, "took too long"

    flags = [
        f"-max_total_time={seconds}",
        f"-rss_limit_mb={MEMORY_MB}",
        f"-timeout={SLOW_S}",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], corpus, *flags, "-max_len=60000"], one)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
