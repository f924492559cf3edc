"""The page: one file, every finding in list and pictures, filters that a browser really runs."""

from __future__ import annotations

import json
import os
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from quality.shapes import box, stl

from sandbox.check.check import check
from sandbox.check.model import Base, Report
from sandbox.check.page import write_page
from sandbox.check.settings import Settings
from sandbox.errors import UserError

from .builds import walls


class _Reader(HTMLParser):
    """Tags with their attributes, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    """A hut with a door for 25 mm only, and a plinth near Blightmeer's step."""
    folder = tmp_path_factory.mktemp("page")
    model = folder / "hut & <shed>.stl"
    model.write_bytes(stl(np.concatenate([*walls(29.0), box(180, 0, 0, 250, 70, 25.2)])))
    told = Settings(
        bases=(Base(25.0, 25.0, True), Base(32.0, 32.0, True)),
        packs=("necromunda-2023", "blightmeer"),
        bed=None,
    )
    report, subject = check(model, told)
    out = folder / "hut.html"
    write_page(report, subject, out)
    return out, report


def _tags(path: Path) -> list[tuple[str, dict[str, str | None]]]:
    reader = _Reader()
    reader.feed(path.read_text("utf-8"))
    return reader.tags


def test_one_file_that_fetches_nothing(page: tuple[Path, Report]) -> None:
    for tag, attrs in _tags(page[0]):
        for name in ("src", "href", "srcset", "data"):
            value = attrs.get(name)
            assert value is None or value.startswith("data:"), (tag, name, value)
        assert tag not in ("link", "iframe", "object")
    assert "http" not in re.sub(r"data:[^\"')]*", "", page[0].read_text("utf-8"))


def test_every_finding_stands_in_the_list_and_its_number_in_pictures(page: tuple[Path, Report]) -> None:
    out, report = page
    tags = _tags(out)
    listed = [a["data-number"] for t, a in tags if t == "li" and "data-number" in a]
    assert listed == [str(f.number) for f in report.findings]
    marks = {a["data-number"] for t, a in tags if t == "button" and "mark" in (a.get("class") or "")}
    assert marks == set(listed)
    assert sum(t == "figure" for t, _ in tags) >= 5
    floors = {a["data-floor"] for t, a in tags if t == "div" and a.get("class") == "floor"}
    assert floors >= {"0"}
    assert len(floors) >= 2  # the table, the plinth


def test_the_data_is_the_report(page: tuple[Path, Report]) -> None:
    out, report = page
    text = out.read_text("utf-8")
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])  # type: ignore[index]
    assert [f["id"] for f in data["findings"]] == [f.id for f in report.findings]
    assert "<shed>" not in text.replace("&lt;shed&gt;", "").split('id="data">')[0]


def test_pages_go_into_html_files_only(page: tuple[Path, Report], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="html"):
        write_page(page[1], None, tmp_path / "page.txt")


PROBE = """
<script>
addEventListener("load", () => {
  const seen = () => Array.from(document.querySelectorAll("ol.findings > li")).filter((i) => !i.hidden)
    .map((i) => i.dataset.kind).sort().join(" ");
  const form = document.getElementById("filter");
  const set = (name, value) => { form.elements[name].value = value; form.dispatchEvent(new Event("change")); };
  const told = { all: seen() };
  set("base", "25"); told.base25 = seen();
  set("base", "32"); set("pack", "necromunda-2023"); told.base32 = seen(); told.address = location.hash;
  told.colours = Array.from(document.querySelectorAll("figure:not([hidden]) .floor")).map((f) => f.className);
  set("base", ""); set("pack", "");
  form.elements.severity[2].click(); told.grave = seen();
  const open = () => Array.from(document.querySelectorAll("figure")).findIndex((f) => !f.hidden);
  document.querySelectorAll(".views button")[3].click(); told.view = open();
  document.querySelectorAll("ol.findings > li")[0].click();
  told.chosen = document.querySelectorAll(".mark.chosen:not(.behind)").length > 0;
  document.body.insertAdjacentHTML("beforeend", '<pre id="told">' + JSON.stringify(told) + "</pre>");
});
</script>
"""


@pytest.mark.browser
def test_a_browser_runs_the_filters(page: tuple[Path, Report], tmp_path: Path) -> None:
    out, report = page
    probed = tmp_path / "probed.html"
    probed.write_text(out.read_text("utf-8").replace("</body>", PROBE + "</body>"), "utf-8")
    done = subprocess.run(
        [
            os.environ["SANDBOX_BROWSER"],
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--virtual-time-budget=5000",
            "--dump-dom",
            probed.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert 'data-ready="true"' in done.stdout
    told = json.loads(re.findall(r'<pre id="told">(.*?)</pre>', done.stdout, re.S)[-1].replace("&amp;", "&"))
    kinds = sorted(f.kind.value for f in report.findings)
    assert told["all"].split() == kinds
    assert "door" not in told["base25"].split()
    assert "door" in told["base32"].split()
    assert "near-step" not in told["base32"].split()
    assert told["address"] == "#base=32&pack=necromunda-2023"
    assert any("walked" in name for name in told["colours"])
    assert "near-step" in told["grave"].split() and "lip" not in told["grave"].split()
    assert told["view"] == 3
    assert told["chosen"]
