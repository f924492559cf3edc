"""A small desk for the worker's tests."""

from __future__ import annotations

import os
import time

from sandbox.errors import UserError


class Desk:
    """Answers at once, late, wrongly, or not at all."""

    def double(self, number: int) -> int:
        return 2 * number

    def slow(self, seconds: float) -> str:
        time.sleep(seconds)
        return "slept"

    def refuse(self) -> None:
        raise UserError("not like this")

    def die(self) -> None:
        os._exit(3)
