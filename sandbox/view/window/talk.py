"""What the window and its worker say to each other: small frozen values that travel between processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.kinds import Kind
from sandbox.moves.answers import Fall, Move
from sandbox.rules.words import Target
from sandbox.scene import Piece, Scene
from sandbox.view.model import Caption, FighterMark, Way
from sandbox.view.palette import Colour
from sandbox.view.prepared import Prepared
from sandbox.view.reach import Layer, Tag
from sandbox.view.way import Stretch

Floats = NDArray[np.float64]
Point = tuple[float, float, float]


@dataclass(frozen=True)
class ActionInfo:
    """An action as one fighter could take it."""

    id: str
    allowed: bool
    allowance: float
    """inches; 0 where it goes no distance."""
    why: str = ""
    """why not, in words; empty where it is allowed."""
    target: Target = Target.NONE
    """what has to be clicked before it is asked where to."""
    in_place: bool = False
    """it goes nowhere: a button takes it."""
    drives: bool = False
    """a vehicle drives along straight stretches that are clicked."""

    @property
    def needs_target(self) -> bool:
        """Whether something has to be clicked first."""
        return self.target is not Target.NONE


@dataclass(frozen=True)
class SettingInfo:
    """An open setting of the pack."""

    rule: str
    value: Any
    unit: str
    text: str
    source: str
    options: tuple[tuple[Any, str], ...]
    """other readings: value, and what it changes."""


@dataclass(frozen=True)
class Rules:
    """The rules to look at the board under."""

    pack: str | None = None
    """id or file; None: the scene's own."""
    settings: tuple[tuple[str, Any], ...] = ()
    """other readings of constants."""


@dataclass(frozen=True)
class ItemMark:
    """A thing to carry, where it lies or where its holder is."""

    name: str
    at: Point
    heavy: bool = False
    holder: str = ""


@dataclass(frozen=True)
class GameView:
    """A game as it is shown: nothing here is decided by whoever shows it."""

    path: str
    """file that it is kept in."""
    turn: int
    active: str | None
    """whose activation it is."""
    left: int
    """actions that are left in it."""
    actions: int
    """actions that an activation has; 0: the pack has phases instead."""
    declare: bool
    """actions are declared before anything is measured."""
    activated: tuple[str, ...]
    out: tuple[str, ...]
    open: tuple[tuple[int, str], ...]
    """what waits for the players: its number, and what it is in a sentence."""
    log: tuple[tuple[str, ...], ...]
    """what was told, an order each, in lines."""
    undo: bool
    redo: bool
    statuses: tuple[str, ...]
    """what a model can be given, in the pack's own names."""
    vehicles: tuple[str, ...]
    missing: tuple[str, ...]
    """pieces of the scene that are not on the board now."""


@dataclass(frozen=True, eq=False)
class Board:
    """A battlefield as the window needs it."""

    serial: int
    """number of the scene that it was made of; answers to older ones are thrown away."""
    scene: Scene
    """without its document, which stays with the worker."""
    rules_id: str
    rules_name: str
    fighters: tuple[FighterMark, ...]
    actions: dict[str, tuple[ActionInfo, ...]]
    """by fighter."""
    prepared: Prepared | None
    """None: the terrain is the one that was sent before."""
    digest: str
    """of the terrain."""
    patches: tuple[tuple[Kind, Floats], ...]
    """floors of agreed ground."""
    piece_kinds: dict[str, Kind]
    """what each piece (its largest part) counts as."""
    shown_kinds: tuple[Kind, ...]
    """kinds that are in the picture, for the legend."""
    warnings: tuple[str, ...]
    problems: dict[str, str]
    """by fighter."""
    levels: tuple[float, ...]
    """heights of the main floors, upwards, inches."""
    settings: tuple[SettingInfo, ...]
    packs: tuple[str, ...]
    models: tuple[tuple[str, float], ...]
    """files of the models that stand on the board, and when they were written, as they were read."""
    keep: float
    """distance kept from enemies, inches; 0: none."""
    edge: float
    """depth of the danger zone along lips, inches; 0: none."""
    statuses: dict[str, tuple[str, ...]]
    """by fighter, in the pack's own names."""
    caption: Caption
    has_file: bool = True
    """whether the scene can be saved to where it came from."""
    items: tuple[ItemMark, ...] = ()
    game: GameView | None = None
    """the game that is played on it; None: everybody moves as they like."""


@dataclass(frozen=True)
class Question:
    """Whose moves are asked for."""

    serial: int
    fighter: str
    action: str
    target: str | None = None
    at: Point | None = None
    """where it starts from, when not from where it stands (the second of two planned actions)."""


