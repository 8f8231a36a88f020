"""Check: cycles that cannot be evaluated in the order of time (thesis, appendix A).

`holdsAt` at T depends on what happened before T only, so cycles through it always
move back in time. `start`, `end`, `initiatedAt`, `terminatedAt` and events depend on
what happens at T itself. A chain of these that comes back to where it began, through a
negation, has no meaning: the cycle-sum test fails. Without a negation it has one, but
members of a cycle are evaluated one after the other at each time-point, each once, so
that there must be an order in which each comes after what it reads there.

    start(F=V) at T   needs an initiation of F=V at T, and no break of it at T
    end(F=V) at T     needs a break of F=V at T
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rtec.compiler.checks.case import Case
from rtec.compiler.checks.rule_graph import Read, RuleGraph, rule_graph, shortest_path
from rtec.compiler.checks.unification import may_unify
from rtec.compiler.description import Rule
from rtec.compiler.references import entity_key
from rtec.compiler.terms import Compound, Num, Term, Var, conjuncts
from rtec.errors import Problem


@dataclass(frozen=True, slots=True)
class _Edge:
    """Rule `source` depends on rule `target` at the same time-point."""

    source: int
    target: int
    negative: bool
    read: Read


def check_stratification(case: Case) -> Iterator[Problem]:
    """Refuse cycles that cannot be evaluated in order of time."""
    cyclic = {
        (v.kind == "event", v.name, v.arity): number
        for number, component in enumerate(case.graph.components)
        if case.graph.is_cyclic(component)
        for v in component
        if v.kind in ("event", "simple")
    }
    if not cyclic:
        return
    graph = rule_graph(case)
    component_of = [
        cyclic.get((r.kind == "event", *entity_key(r.entity)), -1 - i)
        for i, r in enumerate(graph.rules)
    ]
    edges: dict[int, list[_Edge]] = {}
    for i, rule in enumerate(graph.rules):
        if component_of[i] >= 0 and rule.kind in ("initiated", "terminated", "event"):
            found = [e for e in _edges(graph, i) if component_of[e.target] == component_of[i]]
            edges[i] = found
            yield from _other_times(case, graph, i, component_of)
    reported: set[int] = set()
    yield from _contradictions(case, graph, edges, reported)
    yield from _without_order(case, graph, edges, component_of, reported)


def _without_order(
    case: Case,
    graph: RuleGraph,
    edges: dict[int, list[_Edge]],
    component_of: list[int],
    reported: set[int],
) -> Iterator[Problem]:
    """Entities that read each other at one time-point, without contradiction."""
    entity_of = [(r.kind == "event", *entity_key(r.entity)) for r in graph.rules]
    reads: dict[object, dict[object, _Edge]] = {}
    for found in edges.values():
        for edge in found:
            reads.setdefault(entity_of[edge.source], {}).setdefault(entity_of[edge.target], edge)
    done = {component_of[i] for i in reported}
    for number in sorted({c for c in component_of if c >= 0} - done):
        left = {entity_of[i] for i, c in enumerate(component_of) if c == number}
        while ready := {e for e in left if not left & set(reads.get(e, ()))}:
            left -= ready
        inside = [
            edge
            for entity in left
            for target, edge in reads.get(entity, {}).items()
            if target in left
        ]
        if inside:
            edge = min(inside, key=lambda e: graph.rules[e.source].clause.span.start)
            names = sorted({f"`{e[1]}/{e[2]}`" for e in left})
            yield _no_order(case, graph, edge, ", ".join(names))


def _no_order(case: Case, graph: RuleGraph, edge: _Edge, names: str) -> Problem:
    verb = "depend on each other" if "," in names else "depends on itself"
    return case.error(
        "not-stratified",
        f"{names} {verb} at one and the same time-point",
        _at(graph, edge),
        "read what held before with holdsAt/2, or begin the rule with an input event",
    )


def _contradictions(
    case: Case, graph: RuleGraph, edges: dict[int, list[_Edge]], reported: set[int]
) -> Iterator[Problem]:
    def successors(node: int) -> list[int]:
        return [edge.target for edge in edges.get(node, [])]

    for found in edges.values():
        for edge in found:
            if not edge.negative or edge.source in reported:
                continue
            back: list[int] | None = [edge.target]
            if edge.target != edge.source:
                back = shortest_path(edge.target, edge.source, successors)
            if back is None:
                continue
            reported.update(back)
            reported.add(edge.source)
            path = list(dict.fromkeys([edge.source, *back]))
            yield _refusal(case, graph, edge, path)


def _refusal(case: Case, graph: RuleGraph, edge: _Edge, path: list[int]) -> Problem:
    goal = edge.read.found.goal
    lines = "\n      ".join(graph.shown(case, i) for i in path)
    return case.error(
        "not-stratified",
        f"`{case.text(goal)}` depends on this very rule at the same time-point",
        _at(graph, edge),
        "use holdsAt/2, which looks at what happened before. The rules of the cycle:\n      "
        + lines,
    )


def _at(graph: RuleGraph, edge: _Edge) -> Term | None:
    """Where to point: the goal, or the head of the rule if the goal stands in a helper."""
    goal = edge.read.found.goal
    if edge.read.direct and goal.span is not None:
        return goal
    return graph.rules[edge.source].clause.head


def _edges(graph: RuleGraph, i: int) -> Iterator[_Edge]:
    rule = graph.rules[i]
    for read in graph.reads[i]:
        found = read.found
        if read.direct and _moment(rule, found.time) == "earlier":
            continue
        if found.reading in ("happens", "initiated", "terminated"):
            for j in graph.matching(found, values=True):
                if _is_kind(graph.rules[j], found.reading):
                    yield _Edge(i, j, read.strict, read)
        elif found.reading in ("start", "end"):
            yield from _moment_edges(graph, i, read)


def _is_kind(rule: Rule, reading: str) -> bool:
    return rule.kind == {"happens": "event"}.get(reading, reading)


def _moment_edges(graph: RuleGraph, i: int, read: Read) -> Iterator[_Edge]:
    """What start(F=V) and end(F=V) depend on at their own time-point."""
    found = read.found
    assert found.value is not None
    at_start = found.reading == "start"
    for j in graph.matching(found):
        rule = graph.rules[j]
        if rule.kind not in ("initiated", "terminated") or rule.value is None:
            continue
        same = may_unify(found.value, rule.value)
        begins = rule.kind == "initiated" and same
        breaks = (rule.kind == "terminated" and same) or (
            rule.kind == "initiated" and rule.value != found.value
        )
        if begins and at_start:
            yield _Edge(i, j, read.strict, read)
        if breaks:
            yield _Edge(i, j, read.strict or at_start, read)


def _other_times(
    case: Case, graph: RuleGraph, i: int, component_of: list[int]
) -> Iterator[Problem]:
    """A member of a cycle that is read at a time which may be later than the rule's own."""
    rule = graph.rules[i]
    for read in graph.reads[i]:
        found = read.found
        if not read.direct or found.reading == "holdsFor":
            continue
        if _moment(rule, found.time) != "unknown":
            continue
        if any(component_of[j] == component_of[i] for j in graph.matching(found)):
            yield case.error(
                "not-stratified",
                f"`{case.text(found.goal)}` is in the same cycle as the rule, and "
                f"`{case.text(found.time)}` may be later than the rule's own time",
                found.goal,
                "say that it is earlier, for example with T2 is T - 60 or T2 < T",
            )
            return


def _moment(rule: Rule, time: Term) -> str:
    """How a time-point relates to that of the rule: `same`, `earlier` or `unknown`."""
    own = rule.time
    if time == own:
        return "same"
    if not isinstance(time, Var) or not isinstance(own, Var):
        return "unknown"
    same_or_earlier = False
    for goal in conjuncts(rule.body):
        if not isinstance(goal, Compound) or goal.arity != 2:
            continue
        left, right = goal.args
        if goal.functor == "is" and left == time and _subtracts(right, own):
            return "earlier"
        if (goal.functor, left, right) in (("<", time, own), (">", own, time)):
            return "earlier"
        if (goal.functor, left, right) in (("=<", time, own), (">=", own, time)):
            same_or_earlier = True
    return "same" if same_or_earlier else "unknown"


def _subtracts(term: Term, own: Term) -> bool:
    if not (isinstance(term, Compound) and term.arity == 2 and term.args[0] == own):
        return False
    amount = term.args[1]
    if isinstance(amount, Num):
        sign = {"-": 1, "+": -1}.get(term.functor, 0)
        return sign * amount.value > 0
    return term.functor == "-"
