"""Vehicles in a game: what they drive over and break, who rides along and falls off, what becomes of their loads."""

from __future__ import annotations

import math

import numpy as np

from sandbox.errors import UserError
from sandbox.moves import driving
from sandbox.moves.answers import Point
from sandbox.moves.battlefield import Battlefield
from sandbox.moves.distance import Base
from sandbox.moves.engagement import Engaging
from sandbox.moves.fails import status_words
from sandbox.moves.falling import Falling
from sandbox.moves.falling_ground import Site
from sandbox.moves.falling_state import moved, state_of
from sandbox.moves.falling_straight import Stop
from sandbox.moves.odds_tree import Throw
from sandbox.moves.placed import Placed, touching
from sandbox.moves.words import length
from sandbox.play import outcomes, platforms, turns
from sandbox.play.dice import ANGLE, Dice, fair
from sandbox.play.events import Event, event, measured, of_throw
from sandbox.play.orders import Order
from sandbox.play.state import PieceState, State, changed, number, place, point, with_model
from sandbox.play.table import Table, under
from sandbox.play.words import say
from sandbox.rules import ActionRules
from sandbox.rules.words import Posture

Told = tuple[State, list[Event]]
RIDERS, LOOT, BREAK, FALLS = "riders", "loot", "vehicles_break", "vehicle_falls"
_DRIVE = "drive"
_TAGS = ("tag.vehicle", "tag.wheeled")
"""tags that say how a vehicle pays for its ground without changing a number."""
_HULL, _OFF = 3.0, 0.1
"""inches that a load is moved on at most to clear a hull, and at a time."""
_PLAIN = 0.005
"""inches: what a drive costs, where that is as near to its length, needs no word."""
_NEAR = 0.01
"""inches from a place below which it is reached."""
_SAME = 0.01
"""degrees below which a heading is the same."""


