"""The soak: moves, orders taken back, models that change on disk, packs switched, over and over; see scripts/soak."""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import trimesh

import sandbox
from sandbox.moves.battlefield import Battlefield
from sandbox.play import Dice, Game, Seeded, Table, canonical, parse

PACKS = ("necromunda-2023", "necromunda-2017", "blightmeer")
WARM_S = 900.0
"""seconds after which memory is compared: by then every pack was asked on both boards several times."""
MOST_MIB = 1.0
SCENE = """
name: Soak
board: {size: [24, 24]}
terrain:
  - {id: block, model: block.stl, at: [12, 14]}
  - {id: crate, box: [1.4, 1.4, 1.0], at: [8, 9]}
  - {id: deck, box: [4, 4, 3], at: [17, 8]}
  - {id: ladder, box: [0.8, 0.2, 3.2], at: [14.85, 8], turn: 90, kind: ladder}
areas:
  - {kind: difficult, polygon: [[3, 12], [7, 12], [7, 17], [3, 17]]}
fighters:
  - {id: kal, side: red, base: 32, at: [11, 8, 0], profile: {M: 5, I: 4, A: 10}}
  - {id: juno, side: red, base: 28.5, at: [16.5, 8, 3], profile: {M: 6, I: 3, A: 9}}
  - {id: rax, side: blue, base: 40, at: [6, 18, 0], profile: {M: 4, I: 4, A: 11}}
"""


class Soak:
    """Everything that is asked over and over, and what was answered the first time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scene = folder / "scene.yaml"
        self.scene.write_text(SCENE)
        self.high = False
        self.write_model()
        self.first: dict[object, object] = {}
        self.fields: dict[tuple[str, bool], Battlefield] = {}
        self.chance = random.Random(7)
        self.asked = 0

    def write_model(self) -> None:
        """The block, of one height or the other."""
        dz = 62.0 if self.high else 20.0
        trimesh.creation.box((90, 70, dz)).export(self.folder / "block.stl")

    def same(self, key: object, answer: object) -> None:
        """Compare an answer with the first one to the same question."""
        self.asked += 1
        known = self.first.setdefault(key, answer)
        if known != answer:
            raise SystemExit(f"another answer to {key}:\n  first {known}\n  now   {answer}")

    def field(self, pack: str) -> Battlefield:
        """The battlefield as it is on disk now, under a pack."""
        key = (pack, self.high)
        if key not in self.fields:
            self.fields[key] = sandbox.load(self.scene, rules=pack)
        return self.fields[key]

    def ask(self) -> None:
        """One question to one fighter."""
        pack = self.chance.choice(PACKS)
        who = self.chance.choice(("kal", "juno", "rax"))
        to = (float(self.chance.randrange(4, 20, 2)), float(self.chance.randrange(4, 20, 2)))
        move = self.field(pack).moves(who, "move").to(*to)
        answer = (
            move.legal,
            None if move.cost is None else round(move.cost, 6),
            move.success,
            len(move.legs),
        )
        self.same(("to", pack, self.high, who, to), answer)

    def reach(self) -> None:
        """All places of one fighter."""
        pack, who = self.chance.choice(PACKS), self.chance.choice(("kal", "juno", "rax"))
        spots = self.field(pack).moves(who, "move").spots
        self.same(("spots", pack, self.high, who), (len(spots), round(float(spots["cost"].sum()), 3)))

    def reload(self) -> None:
        """The model changes on disk; what was known of the board is read again."""
        self.high = not self.high
        self.write_model()
        for pack in PACKS:
            self.fields.pop((pack, self.high), None)

    def play(self) -> None:
        """A few orders, taken back and done again."""
        table = Table(self.field(PACKS[0]))
        game = Game(table)
        dice: Dice = Seeded(3)
        for line in ("activate kal", "kal move 11,11", "kal is pinned", "end"):
            game.order(parse(table, game.state, line), dice)
        there = canonical(game.state)
        for _ in range(3):
            game.undo()
        for _ in range(3):
            game.redo()
        self.same(("redone",), canonical(game.state) == there)
        self.same(("game", self.high), there)


def resident() -> float:
    """Memory of this process, MiB."""
    with open("/proc/self/statm") as held:
        return int(held.read().split()[1]) * 4096 / 2**20


def main() -> int:
    """Soak as long as is asked."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--minutes", type=float, default=60.0)
    minutes = asked.parse_args().minutes
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder))
        # always as much between two changes on disk: what a board holds by then is held once and again, and no more
        work: list[Callable[[], None]] = [soak.ask] * 60 + [soak.reach] * 5 + [soak.play] * 2
        todo: list[Callable[[], None]] = []
        begun, told = time.monotonic(), -1
        marks: list[tuple[float, float]] = []
        while (gone := time.monotonic() - begun) < 60.0 * minutes:
            if not todo:
                soak.reload()
                todo = soak.chance.sample(work, len(work))
            todo.pop()()
            if int(gone / 60) > told:
                told = int(gone / 60)
                gc.collect()
                marks.append((gone, resident()))
                print(f"{told:3d} min  {marks[-1][1]:7.1f} MiB  {soak.asked} answers", flush=True)
    warm = [(t, m) for t, m in marks if t >= WARM_S]
    if len(warm) < 3:
        print("too short to compare memory")
        return 0
    # the lowest of each half: what is held, without what is in use just then
    half = len(warm) // 2
    early, late = min(m for _, m in warm[:half]), min(m for _, m in warm[half:])
    span = (warm[-1][0] - warm[0][0]) / 2.0
    grown = (late - early) * 600.0 / span
    print(f"grows by {grown:.2f} MiB in ten minutes, at most {MOST_MIB:g} wanted; no answer changed")
    return 1 if grown > MOST_MIB else 0


if __name__ == "__main__":
    sys.exit(main())
