"""Boards that are made up: from a size, a seed, what somebody owns and what somebody wishes for."""

from sandbox.layout.new.make import Made, make
from sandbox.layout.new.proof import Proof, prove
from sandbox.layout.new.wishes import Fairness, Wishes, read_own

__all__ = ["Fairness", "Made", "Proof", "Wishes", "make", "prove", "read_own"]
