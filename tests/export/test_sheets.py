"""Sheets to build from: what is on paper is as long as it says, and everything is listed."""

from __future__ import annotations

import ctypes
import itertools
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest
import shapely
from lxml import etree

from sandbox.cli import main
from sandbox.errors import UserError
from sandbox.export.drawing import Text
from sandbox.export.meshes import bodies_of
from sandbox.export.openplan import open_plan, outlines
from sandbox.export.sheet import BAR_MM, Paper, open_sheet, parts_of, sheet, write_sheet
from sandbox.files import shipped
from sandbox.layout.board import layout_scene
from sandbox.scene import load_scene
from sandbox.scene.layouts import Loaded
from sandbox.units import mm

VAULT = shipped("scenes/vault.yaml")
GANTRY = shipped("scenes/gantry.yaml")
SUMP = shipped("scenes/sump-crossing.yaml")
MM_PER_POINT = 25.4 / 72.0


@pytest.fixture(scope="module")
def vault() -> Loaded:
    loaded = layout_scene(VAULT).layout
    assert loaded is not None
    return loaded


def boxes_of_pdf(path: Path) -> list[list[tuple[float, float, float, float]]]:
    """Of each page the bounds of every path's points, mm, as a reader of PDFs sees them."""
    document = pdfium.PdfDocument(path)
    raw = pdfium.raw
    pages = []
    for number in range(len(document)):
        found = []
        for one in document[number].get_objects(filter=[raw.FPDF_PAGEOBJ_PATH]):
            m = one.get_matrix()
            xs, ys = [], []
            for k in range(raw.FPDFPath_CountSegments(one)):
                x, y = ctypes.c_float(), ctypes.c_float()
                raw.FPDFPathSegment_GetPoint(raw.FPDFPath_GetPathSegment(one, k), x, y)
                xs.append((m.a * x.value + m.c * y.value + m.e) * MM_PER_POINT)
                ys.append((m.b * x.value + m.d * y.value + m.f) * MM_PER_POINT)
            found.append((min(xs), min(ys), max(xs), max(ys)))
        pages.append(found)
    return pages


def boxes_of_svg(path: Path) -> list[tuple[float, float, float, float]]:
    """Bounds of every polygon, mm."""
    root = etree.parse(str(path)).getroot()
    width, height = (float(root.get(side).removesuffix("mm")) for side in ("width", "height"))
    assert [float(v) for v in root.get("viewBox").split()] == [0.0, 0.0, width, height]
    found = []
    for one in root.iter("{http://www.w3.org/2000/svg}polygon"):
        points = [tuple(map(float, pair.split(","))) for pair in one.get("points").split()]
        xs, ys = zip(*points, strict=True)
        found.append((min(xs), height - max(ys), max(xs), height - min(ys)))
    return found


def has(boxes: list[tuple[float, float, float, float]], size: tuple[float, ...], tolerance: float) -> bool:
    """Whether something of that size is drawn."""
    return any(
        abs(x1 - x0 - size[0]) <= tolerance and abs(y1 - y0 - size[1]) <= tolerance
        for x0, y0, x1, y1 in boxes
    )


@pytest.mark.parametrize("paper", list(Paper))
def test_lengths_on_paper_are_right(vault: Loaded, tmp_path: Path, paper: Paper) -> None:
    (made,) = write_sheet(VAULT, tmp_path / "v.pdf", paper)
    drawings = write_sheet(VAULT, tmp_path / "v.svg", paper)
    pages = boxes_of_pdf(made)
    assert len(pages) == len(drawings)
    for number in (len(pages) - 2, len(pages) - 1):
        title = drawings[number].read_text(encoding="utf-8")
        scale = float(re.findall(r"1 : ([0-9.]+), seen", title)[0])
        board = 578.0 / scale
        # a thick wall of the vault, by its own size
        wall = next(p for p in vault.built.terrain if p.id.startswith("floor wall") and mm(p.sizes[1]) > 49.0)
        size = tuple(mm(v) / scale for v in wall.sizes[:2])
        for boxes in (boxes_of_svg(drawings[number]), pages[number]):
            assert has(boxes, (board, board), 0.05)
            assert has(boxes, (BAR_MM / 2, 1.6), 0.05)
            assert has(boxes, size, 0.05) == (number == len(pages) - 2)


def test_paper_is_as_large_as_it_says(tmp_path: Path) -> None:
    for paper, size in ((Paper.A4, (210.0, 297.0)), (Paper.LETTER, (215.9, 279.4))):
        (made,) = write_sheet(VAULT, tmp_path / "v.pdf", paper)
        for page in pdfium.PdfDocument(made):
            got = tuple(v * MM_PER_POINT for v in page.get_size())
            assert sorted(got) == pytest.approx(sorted(size), abs=0.05)


