"""Pass: the dependency graph, its cycles, levels and processing order.

A simple fluent is one vertex with all its values: its values break each other,
so each depends on the initiations of the rest (thesis, Definitions 12 to 16 come
to the same components, since `fi` stays inside a fluent). Static fluents have
a vertex per fluent and value, as one value may be defined by another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rtec.compiler.bodies import goals
from rtec.compiler.declarations import Entities, values_may_match
from rtec.compiler.description import Description, Rule
from rtec.compiler.emit import term_text
from rtec.compiler.references import Key, Reference, entity_key, reference
from rtec.compiler.terms import Atom, Clause, Num, Term, conjunction, name_and_args


@dataclass(frozen=True, slots=True, order=True)
class Vertex:
    """An entity, or a fluent with one static value, in the dependency graph."""

    kind: str
    name: str
    arity: int
    value: str = ""
    fixed: tuple[tuple[int, str], ...] = ()

    def __str__(self) -> str:
        shown = f"{self.name}/{self.arity}"
        if self.fixed:
            places = dict(self.fixed)
            inside = ",".join(places.get(i, "_") for i in range(self.arity))
            shown = f"{self.name}({inside})"
        return f"{shown}={self.value}" if self.value else shown


@dataclass
class Graph:
    """The dependency graph of a description.

    Attributes:
        edges: For each vertex the vertices that it reads.
        reasons: For each edge (reader, read) the rules that made it.
        components: Strongly connected components in processing order.
        levels: The level of each vertex; inputs have level 0.
    """

    edges: dict[Vertex, set[Vertex]]
    reasons: dict[tuple[Vertex, Vertex], list[Clause]]
    components: list[tuple[Vertex, ...]] = field(default_factory=list)
    levels: dict[Vertex, int] = field(default_factory=dict)

    def is_cyclic(self, component: tuple[Vertex, ...]) -> bool:
        """Whether a component is a cycle, rather than a single vertex without a loop."""
        return len(component) > 1 or component[0] in self.edges[component[0]]


def static_value(rule_value: Term | None) -> str:
    """How the value of a static vertex is written; empty for a variable value."""
    return term_text(rule_value) if isinstance(rule_value, Atom | Num) else ""


def rule_vertex(rule: Rule) -> Vertex:
    """The vertex that a rule defines.

    Static fluents of one name whose heads differ in a constant argument are vertices of their
    own, as far as `Rule.fixed` says that the argument is a constant in all of them.
    """
    name, arity = entity_key(rule.entity)
    if rule.kind == "event":
        return Vertex("event", name, arity)
    if rule.kind == "static":
        return Vertex("static", name, arity, static_value(rule.value), rule.fixed)
    return Vertex("simple", name, arity)


def fix_arguments(description: Description) -> Description:
    """Note for each static rule which arguments tell its head from those of other rules."""
    heads: dict[Key, list[tuple[Term, ...]]] = {}
    for rule in description.of_kind("static"):
        named = name_and_args(rule.entity)
        heads.setdefault(entity_key(rule.entity), []).append(named[1] if named else ())
    fixed = replace(description)
    fixed.rules = [
        replace(rule, fixed=_constants(rule.entity, heads[entity_key(rule.entity)]))
        if rule.kind == "static"
        else rule
        for rule in description.rules
    ]
    return fixed


def _constants(entity: Term, heads: list[tuple[Term, ...]]) -> tuple[tuple[int, str], ...]:
    named = name_and_args(entity)
    args = named[1] if named else ()
    return tuple(
        (position, term_text(arg))
        for position, arg in enumerate(args)
        if all(isinstance(head[position], Atom | Num) for head in heads)
    )


def _may_be(vertex: Vertex, entity: Term) -> bool:
    """Whether a fluent that is read may be one of a static vertex."""
    named = name_and_args(entity)
    args = named[1] if named else ()
    return all(
        not isinstance(args[position], Atom | Num) or term_text(args[position]) == text
        for position, text in vertex.fixed
    )


def read_vertices(ref: Reference, entities: Entities) -> list[Vertex]:
    """The vertices that a temporal goal reads."""
    key = ref.key
    if key is None:
        return []
    name, arity = key
    if ref.reading == "happens":
        kind = "event" if key in entities.output_events else "input event"
        return [Vertex(kind, name, arity)]
    found = []
    assert ref.value is not None
    assert ref.entity is not None
    for value, fixed in entities.static_heads.get(key, []):
        vertex = Vertex("static", name, arity, static_value(value), fixed)
        if values_may_match(value, ref.value) and _may_be(vertex, ref.entity):
            found.append(vertex)
    if key in entities.simple and not (found and static_value(ref.value)):
        found.append(Vertex("simple", name, arity))
    if key in entities.input_fluents and not found:
        found.append(Vertex("input fluent", name, arity))
    return found


def build_graph(description: Description, entities: Entities) -> Graph:
    """Make the graph, contract its cycles and number its levels."""
    graph = Graph({}, {})
    for key in sorted(entities.input_events):
        graph.edges[Vertex("input event", *key)] = set()
    for key in sorted(entities.input_fluents):
        graph.edges[Vertex("input fluent", *key)] = set()
    through = helper_reads(description, entities)
    for rule in description.rules:
        if rule.kind == "postponed":
            continue
        reader = rule_vertex(rule)
        graph.edges.setdefault(reader, set())
        body = conjunction([rule.body, *rule.context])
        for read in _reads(body, entities, through):
            graph.edges.setdefault(read, set())
            graph.edges[reader].add(read)
            graph.reasons.setdefault((reader, read), []).append(rule.clause)
    graph.components = _components(graph.edges)
    for component in graph.components:
        below = [
            graph.levels[read]
            for vertex in component
            for read in graph.edges[vertex]
            if read not in component
        ]
        is_input = component[0].kind.startswith("input")
        level = 0 if is_input else 1 + max(below, default=0)
        for vertex in component:
            graph.levels[vertex] = level
    graph.components.sort(key=lambda c: (graph.levels[c[0]], min(c)))
    return graph


def _reads(
    body: Term, entities: Entities, helper_reads: dict[Key, set[Vertex]]
) -> Iterable[Vertex]:
    for goal in goals(body):
        ref = reference(goal.term)
        if ref is not None:
            yield from read_vertices(ref, entities)
            continue
        named = name_and_args(goal.term)
        if named is not None:
            yield from helper_reads.get((named[0], len(named[1])), ())


def helper_reads(description: Description, entities: Entities) -> dict[Key, set[Vertex]]:
    """What plain predicates of the description read, directly or through others."""
    reads: dict[Key, set[Vertex]] = {key: set() for key in entities.helpers}
    changed = True
    while changed:
        changed = False
        for clause in description.helpers:
            if clause.head is None:
                continue
            key = entity_key(clause.head)
            found = set(_reads(clause.body, entities, reads))
            if not found <= reads.setdefault(key, set()):
                reads[key] |= found
                changed = True
    return reads


def _components(edges: dict[Vertex, set[Vertex]]) -> list[tuple[Vertex, ...]]:
    """Tarjan's algorithm without recursion; components come after what they read."""
    index: dict[Vertex, int] = {}
    low: dict[Vertex, int] = {}
    on_stack: set[Vertex] = set()
    stack: list[Vertex] = []
    result: list[tuple[Vertex, ...]] = []
    for root in edges:
        if root in index:
            continue
        work = [(root, iter(sorted(edges[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            vertex, reads = work[-1]
            for read in reads:
                if read not in index:
                    index[read] = low[read] = len(index)
                    stack.append(read)
                    on_stack.add(read)
                    work.append((read, iter(sorted(edges[read]))))
                    break
                if read in on_stack:
                    low[vertex] = min(low[vertex], index[read])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[vertex])
                if low[vertex] == index[vertex]:
                    members = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        members.append(member)
                        if member == vertex:
                            break
                    result.append(tuple(sorted(members)))
    return result
