"""The view that turns: a build's mesh, the numbers of its findings and three.js, packed into a page that fetches nothing."""

from __future__ import annotations

import base64
import gzip
from functools import lru_cache
from html import escape
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from sandbox.check.finding import Finding
from sandbox.check.model import Report
from sandbox.check.subject import Subject
from sandbox.units import MM_PER_INCH

MOST_TRIANGLES = 250_000
"""a page with more would be slow to open and to turn."""
TITLE = "turn it (3D)"


def turning(report: Report, subject: Subject) -> str:
    """The figure of the view that turns; empty where a build has too many triangles for it."""
    faces = subject.plan.faces
    if not 0 < len(faces) <= MOST_TRIANGLES:
        return ""
    used, inverse = np.unique(faces, return_inverse=True)
    points = subject.terrain.vertices[used]
    low, high = points.min(axis=0), points.max(axis=0)
    step = np.maximum((high - low) / 65535.0, 1e-9)
    packed = np.rint((points - low) / step).astype("<u2").tobytes()
    packed += b"\0" * (len(packed) % 4) + inverse.astype("<u4").tobytes()
    marks = "".join(_mark(finding) for finding in sorted(report.findings, key=lambda f: -f.number))
    return (
        f'<figure class="turning" hidden data-points="{len(used)}" data-low="{_numbers(low)}" '
        f'data-step="{_numbers(step)}" data-mesh="{_url(packed)}" data-library="{_library()}">'
        f'<canvas></canvas>{marks}<p class="hint">Drag to turn, wheel to zoom, right button to move.</p></figure>'
    )


def scripts() -> tuple[str, str]:
    """Style and script of the view."""
    assets = files("sandbox.check") / "assets"
    return (assets / "turning.css").read_text("utf-8"), (assets / "turning.js").read_text("utf-8")


def _mark(finding: Finding) -> str:
    at = _numbers(np.array(finding.on_table) * MM_PER_INCH)
    return (
        f'<button type="button" class="mark {finding.severity.value}" data-number="{finding.number}" data-at="{at}" '
        f'title="{escape(finding.kind.value)}" style="display:none">{finding.number}</button>'
    )


def _numbers(values: NDArray[np.float64]) -> str:
    return " ".join(f"{value:.6g}" for value in values.tolist())


@lru_cache(maxsize=1)
def _library() -> str:
    return _url((files("sandbox.check") / "assets" / "three.min.js").read_bytes())


def _url(content: bytes) -> str:
    """Content packed as an address that holds it."""
    return (
        f"data:application/gzip;base64,{base64.b64encode(gzip.compress(content, 9, mtime=0)).decode('ascii')}"
    )
