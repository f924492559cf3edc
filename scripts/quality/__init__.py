"""Builds with planted faults, and how many of them the terrain check finds."""
