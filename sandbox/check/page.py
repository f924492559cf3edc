"""A report as one page that needs nothing else: findings, pictures with numbers, floors coloured by reach, filters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from sandbox.check.finding import Finding, Severity, Topic, Unit
from sandbox.check.model import Floor, FloorReach, Report
from sandbox.check.pictures import Shown, pictures
from sandbox.check.subject import Subject
from sandbox.check.table import best_scale, headline, who
from sandbox.check.turning import TITLE, scripts, turning
from sandbox.files.pages import page_path, write_page_text
from sandbox.units import inches

REACHES = (
    ("walked", "reached without a check"),
    ("tested", "only by a check"),
    ("never", "not reached"),
    ("too-small", "no place for the base to stand"),
)
UNITS = {Unit.MM: "mm", Unit.INCH: "in", Unit.DEGREE: "degrees", Unit.COUNT: ""}


def write_page(report: Report, subject: Subject | None, path: Path) -> None:
    """Draw a report and write its page in one go. UserError where that cannot be."""
    page_path(path)  # before the pictures are drawn
    shown: tuple[Shown, ...] = ()
    if subject is not None:
        shown = pictures(subject, subject.levels.all if report.floors else (), report.findings)
    text = page(report, shown, "" if subject is None or not shown else turning(report, subject))
    write_page_text(path, text)


def page(report: Report, shown: Sequence[Shown], view: str = "") -> str:
    """The page's text. view: the figure that turns."""
    assets = files("sandbox.check") / "assets"
    css, js = ((assets / name).read_text("utf-8") for name in ("page.css", "page.js"))
    if view:
        css, js = (text + more for text, more in zip((css, js), scripts(), strict=True))
    told = report.to_json()
    told["bases"] = [base.name for base in report.bases]
    data = json.dumps(told, ensure_ascii=False).replace("</", "<\\/").replace("<!--", "<\\!--")
    body = "\n".join([_head(report), _filter(report), _columns(report, shown, view), *_numbers(report)])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Check of {escape(report.subject)}</title>\n<style>\n{css}</style>\n</head>\n"
        f'<body>\n{body}\n<script type="application/json" id="data">{data}</script>\n'
        f"<script>\n{js}</script>\n</body>\n</html>\n"
    )


def _head(report: Report) -> str:
    size = " x ".join(f"{v:.1f}" for v in report.size)
    declared = [base.name for base in report.bases if base.declared]
    bases = ", ".join(base.name for base in report.bases)
    meant = "declared" if declared else "the usual ones, tried in case"
    return (
        f"<header>\n<h1>{escape(report.subject)}</h1>\n"
        f'<p class="verdict">{escape(headline(report).split(": ", 1)[-1])}</p>\n'
        f'<p class="facts">{size} mm, {report.triangles:,} triangles. Bases: {escape(bases)} mm ({meant}). '
        f"Rules: {escape(', '.join(report.packs) or 'none')}.</p>\n</header>"
    )


def _filter(report: Report) -> str:
    bases = "".join(f'<option value="{escape(b.name)}">{escape(b.name)} mm</option>' for b in report.bases)
    packs = "".join(f'<option value="{escape(p)}">{escape(p)}</option>' for p in report.packs)
    boxes = "".join(
        f'<label><input type="checkbox" name="severity" value="{s.value}" checked> '
        f"{s.value} ({report.count(s)})</label>"
        for s in (Severity.ERROR, Severity.WARNING, Severity.INFO)
    )
    topics = "".join(
        f'<label><input type="checkbox" name="topic" value="{t.value}" checked> {t.value}</label>'
        for t in Topic
    )
    return (
        '<main>\n<form id="filter">\n'
        f'<label>Base <select name="base"><option value="">all</option>{bases}</select></label>\n'
        f'<label>Rules <select name="pack"><option value="">all</option>{packs}</select></label>\n'
        f'{boxes}\n{topics}\n<span class="facts" id="shown"></span>\n</form>'
    )


def _columns(report: Report, shown: Sequence[Shown], view: str) -> str:
    severity = {finding.number: finding.severity for finding in report.findings}
    buttons = "".join(f'<button type="button">{escape(one.title)}</button>' for one in shown)
    figures = "\n".join(_figure(one, index, severity) for index, one in enumerate(shown))
    if view:
        buttons += f'<button type="button">{escape(TITLE)}</button>'
        figures += f"\n{view}"
    legend = "".join(
        f'<span><span class="swatch {name}"></span>{escape(words)}</span>' for name, words in REACHES
    )
    left = (
        f'<div class="pictures">\n<div class="views">{buttons}</div>\n{figures}\n'
        f'<p class="legend"><span>Floors for: <b id="who"></b></span>{legend}'
        "<span>dashed numbers lie behind something</span></p>\n</div>"
        if shown
        else '<div class="pictures"><p class="empty">No picture: the file could not be read.</p>'
        '<b id="who" hidden></b></div>'
    )
    rows = "\n".join(_item(finding) for finding in report.findings)
    nothing = "Nothing to say; it plays and prints." if not report.findings else "Nothing of that kind."
    return (
        f'<div class="columns">\n{left}\n<section>\n<h2 style="margin-top:0">Findings</h2>\n'
        f'<ol class="findings">\n{rows}\n</ol>\n<p class="empty" id="none" hidden>{nothing}</p>\n</section>\n</div>'
    )


