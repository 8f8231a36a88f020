"""Check: cycles. Those of simple fluents and events are fine; static fluents cannot be in one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from rtec.compiler.checks.case import Case
from rtec.compiler.checks.rule_graph import RuleGraph, rule_graph, shortest_path
from rtec.compiler.dependencies import Vertex
from rtec.compiler.description import Rule
from rtec.compiler.references import entity_key
from rtec.errors import Problem


def check_static_cycles(case: Case) -> Iterator[Problem]:
    """Refuse static fluents that depend on themselves, with the rules of the cycle."""
    if not any(_has_static(c) for c in case.graph.components if case.graph.is_cyclic(c)):
        return
    graph = rule_graph(case)
    successors = cache(graph.successors)
    listed: set[int] = set()
    for i, rule in enumerate(graph.rules):
        if rule.kind != "static" or i in listed:
            continue
        path = shortest_path(i, i, successors)
        if path is not None:
            listed.update(path)
            yield _static_cycle(case, graph, path)


def _has_static(component: tuple[Vertex, ...]) -> bool:
    return any(vertex.kind == "static" for vertex in component)


def _static_cycle(case: Case, graph: RuleGraph, path: list[int]) -> Problem:
    rule = graph.rules[path[0]]
    assert rule.value is not None
    shown = case.pair(rule.entity, rule.value)
    lines = [graph.shown(case, i) for i in path[:-1]]
    return case.error(
        "static-cycle",
        f"the static fluent `{shown}` depends on itself",
        rule.clause.head,
        "cycles may have simple fluents and events only: say with initiatedAt/2 and "
        "terminatedAt/2 when it changes. The rules of the cycle:\n      " + "\n      ".join(lines),
    )


def list_cycles(case: Case) -> Iterator[Problem]:
    """Note the cycles that are evaluated time-point by time-point."""
    for component in case.graph.components:
        if not case.graph.is_cyclic(component) or _has_static(component):
            continue
        rule = _first_rule(case, component)
        members = ", ".join(f"`{vertex}`" for vertex in component)
        what = "depends on itself" if len(component) == 1 else "depend on each other"
        yield case.note(
            "cycle",
            f"{members} {what}; evaluated time-point by time-point",
            rule.clause.head if rule is not None else None,
        )


def _first_rule(case: Case, component: tuple[Vertex, ...]) -> Rule | None:
    keys = {(v.kind == "event", v.name, v.arity) for v in component}
    for rule in case.rules:
        if (rule.kind == "event", *entity_key(rule.entity)) in keys:
            return rule
    return None
