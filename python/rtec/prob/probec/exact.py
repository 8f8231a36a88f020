"""How likely formulas are: in closed form where that is proved to be right, else by ProbLog.

The closed form of a conjunction is the product of its parts, that of a disjunction one less the
product of what is missing to each; both are right if the parts share no leaf. A disjunction of
which no two parts can be true at once is their sum. All of this is checked. What is left are
formulas whose parts share leaves. They are handed to ProbLog, cut off where a part is independent
of all others. ProbLog compiles a formula once for all formulas of the same shape: its answer is
kept as an arithmetic circuit over the probabilities of the parts (see `circuits`).
"""

from __future__ import annotations

from collections import Counter

from rtec.prob.probec.circuits import Gate, Shape, compile_shape
from rtec.prob.probec.formulas import FALSE, Node, conj, disj, exclusive, independent, neg, simpler


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
        elif node.kind == "or" and exclusive(node.children):
            value = sum(self.prob(child) for child in node.children)
        else:
            easier = simpler(node)
            if easier is not None:
                value = self.prob(easier)
                node.shared = easier.shared
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
