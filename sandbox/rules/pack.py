"""A rule pack: what one game says, ready to be asked. `load_pack` reads it; nothing in it changes
afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.errors import UserError
from sandbox.files.mistakes import suggestion
from sandbox.kinds import Kind
from sandbox.rules import constants as constant_names
from sandbox.rules import reading
from sandbox.rules.dice import CheckDice
from sandbox.rules.entries import Alternative, Stated
from sandbox.rules.movement import MovementRules
from sandbox.rules.schema import KindRow, PackFile, StatusRow
from sandbox.rules.values import PLACE, said_value
from sandbox.rules.words import Allow, ObstacleWhen
from sandbox.units import inches

if TYPE_CHECKING:
    from sandbox.rules.fighter import FighterRules

DEFAULT_PACK = "necromunda-2023"
SMALLEST_BASE = inches(25.0)
"""Width of the smallest base that models stand on, inches."""


@dataclass(frozen=True)
class Rule:
    """One thing that a pack states."""

    id: str
    text: str
    """what it says, its value filled in."""
    source: str
    value: Any = None
    """the constant's value; None for what has none."""
    unit: str = ""
    setting: tuple[Alternative[Any], ...] = ()
    """other readings; empty unless it is an open setting."""
    words: str = ""
    """what it says as the pack has it, with `{value}` where its value goes; empty: as `text`."""


