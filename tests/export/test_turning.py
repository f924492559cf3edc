"""The view that turns: the whole build is in the page, with every finding, and nothing is fetched."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import subprocess
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from quality.shapes import box, stl

from sandbox.check import turning as module
from sandbox.check.check import check
from sandbox.check.model import Base, Report
from sandbox.check.page import page, write_page
from sandbox.check.settings import Settings
from sandbox.check.subject import Subject
from sandbox.check.turning import turning
from sandbox.units import MM_PER_INCH


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Subject]:
    """A gate of 29 mm under a deck, far from the model's origin."""
    path = tmp_path_factory.mktemp("turning") / "gate.stl"
    bodies = [box(400, 0, 0, 430, 70, 50), box(459, 0, 0, 490, 70, 50), box(400, 0, 49.5, 490, 70, 53)]
    path.write_bytes(stl(np.concatenate(bodies)))
    told = Settings(bases=(Base(32.0, 32.0, True),), packs=("necromunda-2023",), bed=None)
    report, subject = check(path, told)
    assert subject is not None
    return report, subject


def told(figure: str, name: str) -> str:
    return re.findall(f'data-{name}="([^"]*)"', figure)[0]


def unpacked(url: str) -> bytes:
    assert url.startswith("data:application/gzip;base64,")
    return gzip.decompress(base64.b64decode(url.partition(",")[2]))


def test_the_mesh_in_the_page_is_the_build(checked: tuple[Report, Subject]) -> None:
    report, subject = checked
    figure = turning(report, subject)
    count = int(told(figure, "points"))
    raw = unpacked(told(figure, "mesh"))
    low, step = (np.array([float(v) for v in told(figure, name).split()]) for name in ("low", "step"))
    points = np.frombuffer(raw[: 6 * count], "<u2").reshape(-1, 3) * step + low
    faces = np.frombuffer(raw[6 * count + 6 * count % 4 :], "<u4").reshape(-1, 3)
    assert len(faces) == len(subject.plan.faces) == report.triangles
    assert np.abs(points[faces] - subject.plan.corners).max() < 0.01


def test_every_finding_has_its_place(checked: tuple[Report, Subject]) -> None:
    report, subject = checked
    figure = turning(report, subject)
    marks = dict(re.findall(r'data-number="(\d+)" data-at="([^"]+)"', figure))
    assert sorted(map(int, marks)) == [f.number for f in report.findings]
    assert len(marks) > 1
    for finding in report.findings:
        at = [float(v) for v in marks[str(finding.number)].split()]
        assert at == pytest.approx(np.array(finding.on_table) * MM_PER_INCH, abs=0.01)


def test_the_library_comes_with_its_licence(checked: tuple[Report, Subject]) -> None:
    assets = files("sandbox.check") / "assets"
    library = unpacked(told(turning(*checked), "library"))
    assert library == (assets / "three.min.js").read_bytes()
    assert b"MIT licence" in library[:200]
    assert "Permission is hereby granted" in (assets / "three.LICENSE").read_text("utf-8")


def test_large_builds_leave_it_out(checked: tuple[Report, Subject], monkeypatch: pytest.MonkeyPatch) -> None:
    report, subject = checked
    monkeypatch.setattr(module, "MOST_TRIANGLES", 10)
    assert turning(report, subject) == ""
    assert "turning" not in page(report, ())


PROBE = """
<script>
addEventListener("load", () => {
  const figure = document.querySelector("figure.turning"), canvas = figure.querySelector("canvas");
  const buttons = document.querySelectorAll(".views button");
  buttons[buttons.length - 1].click();
  const picture = () => {
    const copy = document.createElement("canvas");
    copy.width = 60; copy.height = 40;
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0, 60, 40);
    return Array.from(context.getImageData(0, 0, 60, 40).data);
  };
  const places = () => Array.from(figure.querySelectorAll(".mark")).map((m) => [m.dataset.number, m.style.left, m.style.top]);
  const behind = () => Array.from(figure.querySelectorAll(".mark.behind")).map((m) => m.dataset.number);
  const wait = setInterval(() => {
    if (!figure.dataset.ready) return;
    clearInterval(wait);
    const told = {};
    figure.turn(0); told.first = picture(); told.places = places(); told.behind = behind();
    figure.turn(180); told.turned = picture(); told.moved = places(); told.behindTurned = behind();
    told.fetched = performance.getEntriesByType("resource").map((e) => e.name).filter((n) => !n.startsWith("data:"));
    document.body.insertAdjacentHTML("beforeend", '<pre id="told">' + JSON.stringify(told) + "</pre>");
  }, 50);
});
</script>
"""


@pytest.mark.browser
def test_it_turns_in_a_browser(checked: tuple[Report, Subject], tmp_path: Path) -> None:
    report, subject = checked
    out = tmp_path / "gate.html"
    write_page(report, subject, out)
    probed = tmp_path / "probed.html"
    probed.write_text(out.read_text("utf-8").replace("</body>", PROBE + "</body>"), "utf-8")
    call = [os.environ["SANDBOX_BROWSER"], "--headless", "--no-sandbox", "--enable-unsafe-swiftshader"]
    call += ["--use-gl=angle", "--use-angle=swiftshader", f"--user-data-dir={tmp_path / 'profile'}"]
    call += ["--window-size=1300,900", "--virtual-time-budget=30000", "--dump-dom", probed.as_uri()]
    done = subprocess.run(call, capture_output=True, text=True, timeout=180, check=False)
    found = re.search(r'<pre id="told">(\{.*?\})</pre>', done.stdout, re.S)
    assert found is not None, done.stderr[-2000:]
    seen = json.loads(found[1])
    assert seen["fetched"] == []
    first, turned = (np.array(seen[name]).reshape(40, 60, 4)[:, :, :3] for name in ("first", "turned"))
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 10
    assert (np.abs(first - turned).max(axis=2) > 12).mean() > 0.05
    assert seen["places"] != seen["moved"]
    # the door is low in the gate: seen from one side at least, and what one side hides the other shows
    assert seen["behind"] != seen["behindTurned"] or not seen["behind"]
