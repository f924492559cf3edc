"""One measurement in a process of its own: prints its figures as one JSON object.

    python scripts/benchmarks/probe.py ground BOARD.yaml BOARD.obj

Seconds and MiB. Kernels are warmed up first on a small board, so compiling never counts here.
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import sandbox
from sandbox.demo import WARM_UP
from sandbox.ground.ground import Ground
from sandbox.ground.model import Body, Place, Window
from sandbox.ground.region import Region
from sandbox.moves import legal
from sandbox.moves.answers import LegalMoves
from sandbox.moves.battlefield import Battlefield
from sandbox.moves.groundwork import Groundwork
from sandbox.moves.proof import FAULTS, Proof
from sandbox.physics.world import open_world
from sandbox.units import mm

FIGHTER = "kal"
ENOUGH = 15.0
"""seconds: what takes longer in all is not repeated again."""
RUNS = 3
TARGETS = 40
"""places that `to` is asked for."""

Figures = dict[str, Any]


def best(work: Callable[[], Any]) -> float:
    """Least seconds of up to three runs."""
    taken: list[float] = []
    while len(taken) < RUNS and sum(taken) < ENOUGH:
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return min(taken)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of one run, and its answer."""
    begun = time.perf_counter()
    answer = work()
    return time.perf_counter() - begun, answer


