"""The terrain check: does this build play, and does it print? It reads a build and decides nothing about moves.

`check.check(path, settings)` gives a `Report`; `page.write` makes one page of it.
"""
