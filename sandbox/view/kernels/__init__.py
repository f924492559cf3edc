"""Compiled kernels of the view room."""
