"""``sandbox moves --against``: what another pack, or another reading, changes for one fighter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.markup import escape

from sandbox.cli.output import console, print_json, warn, working
from sandbox.errors import UserError
from sandbox.moves.comparing import compare, settings_of, tell_comparison
from sandbox.rules import load_pack

if TYPE_CHECKING:
    from sandbox.cli.params import Place
    from sandbox.moves.battlefield import Battlefield


def chosen(texts: tuple[str, ...]) -> Mapping[str, str]:
    """The settings of a command line; UserError for what is none."""
    try:
        return settings_of(texts)
    except ValueError as error:
        raise UserError(f"--set: {error}") from None


def tell_against(
    field: Battlefield,
    against: str,
    fighter: str,
    action: str,
    target: str | None,
    to: Place | None,
    facing: float | None,
    *,
    as_json: bool,
) -> None:
    """Print what changes; against: a pack, or KEY=VALUE for the field's own pack with that reading."""
    other = field.pack.with_settings(chosen((against,))) if "=" in against else load_pack(against)
    with working(f"working out where {fighter} may go, twice"):
        found = compare(field, other, fighter, action, target, to, facing)
    warn(field.warnings)
    if as_json:
        print_json(found.to_json())
        return
    for line in tell_comparison(found):
        console().print(escape(line))
