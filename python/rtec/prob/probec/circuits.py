"""Arithmetic circuits: formulas compiled by ProbLog, once for all formulas of the same shape.

Compiling a formula is the costly part of exact inference, evaluating what comes out is not (thesis,
section 5.1). ProbLog does the former; its answer is kept as a list of sums and products.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

from rtec.errors import ConfigError, Problem

Gate: TypeAlias = tuple[str, tuple[int, ...]]
"""`and` or `or`, and its inputs: 4n is part n, 4n+2 gate n; one more if it is negated."""

Shape: TypeAlias = tuple[Gate, ...]
"""Gates in order, the last one is the formula."""

Operation: TypeAlias = tuple[str, int, int]


class Circuit:
    """Sums and products that give a probability; the same for all formulas of one shape."""

    def __init__(self, operations: list[Operation], result: int) -> None:
        """Take operations in order; `result` says which of them is the answer."""
        self._operations = operations
        self._result = result

    def value(self, probs: list[float]) -> float:
        """Put probabilities in."""
        values: list[float] = []
        add = values.append
        for operation, one, other in self._operations:
            if operation == "*":
                add(values[one] * values[other])
            elif operation == "+":
                add(values[one] + values[other])
            elif operation == "-":
                add(1.0 - values[one])
            elif operation == "p":
                add(probs[one])
            else:
                add(float(one))
        return values[self._result]


@lru_cache(maxsize=20_000)
def compile_shape(shape: Shape, parts: int) -> Circuit:
    """Let ProbLog compile a formula into a circuit.

    Raises:
        ConfigError: ProbLog is not installed.
    """
    try:
        from problog import get_evaluatable
        from problog.formula import LogicFormula
        from problog.logic import Constant, Term
    except ImportError:
        raise ConfigError(
            Problem(
                "conditions share uncertain facts, so ProbLog is needed to be exact",
                "prob-problog",
                remedy="install it with `pip install 'rtec[prob]'`",
            )
        ) from None
    formula = LogicFormula(keep_all=False)
    atoms = [formula.add_atom(i, Term("p", Constant(i))) for i in range(parts)]
    made: list[Any] = []
    for kind, inputs in shape:
        refs = []
        for code in inputs:
            ref = made[code // 4] if code & 2 else atoms[code // 4]
            refs.append(formula.negate(ref) if code & 1 else ref)
        made.append(formula.add_and(refs) if kind == "and" else formula.add_or(refs))
    query = Term("holds")
    formula.add_query(query, made[-1])
    semiring = _circuit_semiring()
    result = get_evaluatable().create_from(formula).evaluate(semiring=semiring)
    return Circuit(semiring.operations, result[query])


def _circuit_semiring() -> Any:
    """Make a semiring of ProbLog's whose values are operations of a circuit, by their number."""
    from problog.evaluator import Semiring

    class CircuitSemiring(Semiring):  # type: ignore[misc]
        def __init__(self) -> None:
            self.operations: list[Operation] = [("c", 0, 0), ("c", 1, 0)]
            self._known = {("c", 0, 0): 0, ("c", 1, 0): 1}

        def _operation(self, name: str, one: int, other: int = 0) -> int:
            key = (name, one, other)
            if key not in self._known:
                self._known[key] = len(self.operations)
                self.operations.append(key)
            return self._known[key]

        def zero(self) -> int:
            return 0

        def one(self) -> int:
            return 1

        def is_zero(self, value: int) -> bool:
            return value == 0

        def is_one(self, value: int) -> bool:
            return value == 1

        def plus(self, a: int, b: int) -> int:
            if a == 0 or b == 0:
                return a or b
            if self.operations[b] == ("-", a, 0) or self.operations[a] == ("-", b, 0):
                return 1
            return self._operation("+", min(a, b), max(a, b))

        def times(self, a: int, b: int) -> int:
            if a == 0 or b == 0:
                return 0
            if a == 1 or b == 1:
                return a if b == 1 else b
            return self._operation("*", min(a, b), max(a, b))

        def negate(self, a: int) -> int:
            name, one, _ = self.operations[a]
            if a < 2:
                return 1 - a
            return one if name == "-" else self._operation("-", a)

        def value(self, a: Any) -> int:
            return self._operation("p", int(a.args[0]))

        def normalize(self, a: int, z: int) -> int:
            return a  # nothing is observed, so the whole has probability 1

        def is_dsp(self) -> bool:
            return True

    return CircuitSemiring()