def peak() -> float:
    """The most memory this process and its children have held so far, MiB."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return (own + children) / 1024


def warm() -> None:
    """Ask a small board a bit of everything, so that all kernels are there."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "warm.yaml"
        path.write_text(WARM_UP, encoding="utf-8")
        field = sandbox.load(path)
        for fighter in ("low", "high"):
            moves = field.moves(fighter, "move")
            for spot in moves.spots[:: max(1, len(moves.spots) // 5)]:
                moves.to(float(spot["x"]), float(spot["y"]), float(spot["z"]))
            moves.to(12.0, 12.0, 2.0)
            moves.to(1.0, 23.0)
        field.world.close()


# -- ground --------------------------------------------------------------------------------------------------------


def ground(scene: Path, obj: Path) -> Figures:
    """Ground of the whole board and of one fighter's disc, and pybullet's own build of the same mesh."""
    warm()
    loaded, field = timed(lambda: sandbox.load(scene))
    figures: Figures = {"load": loaded}
    body = field.body_of(field.fighter(FIGHTER))
    x, y, _ = field.fighter(FIGHTER).at
    width, depth = field.terrain.size_mm
    tries: list[dict[str, float]] = []
    shapes: list[float] = []
    while len(tries) < RUNS and sum(t["all"] for t in tries) < 2 * ENOUGH:
        shapes.append(_pybullet_build(obj))  # in turns, so that both meet the same machine
        fresh = Groundwork(field.scene, field.terrain, field.pack).ground()
        tries.append(_whole(fresh, body, Window(0.0, 0.0, width, depth)))
    least = min(tries, key=lambda t: t["all"])
    figures |= {f"board {key}": value for key, value in least.items()}
    figures["pybullet"] = min(shapes)

    def one_disc() -> None:
        fresh = Groundwork(field.scene, field.terrain, field.pack).ground()
        around = (mm(x), mm(y), mm(10.0))
        fresh.places(body, Region.disc(*around))

    figures["disc"] = best(one_disc)
    figures["world"], world = timed(lambda: open_world(field.terrain))
    world.close()
    return figures


def _whole(fresh: Ground, body: Body, window: Window) -> dict[str, float]:
    """Seconds of each step of the whole board's ground, from what `fresh` knows of the terrain."""
    survey, patch = timed(lambda: fresh.patch(window))
    placed, places = timed(lambda: fresh.places(body, window))
    linked, links = timed(lambda: fresh.links(places, window, jumps=False))
    passable = int(((places.flags & Place.PASS) != 0).sum())
    return {
        "all": survey + placed + linked,
        "survey and lips": survey,
        "places": placed,
        "links": linked,
        "count of places": passable,
        "count of links": len(links.kind),
        "count of lips": len(patch.lips.a),
    }


def _pybullet_build(obj: Path) -> float:
    """Seconds pybullet takes to build the collision shape of an OBJ file."""
    import pybullet  # noqa: PLC0415 - greets on import

    client = pybullet.connect(pybullet.DIRECT)
    taken, shape = timed(
        lambda: pybullet.createCollisionShape(
            pybullet.GEOM_MESH,
            fileName=str(obj),
            flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
            physicsClientId=client,
        )
    )
    assert shape >= 0
    pybullet.disconnect(client)
    return taken


# -- questions -----------------------------------------------------------------------------------------------------


def questions(scene: Path, _: Path) -> Figures:
    """Spots, `to` with and without proof, refusals: ground ready, and the first time."""
    warm()
    figures: Figures = {}
    field = sandbox.load(scene)
    figures["first spots"], _spots = timed(lambda: _ask(field).spots)
    figures["spots, with chances"] = best(lambda: _ask(field).spots)
    labels, legal.LABELS = legal.LABELS, 1
    figures["spots, one label"] = best(lambda: _ask(field).spots)
    legal.LABELS = labels
    moves = _ask(field)
    spots = moves.spots
    figures["count of spots"] = len(spots)
    targets = spots[np.linspace(0, len(spots) - 1, TARGETS).astype(int)]
    places = [(float(s["x"]), float(s["y"]), float(s["z"])) for s in targets]
    figures |= _ways(moves, places)
    figures |= _refusals(scene)
    figures["faults"] = sum(FAULTS.values())
    return figures


def _ask(field: Battlefield) -> LegalMoves:
    return field.moves(FIGHTER, "move")


def _ways(moves: LegalMoves, places: list[tuple[float, float, float]]) -> Figures:
    """Seconds of a legal `to`: without the proof, with it, and the second time."""
    confirm = Proof.confirm
    Proof.confirm = lambda self, legs: (legs, [])  # type: ignore[method-assign]
    way = [timed(lambda p=p: moves.to(*p))[0] for p in places]  # type: ignore[misc]
    Proof.confirm = confirm  # type: ignore[method-assign]
    proof: list[float] = []
    again: list[float] = []
    refused = 0
    for place, without in zip(places, way, strict=True):
        taken, move = timed(lambda p=place: moves.to(*p))  # type: ignore[misc]
        if not move.legal:
            refused += 1
            continue
        proof.append(max(taken - without, 0.0) / max(len(move.legs), 1))
        again.append(timed(lambda p=place: moves.to(*p))[0])  # type: ignore[misc]
    return {
        "way": statistics.median(way),
        "way, slowest": max(way),
        "proof of a leg": statistics.median(proof),
        "proof of a leg, slowest": max(proof),
        "to again": statistics.median(again),
        "spots that `to` refuses": refused,
    }


def _refusals(scene: Path) -> Figures:
    """Seconds of refused `to`s to places where the base stands: the first, which looks farther, then others."""
    field = sandbox.load(scene)  # a new one, where nobody has looked beyond the allowance yet
    moves = _ask(field)
    _ = moves.spots
    x, y, _ = field.fighter(FIGHTER).at
    figures: Figures = {}
    taken: list[float] = []
    for reach in (10.6, 13.0, 17.0):
        for angle in np.arange(0.0, 2 * np.pi, np.pi / 15):
            at = (x + reach * float(np.cos(angle)), y + reach * float(np.sin(angle)))
            if not field.stand(*at).stands:
                continue  # refused for where it ends, without a search
            seconds, move = timed(lambda at=at: moves.to(*at))  # type: ignore[misc]
            if not move.legal:
                taken.append(seconds)
    figures["first refusal"] = taken[0]
    figures["refusal"] = statistics.median(taken[1:])
    figures["refusal, slowest"] = max(taken[1:])
    return figures


# -- memory --------------------------------------------------------------------------------------------------------


def memory(scene: Path, _: Path) -> Figures:
    """Most memory held, after each step of one process."""
    figures: Figures = {"imported": peak()}
    field = sandbox.load(scene)
    figures["loaded"] = peak()
    moves = _ask(field)
    spots = moves.spots
    figures["spots"] = peak()
    first = spots[len(spots) // 2]
    moves.to(float(first["x"]), float(first["y"]), float(first["z"]))
    figures["to, proven"] = peak()
    width, depth = field.terrain.size_mm
    fighter = field.fighter(FIGHTER)
    _whole(field.ground.ground(fighter.rules), field.body_of(fighter), Window(0.0, 0.0, width, depth))
    figures["whole board"] = peak()
    return figures


PROBES: dict[str, Callable[[Path, Path], Figures]] = {
    "ground": ground,
    "questions": questions,
    "memory": memory,
}

if __name__ == "__main__":
    name, scene, obj = sys.argv[1:]
    print(json.dumps(PROBES[name](Path(scene), Path(obj))))