def _figure(one: Shown, index: int, severity: dict[int, Severity]) -> str:
    layers = "".join(
        f'<div class="floor" data-floor="{layer.floor}" data-bases="{escape(" ".join(layer.bases))}" '
        f"style=\"mask-image:url('{layer.mask}');-webkit-mask-image:url('{layer.mask}')\"></div>"
        for layer in one.floors
    )
    marks = "".join(
        f'<button type="button" class="mark {severity[mark.number].value}{"" if mark.seen else " behind"}" '
        f'data-number="{mark.number}" style="left:{100 * mark.x:.2f}%;top:{100 * mark.y:.2f}%" '
        f'title="finding {mark.number}">{mark.number}</button>'
        for mark in sorted(one.marks, key=lambda m: -m.number)
        if 0.0 <= mark.x <= 1.0 and 0.0 <= mark.y <= 1.0
    )
    hidden = "" if index == 0 else " hidden"
    return f'<figure{hidden}><img src="{one.image}" alt="{escape(one.title)}">{layers}{marks}</figure>'


def _item(finding: Finding) -> str:
    lines = [f'<p><span class="severity">{finding.severity.value}</span>: {escape(finding.text)}</p>']
    if finding.cure:
        lines.append(f'<p class="cure">{escape(finding.cure)}</p>')
    if finding.accepted is not None:
        lines.append(f'<p class="more">accepted: {escape(finding.accepted)}</p>')
    about = who(finding)
    if finding.measured is not None and finding.limit is not None:
        unit = UNITS[finding.unit]
        about.append(
            f"measured {_number(finding.measured)} {unit}, threshold {_number(finding.limit)} {unit}".strip()
        )
    about.append(f"at {finding.place}")
    if finding.rule:
        about.append(f"rule {finding.rule}" + (f" ({finding.source})" if finding.source else ""))
    lines.append(f'<p class="more">{escape("; ".join(about))} <code>{escape(finding.id)}</code></p>')
    return (
        f'<li class="{finding.severity.value}" data-number="{finding.number}" data-kind="{finding.kind.value}" '
        f'data-topic="{finding.topic.value}" tabindex="0"><span class="number">{finding.number}</span>'
        f"<div>{''.join(lines)}</div></li>"
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _numbers(report: Report) -> Iterable[str]:
    """Floors, scales, what changed, how to accept findings."""
    if report.floors:
        yield (
            '<h2>Floors</h2>\n<div class="scroll"><table id="floors">\n<tr><th>height</th><th>area</th>'
            '<th>holds</th><th class="text">reached</th><th>area to stand on</th><th>cheapest way from the table</th>'
            "<th>best chance</th><th>ways up</th><th>cheapest up</th><th>ways down</th><th>cheapest down</th></tr>\n"
            + "\n".join(
                _floor_row(floor, row)
                for floor in sorted(report.floors, key=lambda f: f.height)
                for row in floor.reach
            )
            + "\n</table></div>"
        )
    if report.scales:
        rows = "\n".join(
            f"<tr{' class=now' if s.scale == 1.0 else ''}><td>{s.scale:g}</td><td>{s.errors}</td><td>{s.warnings}</td>"
            f"<td>{s.cured}</td><td>{s.new}</td></tr>"
            for s in report.scales
        )
        best = best_scale(report)
        yield (
            f"<h2>Other scales</h2>\n<p>{escape(best or 'Nothing that another scale could cure.')} "
            "Floors are taken to be reached as they are now.</p>\n"
            '<div class="scroll"><table id="scales"><tr><th>scale</th><th>errors</th><th>warnings</th><th>cured</th>'
            f"<th>new</th></tr>\n{rows}\n</table></div>"
        )
    if report.comparison is not None:
        c = report.comparison
        lists = "".join(
            f"<h3>{title} ({len(ids)})</h3><ul>{''.join(f'<li><code>{escape(i)}</code></li>' for i in ids)}</ul>"
            for title, ids in (("Cured", c.cured), ("New", c.new), ("Unchanged", c.unchanged))
        )
        yield f'<section id="against"><h2>Against {escape(c.older)}</h2>{lists}</section>'
    notes = "".join(f"<p>Not looked at: {escape(note)}.</p>" for note in report.notes)
    notes += "".join(
        f"<p>Accepted, and not found: <code>{escape(one)}</code>. Mend the entry or take it out.</p>"
        for one in report.stale
    )
    stem = report.subject.rsplit(".", 1)[0]
    yield (
        "</main>\n<footer>"
        f"{notes}<p>To accept a finding, write its id and the reason into <code>{escape(stem)}.check.yaml</code> beside "
        'the model: <code>accept: [{id: "...", reason: "..."}]</code>. To say which bases have to play: '
        "<code>bases: [25, 32]</code>. What stops a declared base is an error.</p></footer>"
    )


def _floor_row(floor: Floor, row: FloorReach) -> str:
    words = dict(REACHES)
    price = [f'{v:.1f}"' if v is not None else "" for v in (row.cost, row.up_price, row.down_price)]
    chance = f"{100 * row.chance:.0f} %" if row.chance > 0 else ""
    height = "the table" if floor.number == 0 else f'{floor.height:.1f} mm ({inches(floor.height):.2f}")'
    return (
        f'<tr data-base="{escape(row.base)}" data-pack="{escape(row.pack)}"><td>{height}</td>'
        f"<td>{floor.area:.1f} cm2</td><td>{floor.holds:.1f} mm</td>"
        f'<td class="text"><span class="swatch {row.reach.value}"></span>{words[row.reach.value]}</td>'
        f"<td>{row.area:.1f} cm2</td><td>{price[0]}</td><td>{chance}</td><td>{row.ways_up}</td><td>{price[1]}</td>"
        f"<td>{row.ways_down}</td><td>{price[2]}</td></tr>"
    )
