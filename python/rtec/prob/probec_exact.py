"""How likely formulas are: in closed form where that is proved to be right, else by ProbLog.

The closed form of a conjunction is the product of its parts, that of a disjunction one less the
product of what is missing to each; both are right if the parts share no leaf, which is checked.
What is left are formulas whose parts share leaves. They are handed to ProbLog, cut off where a
part is independent of all others. ProbLog compiles a formula once for all formulas of the same
shape: its answer is kept as an arithmetic circuit over the probabilities of the parts.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any, TypeAlias

from rtec.errors import ConfigError, Problem
from rtec.prob.probec_formulas import FALSE, Node, conj, disj, independent, neg

Gate: TypeAlias = tuple[str, tuple[int, ...]]
"""`and` or `or`, and its inputs: 4n is part n, 4n+2 gate n; one more if it is negated."""

Shape: TypeAlias = tuple[Gate, ...]
Operation: TypeAlias = tuple[str, int, int]


class Evaluator:
    """Works out probabilities.

    Attributes:
        asked: How many formulas took more than the closed form.
    """

    def __init__(self) -> None:
        """Begin to count."""
        self.asked = 0

    def prob(self, node: Node) -> float:
        """How likely a formula is.

        Raises:
            ConfigError: ProbLog is needed, and not installed.
        """
        if node.prob is not None:
            return node.prob
        if node.kind == "not":
            value = 1.0 - self.prob(node.children[0])
        elif independent(node.children):
            value = self._product(node)
        else:
            value = self._shared(node)
            node.shared = True
            self.asked += 1
        node.shared |= any(child.shared for child in node.children)
        node.prob = min(max(value, 0.0), 1.0)
        return node.prob

    def inertia(self, now: Node, initiated: Node, broken: Node) -> Node:
        """What holds next: what holds now or is initiated, and is not broken.

        If what holds now is independent of what initiates and breaks it, the probability of what
        holds next follows from that of what holds now, however the other two depend on each other.
        """
        if initiated is FALSE and broken is FALSE:
            return now
        node = conj(disj(now, initiated), neg(broken))
        if node.prob is None and now.support.isdisjoint(initiated.support | broken.support):
            begins = conj(initiated, neg(broken))
            stays = neg(broken)
            held = self.prob(now)
            prob = held * self.prob(stays) + (1.0 - held) * self.prob(begins)
            node.prob = min(max(prob, 0.0), 1.0)
            node.shared = begins.shared or stays.shared
        return node

    def _product(self, node: Node) -> float:
        value = 1.0
        if node.kind == "and":
            for child in node.children:
                value *= self.prob(child)
            return value
        for child in node.children:
            value *= 1.0 - self.prob(child)
        return 1.0 - value

    def _shared(self, node: Node) -> float:
        parts = parts_of(node)
        shape, order = shape_of(node, parts)
        return compile_shape(shape, len(order)).value([self.prob(part) for part in order])


def parts_of(node: Node) -> set[Node]:
    """Cut a formula into independent parts, as large as they come."""
    parts = {_plain(child) for child in node.children}
    while True:
        uses = Counter(leaf for part in parts for leaf in part.support)
        tangled = [
            part
            for part in parts
            if part.kind != "leaf" and any(uses[leaf] > 1 for leaf in part.support)
        ]
        if not tangled:
            return parts
        for part in tangled:
            parts.remove(part)
            parts.update(map(_plain, part.children))


def _plain(node: Node) -> Node:
    return node.children[0] if node.kind == "not" else node


def shape_of(node: Node, parts: set[Node]) -> tuple[Shape, list[Node]]:
    """Write down how a formula is made of parts, and the parts in the order they are met."""
    numbers: dict[Node, int] = {}
    order: list[Node] = []
    gates: list[Gate] = []

    def number(each: Node) -> int:
        plain = _plain(each)
        known = numbers.get(plain)
        if known is None:
            if plain in parts:
                known = 4 * len(order)
                order.append(plain)
            else:
                inputs = tuple(map(number, plain.children))
                known = 4 * len(gates) + 2
                gates.append((plain.kind, inputs))
            numbers[plain] = known
        return known + (plain is not each)

    number(node)
    return tuple(gates), order


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
