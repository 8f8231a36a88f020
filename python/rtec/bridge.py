"""The one file that imports janus_swi: Python's side of the two languages.

SWI-Prolog runs in one thread, the owner, which makes all calls for others; or in whichever thread
calls, one after the other (`live_here`). So sessions may be used from any thread. Only flat data
crosses.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar

from rtec.environment import prepare_swipl, prolog_folder
from rtec.errors import EngineError, Place, Problem
from rtec.native import prepare_native

T = TypeVar("T")
_Call = tuple[Callable[[], Any], "Future[Any]"]


class _Owner:
    """The thread that SWI-Prolog lives in, from the first call on.

    By default it is a thread of its own, so that whoever waits for an answer can be interrupted.
    """

    def __init__(self) -> None:
        self._pid = 0
        self._lock = threading.Lock()
        self._calls: queue.SimpleQueue[_Call] | None = None
        self._chosen: int | None = None
        self._threads: set[int] = set()  # those that may call Prolog by themselves, in turn
        self._turn = threading.RLock()
        self._failure: Exception | None = None

    def choose(self) -> None:
        self._chosen = threading.get_ident()

    def call(self, work: Callable[[], Any]) -> Any:
        if threading.get_ident() not in self._threads or os.getpid() != self._pid:
            self._start()
            if self._calls is not None:
                done: Future[Any] = Future()
                self._calls.put((work, done))
                return done.result()
        with self._turn, self._engine():
            if self._failure is not None:
                raise EngineError(f"SWI-Prolog could not be started: {self._failure}")
            return work()

    def _start(self) -> None:
        with self._lock:
            if self._pid == 0:
                prepare_native(prepare_swipl())
                self._pid = os.getpid()
                if self._chosen == threading.get_ident():
                    self._load()
                else:
                    self._calls = queue.SimpleQueue()
                    threading.Thread(target=self._serve, name="rtec-prolog", daemon=True).start()
            elif self._pid != os.getpid():
                raise EngineError(
                    "SWI-Prolog was started before this process was forked; "
                    "use the spawn start method, or first use rtec in the child"
                )

    def _load(self) -> None:
        self._threads.add(threading.get_ident())
        try:
            import janus_swi

            janus_swi.consult(str(prolog_folder() / "rtec.pl"))
            # Garbage is collected where it is made: a thread of its own for that costs more CPU
            # in all, on a core that another worker may need.
            janus_swi.query_once("set_prolog_gc_thread(false)", {})
        except Exception as error:
            self._failure = error

    def _serve(self) -> None:
        self._load()
        assert self._calls is not None
        while True:
            work, done = self._calls.get()
            try:
                done.set_result(self.call(work))
            except BaseException as error:
                done.set_exception(error)

    @contextmanager
    def _engine(self) -> Iterator[None]:
        """Give this thread an engine of Prolog for a while, if it has none."""
        ident = threading.get_ident()
        if ident in self._threads or self._failure is not None:
            yield
            return
        import janus_swi

        janus_swi.attach_engine()
        self._threads.add(ident)
        try:
            yield
        finally:
            self._threads.discard(ident)
            janus_swi.detach_engine()


_OWNER = _Owner()


def live_here() -> None:
    """Let Prolog live in this thread, unless it lives somewhere already.

    To wake another thread takes a tenth of a millisecond, for each call. It is for processes that
    do nothing else, and that nobody interrupts, and for a thread that lasts as long as they do.
    """
    _OWNER.choose()


def call(predicate: str, *inputs: Any, then: Callable[[Any], Any] | None = None) -> Any:
    """Return the output of `rtec_bridge:predicate(inputs..., Output)`, called once.

    Args:
        predicate: What to call.
        inputs: All its arguments but the last.
        then: Makes something of the output before Prolog is called again.

    Raises:
        EngineError: With the text that messages.pl has for what Prolog threw.
    """
    if then is None:
        return _OWNER.call(lambda: _guarded("apply_once", predicate, inputs))
    return _OWNER.call(lambda: then(_guarded("apply_once", predicate, inputs)))


def command(predicate: str, *inputs: Any) -> None:
    """Call `rtec_bridge:predicate(inputs...)` once."""
    _OWNER.call(lambda: _guarded("cmd", predicate, inputs))


def together(work: Callable[[], T]) -> T:
    """Do work that calls Prolog several times: in its thread, so that it is woken only once."""
    done: T = _OWNER.call(work)
    return done


def _guarded(how: str, predicate: str, inputs: tuple[Any, ...]) -> Any:
    import janus_swi

    try:
        return getattr(janus_swi, how)("rtec_bridge", predicate, *inputs)
    except janus_swi.PrologError as error:
        problem = _problem(janus_swi, error)
    raise EngineError(problem)


def _problem(janus: Any, error: Any) -> Problem:
    """Turn a PrologError, which holds a handle of this process, into plain data."""
    term = getattr(error, "term", None)
    if term is None:
        return Problem(str(error), "engine")
    slug, text, origin = janus.apply_once("rtec_messages", "error_row", term)
    place = None
    if origin:
        path, _, line = str(origin).rpartition(":")
        place = Place(path, int(line))
    return Problem(str(text), slug, place)
