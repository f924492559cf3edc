"""A board from a seed: tries one after the other, until one is as it was wished."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from sandbox.errors import UserError
from sandbox.layout.new.build import Stuck
from sandbox.layout.new.finish import Finisher
from sandbox.layout.new.proof import Proof, prove
from sandbox.layout.new.wishes import Wishes, check_wishes
from sandbox.scene.layouts import Form, Layout, layout_text
from sandbox.units import inches

MOST_TRIES = 120


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
    for number in range(MOST_TRIES):
        rng = Random(f"{wishes.seed}/{number}/{wishes.tiles}/{wishes.levels}")
        try:
            layout = Finisher(wishes, rng).finished()
        except Stuck:
            continue
        proof = prove(layout, wishes)
        if not proof.faults:
            return Made(wishes, layout, proof, number + 1)
        if best is None or len(proof.faults) < len(best.faults):
            best = proof
    what = "no board came together" if best is None else f"the nearest one has {'; '.join(best.faults[:3])}"
    raise UserError(
        f"seed {wishes.seed}: {MOST_TRIES} tries gave no board that is as wished ({what}); "
        "wish for less, own more, or take another seed"
    )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


__all__ = ["Made", "make"]
