"""The one file that imports janus_swi: Python's side of the two languages.

SWI-Prolog runs in one thread of its own, the owner; every call goes through
it, so sessions may be used from any thread. Only flat data crosses.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from rtec.environment import prepare_swipl, prolog_folder
from rtec.errors import EngineError, Place, Problem
from rtec.native import prepare_native

T = TypeVar("T")
_Call = tuple[Callable[[], Any], "Future[Any]"]


class _Owner:
    """The thread that SWI-Prolog lives in; started at the first call."""

    def __init__(self) -> None:
        self._pid = 0
        self._lock = threading.Lock()
        self._calls: queue.SimpleQueue[_Call] = queue.SimpleQueue()
        self._ident: int | None = None

    def call(self, work: Callable[[], Any]) -> Any:
        if threading.get_ident() == self._ident and os.getpid() == self._pid:
            return work()
        with self._lock:
            if self._pid == 0:
                prepare_native(prepare_swipl())
                self._pid = os.getpid()
                threading.Thread(target=self._serve, name="rtec-prolog", daemon=True).start()
            elif self._pid != os.getpid():
                raise EngineError(
                    "SWI-Prolog was started before this process was forked; "
                    "use the spawn start method, or first use rtec in the child"
                )
        done: Future[Any] = Future()
        self._calls.put((work, done))
        return done.result()

    def _serve(self) -> None:
        self._ident = threading.get_ident()
        start_error: Exception | None = None
        try:
            import janus_swi

            janus_swi.consult(str(prolog_folder() / "rtec.pl"))
            # Garbage is collected where it is made: a thread of its own for that costs more CPU
            # in all, on a core that another worker may need.
            janus_swi.query_once("set_prolog_gc_thread(false)", {})
        except Exception as error:
            start_error = error
        while True:
            work, done = self._calls.get()
            if start_error is not None:
                done.set_exception(EngineError(f"SWI-Prolog could not be started: {start_error}"))
                continue
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)


_OWNER = _Owner()


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
