"""rtec: the Run-Time Event Calculus.

Compile an event description, run a stream through it, and get the maximal intervals of every
fluent, query time by query time:

>>> import rtec
>>> program = rtec.compile("toy.prolog")
>>> day = [
...     rtec.Record("win_lottery", 13, ("chris",)),
...     rtec.Record("go_to", 17, ("chris", "pub")),
...     rtec.Record("lose_wallet", 19, ("chris",)),
... ]
>>> for r in rtec.run(program, day, window=21, start=0, end=21):
...     print(r.fluent, *r.args, r.value, r.intervals)
happy chris true ((14, None),)
location chris pub ((18, None),)
rich chris true ((14, 20),)

A `Session` is the same by hand: insert records, ask at a query time, take a snapshot.
Everything that can go wrong with what a user gives is an `RtecError`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rtec.api import Run, Session, compile, run
    from rtec.compiler.program import Program
    from rtec.errors import (
        ConfigError,
        DescriptionError,
        EngineError,
        Place,
        Problem,
        RtecError,
        StreamError,
    )
    from rtec.model import EventRecognition, FluentRecognition
    from rtec.runtime.answers import Recognitions
    from rtec.runtime.records import Record

__all__ = [
    "ConfigError",
    "DescriptionError",
    "EngineError",
    "EventRecognition",
    "FluentRecognition",
    "Place",
    "Problem",
    "Program",
    "Recognitions",
    "Record",
    "RtecError",
    "Run",
    "Session",
    "StreamError",
    "compile",
    "run",
]

# Names are looked up when they are first used: `import rtec` must stay cheap, and SWI-Prolog
# must not be loaded before a process is forked.
_HOMES = {
    "rtec.api": ("Run", "Session", "compile", "run"),
    "rtec.compiler.program": ("Program",),
    "rtec.errors": (
        "ConfigError",
        "DescriptionError",
        "EngineError",
        "Place",
        "Problem",
        "RtecError",
        "StreamError",
    ),
    "rtec.model": ("EventRecognition", "FluentRecognition"),
    "rtec.runtime.answers": ("Recognitions",),
    "rtec.runtime.records": ("Record",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
