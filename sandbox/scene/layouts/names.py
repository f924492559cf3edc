"""Names of places on a layout: squares like chess squares, borders and corners by the square they belong to.

`C4` is the third column from the west and the fourth row from the south; `C4n` its northern border, `C4ne` its
north-eastern corner. Borders and corners on the board's southern and western rim get `s` and `w`.
"""

from __future__ import annotations


def column_name(column: int) -> str:
    """``A`` for column 0, ``Z`` for 25, ``AA`` for 26."""
    name = ""
    left = column + 1
    while left:
        left, digit = divmod(left - 1, 26)
        name = chr(ord("A") + digit) + name
    return name


def square_name(column: int, row: int) -> str:
    """``C4`` for column 2, row 3."""
    return f"{column_name(column)}{row + 1}"


def across_name(column: int, row: int) -> str:
    """A border that runs from west to east; row r lies south of the squares of row r."""
    return f"{square_name(column, row - 1)}n" if row else f"{square_name(column, 0)}s"


def upright_name(column: int, row: int) -> str:
    """A border that runs from south to north; column c lies west of the squares of column c."""
    return f"{square_name(column - 1, row)}e" if column else f"{square_name(0, row)}w"


def corner_name(column: int, row: int) -> str:
    """The corner south-west of square (column, row), which may lie beyond the last ones."""
    side = ("n" if row else "s") + ("e" if column else "w")
    return square_name(max(column - 1, 0), max(row - 1, 0)) + side
