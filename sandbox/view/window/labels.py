"""Words on the board: what is written where, and drawing it with the panels' type. Lengths are in inches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from sandbox.moves.answers import LegKind
from sandbox.units import MM_PER_INCH
from sandbox.view import ink, palette, reach
from sandbox.view.camera import Camera
from sandbox.view.ink import Label
from sandbox.view.labels import bands, border, leg, pixel, refusals, total
from sandbox.view.model import FighterMark
from sandbox.view.stage import Stage
from sandbox.view.window import style
from sandbox.view.window.session import Session
from sandbox.view.window.state import Mode
from sandbox.view.window.talk import Point, ReachAnswer, WayAnswer
from sandbox.view.words import in_millimetres

Floats = NDArray[np.float64]

TRIFLE = 0.3
"""inches: a shorter walk between other legs carries no label."""


def gather(
    session: Session,
    stage: Stage,
    eye: Camera,
    size: tuple[int, int],
    factor: float,
    *,
    millimetres: bool,
    under: float = 0.0,
) -> list[ink.Placed]:
    """All labels with their boxes, in pixels of the board's picture; under: what is covered at its lower edge."""
    labels: list[Label] = []
    clear: list[Floats] = []
    way = session.hover
    if way is not None:
        labels += _way(session, way, eye, size, factor)
        for stretch in way.stretches:
            clear.append(eye.project(stretch.path, size)[:, :2])
    for planned in session.plan:
        at = planned.move.to
        labels.append(_label(eye, at, size, (f'planned: {planned.move.cost or 0:.2f}"',), factor))
    for fighter in () if session.board is None else session.board.fighters:
        rise = np.linspace(0.0, fighter.height, 6)[:, None] * np.array([0.0, 0.0, 1.0])
        clear.append(eye.project(np.asarray(fighter.at) + rise, size)[:, :2])
    labels += _names(session, eye, size, factor)
    labels += _things(session, eye, size, factor)
    if session.tape is not None:
        labels += _tape(session, eye, size, factor, millimetres=millimetres)
    if session.overlay is not None:
        for at, text in session.overlay.labels:
            if eye.cut is None or at[2] <= eye.cut + 0.1:
                labels.append(
                    replace(_label(eye, at, size, (text,), factor), size=12 * factor, must=False, gap=8.0)
                )
    if session.reach is not None and session.overlay is None:
        labels += bands(_tags(session.reach, eye.cut), eye, size, factor, odds=13, inches=13)
    labels += [label for _, label in border(stage, eye, size, 12 * factor)]
    if millimetres:
        labels = [replace(one, lines=tuple(map(in_millimetres, one.lines))) for one in labels]
    inside = [one for one in labels if -10 < one.at[0] < size[0] + 10 and -10 < one.at[1] < size[1] + 10]
    rim = 6.0
    keep = np.concatenate(clear) if clear else None
    return ink.place(inside, (rim, rim, size[0] - rim, size[1] - rim - under), keep)


def draw(placed: list[ink.Placed], fonts: style.Fonts, origin: tuple[float, float], box: ink.Box) -> None:
    """Draw labels behind the panels; origin: of the board's picture in the window; box: what they stay inside."""
    pen: Any = imgui.get_background_draw_list()
    pen.push_clip_rect((box[0], box[1]), (box[2], box[3]))
    for item in placed:
        if item.label.gap > 0:
            _leader(pen, item, origin)
    for item in reversed(placed):
        _box(pen, item, fonts, origin)
    pen.pop_clip_rect()


def _leader(pen: Any, item: ink.Placed, origin: tuple[float, float]) -> None:
    x, y = item.label.at[0] + origin[0], item.label.at[1] + origin[1]
    left, top, right, bottom = (v + origin[k % 2] for k, v in enumerate(item.box))
    end = (min(max(x, left), right), min(max(y, top), bottom))
    if abs(end[0] - x) + abs(end[1] - y) < 3:
        return
    edge = style.packed(item.label.edge)
    pen.add_line((x, y), end, style.packed((255, 255, 255), 220), 4.0)
    pen.add_line((x, y), end, edge, 1.6)
    pen.add_circle_filled((x, y), 3.4, style.packed((255, 255, 255)))
    pen.add_circle_filled((x, y), 2.4, edge)


def _box(pen: Any, item: ink.Placed, fonts: style.Fonts, origin: tuple[float, float]) -> None:
    label = item.label
    left, top, right, bottom = (v + origin[k % 2] for k, v in enumerate(item.box))
    if not label.bare:
        rounding = label.size * 0.3
        pen.add_rect_filled((left, top), (right, bottom), style.packed(label.paper, 240), rounding)
        pen.add_rect((left, top), (right, bottom), style.packed(label.edge), rounding, 0, 1.6)
    pad = 0.0 if label.bare else label.size * 0.45
    for index, line in enumerate(label.lines):
        font = fonts.strong if index == 0 and not label.bare else fonts.plain
        wide = _width(font, label.size, line)
        x = (left + right - wide) / 2 if label.bare or len(label.lines) == 1 else left + pad
        y = top + pad * 0.55 + index * label.size * 1.25
        if label.bare:
            halo = style.packed(label.paper, 210)
            for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                pen.add_text(font, label.size, (x + dx, y + dy), halo, line)
        pen.add_text(font, label.size, (x, y), style.packed(label.ink), line)


