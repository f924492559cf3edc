"""Many builds at once: each once, none lost, kept by content, told on one page."""

from __future__ import annotations

import json
import os
import re
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from check.builds import walls
from quality.shapes import box, stl

from catalogue import work
from sandbox.catalogue import local, run
from sandbox.catalogue.cluster import check_there
from sandbox.catalogue.job import (
    Job,
    check_file,
    check_parcel,
    job_of,
    kept,
    parcel_of,
    program,
    report_of,
    report_text,
)
from sandbox.catalogue.page import by_kind, catalogue_page, ordered
from sandbox.catalogue.run import Entry, check_all
from sandbox.check.finding import Case, Finding, Severity, Topic, Unit
from sandbox.check.model import Base, FindingKind, Report
from sandbox.check.settings import Accepted, Settings
from sandbox.cli import main
from sandbox.errors import UserError
from sandbox.files import shipped

TOLD = Settings(bases=(Base(32.0, 32.0, True),), packs=("necromunda-2023",), bed=None)


def model(path: Path, size: float = 40.0) -> Path:
    path.write_bytes(stl(box(0, 0, 0, size, size, 3)))
    return path


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDBOX_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


# -- by content ----------------------------------------------------------------------------------------------------


def test_a_build_is_known_by_what_decides_its_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = job_of(model(tmp_path / "a.stl"), TOLD)
    (tmp_path / "elsewhere").mkdir()
    assert job_of(model(tmp_path / "elsewhere" / "b.stl"), TOLD).key == one.key
    assert job_of(model(tmp_path / "c.stl", 41.0), TOLD).key != one.key
    assert job_of(one.path, replace(TOLD, band=0.4)).key != one.key
    assert job_of(one.path, replace(TOLD, accept=(Accepted("lip@1,2,3", "so"),))).key != one.key
    pack = tmp_path / "ours.yaml"
    pack.write_text("extends: necromunda-2023\nname: Ours\n", encoding="utf-8")
    first = job_of(one.path, replace(TOLD, packs=(str(pack),)))
    pack.write_text("extends: necromunda-2023\nname: Theirs\n", encoding="utf-8")
    assert job_of(one.path, replace(TOLD, packs=(str(pack),))).key != first.key
    monkeypatch.setattr("sandbox.catalogue.job.__version__", "99")
    assert job_of(one.path, TOLD).key != one.key


def test_a_scene_is_known_by_its_models_too(tmp_path: Path) -> None:
    model(tmp_path / "m.stl")
    scene = tmp_path / "s.yaml"
    scene.write_text("name: S\nterrain:\n  - {model: m.stl, at: [5, 5]}\n", encoding="utf-8")
    before = job_of(scene, TOLD).key
    assert job_of(scene, TOLD).key == before
    model(tmp_path / "m.stl", 44.0)
    assert job_of(scene, TOLD).key != before


def test_a_report_comes_back_as_it_was() -> None:
    finding = Finding(
        "door@1,2,3", FindingKind.DOOR, Severity.ERROR, (1.0, 2.0, 3.0), "1, 2, 3 mm", "Too narrow.", 27.0, 32.0,
        Unit.MM, "narrow", "002", "Widen it.", (Case("32", None, 32.0, Severity.ERROR),), ("A1",), 2, Topic.PRINT,
        Unit.MM, (0.1, 0.2, 0.3), "a cat flap", 4,
    )  # fmt: skip
    report = Report(
        "a.stl", (1.0, 2.0, 3.0), 12, (Base(60.0, 35.0),), ("blightmeer",), (finding,), notes=("so",)
    )
    again = report_of(report_text(report))
    assert again.findings == report.findings
    assert again.findings[0].kind is FindingKind.DOOR
    assert again.to_json() == report.to_json()


def test_what_was_checked_is_kept_and_what_is_alike_is_checked_once(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        run, "check_here", lambda jobs, processes: local.check_here(jobs, processes, work.quick)
    )
    jobs = [
        job_of(model(tmp_path / f"{name}.stl", size), TOLD)
        for name, size in (("a", 40), ("b", 41), ("c", 40))
    ]
    heard: list[tuple[str, int, int]] = []
    first = check_all(jobs, told=lambda entry, done, of: heard.append((entry.path.name, done, of)))
    assert [(entry.path.name, entry.report.subject, entry.kept) for entry in first] == [
        ("a.stl", "a.stl", False), ("b.stl", "b.stl", False), ("c.stl", "c.stl", False)
    ]  # fmt: skip
    assert (tmp_path / "log").read_text(encoding="utf-8").split() == ["a.stl", "b.stl"]
    assert [done for _, done, _ in heard] == [1, 2, 3]
    again = check_all(jobs)
    assert all(entry.kept for entry in again)
    assert [entry.report.subject for entry in again] == ["a.stl", "b.stl", "c.stl"]
    assert not any(entry.kept for entry in check_all(jobs, fresh=True))
    # what is damaged is passed over
    for file in own_cache.iterdir():
        file.write_bytes(file.read_bytes()[:-9])
    assert kept(jobs[0]) is None
    assert not any(entry.kept for entry in check_all(jobs))


