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

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

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


@dataclass(frozen=True, eq=False)
class Layer:
    """One single-valued surface of the reach."""

    points: Floats
    """(n, 3) inches."""
    values: Floats
    """(n, 3) cost, how far from what needs a test (negative: inside it), how far inside the border (negative: outside),
    inches."""
    faces: Ints
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
    pitch = float(max(0.045, np.sqrt(area / most_nodes)))
    seams = near[group[near[:, 0]] != group[near[:, 1]]]
    seams = np.concatenate([seams, seams[:, ::-1]])
    for index, own in enumerate(boxes):
        # Spots of other surfaces that continue this one are drawn with it, so that no gap shows between the two.
        seam = np.unique(seams[group[seams[:, 0]] == index, 1])
        answer.append(_layer(spots, own.astype(np.int32), seam.astype(np.int32), pitch, allowance))
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
        graph = sparse.coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(same),) * 2)
        count, label = sparse.csgraph.connected_components(graph, directed=False)
        for index in range(count):
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
    graph = sparse.coo_matrix((np.ones(len(near)), (near[:, 0], near[:, 1])), shape=(len(spots),) * 2)
    _, component = sparse.csgraph.connected_components(graph, directed=False)
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


def _layer(spots: Floats, own: Ints, seam: Ints, pitch: float, allowance: float) -> Layer:
    rows = spots[np.concatenate([own, seam])]
    low = rows[:, :2].min(axis=0) - GROW - 2 * pitch
    count = np.ceil((rows[:, :2].max(axis=0) + GROW + 2 * pitch - low) / pitch).astype(np.int64) + 1
    x = low[0] + np.arange(count[0]) * pitch
    y = low[1] + np.arange(count[1]) * pitch
    plan = np.stack(np.meshgrid(x, y), axis=-1)
    tree = cKDTree(rows[:, :2])
    far, nearest = tree.query(plan.reshape(-1, 2), distance_upper_bound=GROW + 2 * pitch)
    far = far.reshape(plan.shape[:2])
    grown = far <= GROW
    inside = ndimage.distance_transform_edt(grown) * pitch - SHRINK
    # Spots a quarter of an inch apart leave scallops along the border; smoothing takes them off.
    # Where it is no wider than a row of spots it stays as it is, or it would vanish.
    wide = ndimage.maximum_filter(inside, size=int(0.5 / pitch)) > 0.1
    inside = np.where(wide, ndimage.gaussian_filter(inside, 0.1 / pitch), inside)
    used = inside > -2 * pitch
    used &= nearest.reshape(used.shape) < len(rows)
    node = np.full(used.shape, -1, dtype=np.int64)
    node[used] = np.arange(int(used.sum()))
    flat = plan[used]
    sure = _sure(rows, plan, used, pitch)
    sheet = _sheets(rows)
    node_sheet = _nearest_sheet(rows, sheet, plan, used, sure, pitch)
    cost, height = np.empty(len(flat)), np.empty(len(flat))
    # Each sheet is filled from its own spots alone: between two of them costs jump.
    for number in np.unique(node_sheet):
        nodes, own_rows = node_sheet == number, rows[sheet == number]
        _, first = cKDTree(own_rows[:, :2]).query(flat[nodes])
        cost[nodes], height[nodes] = _smooth(own_rows, flat[nodes], own_rows[first])
    points = np.column_stack([flat, height + LIFT])
    depth = inside.copy()
    left = allowance - cost
    last = np.clip(1 - left / SPENT, 0.0, 1.0)
    depth[used] = np.where(last > 0, np.minimum(depth[used] + last * SPENT / 3, left), depth[used])
    depth = np.where(wide, ndimage.gaussian_filter(depth, 0.03 / pitch), depth)[used]
    values = np.column_stack([cost, sure, depth])
    a, b, c, d = node[:-1, :-1], node[:-1, 1:], node[1:, 1:], node[1:, :-1]
    whole = (a >= 0) & (b >= 0) & (c >= 0) & (d >= 0)
    a, b, c, d = a[whole], b[whole], c[whole], d[whole]
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]).astype(np.int32)
    inner = values[:, 2] > 0
    faces = faces[inner[faces].any(axis=1)]
    return Layer(points, values, faces, own)


def _sure(rows: Floats, plan: Floats, used: NDArray[np.bool_], pitch: float) -> Floats:
    """For each used node how far it lies from what needs a test, inches; negative inside it, smoothed along the border.

    The border runs half way between spots of either side, which alone would be a zigzag of their spacing.
    """
    certain = rows[:, 4] >= CERTAIN
    if certain.all() or not certain.any():
        return np.full(int(used.sum()), 1.0 if certain.all() else -1.0)
    nodes = plan[used]
    near, far = (cKDTree(rows[side, :2]).query(nodes)[0] for side in (certain, ~certain))
    field = np.zeros(used.shape)
    field[used] = np.clip(far - near, -0.5, 0.5)
    sigma = 0.13 / pitch
    weight = np.maximum(ndimage.gaussian_filter(used.astype(np.float64), sigma), 1e-9)
    return np.asarray((ndimage.gaussian_filter(field, sigma) / weight)[used])


