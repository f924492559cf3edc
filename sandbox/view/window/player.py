"""An outcome played on the board: a model goes along its way, then falls if it has to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from panda3d import core

from sandbox.view.model import FighterMark
from sandbox.view.window.state import Playing
from sandbox.view.window.talk import Acts

Floats = NDArray[np.float64]

SPEED = 5.5
"""inches a second on the way."""
LONGEST = 4.0
"""seconds that the legs take at most."""
PAUSE = 0.25
"""seconds that the end is looked at."""


class Player:
    """Moves one fighter's node along an outcome."""

    def __init__(self, playing: Playing, acts: Acts, mark: FighterMark) -> None:
        """acts: what it is seen to do; mark: the fighter as it stood before."""
        self.acts = acts
        self.mark = mark
        self._ready = playing.falls.setdefault(acts.who, [])
        self._time = 0.0
        self._fall_from: float | None = None
        self._fallen = 0
        self._over = 0.0
        line = acts.path
        run = np.linalg.norm(np.diff(line, axis=0), axis=1)
        self._line = line
        self._along = np.concatenate([[0.0], np.cumsum(run)])
        self._legs_take = min(float(self._along[-1]) / SPEED, LONGEST)

    def step(self, seconds: float) -> tuple[core.LMatrix4, bool]:
        """The node's matrix, and whether it is over."""
        self._time += seconds
        if self._time < self._legs_take:
            share = self._time / max(self._legs_take, 1e-6)
            return self._moved(self._at(share * float(self._along[-1]))), False
        last = self._line[-1]
        if self._fallen < len(self.acts.falls):
            return self._falling(last)
        if self.acts.falls:
            return self._held(last), self._time > self._over + PAUSE
        return self._moved(last), self._time > self._legs_take + PAUSE

    def _falling(self, last: Floats) -> tuple[core.LMatrix4, bool]:
        fall = self._ready[self._fallen] if self._fallen < len(self._ready) else None
        if fall is None:
            # The fall is still being worked out.
            return self._held(last), False
        if self._fall_from is None:
            self._fall_from = self._time
        since = self._time - self._fall_from
        if since > fall.seconds:
            self._fallen, self._fall_from, self._over = self._fallen + 1, None, self._time
        row = int(since / max(fall.seconds, 1e-6) * len(fall.poses))
        return self._posed(fall.poses[min(row, len(fall.poses) - 1)]), False

    def _held(self, last: Floats) -> core.LMatrix4:
        """As the last fall left it."""
        fallen = self._ready[self._fallen - 1] if self._fallen else None
        return self._moved(last) if fallen is None else self._posed(fallen.poses[-1])

    def _at(self, distance: float) -> Floats:
        return np.array([np.interp(distance, self._along, self._line[:, k]) for k in range(3)])

    def _moved(self, at: Floats) -> core.LMatrix4:
        x, y, z = (float(v) for v in np.asarray(at) - np.asarray(self.mark.at))
        return core.LMatrix4.translate_mat(core.Vec3(x, y, z))

    def _posed(self, pose: Floats) -> core.LMatrix4:
        quat = core.LQuaternion(*(float(v) for v in pose[3:]))
        turn = core.LMatrix4()
        quat.extract_to_matrix(turn)
        home = core.LMatrix4.translate_mat(core.Vec3(*(-float(v) for v in self.mark.at)))
        there = core.LMatrix4.translate_mat(core.Vec3(*(float(v) for v in pose[:3])))
        return home * turn * there
