"""An action that a model takes: asked of the battlefield, rolled for, and what comes of it laid into the state."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sandbox.kinds import Kind
from sandbox.moves import odds
from sandbox.moves.answers import Leg, LegalMoves, LegKind, Move, Ruling
from sandbox.moves.battlefield import Battlefield
from sandbox.moves.carrying import Carry
from sandbox.moves.declared import leap_beyond
from sandbox.moves.odds_tree import After, Tree
from sandbox.moves.odds_tree import Event as What
from sandbox.moves.placed import Placed
from sandbox.moves.words import length
from sandbox.play import aiming, gone, outcomes, platforms, special, turns
from sandbox.play.cited import cited
from sandbox.play.dice import Dice
from sandbox.play.events import Event, event, of_move, of_ruling
from sandbox.play.orders import Order
from sandbox.play.state import State, changed, number, point, with_model
from sandbox.play.table import Table
from sandbox.play.words import say
from sandbox.rules import ActionRules
from sandbox.rules.statements import RuleName
from sandbox.rules.words import Cost, Procedure

_STEP = 0.05
"""inches: a shorter walk between other legs is not worth a word."""
_SAME = 0.005
"""inches: costs nearer to a length than this are that length."""
_STAYED = 0.02
"""inches: who ends this near to where it was has not moved."""
_MEASURED = (LegKind.WALK, LegKind.LEAP, LegKind.FLY, LegKind.SCRAMBLE)
"""legs whose sentence says how long they are."""
Told = tuple[State, list[Event]]


def act(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """The action of an order. Refused: the state as it was, and the rulings as events."""
    who, action = order["who"], order["action"]
    before, told = turns.ready(table, state, who)
    if told and told[-1]["what"] == "refused":
        return state, told
    cutter = _cutter(table, before, order)
    field = table.field(before, who) if cutter is None else platforms.flown(table, before, who, cutter)
    one = field.fighter(who)
    found = one.rules.action(action)
    order = aiming.targeted(before, one, found, order)
    barred = turns.refusal(table, before, one, found, action)
    if barred is None and state["strict"]:
        barred = special.granted_refusal(table, before, one, action)
    if barred is not None:
        return state, [barred]
    moves = field.moves(who, action, order.get("target"))
    x, y, z = aiming.goal(one, moves, order)
    move = moves.to(x, y, z, facing=order.get("facing"))
    tried = leap_beyond(field, move) if before["declare"] and not move.legal else None
    tree = _tree(before, field, moves, move) if tried is None else tried[1]
    if tried is not None:
        told = [*told, {**of_ruling(table.pack, who, tried[0]), "what": "tries"}]
    if tree is None:
        return state, [of_ruling(table.pack, who, ruling) for ruling in _told_of(before, move)]
    full = None if cutter is not None else platforms.taken(table, before, field, who, move.to)
    if full is not None:
        return state, [full]
    cost = turns.price(before, one, found) if isinstance(found, ActionRules) else 0
    now = turns.spent(before, who, action, cost)
    strikes, now = _strikes(table, now, field, one, found, dice)
    procedure = found.row.procedure if isinstance(found, ActionRules) else None
    if procedure is Procedure.TELEPORT:
        happened, ends = special.teleport(table, field, one, move, dice)
        told = [*told, of_move(table.pack, move, cited(field, one, move), gone=0.0), *happened]
        now = outcomes.laid(table, now, ends, told)
        return now, [*told, *special.engages_without_charge(table, now, who)]
    happened, ends, reached = outcomes.walked(tree, dice)
    rules = [*cited(field, one, move)]
    if not move.legal and tried is None:
        rules += _short_rules(one, move, ends)
    if isinstance(found, ActionRules):
        rules += ["charge"] if reached and found.row.must_engage else []
        rules += turns.free_by(before, one, found) if cost < turns.full_price(found) else []
    paid = move.cost if reached else None
    acts = of_move(table.pack, move, rules, gone=paid, target=order.get("target"))
    if move.legs:
        acts["path"] = gone.over(move, happened, ends, reached=reached)
    if reached:
        acts["text"] = _with_way(acts["text"], move)
    if procedure is Procedure.STAND_UP:
        happened = _stood_up(acts, happened)
    told = [*told, *strikes, acts, *happened]
    if cutter is not None and ends and ends[0].at is not None:
        acts["rules"] = [*acts["rules"], platforms.GEAR]
        acts["text"] = say("acts", "flying", acts=acts["text"], piece=cutter)
        now = platforms.landed(table, now, who, cutter, ends[0].at)
        ends = tuple(replace(one_, at=None) if one_.who == who else one_ for one_ in ends)
    now = outcomes.laid(table, now, ends, told)
    now = _faced(now, who, order, move, ends, reached=reached)
    if isinstance(found, ActionRules):
        now = _after(table, now, order, moves, found, told)
    if reached and procedure is not Procedure.DISENGAGE:  # whose strikes were worked out
        now = outcomes.opened(table, now, who, move.events, acts["rule"], told)
    return now, told


def _short_rules(one: Placed, move: Move, ends: Sequence[After]) -> list[str]:
    """What a declared move that proved too long rests on."""
    stays = ends[0].at is not None and math.dist(ends[0].at, one.at) < _STAYED
    return ["declare_first", "climb_short"] if stays and _climbs(move) else ["declare_first"]


def asked_on(table: Table, state: State, who: str) -> Battlefield:
    """The battlefield that a model moves on: without its own hull, with what it flies as its base."""
    cutter = _cutter(table, state, {"who": who})
    return table.field(state, who) if cutter is None else platforms.flown(table, state, who, cutter)


def _cutter(table: Table, state: State, order: Order) -> str | None:
    """The platform that an order flies."""
    return platforms.steered(table, state, order["who"]) if order.get("on", True) else None


def _climbs(move: Move) -> bool:
    return any(leg.kind in (LegKind.CLIMB, LegKind.LADDER) for leg in move.legs)


def _tree(state: State, field: Battlefield, moves: LegalMoves, move: Move) -> Tree | None:
    """What can happen; a declared way that is only too long is gone as far as it can be. None: refused."""
    if move.legal:
        return field.odds(move)
    if not state["declare"] or not too_long(moves, move):
        return None
    return odds.short(field, move)


def _told_of(state: State, move: Move) -> Sequence[Ruling]:
    """The rulings that a refusal names; who has to declare first learns no distance from one."""
    if not state["declare"]:
        return move.rulings
    lengths = (RuleName.ALLOWANCE, RuleName.CHARGE)
    return tuple(r for r in move.rulings if r.rule not in lengths) or move.rulings[:1]


def too_long(moves: LegalMoves, move: Move) -> bool:
    """Whether nothing speaks against a refused move but its length."""
    if not move.legs or not any(r.rule == RuleName.ALLOWANCE for r in move.rulings):
        return False
    against = getattr(moves.answerer, "against", None)
    rulings = () if against is None else against(move.to)
    return all(r.rule == RuleName.CHARGE for r in rulings)


# -- what belongs to single actions ----------------------------------------------------------------------------


def _strikes(
    table: Table, state: State, field: Battlefield, one: Placed, action: object, dice: Dice
) -> tuple[list[Event], State]:
    """Who leaves a fight by `disengage`: each enemy checks, and who passes strikes once before it is gone."""
    if not isinstance(action, ActionRules) or action.row.procedure is not Procedure.DISENGAGE:
        return [], state
    told: list[Event] = []
    now = state
    for name in one.engaged_with:
        enemy = field.fighter(name)
        _, passed, rolled = outcomes.checked(
            table, enemy, action.row.check or "initiative", "strike", "action.disengage", dice
        )
        told.append(rolled)
        if passed:
            strike = event(
                table.pack, "players", name, say("acts", "strikes", name=one.id), "action.disengage"
            )
            now = outcomes.left_open(now, strike)
            told.append(strike)
    return told, now


def _after(
    table: Table,
    state: State,
    order: Order,
    moves: LegalMoves,
    action: ActionRules,
    told: list[Event],
) -> State:
    """What some actions do beside moving the model: doors, loads, what trying to engage means."""
    who, target = order["who"], order.get("target")
    match action.row.procedure:
        case Procedure.OPERATE_DOOR if target is not None:
            return _door(table, state, who, target, told)
        case Procedure.CARRY if target is not None:
            return _set_down(table, state, moves, who, target, f"action.{action.id}", told)
    overlay = "tried-to-engage"
    if action.row.must_engage and action.row.cost is Cost.PHASE and overlay in table.pack.file.statuses:
        model = state["models"][who]
        if not model["out"] and overlay not in model["statuses"]:
            told.append(
                event(
                    table.pack,
                    "status",
                    who,
                    say("acts", "tried-to-engage"),
                    f"status.{overlay}",
                    status=overlay,
                )
            )
            return with_model(state, who, statuses=[*model["statuses"], overlay])
    return state


def _door(table: Table, state: State, who: str, door: str, told: list[Event]) -> State:
    piece = state["pieces"][door]
    opens = piece["kind"] != Kind.DOOR_OPEN.value
    kind = Kind.DOOR_OPEN if opens else Kind.DOOR_CLOSED
    acts = told.pop()  # it is told of once, by what it does to the door
    words = say("acts", "opens" if opens else "closes", door=door)
    rules = [acts["rule"], *acts["rules"]]
    told.append(event(table.pack, "door", who, words, f"kind.{kind.value}", rules=rules))
    return changed(state, pieces={**state["pieces"], door: {**piece, "kind": kind.value}})


def _set_down(
    table: Table, state: State, moves: LegalMoves, who: str, load: str, rule: str, told: list[Event]
) -> State:
    """What was carried is set down beside its carrier, where that one ended."""
    x, y, z = state["models"][who]["at"]
    at = moves.answerer.set_down((x, y, z)) if isinstance(moves.answerer, Carry) else None
    if at is None:
        told.append(event(table.pack, "players", who, say("acts", "no-room", name=load), "target"))
        return outcomes.left_open(state, told[-1])
    told.append(event(table.pack, "set-down", who, say("acts", "sets-down", name=load), rule, at=point(at)))
    if load in state["items"]:
        return changed(state, items={**state["items"], load: {"at": point(at)}})
    return with_model(state, load, at=point(at))


def _faced(
    state: State, who: str, order: Order, move: Move, ends: Sequence[After], *, reached: bool
) -> State:
    """It looks where its player says, else where it went."""
    if not ends or ends[0].out:
        return state
    facing = order.get("facing")
    if facing is None:
        facing = move.facing if move.facing is not None else _heading(move) if reached else None
    return state if facing is None else with_model(state, who, facing=number(facing % 360.0))


def _heading(move: Move) -> float | None:
    for leg in reversed(move.legs):
        path = np.asarray(leg.path if len(leg.path) > 1 else (leg.start, leg.end))
        run = np.diff(path[:, :2], axis=0)
        long = np.flatnonzero(np.hypot(run[:, 0], run[:, 1]) > 0.05)
        if len(long):
            return float(np.degrees(np.arctan2(run[long[-1], 1], run[long[-1], 0])) % 360.0)
    return None


def _with_way(acts: str, move: Move) -> str:
    """What somebody does, with the legs of a move that has several."""
    told = [_leg(leg) for leg in move.legs if leg.kind is not LegKind.WALK or leg.length > _STEP]
    if len(told) < 2:
        return acts
    words = told[0]
    for leg in told[1:-1]:
        words = say("acts", "way-and", legs=words, leg=leg)
    words = say("acts", "way-last", legs=words, leg=told[-1])
    return say("acts", "way", acts=acts, legs=words)


def _stood_up(acts: Event, happened: Sequence[Event]) -> list[Event]:
    """What happened beside standing up, which `acts` tells of already."""
    stands = [one for one in happened if one["what"] == What.STATUS.value and one["who"] == acts["who"]]
    acts["rules"] = list(
        dict.fromkeys([*acts["rules"], *(r for one in stands for r in one.get("rules", ()))])
    )
    return [one for one in happened if one not in stands]


def _leg(leg: Leg) -> str:
    """One leg in words, with what it costs where that is not its length."""
    down = leg.kind in (LegKind.CLIMB, LegKind.LADDER) and leg.down > leg.up
    height = length(max(leg.up, leg.down))
    name = f"{leg.kind.value}-down" if down else leg.kind.value
    words = say("legs", name, length=length(leg.length), height=height, gap=length(leg.gap))
    shown = leg.gap if leg.kind is LegKind.LEAP else leg.length
    plain = leg.kind in _MEASURED and abs(leg.cost - shown) < _SAME
    return words if plain or leg.cost < _SAME else say("acts", "priced", leg=words, cost=length(leg.cost))
