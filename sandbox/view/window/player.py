"""An outcome played on the board: a model goes along its way, then falls if it has to."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray
from panda3d import core

from sandbox.view.model import FighterMark
from sandbox.view.window.state import Playing
from sandbox.view.window.talk import Acts

Floats = NDArray[np.float64]

SPEED = 5.5
"""inches a second on the way."""
SPIN = 240.0
"""degrees a second that a vehicle turns."""
LONGEST = 4.0
"""seconds that the legs take at most."""
PAUSE = 0.25
"""seconds that the end is looked at."""
_STILL = 0.01
"""inches: a shorter stretch has no heading."""


class Player:
    """Moves one fighter's node along an outcome."""

    def __init__(
        self, playing: Playing, acts: Acts, mark: FighterMark, carrier: Player | None = None
    ) -> None:
        """acts: what it is seen to do; mark: the fighter as it stood before; carrier: who carries it along first."""
        self.acts = acts
        self.mark = mark
        self.carrier = carrier
        self.riding = core.LMatrix4.ident_mat()
        """how it stands where its way ended."""
        self._ready = playing.falls.setdefault(acts.who, [])
        self._time = 0.0
        self._fall_from: float | None = None
        self._fallen = 0
        self._over = 0.0
        self._when, self._where = _schedule(acts, mark)
        self.takes: float = carrier.takes if carrier is not None else float(self._when[-1])
        """seconds until it is at the end of its way."""

    def step(self, seconds: float) -> tuple[core.LMatrix4, bool]:
        """The node's matrix, and whether it is over. Who carries somebody is asked first."""
        self._time += seconds
        if self._time < self.takes or not self._fallen:
            self.riding = self._on_the_way()
        if self._time < self.takes:
            return self.riding, False
        if self._fallen < len(self.acts.falls):
            return self._falling()
        if self.acts.falls:
            return self._held(), self._time > self._over + PAUSE
        return self.riding, self._time > self.takes + PAUSE

    def _on_the_way(self) -> core.LMatrix4:
        """The matrix now, before any fall."""
        if self.carrier is not None:
            return self.carrier.riding
        now = min(self._time, self.takes)
        x, y, z, turned = (float(np.interp(now, self._when, self._where[:, k])) for k in range(4))
        home = core.LMatrix4.translate_mat(core.Vec3(*(-float(v) for v in self.mark.at)))
        spin = core.LMatrix4.rotate_mat(turned, core.Vec3(0, 0, 1))
        return home * spin * core.LMatrix4.translate_mat(core.Vec3(x, y, z))

    def _falling(self) -> tuple[core.LMatrix4, bool]:
        fall = self._ready[self._fallen] if self._fallen < len(self._ready) else None
        if fall is None:
            # The fall is still being worked out.
            return self._held(), False
        if self._fall_from is None:
            self._fall_from = self._time
        since = self._time - self._fall_from
        if since > fall.seconds:
            self._fallen, self._fall_from, self._over = self._fallen + 1, None, self._time
        row = int(since / max(fall.seconds, 1e-6) * len(fall.poses))
        return self._posed(fall.poses[min(row, len(fall.poses) - 1)]), False

    def _held(self) -> core.LMatrix4:
        """As the last fall left it."""
        fallen = self._ready[self._fallen - 1] if self._fallen else None
        return self.riding if fallen is None else self._posed(fallen.poses[-1])

    def _posed(self, pose: Floats) -> core.LMatrix4:
        quat = core.LQuaternion(*(float(v) for v in pose[3:]))
        turn = core.LMatrix4()
        quat.extract_to_matrix(turn)
        home = core.LMatrix4.translate_mat(core.Vec3(*(-float(v) for v in self.mark.at)))
        there = core.LMatrix4.translate_mat(core.Vec3(*(float(v) for v in pose[:3])))
        return home * turn * there


def _schedule(acts: Acts, mark: FighterMark) -> tuple[Floats, Floats]:
    """When a model is where on its way: seconds (n,), and x, y, z in inches with the degrees it has turned by then, (n, 4)."""
    when, where = [0.0], [(*acts.path[0], 0.0)]
    for start, end in itertools.pairwise(acts.path):
        turned = where[-1][3]
        run = end - start
        if acts.turns and float(np.hypot(run[0], run[1])) > _STILL:
            heading = float(np.degrees(np.arctan2(run[1], run[0])))
            more = (heading - mark.facing - turned + 180.0) % 360.0 - 180.0
            turned += more
            when.append(when[-1] + abs(more) / SPIN)
            where.append((*start, turned))
        when.append(when[-1] + float(np.linalg.norm(run)) / SPEED)
        where.append((*end, turned))
    times = np.asarray(when)
    return times * min(1.0, LONGEST / max(float(times[-1]), 1e-6)), np.asarray(where, dtype=np.float64)
