"""Pass: rules become engine calls, each with the rule it came from.

The names of what is emitted follow the entities: `happens_e` and `holds_f` are
the stored facts of an event and a fluent, `points_f` the initiations and
terminations of a simple fluent, `candidates_f` and `intervals_f` a static one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rtec.compiler.allen import allen_condition
from rtec.compiler.bodies import goals, map_goals
from rtec.compiler.candidates import candidate_literals
from rtec.compiler.cycles import CycleLowering
from rtec.compiler.declarations import Entities
from rtec.compiler.dependencies import Graph, Vertex, rule_vertex, static_value
from rtec.compiler.description import Description, Hint, Rule, split_fvp
from rtec.compiler.lifting import AUX_PREFIX, is_whole
from rtec.compiler.references import Key, Reference, entity_key, reference
from rtec.compiler.terms import (
    NIL,
    TRUE,
    Atom,
    Clause,
    Compound,
    Num,
    Term,
    Var,
    compound,
    conjunction,
    conjuncts,
    is_goal,
    list_term,
    name_and_args,
    variables,
)

_COMPARISONS = {"<", ">", "=<", ">=", "=:=", "=\\=", "\\=", "\\==", "@<", "@>", "@=<", "@>="}


@dataclass
class Section:
    """Clauses that belong together, under a title, with the rule each came from."""

    title: str
    clauses: list[tuple[Term, Term, Clause | None]] = field(default_factory=list)

    def add(self, head: Term, body: Term = TRUE, origin: Clause | None = None) -> None:
        """Append a clause."""
        self.clauses.append((head, body, origin))


@dataclass
class Lowered:
    """What emission writes down: sections of clauses, and the predicates that change."""

    sections: list[Section] = field(default_factory=list)
    dynamic: list[tuple[str, int]] = field(default_factory=list)
    state: list[tuple[str, int]] = field(default_factory=list)

    def section(self, title: str) -> Section:
        """Start a new section."""
        self.sections.append(Section(title))
        return self.sections[-1]

    def declare_store(self, section: Section, key: Key, store: str) -> None:
        """Declare the store of a fluent, with the clause `add_STORE(F,V,Is)` that fills it."""
        if (store, key[1] + 2) in self.dynamic:
            return
        self.declare(store, key[1] + 2, state=True)
        fluent = _general(key)
        args = fluent.args if isinstance(fluent, Compound) else ()
        fact = Compound(store, (*args, Var("V"), Var("Is")))
        section.add(
            compound(f"add_{store}", fluent, Var("V"), Var("Is")), compound("assertz", fact)
        )

    def declare(self, name: str, arity: int, state: bool = False) -> None:
        """Declare a predicate whose facts change; `state` ones survive a query time."""
        if (name, arity) not in self.dynamic:
            self.dynamic.append((name, arity))
            if state:
                self.state.append((name, arity))


class Lowering:
    """Lowers one description."""

    def __init__(self, description: Description, entities: Entities, graph: Graph) -> None:
        """Take what the earlier passes found."""
        self.description = description
        self.entities = entities
        self.graph = graph
        self.out = Lowered()
        self.domains = {
            entity_key(hint.args[0]): hint for hint in description.hints_of("dynamicDomain")
        }
        self.used_domains: set[Key] = set()
        self.memories = 0
        self.members: frozenset[Key] = frozenset()
        self.head_time: Term | None = None
        self.defaults = self._fluents_with_default()
        self.cycles: dict[tuple[Vertex, ...], Term] = {}
        self.kept: set[tuple[str, Key]] = {
            (ref.reading, ref.key)
            for ref in _all_references(description)
            if ref.reading in ("initiated", "terminated") and ref.key is not None
        }
        self.groundings = self._groundings()
        self.late_met = self._met_late()

    # -- names -----------------------------------------------------------------

    def symbol(self, prefix: str, key: Key) -> str:
        """Name a predicate; the arity is added where a name has several."""
        name, arity = key
        entities = self.entities
        keys = {*entities.simple, *entities.static, *entities.input_fluents}
        if sum(k[0] == name for k in keys) > 1:
            return f"{prefix}_{name}_{arity}"
        return f"{prefix}_{name}"

    def holds(self, key: Key) -> str:
        """The predicate that rules read a fluent by."""
        return self.symbol("holds", key)

    def store(self, key: Key, kind: str) -> str:
        """The predicate that the values of one kind of a fluent are stored in."""
        if len(self.entities.kinds_of(key)) > 1 or (kind == "simple" and key in self.defaults):
            return self.symbol(f"stored_{kind}", key)
        return self.holds(key)

    # -- the pass --------------------------------------------------------------

    def lower(self) -> Lowered:
        """Lower everything."""
        self._inputs()
        self._rules()
        self._helpers()
        self._readers()
        self._steps()
        return self.out

    def _inputs(self) -> None:
        section = self.out.section("Records of the stream")
        for name, arity in sorted(self.entities.input_events):
            self._records(section, "event", (name, arity), f"happens_{name}", arity + 1)
        for key, mode in sorted(self.entities.input_fluents.items()):
            if mode in ("interval", "fluent"):
                self._records(section, "interval", key, f"interval_{key[0]}", key[1] + 3)
            if mode != "interval":
                self._records(section, "point", key, f"point_{key[0]}", key[1] + 2)
            self.out.declare_store(section, key, self.store(key, "input"))
            section.add(
                compound("rtec_input_fluent", _indicator(key), Atom(self.store(key, "input")))
            )

    def _records(self, section: Section, kind: str, key: Key, name: str, arity: int) -> None:
        self.out.declare(name, arity, state=True)
        section.add(compound("rtec_records", Atom(kind), _indicator(key), Atom(name), Num(arity)))
        columns = [f"A{i}" for i in range(1, arity + 1)]
        fact = Compound(name, tuple(Var(c) for c in columns))
        heads = [compound("[|]", Var(c), Var(f"{c}s")) for c in columns]
        tails = [Var(f"{c}s") for c in columns]
        for verb, action in (
            ("load", compound("assertz", fact)),
            ("unload", compound("ignore", compound("retract", fact))),
        ):
            loader = f"{verb}_{name}"
            section.add(Compound(loader, tuple(NIL for _ in columns)))
            section.add(
                Compound(loader, tuple(heads)),
                conjunction([action, Compound(loader, tuple(tails))]),
            )

    def _rules(self) -> None:
        by_vertex: dict[Vertex, list[Rule]] = {}
        for rule in self.description.rules:
            by_vertex.setdefault(rule_vertex(rule), []).append(rule)
        for component in self.graph.components:
            if self.graph.is_cyclic(component):
                self.cycles[component] = CycleLowering(self, component, by_vertex).lower()
                continue
            for vertex in component:
                rules = by_vertex.get(vertex, [])
                if vertex.kind == "event":
                    self._event(vertex, rules)
                elif vertex.kind == "simple":
                    self._simple(vertex, rules)
                elif vertex.kind == "static":
                    self._static(vertex, rules)

    # -- events ----------------------------------------------------------------

    def _event(self, vertex: Vertex, rules: list[Rule]) -> None:
        section = self.out.section(f"Output event {vertex}")
        key = (vertex.name, vertex.arity)
        self.out.declare(f"happens_{vertex.name}", vertex.arity + 1)
        section.add(compound("rtec_output_event", _indicator(key), Atom(f"happens_{vertex.name}")))
        for rule in rules:
            assert rule.time is not None
            head = compound(f"rules_{vertex.name}", rule.entity, rule.time)
            section.add(head, self._body(rule), rule.clause)

    # -- simple fluents --------------------------------------------------------

    def _simple(self, vertex: Vertex, rules: list[Rule]) -> None:
        self.simple_fluent(self.out.section(f"Simple fluent {vertex}"), vertex, rules)

    def simple_fluent(self, section: Section, vertex: Vertex, rules: list[Rule]) -> None:
        """Add the clauses of a simple fluent, from these of its rules."""
        key = (vertex.name, vertex.arity)
        store = self.store(key, "simple")
        self.out.declare_store(section, key, store)
        section.add(compound("rtec_output_fluent", _indicator(key), Atom(store)))
        for rule in rules:
            if rule.kind in ("initiated", "terminated"):
                self._point(section, key, rule)
            elif rule.kind == "initially":
                self._initially(section, key, rule)
            elif rule.kind == "delay":
                assert rule.value and rule.target and rule.delay
                head = compound(
                    self.symbol("delay", key), rule.entity, rule.value, rule.target, rule.delay
                )
                section.add(head, self._body(rule), rule.clause)
        for rule in self.description.of_kind("postponed"):
            if entity_key(rule.entity) == key:
                assert rule.value
                head = compound(self.symbol("postponed", key), rule.entity, rule.value)
                section.add(head, self._body(rule), rule.clause)
        self._grounded(section, key)

    def _point(self, section: Section, key: Key, rule: Rule) -> None:
        assert rule.value is not None and rule.time is not None
        kind = "i" if rule.kind == "initiated" else "t"
        body = self._body(rule)
        bound = bound_variables(rule.body)
        free = [v for v in variables(rule.entity) if v.name not in bound]
        free_value = isinstance(rule.value, Var) and rule.value.name not in bound
        name = self.symbol("points", key)
        if (free or (free_value and kind == "i")) and self.is_grounded(key):
            ground = compound(self.symbol("grounded", key), rule.entity, rule.value)
            if kind == "i" or free:
                body = conjunction([*conjuncts(body), ground])
        elif free:
            name = self.symbol("wild", key)
            kind = "x" if kind == "i" else "t"
        if kind == "t" and name == self.symbol("points", key) and self._ends_apart(key):
            name = self.symbol("ends", key)
        section.add(
            compound(name, rule.entity, rule.time, Atom(kind), rule.value), body, rule.clause
        )

    def _ends_apart(self, key: Key) -> bool:
        """Whether terminations matter only for what is initiated or held already."""
        return key not in self.defaults and ("terminated", key) not in self.kept

    def _initially(self, section: Section, key: Key, rule: Rule) -> None:
        assert rule.value is not None
        body = self._body(rule)
        bound = bound_variables(rule.body)
        if any(v.name not in bound for v in variables(rule.entity)):
            if self.is_grounded(key):
                body = conjunction(
                    [
                        *conjuncts(body),
                        compound(self.symbol("grounded", key), rule.entity, rule.value),
                    ]
                )
            head = compound(self.symbol("default", key), rule.entity, rule.value)
        else:
            head = compound(self.symbol("initially", key), rule.entity, rule.value)
        section.add(head, body, rule.clause)

    def _met_late(self) -> set[Vertex]:
        """Static fluents whose instances may hold before anything makes them known.

        They read a fluent with a default, or are auxiliaries wanted for some instances only.
        """
        found: set[Vertex] = set()
        by_vertex: dict[Vertex, list[Rule]] = {}
        for rule in self.description.of_kind("static"):
            by_vertex.setdefault(rule_vertex(rule), []).append(rule)
        for component in self.graph.components:
            for vertex in component:
                rules = by_vertex.get(vertex, [])
                reads = self.graph.edges[vertex]
                if rules and (
                    any(rule.context for rule in rules)
                    or any((r.name, r.arity) in self.defaults or r in found for r in reads)
                ):
                    found.add(vertex)
        return found

    def _fluents_with_default(self) -> set[Key]:
        return {
            entity_key(rule.entity)
            for rule in self.description.of_kind("initially")
            if any(v.name not in bound_variables(rule.body) for v in variables(rule.entity))
        }

    # -- static fluents --------------------------------------------------------

    def _static(self, vertex: Vertex, rules: list[Rule]) -> None:
        key = (vertex.name, vertex.arity)
        shown = "Auxiliary" if vertex.name.startswith(AUX_PREFIX) else "Static fluent"
        section = self.out.section(f"{shown} {vertex}")
        store = self.store(key, "static")
        self.out.declare_store(section, key, store)
        if not vertex.name.startswith(AUX_PREFIX):
            fact = compound("rtec_output_fluent", _indicator(key), Atom(store))
            if not any(fact == head for s in self.out.sections for head, _, _ in s.clauses):
                section.add(fact)
        for rule in rules:
            self._candidates(section, key, rule)
        for rule in rules:
            assert rule.value is not None and rule.time is not None
            head = compound(self.symbol("intervals", key), rule.entity, rule.value, rule.time)
            body = self._body(rule)
            section.add(head, self._with_memory(section, key, rule, body), rule.clause)
        self._grounded(section, key)

    def _with_memory(self, section: Section, key: Key, rule: Rule, body: Term) -> Term:
        """Allen conditions remember intervals that the window has left."""
        assert rule.value is not None
        instance = compound("=", rule.entity, rule.value)
        known = section.clauses
        candidates = self.symbol("candidates", key)

        def remember(goal: Term) -> Term:
            relation = allen_condition(goal)
            if relation is None:
                return goal
            self.memories += 1
            identity = Atom(f"allen_{self.memories}")
            self.out.declare("allen_memory", 4, state=True)
            memory = compound("allen_memory", identity, instance, Var("_"), Var("_"))
            head = compound(candidates, rule.entity, rule.value or Var("_"))
            position = sum(1 for h, _, _ in known if _functor(h) != self.symbol("intervals", key))
            known.insert(position, (head, memory, rule.clause))
            return Compound("allen_in_window", (identity, instance, *relation))

        return map_goals(body, remember)

    def _candidates(self, section: Section, key: Key, rule: Rule) -> None:
        assert rule.value is not None
        literals, alternatives = candidate_literals(rule)
        head = compound(self.symbol("candidates", key), rule.entity, rule.value)
        wanted = {v.name for v in variables(head)}
        for alternative in alternatives:
            chosen = set(alternative)
            bodies = self._enumeration(rule, literals, chosen, wanted)
            section.add(head, conjunction(bodies), rule.clause)

    def _enumeration(
        self, rule: Rule, literals: list[Compound], chosen: set[int], wanted: set[str]
    ) -> list[Term]:
        """Goals that enumerate instances: chosen literals, then whatever else binds the head.

        A fluent with a default holds for instances that cannot be enumerated, so it comes
        after what may bind them.
        """
        key = entity_key(rule.entity)
        known = [literals[i] for i in sorted(chosen) if not self._has_default(literals[i])]
        open_ended = [literals[i] for i in sorted(chosen) if self._has_default(literals[i])]
        goals_out = [self._enumerate(literal) for literal in known]
        bound = {v.name for literal in known for v in variables(literal)}
        for goal in conjuncts(rule.body):
            if reference(goal) is None and _binds(goal) and not _has_interval(goal, literals):
                names = {v.name for v in variables(goal)}
                if names & (wanted - bound):
                    goals_out.append(self._goal(goal))
                    bound |= names
        goals_out += [self._enumerate(literal) for literal in open_ended]
        bound |= {v.name for literal in open_ended for v in variables(literal)}
        if wanted <= bound:
            return goals_out
        if not wanted <= bound and self.is_grounded(key):
            assert rule.value is not None
            goals_out.append(compound(self.symbol("grounded", key), rule.entity, rule.value))
            return goals_out
        others = [*rule.context, *(lit for i, lit in enumerate(literals) if i not in chosen)]
        for literal in others:
            if not wanted <= bound and isinstance(literal, Compound):
                names = {v.name for v in variables(literal)}
                if names & (wanted - bound):
                    goals_out.append(self._enumerate(literal))
                    bound |= names
        return goals_out if wanted <= bound else [*goals_out, Atom("fail")]

    def _has_default(self, literal: Compound) -> bool:
        """Whether a fluent holds for instances that cannot be enumerated."""
        ref = reference(literal)
        return ref is not None and ref.key in self.defaults

    def _enumerate(self, literal: Compound) -> Term:
        ref = reference(literal)
        assert ref is not None
        return self._stored(ref, Var("_"))

    # -- groundings and domains ------------------------------------------------

    def _groundings(self) -> dict[Key, list[Hint]]:
        found: dict[Key, list[Hint]] = {}
        for hint in self.description.hints_of("grounding"):
            fvp = split_fvp(hint.args[0])
            if fvp is not None:
                found.setdefault(entity_key(fvp[0]), []).append(hint)
        return found

    def is_grounded(self, key: Key) -> bool:
        """Whether a fluent has grounding declarations."""
        return key in self.groundings

    def restricts(self, key: Key) -> bool:
        """Whether groundings say more than that arguments come from the stream."""
        for hint in self.groundings.get(key, []):
            for goal in conjuncts(hint.body):
                named = name_and_args(goal)
                if named is None or (named[0], len(named[1])) not in self.domains:
                    return True
                if len(named[1]) > 1:
                    return True
        return False

    def _grounded(self, section: Section, key: Key) -> None:
        name = self.symbol("grounded", key)
        if any(h.functor == name for h in _heads(self.out.sections) if isinstance(h, Compound)):
            return
        for hint in self.groundings.get(key, []):
            fvp = split_fvp(hint.args[0])
            assert fvp is not None
            body = map_goals(hint.body, self._goal)
            section.add(compound(name, fvp[0], fvp[1]), body, hint.clause)

    def _domain_steps(self, section: Section) -> list[Term]:
        steps: list[Term] = []
        for key in sorted(self.used_domains):
            name, arity = key
            self.out.declare(f"domain_{name}", arity)
            rules = f"domain_rules_{name}"
            for hint in self.description.hints_of("grounding"):
                for goal in conjuncts(hint.body):
                    if entity_key(goal) == key:
                        body = self._domain_source(hint)
                        if body is not None:
                            section.add(compound(rules, goal), body, hint.clause)
            general = _general(key)
            section.add(
                compound(rules, general),
                compound("catch", general, Var("_"), Atom("fail")),
            )
            steps.append(compound("domain", _indicator(key), Atom(f"domain_{name}"), Atom(rules)))
        return steps

    def _domain_source(self, hint: Hint) -> Term | None:
        """Where the arguments of a grounded entity come from in a window."""
        fvp = split_fvp(hint.args[0])
        if fvp is None:
            named = name_and_args(hint.args[0])
            if named is None or (named[0], len(named[1])) not in self.entities.input_events:
                return None
            return compound(f"happens_{named[0]}", Var("_"), *named[1])
        key = entity_key(fvp[0])
        named = name_and_args(fvp[0])
        assert named is not None
        if key in self.entities.input_fluents:
            return Compound(self.store(key, "input"), (*named[1], fvp[1], Var("_")))
        kinds = self.entities.kinds_of(key)
        if not kinds:
            return None
        fact = Compound(self.store(key, kinds[0]), (*named[1], fvp[1], Var("Is")))
        return conjunction(
            [
                fact,
                compound("rtec_window", Var("W"), Var("_")),
                compound("is", Var("T"), compound("+", Var("W"), Num(1))),
                compound("holds_at", Var("Is"), Var("T")),
            ]
        )

    # -- bodies ----------------------------------------------------------------

    def lower_body(self, body: Term) -> Term:
        """Lower the goals of a body, or of a part of one."""
        return map_goals(body, self._goal, self._counted_goal)

    def _body(self, rule: Rule) -> Term:
        return conjunction([*self.range_goals(rule), *conjuncts(self.lower_body(rule.body))])

    def range_goals(self, rule: Rule) -> list[Term]:
        """Goals that bind T1 and T2 of a 4-argument head to the window."""
        front: list[Term] = []
        used = {v.name for v in variables(rule.body)}
        for bound, expression in ((rule.lower, "W"), (rule.upper, "Q")):
            if isinstance(bound, Var) and bound.name in used:
                number = Num(1)
                front.append(
                    compound("is", Var(bound.name), compound("+", Var(f"Rtec{expression}"), number))
                )
        if front:
            front.insert(0, compound("rtec_window", Var("RtecW"), Var("RtecQ")))
        return front

    def leaves_open(self, rule: Rule) -> bool:
        """Whether a rule binds not all arguments of its head."""
        bound = bound_variables(rule.body)
        head = variables(rule.entity)
        if rule.kind == "initiated" and rule.value is not None:
            head += variables(rule.value)
        return any(v.name not in bound for v in head)

    def _goal(self, goal: Term) -> Term:
        ref = reference(goal)
        if ref is not None:
            return self._temporal(ref)
        if is_goal(goal, "complement_all", 2) and isinstance(goal, Compound):
            start = Var("RtecStart")
            run = list_term([compound(",", start, Atom("inf"))])
            return conjunction(
                [
                    compound("rtec_run", start, Var("_"), Var("_")),
                    compound("relative_complement_all", run, *goal.args),
                ]
            )
        named = name_and_args(goal)
        if named is not None:
            key = (named[0], len(named[1]))
            if key in self.domains:
                self.used_domains.add(key)
                return (
                    Compound(f"domain_{named[0]}", named[1])
                    if named[1]
                    else Atom(f"domain_{named[0]}")
                )
        return goal

    def _counted_goal(self, goal: Term) -> Term:
        """A record that was reported twice counts once."""
        lowered = self._goal(goal)
        ref = reference(goal)
        if ref is not None and isinstance(lowered, Compound):
            if lowered.functor.startswith(("happens_", "point_")):
                return compound("distinct", lowered)
        return lowered

    def _temporal(self, ref: Reference) -> Term:
        if ref.entity is None or ref.key is None:
            return ref.goal
        named = name_and_args(ref.entity)
        assert named is not None
        if ref.reading == "happens":
            return Compound(f"happens_{named[0]}", (ref.time, *named[1]))
        assert ref.value is not None
        if ref.key in self.members and ref.reading in ("holdsAt", "start", "end"):
            return self._member(ref, named[1])
        if ref.reading in ("initiated", "terminated"):
            return self._initiation(ref, named[1])
        if ref.reading == "holdsAt":
            if self.entities.kinds_of(ref.key) == ["input"]:
                if self.entities.input_fluents[ref.key] == "point":
                    return Compound(f"point_{ref.key[0]}", (ref.time, ref.value, *named[1]))
            intervals = self._fresh(ref)
            return conjunction(
                [self._stored(ref, intervals), compound("holds_at", intervals, ref.time)]
            )
        if ref.reading == "holdsFor":
            stored = self._stored(ref, ref.time)
            return compound(
                ";",
                compound("*->", stored, TRUE),
                compound("=", ref.time, NIL),
            )
        intervals = self._fresh(ref)
        scope = compound("rtec_scope", Var(f"{intervals.name}W"), Var(f"{intervals.name}Tick"))
        which = "starts_within" if ref.reading == "start" else "ends_within"
        within = compound(
            which, intervals, Var(f"{intervals.name}W"), Var(f"{intervals.name}Tick"), ref.time
        )
        return conjunction([self._stored(ref, intervals), scope, within])

    def _member(self, ref: Reference, args: tuple[Term, ...]) -> Term:
        """Read a member of the cycle that is being evaluated, at the time it has come to."""
        assert ref.key is not None and ref.value is not None
        if ref.reading == "start":
            return Compound(self.symbol("started", ref.key), (ref.time, *args, ref.value))
        if ref.reading == "end":
            return Compound(self.symbol("ended", ref.key), (ref.time, *args, ref.value))
        if ref.time == self.head_time:
            return Compound(self.symbol("current", ref.key), (*args, ref.value))
        return Compound(self.symbol("was", ref.key), (*args, ref.value, ref.time))

    def _initiation(self, ref: Reference, args: tuple[Term, ...]) -> Term:
        assert ref.key is not None and ref.value is not None
        fact = Compound(self.symbol(ref.reading, ref.key), (ref.time, *args, ref.value))
        if ref.bounds is None:
            return fact
        lower, upper = ref.bounds
        tests: list[Term] = [fact]
        if not (isinstance(lower, Var) and lower.name.startswith("_")):
            tests.append(compound("=<", lower, ref.time))
        if not (isinstance(upper, Var) and upper.name.startswith("_")):
            tests.append(compound("<", ref.time, upper))
        return conjunction(tests)

    def _fresh(self, ref: Reference) -> Var:
        """A variable for the intervals of a literal, unique by where it stands."""
        span = ref.goal.span
        return Var(f"Is{span.start}" if span else f"Is_{abs(hash(ref.goal)) % 10**8}")

    def _stored(self, ref: Reference, intervals: Term) -> Term:
        assert ref.key is not None and ref.entity is not None and ref.value is not None
        named = name_and_args(ref.entity)
        assert named is not None
        return Compound(self.holds(ref.key), (*named[1], ref.value, intervals))

    # -- plain Prolog and run-time readers ---------------------------------------

    def _helpers(self) -> None:
        if not self.description.helpers:
            return
        section = self.out.section("Plain Prolog of the description")
        for clause in self.description.helpers:
            assert clause.head is not None
            section.add(clause.head, self.lower_body(clause.body), clause)

    def _readers(self) -> None:
        """Clauses of holdsFor/2, holdsAt/2 and happensAt/2 over what is stored."""
        entities = self.entities
        section = self.out.section("What is stored, by the names of the language")
        for key in sorted({*entities.simple, *entities.static, *entities.input_fluents}):
            if key[0].startswith(AUX_PREFIX):
                continue
            self._reader(section, key)
        self._combined(section)
        for name, arity in sorted(entities.input_events | entities.output_events):
            event = _general((name, arity))
            args = event.args if isinstance(event, Compound) else ()
            section.add(
                compound("happensAt", event, Var("T")), compound(f"happens_{name}", Var("T"), *args)
            )
        section.add(
            compound("holdsAt", compound("=", Var("F"), Var("V")), Var("T")),
            conjunction(
                [
                    compound("holdsFor", compound("=", Var("F"), Var("V")), Var("Is")),
                    compound("holds_at", Var("Is"), Var("T")),
                ]
            ),
        )

    def _reader(self, section: Section, key: Key) -> None:
        fluent = _general(key)
        args = fluent.args if isinstance(fluent, Compound) else ()
        if ("terminated", key) in self.kept:
            self._terminated(section, key, args)
        section.add(
            compound("holdsFor", compound("=", fluent, Var("V")), Var("Is")),
            Compound(self.holds(key), (*args, Var("V"), Var("Is"))),
        )

    def _terminated(self, section: Section, key: Key, args: tuple[Term, ...]) -> None:
        """The clause by which a body asks whether a value is broken."""
        breaks = self.symbol("breaks", key)
        time, value, known = Var("T"), Var("V"), Var("Known")
        earlier = Compound(breaks, (Var("T1"), *args, Var("K1"), Var("V1")))
        was = compound("memberchk", Var("K1"), list_term([Atom("c"), Atom("i")]))
        in_time = compound("=<", Var("T1"), time)
        section.add(
            Compound(self.symbol("terminated", key), (time, *args, value)),
            conjunction(
                [
                    Compound(breaks, (time, *args, Var("K"), Var("V0"))),
                    compound("findall", Var("V1"), conjunction([earlier, was, in_time]), known),
                    compound("breaks_value", Var("K"), Var("V0"), known, value),
                ]
            ),
        )
        if args:
            self._terminated_by_pattern(section, key, args)

    def _terminated_by_pattern(self, section: Section, key: Key, args: tuple[Term, ...]) -> None:
        """A pattern breaks instances that nobody has met as well."""
        time, value = Var("T"), Var("V")
        met = Compound(self.symbol("breaks", key), (Var("_"), *args, Var("_"), Var("_")))
        section.add(
            Compound(self.symbol("terminated", key), (time, *args, value)),
            conjunction(
                [
                    compound("ground", Compound(key[0], (*args, value))),
                    compound("\\+", met),
                    Compound(self.symbol("patterns", key), (time, *args, Var("K"), Var("V0"))),
                    compound("breaks_value", Var("K"), Var("V0"), NIL, value),
                ]
            ),
        )

    def _combined(self, section: Section) -> None:
        """Fluents whose values come from several stores, or have a default."""
        entities = self.entities
        for key in sorted({*entities.simple, *entities.static, *entities.input_fluents}):
            kinds = entities.kinds_of(key)
            if len(kinds) < 2 and key not in self.defaults:
                continue
            fluent = _general(key)
            args = fluent.args if isinstance(fluent, Compound) else ()
            head = Compound(self.holds(key), (*args, Var("V"), Var("Is")))
            for kind in kinds:
                fact = Compound(self.store(key, kind), (*args, Var("V"), Var("Is")))
                hidden = compound("\\==", Var("V"), Atom("$none"))
                section.add(head, conjunction([fact, hidden]))
            if key in self.defaults:
                unknown = Compound(self.store(key, "simple"), (*args, Var("_"), Var("_")))
                default: list[Term] = [compound("ground", fluent)] if args else []
                default += [
                    compound("\\+", unknown),
                    compound(self.symbol("default", key), fluent, Var("V")),
                    compound("rtec_run", Var("Start"), Var("Tick"), Var("_")),
                    compound(
                        "findall",
                        Var("T"),
                        compound(self.symbol("broken", key), fluent, Var("T")),
                        Var("Ts"),
                    ),
                    compound("default_intervals", Var("Ts"), Var("Start"), Var("Tick"), Var("Is")),
                ]
                section.add(head, conjunction(default))

    # -- steps -----------------------------------------------------------------

    def _steps(self) -> None:
        section = self.out.section("The steps of a query time, in order")
        steps: list[Term] = []
        for key, mode in sorted(self.entities.input_fluents.items()):
            steps.append(self._input_step(key, mode))
        if any(
            entity_key(c.head) == ("preProcessing", 1) for c in self.description.helpers if c.head
        ):
            steps.append(Atom("preprocessing"))
        domains = self.out.section("Domains that come from the stream")
        steps.extend(self._domain_steps(domains))
        for component in self.graph.components:
            if component in self.cycles:
                steps.append(self.cycles[component])
            else:
                steps.extend(s for v in component if (s := self._step(v)) is not None)
        for number, step in enumerate(steps, 1):
            section.add(compound("rtec_step", Num(number), step))

    def _input_step(self, key: Key, mode: str) -> Term:
        interval, point = Atom(f"interval_{key[0]}"), Atom(f"point_{key[0]}")
        records: Term = interval if mode == "interval" else point
        if mode == "fluent":
            records = compound("both", interval, point)
        return compound(
            "input", _indicator(key), Atom(mode), records, Atom(self.store(key, "input"))
        )

    def _step(self, vertex: Vertex) -> Term | None:
        key = (vertex.name, vertex.arity)
        if vertex.kind == "event":
            return compound(
                "event",
                _indicator(key),
                Atom(f"happens_{vertex.name}"),
                Atom(f"rules_{vertex.name}"),
            )
        if vertex.kind == "simple":
            return compound(
                "simple",
                _indicator(key),
                Atom(self.store(key, "simple")),
                Atom(self.symbol("points", key)),
                list_term(self.simple_options(key)),
            )
        if vertex.kind == "static":
            value = next(v for v in self.entities.static[key] if static_value(v) == vertex.value)
            return compound(
                "static",
                _indicator(key),
                value if vertex.value else Var("_"),
                Atom(self.store(key, "static")),
                Atom(self.symbol("candidates", key)),
                Atom(self.symbol("intervals", key)),
                list_term(self._static_options(vertex, key)),
            )
        return None

    def _defined(self, name: str) -> bool:
        return any(isinstance(h, Compound) and h.functor == name for h in _heads(self.out.sections))

    def simple_options(self, key: Key) -> list[Term]:
        """What the engine must know of a simple fluent besides its rules."""
        options: list[Term] = []
        for kind in ("initially", "default", "wild"):
            name = self.symbol(kind, key)
            if self._defined(name):
                options.append(compound(kind, Atom(name)))
                if kind == "wild":
                    self.out.declare("rtec_instance", key[1])
        if self._defined(self.symbol("ends", key)):
            options.append(compound("ends", Atom(self.symbol("ends", key))))
        if key in self.defaults:
            broken = self.symbol("broken", key)
            self.out.declare(broken, 2, state=True)
            options.append(compound("broken", Atom(broken)))

        if self.restricts(key):
            options.append(compound("grounded", Atom(self.symbol("grounded", key))))
        if ("initiated", key) in self.kept:
            options.append(self._kept_points("initiations", "initiated", key, key[1] + 2))
        if ("terminated", key) in self.kept:
            options.append(self._kept_points("breaks", "breaks", key, key[1] + 3))
            options.append(self._kept_points("patterns", "patterns", key, key[1] + 3))
        if self._defined(self.symbol("delay", key)):
            attempts = self.symbol("attempts", key)
            self.out.declare(attempts, 3, state=True)
            self.out.declare(self.symbol("postponed", key), 2)
            options.append(
                compound(
                    "delays",
                    Atom(self.symbol("delay", key)),
                    Atom(self.symbol("postponed", key)),
                    Atom(attempts),
                )
            )
        return options

    def _kept_points(self, option: str, prefix: str, key: Key, arity: int) -> Term:
        name = self.symbol(prefix, key)
        self.out.declare(name, arity)
        return compound(option, compound("/", Atom(name), Num(arity)))

    def _static_options(self, vertex: Vertex, key: Key) -> list[Term]:
        options: list[Term] = []
        rules = [r for r in self.description.of_kind("static") if rule_vertex(r) == vertex]
        if any(is_whole(rule) for rule in rules):
            options.append(compound("whole", TRUE))
        elif vertex in self.late_met:
            met = f"{self.symbol('met', key)}_{vertex.value or 'any'}"
            self.out.declare(met, 2, state=True)
            options.append(compound("met", Atom(met)))
        if self.restricts(key):
            options.append(compound("grounded", Atom(self.symbol("grounded", key))))
        return options


def _all_references(description: Description) -> Iterable[Reference]:
    from rtec.compiler.declarations import all_references

    return all_references(description)


def _heads(sections: list[Section]) -> Iterable[Term]:
    for section in sections:
        for head, _, _ in section.clauses:
            yield head


def _functor(term: Term) -> str:
    return term.functor if isinstance(term, Compound) else ""


def _indicator(key: Key) -> Term:
    return compound("/", Atom(key[0]), Num(key[1]))


def _general(key: Key) -> Term:
    """The most general event or fluent of a name and arity."""
    name, arity = key
    if arity == 0:
        return Atom(name)
    return Compound(name, tuple(Var(f"A{i}") for i in range(1, arity + 1)))


def _binds(goal: Term) -> bool:
    return isinstance(goal, Compound) and goal.functor not in _COMPARISONS | {"\\+", "not"}


def _has_interval(goal: Term, literals: list[Compound]) -> bool:
    intervals = {v.name for literal in literals for v in variables(literal.args[-1])}
    return any(v.name in intervals for v in variables(goal)) or (
        isinstance(goal, Compound) and goal.functor.endswith("_all")
    )


def bound_variables(body: Term) -> set[str]:
    """Names of the variables that the positive goals of a body bind."""
    bound: set[str] = set()
    for goal in goals(body):
        if goal.negated or goal.local:
            continue
        term = goal.term
        if isinstance(term, Compound) and term.functor in _COMPARISONS:
            continue
        bound.update(v.name for v in variables(term))
    for goal_term in _result_terms(body):
        bound.update(v.name for v in variables(goal_term))
    return bound


def _result_terms(body: Term) -> Iterable[Term]:
    """Results of findall and the like: bound outside although their goals are local."""
    from rtec.compiler.terms import subterms

    for term in subterms(body):
        if isinstance(term, Compound) and term.functor in ("findall", "aggregate_all"):
            yield term.args[-1]