def _sheets(rows: Floats) -> Ints:
    """(n,) number of the sheet of each spot: spots next to each other whose costs run on, with the same odds."""
    pairs = cKDTree(rows[:, :2]).query_pairs(LINK, output_type="ndarray")
    first, second = rows[pairs[:, 0]], rows[pairs[:, 1]]
    apart = np.hypot(*(first[:, :2] - second[:, :2]).T)
    good = (np.abs(first[:, 3] - second[:, 3]) < STEEPEST * apart + 0.05) & (
        np.abs(first[:, 4] - second[:, 4]) < 6e-4
    )
    pairs = pairs[good]
    graph = sparse.coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(rows),) * 2)
    return np.asarray(sparse.csgraph.connected_components(graph, directed=False)[1], dtype=np.int32)


def _nearest_sheet(
    rows: Floats, sheet: Ints, plan: Floats, used: NDArray[np.bool_], sure: Floats, pitch: float
) -> Ints:
    """The sheet that each used node belongs to: its nearest spot's, with the borders between sheets smoothed."""
    certain = rows[:, 4] >= CERTAIN
    answer = np.zeros(len(sure), dtype=np.int32)
    for side in (True, False):
        mine = (sure >= 0) == side
        if not mine.any():
            continue
        own = np.flatnonzero(certain == side)
        _, first = cKDTree(rows[own, :2]).query(plan[used][mine])
        answer[mine] = sheet[own[first]]
    numbers = np.unique(answer)
    if len(numbers) == 1:
        return answer
    nearest = np.full(used.shape, -1, dtype=np.int32)
    nearest[used] = answer
    tested = np.zeros(used.shape, dtype=np.bool_)
    tested[used] = sure < 0
    best, chosen = np.zeros(used.shape), nearest.copy()
    margin = int(0.4 / pitch)
    boxes = ndimage.find_objects(nearest + 1)
    for number in numbers:
        box = boxes[number]
        box = tuple(
            slice(max(0, part.start - margin), min(whole, part.stop + margin))
            for part, whole in zip(box, used.shape, strict=True)
        )
        share = ndimage.gaussian_filter((nearest[box] == number).astype(np.float32), 0.13 / pitch)
        side = bool(rows[sheet == number][0, 4] >= CERTAIN)
        more = (share > best[box]) & used[box] & (tested[box] != side)
        best[box] = np.where(more, share, best[box])
        chosen[box] = np.where(more, number, chosen[box])
    return np.asarray(chosen[used], dtype=np.int32)


def _smooth(rows: Floats, plan: Floats, nearest: Floats) -> tuple[Floats, Floats]:
    """Cost and height between the spots: the tangent planes at the nearest three spots, weighted by nearness.

    (Shepard's method with gradients.) Spots across a jump of cost or height are left out of it.
    """
    count = min(3, len(rows))
    if count < 3:
        return nearest[:, 3].copy(), nearest[:, 2].copy()
    tree = cKDTree(rows[:, :2])
    slopes = _slopes(rows, tree)
    far, found = tree.query(plan, k=count)
    arm = plan[:, None, :] - rows[found, :2]
    jump = np.abs(rows[found, 3] - nearest[:, None, 3]) > 1.6 * (far + far[:, :1]) + 0.05
    jump |= np.abs(rows[found, 2] - nearest[:, None, 2]) > 0.3
    weight = np.where(jump, 0.0, np.maximum(1.0 / (far + 1e-3) - 1.0 / 0.6, 1e-6) ** 2)
    weight /= np.maximum(weight.sum(axis=1, keepdims=True), 1e-12)
    answer = []
    for column, own in ((3, slopes[:, :, 0]), (2, slopes[:, :, 1])):
        value = rows[found, column] + np.einsum("nkd,nkd->nk", arm, own[found])
        answer.append(np.einsum("nk,nk->n", weight, value))
    return answer[0], answer[1]


def _slopes(rows: Floats, tree: cKDTree) -> Floats:
    """(n, 2, 2) gradients in plan of cost and of height at each spot, by least squares over its neighbours."""
    far, found = tree.query(rows[:, :2], k=min(9, len(rows)))
    arm = rows[found, :2] - rows[:, None, :2]
    rise = rows[found][:, :, [3, 2]] - rows[:, None, [3, 2]]
    good = (far < 0.5) & (np.abs(rise[..., 0]) < 1.6 * far + 0.05) & (np.abs(rise[..., 1]) < 0.3)
    arm = np.where(good[..., None], arm, 0.0)
    square = np.einsum("nki,nkj->nij", arm, arm) + np.eye(2) * 1e-6
    return np.asarray(np.linalg.solve(square, np.einsum("nki,nkj->nij", arm, rise)))
