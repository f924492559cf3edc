"""Falls as trees of outcomes: dangers at a lip, the way down, hits and mishaps, landing on somebody, falling again.

A tree is worked out from places, statuses and the pack alone; nothing is rolled here.
"""

from __future__ import annotations

from sandbox.moves import odds_tree as tree
from sandbox.moves.answers import Hit, Point
from sandbox.moves.distance import plan_gap
from sandbox.moves.fails import hit_of
from sandbox.moves.falling_apart import Apart
from sandbox.moves.falling_ground import Drop, Edge
from sandbox.moves.falling_state import NONE, One, State, Then, changed, moved
from sandbox.moves.odds_tree import Event, Happening, Throw, Tree
from sandbox.moves.words import length
from sandbox.rules import dice, falls
from sandbox.rules.schema import MishapTable
from sandbox.rules.ticks import begun
from sandbox.rules.words import FallAgain, FallOnModel, Harm, Posture, RailEffect
from sandbox.units import SNAP_MM, inches

_TICK = inches(SNAP_MM)
_LEVEL = 0.05
"""inches: a fall of less goes into something level with the floor."""
_DEEP = 1000.0
"""inches: what counts for a drop without a bottom."""


class Falling(Apart):
    """Works out what happens to models that go down or fall on one battlefield."""

    # -- going down next to a lip ------------------------------------------------------------------------------

    def becomes(self, state: State, who: str, status: str, rule: str, then: Then) -> Tree:
        """A model gets a status; next to a lip that may mean a fall. rule: what gives it the status."""
        old, row = state[who], self.pack.status(status)
        engaged = self.engaged_with(state, who)
        now = self.with_status(state, who, status)
        told = self.told_status(who, status, rule)

        def moved_off(after: State) -> Tree:
            keep = row.moved_when_engaged
            if keep is None or not engaged or after[who].fallen > old.fallen or after[who].out:
                return then(after)
            return self.away(after, who, keep, "injured_moved", then)

        if row.tested_at_lips and not self.lies(old) and status not in old.rules.statuses:
            return self.hazard(now, who, moved_off).after(told)
        return moved_off(now).after(told)

    def hazard(self, state: State, who: str, then: Then) -> Tree:
        """The danger of a model that has just gone down at a lip: a check, and a fall on a fail."""
        one = state[who]
        m = one.rules.movement
        edge = self.danger(one)
        if edge is None or m.edge_check == NONE:
            return then(state)
        railed = edge.rail > 0.0
        if railed and m.rail_effect is RailEffect.PREVENTS:
            return then(state).after(self.told(Event.STAYS, who, "rail-holds", "rail_effect"))
        return self.check(
            one,
            m.edge_check,
            m.rail_bonus if railed else 0,
            "edge",
            "edge_check",
            lambda: then(state).after(self.told(Event.STAYS, who, "edge-stays", "edge_zone")),
            lambda: self.fall(state, who, then, edge),
        )

    def danger(self, one: One) -> Edge | None:
        """The nearest lip that is a danger to a model which goes down where it is; None where none is."""
        m = one.rules.movement
        body = self.site.body(one.base, one.placed.height)
        edges = self.site.edges(one.rules, body, one.at, m.edge_zone + _TICK)
        return next((e for e in edges if m.is_edge_danger(e.distance, min(e.drop, _DEEP))), None)

    # -- falling -----------------------------------------------------------------------------------------------

    def fall(self, state: State, who: str, then: Then, edge: Edge | None = None) -> Tree:
        """A model falls from where it is: over a lip where one is given, else by the shortest way off."""
        one = state[who]
        body = self.site.body(one.base, one.placed.height)
        return self._down(state, who, self.site.drop(one.rules, body, one.at, edge), then)

    def leap_short(self, state: State, who: str, towards: Point, then: Then) -> Tree:
        """A model falls from the lip where it stands, on the way to the far side of a leap."""
        one = state[who]
        body = self.site.body(one.base, one.placed.height)
        return self.fall(state, who, then, self.site.edge_towards(one.rules, body, one.at, towards))

    def land(self, state: State, who: str, at: Point, height: float, then: Then) -> Tree:
        """A model falls so high (inches) and comes down at a place that is known: where a jump would have landed."""
        here = state[who].at
        return self._down(
            state, who, Drop((here[0], here[1], at[2] + height), at, at[2], None, pit=False), then
        )

    def drop_down(self, state: State, who: str, at: Point, then: Then) -> Tree:
        """A model is in open air at a place, and falls straight down from there."""
        return self._down(state, who, self.site.straight_down(state[who].rules, state[who].base, at), then)

    def slip(self, state: State, who: str, at: Point, then: Then) -> Tree:
        """A model loses its footing at a place, and comes to rest at the nearest one where it can."""
        return self._down(moved(state, who, at), who, Drop(at, at, at[2], None, pit=False), then)

    def into_pit(self, state: State, who: str, then: Then) -> Tree:
        """A model falls into an agreed pitfall beside it."""
        here = state[who].at
        harm = state[who].rules.movement.pitfall_fail
        return self._lost(state, who, Drop(here, here, None, None, pit=True), "pitfall_fail", harm, then)

    def _down(self, state: State, who: str, drop: Drop, then: Then) -> Tree:
        """The way down, and what is met there."""
        one = state[who]
        m = one.rules.movement
        if drop.pit and m.pitfall_fail is not Harm.NOTHING:
            return self._lost(state, who, drop, "pitfall_fail", m.pitfall_fail, then)
        if drop.under is None:
            return self._lost(state, who, drop, "fall_nowhere", m.fall_nowhere, then)
        under = (drop.off[0], drop.off[1], drop.under)
        met = () if self.lands_gently(one) else self._met(state, who, drop, under)
        beside = bool(met) and m.fall_on_model is FallOnModel.BESIDE
        near = self.keep_clear(state, who, beside=beside)
        goal = under if drop.landing is None else drop.landing
        places: tuple[Point, ...] = (goal,)
        if drop.landing is None or not self.site.is_free(one.base, one.placed.height, goal, near):
            places = self.site.rests(one.rules, one.base, one.placed.height, goal, near)
        if not places:
            return self._lost(state, who, drop, "fall_nowhere", m.fall_nowhere, then)
        if len(places) > 1 and beside:
            throw = Throw("direction", "beside", who, "placed_beside", self.source("placed_beside"))
            return tree.of_directions(throw, [self._landed(state, who, drop, met, p, then) for p in places])
        return self._landed(state, who, drop, met, places[0], then)

    def _lost(self, state: State, who: str, drop: Drop, rule: str, harm: Harm, then: Then) -> Tree:
        """A fall that ends nowhere."""
        height = None if drop.under is None else max(0.0, drop.start[2] - drop.under)
        now = changed(state, who, fallen=state[who].fallen + (height or 0.0), goes_on=False)
        if height is None:
            fell = self.told(Event.FALL, who, "falls-away", rule, start=drop.start)
        else:
            words = "falls-in" if height < _LEVEL else "falls"
            filled = {"height": length(height)}
            fell = self.told(Event.FALL, who, words, rule, filled, start=drop.start, height=height)
        if harm is Harm.NOTHING:
            return then(now).after(fell, self.told(Event.PLAYERS, who, "agree", rule))
        out = self.told(Event.OUT, who, f"lost-{harm.value}", rule)
        return then(changed(now, who, out=True)).after(fell, out)

    def _met(self, state: State, who: str, drop: Drop, under: Point) -> tuple[str, ...]:
        """Models that a faller comes down on: in the column that it falls through, above what is under it."""
        base = state[who].base.moved(under)
        return tuple(
            key
            for key, other in state.items()
            if key != who
            and not other.out
            and other.at[2] < drop.start[2] - _TICK
            and other.at[2] + other.placed.height > under[2] + _TICK
            and plan_gap(base, other.base) < -_TICK
        )

    # -- on the ground -----------------------------------------------------------------------------------------

    def _landed(
        self, state: State, who: str, drop: Drop, met: tuple[str, ...], at: Point, then: Then
    ) -> Tree:
        """A faller has come down: hits and statuses, then who it fell on, then the next lip."""
        one = state[who]
        m = one.rules.movement
        height = max(0.0, drop.height_to(at))
        total = one.fallen + height
        filled = {"height": length(height)}
        told: tuple[Happening, ...] = (
            self.told(
                Event.FALL, who, "falls", "fall_status", filled, at=at, start=drop.start, height=height
            ),
            *(self.told(Event.LANDS_ON, who, "lands-on", "fall_on_model", {"name": name}) for name in met),
        )
        now = changed(moved(state, who, at), who, fallen=total)
        summed = m.fall_again is FallAgain.SUM
        edge = self._next_edge(now[who]) if summed else None
        if edge is not None:
            on = self.told(Event.STAYS, who, "falls-on", "fall_again")
            return self.fall(now, who, then, edge).after(*told, on)
        hit = hit_of(self.pack, one.rules, total if summed else height)
        if hit is not None:
            now = changed(now, who, hits=(*now[who].hits, hit))
            told = (*told, self.told(Event.HIT, who, "hit", "fall_hurts_from", {"hit": hit}, hit=hit))
        if self.base_row(one).posture is Posture.VEHICLE:
            filled = {"modifier": f"{-begun(height, 3.0):+d}"}
            control = self.told(Event.PLAYERS, who, "control", "vehicle_falls", filled)
            return then(changed(now, who, goes_on=False)).after(*told, control)

        def apart(after: State) -> Tree:
            return self.after_landing(after, who, met, lambda s: self._again(s, who, then))

        struck = met if m.fall_on_model is FallOnModel.HIT_BOTH else ()
        return self._laid_low(now, who, lambda s: self._struck(s, struck, hit, apart)).after(*told)

    def _laid_low(self, state: State, who: str, then: Then) -> Tree:
        """What a fall makes of the faller: its status, and the end of its activation."""
        m = state[who].rules.movement
        told: list[Happening] = []
        now = state
        if m.fall_stay_check == NONE and self._lowers(now[who], m.fall_status):
            now = self.with_status(now, who, m.fall_status)
            told.append(self.told_status(who, m.fall_status, "fall_status"))
        if m.fall_ends_activation:
            now = changed(now, who, goes_on=False)
            told.append(self.told(Event.ENDS, who, "ends", "fall_ends_activation"))
        return then(now).after(*told)

    def _lowers(self, one: One, status: str) -> bool:
        """Whether the status of a fall is worse than what a model has: it does not lie, and falls lay it low."""
        return (
            not self.lies(one)
            and status not in one.rules.statuses
            and status != self.pack.file.default_status
        )

    def _struck(self, state: State, met: tuple[str, ...], hit: Hit | None, then: Then) -> Tree:
        """Who was fallen on takes the same hit and lies down too, next to a lip with a check of its own."""
        if not met:
            return then(state)
        other, rest = met[0], met[1:]
        now, told = state, list[Happening]()
        if hit is not None:
            now = changed(now, other, hits=(*now[other].hits, hit))
            told.append(self.told(Event.HIT, other, "hit", "fall_on_model", {"hit": hit}, hit=hit))

        def on(after: State) -> Tree:
            return self._struck(after, rest, hit, then)

        status = self.pack.movement.fall_status
        if not self._lowers(now[other], status) or self.base_row(now[other]).posture is Posture.VEHICLE:
            return on(now).after(*told)
        return self.becomes(now, other, status, "fall_on_model", on).after(*told)

    # -- falling again, and the end of a fall ------------------------------------------------------------------

    def _next_edge(self, one: One) -> Edge | None:
        """The lip next to a landing that a faller may go over; None where there is none, or its railing holds."""
        m = one.rules.movement
        body = self.site.body(one.base, one.placed.height)
        edges = self.site.edges(one.rules, body, one.at, m.fall_again_zone)
        if not edges:
            return None
        held = edges[0].rail > 0.0 and m.fall_again_rail and m.rail_effect is RailEffect.PREVENTS
        return None if held else edges[0]

    def _again(self, state: State, who: str, then: Then) -> Tree:
        """A faller next to another lip checks, and on a fail falls again; then what is left of the fall."""
        one = state[who]
        m = one.rules.movement
        edge = None
        if not one.out and m.fall_again is FallAgain.CHECK and m.fall_again_check != NONE:
            edge = self._next_edge(one)
        if edge is None:
            return self._come_to_rest(state, who, then)
        return self.check(
            one,
            m.fall_again_check,
            m.rail_bonus if edge.rail > 0.0 and m.fall_again_rail else 0,
            "fall-again",
            "fall_again",
            lambda: self._come_to_rest(state, who, then).after(
                self.told(Event.STAYS, who, "edge-stays", "fall_again")
            ),
            lambda: self.fall(state, who, then, edge),
        )

    def _come_to_rest(self, state: State, who: str, then: Then) -> Tree:
        """The last of a fall: a mishap roll, or the check that keeps a model standing."""
        one = state[who]
        m = one.rules.movement
        table = self.pack.file.tables.mishap
        if one.out:
            return then(state)
        if table is not None:
            return self._mishap(state, who, table, then) if m.fall_hurts else then(state)
        if m.fall_stay_check == NONE or not self._lowers(one, m.fall_status):
            return then(state)

        def lies() -> Tree:
            told = self.told_status(who, m.fall_status, "fall_status")
            return then(self.with_status(state, who, m.fall_status)).after(told)

        stays = self.told(Event.STAYS, who, "stays-standing", "fall_stay_check")
        return self.check(
            one,
            m.fall_stay_check,
            0,
            "stay-standing",
            "fall_stay_check",
            lambda: then(state).after(stays),
            lies,
        )

    def _mishap(self, state: State, who: str, table: MishapTable, then: Then) -> Tree:
        """The mishap roll of a fall, with the height altogether."""
        one = state[who]
        addition = falls.mishap_addition(table, one.rules.movement.fall_height(one.fallen))
        rows = sorted(table.rows, key=lambda r: r.from_total)
        groups: dict[int, list[int]] = {}
        for value in dice.roll(table.dice):
            total = int(value) + addition
            index = max((i for i, row in enumerate(rows) if total >= row.from_total), default=0)
            groups.setdefault(index, []).append(int(value))
        rule = "table.mishap"
        throw = Throw(table.dice, "mishap", who, rule, self.source(rule), modifier=addition)
        return tree.of_results(
            throw,
            [
                (tuple(faces), self._mishap_result(state, who, table, index, then))
                for index, faces in sorted(groups.items())
            ],
        )

    def _mishap_result(self, state: State, who: str, table: MishapTable, index: int, then: Then) -> Tree:
        """One row of the table, from the mildest."""
        one, rule = state[who], "table.mishap"
        rows = sorted(table.rows, key=lambda r: r.from_total)
        order = [row.status for row in rows]
        worst = max((order.index(s) for s in one.rules.statuses if s in order), default=-1)
        status, now = rows[index].status, state
        if status is None or index <= worst:
            words = "mishap" if status is None else "mishap-already"
            return then(now).after(self.told(Event.STAYS, who, words, rule))
        told: list[Happening] = []
        spare = table.wounds_left
        if self.pack.status(status).leaves_game and spare and one.rules.profile.get("W", 1) > 1:
            status = spare
            now = changed(now, who, wounds_lost=one.wounds_lost + 1)
            told.append(self.told(Event.WOUND, who, "wound", "multi_wound", {"result": rows[index].result}))
        told.append(self.told_status(who, status, rule))
        return then(self.with_status(now, who, status)).after(*told)
