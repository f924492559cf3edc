"""An order that is being given: what was asked for, the dice that lie on the table, what has come of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sandbox.view.window.talk import Needs, Played, Point


@dataclass
class Order:
    """One order on its way. The worker works it out anew with every die that is known."""

    what: dict[str, Any] | str
    """as `sandbox.play.orders.Order`, or a line as it was typed."""
    played: Played | None = None
    """the newest answer."""

    @property
    def waiting(self) -> Needs | None:
        """What has to be rolled next; None: nothing (more) to roll, or not known yet."""
        return None if self.played is None else self.played.needs

    @property
    def over(self) -> bool:
        """Whether all of it is known."""
        return self.played is not None and self.played.needs is None

    @property
    def rolled(self) -> bool:
        """Whether a die lies on the table."""
        return self.played is not None and bool(self.played.faces)

    @property
    def title(self) -> str:
        """What it is, in a few words."""
        if self.played is not None:
            return self.played.title
        if isinstance(self.what, str):
            return self.what
        return f"{self.what.get('who', '')}: {self.what.get('action', self.what.get('do', ''))}"


def act(who: str, action: str, to: Point | None, target: str | None = None) -> dict[str, Any]:
    """The order that somebody takes an action; to: None: where it is."""
    order: dict[str, Any] = {"do": "act", "who": who, "action": action}
    if to is not None:
        order["to"] = [round(v, 4) + 0.0 for v in to]
    if target is not None:
        order["target"] = target
    return order