def driven(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A vehicle drives along straight stretches, turning between them, as far as its allowance and the ground let it."""
    who = order["who"]
    before, told = turns.ready(table, state, who)
    if told and told[-1]["what"] == "refused":
        return state, told
    refused = _refused(table, before, order)
    if refused is not None:
        return state, [refused]
    field = table.field(before, who)
    one = field.fighter(who)
    move = one.rules.action("move")
    assert isinstance(move, ActionRules)
    budget = float(order.get("inches", move.allowance))
    now = turns.spent(before, who, _DRIVE, turns.full_price(move))
    mounted, loads = _on(table, now, who)
    drive = _Drive(table, now, who, dice, told)
    for to in order["path"]:
        if not drive.stretch((float(to[0]), float(to[1])), budget):
            break
    limits = measured("cost", drive.paid, budget)
    drives = event(
        table.pack, "acts", who, _drives(drive), "action.move",
        rules=sorted(drive.rules), measured=limits, path=drive.path,
    )  # fmt: skip
    told.insert(drive.first, drives)
    now = riders(table, drive.state, who, mounted, loads, drive.start, dice, told, again=False)
    return drive.over(now), told


def shoved(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A collision moves a vehicle: straight, without turning it. Those on it test again."""
    who = order["who"]
    _vehicle(table, who)
    mounted, loads = _on(table, state, who)
    field = table.field(state, who)
    one = field.fighter(who)
    way = math.radians(order["facing"])
    line = driving.Driven(field, one, np.array([math.cos(way), math.sin(way)]))
    gone, stop = line.far(float(order["inches"]))
    told = [
        event(
            table.pack, "shoved", who, say("driving", "shoved", gone=length(gone)), "riders",
            at=point(line.at(gone)), measured=measured("pushed", gone, float(order["inches"])),
        )
    ]  # fmt: skip
    drive = _Drive(table, state, who, dice, told)
    drive.put(line.at(gone), one.base.facing)
    now = riders(table, drive.state, who, mounted, loads, drive.start, dice, told, again=True)
    drive.lip = stop is Stop.LIP
    return drive.over(now), told


def _vehicle(table: Table, who: str) -> None:
    if not table.is_vehicle(who):
        raise UserError(f"{who} is no vehicle: it has neither the tag nor the status of one")


def _refused(table: Table, state: State, order: Order) -> Event | None:
    """Too many turns or too sharp ones, or a vehicle that cannot move."""
    who = order["who"]
    _vehicle(table, who)
    if not order["path"]:
        raise UserError("drives needs at least one place")
    field = table.field(state, who)
    one = field.fighter(who)
    stopped = [s for s in one.rules.statuses if not table.pack.status(s).moves]
    if stopped:
        return event(
            table.pack,
            "refused",
            who,
            say("driving", "cannot-move", status=status_words(stopped[0])),
            f"status.{stopped[0]}",
        )
    move = one.rules.action("move")
    if not isinstance(move, ActionRules):
        return event(table.pack, "refused", who, move.text, move.rule)
    short = turns.refusal(table, state, one, move, "move")
    if short is not None:
        return short
    m, here, facing, count = one.rules.movement, one.at, one.base.facing, 0
    for to in order["path"]:
        after = driving.heading(here, (float(to[0]), float(to[1])))
        turn = abs(driving.turned_by(facing, after))
        if turn > m.vehicle_turn + _SAME:
            limit = measured("turn", turn, m.vehicle_turn, "degrees")
            return event(
                table.pack,
                "refused",
                who,
                say("driving", "sharp", degrees=f"{turn:.0f}"),
                "vehicle_turn",
                measured=limit,
            )
        count += turn > _SAME
        facing, here = after, (float(to[0]), float(to[1]), here[2])
    if count > m.vehicle_turns:
        limit = measured("turns", count, m.vehicle_turns, "")
        return event(
            table.pack, "refused", who, say("driving", "turns", turns=count), "vehicle_turns", measured=limit
        )
    return None


class _Drive:
    """One drive as it goes on."""

    def __init__(self, table: Table, state: State, who: str, dice: Dice, told: list[Event]) -> None:
        self.table, self.state, self.who, self.dice, self.told = table, state, who, dice, told
        self.start = table.field(state, who).fighter(who)
        self.first = len(told)
        self.paid = self.gone = 0.0
        self.turns = 0
        self.lip = False
        self.rules: set[str] = {"facing"}
        self.path = [point(self.start.at)]

    def stretch(self, to: tuple[float, float], budget: float) -> bool:
        """Go on towards a place; whether it got there."""
        while True:
            field = self.table.field(self.state, self.who)
            one = field.fighter(self.who)
            heading = driving.heading(one.at, to)
            if abs(driving.turned_by(one.base.facing, heading)) > _SAME:
                self.turns += 1
                self.rules |= {"vehicle_turns", "vehicle_turn"}
            one = driving.facing(one, heading)
            found = driving.stretch(field, one, to, budget - self.paid)
            self._ground(one, found)
            self.paid, self.gone = self.paid + found.cost, self.gone + found.gone
            self.put(found.at, heading)
            self._dangers(one, found.dangers)
            flimsy = tuple(self.state["agreed"].get("flimsy", ()))
            if found.stop is Stop.DISTANCE:
                return math.dist(found.at[:2], to) < _NEAR
            broken = driving.breaks(field, found.part, flimsy) if found.stop is Stop.SOLID else None
            if broken is None or broken not in self.state["pieces"]:
                return self._stopped(field, found)
            self._break(broken, flimsy=broken in flimsy)

    def _ground(self, one: Placed, found: driving.Stretch) -> None:
        if found.difficult > 0.0:
            self.rules |= {"difficult_cost", "kind.difficult"}
        self.rules |= {used.id for used in one.rules.used if used.entry.ignores or used.id in _TAGS}

    def _dangers(self, one: Placed, patches: int) -> None:
        """A test for each patch of dangerous ground; a failed one is a hit to its Drive, and the players say more."""
        check = one.rules.movement.dangerous_check
        for _ in range(patches if check != "none" else 0):
            _, passed, rolled = outcomes.checked(
                self.table, one, check, "dangerous", "dangerous_vehicle_check", self.dice
            )
            self.told.append(rolled)
            if not passed:
                self._catastrophe()

    def _catastrophe(self) -> None:
        text = say("driving", "catastrophic")
        self.told.append(event(self.table.pack, "players", self.who, text, "dangerous_vehicle_fail"))
        self.state = outcomes.left_open(self.state, self.told[-1])

    def _break(self, piece: str, *, flimsy: bool) -> None:
        """What it crosses is destroyed and taken off the board; it may be damaged itself."""
        self.rules.add(BREAK)
        left = {key: one for key, one in self.state["pieces"].items() if key != piece}
        self.state = changed(self.state, pieces=left)
        words = say("driving", "destroys-flimsy" if flimsy else "destroys", piece=piece)
        self.told.append(event(self.table.pack, "destroyed", self.who, words, BREAK))
        text = say("driving", "damaged", piece=piece)
        self.told.append(event(self.table.pack, "players", self.who, text, BREAK))
        self.state = outcomes.left_open(self.state, self.told[-1])

    def _stopped(self, field: Battlefield, found: driving.Stretch) -> bool:
        if found.stop is Stop.LIP:
            self.lip = True
            return False
        name = found.met or (
            field.terrain.parts[found.part].piece if found.part >= 0 else say("driving", "edge")
        )
        text = say("driving", "runs-into", name=name)
        self.told.append(event(self.table.pack, "players", self.who, text, BREAK))
        self.state = outcomes.left_open(self.state, self.told[-1])
        return False

    def put(self, at: Point, facing: float) -> None:
        """The vehicle, and its hull, somewhere else."""
        old = self.state["models"][self.who]
        turn = driving.turned_by(old["facing"], facing)
        before = place(old["at"])
        self.state = with_model(self.state, self.who, at=point(at), facing=number(facing))
        self.path.append(point(at))
        if self.who in self.state["pieces"]:
            hull = self.state["pieces"][self.who]
            along = platforms.turned_with(hull, before, at, turn)
            self.state = changed(self.state, pieces={**self.state["pieces"], self.who: along})

    def over(self, state: State) -> State:
        """Driven or rammed over a lip it falls: a test for control, and a hit on its rear and its Drive."""
        if not self.lip:
            return state
        field = self.table.field(state, self.who)
        one = field.fighter(self.who)
        way = math.radians(one.base.facing)
        x, y, z = place(state["models"][self.who]["at"])  # over the lip the floor there is another already
        ahead = (x + math.cos(way), y + math.sin(way), z)
        falling = Falling(Site(field), Engaging(field))
        now = moved(state_of(field.fighters), self.who, (x, y, z))
        tree = falling.leap_short(now, self.who, ahead, falling.finish(self.who))
        self.told.append(event(self.table.pack, "stays", self.who, say("driving", "over"), FALLS))
        happened, ends, _ = outcomes.walked(tree, self.dice)
        self.told += happened
        before = place(state["models"][self.who]["at"])
        fallen = outcomes.laid(self.table, state, ends, happened)
        if self.who in fallen["pieces"]:
            hull: PieceState = fallen["pieces"][self.who]
            down = platforms.turned_with(hull, before, place(fallen["models"][self.who]["at"]), 0.0)
            fallen = changed(fallen, pieces={**fallen["pieces"], self.who: down})
        return fallen


# -- riders and loads ------------------------------------------------------------------------------------------


def _drives(drive: _Drive) -> str:
    name = {0: "drives-straight", 1: "drives-one"}.get(drive.turns, "drives")
    words = say("driving", name, gone=length(drive.gone), turns=drive.turns)
    plain = abs(drive.paid - drive.gone) < _PLAIN
    return words if plain else say("acts", "priced", leg=words, cost=length(drive.paid))


def _on(table: Table, state: State, who: str) -> tuple[list[str], list[str]]:
    return platforms.aboard(table, state, who) if who in state["pieces"] else ([], [])


def riders(
    table: Table,
    state: State,
    who: str,
    mounted: list[str],
    loads: list[str],
    start: Placed,
    dice: Dice,
    told: list[Event],
    *,
    again: bool,
) -> State:
    """Who and what was on a vehicle that moved: carried along; outside transport spaces they test or fall off.

    again: a collision moved it: they test even where they have in this activation.
    """
    end = table.field(state, who).fighter(who)
    turn = driving.turned_by(start.base.facing, end.base.facing)
    now = platforms.carried(state, mounted, loads, start.at, end.at, turn)
    safe = set(now["agreed"].get("transport", ()))
    steady, off = list[str](), list[str]()
    tests = [name for name in mounted if name not in safe and (again or f"rider {name}" not in now["done"])]
    field = table.field(now)
    for name in tests:
        one = field.fighter(name)
        check = one.rules.movement.rider_check
        if check == "none":
            continue
        _, passed, rolled = outcomes.checked(table, one, check, "ride", RIDERS, dice)
        told.append(rolled)
        (steady if passed else off).append(name)
        if not again:
            now = changed(now, done=[*now["done"], f"rider {name}"])
    for name in off:
        now = _falls_off(table, now, who, name, dice, told)
    return _loads(table, now, who, [name for name in loads if name not in safe], steady, dice, told)


def _falls_off(table: Table, state: State, who: str, name: str, dice: Dice, told: list[Event]) -> State:
    """A rider is placed an inch from the vehicle, where the scatter die points, and has fallen."""
    field, vehicle = table.field(state), table.field(state, who).fighter(who)
    one = field.fighter(name)
    degrees = _direction(table, name, dice, told)
    x, y = driving.beside(one.base, vehicle.base, float(degrees), one.rules.movement.rider_distance)
    z = field.ground.floor_at(x, y, vehicle.at[2])
    floor = vehicle.at[2] if z is None else z
    falling = Falling(Site(field), Engaging(field))
    at = (x, y, floor)
    # where it ends is told with its fall
    told.append(event(table.pack, "falls-off", name, say("driving", "falls-off", vehicle=who), RIDERS))
    state_ = state_of(field.fighters)
    near = falling.keep_clear(state_, name, beside=False)
    rest = falling.site.rest(one.rules, one.base, one.height, at, near)
    if rest is not None and rest != at:
        told.append(event(table.pack, "moved", name, say("driving", "shifted"), RIDERS, at=point(rest)))
        at = rest
    tree = falling.land(state_, name, at, max(0.0, one.at[2] - at[2]), falling.finish(name))
    happened, ends, _ = outcomes.walked(tree, dice)
    told += happened
    return outcomes.laid(table, state, ends, told)


def _direction(table: Table, name: str, dice: Dice, told: list[Event]) -> int:
    throw = Throw(
        ANGLE,
        "direction",
        name,
        RIDERS,
        table.pack.rule(RIDERS).source if RIDERS in table.pack.rule_ids else "",
    )
    face = dice.roll(throw, fair(throw))
    told.append(of_throw(throw, face, None))
    return face


def _loads(
    table: Table, state: State, who: str, loads: list[str], steady: list[str], dice: Dice, told: list[Event]
) -> State:
    """Things fall off, unless somebody who kept his feet touches them."""
    now = state
    for name in loads:
        field = table.field(now)
        at = place(now["items"][name]["at"])
        thing = platforms.thing_base(at)
        holder = next((h for h in steady if touching(field.fighter(h).base, thing, 0.5)), None)
        if holder is not None:
            told.append(event(table.pack, "held", name, say("driving", "held", name=holder), LOOT))
            continue
        vehicle = table.field(now, who).fighter(who)
        down = _beside(field, who, vehicle, thing, float(_direction(table, name, dice, told)))
        told.append(
            event(
                table.pack, "falls-off", name, say("driving", "load-falls", vehicle=who), LOOT, at=point(down)
            )
        )
        now = changed(now, items={**now["items"], name: {"at": point(down)}})
    return now


def _beside(field: Battlefield, who: str, vehicle: Placed, thing: Base, degrees: float) -> Point:
    """Where a load comes down beside a vehicle, clear of a hull that is larger than its base."""
    off = 0.0
    while True:
        x, y = driving.beside(thing, vehicle.base, degrees, off)
        z = field.ground.floor_at(x, y, vehicle.at[2])
        down = (x, y, vehicle.at[2] if z is None else z)
        if off >= _HULL or under(field, down) != who:
            return down
        off += _OFF


def ends_on(table: Table, state: State, who: str, dice: Dice) -> tuple[State, list[Event]]:
    """A skimmer whose activation ends on difficult or dangerous ground tests its Handling."""
    if not table.is_vehicle(who) or state["models"][who]["out"]:
        return state, []
    field = table.field(state, who)
    one = field.fighter(who)
    skims = next((u for u in one.rules.used if u.id == "tag.skimmer"), None)
    if skims is None or one.rules.posture is not Posture.VEHICLE:
        return state, []
    if driving.raw_ground_at(field, one.at) == driving.OPEN:
        return state, []
    _, passed, rolled = outcomes.checked(
        table, one, one.rules.movement.dangerous_vehicle_check, "skimmer", "tag.skimmer", dice
    )
    told = [rolled]
    if passed:
        return state, told
    told.append(event(table.pack, "players", who, say("driving", "catastrophic"), "tag.skimmer"))
    return outcomes.left_open(state, told[-1]), told
