"""Thresholds of ground, tried 0.2 mm to either side."""
