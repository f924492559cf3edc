"""Gear and skills that need a game around them: teleports that scatter, moves after a fight, moves that a skill gives."""

from __future__ import annotations

from sandbox.moves import scattering
from sandbox.moves.answers import LegalMoves, Move, Point
from sandbox.moves.battlefield import Battlefield
from sandbox.moves.consolidating import consolidate
from sandbox.moves.odds_tree import After, Throw
from sandbox.moves.passages import apart
from sandbox.moves.placed import Placed
from sandbox.moves.words import length
from sandbox.play import outcomes
from sandbox.play.cited import cited
from sandbox.play.dice import ANGLE, Dice, fair
from sandbox.play.events import Event, event, measured, of_move, of_ruling, of_throw
from sandbox.play.orders import Order
from sandbox.play.state import State, point, with_model
from sandbox.play.table import Table
from sandbox.play.words import say
from sandbox.rules.ticks import at_most
from sandbox.rules.words import Procedure

Told = tuple[State, list[Event]]
_TELEPORT = "action.teleport"
_BACK = 0.01
"""inches back along the line that are worth a word."""
_MOST_ROLLS = 60
"""directions that are rolled before it is looked whether there is any place at all."""


def teleport(
    table: Table, field: Battlefield, one: Placed, move: Move, dice: Dice
) -> tuple[list[Event], tuple[After, ...]]:
    """A model teleports: the scatter die, how far, in which direction, and where it comes down."""
    pack, who, at = table.pack, one.id, move.to
    scatter = pack.file.tables.scatter
    told: list[Event] = []

    def rolled(dice_: str, reason: str) -> int:
        throw = Throw(dice_, reason, who, _TELEPORT, pack.rule(_TELEPORT).source)
        face = dice.roll(throw, fair(throw))
        told.append(of_throw(throw, face, None))
        return face

    if scatter is None:
        return told, _ends(one, at)
    far = rolled("D6", "how-far")
    if rolled(f"D{scatter.faces}", "scatter-die") > scatter.faces - scatter.hits:
        told.append(event(pack, "arrives", who, say("acts", "arrives"), "table.scatter", at=point(at)))
        return told, _ends(one, at)
    for attempt in range(_MOST_ROLLS):
        if attempt == 1 and scattering.lost(field, one, at, float(far)):
            told.append(event(pack, "out", who, say("acts", "lost-to-warp"), "warp_lost"))
            return told, (After(who, None, one.rules.statuses, out=True, goes_on=False),)
        found = scattering.scatter(field, one, at, float(rolled(ANGLE, "direction")), float(far))
        if found.moved:
            break
        told.append(event(pack, "stays", who, say("acts", "rolled-again"), _TELEPORT))
    back = found.asked - found.gone
    name = "scattered-back" if back > _BACK else "scattered"
    words = say("acts", name, gone=length(found.gone), back=length(back))
    told.append(
        event(
            pack,
            "moved",
            who,
            words,
            _TELEPORT,
            at=point(found.at),
            measured=measured("scatter", found.gone, found.asked),
        )
    )
    if not found.open_air:
        return told, _ends(one, found.at)
    told.append(event(pack, "stays", who, say("acts", "open-air"), _TELEPORT))
    happened, ends, _ = outcomes.walked(scattering.down(field, one, found.at), dice)
    return [*told, *happened], ends


def _ends(one: Placed, at: Point) -> tuple[After, ...]:
    return (After(one.id, at, one.rules.statuses),)


