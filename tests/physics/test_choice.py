"""Which engine is chosen: the one that is named, else the preferred one of those installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest
from blocks import Blocks

from sandbox.errors import UserError
from sandbox.physics import world as world_room
from sandbox.physics.panda import PandaWorld
from sandbox.physics.world import SETTING, Engine, chosen_engine, engines, open_world


@pytest.fixture(autouse=True)
def nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SETTING, raising=False)


@pytest.fixture
def without_pybullet(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        world_room.importlib.util, "find_spec", lambda name: None if name == "pybullet" else find(name)
    )


def test_what_is_named_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen_engine() is engines()[0]
    monkeypatch.setenv(SETTING, "panda3d")
    assert chosen_engine() is Engine.PANDA
    world = open_world(Blocks().floor().terrain())
    assert isinstance(world, PandaWorld)
    world.close()
    # what a call names goes before the setting
    monkeypatch.setenv(SETTING, "havok")
    assert chosen_engine("panda3d") is Engine.PANDA
    with pytest.raises(UserError, match=r"'havok' \(SANDBOX_ENGINE names it\); there are pybullet, panda3d"):
        chosen_engine()


@pytest.mark.usefixtures("without_pybullet")
def test_without_pybullet_the_second_engine_is_chosen_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    assert engines() == (Engine.PANDA,)
    assert chosen_engine() is Engine.PANDA
    monkeypatch.setenv(SETTING, "pybullet")
    with pytest.raises(UserError, match=r"pybullet is not installed \(SANDBOX_ENGINE .*installed: panda3d"):
        chosen_engine()


def test_a_scene_is_answered_where_pybullet_cannot_be_imported() -> None:
    """The whole way through the product in a process in which nothing of pybullet is to be found."""
    code = """
import importlib.abc, sys
class Gone(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("pybullet", "pybullet_data"):
            raise ModuleNotFoundError(name)
find = __import__("importlib.util").util.find_spec
__import__("importlib.util").util.find_spec = lambda n, p=None: None if n.startswith("pybullet") else find(n, p)
sys.meta_path.insert(0, Gone())
import sandbox
field = sandbox.load("scenes/gantry.yaml")
move = field.moves("kal", "move").to(9.5, 8.0)
print(type(field.world).__name__, move.legal)
try:
    sandbox.load("scenes/monastery.yaml")
except sandbox.UserError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first.split() == ["PandaWorld", "True"]
    assert second.startswith("scenes/monastery.yaml:15: the package 'pybullet_data' of ")
    assert "it comes with pybullet, which can be installed on Linux x86-64" in second
