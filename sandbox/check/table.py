"""A report as tables for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sandbox.check.finding import Case, Finding, Severity
from sandbox.check.model import Floor, Reach, Report
from sandbox.units import inches

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "dim"}
REACHED = {Reach.WALKED: "yes", Reach.TESTED: "check", Reach.NEVER: "no", Reach.TOO_SMALL: "-"}
_MOST_FLOORS = 12
MOST_ALIKE = 4
"""findings of one kind and severity that are shown; the rest is counted."""


def headline(report: Report) -> str:
    """``tower.stl: 2 errors, 1 warning; 4 more to know``."""
    if not report.findings:
        return f"{report.subject}: nothing to say; it plays and prints."
    errors, warnings, infos = (report.count(s) for s in (Severity.ERROR, Severity.WARNING, Severity.INFO))
    parts = [_count(errors, "error"), _count(warnings, "warning")]
    told = ", ".join(part for part in parts if part) or "nothing wrong"
    return f"{report.subject}: {told}" + (f"; {infos} more to know" if infos else "")


def _count(number: int, word: str) -> str:
    return "" if not number else f"{number} {word}" + ("" if number == 1 else "s")


def show(out: Console, report: Report, *, show_all: bool) -> None:
    """Print a report: one line where there is nothing to say."""
    out.print(escape(headline(report)), style="bold", soft_wrap=True)
    shown = [f for f in report.findings if show_all or f.severity is not Severity.INFO]
    if shown:
        out.print(findings_table(shown, most=len(shown) if show_all else MOST_ALIKE))
    hidden = len(report.findings) - len(shown)
    if report.comparison is not None:
        c = report.comparison
        out.print(
            escape(f"against {c.older}: {len(c.cured)} cured, {len(c.new)} new, {len(c.unchanged)} unchanged")
        )
        for title, ids in (("cured", c.cured), ("new", c.new)):
            if ids:
                out.print(escape(f"  {title}: {', '.join(ids)}"), soft_wrap=True)
    if report.findings and report.floors:
        out.print(floors_table(report.floors, report))
    best = best_scale(report)
    if best:
        out.print(escape(best))
    for note in report.notes:
        out.print(escape(f"not looked at: {note}"), style="dim")
    for entry in report.stale:
        out.print(escape(f"accepted, and not found: {entry}: mend the entry or take it out"), style="yellow")
    if hidden:
        out.print(f"{hidden} more to know: --all shows them.", style="dim")


def best_scale(report: Report) -> str:
    """The scale that cures most, in one line; empty where none is better than this one."""
    now = next((row for row in report.scales if row.scale == 1.0), None)
    if now is None or now.errors + now.warnings == 0:
        return ""
    best = min(report.scales, key=lambda row: (row.errors, row.warnings, abs(row.scale - 1.0)))
    if (best.errors, best.warnings) >= (now.errors, now.warnings):
        return "No scale between 0.9 and 1.2 is better than this one."
    return (
        f"Printed at {best.scale:g} it would have {_count(best.errors, 'error') or 'no errors'} and "
        f"{_count(best.warnings, 'warning') or 'no warnings'} of this kind (now {now.errors} and {now.warnings}): "
        f"{best.cured} cured, {best.new} new."
    )


def findings_table(findings: list[Finding], most: int) -> Table:
    """Findings, one a row, with what would cure each; of one kind and severity at most so many."""
    table = Table()
    table.add_column("#", justify="right")
    table.add_column("severity")
    table.add_column("finding", overflow="fold")
    table.add_column("where, mm", no_wrap=True)
    table.add_column("bases, packs", overflow="fold")
    told: Counter[tuple[str, str]] = Counter()
    alike = Counter((one.kind.value, one.severity.value) for one in findings)
    for one in findings:
        key = (one.kind.value, one.severity.value)
        told[key] += 1
        more = alike[key] - most
        if told[key] > most and more > 1:
            if told[key] == most + 1:
                last = one.number + more - 1
                table.add_row(
                    f"{one.number}-{last}",
                    "",
                    f"[dim]{more} more of kind {one.kind.value}: --all shows them[/dim]",
                )
            continue
        words = escape(one.text)
        if one.cure:
            words += f"\n[dim]{escape(one.cure)}[/dim]"
        if one.accepted is not None:
            words += f"\n[dim]accepted: {escape(one.accepted)}[/dim]"
        words += f"\n[dim]{escape(one.id)}[/dim]"
        table.add_row(
            str(one.number),
            f"[{STYLES[one.severity]}]{one.severity.value}[/]",
            words,
            "\n".join(
                f"{axis} {round(value, 1) + 0.0:.1f}" for axis, value in zip("xyz", one.at, strict=True)
            ),
            "\n".join(escape(line) for line in who(one)),
        )
    return table


def who(finding: Finding) -> list[str]:
    """The bases and the packs that a finding is about, a line each; by severity where that differs between them."""
    grave = sorted({case.severity for case in finding.cases}, key=lambda one: -one.rank)
    if len(grave) < 2 or finding.accepted is not None:
        return _names(finding.cases)
    lines = []
    for severity in grave:
        cases = [case for case in finding.cases if case.severity is severity]
        effects = {case.effect for case in cases if case.effect}
        words = [*_names(cases), *(effects if len(effects) == 1 else ())]
        lines.append(f"{severity.value}: {'; '.join(words)}")
    return lines


def _names(cases: Sequence[Case]) -> list[str]:
    bases = list(dict.fromkeys(c.base for c in cases if c.base is not None))
    packs = list(dict.fromkeys(c.pack for c in cases if c.pack is not None))
    return [*([f"{', '.join(bases)} mm"] if bases else []), *([", ".join(packs)] if packs else [])]


def floors_table(floors: tuple[Floor, ...], report: Report) -> Table:
    """Floors with their size, and for each base whether it gets there under the first pack."""
    pack = report.packs[0] if report.packs else ""
    table = Table(title=f"floors ({pack}): who gets there", title_justify="left", title_style="bold")
    for name in ("height", "area", "holds"):
        table.add_column(name, justify="right", no_wrap=True)
    for base in report.bases:
        table.add_column(base.name, justify="center")
    table.add_column("way from table", justify="right")
    table.add_column("ways up/down", justify="right")
    shown = sorted(floors, key=lambda f: -f.area)[:_MOST_FLOORS]
    if len(floors) > len(shown):
        table.caption = f"and {len(floors) - len(shown)} smaller ones: --json and --html tell all"
        table.caption_justify = "left"
    for floor in sorted(shown, key=lambda f: (f.height, -f.area)):
        rows = {row.base: row for row in floor.reach if row.pack == pack}
        first = next(
            (rows[b.name] for b in report.bases if b.name in rows and rows[b.name].cost is not None), None
        )
        table.add_row(
            "the table" if floor.number == 0 else f'{floor.height:.1f} mm ({inches(floor.height):.2f}")',
            f"{floor.area:.0f} cm2",
            f"{floor.holds:.1f} mm",
            *(REACHED[rows[b.name].reach] if b.name in rows else "-" for b in report.bases),
            "" if first is None or first.cost is None else f'{first.cost:.1f}"',
            "" if first is None or floor.number == 0 else f"{first.ways_up}/{first.ways_down}",
        )
    return table
