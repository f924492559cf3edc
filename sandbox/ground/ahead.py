"""Compiling kernels ahead: the smallest ground there is, so that a second process can compile what is needed late.

A first question compiles for a minute or two: first what loads and judges terrain, then ways over lips and the search.
`python -m sandbox.ground.ahead` compiles those last, from the far end on, while the first process is busy with the others.
"""

from __future__ import annotations

import numpy as np

from sandbox.ground.bins import make_bins
from sandbox.ground.climbs import lines_in_slots, lines_over, make_field, over_lips
from sandbox.ground.jumps import leaps_from
from sandbox.ground.kernels import links_rows as rows_of
from sandbox.ground.links import as_links
from sandbox.ground.lips import Lips
from sandbox.ground.model import Body, Links, Numbers, Permit, Place, Places, Question
from sandbox.ground.search import search
from sandbox.ground.search_relaxed import relaxed_search
from sandbox.ground.survey_grid import PITCH_MM
from sandbox.kinds import Kind
from sandbox.terrain.model import Part, Terrain

_SIDE = 6
_SIZE_MM = _SIDE * PITCH_MM


def compile_late() -> None:
    """Compile all that a first question needs last."""
    compile_search()
    compile_links()


def compile_search() -> None:
    """Compile the search and the relaxed search."""
    places = _places()
    links = as_links(np.zeros((0, rows_of.WIDTH)))
    question = _question(places, links)
    reach = search(places, links, question)
    reach.at((_SIZE_MM / 2, _SIZE_MM / 2, 0.0))
    relaxed_search(places, links, question, (_SIZE_MM / 2, _SIZE_MM / 2, 0.0))


def compile_links() -> None:
    """Compile climbs, jumps down and leaps."""
    places, lips = _places(), _lips()
    terrain, permits, numbers = _terrain(), (Permit.WALK | Permit.STAND | Permit.CLIMB,), Numbers()
    field = make_field(terrain, make_bins(terrain, permits, numbers.walk_slope), places, permits, numbers)
    lines = lines_over(lips)
    slots = lines_in_slots(field, lips, np.ones(len(lips), bool))
    lines = np.concatenate([lines, slots])
    over_lips(field, lines)
    leaps_from(field, lips, lines, 100.0)


def _terrain() -> Terrain:
    """One square of floor."""
    corners = np.array(
        [[0.0, 0.0, 0.0], [_SIZE_MM, 0.0, 0.0], [_SIZE_MM, _SIZE_MM, 0.0], [0.0, _SIZE_MM, 0.0]]
    )
    part = Part("floor", "", Kind.STRUCTURE, 0.0, 0.0, _SIZE_MM, False, (0.0, 0.0, _SIZE_MM, _SIZE_MM))
    return Terrain(
        corners,
        np.array([[0, 1, 2], [0, 2, 3]], np.int32),
        np.zeros(2, np.int32),
        np.zeros(2, np.int32),
        np.zeros(1, bool),
        (part,),
        size_mm=(_SIZE_MM, _SIZE_MM),
    )


def _lips() -> Lips:
    """Its east side."""
    return Lips(
        a=np.array([[_SIZE_MM, 0.0, 0.0]]),
        b=np.array([[_SIZE_MM, _SIZE_MM, 0.0]]),
        out=np.array([[1.0, 0.0]]),
        drop=np.array([np.inf]),
        rail=np.zeros(1),
        part=np.zeros(1, np.int32),
        face=np.zeros(1, np.int32),
        number=np.zeros(1, np.int32),
    )


def _places() -> Places:
    """A few columns of it that are all free."""
    n = _SIDE * _SIDE
    own = np.arange(n)
    i, j = own % _SIDE, own // _SIDE
    around = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
    neighbour = np.full((n, 8), -1, np.int32)
    for k, (di, dj) in enumerate(around):
        inside = (i + di >= 0) & (i + di < _SIDE) & (j + dj >= 0) & (j + dj < _SIDE)
        neighbour[inside, k] = (own + dj * _SIDE + di)[inside]
    pos = np.column_stack([i * PITCH_MM, j * PITCH_MM, np.zeros(n)])
    none = np.full(n, np.nan)
    return Places(
        body=Body(16.0, 16.0, 35.0),
        x0=0.0,
        y0=0.0,
        pitch=PITCH_MM,
        nx=_SIDE,
        ny=_SIDE,
        start=np.arange(n + 1, dtype=np.int32),
        cell=own.astype(np.int32),
        pos=pos,
        lift=np.zeros(n),
        flags=np.full(n, int(Place.PASS | Place.STAND), np.uint8),
        part=np.zeros(n, np.int32),
        area=np.full(n, -1, np.int32),
        gradient=np.zeros((n, 2), np.float32),
        neighbour=neighbour,
        touch=np.full((n, 3, 2), np.nan),
        zone=np.full(n, -1, np.int32),
        limit=np.zeros(n, np.uint8),
        measured=none,
        rest=pos.copy(),
        culprit=np.full(n, -1, np.int32),
        stand_limit=np.zeros(n, np.uint8),
        stand_measured=none.copy(),
    )


def _question(places: Places, links: Links) -> Question:
    n, k = len(places.pos), len(links.kind)
    return Question(
        start=(0.0, 0.0, 0.0),
        moves=(100.0,),
        weight=np.ones(n),
        stop=np.ones(n, bool),
        discs=np.array([[500.0, 500.0, 5.0, 0.0, 10.0]]),
        zone_price=np.zeros(1),
        link_price=np.ones(k),
        link_chance=np.ones(k),
        link_whole=np.zeros(k, bool),
        borders=np.array([[500.0, 0.0, 500.0, 10.0]]),
    )


if __name__ == "__main__":
    compile_late()
