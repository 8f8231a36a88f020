"""What `rtec run` says, and how answers are compared with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import rtec
from rtec.cli.options import Chosen, choose
from rtec.compiler import compile_description
from rtec.compiler.program import Program

Row = tuple[Any, ...]
NAMES = ["toy", "transport", "maritime", "netbill", "voting", "activity", "immune", "phage"]
"""The bundled descriptions."""


@dataclass(frozen=True)
class Bundled:
    """A bundled description with its settings."""

    chosen: Chosen
    program: Program

    @property
    def settings(self) -> dict[str, Any]:
        """Window, step, start, end and tick."""
        s = self.chosen.settings
        return {
            "window": s.window, "step": s.step, "start": s.start, "end": s.end, "tick": s.tick,
        }  # fmt: skip

    def local(self, **more: Any) -> list[Row]:
        """The answers of a local run."""
        run = rtec.run(self.program, list(self.chosen.streams), **{**self.settings, **more})
        return rows(run.to_arrow().to_pylist())


def bundled(name: str) -> Bundled:
    """Compile a bundled description."""
    chosen = choose(f"{name}.prolog")
    program = compile_description(
        chosen.description, chosen.background, trust=True, cached=False
    )
    return Bundled(chosen, program)


def rows(answers: list[dict[str, Any]]) -> list[Row]:
    """Answers in an order of their own, so that two lists can be compared."""
    columns = ("query_time", "fluent", "args", "value", "start", "end")
    return sorted((tuple(a[c] for c in columns) for a in answers), key=repr)


def collected(frame: Any) -> list[Row]:
    """The answers in a DataFrame of Spark."""
    return rows([row.asDict() for row in frame.collect()])
