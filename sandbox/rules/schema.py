"""What a pack file holds: its sections and the shape of their entries, checked strictly."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from sandbox.kinds import Kind
from sandbox.rules.constants import Constants
from sandbox.rules.dice import roll
from sandbox.rules.entries import Count, Flag, Inches, Name, Pips, Sentence, Stated, Strict
from sandbox.rules.formula import check_formula
from sandbox.rules.words import (
    Allow,
    Cost,
    Direction,
    Ground,
    ObstacleWhen,
    Posture,
    Procedure,
    Target,
)


def _dice(text: str) -> str:
    roll(text)
    return text


Formula = Annotated[str, AfterValidator(check_formula)]
Dice = Annotated[str, AfterValidator(_dice)]
Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=60)]
RuleId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
Stat = Annotated[float, Field(strict=True, ge=0, le=40, allow_inf_nan=False)]
Scalar = Annotated[bool, Field(strict=True)] | Annotated[float, Field(strict=True)] | str


class Statement(Stated):
    """A rule without a number, for rulings and for readers."""

    setting: None = None


class ZoneMortalisKind(Strict):
    """What is different on a zone_mortalis board."""

    may: tuple[Allow, ...]


class KindRow(Stated):
    """What may be done with parts of one kind."""

    may: tuple[Allow, ...]
    ground: Ground = Ground.OPEN
    measure_through: Flag = False
    """never stops measuring between models."""
    obstacle_when: ObstacleWhen = ObstacleWhen.NEVER
    zone_mortalis: ZoneMortalisKind | None = None


class CheckRow(Stated):
    """A check that dice decide: the characteristic or more passes, modifiers are added to the roll."""

    dice: Dice
    stat: Name
    always_fails: tuple[Count, ...] = ()
    """unmodified results that fail, whatever is added."""
    always_passes: tuple[Count, ...] = ()


class StatusRow(Stated):
    """One status of a model."""

    aliases: tuple[Id, ...] = ()
    posture: Posture
    overlay: Flag = False
    """comes on top of another status (`broken`), instead of being one by itself."""
    tested_at_lips: Flag = False
    """going into it near a lip needs the check of the edge rule."""
    engages: Flag = True
    """may be engaged with enemies while in it."""
    kept_from: Flag = True
    """enemies keep the pack's distance from it."""
    stands_up_engaged: Flag = False
    """stands up at no cost as soon as an enemy engages it."""
    moved_when_engaged: Inches | None = None
    """who gets it while engaged is moved so far away from all enemies."""
    faces: Flag = True
    """has a facing and an arc of vision."""
    blocks_sight: Flag = True
    is_terrain: Flag = False
    """counts as a piece of terrain and as no model."""
    leaves_game: Flag = False
    """out of the game for good."""
    passed_by_enemies: Flag = False
    moves: Flag = True
    """may move at all of its own will."""
    slowed: Flag = False
    """its movement is reduced by the pack's `slowed`."""
    ends: Sentence | None = None
    """when it ends, in words."""
    ends_with: Literal["turn"] | None = None
    """what takes it away, unless something that the model has gives it."""
    recovers_as: tuple[Id, ...] = ()
    """the statuses that come instead of it when the model recovers."""


class ActionRow(Stated):
    """One action: what it costs, how far it goes, who may take it."""

    cost: Cost
    moves: tuple[Formula, ...] = ()
    """one sum for each Move of the chain; none: it goes no distance of its own."""
    rounding: Literal["crawl_rounding"] | None = None
    """the constant that rounds the distance."""
    statuses: tuple[Id, ...]
    """any of these."""
    needs_status: tuple[Id, ...] = ()
    """all of these overlays."""
    not_while: tuple[Id, ...] = ()
    """none of these overlays."""
    engaged: Literal["no", "yes", "only"] = "no"
    """whether an engaged model may take it; `only`: nobody else."""
    target: Target = Target.NONE
    near_enemies: Flag = False
    """may come nearer than the distance that is kept from enemies."""
    must_engage: Flag = False
    """ends engaged with its target, else stops at the kept distance."""
    direction: Direction = Direction.FREE
    check: Id | None = None
    ends_as: Id | None = None
    needs: tuple[Id, ...] = ()
    """skills or gear that give it; any of these."""
    tags_barred: tuple[Id, ...] = ()
    procedure: Procedure | None = None
    reach: Inches | None = None
    """straight distance that a procedure works over."""
    events: tuple[Sentence, ...] = ()
    """what the players resolve afterwards."""


