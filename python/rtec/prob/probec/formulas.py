"""Boolean formulas over independent uncertain leaves.

A leaf is an input fact, or what remains of the history (see `state`). Leaves are
independent of each other, so two formulas are independent if they share no leaf, and only then is
it safe to say so. `TRUE` and `FALSE` are the certain formulas.

    >>> rain, wind = leaf(0.5), leaf(0.2)
    >>> storm = conj(rain, wind)
    >>> len(storm.support), conj(storm, neg(rain)) is FALSE, disj(storm, TRUE) is TRUE
    (2, True, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["true", "false", "leaf", "not", "and", "or"]
NEVER: Final = -(2**63)
_MOST_EXCLUSIVE = 300


class Node:
    """One formula; the same object is the same formula.

    Attributes:
        kind: What it is.
        children: What it is made of.
        support: The leaves below it.
        prob: How likely it is, as soon as somebody has worked it out.
        shared: Whether that took more than the closed form.
        until: Of a leaf, the last time-point at which rules may still ask for it directly.
    """

    __slots__ = ("kind", "children", "support", "prob", "shared", "until", "_negation")

    def __init__(
        self,
        kind: Kind,
        children: tuple[Node, ...] = (),
        prob: float | None = None,
        until: int = NEVER,
    ) -> None:
        """Make a node; use the functions of this module instead, which simplify."""
        self.kind: Kind = kind
        self.children = children
        self.prob = prob
        self.shared = False
        self.until = until
        self._negation: Node | None = None
        if kind == "leaf":
            self.support: frozenset[Node] = frozenset((self,))
        elif len(children) == 1:
            self.support = children[0].support
        else:
            self.support = frozenset().union(*(child.support for child in children))

    def __repr__(self) -> str:
        if self.kind == "leaf":
            return f"<{self.prob:g}>"
        if self.kind == "not":
            return f"~{self.children[0]!r}"
        sign = " & " if self.kind == "and" else " | "
        return f"({sign.join(map(repr, self.children))})" if self.children else self.kind


TRUE: Final = Node("true", prob=1.0)
FALSE: Final = Node("false", prob=0.0)
TRUE._negation, FALSE._negation = FALSE, TRUE


def leaf(prob: float, until: int = NEVER) -> Node:
    """Make a new leaf, independent of all others; a certain one is no leaf."""
    if prob >= 1.0:
        return TRUE
    return FALSE if prob <= 0.0 else Node("leaf", prob=prob, until=until)


def neg(node: Node) -> Node:
    """Negate; a double negation goes away."""
    if node._negation is None:
        node._negation = Node("not", (node,), None if node.prob is None else 1.0 - node.prob)
        node._negation._negation = node
    return node._negation


def conj(*nodes: Node) -> Node:
    """All of some formulas."""
    return _combine("and", nodes, TRUE, FALSE)


def disj(*nodes: Node) -> Node:
    """At least one of some formulas."""
    return _combine("or", nodes, FALSE, TRUE)


def choose(condition: Node, then: Node, otherwise: Node) -> Node:
    """One formula if a condition is true, another one if it is not."""
    if then is otherwise:
        return then
    return disj(conj(condition, then), conj(neg(condition), otherwise))


def _combine(kind: Literal["and", "or"], nodes: Iterable[Node], unit: Node, zero: Node) -> Node:
    parts: dict[Node, None] = {}
    for node in nodes:
        if node is zero:
            return zero
        if node is unit:
            continue
        for part in node.children if node.kind == kind else (node,):
            if part._negation in parts:
                return zero
            parts[part] = None
    if not parts:
        return unit
    if len(parts) == 1:
        return next(iter(parts))
    return Node(kind, tuple(parts))


def given(node: Node, known: Mapping[Node, bool]) -> Node:
    """Put what is known about leaves into a formula."""
    if node.support.isdisjoint(known):
        return node
    done: dict[Node, Node] = {}

    def put(part: Node) -> Node:
        if part.kind == "leaf":
            value = known.get(part)
            return part if value is None else TRUE if value else FALSE
        if part.support.isdisjoint(known):
            return part
        result = done.get(part)
        if result is None:
            children = [put(child) for child in part.children]
            if part.kind == "not":
                result = neg(children[0])
            else:
                result = conj(*children) if part.kind == "and" else disj(*children)
            done[part] = result
        return result

    return put(node)


def any_of(nodes: Iterable[Node]) -> Node:
    """At least one of some proofs; one that needs all that another needs, and more, goes away."""
    proofs = {node: _needs(node) for node in nodes}
    if len(proofs) > 1:
        needs = list(proofs.values())
        proofs = {
            node: mine for node, mine in proofs.items() if not any(other < mine for other in needs)
        }
    return disj(*proofs)


def none_of(nodes: Iterable[Node]) -> Node:
    """None of some proofs."""
    some = any_of(nodes)
    return conj(*map(neg, some.children)) if some.kind == "or" else neg(some)


def _conjuncts(node: Node) -> tuple[Node, ...]:
    return node.children if node.kind == "and" else (node,)


def _needs(node: Node) -> frozenset[Node]:
    return frozenset(_conjuncts(node))


def independent(nodes: Iterable[Node]) -> bool:
    """Whether no two of some formulas share a leaf."""
    seen: set[Node] = set()
    total = 0
    for node in nodes:
        total += len(node.support)
        seen |= node.support
        if len(seen) < total:
            return False
    return True


def exclusive(nodes: Sequence[Node]) -> bool:
    """Whether it is plain that no two of some formulas can be true at once.

    >>> a, b = leaf(0.5), leaf(0.5)
    >>> exclusive([conj(a, b), conj(neg(a), b)]), exclusive([a, conj(a, b)])
    (True, False)
    """
    if len(nodes) > _MOST_EXCLUSIVE:
        return False
    needs = [_needs(node) for node in nodes]
    against = [frozenset(map(neg, each)) for each in needs]
    return all(not needs[i].isdisjoint(against[j]) for i in range(len(needs)) for j in range(i))


def simpler(node: Node) -> Node | None:
    """The same formula with fewer leaves that its parts share; None if it is as simple as it gets.

    A leaf that has to be true for all of a conjunction may be taken as true in its other parts:

    >>> a, b, c = leaf(0.5), leaf(0.5), leaf(0.5)
    >>> simpler(conj(a, b, neg(conj(a, c))))
    (<0.5> & <0.5> & ~<0.5>)

    The same holds with true and false exchanged, and for what all parts of a disjunction need:

    >>> simpler(disj(conj(a, b), conj(a, c)))
    (<0.5> & (<0.5> | <0.5>))
    >>> simpler(disj(a, conj(a, b))) is a
    True
    """
    if node.kind == "or":
        needs = [_needs(child) for child in node.children]
        common = frozenset.intersection(*needs)
        if common:
            parts = [
                conj(*(part for part in _conjuncts(child) if part not in common))
                for child in node.children
            ]
            first = [part for part in _conjuncts(node.children[0]) if part in common]
            return conj(*first, disj(*parts))
    wanted = node.kind == "and"
    known: dict[Node, bool] = {}
    units = []
    for child in node.children:
        plain = child.children[0] if child.kind == "not" else child
        if plain.kind == "leaf":
            known[plain] = wanted == (plain is child)
            units.append(child)
    others = [child for child in node.children if child not in units]
    if all(child.support.isdisjoint(known) for child in others):
        return None
    changed = [given(child, known) for child in others]
    return conj(*units, *changed) if wanted else disj(*units, *changed)
