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

from rtec.compiler.bodies import Goal, goals
from rtec.compiler.declarations import values_may_match
from rtec.compiler.dependencies import Vertex
from rtec.compiler.description import Rule
from rtec.compiler.lowering.binding import bound_variables
from rtec.compiler.lowering.cycles import CycleLowering
from rtec.compiler.lowering.lowered import Section, general, indicator
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

_MARKS = ("start", "end", "initiated")
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
        self.lowering = deltas.lowering
        self.component = component
        self.by_vertex = by_vertex
        self.keys = {(v.name, v.arity) for v in component}

    def lower(self) -> bool:
        """Add the clauses; False if a member is of a kind that has none."""
        if not all(self._is_eligible(vertex) for vertex in self.component):
            return False
        order = CycleLowering(self.lowering, self.component, self.by_vertex).order()
        names = ", ".join(map(str, order))
        section, members = self._members(f"Changes of the cycle of {names}", order)
        store = Atom(self._store(order[0]))
        section.add(compound("rtec_delta", compound("cycle", store), list_term(members)))
        return True

    def lower_alone(self) -> bool:
        """Do the same for a fluent that is in no cycle, and not like others."""
        (vertex,) = self.component
        key = (vertex.name, vertex.arity)
        if not self._is_eligible(vertex):
            return False
        # Outside of cycles, groundings are looked at when everything else is done.
        delays = any(rule.kind == "delay" for rule in self.by_vertex[vertex])
        if self.lowering.restricts(key) and (delays or ("initiated", key) in self.lowering.kept):
            return False
        section, (member,) = self._members(f"Changes of {vertex}", [vertex])
        section.add(compound("rtec_delta", compound("simple", indicator(key)), member))
        return True

    def _members(self, title: str, order: list[Vertex]) -> tuple[Section, list[Term]]:
        section = self.deltas.out.section(title)
        members = [self._member(section, vertex) for vertex in order]
        self.deltas.awaited(section)
        for number, vertex in enumerate(order, 1):
            for rule in self.by_vertex.get(vertex, ()):
                if rule.kind in ("initiated", "terminated", "event"):
                    self._rule(section, vertex, number, rule)
        return section, members

    # -- which cycles ------------------------------------------------------------------

    def _is_eligible(self, vertex: Vertex) -> bool:
        key, rules = (vertex.name, vertex.arity), self.by_vertex.get(vertex, ())
        lowering = self.lowering
        if vertex.kind == "event":
            return not lowering.event_groundings(key) and all(map(self._is_plain, rules))
        if vertex.kind != "simple" or ("terminated", key) in lowering.kept:
            return False
        if self._uses_groundings(key) and not self._has_fixed_groundings(key):
            return False
        if key in lowering.defaults and not self._has_plain_default(key, rules):
            return False
        return all(map(self._is_plain, rules))

    def _uses_groundings(self, key: Key) -> bool:
        """Whether groundings restrict the instances of a member, or supply some."""
        lowering = self.lowering
        return lowering.restricts(key) or (
            lowering.is_grounded(key)
            and any(
                rule.kind in ("initiated", "terminated") and lowering.leaves_open(rule)
                for vertex in self.component
                if (vertex.name, vertex.arity) == key
                for rule in self.by_vertex.get(vertex, ())
            )
        )

    def _has_fixed_groundings(self, key: Key) -> bool:
        """Whether groundings say the same at every query time."""
        return not any(
            self.deltas.calls_changing(hint.body)
            or any(reference(goal.term) is not None for goal in goals(hint.body))
            for hint in self.lowering.groundings[key]
        )

    def _has_plain_default(self, key: Key, rules: Sequence[Rule]) -> bool:
        """Whether no delay begins with a default, of which nobody knows since when it counts."""
        values = [rule.value for rule in rules if rule.kind == "initially"]
        return not self.lowering.is_grounded(key) and not any(
            rule.kind == "delay"
            and (
                not isinstance(rule.value, Atom | Num)
                or any(v is None or values_may_match(v, rule.value) for v in values)
            )
            for rule in rules
        )

    def _is_plain(self, rule: Rule) -> bool:
        """Whether a rule speaks of one time-point, and of instances that its body binds."""
        if rule.kind in ("initially", "delay", "postponed"):
            return self.deltas.is_plain(rule)
        if not conjuncts(rule.body) or not isinstance(rule.time, Var):
            return False
        used = {v.name for v in variables(rule.body)}
        if any(isinstance(b, Var) and b.name in used for b in (rule.lower, rule.upper)):
            return False
        first = reference(conjuncts(rule.body)[0])
        if first is None or first.reading not in ("happens", *_MARKS):
            return False
        return (
            (self._is_bound(rule) or self._is_supplied(rule) or self.is_pattern(rule))
            and all(self._is_readable(rule, goal) for goal in goals(rule.body))
            and not self.deltas.calls_changing(rule.body)
        )

    def _is_bound(self, rule: Rule) -> bool:
        """Whether the head's instance is bound, whichever way the body succeeds."""
        always = conjunction(
            [c for c in conjuncts(rule.body) if not any(goal.branch for goal in goals(c))]
        )
        bound = bound_variables(always)
        head = variables(rule.entity)
        if rule.kind == "initiated" and rule.value is not None:
            head += variables(rule.value)
        return all(v.name in bound for v in head)

    def _is_supplied(self, rule: Rule) -> bool:
        """Whether groundings bind what the body leaves open."""
        return (
            rule.kind != "event"
            and self.lowering.leaves_open(rule)
            and self.lowering.is_grounded(entity_key(rule.entity))
        )

    def is_pattern(self, rule: Rule) -> bool:
        """Whether a rule ends a value of all instances of a pattern, whichever way it succeeds.

        With a default it would end that of instances as well that nobody has met.
        """
        key = entity_key(rule.entity)
        if rule.kind not in ("initiated", "terminated") or self._is_supplied(rule):
            return False
        if key in self.lowering.defaults:
            return False
        bound = bound_variables(rule.body)
        if rule.kind == "initiated" and rule.value is not None:
            if any(v.name not in bound for v in variables(rule.value)):
                return False
        return any(v.name not in bound for v in variables(rule.entity))

    def _is_readable(self, rule: Rule, goal: Goal) -> bool:
        ref = reference(goal.term)
        if ref is None:
            return True
        if ref.key not in self.keys:
            assert rule.time is not None
            return self.deltas.is_at(ref, rule.time)
        if ref.time != rule.time or ref.reading == "terminated" or ref.reading == "holdsFor":
            return False
        if ref.bounds is not None and not all(
            isinstance(b, Var) and b.name.startswith("_") for b in ref.bounds
        ):
            return False
        if ref.reading == "holdsAt" and ref.key in self.lowering.defaults:
            return self._names_instance(rule, goal, ref)
        return True

    def _names_instance(self, rule: Rule, goal: Goal, ref: Reference) -> bool:
        """Whether an instance with a default is asked for, rather than looked for.

        Which instances are known by then depends on more than what has happened.
        """
        assert ref.entity is not None
        before: list[Term] = []
        for conjunct in conjuncts(rule.body):
            if any(inner.term is goal.term for inner in goals(conjunct)):
                break
            if not any(inner.branch for inner in goals(conjunct)):
                before.append(conjunct)
        bound = bound_variables(conjunction(before))
        return all(v.name in bound for v in variables(ref.entity))

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
        if not any(map(self.is_pattern, self.by_vertex.get(vertex, ()))):
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
        is_pattern = self.is_pattern(rule)
        if rule.kind != "event":
            assert rule.value is not None
            kind: Term = Atom("i" if rule.kind == "initiated" else "t")
            if rule.kind == "initiated" and is_pattern:
                kind = Atom("x")
            key = entity_key(rule.entity)
            grounded = compound(lowering.symbol("grounded", key), rule.entity, rule.value)
            if self._is_supplied(rule):
                body.insert(0, grounded)
            if rule.kind == "initiated" and not is_pattern and lowering.restricts(key):
                kind = Var("RtecKind")
                body.append(_only_if(grounded, kind))
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
        trigger = reference(first)
        assert trigger is not None and rule.time is not None
        touched = compound(self._name("touches", vertex), rule.entity, rule.time)
        lookup = conjuncts(self.lowering.lower_body(first))
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
        for goal in goals(conjunction(rest)):
            ref = reference(goal.term)
            if ref is None:
                continue
            seen = self.deltas.seen_from(goal, ref, shared)
            if seen.key not in self.keys:
                before, after = self.deltas.changed_condition(seen)
                add(touched, [*before, *lookup, *after])
            elif seen.reading == "holdsAt":
                after = [compound(">", rule.time, _FROM), compound("=<", rule.time, _TO)]
                add(self._diverged(seen, number, rule), [*lookup, *after])
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


def _only_if(grounded: Term, kind: Var) -> Term:
    """An initiation of what groundings leave out ends other values, and no more."""
    exists = compound("\\+", compound("\\+", grounded))
    initiates, breaks = compound("=", kind, Atom("i")), compound("=", kind, Atom("x"))
    return compound(";", compound("->", exists, initiates), breaks)
