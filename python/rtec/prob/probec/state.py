"""What has to be remembered of the past: how likely each fluent is, alone and with others.

Between two time-points every uncertain fluent-value pair is a small formula over leaves that stand
for its whole history. A pair that depends on nothing that matters elsewhere is one leaf: a single
number, as in section 5.2 of the thesis. Pairs that may be read together and share leaves are kept
together: each of them is written as a choice by the values of others, with a leaf for every case,

    meeting  =  close ? <0.8> : <0.1>

so that all of them together are exactly as likely as their history makes them. Which pairs need
that, and why no more than that is needed, is said in docs/probability.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rtec.errors import EngineError, Problem
from rtec.prob.probec.coupling import Coupling
from rtec.prob.probec.exact import Evaluator
from rtec.prob.probec.formulas import FALSE, NEVER, TRUE, Node, choose, conj, given, leaf, neg
from rtec.prob.probec.ground import Fluent, Fvp
from rtec.prob.probec.methods import Methods

NEGLIGIBLE = 1e-15
"""What is less likely than this is forgotten, and what is this close to certain is certain."""

MOST_COUPLED = 10
"""How many others a pair may depend on at most."""


class State:
    """The uncertain and the certain fluent-value pairs at one time-point.

    Attributes:
        nodes: The formula of each pair that may hold.
        known: The instances of open fluents that have been mentioned.
    """

    def __init__(self, coupling: Coupling, evaluator: Evaluator, methods: Methods) -> None:
        """Begin with nothing."""
        self.methods = methods
        self.nodes: dict[Fvp, Node] = {}
        self.known: set[Fluent] = set()
        self._coupling = coupling
        self._evaluator = evaluator
        self._users: dict[Node, set[Fvp]] = {}

    def copy(self) -> State:
        """A state that can go another way from here."""
        other = State(self._coupling, self._evaluator, self.methods)
        other.nodes = dict(self.nodes)
        other.known = set(self.known)
        other._users = {node: set(users) for node, users in self._users.items()}
        return other

    def put(self, fvp: Fvp, node: Node) -> None:
        """Set the formula of a pair."""
        old = self.nodes.get(fvp, FALSE)
        for part in old.support - node.support:
            users = self._users[part]
            users.discard(fvp)
            if not users:
                del self._users[part]
        for part in node.support - old.support:
            self._users.setdefault(part, set()).add(fvp)
        if node is FALSE:
            self.nodes.pop(fvp, None)
        else:
            self.nodes[fvp] = node

    def move(self, changed: dict[Fvp, Node], time: int) -> None:
        """Let pairs change at a time-point, and forget what led to it."""
        for fvp, node in changed.items():
            prob = self._evaluator.prob(node)
            self.methods.count(fvp.key, node)
            if prob <= NEGLIGIBLE:
                changed[fvp] = FALSE
            elif prob >= 1.0 - NEGLIGIBLE:
                changed[fvp] = TRUE
            self.put(fvp, changed[fvp])
        done: set[Fvp] = set()
        for fvp, node in changed.items():
            if fvp in done or not node.support:
                continue
            group, facts = self._group(fvp, time)
            done.update(group)
            if len(group) == 1 and not facts:
                if node.kind != "leaf" or node.until != NEVER:
                    self.put(fvp, leaf(self._evaluator.prob(node)))
            else:
                before = self._evaluator.asked
                self._fold(sorted(group, key=lambda f: f.rank), facts, changed)
                if self._evaluator.asked > before:
                    self.methods.together(each.key for each in group)

    def _group(self, first: Fvp, time: int) -> tuple[set[Fvp], list[Node]]:
        """Everything that has to be kept together with a pair; and facts that may be read again."""
        group = {first}
        facts: dict[Node, None] = {}
        todo = [first]
        while todo:
            fvp = todo.pop()
            for part in self.nodes[fvp].support:
                if part.until > time:
                    facts[part] = None
                for other in self._users[part]:
                    if other not in group and self._coupling.together(fvp, other):
                        group.add(other)
                        todo.append(other)
        return group, list(facts)

    # -- folding -------------------------------------------------------------------------

    def _fold(self, group: Sequence[Fvp], facts: Sequence[Node], changed: dict[Fvp, Node]) -> None:
        """Write the pairs of a group as choices by each other, as likely together as they are."""
        old: dict[Fvp | Node, Node] = {fact: fact for fact in facts}
        old.update((fvp, self.nodes[fvp]) for fvp in group)
        order: list[Fvp | Node] = [*facts, *group]
        new: dict[Fvp | Node, Node] = {fact: fact for fact in facts}
        for item, before in zip(order, self._before(order), strict=True):
            if isinstance(item, Node):
                continue
            parents = _linked(item, before, old)
            untouched = item not in changed and all(new[p] is old[p] for p in parents)
            if untouched and (parents or old[item].kind == "leaf"):
                new[item] = old[item]
            else:
                new[item] = self._choice(
                    old[item], [old[p] for p in parents], [new[p] for p in parents], item
                )
        for fvp in group:
            self.put(fvp, new[fvp])

    def _before(self, order: Sequence[Fvp | Node]) -> list[list[Fvp | Node]]:
        """For each item the earlier ones that it has to be kept together with.

        Those of one item are kept together among themselves too: otherwise what is made of them
        would not be as likely together as it is.
        """
        near: list[set[int]] = [set() for _ in order]
        for i, item in enumerate(order):
            for j in range(i):
                if self._together(item, order[j]):
                    near[i].add(j)
        for i in range(len(order) - 1, -1, -1):
            for j in near[i]:
                near[j].update(k for k in near[i] if k < j)
        return [[order[j] for j in sorted(js)] for js in near]

    def _together(self, one: Fvp | Node, other: Fvp | Node) -> bool:
        if isinstance(one, Node) or isinstance(other, Node):
            return True  # a fact that may be read again, by anybody
        return self._coupling.together(one, other)

    def _choice(self, node: Node, old: list[Node], new: list[Node], fvp: Fvp | Node) -> Node:
        """Write a formula as a choice by its parents: `old` as they were, `new` as they will be."""
        if len(old) > MOST_COUPLED:
            raise EngineError(
                Problem(
                    f"{fvp} depends on {len(old)} other uncertain conditions at once; "
                    f"exact probabilities are worked out for up to {MOST_COUPLED}",
                    "prob-coupled",
                    remedy="let fewer rules share uncertain facts, or ask for fewer fluents",
                )
            )
        return self._cases(node, list(zip(old, new, strict=True)), TRUE, {}) or FALSE

    def _cases(
        self, node: Node, parents: list[tuple[Node, Node]], so_far: Node, known: dict[Node, bool]
    ) -> Node | None:
        """Distinguish the cases of parents, given a formula and some leaves; None if impossible."""
        prob = self._evaluator.prob
        if not parents:
            node = given(node, known)
            if so_far is not TRUE:
                return leaf(min(prob(conj(so_far, node)) / prob(so_far), 1.0))
            return leaf(prob(node))
        (old, new), *rest = parents
        condition = given(old, known)
        plain = condition.kind == "leaf" and condition not in so_far.support
        found: list[Node | None] = []
        for value in (True, False):
            if plain:
                found.append(self._cases(node, rest, so_far, {**known, condition: value}))
                continue
            case = conj(so_far, condition if value else neg(condition))
            possible = prob(case) > NEGLIGIBLE
            found.append(self._cases(node, rest, case, known) if possible else None)
        yes, no = found
        if yes is None or no is None:
            return no if yes is None else yes
        return _merged(new, yes, no)


def _merged(condition: Node, yes: Node, no: Node) -> Node:
    """A choice; none if both cases are equally likely."""
    if yes.kind == no.kind == "leaf" and yes.prob == no.prob:
        return yes
    return choose(condition, yes, no)


def _linked(
    item: Fvp | Node, before: Iterable[Fvp | Node], nodes: dict[Fvp | Node, Node]
) -> list[Fvp | Node]:
    """Those of some items that depend on the same leaves as one, directly or through others."""
    leaves = set(nodes[item].support)
    rest = list(before)
    linked: list[Fvp | Node] = []
    found = True
    while found:
        found = False
        for other in list(rest):
            if not leaves.isdisjoint(nodes[other].support):
                leaves |= nodes[other].support
                linked.append(other)
                rest.remove(other)
                found = True
    return [other for other in before if other in linked]
