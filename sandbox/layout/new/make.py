"""A board from a seed: tries one after the other, until one is as it was wished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from sandbox.errors import UserError
from sandbox.layout.new.build import Stuck
from sandbox.layout.new.finish import Finisher
from sandbox.layout.new.proof import Proof, prove
from sandbox.layout.new.wishes import PartKind, Wishes, check_wishes
from sandbox.scene.layouts import Form, Layout, layout_text
from sandbox.units import inches

MOST_TRIES = 120
EASE = 1.5
"""share of the walls between rooms that is left out more for each share of the tries that is gone."""
EARLY, HOPELESS = 20, 0.5
"""tries after which nobody goes on who is so far from the numbers wished."""


@dataclass(frozen=True)
class Made:
    """A board that was made up."""

    wishes: Wishes
    layout: Layout
    proof: Proof
    tries: int
    """how many it took."""

    def text(self, name: str | None = None) -> str:
        """The board as a scene file, with a fighter in each zone."""
        body = layout_text(self.layout, Form.MAP, {}, indent=2)
        title = name or f"Board {self.wishes.seed}"
        return (
            f"{self._head()}name: {_quoted(title)}\nrules: necromunda-2023\nlayout:\n{body}{self._fighters()}"
        )

    def _head(self) -> str:
        proof, wishes = self.proof, self.wishes
        call = f"sandbox layout new --tiles {wishes.tiles[0]}x{wishes.tiles[1]} --levels {wishes.levels}"
        call += f" --seed {wishes.seed}"
        for flag, value in (
            ("loops", wishes.loops),
            ("dead-ends", wishes.dead_ends),
            ("doors", wishes.doors),
        ):
            call += "" if value is None else f" --{flag} {value}"
        call += "" if wishes.fairness.value == "turned" else f" --fair {wishes.fairness.value}"
        call += "" if wishes.base == 32.0 else f" --base {wishes.base:g}"
        if wishes.own:
            call += " --own " + ",".join(f"{kind.value}={count}" for kind, count in wishes.own.items())
        parts = ", ".join(f"{count} {kind.value}" for kind, count in sorted(proof.parts.items()))
        return (
            f"# Made up by: {call}\n"
            f"# {proof.squares} squares to be in, {proof.loops} loops, {proof.dead_ends} dead ends.\n"
            f"# Parts, walls and rails in pieces one square long: {parts}.\n"
        )

    def _fighters(self) -> str:
        pitch = inches(self.layout.pitch)
        rows = []
        for mark, side, name in (("R", "red", "kal"), ("B", "blue", "rax")):
            level = self.layout.levels[0]
            c, r = next(
                (c, r)
                for r, row in enumerate(level.marks)
                for c, sign in enumerate(row)
                if sign == mark and level.grid.squares[r][c].kind.value == "floor"
            )
            at = f"[{(c + 0.5) * pitch:.2f}, {(r + 0.5) * pitch:.2f}, 0]"
            rows.append(f"  - {{id: {name}, side: {side}, at: {at}, profile: {{M: 5, I: 4}}}}\n")
        return "fighters:\n" + "".join(rows)


def make(wishes: Wishes) -> Made:
    """The board of a seed: the same wishes make the same board. UserError for what cannot be had."""
    check_wishes(wishes)
    best: Proof | None = None
    stuck: list[Stuck] = []
    tries = 0
    for number in range(MOST_TRIES):
        tries = number + 1
        rng = Random(f"{wishes.seed}/{number}/{wishes.tiles}/{wishes.levels}")
        try:
            # whoever has tried for long leaves out some walls
            layout = Finisher(wishes, rng, max(0.0, EASE * (number / MOST_TRIES - 0.15))).finished()
        except Stuck as why:
            stuck.append(why)
            continue
        proof = prove(layout, wishes)
        if not proof.faults:
            return Made(wishes, layout, proof, tries)
        if best is None or _misses(proof, wishes) < _misses(best, wishes):
            best = proof
        if tries >= EARLY and _misses(best, wishes) > HOPELESS:
            break
    what = "; ".join(best.faults[:3]) if best is not None else _usual(stuck)
    raise UserError(
        f"seed {wishes.seed}: {tries} tries gave no board that is as wished. {what}. "
        "Wish for less, own more, or take another seed"
    )


def _usual(stuck: Sequence[Stuck]) -> str:
    """What stood in the way most often, as it was where the least was missing."""
    kinds = Counter(str(why).split(":")[0] for why in stuck)
    often = kinds.most_common(1)[0][0]
    return str(min((why for why in stuck if str(why).split(":")[0] == often), key=lambda why: why.far))


def _misses(proof: Proof, wishes: Wishes) -> float:
    """How far a board is from what was wished, the numbers in shares of themselves."""
    doors = proof.parts.get(PartKind.DOORS, 0) + proof.parts.get(PartKind.DOUBLE_DOORS, 0)
    far = [
        abs(doors - wishes.doors) / max(wishes.doors, 1) if wishes.doors is not None else 0.0,
        max(wishes.loops - proof.loops, 0) / max(wishes.loops, 1) if wishes.loops is not None else 0.0,
    ]
    return max(far) + 0.01 * len(proof.faults)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


__all__ = ["Made", "make"]
