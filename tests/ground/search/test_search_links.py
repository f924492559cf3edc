"""Links, chances and Moves in a chain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import search_boards as boards
import shapely

from sandbox.ground.search import Reach, search
from sandbox.ground.search_model import StretchKind

WALL = shapely.box(98.0, -60.0, 102.0, 400.0)


def _nearest(places: boards.Places, x: float, y: float) -> int:
    return int(np.argmin(np.hypot(places.pos[:, 0] - x, places.pos[:, 1] - y)))


def _link(places: boards.Places, start: tuple[float, float], end: tuple[float, float]) -> dict[str, object]:
    return {
        "start": _nearest(places, *start),
        "end": _nearest(places, *end),
        "start_pos": (*start, 0.0),
        "end_pos": (*end, 0.0),
        "plan": float(np.hypot(end[0] - start[0], end[1] - start[1])),
    }


def _ask(
    places: boards.Places, rows: list[dict[str, object]], prices: list[float], **changes: object
) -> Reach:
    k = len(rows)
    asked: dict[str, object] = {
        "link_price": np.array(prices),
        "link_chance": np.ones(k),
        "link_whole": np.zeros(k, bool),
        "labels": 4,
    }
    asked.update(changes)
    return search(places, boards.links(*rows), boards.question(places, (50.3, 60.2, 0.0), 240.0, **asked))


@pytest.fixture(scope="module")
def places() -> boards.Places:
    return boards.flat((200.0, 120.0), [WALL], 16.0).places


def test_without_links_the_wall_holds(places: boards.Places) -> None:
    assert _ask(places, [], []).at((150.0, 60.0, 0.0)) is None


def test_a_link_is_exact_to_its_ends(places: boards.Places) -> None:
    link = _link(places, (81.6, 71.3), (118.7, 71.3))
    found = _ask(places, [link], [44.0])
    goal = (160.4, 48.8, 0.0)
    arrival = found.at(goal)
    assert arrival is not None
    truth = np.hypot(81.6 - 50.3, 71.3 - 60.2) + 44.0 + np.hypot(160.4 - 118.7, 71.3 - 48.8)
    assert arrival.cost == pytest.approx(truth, abs=1e-6)
    walk, climb, after = found.way(arrival)
    assert (walk.kind, climb.kind, after.kind) == (StretchKind.WALK, StretchKind.LINK, StretchKind.WALK)
    assert climb.link == 0
    assert climb.cost == 44.0
    assert tuple(after.points[0]) == (118.7, 71.3, 0.0)


def test_of_many_links_the_cheapest_way_counts(places: boards.Places) -> None:
    ys = np.arange(20.0, 110.0, 1.0)
    rows = [_link(places, (81.9, y), (118.1, y)) for y in ys]
    found = _ask(places, rows, [40.0] * len(rows))
    goal = (170.0, 101.0, 0.0)
    truth = min(np.hypot(81.9 - 50.3, y - 60.2) + 40.0 + np.hypot(170 - 118.1, 101 - y) for y in ys)
    arrival = found.at(goal)
    assert arrival is not None
    assert truth - 1e-6 <= arrival.cost <= truth + 0.05


def test_links_that_are_not_allowed_are_not_taken(places: boards.Places) -> None:
    link = _link(places, (81.6, 71.3), (118.7, 71.3))
    assert _ask(places, [link], [np.inf]).at((150.0, 60.0, 0.0)) is None
    hopeless = _ask(places, [link], [40.0], link_chance=np.zeros(1)).at((150.0, 60.0, 0.0))
    assert hopeless is not None  # allowed, only that no roll is high enough
    assert hopeless.chance == 0.0
    refused = dict(link, limit=1)
    assert _ask(places, [refused], [40.0]).at((150.0, 60.0, 0.0)) is None


def test_the_best_chance_counts_first(places: boards.Places) -> None:
    rows = [_link(places, (81.9, 60.0), (118.1, 60.0)), _link(places, (81.9, 100.0), (118.1, 100.0))]
    found = _ask(places, rows, [37.0, 60.0], link_chance=np.array([0.5, 1.0]))
    goal = (150.0, 60.0, 0.0)
    sure = found.at(goal)
    quick = found.at(goal, cheapest=True)
    assert sure is not None
    assert quick is not None
    assert (sure.chance, quick.chance) == (1.0, 0.5)
    assert quick.cost == pytest.approx(np.hypot(31.6, 0.2) + 37.0 + 31.9, abs=1e-6)
    assert sure.cost == pytest.approx(np.hypot(31.6, 39.8) + 60.0 + np.hypot(31.9, 40.0), abs=1e-6)
    place = _nearest(places, 150.0, 60.0)
    assert found.chance[place] == 1.0
    assert found.chance_cost[place] == pytest.approx(sure.cost, abs=boards.PITCH)
    assert found.cost[place] == pytest.approx(quick.cost, abs=boards.PITCH)
    # where the sure way is too long the risky one is left
    near = _ask(places, rows, [37.0, 60.0], link_chance=np.array([0.5, 1.0]), moves=(110.0,)).at(goal)
    assert near is not None
    assert near.chance == 0.5


def test_one_label_keeps_the_cheapest(places: boards.Places) -> None:
    rows = [_link(places, (81.9, 60.0), (118.1, 60.0)), _link(places, (81.9, 100.0), (118.1, 100.0))]
    found = _ask(places, rows, [37.0, 60.0], link_chance=np.array([0.5, 1.0]), labels=1)
    assert found.chance[_nearest(places, 150.0, 60.0)] == 0.5


def test_more_chances_than_labels_keep_cheapest_and_best(places: boards.Places) -> None:
    ys = np.linspace(20.0, 110.0, 6)
    rows = [_link(places, (81.9, y), (118.1, y)) for y in ys]
    chance = np.linspace(0.2, 1.0, 6)
    found = _ask(places, rows, list(np.linspace(20.0, 120.0, 6)), link_chance=chance, labels=3)
    place = _nearest(places, 120.0, 60.0)
    assert found.chance[place] == 1.0
    cheapest = found.at((120.0, 60.0, 0.0), cheapest=True)
    assert cheapest is not None
    assert cheapest.chance < 1.0


def test_chances_multiply(places: boards.Places) -> None:
    walls = [WALL, shapely.box(158.0, -60.0, 162.0, 400.0)]
    two = boards.flat((260.0, 120.0), walls, 16.0).places
    rows = [_link(two, (81.9, 60.0), (118.1, 60.0)), _link(two, (141.9, 60.0), (178.1, 60.0))]
    arrival = _ask(two, rows, [30.0, 30.0], link_chance=np.array([0.5, 2 / 3])).at((200.0, 60.0, 0.0))
    assert arrival is not None
    assert arrival.chance == pytest.approx(1 / 3)


def test_a_whole_link_waits_and_a_climb_is_broken_off(places: boards.Places) -> None:
    link = _link(places, (81.9, 60.2), (118.1, 60.2))
    goal = (120.0, 60.2, 0.0)
    reach_it = 81.9 - 50.3
    broken = _ask(places, [link], [50.0], moves=(60.0, 60.0)).at(goal)
    assert broken is not None
    assert broken.clock == pytest.approx(reach_it + 50.0 + 1.9, abs=1e-6)
    assert broken.move == 1
    whole = _ask(places, [link], [50.0], moves=(60.0, 60.0), link_whole=np.ones(1, bool)).at(goal)
    assert whole is not None
    assert whole.cost == pytest.approx(reach_it + 50.0 + 1.9, abs=1e-6)
    assert whole.clock == pytest.approx(60.0 + 50.0 + 1.9, abs=1e-6)
    too_long = _ask(places, [link], [60.5], moves=(60.0, 60.0), link_whole=np.ones(1, bool)).at(goal)
    assert too_long is None


def test_a_start_in_mid_climb_leaves_by_its_link(places: boards.Places) -> None:
    row = _link(places, (100.0, 60.0), (118.1, 60.0))
    row["start"] = -1
    row["start_pos"] = (100.0, 60.0, 40.0)
    asked = boards.question(
        places,
        (100.0, 60.0, 40.0),
        60.0,
        link_price=np.array([30.0]),
        link_chance=np.ones(1),
        link_whole=np.zeros(1, bool),
    )
    found = search(places, boards.links(row), asked)
    arrival = found.at((125.0, 60.0, 0.0))
    assert arrival is not None
    assert arrival.cost == pytest.approx(30.0 + 6.9, abs=1e-6)
    assert [s.kind for s in found.way(arrival)] == [StretchKind.LINK, StretchKind.WALK]
    assert found.at((60.0, 60.0, 0.0)) is None


def test_a_goal_ends_the_search(places: boards.Places) -> None:
    asked = boards.question(places, (50.3, 60.2, 0.0), 240.0)
    goal = _nearest(places, 60.0, 60.0)
    near = search(places, boards.links(), asked, goal=goal)
    far = search(places, boards.links(), asked)
    assert near.cost[goal] == pytest.approx(far.cost[goal])
    assert np.isfinite(near.cost).sum() < np.isfinite(far.cost).sum()


def test_what_other_bases_keep_out(places: boards.Places) -> None:
    disc = np.array([[60.0, 60.0, 25.0, -5.0, 5.0]])
    asked = boards.question(places, (20.0, 60.0, 0.0), 240.0, discs=disc)
    arrival = search(places, boards.links(), asked).at((84.0 - 3.0, 90.0, 0.0))
    assert arrival is not None
    above = replace(asked, discs=np.array([[60.0, 60.0, 25.0, 30.0, 60.0]]))
    straight = search(places, boards.links(), above).at((81.0, 60.0, 0.0))
    assert straight is not None
    assert straight.cost == pytest.approx(61.0, abs=1e-6)


@pytest.mark.parametrize(("spends", "passed"), [((1, 1), False), ((1, 2), True), ((0, 1), True)])
def test_what_is_used_up_once_is_not_used_again(spends: tuple[int, int], passed: bool) -> None:
    second = shapely.box(158.0, -60.0, 162.0, 400.0)
    both = boards.flat((240.0, 120.0), [WALL, second], 16.0).places
    rows = [_link(both, (81.6, 71.3), (118.7, 71.3)), _link(both, (141.6, 71.3), (178.7, 71.3))]
    found = _ask(both, rows, [44.0, 44.0], link_bits=np.array(spends, np.uint8))
    assert found.at((130.0, 71.3, 0.0)) is not None
    assert (found.at((200.0, 71.3, 0.0)) is not None) == passed
