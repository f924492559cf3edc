"""Tests of the terrain room."""