def test_a_board_too_large_for_a_page_goes_over_several(vault: Loaded) -> None:
    pages = [
        page for page in sheet(vault, "Vault", scale=1.0) if page.windows and page.title == "Vault: floor"
    ]
    assert len(pages) == 12
    covered: set[tuple[int, int]] = set()
    for page in pages:
        (window,) = page.windows
        assert window.scale == 1.0
        x0, y0, x1, y1 = window.frame
        assert 0 < x0 < x1 < page.size[0] and 0 < y0 < y1 < page.size[1]
        (ox, oy) = window.origin
        covered |= {
            (x, y)
            for x in range(0, 579, 2)
            for y in range(0, 579, 2)
            if x0 <= x + ox <= x1 and y0 <= y + oy <= y1
        }
    assert covered == {(x, y) for x in range(0, 579, 2) for y in range(0, 579, 2)}


def test_everything_is_listed(vault: Loaded) -> None:
    count: Counter[str] = Counter()
    for part in parts_of(vault):
        count[part.what] += part.count
    assert count["door"] + count["hatch"] == len(vault.built.doors)
    assert count["ladder"] == 2
    assert count["stairs"] == 2
    assert count["column"] == sum(
        " column " in piece.id or " column" in piece.id for piece in vault.built.terrain
    )
    assert count["wall"] == sum(" wall " in piece.id for piece in vault.built.terrain)
    assert count["rail"] == sum(" rail " in piece.id for piece in vault.built.terrain)


def test_every_part_is_on_the_pages(vault: Loaded) -> None:
    texts = [one.text for page in sheet(vault, "Vault") for one in page.drawn if hasattr(one, "text")]
    for part in parts_of(vault):
        assert part.size in texts


def test_the_same_board_makes_the_same_sheet(tmp_path: Path) -> None:
    (first,) = write_sheet(SUMP, tmp_path / "a.pdf")
    (again,) = write_sheet(SUMP, tmp_path / "b.pdf")
    assert first.read_bytes() == again.read_bytes()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = [
        "layout",
        "sheet",
        str(SUMP),
        "--out",
        str(tmp_path / "new" / "s.svg"),
        "--scale",
        "1:5",
        "--json",
    ]
    assert main(call) == 0
    told = json.loads(capsys.readouterr().out)
    assert all(Path(path).is_file() for path in told["files"])
    assert {"part": "ladder", "size": "25 x 4, 64 high", "count": 4} in told["parts"]
    assert main(["layout", "sheet", str(SUMP), "--out", "x.png"]) == 2
    assert main(["layout", "sheet", str(SUMP), "--out", "x.pdf", "--scale", "5"]) == 2


def test_an_open_board_has_a_sheet_too(tmp_path: Path) -> None:
    gantry = shipped("scenes/gantry.yaml")
    scene = load_scene(gantry)
    (made,) = write_sheet(gantry, tmp_path / "g.pdf", scale=10.0)
    boxes = boxes_of_pdf(made)[-1]
    assert scene.board.size is not None
    assert has(boxes, tuple(mm(v) / 10.0 for v in scene.board.size), 0.05)
    # the container, as its file has it, turned as it stands
    piece = next(p for p in scene.terrain if p.model_name.endswith("container.stl"))
    corners = next(b for b in bodies_of(scene) if b.name == piece.id).vertices
    size = np.ptp(corners[:, :2], axis=0) / 10.0
    assert has(boxes, tuple(size), 0.05)
    texts = [one.text for page in open_sheet(scene) for one in page.drawn if hasattr(one, "text")]
    assert "container.stl" in texts
    empty = tmp_path / "empty.yaml"
    empty.write_text("name: Nothing\n", encoding="utf-8")
    with pytest.raises(UserError, match="nothing to build"):
        write_sheet(empty, tmp_path / "e.pdf")


def test_names_of_pieces_lie_on_no_other_piece_and_on_no_other_name() -> None:
    scene = load_scene(GANTRY)
    bodies = bodies_of(scene)
    for scale in (1.0, 2.0, 3.5):
        drawn = open_plan(scene, bodies, scale)
        names = [one for one in drawn if isinstance(one, Text) and one.bold]
        assert sorted(one.text for one in names) == sorted(body.name for body in bodies)
        boxes = {}
        for one in names:
            half, up = len(one.text) * one.size * 0.25 * scale, one.size * 0.7 * scale
            boxes[one.text] = shapely.box(one.at[0] - half, one.at[1], one.at[0] + half, one.at[1] + up)
        for (_, first), (_, second) in itertools.combinations(boxes.items(), 2):
            assert not first.intersects(second)
        for body in bodies:
            area = shapely.union_all([shapely.Polygon(ring) for ring in outlines(body)])
            for name, box in boxes.items():
                inside = box.within(area) if name == body.name else False
                assert inside or not box.intersects(area), (scale, body.name, name)
