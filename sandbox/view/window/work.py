"""A process of its own for everything that takes time: asked by name, answered later, so that drawing never waits.

Questions have a topic. A newer question of a topic takes the place of an older one that has not begun, and an answer
that has been overtaken is thrown away: a hovering mouse asks far more than anybody wants to know.
"""

from __future__ import annotations

import importlib
import multiprocessing
import queue
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from sandbox.errors import UserError

TRIES = 3
"""processes in a row that may end without an answer; then no other one is started."""
ENDED = "the worker process ended in the middle of this; it was started again"
NO_WORKER = "the worker process ends as soon as it is started: run `sandbox doctor`"


@dataclass(frozen=True)
class Ask:
    """One question on its way to the worker."""

    number: int
    topic: str
    name: str
    """method of the desk."""
    args: tuple[Any, ...]


@dataclass(frozen=True)
class Reply:
    """What came of it."""

    number: int
    topic: str
    value: Any
    error: str | None
    """one line for the user where it could not be answered."""
    seconds: float


Then = Callable[[Any], None]
Failed = Callable[[str], None]


class Worker:
    """The asking side. All methods but the constructor's threads run in the thread that draws."""

    def __init__(self, desk: str, restarted: Callable[[], None] | None = None) -> None:
        """desk: ``module:Class``, made in the process and asked there by method name.

        restarted: called when the process ended by itself and a new one, which knows nothing yet, has taken its place.
        """
        self._desk = desk
        self._restarted = restarted
        self._count = 0
        self._waiting: dict[int, tuple[str, Then, Failed, float]] = {}
        self._latest: dict[str, int] = {}
        self._replies: queue.SimpleQueue[Reply | None] = queue.SimpleQueue()
        self._came = threading.Event()
        self._stillborn = 0
        """processes in a row that ended without an answer."""
        self.slowest = 0.0
        """seconds that the longest question took so far."""
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, self._desk), daemon=True)
        self._process.start()
        theirs.close()
        self._asks: queue.SimpleQueue[Ask | None] = queue.SimpleQueue()
        threading.Thread(target=self._write, args=(ours, self._asks), daemon=True).start()
        threading.Thread(target=self._read, args=(ours,), daemon=True).start()

    @staticmethod
    def _write(pipe: Connection, asks: queue.SimpleQueue[Ask | None]) -> None:
        try:
            while (ask := asks.get()) is not None:
                pipe.send(ask)
            pipe.send(None)
        except (OSError, ValueError):
            return

    def _read(self, pipe: Connection) -> None:
        reply: Reply | None
        while True:
            try:
                reply = pipe.recv()
                self._stillborn = 0
            except (EOFError, OSError):
                reply = None
            self._replies.put(reply)
            self._came.set()
            if reply is None:
                return

    def wait(self, seconds: float) -> None:
        """Wait for an answer to `poll`, at most so long."""
        self._came.wait(seconds)

    def ask(self, topic: str, name: str, *args: Any, then: Then, failed: Failed) -> None:
        """Ask the desk's method `name`; `then` gets its answer, `failed` one line. Both are called by `poll`."""
        self._count += 1
        self._latest[topic] = self._count
        self._waiting[self._count] = (topic, then, failed, time.monotonic())
        if self._stillborn >= TRIES:
            self._replies.put(Reply(self._count, topic, None, NO_WORKER, 0.0))
            return
        self._asks.put(Ask(self._count, topic, name, args))

    def forget(self, topic: str) -> None:
        """No answer of this topic is wanted any more."""
        self._latest.pop(topic, None)

    def busy(self, topic: str | None = None) -> float:
        """Seconds that the oldest wanted question (of a topic) has been waiting; 0 where none does."""
        now = time.monotonic()
        since = [
            now - asked
            for number, (named, _, _, asked) in self._waiting.items()
            if (topic is None or named == topic) and self._latest.get(named) == number
        ]
        return max(since, default=0.0)

    def poll(self) -> bool:
        """Hand out the answers that have come; whether there were any."""
        some = False
        self._came.clear()
        while True:
            try:
                reply = self._replies.get_nowait()
            except queue.Empty:
                return some
            some = True
            if reply is None:
                self._died()
                return some
            known = self._waiting.pop(reply.number, None)
            if known is None or self._latest.get(reply.topic) != reply.number:
                continue
            _, then, failed, _ = known
            self.slowest = max(self.slowest, reply.seconds)
            if reply.error is None:
                then(reply.value)
            else:
                failed(reply.error)

    def _died(self) -> None:
        """The process has ended by itself: say so to whoever waits, and start another."""
        waiting, self._waiting = self._waiting, {}
        if self._closed:
            return
        self._stillborn += 1
        again = self._stillborn < TRIES
        if again:
            self._start()
        for number, (topic, _, failed, _) in waiting.items():
            if self._latest.get(topic) == number:
                failed(ENDED if again else NO_WORKER)
        if again and self._restarted is not None:
            self._restarted()

    _closed = False

    def close(self) -> None:
        """End the process."""
        self._closed = True
        self._asks.put(None)
        self._process.join(timeout=1.0)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join(timeout=1.0)


def serve(pipe: Connection, desk: str) -> None:
    """The worker process: take questions, the newest of each topic, and answer them one after the other.

    Topics that begin with ``eye:`` are answered by a thread of their own, so that a mouse need not wait for a reach.
    """
    module, _, name = desk.partition(":")
    made = getattr(importlib.import_module(module), name)()
    lanes = {"main": _Lane(), "eye": _Lane()}
    sending = threading.Lock()

    def take() -> None:
        while True:
            try:
                ask = pipe.recv()
            except (EOFError, OSError):
                ask = None
            for key, lane in lanes.items():
                if ask is None:
                    lane.put(None)
                elif key == ("eye" if ask.topic.startswith("eye:") else "main"):
                    lane.put(ask)
            if ask is None:
                return

    def answer(lane: _Lane) -> None:
        while (ask := lane.get()) is not None:
            reply = _answer(made, ask)
            try:
                with sending:
                    pipe.send(reply)
            except (OSError, ValueError):
                return

    threading.Thread(target=take, daemon=True).start()
    threading.Thread(target=answer, args=(lanes["eye"],), daemon=True).start()
    answer(lanes["main"])


class _Lane:
    """Questions that wait for one thread: the newest of each topic, in the order in which they came."""

    def __init__(self) -> None:
        self._pending: OrderedDict[str, Ask] = OrderedDict()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, ask: Ask | None) -> None:
        """Add a question; None: there will be no more."""
        with self._changed:
            if ask is None:
                self._closed = True
            else:
                self._pending.pop(ask.topic, None)
                self._pending[ask.topic] = ask
            self._changed.notify()

    def get(self) -> Ask | None:
        """The next question, waiting for one; None at the end."""
        with self._changed:
            while not self._pending and not self._closed:
                self._changed.wait()
            return None if self._closed else self._pending.popitem(last=False)[1]


def _answer(desk: Any, ask: Ask) -> Reply:
    begun = time.monotonic()
    value, error = None, None
    try:
        called = desk
        for part in ask.name.split("."):
            called = getattr(called, part)
        value = called(*ask.args)
    except UserError as wrong:
        error = str(wrong)
    except Exception as fault:
        traceback.print_exc()
        error = f"a fault in sandbox itself ({type(fault).__name__}: {fault})"
    return Reply(ask.number, ask.topic, value, error, time.monotonic() - begun)