def consolidated(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A model moves after a fight, as far as the rules of fighting say; into contact with enemies too."""
    who = order["who"]
    field = table.field(state)
    moves = consolidate(field, who, float(order["inches"]))
    if "target" in order:
        return _through(table, state, order, moves)
    to = order["to"]
    move = moves.to(to[0], to[1], to[2] if len(to) > 2 else None, facing=order.get("facing"))
    if not move.legal:
        return state, [of_ruling(table.pack, who, ruling) for ruling in move.rulings]
    one = field.fighter(who)
    happened, ends, reached = outcomes.walked(field.odds(move), dice)
    ducts = [leg for leg in move.legs if leg.kind.value in ("ductway", "squeeze")]
    rules = [rule for rule in cited(field, one, move) if not rule.startswith("status.")]
    acts = of_move(table.pack, move, rules, gone=move.cost if reached else None)
    acts["text"] = say(
        "acts",
        "consolidates-duct" if ducts else "consolidates",
        spent=f"{move.cost or 0.0:.2f}",
        allowance=length(moves.allowance),
    )
    told = [acts, *happened]
    return outcomes.laid(table, state, ends, told), told


def _through(table: Table, state: State, order: Order, moves: LegalMoves) -> Told:
    """Through a ductway whose opening the consolidation reaches: set up within reach of its other side."""
    who, to, duct = order["who"], order["to"], order["target"]
    one = table.field(state).fighter(who)
    granted = one.rules.procedure(Procedure.DUCTWAYS_IN_MOVE)
    rule = "skill.tunnel-rat" if "skill.tunnel-rat" in table.pack.rule_ids else "action.crawl-through"
    if granted is None:
        return state, [event(table.pack, "refused", who, say("acts", "no-duct-skill"), rule)]
    mouths = [m for d in table.scene.ductways if d.id == duct for m in (d.start, d.end)]
    reach = one.rules.movement.ductway_reach
    spots = moves.spots[moves.spots["cost"].argsort(kind="stable")]
    nearest = float("inf")
    for row in spots:
        here = (float(row["x"]), float(row["y"]), float(row["z"]))
        gap = min((apart(one.base.moved(here), mouth) for mouth in mouths), default=float("inf"))
        nearest = min(nearest, gap)
        if not at_most(gap, reach):
            continue
        through = table.field(with_model(state, who, at=point(here))).moves(who, "crawl-through", duct)
        move = through.to(to[0], to[1], to[2] if len(to) > 2 else None)
        if not move.legal:
            return state, [of_ruling(table.pack, who, ruling) for ruling in move.rulings]
        cost = float(row["cost"])
        text = say(
            "acts", "consolidates-through", spent=f"{cost:.2f}", allowance=length(moves.allowance), duct=duct
        )
        told = [
            event(
                table.pack, "acts", who, text, granted[0].id, rules=["ductway_reach"], at=point(move.to),
                measured=measured("cost", cost, moves.allowance),
            )
        ]  # fmt: skip
        return outcomes.laid(table, state, _ends(one, move.to), told), told
    text = say("acts", "duct-far", measured=length(nearest), duct=duct)
    return state, [event(table.pack, "refused", who, text, "ductway_reach")]


def granted_refusal(table: Table, state: State, one: Placed, name: str) -> Event | None:
    """Why a move that a skill gives is not possible now: used already, or not after what it follows."""
    for used in one.rules.used:
        for granted in used.entry.procedures:
            if used.id.partition(".")[2] != name or granted.name is not Procedure.EXTRA_MOVE:
                continue
            if granted.once == "activation" and name in state["done"]:
                return event(table.pack, "refused", one.id, say("acts", "used", action=name), used.id)
            if granted.actions and not set(granted.actions) & set(state["done"]):
                return event(
                    table.pack,
                    "refused",
                    one.id,
                    say("acts", "follows", action=name, others=", ".join(granted.actions)),
                    used.id,
                )
            if name in state["done"]:
                return event(table.pack, "refused", one.id, say("acts", "used-up", action=name), used.id)
    return None


def engages_without_charge(table: Table, state: State, who: str) -> list[Event]:
    """Who teleported next to an enemy is engaged with it, and did not charge."""
    if state["models"][who]["out"]:
        return []
    found = [e.enemy for e in table.field(state).settled.engaged if e.who == who and not e.chosen]
    text = say("acts", "engages-uncharged", names=", ".join(found))
    return [event(table.pack, "engaged", who, text, _TELEPORT)] if found else []