def test_who_stops_goes_on_where_they_were(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        run, "check_here", lambda jobs, processes: local.check_here(jobs, processes, work.quick)
    )
    jobs = [job_of(model(tmp_path / f"{k}.stl", 40.0 + k), TOLD) for k in range(4)]

    def stop(entry: Entry, done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_all(jobs, told=stop)
    assert sum(entry.kept for entry in check_all(jobs)) == 2


# -- side by side --------------------------------------------------------------------------------------------------


def test_a_build_that_ends_its_process_is_the_only_one_lost(tmp_path: Path) -> None:
    names = ["a", "deadly", "b"]
    jobs = [Job(model(tmp_path / f"{name}.stl"), TOLD, name) for name in names]
    found = {job.path.stem: report for job, report in local.check_here(jobs, 2, work.deadly)}
    assert sorted(found) == sorted(names)
    assert [f.kind for f in found.pop("deadly").findings] == [FindingKind.BROKEN_FILE]
    assert all(report.size == work.SIZE for report in found.values())


@pytest.mark.filterwarnings("ignore")
def test_a_worker_of_the_cluster_that_stops_loses_nothing(tmp_path: Path) -> None:
    from distributed import LocalCluster

    program.cache_clear()  # the workers look at the program as it is now
    jobs = []
    for k in range(12):
        path = tmp_path / f"m{k}.stl"
        path.write_text(f"solid {k}\n{tmp_path}\n", encoding="utf-8")
        jobs.append(Job(path, TOLD, f"key-{k}"))
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        found: dict[str, Report] = {}
        stopped = None
        for job, report in check_there(jobs, cluster.scheduler_address, work.slow):
            found[job.path.name] = report
            if len(found) == 4:
                stopped = int(re.findall(r"\.(\d+)\.done", " ".join(os.listdir(tmp_path)))[0])
                os.kill(stopped, signal.SIGKILL)
    assert stopped is not None
    assert sorted(found) == sorted(job.path.name for job in jobs)
    assert all(report.size == work.SIZE for report in found.values())
    after = {int(pid) for pid in re.findall(r"\.(\d+)\.done", " ".join(os.listdir(tmp_path)))}
    assert len(after) >= 2


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
def test_real_builds_on_a_cluster_are_told_as_here(tmp_path: Path) -> None:
    from distributed import LocalCluster

    (tmp_path / "hut.stl").write_bytes(stl(np.concatenate(walls(27.0))))
    jobs = [job_of(path, TOLD) for path in (model(tmp_path / "slab.stl"), tmp_path / "hut.stl")]
    jobs.append(job_of(shipped("scenes/ruin.yaml"), replace(TOLD, packs=())))
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        found = {job.path.name: report for job, report in check_there(jobs, cluster.scheduler_address)}
    for job in jobs:
        here, there = check_file(job.path, job.settings).to_json(), found[job.path.name].to_json()
        here.pop("seconds"), there.pop("seconds")
        assert there == here


def test_what_travels_is_checked_as_here(tmp_path: Path) -> None:
    broken = tmp_path / "broken.stl"
    broken.write_bytes(b"solid")
    for path in (model(tmp_path / "slab.stl"), broken):
        job = job_of(path, TOLD)
        here, there = check_file(path, TOLD).to_json(), report_of(check_parcel(parcel_of(job))).to_json()
        assert {k: v for k, v in there.items() if k != "seconds"} == {
            k: v for k, v in here.items() if k != "seconds"
        }


def test_a_cluster_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.catalogue.cluster.ANSWER_S", 0.5)
    job = job_of(model(tmp_path / "a.stl"), TOLD)
    with pytest.raises(UserError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"):
        list(check_there([job], "tcp://127.0.0.1:9"))
    with pytest.raises(UserError, match="is not sent to a cluster"):
        parcel_of(replace(job, settings=replace(TOLD, packs=("ours.yaml",))))


# -- the page and the command --------------------------------------------------------------------------------------


def entry(name: str, *kinds: tuple[FindingKind, Severity]) -> Entry:
    findings = tuple(
        Finding(
            f"{kind.value}@0,0,{k}",
            kind,
            severity,
            (0.0, 0.0, 0.0),
            "here",
            f"About <{kind.value}>.",
            number=k,
        )
        for k, (kind, severity) in enumerate(kinds, start=1)
    )
    report = Report(name, (1.0, 1.0, 1.0), 1, (Base(32.0, 32.0),), ("necromunda-2023",), findings)
    return Entry(Path(name), report, False)


def test_builds_are_sorted_by_what_is_wrong() -> None:
    door, thin, lip = FindingKind.DOOR, FindingKind.THIN, FindingKind.LIP
    error, warning, info = Severity.ERROR, Severity.WARNING, Severity.INFO
    entries = [
        entry("fine.stl", (lip, info)),
        entry("thin.stl", (thin, warning)),
        entry("worst.stl", (door, error), (door, error), (thin, warning)),
        entry("door.stl", (door, error)),
        entry("warned.stl", (door, warning)),
    ]
    assert [e.path.name for e in ordered(entries)] == [
        "worst.stl",
        "door.stl",
        "warned.stl",
        "thin.stl",
        "fine.stl",
    ]
    rows = by_kind(ordered(entries))
    assert [(kind, worst, [(e.path.name, n) for e, n in found]) for kind, worst, found in rows] == [
        (door, error, [("worst.stl", 2), ("door.stl", 1), ("warned.stl", 1)]),
        (thin, warning, [("worst.stl", 1), ("thin.stl", 1)]),
    ]
    page = catalogue_page(entries)
    assert "<b class='error'>2</b> with errors" in page
    assert "About &lt;door&gt;." in page
    assert not re.findall(r"(?:src|href)=(?![\"']#)", page)
    names = re.findall(r"<summary><b>([^<]+)</b>", page)
    assert names == [e.path.name for e in ordered(entries)]


def test_the_command(
    tmp_path: Path, own_cache: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # short names, so that the table breaks no line
    (tmp_path / "hut.stl").write_bytes(stl(np.concatenate(walls(27.0))))
    model(tmp_path / "slab.stl")
    call = ["check", "hut.stl", "slab.stl", "--base", "32"]
    call += ["--rules", "necromunda-2023"]
    assert main([*call, "--html", str(tmp_path / "out" / "all.html"), "--fail-on", "error"]) == 1
    told = capfd.readouterr()
    assert told.err == ""
    assert "door" in next(line for line in told.out.splitlines() if "hut" in line)
    assert "hut.stl" in (tmp_path / "out" / "all.html").read_text(encoding="utf-8")
    assert main([*call, "--json"]) == 0
    reports = json.loads(capfd.readouterr().out)["reports"]
    assert [r["subject"] for r in reports] == ["hut.stl", "slab.stl"]
    assert main([*call, "--html", str(tmp_path / "all.txt")]) == 2
    assert main([*call, str(tmp_path / "none.stl")]) == 2


def test_what_is_no_build_has_a_row_of_its_own(
    tmp_path: Path, own_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder.stl").mkdir()
    (tmp_path / "gone.stl").symlink_to("nowhere")
    model(tmp_path / "told.stl")
    (tmp_path / "told.check.yaml").write_text("bases: [foo]\n", encoding="utf-8")
    model(tmp_path / "good.stl", 30.0)
    builds = [str(path) for path in sorted(tmp_path.glob("*.stl"))]
    assert main(["check", *builds, "--base", "32", "--rules", "necromunda-2023", "--json"]) == 0
    reports = json.loads(capsys.readouterr().out)["reports"]
    assert [report["subject"] for report in reports] == ["folder.stl", "gone.stl", "good.stl", "told.stl"]
    wrong = {report["subject"]: [finding["text"] for finding in report["findings"]] for report in reports}
    assert "a folder" in wrong["folder.stl"][0]
    assert "no such file" in wrong["gone.stl"][0]
    assert "told.check.yaml:1: bases[0]" in wrong["told.stl"][0]
    assert all(report["bases"] == [{"name": "32", "declared": True}] for report in reports)


def test_an_address_that_is_none_is_told_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(model(tmp_path / "a.stl")), "--dask", "foo"]) == 2
    assert "--dask: 'foo' should be an address like tcp://" in capsys.readouterr().err
