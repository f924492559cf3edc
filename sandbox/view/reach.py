"""The reach as surfaces: spots of every level gathered into layers, each layer an area without gaps.

Spots are points up to 0.25" apart, on a grid in the open and exactly on the border elsewhere. Each layer (single-valued
in plan) is filled by a closing with a disc: everything within GROW of a spot, shrunk again, so that the area ends at its
outermost spots and not beside them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage, sparse
from scipy.spatial import cKDTree

from sandbox.view.kernels import spots as kernels

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Singles = NDArray[np.float32]

GROW = 0.25
SHRINK = 0.19
LINK = 0.40
"""spots closer than this in plan, and closer in height than RISE, lie on one surface."""
RISE = 0.55
LIFT = 0.03
"""how far above its spots the surface is drawn, inches."""
SPENT = 0.3
"""inches short of the allowance from which on the allowance itself is what ends the reach."""
STEEPEST = 2.3
"""inches that a cost rises at most per inch of way where it does not jump."""
CERTAIN = 0.999
"""a chance from which on no test is shown."""
PITCH = 0.06
"""inches between the nodes of a surface, where it is not too large for that."""
BIN = 0.25
"""inches: spots are looked up in squares of this size."""
BLUR = 0.13
"""inches (of a bell curve) by which borders between spots are smoothed."""


@dataclass(frozen=True, eq=False)
class Layer:
    """One single-valued surface of the reach."""

    points: Singles
    """(n, 3) inches."""
    values: Singles
    """(n, 3) cost, how far from what needs a test (negative: inside it), how far inside the border (negative: outside),
    inches."""
    faces: NDArray[np.uint32]
    """(m, 3)."""
    spots: Ints
    """rows of the spots that lie on it."""


@dataclass(frozen=True)
class Tag:
    """A short text on the reach."""

    at: tuple[float, float, float]
    text: str
    test: bool
    weight: float
    """how many spots it speaks for."""


def band_width(allowance: float) -> float:
    """Width of the cost bands in inches: the smallest round number that makes at most six of them."""
    for width in (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0):
        if allowance <= 6 * width + 1e-9:
            return width
    return float(np.ceil(allowance / 6))


def band_count(allowance: float) -> int:
    """How many bands the allowance has."""
    return max(1, int(np.ceil(allowance / band_width(allowance) - 1e-9)))


def layers(spots: Floats, allowance: float = np.inf, most_nodes: int = 900_000) -> list[Layer]:
    """Surfaces of (n, 5) spots x, y, z, cost, success.

    allowance: inches; where it is what ends the reach, the border runs along it and not from spot to spot.
    most_nodes: bounds the drawing's fineness on large reaches.
    """
    spots = np.asarray(spots, dtype=np.float64).reshape(-1, 5)
    if not len(spots):
        return []
    near = _near(spots)
    group = _groups(spots, near)
    answer = []
    area = 0.0
    boxes = []
    for index in range(int(group.max()) + 1):
        own = np.flatnonzero(group == index)
        span = np.ptp(spots[own, :2], axis=0) + 2 * GROW
        area += float(span.prod())
        boxes.append(own)
    pitch = float(max(PITCH, np.sqrt(area / most_nodes)))
    seams = near[group[near[:, 0]] != group[near[:, 1]]]
    seams = np.concatenate([seams, seams[:, ::-1]])
    sheet = _sheets(spots, near)
    for index, own in enumerate(boxes):
        # Spots of other surfaces that continue this one are drawn with it, so that no gap shows between the two.
        seam = np.unique(seams[group[seams[:, 0]] == index, 1])
        answer.append(_layer(spots, sheet, own.astype(np.int32), seam.astype(np.int32), pitch, allowance))
    return answer


def tags(spots: Floats, surfaces: list[Layer], band: float, visible: NDArray[np.bool_]) -> list[Tag]:
    """Inch numbers along each surface's contours, and the odds of each stretch that needs a test.

    visible: (n,) which spots can be seen; the others carry no text.
    """
    answer: list[Tag] = []
    for layer in surfaces:
        rows = spots[layer.spots[visible[layer.spots]]]
        if not len(rows):
            continue
        answer += _contour_tags(rows, band)
        answer += _odds_tags(spots[layer.spots], visible[layer.spots])
    return answer


def _contour_tags(rows: Floats, band: float) -> list[Tag]:
    """Numbers in a row down the direction in which the costs run on longest."""
    if np.ptp(rows[:, 3]) < 0.8:
        return []
    start = rows[np.argmin(rows[:, 3])]
    arm = rows[:, :2] - start[:2]
    far = np.hypot(arm[:, 0], arm[:, 1])
    heading = np.degrees(np.arctan2(arm[:, 1], arm[:, 0]))
    best: list[tuple[float, Floats]] = []
    best_score = 0.0
    inches = np.arange(np.ceil(rows[:, 3].min() + 0.05), np.floor(rows[:, 3].max() + 0.03) + 1)
    step = 1.0 if band <= 1 else band
    inches = inches[np.abs(inches / step - np.round(inches / step)) < 1e-6]
    for turn in range(-180, 180, 10):
        off = np.abs((heading - turn + 180) % 360 - 180)
        chosen = []
        for inch in inches:
            k = int(np.argmin(np.abs(rows[:, 3] - inch) + np.radians(off) * far * 0.5))
            if abs(rows[k, 3] - inch) < 0.2 and (off[k] < 12 or far[k] < 0.5):
                chosen.append((inch, rows[k]))
        # Towards the viewer (south-south-east) is preferred among equals: nothing stands before it there.
        score = len(chosen) + 0.3 * np.cos(np.radians(turn + 68))
        if score > best_score:
            best, best_score = chosen, score
    return [
        Tag((float(r[0]), float(r[1]), float(r[2])), f'{inch:.0f}"', False, float(len(rows)))
        for inch, r in best
    ]


def _odds_tags(rows: Floats, visible: NDArray[np.bool_]) -> list[Tag]:
    """One text for each connected stretch of spots with the same odds, at a spot of it that can be seen."""
    answer = []
    needs, seen = rows[rows[:, 4] < CERTAIN], visible[rows[:, 4] < CERTAIN]
    for odds in np.unique(np.round(needs[:, 4], 3)):
        alike = np.abs(needs[:, 4] - odds) < 6e-4
        same, shown = needs[alike], seen[alike]
        pairs = cKDTree(same[:, :2]).query_pairs(0.6, output_type="ndarray")
        label = _components(pairs, len(same))
        for index in range(label.max() + 1):
            # A stretch behind the bars of a railing is seen in pieces, and is one all the same.
            patch = same[(label == index) & shown]
            if not len(patch):
                continue
            middle = patch[np.argmin(np.hypot(*(patch[:, :2] - patch[:, :2].mean(axis=0)).T))]
            text = f"{odds * 100:.0f} %"
            answer.append(
                Tag((float(middle[0]), float(middle[1]), float(middle[2])), text, True, float(len(patch)))
            )
    return answer


def _near(spots: Floats) -> Ints:
    """(k, 2) rows of spots that lie next to each other on one surface."""
    pairs = cKDTree(spots[:, :2]).query_pairs(LINK, output_type="ndarray")
    close = np.abs(spots[pairs[:, 0], 2] - spots[pairs[:, 1], 2]) < RISE
    return np.asarray(pairs[close], dtype=np.int32)


def _groups(spots: Floats, near: Ints) -> Ints:
    """(n,) number of the single-valued surface of each spot."""
    cell = np.floor(spots[:, :2] / 0.25).astype(np.int64)
    cell -= cell.min(axis=0)
    columns = int(cell[:, 0].max()) + 1
    key = cell[:, 1] * columns + cell[:, 0]
    order = np.lexsort((spots[:, 2], key))
    # Within a plan cell a new floor begins where heights part.
    new_cell = np.concatenate([[True], np.diff(key[order]) != 0])
    new_floor = new_cell | np.concatenate([[True], np.diff(spots[order, 2]) > RISE])
    node = np.cumsum(new_floor) - 1
    rank = node - np.repeat(node[new_cell], np.diff(np.concatenate([np.flatnonzero(new_cell), [len(key)]])))
    component = _components(near, len(spots))
    spot_rank = np.empty(len(spots), dtype=np.int64)
    spot_rank[order] = rank
    # A component that lies over itself (a ramp to a deck above) is parted by its rank in the cell.
    pairs = np.stack([key[order], component[order], node], axis=1)
    floors = np.unique(pairs, axis=0)[:, :2]
    seen, counts = np.unique(floors, axis=0, return_counts=True)
    doubled = np.unique(seen[counts > 1, 1])
    spot_rank[~np.isin(component, doubled)] = 0
    _, group = np.unique(np.stack([component, spot_rank], axis=1), axis=0, return_inverse=True)
    return group.reshape(-1).astype(np.int32)


@dataclass(frozen=True, eq=False)
class _Near:
    """Spots by bins, to be asked for the nearest ones."""

    spots: Floats
    low: Floats
    columns: int
    rows: int
    start: Ints
    order: Ints

    @classmethod
    def of(cls, spots: Floats) -> _Near:
        """spots: (n, 2) inches."""
        low = spots.min(axis=0)
        columns, rows = (int(v) for v in (spots.max(axis=0) - low) // BIN + 1)
        start, order = kernels.by_bin(spots, low, BIN, columns, rows)
        return cls(spots, low, columns, rows, start, order)

    def of_label(
        self, points: Floats, want: Ints, label: Ints, count: int = 1, within: float = np.inf
    ) -> tuple[Ints, Floats]:
        """For each of (n, 2) points the nearest spots with the label that it wants; see `kernels.spots.nearest`."""
        answer: tuple[Ints, Floats] = kernels.nearest(
            points, want, self.spots, label, self.start, self.order, self.low, BIN, self.columns, self.rows,
            count, within,
        )  # fmt: skip
        return answer


def _layer(spots: Floats, sheet: Ints, own: Ints, seam: Ints, pitch: float, allowance: float) -> Layer:
    rows = np.concatenate([own, seam])
    sheet, spots = sheet[rows], spots[rows]
    near = _Near.of(np.ascontiguousarray(spots[:, :2]))
    low = spots[:, :2].min(axis=0) - GROW - 2 * pitch
    count = np.ceil((spots[:, :2].max(axis=0) + GROW + 2 * pitch - low) / pitch).astype(np.int64) + 1
    x, y = (low[k] + np.arange(count[k]) * pitch for k in (0, 1))
    plan = np.stack(np.meshgrid(x, y), axis=-1)
    everywhere = plan.reshape(-1, 2)
    alike = np.zeros(len(everywhere), dtype=np.int32)
    _, far = near.of_label(everywhere, alike, np.zeros(len(spots), dtype=np.int32), within=GROW + 2 * pitch)
    far = far.reshape(plan.shape[:2])
    inside = ndimage.distance_transform_edt(far <= GROW) * pitch - SHRINK
    # Spots a quarter of an inch apart leave scallops along the border; smoothing takes them off.
    # Where it is no wider than a row of spots it stays as it is, or it would vanish.
    wide = ndimage.maximum_filter(inside, size=int(0.5 / pitch)) > 0.1
    inside = np.where(wide, ndimage.gaussian_filter(inside, 0.1 / pitch), inside)
    used = (inside > -2 * pitch) & np.isfinite(far)
    flat = plan[used]
    sure = _sure(spots, near, flat, used, pitch)
    node_sheet = _nearest_sheet(spots, near, sheet, flat, used, sure, pitch)
    # Each sheet is filled from its own spots alone: between two of them costs jump.
    found, apart = near.of_label(flat, node_sheet, sheet, count=3)
    cost, height = kernels.between(
        flat, near.spots, spots[:, 3].copy(), spots[:, 2].copy(), _slopes(spots, near, sheet), found, apart
    )
    left = allowance - cost
    last = np.clip(1 - left / SPENT, 0.0, 1.0)
    inside[used] = np.where(last > 0, np.minimum(inside[used] + last * SPENT / 3, left), inside[used])
    depth = np.where(wide, ndimage.gaussian_filter(inside, 0.03 / pitch), inside)[used]
    points = np.column_stack([flat, height + LIFT]).astype(np.float32)
    values = np.column_stack([cost, sure, depth]).astype(np.float32)
    return Layer(points, values, _faces(used, depth > 0), own)


def _faces(used: NDArray[np.bool_], inner: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """(m, 3) triangles between the used nodes of a grid that have a node within the area; inner: of each used node."""
    node = np.zeros(used.shape, dtype=np.uint32)
    node[used] = np.arange(len(inner), dtype=np.uint32)
    shown = np.zeros(used.shape, dtype=np.bool_)
    shown[used] = inner
    corners = [np.s_[:-1, :-1], np.s_[:-1, 1:], np.s_[1:, 1:], np.s_[1:, :-1]]
    whole = np.logical_and.reduce([used[part] for part in corners])
    a, b, c, d = (node[part][whole] for part in corners)
    inner_a, inner_b, inner_c, inner_d = (shown[part][whole] for part in corners)
    near, far = inner_a | inner_b | inner_c, inner_a | inner_c | inner_d
    return np.concatenate([np.stack([a, b, c], axis=1)[near], np.stack([a, c, d], axis=1)[far]])


def _sure(spots: Floats, near: _Near, nodes: Floats, used: NDArray[np.bool_], pitch: float) -> Floats:
    """For each used node how far it lies from what needs a test, inches; negative inside it, smoothed along the border.

    The border runs half way between spots of either side, which alone would be a zigzag of their spacing.
    """
    certain = (spots[:, 4] >= CERTAIN).astype(np.int32)
    if certain.all() or not certain.any():
        return np.full(len(nodes), 1.0 if certain.all() else -1.0)
    from_certain, from_tested = (
        near.of_label(nodes, np.full(len(nodes), side, dtype=np.int32), certain, within=GROW + 1.0)[1][:, 0]
        for side in (1, 0)
    )
    field = np.zeros(used.shape)
    field[used] = np.clip(from_tested - from_certain, -0.5, 0.5)
    sigma = BLUR / pitch
    weight = np.maximum(ndimage.gaussian_filter(used.astype(np.float64), sigma), 1e-9)
    return np.asarray((ndimage.gaussian_filter(field, sigma) / weight)[used])


def _sheets(spots: Floats, near: Ints) -> Ints:
    """(n,) number of the sheet of each spot: spots next to each other whose costs run on, with the same odds."""
    first, second = spots[near[:, 0]], spots[near[:, 1]]
    apart = np.hypot(*(first[:, :2] - second[:, :2]).T)
    good = (np.abs(first[:, 3] - second[:, 3]) < STEEPEST * apart + 0.05) & (
        np.abs(first[:, 4] - second[:, 4]) < 6e-4
    )
    return _components(near[good], len(spots))


def _components(pairs: Ints, count: int) -> Ints:
    """(count,) number of the connected component of each spot."""
    graph = sparse.coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    return np.asarray(sparse.csgraph.connected_components(graph, directed=False)[1], dtype=np.int32)


def _nearest_sheet(
    spots: Floats,
    near: _Near,
    sheet: Ints,
    nodes: Floats,
    used: NDArray[np.bool_],
    sure: Floats,
    pitch: float,
) -> Ints:
    """The sheet that each used node belongs to: its nearest spot's, with the borders between sheets smoothed."""
    numbers, own = np.unique(sheet, return_inverse=True)
    certain = (spots[:, 4] >= CERTAIN).astype(np.int32)
    side = (sure >= 0).astype(np.int32)
    found, _ = near.of_label(nodes, side, certain)
    if len(numbers) == 1:
        return np.full(len(nodes), numbers[0], dtype=np.int32)
    nearest = np.full(used.shape, -1, dtype=np.int32)
    nearest[used] = own[found[:, 0]]
    sides = np.zeros(used.shape, dtype=np.uint8)
    sides[used] = side
    own_side = np.zeros(len(numbers), dtype=np.uint8)
    own_side[own] = certain
    reach = int(np.ceil(3 * BLUR / pitch))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) * pitch / BLUR) ** 2)
    return np.asarray(
        numbers[kernels.settled(nearest, sides, own_side, reach, weights)[used]], dtype=np.int32
    )


def _slopes(spots: Floats, near: _Near, sheet: Ints) -> Floats:
    """(n, 2, 2) gradients in plan of cost and of height at each spot, by least squares over its neighbours."""
    found, far = near.of_label(near.spots, sheet, sheet, count=9, within=0.5)
    arm = near.spots[found] - near.spots[:, None]
    rise = spots[found][:, :, [3, 2]] - spots[:, None, [3, 2]]
    good = (far < 0.5) & (np.abs(rise[..., 0]) < 1.6 * far + 0.05) & (np.abs(rise[..., 1]) < 0.3)
    arm = np.where(good[..., None], arm, 0.0)
    square = np.einsum("nki,nkj->nij", arm, arm) + np.eye(2) * 1e-6
    return np.asarray(np.linalg.solve(square, np.einsum("nki,nkj->nij", arm, rise)))
