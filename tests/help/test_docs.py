"""What the pages under docs/ show runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import sandbox

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))


def test_the_examples_for_python_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert len(blocks) > 4
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)


def test_the_scene_of_the_page_on_scenes_loads_and_plays(tmp_path: Path) -> None:
    found = re.search(r"```yaml\n(.*?)```", (ROOT / "docs/scenes.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    (tmp_path / "models").symlink_to(ROOT / "models")
    path = tmp_path / "scenes" / "yard.yaml"
    path.parent.mkdir()
    path.write_text(found[1])
    field = sandbox.load(path)
    assert not field.warnings
    assert field.moves("kal", "move").to(10, 6).legal


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_site_builds_with_every_page(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", ROOT / "scripts/mkdocs.yml",
         "--site-dir", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr[-2000:]
    assert {p.stem for p in tmp_path.glob("*.html")} >= {p.stem for p in PAGES}