def _width(font: Any, size: float, text: str) -> float:
    imgui.push_font(font, size)
    wide = float(imgui.calc_text_size(text).x)
    imgui.pop_font()
    return wide


def _label(
    eye: Camera, at: Point | Floats, size: tuple[int, int], lines: tuple[str, ...], factor: float
) -> Label:
    return Label(pixel(eye, at, size), lines, size=14 * factor, gap=18)


def _way(session: Session, way: WayAnswer, eye: Camera, size: tuple[int, int], factor: float) -> list[Label]:
    shown = way.way
    labels: list[Label] = []
    if not shown.legal:
        fighters = () if session.board is None else session.board.fighters
        active = next((f for f in fighters if f.name == way.question.fighter), None)
        labels += refusals(shown, active, fighters, eye, size, 14 * factor, wide=260 * factor, most=3)
    for number, stretch in enumerate(way.stretches, start=1):
        if stretch.kind is LegKind.WALK and stretch.cost < TRIFLE and len(way.stretches) > 1:
            continue
        if eye.cut is None or stretch.middle[2] <= eye.cut + 0.2:
            labels.append(leg(stretch, number, shown.legal, eye, size, 14 * factor))
    if shown.legal and shown.cost is not None:
        labels.append(total(shown, eye, size, 15 * factor))
    if way.fall is not None:
        told = [f'a fall of {way.fall.height:.2f}"']
        told.append(
            "nowhere to rest"
            if way.fall.landing is None
            else "no hit"
            if way.fall.hit is None
            else f"hit {way.fall.hit}"
        )
        at = way.fall.landing or way.fall.at
        labels.append(Label(pixel(eye, at, size), tuple(told), palette.REFUSED, size=13 * factor, gap=30))
    return labels


def _names(session: Session, eye: Camera, size: tuple[int, int], factor: float) -> list[Label]:
    board = session.board
    if board is None:
        return []
    colours = palette.side_colours([f.side for f in board.fighters])
    moving = frozenset[str]() if session.playing is None else session.playing.who
    answer = []
    for fighter in board.fighters:
        if fighter.name in moving or (eye.cut is not None and fighter.at[2] > eye.cut):
            continue
        top = (fighter.at[0], fighter.at[1], fighter.at[2] + fighter.height)
        status = shown_status(fighter.status)
        name = f"{fighter.name} ({status})" if status else fighter.name
        troubled = fighter.name in board.problems
        answer.append(
            Label(
                pixel(eye, top, size),
                (f"{name} (!)" if troubled else name,),
                palette.REFUSED if troubled else colours[fighter.side],
                size=(15 if fighter.name == session.fighter else 13) * factor,
                gap=9,
                must=fighter.name == session.fighter or session.mode is Mode.BUILD,
            )
        )
    return answer


def _things(session: Session, eye: Camera, size: tuple[int, int], factor: float) -> list[Label]:
    """Names of things that nobody holds."""
    items = () if session.board is None else session.board.items
    answer = []
    for item in items:
        if item.holder or (eye.cut is not None and item.at[2] > eye.cut):
            continue
        at = pixel(eye, (item.at[0], item.at[1], item.at[2] + 1.0), size)
        aimed = item.name == session.target
        answer.append(
            Label(at, (item.name,), size=(14 if aimed else 12) * factor, gap=0, bare=not aimed, must=aimed)
        )
    return answer


def _tape(
    session: Session, eye: Camera, size: tuple[int, int], factor: float, *, millimetres: bool
) -> list[Label]:
    tape = session.tape
    assert tape is not None
    # the other unit beside it, whichever is chosen
    other = f"{tape.straight:.2f} inch" if millimetres else f"{tape.straight * MM_PER_INCH:.0f} mm"
    lines = [f'{tape.straight:.2f}" ({other})']
    if abs(tape.height) > 0.05:
        lines.append(f'plan {tape.plan:.2f}", height {tape.height:.2f}"')
    if not tape.clear:
        lines.append("something solid is between")
    middle = (np.asarray(tape.start) + np.asarray(tape.end)) / 2
    edge = (190, 130, 0) if tape.clear else palette.REFUSED
    return [Label(pixel(eye, middle, size), tuple(lines), edge, size=15 * factor, gap=18)]


def _tags(answer: ReachAnswer, cut: float | None) -> tuple[reach.Tag, ...]:
    """The words of a reach; those under a level cut are kept until it or the reach changes."""
    if cut is None:
        return answer.tags
    if _kept and _kept[0][0] is answer and _kept[0][1] == cut:
        return _kept[0][2]
    shown = answer.spots[:, 2] <= cut
    found = tuple(reach.tags(answer.spots, list(answer.layers), reach.band_width(answer.allowance), shown))
    _kept[:] = [(answer, cut, found)]
    return found


_kept: list[tuple[ReachAnswer, float, tuple[reach.Tag, ...]]] = []


def shown_status(status: str) -> str:
    """A status in a word or two; empty for those that everybody has."""
    if status in ("", "standing", "mobile"):
        return ""
    return status.removeprefix("standing, ").removeprefix("prone-").replace("-", " ")


def named(fighter: FighterMark) -> str:
    """A fighter with its side."""
    return f"{fighter.name} ({fighter.side})" if fighter.side else fighter.name
