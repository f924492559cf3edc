"""The collision world: rays, sweeps, contact and drops behind one interface, and the proof of single legs."""

from sandbox.physics.model import CollisionWorld, Contact, Cylinder, Hull, RayHits, Rest, Sweep
from sandbox.physics.proof import Proof, Refusal, prove_climb, prove_landing, prove_sweep, prove_walk
from sandbox.physics.world import Engine, Opening, chosen_engine, engines, open_world

__all__ = [
    "CollisionWorld",
    "Contact",
    "Cylinder",
    "Engine",
    "Hull",
    "Opening",
    "Proof",
    "RayHits",
    "Refusal",
    "Rest",
    "Sweep",
    "chosen_engine",
    "engines",
    "open_world",
    "prove_climb",
    "prove_landing",
    "prove_sweep",
    "prove_walk",
]