@dataclass(frozen=True, eq=False)
class ReachAnswer:
    """Where a fighter may end."""

    question: Question
    spots: Floats
    """(n, 5) x, y, z, cost, success."""
    layers: tuple[Layer, ...]
    tags: tuple[Tag, ...]
    """the words on it, where nothing is cut away."""
    allowance: float
    rulings: tuple[str, ...]
    """why the action is not possible at all."""
    seconds: float
    """that it took to work out, and of them ..."""
    processor: float
    """... what the processor was at it."""


@dataclass(frozen=True, eq=False)
class WayAnswer:
    """The way to one place, or why there is none."""

    question: Question
    move: Move
    way: Way
    stretches: tuple[Stretch, ...]
    told: tuple[str, ...]
    """the move in sentences."""
    fall: Fall | None = None
    """what a fall from the place does, where standing there fails for want of floor."""


@dataclass(frozen=True)
class Stepped:
    """What an order changed on the board, once its dice are known."""

    models: dict[str, dict[str, Any]]
    """models that something happened to, as a game's state has them: at, facing, statuses, out ..."""
    items: dict[str, Point]
    """things that are elsewhere, inches."""
    pieces: dict[str, Piece | None]
    """pieces that are different now; None: it is there no more."""


@dataclass(frozen=True)
class Die:
    """A roll that lies on the table."""

    words: str
    face: int
    good: bool | None
    """whether a check passed; None: it is none."""


@dataclass(frozen=True)
class Needs:
    """A roll that is waited for."""

    words: str
    low: int
    high: int
    chance: float | None
    """that a check passes."""
    before: tuple[str, ...]
    """what has happened already, whatever is rolled now."""
    outcomes: tuple[tuple[float, str], ...]
    """what can come of it, with the chance of each."""


@dataclass(frozen=True, eq=False)
class Acts:
    """How one model is seen to move."""

    who: str
    path: Floats
    """(n, 3) inches, its base's centre."""
    falls: tuple[tuple[Point, Point], ...] = ()
    """from where to where it falls then."""
    turns: bool = False
    """it looks where it goes, as vehicles do."""
    rides: str | None = None
    """the model that carries it along first."""


@dataclass(frozen=True, eq=False)
class Played:
    """What has become of an order so far."""

    order: dict[str, Any]
    """as `sandbox.play.orders.Order`."""
    title: str
    faces: tuple[int, ...] = ()
    """results that lie on the table, in order."""
    dice: tuple[Die, ...] = ()
    needs: Needs | None = None
    """the next roll; None: it is over."""
    refused: tuple[str, ...] = ()
    """why it cannot be; nothing has happened then."""
    words: tuple[str, ...] = ()
    """what happened, a line each."""
    acts: tuple[Acts, ...] = ()
    carried: dict[str, str] = field(default_factory=dict)
    """things that somebody who acts takes along, with who that is."""
    reached: bool = True
    """who acted is where it was sent."""
    stepped: Stepped | None = None
    """what it changed, outside of games."""
    board: Board | None = None
    """the board after it, in a game."""


class OverlayKind(StrEnum):
    """What can be laid over the board."""

    STAND = "where this base stands"
    CLEARANCE = "clearance 25 / 32 / 40 mm"
    LIPS = "lips and drops"
    EDGE = "edge danger zones"
    HEADROOM = "low headroom"
    ENEMY_MOVE = "what enemies reach next"
    ENEMY_CHARGE = "what enemies charge next"
    NO_WAY = "floors with no way up"


@dataclass(frozen=True, eq=False)
class Sheet:
    """An area over the board in one colour."""

    colour: Colour
    solid: float
    """0 to 1."""
    layers: tuple[Layer, ...]
    """its surfaces; their third value says how far inside the area a point lies."""
    lift: float = 0.0
    """how much higher than others it lies, inches."""


@dataclass(frozen=True, eq=False)
class Overlay:
    """Plain shapes over the board."""

    kind: OverlayKind
    sheets: tuple[Sheet, ...] = ()
    lines: tuple[tuple[Colour, Floats], ...] = ()
    """colour, (n, 2, 3) segments in inches."""
    labels: tuple[tuple[Point, str], ...] = ()
    legend: tuple[tuple[Colour, str], ...] = ()
    note: str = ""


@dataclass(frozen=True, eq=False)
class Tape:
    """A measured distance."""

    start: Point
    end: Point
    straight: float
    plan: float
    height: float
    clear: bool
    """nothing solid stands between."""
    words: str = ""


@dataclass(frozen=True, eq=False)
class FallPath:
    """A fall to be played: poses of the body at even times."""

    poses: Floats
    """(n, 7) x, y, z of the base's centre in inches, then a quaternion w, x, y, z."""
    seconds: float


@dataclass(frozen=True, eq=False)
class Picked:
    """What is under the mouse."""

    at: Point | None
    """where the ray meets something; None: nothing there."""
    piece: str = ""
    normal: Point = (0.0, 0.0, 1.0)
