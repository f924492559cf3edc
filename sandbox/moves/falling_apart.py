"""Models that came too near one another: places clear of others, moved away, moved into contact."""

from __future__ import annotations

import numpy as np

from sandbox.moves.answers import Point
from sandbox.moves.distance import gaps, plan_gap
from sandbox.moves.falling_ground import Near
from sandbox.moves.falling_state import Course, One, State, Then, moved
from sandbox.moves.odds_tree import Event, Tree
from sandbox.moves.placed import CONTACT
from sandbox.moves.words import length
from sandbox.rules.words import EngagedAt, InvoluntaryNear, Procedure
from sandbox.units import SNAP_MM, inches

_TICK = inches(SNAP_MM)
_BESIDE = CONTACT + 0.01
"""gap at which bases no longer touch, inches."""


class Apart(Course):
    """Who is moved away from whom, after something was moved against its will."""

    def keep_clear(self, state: State, who: str, *, beside: bool) -> tuple[Near, ...]:
        """What a model's resting place keeps clear of: all bases; beside: so far that it engages nobody."""
        one = state[who]
        m = one.rules.movement
        gently = self.lands_gently(one)
        near = []
        for key, other in state.items():
            if key == who or other.out:
                continue
            keep = 0.0
            if one.placed.is_enemy(other.placed):
                if gently and self.kept_from(other):
                    keep = m.keep_distance
                elif beside:
                    keep = _BESIDE if m.engaged_at is EngagedAt.CONTACT else m.engaged_within
            near.append(Near(other.base, other.placed.height, keep))
        return tuple(near)

    def lands_gently(self, one: One) -> bool:
        """Whether a model is set up at the nearest free place instead of falling onto somebody."""
        return one.rules.procedure(Procedure.NEAREST_LANDING) is not None

    def after_landing(self, state: State, who: str, met: tuple[str, ...], then: Then) -> Tree:
        """Where a model ended too near enemies against its will: what the pack does, once all else is resolved.

        met: ids of the models that it came down on.
        """
        one = state[who]
        m = one.rules.movement
        if one.out or self.lands_gently(one) or m.involuntary_near is InvoluntaryNear.NOTHING:
            return then(state)
        near = [
            enemy
            for enemy in self.enemies(state, who)
            if self.kept_from(enemy) and self._gap(one, enemy) < m.keep_distance - _TICK / 2
        ]
        if not near:
            return then(state)
        if m.involuntary_near is InvoluntaryNear.MOVED_AWAY:
            hurt = bool(one.hits) and any(enemy.placed.id in met for enemy in near)
            return self.away(state, who, m.keep_distance, "involuntary_near", then, unless_injured=hurt)
        if any(plan_gap(one.base, enemy.base) <= CONTACT for enemy in near):
            return then(state)
        return self._contact(state, who, min(near, key=lambda enemy: self._gap(one, enemy)), then)

    def _gap(self, one: One, other: One) -> float:
        """Measured distance of two models; inf where something solid is between them, or it is far."""
        reach = one.rules.movement.keep_distance + 1.0
        if float(gaps(np.array([one.at]), one.base, other.base)[0]) > reach:
            return float("inf")
        return self.site.field.measuring.distance(one.base, other.base)

    def away(
        self, state: State, who: str, keep: float, rule: str, then: Then, *, unless_injured: bool = False
    ) -> Tree:
        """A model is moved to the nearest place that keeps so far from all enemies, on the floor that it is on.

        keep: inches. Where there is none, the players say what becomes of it.
        """
        one = state[who]
        near = [
            Near(
                other.base,
                other.placed.height,
                keep if one.placed.is_enemy(other.placed) and self.kept_from(other) else 0.0,
            )
            for key, other in state.items()
            if key != who and not other.out
        ]
        at = self.site.rest(one.rules, one.base, one.placed.height, one.at, near, level=True)
        if at is None:
            return then(state).after(self.told(Event.PLAYERS, who, "no-room-away", rule))
        if at == one.at:
            return then(state)
        words = "moved-away-unless" if unless_injured else "moved-away"
        told = self.told(Event.MOVED, who, words, rule, {"keep": length(keep)}, at=at)
        return then(moved(state, who, at)).after(told)

    def _contact(self, state: State, who: str, enemy: One, then: Then) -> Tree:
        """A model is moved straight into contact with an enemy."""
        one = state[who]
        at = _towards(one, enemy)
        near = [Near(o.base, o.placed.height) for key, o in state.items() if key != who and not o.out]
        rule = "involuntary_near"
        if self.site.rest(one.rules, one.base, one.placed.height, at, near) != at:
            return then(state).after(self.told(Event.PLAYERS, who, "no-contact", rule))
        told = self.told(Event.MOVED, who, "into-contact", rule, {"name": enemy.placed.id}, at=at)
        return then(moved(state, who, at)).after(told)


def _towards(one: One, enemy: One) -> Point:
    """Where a model touches an enemy, straight towards it."""
    gap = plan_gap(one.base, enemy.base)
    way = np.array(enemy.at[:2]) - np.array(one.at[:2])
    x, y = np.array(one.at[:2]) + way / max(float(np.hypot(*way)), 1e-9) * gap
    return (float(x), float(y), one.at[2])
