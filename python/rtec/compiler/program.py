"""A compiled description: the Prolog module as text, and what Python must know of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from rtec.compiler.dependencies import Graph
from rtec.compiler.description import Description
from rtec.errors import Problem
from rtec.runtime.records import Input


@dataclass(frozen=True)
class Program:
    """The result of compilation; sessions are made from it.

    Attributes:
        name: The description's file name.
        text: The compiled module.
        background: Files of background knowledge, in order.
        inputs: For each record name, what its records may be.
        outputs: Names of the fluents and events that are recognised.
        deltas: The delta rules, for sessions that reason incrementally; empty if it has none.
        anew: What they leave out: it is evaluated from scratch at each query time.
        warnings: What compilation noticed and let pass.
        graph: The dependency graph, with levels.
        description: The description as read; None for a program that only runs.
    """

    name: str
    text: str
    background: tuple[str, ...]
    inputs: dict[str, tuple[Input, ...]]
    outputs: frozenset[str]
    deltas: str = ""
    anew: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    graph: Graph | None = field(default=None, compare=False, repr=False)
    description: Description | None = field(default=None, compare=False, repr=False)

    @property
    def digest(self) -> str:
        """A hash of the compiled text; equal programs have equal digests."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]
