"""Compiled kernels of the ground room."""
