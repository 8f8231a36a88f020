"""Which rule reads which, told apart by the arguments and values of their heads.

Finer than the dependency graph: `close(A,B,25)=true` may be defined by
`close(A,B,24)=true` without being a cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from rtec.compiler.checks.binding import Call, calls
from rtec.compiler.checks.case import Case
from rtec.compiler.checks.unification import all_unify, may_unify
from rtec.compiler.description import Rule
from rtec.compiler.references import Key, Reference, entity_key, reference
from rtec.compiler.terms import Clause, Term, name_and_args

SIMPLE = ("initiated", "terminated", "initially", "delay")


@dataclass(frozen=True, slots=True)
class Read:
    """A temporal goal of a rule, its own or that of a plain predicate it calls.

    Attributes:
        found: The goal, taken apart.
        strict: Whether more answers to it may mean fewer of the rule (negation, findall).
        direct: Whether it stands in the rule itself.
    """

    found: Reference
    strict: bool
    direct: bool


@dataclass
class RuleGraph:
    """Rules and what they read."""

    rules: list[Rule]
    reads: list[list[Read]] = field(default_factory=list)
    by_key: dict[tuple[bool, Key], list[int]] = field(default_factory=dict)

    def matching(self, found: Reference, values: bool = False) -> list[int]:
        """Rules that a temporal goal reads.

        A simple fluent is read with all its values, since they break each other; with
        `values`, only the rules for the value itself count.
        """
        if found.key is None or found.entity is None:
            return []
        is_event = found.reading == "happens"
        result = []
        for i in self.by_key.get((is_event, found.key), []):
            rule = self.rules[i]
            if is_event or found.value is None or rule.value is None:
                matches = may_unify(found.entity, rule.entity)
            elif rule.kind == "static" or values:
                value = rule.target if rule.kind == "delay" and rule.target else rule.value
                matches = all_unify([found.entity, found.value], [rule.entity, value])
            else:
                matches = may_unify(found.entity, rule.entity)
            if matches:
                result.append(i)
        return result

    def successors(self, i: int) -> list[int]:
        """The rules that rule i reads."""
        found = dict.fromkeys(j for read in self.reads[i] for j in self.matching(read.found))
        return list(found)

    def shown(self, case: Case, i: int) -> str:
        """A rule as one line of a list."""
        head = self.rules[i].clause.head
        assert head is not None
        return f"line {case.line(self.rules[i].clause)}: {case.text(head)}"


def rule_graph(case: Case) -> RuleGraph:
    """Build the graph of a description's rules."""
    graph = RuleGraph([r for r in case.rules if r.kind != "postponed"])
    helpers: dict[Key, list[Clause]] = {}
    for clause in case.description.helpers:
        if clause.head is not None:
            helpers.setdefault(entity_key(clause.head), []).append(clause)
    for i, rule in enumerate(graph.rules):
        key = (rule.kind == "event", entity_key(rule.entity))
        graph.by_key.setdefault(key, []).append(i)
        graph.reads.append(_reads(rule.body, helpers))
    return graph


def _reads(body: Term, helpers: dict[Key, list[Clause]]) -> list[Read]:
    result: list[Read] = []
    seen: set[Key] = set()
    todo: list[tuple[Term, bool, bool]] = [(body, False, True)]
    while todo:
        term, strict, direct = todo.pop()
        for call in calls(term, set()):
            inside = strict or _is_strict(call)
            found = reference(call.goal)
            if found is not None:
                result.append(Read(found, inside, direct))
                continue
            named = name_and_args(call.goal)
            key = (named[0], len(named[1])) if named else ("", 0)
            if key in helpers and key not in seen:
                seen.add(key)
                todo.extend((clause.body, inside, False) for clause in helpers[key])
    return result


def _is_strict(call: Call) -> bool:
    return call.negation is not None or call.local


def shortest_path(
    start: int, goal: int, successors: Callable[[int], Iterable[int]]
) -> list[int] | None:
    """The shortest way from `start` to `goal` over at least one edge, both ends included."""
    came_from: dict[int, int] = {}
    frontier = [start]
    while frontier:
        following: list[int] = []
        for node in frontier:
            for successor in successors(node):
                if successor == goal:
                    path = [goal, node]
                    while path[-1] != start:
                        path.append(came_from[path[-1]])
                    return path[::-1]
                if successor not in came_from and successor != start:
                    came_from[successor] = node
                    following.append(successor)
        frontier = following
    return None
