"""Worked cases: a referee's answers on the smallest boards that show them."""