class Change(Strict):
    """One change that a skill, a piece of gear or a tag makes. Exactly one of set, add, multiply, cap."""

    change: Name
    """a constant (`climb_cost`), `profile.M`, or an action's field (`action.crawl.cost`)."""
    set: Scalar | tuple[Formula, ...] | None = None
    add: float | Formula | None = None
    multiply: Annotated[float, Field(strict=True, ge=0, le=20)] | None = None
    cap: Annotated[float, Field(strict=True, ge=0, le=120)] | None = None
    """at most this."""

    @model_validator(mode="after")
    def _one(self) -> Change:
        given = [k for k in ("set", "add", "multiply", "cap") if getattr(self, k) is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of set, add, multiply and cap")
        return self


class GrantedProcedure(Strict):
    """A way of moving that data cannot say, with its numbers."""

    name: Procedure
    inches: Inches | None = None
    least_change: Inches | None = None
    """of level, unless a gap is crossed."""
    check: Id | None = None
    once: Literal["activation", "move", "turn"] | None = None
    actions: tuple[Id, ...] = ()
    """actions during which it works."""
    distance: Formula | None = None
    over_impassable: Flag = False
    """goes over what is impassable, though never through it."""


class Entry(Stated):
    """A skill, a piece of gear or a tag: entries that change numbers or permissions."""

    aliases: tuple[Id, ...] = ()
    changes: tuple[Change, ...] = ()
    gives_status: tuple[Id, ...] = ()
    """overlays that it has for as long as it carries this (`slowed`)."""
    forbid: tuple[Allow, ...] = ()
    """what the model may not do with any part (`climb`, `ladder`)."""
    ignores: tuple[Ground, ...] = ()
    """kinds of ground that cost it nothing extra."""
    procedures: tuple[GrantedProcedure, ...] = ()
    events: tuple[Sentence, ...] = ()
    """what it does that is no movement; recorded for the players."""


class HitRow(Strict):
    """A hit, from a height on."""

    from_height: Annotated[int, Field(strict=True, ge=0, le=200)]
    """inches, after rounding up."""
    S: Annotated[int, Field(strict=True, ge=1, le=20)]
    AP: Annotated[int, Field(strict=True, ge=-6, le=0)]
    D: Annotated[int, Field(strict=True, ge=0, le=20)]


class FallTable(Stated):
    """Hits by height."""

    rows: tuple[HitRow, ...]


class ResultRow(Strict):
    """A result, from a total on."""

    from_total: Annotated[int, Field(strict=True, ge=-20, le=200)]
    result: Name
    status: Id | None = None


class MishapTable(Stated):
    """A roll for falling: dice and an addition by height."""

    dice: Dice
    free_height: Inches
    per_inch: Pips
    """added for each full inch above."""
    wounds_left: Id | None = None
    """with more than one Wound left, the status that comes instead of one that leaves the game, a Wound less."""
    rows: tuple[ResultRow, ...]


class WoundTable(Stated):
    """What a wound roll needs, by strength against toughness."""

    twice: Pips
    above: Pips
    equal: Pips
    below: Pips
    half: Pips


class PushTable(Stated):
    """How far an attack moves what it hits: its force less the resistance, in inches, at least 0."""

    knockback_force: Formula
    drag_force: Formula
    """the attack's strength, or the number of its Drag, as S."""
    resistance_model: Formula
    resistance_item: Formula
    resistance_heavy: Formula


class ScatterTable(Stated):
    """The scatter die: so many of its faces are a hit, the others a direction, any as likely."""

    hits: Count
    faces: Count


class Tables(Strict):
    """Tables of a pack, where it has them."""

    falling: FallTable | None = None
    mishap: MishapTable | None = None
    wounds: WoundTable | None = None
    push: PushTable | None = None
    scatter: ScatterTable | None = None


class Profile(Stated):
    """The characteristics that a pack knows, with what a model has where a scene says nothing."""

    stats: dict[str, Stat]


class Fighter(Strict):
    """A typical fighter, for scenes to start from."""

    stats: dict[str, Stat]
    source: Name


class PackFile(Strict):
    """One pack file, after what it extends has been filled in."""

    pack: Id
    name: Name
    about: Sentence
    extends: str | None = None
    documents: dict[str, Sentence]
    """what each source number stands for."""
    constants: Constants
    profile: Profile
    checks: dict[Id, CheckRow]
    kinds: dict[Kind, KindRow]
    statuses: dict[Id, StatusRow]
    default_status: Id
    actions: dict[Id, ActionRow]
    tables: Tables
    tags: dict[Id, Entry]
    skills: dict[Id, Entry]
    gear: dict[Id, Entry]
    rules: dict[RuleId, Statement]
    fighters: dict[Id, Fighter]
