"""How probabilities were worked out, fluent by fluent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, TypeAlias

from rtec.compiler.references import Key
from rtec.prob.probec.formulas import Node

Method: TypeAlias = Literal["certain", "closed form", "ProbLog"]
"""`certain` if nothing uncertain was met; `ProbLog` if it was needed at least once."""


class Methods:
    """Counts the ways."""

    def __init__(self) -> None:
        """Begin to count."""
        self._ways: dict[Key, Counter[Method]] = {}

    def count(self, key: Key, node: Node) -> None:
        """Note how the probability of a formula of a fluent was worked out."""
        way: Method = "ProbLog" if node.shared else "closed form" if node.support else "certain"
        self._ways.setdefault(key, Counter())[way] += 1

    def together(self, keys: Iterable[Key]) -> None:
        """Note that fluents were worked out together."""
        for key in keys:
            self._ways.setdefault(key, Counter())["ProbLog"] += 1

    def of(self, key: Key) -> Method:
        """How a fluent was worked out."""
        ways = self._ways.get(key, Counter())
        return "ProbLog" if ways["ProbLog"] else "closed form" if ways["closed form"] else "certain"

    def counts(self) -> dict[str, dict[str, int]]:
        """For each fluent how often which way was taken."""
        return {
            f"{k[0]}/{k[1]}": {str(way): n for way, n in ways.items()}
            for k, ways in sorted(self._ways.items())
        }