@dataclass(frozen=True, eq=False)
class Pack:
    """One game's rules."""

    file: PackFile
    path: Path
    """the file that it was read from."""
    changed: tuple[tuple[str, Any], ...] = ()
    """settings that were changed from what the file says."""

    @property
    def id(self) -> str:
        """The pack's own id."""
        return self.file.pack

    @property
    def name(self) -> str:
        """The pack's title."""
        return self.file.name

    @cached_property
    def movement(self) -> MovementRules:
        """The numbers and switches of movement, without any model's skills."""
        return MovementRules.of(
            {key: constant_names.entry(self.file.constants, key).value for key in constant_names.names()}
        )

    def value(self, key: str) -> Any:
        """Value of a constant; UserError where there is none of that name."""
        return self._constant(key).value

    def number(self, key: str) -> float:
        """Value of a constant that is a number; UserError where there is none, or it is not a number."""
        value = self.value(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UserError(f"{self.id}: {key!r} is {value!r}, not a number")
        return float(value)

    def rule(self, rule_id: str) -> Rule:
        """A rule by its id: a constant (`climb_cost`), a statement (`allowance`), or a section's entry
        (`kind.wall`, `check.agility`, `status.standing`, `action.charge`, `skill.clamber`,
        `gear.grapnel-launcher`, `tag.mounted`, `table.falling`). UserError where there is none."""
        if rule_id in constant_names.Constants.model_fields:
            constant = self._constant(rule_id)
            value, unit = constant.value, constant.unit
            text = constant.text.replace(PLACE, said_value(value, unit))
            return Rule(rule_id, text, constant.source, value, unit, constant.setting, constant.text)
        stated = self._stated.get(rule_id)
        if stated is None:
            raise UserError(
                f"{self.id}: no rule {rule_id!r}; {suggestion(rule_id, self.rule_ids)} "
                f"(`sandbox rules {self.id}` lists them)"
            )
        return Rule(rule_id, stated.text, stated.source)

    @cached_property
    def rule_ids(self) -> tuple[str, ...]:
        """All rule ids, constants first."""
        return (*constant_names.names(), *self._stated)

    @cached_property
    def _stated(self) -> dict[str, Stated]:
        file = self.file
        sections: dict[str, Mapping[Any, Stated]] = {
            "check.": file.checks,
            "kind.": file.kinds,
            "status.": file.statuses,
            "action.": file.actions,
            "tag.": file.tags,
            "skill.": file.skills,
            "gear.": file.gear,
        }
        found: dict[str, Stated] = dict(file.rules)
        for prefix, section in sections.items():
            found |= {f"{prefix}{key}": stated for key, stated in section.items()}
        for key in type(file.tables).model_fields:
            table = getattr(file.tables, key)
            if table is not None:
                found[f"table.{key}"] = table
        found["profile"] = file.profile
        return found

    def _constant(self, key: str) -> Any:
        if key not in constant_names.Constants.model_fields:
            raise UserError(f"{self.id}: no constant {key!r}; {suggestion(key, constant_names.names())}")
        return constant_names.entry(self.file.constants, key)

    def open_settings(self) -> tuple[Rule, ...]:
        """The constants that a group has to agree on, because the documents leave room."""
        rules = (self.rule(key) for key in constant_names.names())
        return tuple(rule for rule in rules if rule.setting)

    def with_settings(self, settings: Mapping[str, Any]) -> Pack:
        """The same pack with other values for constants; UserError for unknown keys and values that cannot
        be."""
        if not settings:
            return self
        return Pack(
            reading.with_values(self.file, self.path, settings),
            self.path,
            tuple({**dict(self.changed), **settings}.items()),
        )

    # -- kinds -------------------------------------------------------------------------------------

    def kind(self, kind: Kind) -> KindRow:
        """The row of the kinds table."""
        return self.file.kinds[kind]

    def permits(self, kind: Kind, *, zone_mortalis: bool = False) -> frozenset[Allow]:
        """What may be done with a part of this kind."""
        row = self.kind(kind)
        may = row.zone_mortalis.may if zone_mortalis and row.zone_mortalis else row.may
        allowed = set(may)
        if kind is Kind.WALL:
            climbable = self.movement.zone_mortalis_walls if zone_mortalis else self.movement.walls_climbed
            if zone_mortalis and self.movement.zone_mortalis_walls:
                allowed = set(row.may)
            if not climbable:
                allowed -= {Allow.CLIMB}
        return frozenset(allowed)

    def role(
        self,
        kind: Kind,
        height: float,
        width: float,
        *,
        free_standing: bool,
        zone_mortalis: bool = False,
    ) -> Kind:
        """What a part counts as: `obstacle` where its kind, size and standing make it one, `structure` for
        what has no kind otherwise, else its own kind.

        height, width: of the part, inches; the width is its smaller plan dimension.
        """
        row = self.kind(kind)
        on_maze = zone_mortalis and kind is Kind.WALL and not self.movement.zone_mortalis_walls
        small = self.movement.is_obstacle_size(height, width) and not on_maze
        when = row.obstacle_when
        if (
            when is ObstacleWhen.ALWAYS
            or (small and when is ObstacleWhen.LOW)
            or (small and free_standing and when is ObstacleWhen.FREE_STANDING)
        ):
            counts_as = Kind.OBSTACLE
        else:
            counts_as = Kind.STRUCTURE if kind is Kind.AUTO else kind
        if counts_as is Kind.OBSTACLE and self.movement.obstacle_stand and width >= SMALLEST_BASE:
            # where models may stand on obstacles, what holds a base is climbed and stood on like any structure
            return Kind.STRUCTURE
        return counts_as

    # -- checks and statuses -----------------------------------------------------------------------

    def check(self, check_id: str) -> CheckDice:
        """How a check is rolled; UserError where the pack has none of that id."""
        row = self.file.checks.get(check_id)
        if row is None:
            raise UserError(f"{self.id}: no check {check_id!r}; {suggestion(check_id, self.file.checks)}")
        return CheckDice(
            check_id, row.dice, row.stat, row.always_fails, row.always_passes, row.text, row.source
        )

    def check_chance(self, check_id: str, profile: Mapping[str, float], modifier: int = 0) -> Fraction:
        """Chance of a model with this profile to pass a check."""
        check = self.check(check_id)
        target = profile.get(check.stat, self.file.profile.stats[check.stat])
        return check.chance(target, modifier)

    def status_ids(self, written: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
        """The pack's statuses for what a scene says: a name, several joined by ``,`` or ``+``, or a list;
        aliases are understood. None: the default. UserError for unknown ones."""
        if not written:
            return (self.file.default_status,)
        parts = written if isinstance(written, list | tuple) else written.replace("+", ",").split(",")
        found = [self._status_id(part) for part in parts if part.strip()]
        if all(self.file.statuses[status].overlay for status in found):
            found.insert(0, self.file.default_status)
        return tuple(dict.fromkeys(found))

    def _status_id(self, written: str) -> str:
        word = "-".join(written.lower().split())
        for key, row in self.file.statuses.items():
            if word == key or word in row.aliases:
                return key
        raise UserError(f"{self.id}: no status {written!r}; {suggestion(word, self.file.statuses)}")

    def status(self, status_id: str) -> StatusRow:
        """The row of the statuses table; KeyError where there is none."""
        return self.file.statuses[status_id]

    # -- one model ---------------------------------------------------------------------------------

    def for_fighter(
        self,
        profile: Mapping[str, float] | None = None,
        skills: tuple[str, ...] | list[str] = (),
        gear: tuple[str, ...] | list[str] = (),
        tags: tuple[str, ...] | list[str] = (),
        status: str | list[str] | tuple[str, ...] | None = None,
        *,
        engaged: bool = False,
        strict: bool = True,
    ) -> FighterRules:
        """The rules as they are for one model: numbers after its skills and gear, actions with the reasons
        against.

        strict: unknown skills, gear, tags and statuses are a UserError; otherwise they are left out and
        listed (a battlefield looked at under another pack than its own).
        """
        from sandbox.rules.fighter import fighter_rules  # noqa: PLC0415  (it needs Pack)

        return fighter_rules(self, profile or {}, skills, gear, tags, status, engaged=engaged, strict=strict)


def load_pack(name_or_path: str | Path = DEFAULT_PACK, *, relative_to: Path | None = None) -> Pack:
    """The pack of an id, or of a file (a path with a separator or ending in .yaml, relative to
    `relative_to`).

    UserError for an unknown pack (listing those there are) and for a file that is not right. Built-in packs
    are read once.
    """
    path = reading.find_pack(str(name_or_path), relative_to)
    return Pack(reading.read_pack(path), path)


def pack_names() -> tuple[str, ...]:
    """Ids of the built-in packs."""
    return reading.pack_names()
