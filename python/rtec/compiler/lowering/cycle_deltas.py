r"""Delta rules of cycles: which instances have to be looked at again, and when.

A cycle is evaluated forward in time, so what a change brings about is found in that order, too
(prolog/rtec/cycle_changes.pl). For a rule of member 2 of a cycle

    initiatedAt(f(X)=v, T) :- happensAt(a(X), T), holdsAt(b(X)=w, T), holdsAt(g(X)=u, T).

in which g is a member as well, these say where the rule has to be asked again,

    touches_f(f(X), T) :- ins_happens_a(T, X).        and so on, as in deltas.py
    diverged_g(g(X), u, T1, T2, 2, f(X), T) :- happens_a(T, X), T > T1, T =< T2.

the second one where g(X) has another value in (T1,T2] than it had. Conditions on what happens
to a member at T itself (its events, its start, end or initiation) have rules `wakes_g`. What is
asked again is derived from all rules of f at that time-point, which see members as they are then:

    derive_f(f(X), T, i, v) :- happens_a(T, X), holds_b(..), at_g(X, u, T).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rtec.compiler.bodies import goals
from rtec.compiler.dependencies import Vertex
from rtec.compiler.description import Rule
from rtec.compiler.lowering.cycles import CycleLowering
from rtec.compiler.lowering.lowered import Section, general, indicator
from rtec.compiler.lowering.obstacles import Obstacle
from rtec.compiler.references import Key, Reference, entity_key, reference
from rtec.compiler.terms import (
    Atom,
    Compound,
    Num,
    Term,
    Var,
    compound,
    conjunction,
    conjuncts,
    list_term,
    variables,
)

if TYPE_CHECKING:
    from rtec.compiler.lowering.deltas import DeltaLowering

_FROM, _TO = Var("RtecFrom"), Var("RtecTo")


class CycleDeltaLowering:
    """Adds the delta rules of one cycle."""

    def __init__(
        self,
        deltas: DeltaLowering,
        component: tuple[Vertex, ...],
        by_vertex: Mapping[Vertex, Sequence[Rule]],
    ) -> None:
        """Take the members and their rules."""
        self.deltas = deltas
        self.obstacles = deltas.obstacles
        self.lowering = deltas.lowering
        self.component = component
        self.by_vertex = by_vertex
        self.keys = {(v.name, v.arity) for v in component}

    def lower(self) -> Obstacle | None:
        """Add the clauses, or say why there are none."""
        obstacle = self.obstacles.of_cycle(self.component, self.by_vertex)
        if obstacle is not None:
            return obstacle
        order = CycleLowering(self.lowering, self.component, self.by_vertex).order()
        names = ", ".join(map(str, order))
        section, members = self._members(f"Changes of the cycle of {names}", order)
        store = Atom(self._store(order[0]))
        section.add(compound("rtec_delta", compound("cycle", store), list_term(members)))
        return None

    def lower_alone(self) -> Obstacle | None:
        """Do the same for a fluent that is in no cycle, and not like others."""
        (vertex,) = self.component
        obstacle = self.obstacles.of_cycle(self.component, self.by_vertex)
        if obstacle is not None:
            return obstacle
        section, (member,) = self._members(f"Changes of {vertex}", [vertex])
        key = indicator((vertex.name, vertex.arity))
        section.add(compound("rtec_delta", compound("simple", key), member))
        return None

    def _members(self, title: str, order: list[Vertex]) -> tuple[Section, list[Term]]:
        section = self.deltas.out.section(title)
        members = [self._member(section, vertex) for vertex in order]
        self.deltas.awaited(section)
        for number, vertex in enumerate(order, 1):
            for rule in self.by_vertex.get(vertex, ()):
                if rule.kind in ("initiated", "terminated", "event"):
                    self._rule(section, vertex, number, rule)
        return section, members

    # -- members -----------------------------------------------------------------------

    def _store(self, vertex: Vertex) -> str:
        key = (vertex.name, vertex.arity)
        return (
            f"happens_{vertex.name}"
            if vertex.kind == "event"
            else self.lowering.store(key, "simple")
        )

    def _name(self, prefix: str, vertex: Vertex) -> str:
        name = self.lowering.symbol(prefix, (vertex.name, vertex.arity))
        return f"{name}_event" if vertex.kind == "event" else name

    def _member(self, section: Section, vertex: Vertex) -> Term:
        out, key = self.deltas.out, (vertex.name, vertex.arity)
        event = vertex.kind == "event"
        rules = {p: self._name(p, vertex) for p in ("touches", "derive", "diverged", "wakes")}
        for prefix, arity in (("touches", 2), ("derive", 2 if event else 4), ("wakes", 6)):
            out.declare(rules[prefix], arity)
        if event:
            return compound("d", *(Atom(rules[p]) for p in ("touches", "derive", "wakes")))
        out.declare(rules["diverged"], 7)
        kept, live = self.lowering.symbol("kept", key), self.lowering.symbol("live", key)
        for name, rest in ((kept, (Var("T"), Var("KVs"))), (live, (Var("V"), Var("S")))):
            arity = vertex.arity + 2 + len(self.deltas.hashed(key))
            out.declare(name, arity)
            section.add(compound("rtec_panes", Atom(name), Num(arity), Atom("cycle")))
            self.deltas.accessors(section, key, name, rest)
        self._reader(section, key, live)
        patterns = self._patterns(section, vertex)
        store = Atom(self._store(vertex))
        section.add(compound("rtec_cycle_points", store, Atom(kept), patterns))
        return compound("d", *map(Atom, [kept, live, *rules.values()]), patterns)

    def _patterns(self, section: Section, vertex: Vertex) -> Term:
        """Where points of patterns are kept, and what derives them."""
        if not any(map(self.obstacles.is_pattern, self.by_vertex.get(vertex, ()))):
            return Atom("none")
        key = (vertex.name, vertex.arity)
        kept, rules = self._name("kept_patterns", vertex), self._name("derive_patterns", vertex)
        arity = vertex.arity + 2 + len(self.deltas.hashed(key))
        self.deltas.out.declare(kept, arity)
        section.add(compound("rtec_panes", Atom(kept), Num(arity), Atom("cycle")))
        self.deltas.accessors(section, key, kept, (Var("T"), Var("KVs")))
        return compound("patterns", Atom(kept), Atom(rules))

    def _reader(self, section: Section, key: Key, live: str) -> None:
        """Clauses by which rules read the fluent at the time-point that has been reached."""
        fluent = general(key)
        args = fluent.args if isinstance(fluent, Compound) else ()
        hashed = self.deltas.hashed(key)
        lives = (*self.deltas.hash_of(hashed), *args)
        value, time, intervals, found = Var("V"), Var("T"), Var("Is"), Var("V0")
        head = Compound(self.lowering.symbol("at", key), (*args, value, time))
        now = Compound(live, (*lives, found, Var("_")))
        not_live = [*hashed, compound("\\+", Compound(live, (*lives, Var("_"), Var("_"))))]
        hidden = [compound("\\==", found, Atom(v)) for v in ("$none", "$out")]
        same = compound("=", value, found)
        section.add(head, conjunction([*hashed, now, *hidden, same]))
        known: list[Term] = [Compound(self._at_store(key), (*args, value, intervals))]
        if hashed:
            known = [Compound(self._at_store(key), (*args, found, intervals)), same]
        after = compound("is", Var("T1"), compound("+", time, Var("Tick")))
        known += [compound("\\==", value, Atom("$none")), *not_live]
        known += [compound("rtec_scope", Var("_"), Var("Tick")), after]
        section.add(head, conjunction([*known, compound("held_before", intervals, Var("T1"))]))
        if key in self.lowering.defaults:
            unknown = compound("\\+", Compound(self._at_store(key), (*args, Var("_"), Var("_"))))
            default = compound(self.lowering.symbol("default", key), fluent, value)
            unmet = [compound("ground", fluent), *not_live, unknown]
            section.add(head, conjunction([*unmet, default]))

    def _at_store(self, key: Key) -> str:
        return self.lowering.store(key, "simple")

    # -- rules -------------------------------------------------------------------------

    def _rule(self, section: Section, vertex: Vertex, number: int, rule: Rule) -> None:
        assert rule.time is not None
        lowering = self.lowering
        lowering.members, lowering.head_time = frozenset(self.keys), rule.time
        body = [self._now(lowering.lower_body(goal), rule.time) for goal in conjuncts(rule.body)]
        subject: list[Term] = [rule.entity, rule.time]
        is_pattern = self.obstacles.is_pattern(rule)
        if rule.kind != "event":
            assert rule.value is not None
            kind: Term = Atom("i" if rule.kind == "initiated" else "t")
            if rule.kind == "initiated" and is_pattern:
                kind = Atom("x")
            key = entity_key(rule.entity)
            grounded = compound(lowering.symbol("grounded", key), rule.entity, rule.value)
            if self.obstacles.is_supplied(rule):
                body.insert(0, grounded)
            if rule.kind == "initiated" and not is_pattern and lowering.restricts(key):
                kind = Var("RtecKind")
                admitted = compound(lowering.symbol("admitted", key), rule.entity, rule.value)
                body.append(_only_if(admitted, kind))
            subject += [kind, rule.value]
        names = ["derive", "derive_patterns"] if is_pattern else ["derive"]
        for name in names:
            head = compound(self._name(name, vertex), *subject)
            section.add(head, conjunction(body), rule.clause)
        self._touches(section, vertex, number, rule)
        lowering.members, lowering.head_time = frozenset(), None

    def _now(self, term: Term, time: Term) -> Term:
        """Members as they are at the time-point that the sweep has come to."""
        if not isinstance(term, Compound):
            return term
        for key in self.keys:
            if term.functor == self.lowering.symbol("current", key) and term.arity == key[1] + 1:
                return Compound(self.lowering.symbol("at", key), (*term.args, time), term.span)
        return Compound(term.functor, tuple(self._now(a, time) for a in term.args), term.span)

    def _touches(self, section: Section, vertex: Vertex, number: int, rule: Rule) -> None:
        """Where the rule has to be asked again, for each of its conditions."""
        first, *rest = conjuncts(rule.body)
        trigger = self.lowering.read_as(reference(first))
        assert trigger is not None and rule.time is not None
        touched = compound(self._name("touches", vertex), rule.entity, rule.time)
        shared = {v.name for v in variables(first)}
        added: set[tuple[Term, Term]] = set()

        def add(head: Term, body: list[Term]) -> None:
            clause = (head, conjunction(body))
            if clause not in added:
                added.add(clause)
                section.add(*clause, rule.clause)

        if trigger.key not in self.keys:
            add(touched, self.deltas.came(trigger))
            add(touched, self.deltas.went(trigger))
        else:
            add(self._wakes(trigger, number, rule), [])
        for conditions in self.deltas.touching(rule, frozenset(self.keys)):
            add(touched, conditions)
        if rule.kind != "event":
            hints = self.lowering.groundings.get(entity_key(rule.entity), ())
            for conditions in self.deltas.changed_groundings(hints, rule.entity, rule.value):
                add(touched, [*conditions, *self.deltas.lookup(rule)])
        for goal in goals(conjunction(rest)):
            ref = reference(goal.term)
            if ref is None or ref.key not in self.keys:
                continue
            seen = self.deltas.seen_from(goal, ref, shared)
            if seen.reading == "holdsAt":
                after = [compound(">", rule.time, _FROM), compound("=<", rule.time, _TO)]
                add(self._diverged(seen, number, rule), [*self.deltas.lookup(rule), *after])
            else:
                add(self._wakes(seen, number, rule), [])

    def _diverged(self, ref: Reference, number: int, rule: Rule) -> Term:
        assert ref.key is not None and ref.entity is not None and ref.value is not None
        assert rule.time is not None
        name = self.lowering.symbol("diverged", ref.key)
        reader = (Num(number), rule.entity, rule.time)
        return compound(name, ref.entity, ref.value, _FROM, _TO, *reader)

    def _wakes(self, ref: Reference, number: int, rule: Rule) -> Term:
        assert ref.key is not None and ref.entity is not None and rule.time is not None
        value = ref.value if ref.value is not None else Atom("none")
        name = self.lowering.symbol("wakes", entity_key(ref.entity))
        if ref.reading == "happens":
            name = f"{name}_event"
        what = (Atom(ref.reading), ref.entity, value)
        return compound(name, *what, rule.time, Num(number), rule.entity)


def _only_if(admitted: Term, kind: Var) -> Term:
    """An initiation of what groundings leave out ends other values, and no more."""
    exists = compound("\\+", compound("\\+", admitted))
    initiates, breaks = compound("=", kind, Atom("i")), compound("=", kind, Atom("x"))
    return compound(";", compound("->", exists, initiates), breaks)
