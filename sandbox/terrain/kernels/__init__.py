"""Compiled inner loops of the terrain room."""
