"""The window: a board that is looked at, asked, played on and built. It draws what a worker process answers."""

from __future__ import annotations

from pathlib import Path

__all__ = ["open_window"]


def open_window(path: str | Path, rules: str | None = None, *, size: tuple[int, int] = (1440, 900)) -> None:
    """Show a scene or a model in a window until it is closed. UserError where no window can be opened.

    rules: another pack than the scene's own; size: of the window in pixels.
    """
    from sandbox.view.window.app import App  # noqa: PLC0415 - Panda3D is loaded by the first window

    App(Path(path), rules, size=size).run()
