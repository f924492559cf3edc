"""A display without a screen (Xvfb), for pictures of the window and for its tests."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator

from sandbox.errors import UserError


@contextlib.contextmanager
def virtual_display(size: tuple[int, int] = (1600, 1000)) -> Iterator[str]:
    """An X server without a screen, for as long as the block lasts; its name. size: pixels.

    UserError where Xvfb is missing or does not start.
    """
    found = shutil.which("Xvfb")
    if found is None:
        raise UserError(
            "Xvfb is missing, the display that the window is shown on without a screen (Debian: apt install xvfb)"
        )
    reading, writing = os.pipe()
    screen = f"{size[0]}x{size[1]}x24"
    command = [found, "-displayfd", str(writing), "-screen", "0", screen, "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    try:
        os.close(writing)
        with os.fdopen(reading) as stream:
            number = stream.readline().strip()
        if not number:
            raise UserError("Xvfb did not start")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(timeout=10)
