"""The command behind scripts/check-quality."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from quality.hand import MODELS, judge
from quality.score import Score, score

RECALL, PRECISION = 0.98, 0.95


def main() -> int:
    parser = argparse.ArgumentParser(description="Recall and precision of the terrain check.")
    parser.add_argument("--seeds", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="name each miss and each false finding")
    told = parser.parse_args()
    total = Score()
    seeds = range(told.first, told.first + told.seeds)
    with ProcessPoolExecutor(told.jobs) as pool:
        for number, one in enumerate(pool.map(score, seeds, chunksize=1), start=1):
            total.add(one)
            if told.verbose:
                for line in one.missed:
                    print(f"missed: {line}", flush=True)
                for line in one.wrong:
                    print(f"wrong: {line}", flush=True)
            if number % 25 == 0 and sys.stderr.isatty():
                print(f"{number} of {told.seeds}", file=sys.stderr)
    for kind in sorted(total.planted):
        print(f"{kind:20} {total.found[kind]:4} of {total.planted[kind]:4}")
    planted = sum(total.planted.values())
    print(f"recall    {total.recall:.4f}  ({sum(total.found.values())} of {planted} planted faults)")
    print(f"precision {total.precision:.4f}  ({total.right} of {total.told} findings at warning and above)")
    print(f"seconds   {total.seconds / max(told.seeds, 1):.2f} per build")
    good = total.recall >= RECALL and total.precision >= PRECISION
    return 0 if by_hand() and good else 1


def by_hand() -> bool:
    """Models of others against answers worked out by hand, where SANDBOX_MESHES names their folder."""
    folder = Path(os.environ.get("SANDBOX_MESHES", ""))
    if not os.environ.get("SANDBOX_MESHES") or not folder.is_dir():
        print("models    none: SANDBOX_MESHES names no folder of meshes")
        return True
    right = 0
    for answer in MODELS:
        missed, wrong = judge(folder, answer)
        right += not missed and not wrong
        for line in missed:
            print(f"missed: {line}")
        for line in wrong:
            print(f"wrong: {line}")
    print(f"models    {right} of {len(MODELS)} as worked out by hand")
    return right == len(MODELS)


if __name__ == "__main__":
    raise SystemExit(main())
