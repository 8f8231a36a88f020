r"""Delta rules: what the records that came or went since the last query time can affect.

For a rule whose conditions all speak of one time-point,

    initiatedAt(f(X)=v, T) :- happensAt(a(X), T), holdsAt(b(X)=w, T), not happensAt(c(X), T).

the paper on incremental reasoning (rules 3 and 4) has a delta rule for each condition. Here
they are of two kinds. *Gains* run the rule over new occurrences of its first condition; they
are its rule 4(a). *Touches* name the instances and time-points at which another condition, or
the loss of the first one, may have changed the outcome: the left sides of its rules 3 and
4(b) to (d).

    begin_gains_f(f(X), T, i, v) :- ins_happens_a(T, X), holds_b(..), \+ happens_c(T, X).
    touches_f(f(X), T) :- del_happens_a(T, X).
    touches_f(f(X), T) :-
        changed_b(X, w, Region, ..), member((S,E), Region), happens_a(T, X), T >= S, T < E.
    touches_f(f(X), T) :- (ins_happens_c(T, X) ; del_happens_c(T, X)), happens_a(T, X).

Terminations are asked for where something is initiated or held, so their gains stand apart.
What is touched is derived anew from all rules, so a point with several derivations stays as
long as one of them does, without a count of them. Conditions that never change, right after
the first one, have to hold for a touch as they have for the rule. A static fluent is evaluated
anew for the instances of which something it reads has changed: `affected_f`.

A condition at another time-point, a fixed distance away, is changed there and touches the rule
here (offsets.py); a rule that looks back is touched as well where the window has left what it
looked at. Groundings that a rule asks for are conditions like others.

Entities for which this does not do get no delta rules (obstacles.py says why); the engine
evaluates them from scratch, and compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from rtec.compiler.bodies import Goal, goals
from rtec.compiler.candidates import candidate_literals
from rtec.compiler.declarations import all_references
from rtec.compiler.dependencies import Vertex, rule_vertex
from rtec.compiler.description import Hint, Rule, split_fvp
from rtec.compiler.lifting import is_whole, remembers
from rtec.compiler.lowering.binding import bound_variables
from rtec.compiler.lowering.cycle_deltas import CycleDeltaLowering
from rtec.compiler.lowering.local import SPAN, cut, is_local, joined, reaching
from rtec.compiler.lowering.lowered import Lowered, Section, general, indicator
from rtec.compiler.lowering.obstacles import Obstacle, Obstacles
from rtec.compiler.lowering.offsets import offsets, reach
from rtec.compiler.lowering.ranges import without_range
from rtec.compiler.references import Key, Reference, reference
from rtec.compiler.terms import (
    NIL,
    Atom,
    Clause,
    Compound,
    Num,
    Term,
    Var,
    compound,
    conjunction,
    conjuncts,
    name_and_args,
    variables,
)

if TYPE_CHECKING:
    from rtec.compiler.lowering.program import Lowering

_POINTS = ("happens", "initiated", "terminated")
_CHANGE = ("Span", "Region", "Begun", "Unbegun", "Ended", "Unended")
_DELAYED = 0.25
"""What following a fluent with delays costs against following a cycle, rule by rule."""


class DeltaLowering:
    """Adds the delta rules of a description that has been lowered."""

    def __init__(self, lowering: Lowering, changing: set[str]) -> None:
        """Take the lowered description, and the plain predicates whose answers change."""
        self.lowering = lowering
        self.obstacles = Obstacles(lowering, changing)
        self.out = Lowered()
        self.anew: dict[Vertex, Obstacle] = {}
        self.steps = self.with_rules = 0
        self.followed = 0.0
        self.timed: set[str] = set()

    def lower(self) -> Lowered:
        """Give the clauses that a session needs besides the program's own."""
        self._records()
        self._changes()
        graph = self.lowering.graph
        by_vertex: dict[Vertex, list[Rule]] = {}
        for rule in self.lowering.description.rules:
            by_vertex.setdefault(rule_vertex(rule), []).append(without_range(rule))
        for component in graph.components:
            cyclic = graph.is_cyclic(component)
            obstacle = CycleDeltaLowering(self, component, by_vertex).lower() if cyclic else None
            for vertex in component:
                rules = by_vertex.get(vertex, [])
                if rules and not cyclic:
                    obstacle = self._vertex(vertex, rules)
                if rules and obstacle is not None:
                    self.anew[vertex] = obstacle
                if vertex.kind != "static":  # whose rules cost little either way
                    self.steps += len(rules)
                    self.with_rules += len(rules) if obstacle is None else 0
                    delays = any(rule.kind == "delay" for rule in rules)
                    share = 1.0 if cyclic else _DELAYED if delays else 0.0
                    self.followed += share * len(rules) if obstacle is None else 0
        self._summary()
        return self.out

    def _vertex(self, vertex: Vertex, rules: list[Rule]) -> Obstacle | None:
        """Add the delta rules of one entity, or say why it gets none."""
        if vertex.kind == "simple":
            return self._simple(vertex, rules)
        if vertex.kind == "event":
            return self._event(vertex, rules)
        return self._static(vertex, rules)

    def _summary(self) -> None:
        section = self.out.section("How much is evaluated from scratch all the same")
        share = 1 - self.with_rules / self.steps if self.steps else 0.0
        section.add(compound("rtec_from_scratch", Num(round(share, 3))))
        followed = self.followed / self.steps if self.steps else 0.0
        section.add(compound("rtec_followed", Num(round(followed, 3))))
        time, known = Var("T"), Var("Q")
        section.add(
            compound("rtec_known", time),
            conjunction([compound("rtec_since", known), compound("=<", time, known)]),
        )

    # -- what has changed ------------------------------------------------------------

    def _records(self) -> None:
        """Facts of what came and went, for every kind of record and for output events."""
        entities = self.lowering.entities
        section = self.out.section("Records that came and went")
        for name, arity in sorted(entities.input_events):
            self._noted(section, f"happens_{name}", arity + 1)
        for (name, arity), mode in sorted(entities.input_fluents.items()):
            if mode in ("interval", "fluent"):
                self._noted(section, f"interval_{name}", arity + 3)
            if mode != "interval":
                self._noted(section, f"point_{name}", arity + 2)
        for name, arity in sorted(entities.output_events):
            self._noted(section, f"happens_{name}", arity + 1)
        self._noted_marks()

    def _noted_marks(self) -> None:
        """The same for initiations and breaks that rules ask for, and for domains."""
        lowering, section = self.lowering, self.out.section("Points and domains that came and went")
        names = [
            (lowering.symbol("initiated", key), key[1] + 2)
            if reading == "initiated"
            else (lowering.symbol("breaks", key), key[1] + 3)
            for reading, key in sorted(lowering.kept)
        ]
        names += [(f"domain_{name}", arity) for name, arity in sorted(lowering.used_domains)]
        for name, arity in names:
            section.add(compound("rtec_marked", Atom(name)))
            for prefix in ("ins", "del"):
                self.out.declare(f"{prefix}_{name}", arity)
                section.add(compound("rtec_noted", Atom(f"{prefix}_{name}"), Num(arity)))

    def _noted(self, section: Section, name: str, arity: int) -> None:
        columns = [f"A{i}" for i in range(1, arity + 1)]
        heads = [compound("[|]", Var(c), Var(f"{c}s")) for c in columns]
        tails = [Var(f"{c}s") for c in columns]
        for verb, prefix in (("load", "ins"), ("unload", "del")):
            noted = f"{prefix}_{name}"
            self.out.declare(noted, arity)
            section.add(compound("rtec_noted", Atom(noted), Num(arity)))
            loader = f"note_{verb}_{name}"
            section.add(Compound(loader, tuple(NIL for _ in columns)))
            section.add(
                Compound(loader, tuple(heads)),
                conjunction(
                    [
                        compound("assertz", Compound(noted, tuple(Var(c) for c in columns))),
                        Compound(loader, tuple(tails)),
                    ]
                ),
            )

    def _changes(self) -> None:
        """Facts of the fluents that changed: where, and which starts and ends came and went."""
        entities = self.lowering.entities
        section = self.out.section("Fluents that changed")
        whole, reads = self._read_whole(), self._readings()
        for key in sorted({*entities.simple, *entities.static, *entities.input_fluents}):
            for store in sorted({self.lowering.store(key, k) for k in entities.kinds_of(key)}):
                self.accessors(section, key, store, (Var("V"), Var("Is")))
            if key not in reads:
                continue
            name = self._changed(key)
            fluent = general(key)
            args = fluent.args if isinstance(fluent, Compound) else ()
            change = [Var(n) for n in _CHANGE]
            fact = Compound(name, (*args, Var("V"), *change))
            self.out.declare(name, key[1] + 7)
            section.add(compound("rtec_noted", Atom(name), Num(key[1] + 7)))
            kind = Atom("whole" if key in whole else "plain")
            events = Atom("read" if reads[key] & {"start", "end"} else "unread")
            section.add(compound("rtec_changed", indicator(key), Atom(f"add_{name}"), kind, events))
            section.add(
                compound(f"add_{name}", fluent, Var("V"), compound("change", *change)),
                compound("assertz", fact),
            )

    def _readings(self) -> dict[Key, set[str]]:
        """How rules read each fluent."""
        found: dict[Key, set[str]] = {}
        for ref in all_references(self.lowering.description):
            if ref.key is not None:
                found.setdefault(ref.key, set()).add(ref.reading)
        return found

    def _read_whole(self) -> set[Key]:
        """Fluents whose whole interval lists some rule looks at, again when the window moves."""
        found: set[Key] = set()
        for rule in self.lowering.description.of_kind("static"):
            if is_whole(rule) and not remembers(rule):
                refs = (reference(goal.term) for goal in goals(rule.body))
                found |= {ref.key for ref in refs if ref is not None and ref.key is not None}
        return found

    def _changed(self, key: Key) -> str:
        return self.lowering.symbol("changed", key)

    # -- simple fluents and output events ----------------------------------------------

    def _simple(self, vertex: Vertex, rules: list[Rule]) -> Obstacle | None:
        key = (vertex.name, vertex.arity)
        lowering = self.lowering
        special = key in lowering.defaults or lowering.restricts(key)
        special = special or any(map(self.obstacles.is_supplied, rules))
        if special or any(kind_key[1] == key for kind_key in lowering.kept):
            return CycleDeltaLowering(self, (vertex,), {vertex: rules}).lower_alone()
        obstacle = self.obstacles.of_rules(rules)
        if obstacle is not None:
            return obstacle
        section = self.out.section(f"Changes of {vertex}")
        panes, met = lowering.symbol("panes", key), lowering.symbol("met_points", key)
        for name, rest in ((panes, (Var("Pane"), Var("Qs"))), (met, (Var("K"), Var("Until")))):
            arity = key[1] + 2 + len(self.hashed(key))
            self.out.declare(name, arity)
            kind = Atom("panes" if name == panes else "met")
            section.add(compound("rtec_panes", Atom(name), Num(arity), kind))
            self.accessors(section, key, name, rest)
        if any(rule.kind == "delay" for rule in rules):
            self.awaited(section)
        names = {kind: lowering.symbol(f"{kind}_gains", key) for kind in ("begin", "end", "wild")}
        touches = lowering.symbol("touches", key)
        for name in names.values():
            self.out.declare(name, 4)
        self.out.declare(touches, 2)
        predicates = [panes, met, *names.values(), touches]
        section.add(
            compound(
                "rtec_delta",
                compound("simple", indicator(key)),
                compound("delta", *map(Atom, predicates)),
            )
        )
        for rule in rules:
            if rule.kind in ("initiated", "terminated"):
                assert rule.value is not None and rule.time is not None
                point, free = self._kind(rule)
                begins = rule.kind == "initiated"
                gains = names["wild" if free else "begin" if begins else "end"]
                head = compound(gains, rule.entity, rule.time, point, rule.value)
                self._delta_rules(section, rule, head, touches)
        return None

    def awaited(self, section: Section) -> None:
        """Say that deadlines ahead are kept."""
        for name, arity in (("rtec_due", 4), ("rtec_awaiting", 1)):
            section.add(compound("rtec_panes", Atom(name), Num(arity), Atom("cycle")))

    def accessors(self, section: Section, key: Key, name: str, rest: tuple[Var, Var]) -> None:
        """Clauses that know how the arguments of a fluent lie in a fact: get, add, take out."""
        fluent = general(key)
        is_store = name.startswith(("holds", "stored"))
        hashed = [] if is_store else self.hashed(key)
        args = (*self.hash_of(hashed), *(fluent.args if isinstance(fluent, Compound) else ()))
        fact = Compound(name, (*args, *rest))
        if not is_store:
            added = conjunction([*hashed, compound("assertz", fact)])
            section.add(compound(f"add_{name}", fluent, *rest), added)
        get = compound(f"get_{name}", fluent, *rest)
        drop = compound(f"drop_{name}", fluent, rest[0])
        if not (is_store and self.lowering.has_compounds(key)):
            section.add(get, conjunction([*hashed, fact]))
            out = compound("retractall", Compound(name, (*args, rest[0], Var("_"))))
            section.add(drop, conjunction([*hashed, out]))
            return
        # Asked for together with what follows them, compound arguments would not be indexed.
        found, ref, same = Var("Found"), Var("Ref"), compound("=", Var("Found"), rest[0])
        section.add(get, conjunction([Compound(name, (*args, found, rest[1])), same]))
        stored = compound("clause", Compound(name, (*args, found, Var("_"))), Atom("true"), ref)
        erased = compound("forall", compound(",", stored, same), compound("erase", ref))
        section.add(drop, erased)

    def hashed(self, key: Key) -> list[Term]:
        """A goal that gives the hash by which facts of instances with compound arguments are found.

        Prolog's index goes by one argument of a compound at most. There is no hash of a pattern.
        """
        if not self.lowering.has_compounds(key):
            return []
        return [compound("term_hash", general(key), Var("Hash"))]

    def hash_of(self, hashed: list[Term]) -> tuple[Term, ...]:
        """The argument that such facts begin with, if they are found by a hash."""
        return (Var("Hash"),) if hashed else ()

    def _kind(self, rule: Rule) -> tuple[Term, bool]:
        """The kind of point that a rule gives, and whether it is for a pattern of instances."""
        bound = bound_variables(rule.body)
        free = any(v.name not in bound for v in variables(rule.entity))
        if rule.kind == "terminated":
            return Atom("t"), free
        return Atom("x" if free else "i"), free

    def _event(self, vertex: Vertex, rules: list[Rule]) -> Obstacle | None:
        key = (vertex.name, vertex.arity)
        obstacle = self.obstacles.of_event(key, rules)
        if obstacle is not None:
            return obstacle
        section = self.out.section(f"Changes of {vertex}")
        gains, touches = f"event_gains_{vertex.name}", f"event_touches_{vertex.name}"
        self.out.declare(gains, 2)
        self.out.declare(touches, 2)
        section.add(
            compound(
                "rtec_delta",
                compound("event", indicator(key)),
                compound("delta", Atom(gains), Atom(touches)),
            )
        )
        hints = self.lowering.event_groundings(key)
        for rule in rules:
            assert rule.time is not None
            grounded = compound(f"grounded_event_{vertex.name}", rule.entity)
            exists = [compound("once", grounded)] if hints else []
            head = compound(gains, rule.entity, rule.time)
            self._delta_rules(section, rule, head, touches, exists)
            touched = compound(touches, rule.entity, rule.time)
            for body in self.changed_groundings(hints, rule.entity):
                section.add(touched, conjunction([*body, *self.lookup(rule)]), rule.clause)
        return None

    def _delta_rules(
        self,
        section: Section,
        rule: Rule,
        head: Compound,
        touches: str,
        exists: Sequence[Term] = (),
    ) -> None:
        first, *rest = conjuncts(rule.body)
        trigger = self.lowering.read_as(reference(first))
        assert trigger is not None and rule.time is not None
        lowered = self.lowering.lower_asking(conjunction(rest), variables(first))
        gained = [*self.came(trigger), *conjuncts(lowered), *exists]
        section.add(head, conjunction(gained), rule.clause)
        touched = compound(touches, rule.entity, rule.time)
        lost = [*self.went(trigger), *self._lasting(rule)]
        section.add(touched, conjunction(lost), rule.clause)
        added: set[Term] = set()
        for conditions in self.touching(rule):
            body = conjunction(conditions)
            if body not in added:
                added.add(body)
                section.add(touched, body, rule.clause)

    def lookup(self, rule: Rule) -> list[Term]:
        """Goals that find what triggers a rule."""
        return conjuncts(self.lowering.lower_body(conjuncts(rule.body)[0]))

    def _lasting(self, rule: Rule) -> list[Term]:
        """The conditions of a rule between the first and the next that can change.

        Where these fail, the rule fails whatever has changed.
        """
        lasting = takewhile(self._lasts, conjuncts(rule.body)[1:])
        return [self.lowering.lower_body(condition) for condition in lasting]

    def _lasts(self, condition: Term) -> bool:
        return all(
            goal.term != Atom("!")
            and reference(goal.term) is None
            and not any(self._changed_domain(goal, set()))
            for goal in goals(condition)
        )

    def touching(self, rule: Rule, members: frozenset[Key] = frozenset()) -> Iterator[list[Term]]:
        """Goals that find where the conditions of a rule after the first have changed.

        Members of the rule's own cycle are left out.
        """
        first, *rest = conjuncts(rule.body)
        known, lookup, lasting = offsets(rule), self.lookup(rule), self._lasting(rule)
        shared = {*known, *(v.name for v in variables(first))}
        for goal in goals(conjunction(rest)):
            ref = self.lowering.read_as(reference(goal.term))
            if ref is not None and ref.key not in members:
                seen = self.seen_from(goal, ref, shared)
                before, after = self.changed_condition(seen, rule, known)
                yield [*before, *lookup, *after, *lasting]
            elif ref is None:
                here = compound("rtec_known", rule.time or Var("_"))
                for change in self._changed_domain(goal, shared):
                    yield [change, *lookup, here, *lasting]
        for goals_there in self._at_borders(rule, lookup):
            yield [*goals_there, *lasting]

    def _at_borders(self, rule: Rule, lookup: list[Term]) -> Iterator[list[Term]]:
        """Where a rule that looks back may see less than before, or one that looks ahead more."""
        assert rule.time is not None
        before, after = reach(rule)
        window, since = Var("RtecW"), Var("RtecSince")
        if before:
            until = compound("=<", rule.time, compound("+", window, Num(before)))
            yield [compound("rtec_window", window, Var("_")), *lookup, until]
        if after:
            later = compound(">", rule.time, compound("-", since, Num(after)))
            known = compound("=<", rule.time, since)
            yield [compound("rtec_since", since), *lookup, later, known]

    def changed_groundings(
        self, hints: Sequence[Hint], entity: Term, value: Term | None = None
    ) -> Iterator[list[Term]]:
        """Goals that find, for an entity (and value), changes of the domains of its groundings."""
        for hint in hints:
            subject, body = _renamed(hint.args[0]), _renamed(hint.body)
            fvp = split_fvp(subject)
            for goal in goals(body):
                for change in self._changed_domain(goal, set()):
                    if fvp is None or value is None:
                        yield [change, compound("=", subject, entity)]
                    else:
                        same = [compound("=", fvp[0], entity), compound("=", fvp[1], value)]
                        yield [change, *same]

    def _changed_domain(self, goal: Goal, shared: set[str]) -> Iterator[Term]:
        """A goal that finds what came into a domain from the stream, or went."""
        named = name_and_args(goal.term)
        if named is None or (named[0], len(named[1])) not in self.lowering.domains:
            return
        args: tuple[Term, ...] = named[1]
        if goal.negated or goal.local or goal.branch:
            args = tuple(_open(arg, shared) for arg in args)
        facts = (_fact(f"{prefix}_domain_{named[0]}", args) for prefix in ("ins", "del"))
        yield compound(";", *facts)

    def seen_from(self, goal: Goal, ref: Reference, shared: set[str]) -> Reference:
        """A condition with only those variables that stand for the same in every derivation.

        Under a negation, in a branch or inside findall, a variable that the first condition
        does not bind may be another one than outside.
        """
        if not (goal.negated or goal.local or goal.branch):
            return ref
        open_term = _open(ref.goal, shared)
        found = self.lowering.read_as(reference(open_term))
        assert found is not None
        return found

    def came(self, ref: Reference) -> list[Term]:
        """Goals that find new occurrences of a trigger."""
        if ref.reading in _POINTS:
            return [self._occurrence("ins", ref), *self._confirmed(ref)]
        fact, names = self._change_fact(ref)
        listed = names["Begun" if ref.reading == "start" else "Ended"]
        return [fact, compound("member", ref.time, listed), *self._confirmed(ref)]

    def went(self, ref: Reference) -> list[Term]:
        """Goals that find occurrences of a trigger that are no more."""
        if ref.reading in _POINTS:
            return [self._occurrence("del", ref)]
        fact, names = self._change_fact(ref)
        listed = names["Unbegun" if ref.reading == "start" else "Unended"]
        return [fact, compound("member", ref.time, listed)]

    def _confirmed(self, ref: Reference) -> list[Term]:
        """What a new occurrence of a trigger has to be besides."""
        if ref.reading == "terminated":  # any break has come, maybe of another value
            return conjuncts(self.lowering.lower_body(ref.goal))
        return self.lowering.range_tests(ref)

    def changed_condition(
        self, ref: Reference, rule: Rule, known: Mapping[str, int]
    ) -> tuple[list[Term], list[Term]]:
        """Goals to run before the trigger of a rule is looked up, and after.

        The time-point of the condition is that of the rule or, by `known`, at a fixed distance;
        otherwise it is looked for.
        """
        assert isinstance(ref.time, Var) and rule.time is not None
        here = compound("rtec_known", rule.time)
        if ref.time.name not in known:
            return self._changed_anywhere(ref), [here]
        distance = known[ref.time.name]
        back: list[Term] = []
        if distance:
            back = [compound("is", rule.time, compound("-", ref.time, Num(distance)))]
        if ref.reading in _POINTS:
            came, went = self._occurrence("ins", ref), self._occurrence("del", ref)
            return [compound(";", came, went), *back, here], []
        fact, names = self._change_fact(ref)
        if ref.reading == "holdsAt":
            start, end = Var("RtecStart"), Var("RtecEnd")
            part = compound("member", compound(",", start, end), names["Region"])
            there: list[Term] = []
            if distance:
                there = [compound("is", ref.time, compound("+", rule.time, Num(distance))), here]
            timed = None if distance else self._timed(rule, fact, start, end)
            if timed is not None:
                return [fact, part, timed], []
            # Compared in place, since all occurrences of the window are looked at.
            within = [compound(">=", ref.time, start), compound("<", ref.time, end)]
            return [fact, part], [*there, *within]
        pair = ("Begun", "Unbegun") if ref.reading == "start" else ("Ended", "Unended")
        either = compound(";", *(compound("member", ref.time, names[n]) for n in pair))
        return [fact, either, *back, here], []

    def _timed(self, rule: Rule, fact: Compound, start: Var, end: Var) -> Term | None:
        """A goal that finds when what triggers a rule happened, within a span of time.

        So it is with records of which the first argument is known from a change.
        """
        trigger = reference(conjuncts(rule.body)[0])
        assert trigger is not None and rule.time is not None
        named = name_and_args(trigger.entity) if trigger.entity is not None else None
        if trigger.reading != "happens" or named is None or not named[1]:
            return None
        key = (named[0], len(named[1]))
        first = named[1][0]
        unknown = {*variables(first)} - {*variables(fact)}
        if key not in self.lowering.entities.input_events or unknown:
            return None
        times = f"times_{key[0]}_{key[1]}"
        if times not in self.timed:
            self.timed.add(times)
            self._times(times, key)
        return compound(times, first, start, end, rule.time)

    def _times(self, times: str, key: Key) -> None:
        """How the times of records are found without a calendar (prolog/rtec/calendars.pl)."""
        section = self.out.section(f"Times of {key[0]}/{key[1]}")
        happens, arity = f"happens_{key[0]}", key[1] + 1
        self.out.declare(times, 4)
        names = Atom(happens), Num(arity), Atom(times)
        section.add(compound("rtec_timed", *names))
        first, start, end, time = Var("Key"), Var("Start"), Var("End"), Var("T")
        others = (Var("_") for _ in range(arity - 2))
        found = Compound(happens, (time, first, *others))
        within = [compound(">=", time, start), compound("<", time, end)]
        section.add(compound(times, first, start, end, time), conjunction([found, *within]))

    def _changed_anywhere(self, ref: Reference) -> list[Term]:
        """Goals that find changes of a condition at whatever time-point."""
        if ref.reading in _POINTS:
            came, went = self._occurrence("ins", ref), self._occurrence("del", ref)
            return [compound(";", came, went)]
        fact, names = self._change_fact(ref)
        some = compound("[|]", Var("_"), Var("_"))
        if ref.reading == "holdsAt":
            return [_replaced(fact, names["Region"], some)]
        pair = ("Begun", "Unbegun") if ref.reading == "start" else ("Ended", "Unended")
        either = compound(";", *(compound("member", ref.time, names[n]) for n in pair))
        return [fact, either]

    def _occurrence(self, prefix: str, ref: Reference) -> Compound:
        assert ref.entity is not None
        named = name_and_args(ref.entity)
        assert named is not None and ref.key is not None
        if ref.reading == "happens":
            return Compound(f"{prefix}_happens_{named[0]}", (ref.time, *named[1]))
        if ref.reading == "initiated":
            assert ref.value is not None
            name = self.lowering.symbol("initiated", ref.key)
            return Compound(f"{prefix}_{name}", (ref.time, *named[1], ref.value))
        name = self.lowering.symbol("breaks", ref.key)
        return Compound(f"{prefix}_{name}", (ref.time, *named[1], Var("_"), Var("_")))

    def _change_fact(self, ref: Reference) -> tuple[Compound, dict[str, Var]]:
        assert ref.key is not None and ref.entity is not None and ref.value is not None
        named = name_and_args(ref.entity)
        assert named is not None
        change = {n: Var(f"Rtec{n}") for n in _CHANGE}
        fact = Compound(self._changed(ref.key), (*named[1], ref.value, *change.values()))
        return fact, change

    # -- static fluents ----------------------------------------------------------------

    def _static(self, vertex: Vertex, rules: list[Rule]) -> Obstacle | None:
        key = (vertex.name, vertex.arity)
        lowering = self.lowering
        obstacle = self.obstacles.of_static(key, rules)
        if obstacle is not None:
            return obstacle
        section = self.out.section(f"Changes of {vertex}")
        affected = lowering.symbol("affected", key)
        self.out.declare(affected, 3)
        value = rules[0].value if vertex.value else Var("_")
        assert value is not None
        fluent = lowering.pattern(rules[0]) if vertex.fixed else _any_fluent(key)
        # Of instances that are met later than they begin to hold, all has to be looked at.
        local = vertex not in lowering.late_met and all(is_local(rule) for rule in rules)
        within = self._local(key, rules) if local else Atom("none")
        delta = compound("delta", Atom(affected), within)
        section.add(compound("rtec_delta", compound("static", fluent, value), delta))
        joint = local and self._asked(rules) == "joint"
        for rule in rules:
            assert rule.value is not None
            for goal in goals(rule.body):
                ref = reference(goal.term)
                if ref is not None:
                    fact, change = self._change_fact(self.seen_from(goal, ref, set()))
                    head = compound(affected, rule.entity, rule.value, change["Span"])
                    some: list[Term] = []
                    if is_whole(rule) and remembers(rule):
                        some = [compound("\\==", change["Span"], Atom("none"))]
                    section.add(head, conjunction([fact, *some]), rule.clause)
                    if joint:
                        self._joint(section, key, rule, fact, change["Span"])
            for goal in map(Goal, rule.context):
                ref = reference(goal.term)
                if ref is not None:
                    fact, change = self._change_fact(self.seen_from(goal, ref, set()))
                    head = compound(affected, rule.entity, rule.value, change["Span"])
                    named = self._named_otherwise(vertex, rule)
                    section.add(head, conjunction([fact, *named]), rule.clause)
            self._affected_by_domains(section, affected, key, rule)
        if local:
            self._local_rules(section, vertex, rules)
        return None

    def _named_otherwise(self, vertex: Vertex, rule: Rule) -> list[Term]:
        """A goal that finds instances which are wanted now and were not before, or were.

        What they hold does not depend on the literals that say for which instances an auxiliary
        is wanted.
        """
        assert rule.value is not None
        if is_whole(rule) or vertex not in self.lowering.late_met:
            return []
        candidates = self.lowering.symbol("candidates", (vertex.name, vertex.arity))
        wanted = compound(candidates, rule.entity, rule.value)
        met = compound(self.lowering.met_predicate(vertex), rule.entity, rule.value)
        came = conjunction([wanted, compound("\\+", met)])
        went = conjunction([met, compound("\\+", wanted)])
        return [compound(";", came, went)]

    def _affected_by_domains(
        self, section: Section, affected: str, key: Key, rule: Rule
    ) -> None:
        """Look at instances as a whole that domains from the stream name, or do no longer."""
        assert rule.value is not None
        start = Var("RtecStart")
        run = compound("rtec_run", start, Var("_"), Var("_"))
        head = compound(affected, rule.entity, rule.value, compound("-", start, Atom("inf")))
        for goal in goals(rule.body):
            for change in self._changed_domain(goal, set()):
                section.add(head, conjunction([change, run]), rule.clause)
        hints = self.lowering.groundings.get(key, ())
        for body in self.changed_groundings(hints, rule.entity, rule.value):
            section.add(head, conjunction([*body, run]), rule.clause)

    def _local(self, key: Key, rules: list[Rule]) -> Term:
        """Name the rules within a span of time, and say of whom they may be asked."""
        symbol, asked = self.lowering.symbol, self._asked(rules)
        candidates = "joint_candidates" if asked == "joint" else "candidates_in"
        names = (Atom(symbol(candidates, key)), Atom(symbol("intervals_in", key)))
        return compound("local", *names, Atom(asked))

    def _asked(self, rules: list[Rule]) -> str:
        """Of whom rules may be asked.

        Where all literals may be empty, only of candidates. Otherwise they give nothing for anybody
        else; but where several literals have to hold at once, it is cheaper to look first.
        """
        alternatives = [a for rule in rules for a in candidate_literals(rule)[1]]
        if frozenset() in alternatives:
            return "candidates"
        return "joint" if any(len(a) > 1 for a in alternatives) else "anybody"

    def _joint(self, section: Section, key: Key, rule: Rule, fact: Compound, span: Var) -> None:
        """The instances that may hold in the span in which one of the literals has changed."""
        symbol = self.lowering.symbol
        bound = {v.name for v in variables(fact)}
        for head, body, origin in self._lowered():
            if head.functor == symbol("candidates", key) and origin == rule.clause:
                name = symbol("joint_candidates", key)
                self.out.declare(name, 3)
                found = compound(name, *head.args[:2], SPAN)
                changed = _replaced(fact, span, SPAN)
                some = compound("\\==", SPAN, Atom("none"))
                section.add(found, conjunction([changed, some, *joined(body, bound)]), origin)

    def _lowered(self) -> Iterator[tuple[Compound, Term, Clause | None]]:
        for section in self.lowering.out.sections:
            for head, body, origin in section.clauses:
                if isinstance(head, Compound):
                    yield head, body, origin

    def _local_rules(self, section: Section, vertex: Vertex, rules: list[Rule]) -> None:
        """The rules of a static fluent, over what lies in a span of time.

        The lowered clauses are taken, with every interval list that they read cut to it.
        """
        key = (vertex.name, vertex.arity)
        candidates = self.lowering.symbol("candidates", key)
        intervals = self.lowering.symbol("intervals", key)
        wanted = [rule.clause for rule in rules]
        joint = self._asked(rules) == "joint"
        for head, body, origin in self._lowered():
            if origin not in wanted:
                continue
            if head.functor == candidates and not joint:
                name, changed = self.lowering.symbol("candidates_in", key), reaching(body)
            elif head.functor == intervals:
                name, changed = self.lowering.symbol("intervals_in", key), cut(body)
            else:
                continue
            args = (*head.args[:2], SPAN, *head.args[2:])
            section.add(Compound(name, args), changed, origin)


def _any_fluent(key: Key) -> Term:
    name, arity = key
    return Compound(name, tuple(Var("_") for _ in range(arity))) if arity else Atom(name)


def _fact(name: str, args: tuple[Term, ...]) -> Term:
    return Compound(name, args) if args else Atom(name)


def _replaced(fact: Compound, variable: Var, term: Term) -> Compound:
    return Compound(fact.functor, tuple(term if a == variable else a for a in fact.args))


def _renamed(term: Term) -> Term:
    """A term of a declaration with variables that no rule has."""
    if isinstance(term, Var):
        return term if term.name == "_" else Var(f"RtecG{term.name}")
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(map(_renamed, term.args)), term.span)
    return term


def _open(term: Term, shared: set[str]) -> Term:
    """Replace the variables that are not shared by anonymous ones."""
    if isinstance(term, Var):
        return term if term.name in shared else Var("_")
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(_open(a, shared) for a in term.args), term.span)
    return term
