"""A catalogue as one page that needs nothing else: builds by what is wrong with them, worst first, with filters."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from sandbox.catalogue.run import Entry
from sandbox.check.finding import Finding, Severity
from sandbox.check.model import FindingKind
from sandbox.check.table import best_scale, headline
from sandbox.files.pages import write_page_text

LEAST = (
    ("", "all"),
    ("info", "with anything to say"),
    ("warning", "with warnings or errors"),
    ("error", "with errors"),
)
NAMED = 24
"""builds named in one row of the table."""


def write_catalogue(entries: Sequence[Entry], path: Path) -> None:
    """Write the page of some builds. UserError where that cannot be."""
    write_page_text(path, catalogue_page(entries))


def ordered(entries: Sequence[Entry]) -> list[Entry]:
    """The worst build first: by errors, then by warnings; of equals the one whose worst kind is told first."""
    kinds = list(FindingKind)

    def key(entry: Entry) -> tuple[int, int, int, str]:
        report = entry.report
        wrong = [f for f in report.findings if f.severity is not Severity.INFO]
        first = min((kinds.index(FindingKind(f.kind)) for f in wrong), default=len(kinds))
        return -report.count(Severity.ERROR), -report.count(Severity.WARNING), first, entry.path.name

    return sorted(entries, key=key)


def by_kind(entries: Sequence[Entry]) -> list[tuple[FindingKind, Severity, list[tuple[Entry, int]]]]:
    """What is wrong anywhere: kind, its worst severity, and the builds it was found in with how often; most first."""
    rows: list[tuple[FindingKind, Severity, list[tuple[Entry, int]]]] = []
    for kind in FindingKind:
        found = []
        worst = Severity.INFO
        for entry in entries:
            wrong = [f for f in entry.report.findings if f.kind is kind and f.severity is not Severity.INFO]
            if wrong:
                found.append((entry, len(wrong)))
                worst = max([worst, *(f.severity for f in wrong)], key=lambda s: s.rank)
        if found:
            rows.append((kind, worst, found))
    return sorted(rows, key=lambda row: (-row[1].rank, -len(row[2])))


def catalogue_page(entries: Sequence[Entry]) -> str:
    """The page's text."""
    assets = files("sandbox.catalogue") / "assets"
    css, js = ((assets / name).read_text("utf-8") for name in ("catalogue.css", "catalogue.js"))
    listed = ordered(entries)
    name = {id(entry): f"build-{number}" for number, entry in enumerate(listed, start=1)}
    body = "\n".join(
        [_head(listed), "<main>", _kinds(listed, name), _filter(listed), *_builds(listed, name), "</main>"]
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Check of {len(listed)} builds</title>\n<style>\n{css}</style>\n</head>\n<body>\n{body}\n{_foot(listed)}"
        f"<script>\n{js}</script>\n</body>\n</html>\n"
    )


def _head(entries: Sequence[Entry]) -> str:
    with_errors = sum(entry.report.count(Severity.ERROR) > 0 for entry in entries)
    with_warnings = sum(
        not entry.report.count(Severity.ERROR) and entry.report.count(Severity.WARNING) > 0
        for entry in entries
    )
    good = len(entries) - with_errors - with_warnings
    bases = ", ".join(dict.fromkeys(base.name for entry in entries for base in entry.report.bases))
    packs = ", ".join(dict.fromkeys(pack for entry in entries for pack in entry.report.packs))
    return (
        f"<header>\n<h1>{len(entries)} builds</h1>\n<p><b class='error'>{with_errors}</b> with errors, "
        f"<b class='warning'>{with_warnings}</b> with warnings alone, <b class='good'>{good}</b> with neither.</p>\n"
        f'<p class="facts">Bases: {escape(bases)} mm. Rules: {escape(packs or "none")}.</p>\n</header>'
    )


def _kinds(entries: Sequence[Entry], name: dict[int, str]) -> str:
    rows = []
    for kind, worst, found in by_kind(entries):
        shown = "".join(
            f'<a href="#{name[id(entry)]}">{escape(entry.path.name)}{f" ({count})" if count > 1 else ""}</a>'
            for entry, count in found[:NAMED]
        )
        more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
        rows.append(
            f'<tr><td class="kind {worst.value}">{kind.value}</td><td class="count">{len(found)}</td>'
            f"<td>{shown}{more}</td></tr>"
        )
    if not rows:
        return "<h2>What is wrong</h2>\n<p>Nothing; all of them play and print.</p>"
    return (
        '<h2>What is wrong</h2>\n<table id="kinds"><tr><th>kind</th><th>builds</th><th>which</th></tr>\n'
        + "\n".join(rows)
        + "\n</table>"
    )


def _filter(entries: Sequence[Entry]) -> str:
    kinds = [kind for kind in FindingKind if any(f.kind is kind for e in entries for f in e.report.findings)]
    options = "".join(f'<option value="{kind.value}">{kind.value}</option>' for kind in kinds)
    least = "".join(f'<option value="{value}">{words}</option>' for value, words in LEAST)
    return (
        '<h2>Builds, worst first</h2>\n<form id="filter">\n'
        f'<label>Builds <select name="least">{least}</select></label>\n'
        f'<label>Kind <select name="kind"><option value="">any</option>{options}</select></label>\n'
        '<label>Name <input type="search" name="text"></label>\n<span class="facts" id="shown"></span>\n</form>'
    )


def _builds(entries: Sequence[Entry], name: dict[int, str]) -> list[str]:
    rows = []
    for entry in entries:
        report = entry.report
        worst = report.worst
        kinds = dict.fromkeys(f.kind.value for f in report.findings)
        size = " x ".join(f"{v:.0f}" for v in report.size)
        wrong = dict.fromkeys(f.kind.value for f in report.findings if f.severity is not Severity.INFO)
        best = best_scale(report)
        facts = f"{size} mm, {report.triangles:,} triangles" if report.triangles else "not read"
        said = headline(report).split(": ", 1)[-1]
        items = "\n".join(_item(finding) for finding in report.findings)
        notes = "".join(f'<p class="place">Not looked at: {escape(note)}.</p>' for note in report.notes)
        rows.append(
            f'<details id="{name[id(entry)]}" class="{worst.value if worst else "good"}" '
            f'data-worst="{worst.value if worst else ""}" data-kinds="{" ".join(kinds)}" '
            f'data-name="{escape(str(entry.path), quote=True)}">\n'
            f"<summary><b>{escape(str(entry.path))}</b><span>{escape(said)}</span>"
            f'<span class="what">{escape(", ".join(wrong) or "nothing wrong")}. {facts}.</span></summary>\n'
            f"<ol>{items}</ol>{notes}{f'<p class=place>{escape(best)}</p>' if best else ''}\n</details>"
        )
    return rows


def _item(finding: Finding) -> str:
    cure = f' <span class="cure">{escape(finding.cure)}</span>' if finding.cure else ""
    return (
        f'<li><b class="{finding.severity.value}">{finding.severity.value}</b>: {escape(finding.text)}{cure} '
        f'<span class="place">at {escape(finding.place)} <code>{escape(finding.id)}</code></span></li>'
    )


def _foot(entries: Sequence[Entry]) -> str:
    was_kept = sum(entry.kept for entry in entries)
    told = f"{was_kept} of {len(entries)} were checked before and not again. " if was_kept else ""
    return (
        f"<footer><p>{told}<code>sandbox check BUILD --html page.html</code> makes the page of one build, with "
        "pictures of its findings.</p></footer>\n"
    )
