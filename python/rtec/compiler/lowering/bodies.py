"""Goals of rule bodies become calls on what is stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rtec.compiler.bodies import map_goals
from rtec.compiler.checks.binding import Call, calls
from rtec.compiler.declarations import Entities
from rtec.compiler.dependencies import Graph
from rtec.compiler.description import Description, Rule
from rtec.compiler.lowering.binding import bound_variables
from rtec.compiler.lowering.names import Names, compound_arguments
from rtec.compiler.references import Key, Reference, entity_key, reference
from rtec.compiler.terms import (
    NIL,
    TRUE,
    Atom,
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


class BodyLowering(Names):
    """Lowers bodies, inside and outside of cycles."""

    def __init__(self, description: Description, entities: Entities, graph: Graph) -> None:
        """Begin outside of any cycle."""
        super().__init__(description, entities, graph)
        self.domains = {
            entity_key(hint.args[0]): hint for hint in description.hints_of("dynamicDomain")
        }
        self.used_domains: set[Key] = set()
        self.members: frozenset[Key] = frozenset()
        self.head_time: Term | None = None
        self.asked: dict[str, Key] = {}
        self.searched: dict[str, Key] = {}
        self.may_search = True
        self._asking: set[int] = set()
        self._searching: set[int] = set()
        self._timed: set[int] = set()

    def lower_body(self, body: Term) -> Term:
        """Lower the goals of a body, or of a part of one."""
        return map_goals(body, self._goal, self._counted_goal)

    def lower_asking(self, body: Term, bound: Iterable[Var] = ()) -> Term:
        """Lower a body that reads what is known already, with some variables bound before.

        Its holdsAt of one instance at one time-point become asks, which need not walk through
        the intervals of the instance; those of several instances become searches.
        """
        found = list(calls(body, {v.name for v in bound}))
        self._asking = {id(call.goal) for call in found if _is_ask(call)}
        self._searching = {id(call.goal) for call in found if _is_search(call)}
        self._timed = {id(call.goal) for call in found if self.may_search and _is_timed(call)}
        lowered = self.lower_body(body)
        self._asking, self._searching, self._timed = set(), set(), set()
        return lowered

    def within_window(self, rule: Rule) -> list[Term]:
        """A rule without conditions speaks of a fixed time-point, seen when a window shows it."""
        if conjuncts(rule.body) or rule.time is None or rule.kind == "static":
            return []
        window = compound("rtec_window", Var("RtecW"), Var("RtecQ"))
        after = compound(">", rule.time, Var("RtecW"))
        return [window, after, compound("=<", rule.time, Var("RtecQ"))]

    def _body(self, rule: Rule) -> Term:
        reads_known = rule.kind in ("initiated", "terminated", "event")
        lower = self.lower_asking if reads_known else self.lower_body
        goals = conjuncts(lower(rule.body)) or self.within_window(rule)
        return conjunction([*self.range_goals(rule), *goals])

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
        if (read := self.read_as(ref)) is not None and read.reading != ref.reading:
            event = compound(read.reading, ref.goal.args[0])
            started = reference(Compound("happensAt", (event, ref.time), ref.goal.span))
            assert started is not None
            return conjunction([self._temporal(started), *self.range_tests(ref)])
        if ref.key in self.members and ref.reading in ("holdsAt", "start", "end"):
            return self._member(ref, named[1])
        if ref.reading in ("initiated", "terminated"):
            return self._initiation(ref, named[1])
        if ref.reading == "holdsAt":
            if self.entities.kinds_of(ref.key) == ["input"]:
                if self.entities.input_fluents[ref.key] == "point":
                    return Compound(f"point_{ref.key[0]}", (ref.time, ref.value, *named[1]))
            if id(ref.goal) in self._asking:
                return self._ask(ref)
            if id(ref.goal) in self._timed:
                return self._search(ref)
            intervals = self._fresh(ref)
            return conjunction(
                [*self._found(ref, intervals), compound("holds_at", intervals, ref.time)]
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
        return conjunction([*self._found(ref, intervals), scope, within])

    def read_as(self, ref: Reference | None) -> Reference | None:
        """How a goal is read: only simple fluents are initiated by rules, others start and end."""
        if ref is None or ref.reading not in ("initiated", "terminated"):
            return ref
        if ref.key is None or ref.key in self.entities.simple:
            return ref
        return replace(ref, reading="start" if ref.reading == "initiated" else "end")

    def _ask(self, ref: Reference) -> Term:
        """Ask for one instance at one time-point: `ask_holds_f(Args.., V, T)`."""
        stored = self._stored(ref, ref.time)
        assert isinstance(stored, Compound) and ref.key is not None
        self.asked[stored.functor] = ref.key
        return Compound(f"ask_{stored.functor}", stored.args)

    def _search(self, ref: Reference) -> Term:
        """Look for what holds at a time-point, among several instances or values."""
        if not self._value_comes_after(ref):
            return self._ask(ref)
        stored = self._stored(ref, ref.time)
        assert isinstance(stored, Compound) and ref.key is not None
        self.searched[stored.functor] = ref.key
        return Compound(f"search_{stored.functor}", stored.args)

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
        return conjunction([fact, *self.range_tests(ref)])

    def range_tests(self, ref: Reference) -> list[Term]:
        """T1 =< T and T < T2 of a 4-argument condition."""
        if ref.bounds is None:
            return []
        lower, upper = ref.bounds
        tests: list[Term] = []
        if not (isinstance(lower, Var) and lower.name.startswith("_")):
            tests.append(compound("=<", lower, ref.time))
        if not (isinstance(upper, Var) and upper.name.startswith("_")):
            tests.append(compound("<", ref.time, upper))
        return tests

    def _fresh(self, ref: Reference) -> Var:
        """A variable for the intervals of a literal, unique by where it stands."""
        span = ref.goal.span
        return Var(f"Is{span.start}" if span else f"Is_{abs(hash(ref.goal)) % 10**8}")

    def _value_comes_after(self, ref: Reference) -> bool:
        """Whether facts are looked for by the arguments of a literal first, then by its value.

        The value of an instance with compound arguments is looked at afterwards: Prolog's index
        would go by the value, of which there are few, and not by what is in the compound. So is
        it where one argument of many is known: an index over both would be dear to make.
        """
        assert ref.entity is not None
        return isinstance(ref.value, Atom | Num) and (
            compound_arguments(ref.entity) or id(ref.goal) in self._searching
        )

    def _found(self, ref: Reference, intervals: Var) -> list[Term]:
        """Goals that find the intervals of a literal."""
        if not self._value_comes_after(ref):
            return [self._stored(ref, intervals)]
        assert ref.value is not None
        value = Var(f"{intervals.name}V")
        stored = self._stored(ref, intervals)
        assert isinstance(stored, Compound)
        fact = Compound(stored.functor, (*stored.args[:-2], value, intervals))
        return [fact, compound("==", value, ref.value)]

    def _stored(self, ref: Reference, intervals: Term) -> Term:
        assert ref.key is not None and ref.entity is not None and ref.value is not None
        named = name_and_args(ref.entity)
        assert named is not None
        reader = self.holds(ref.key)
        if self.entities.kinds_of(ref.key) == ["simple"] and not self.may_be_default(ref):
            reader = self.store(ref.key, "simple")  # instances that nobody has met hold no other
        return Compound(reader, (*named[1], ref.value, intervals))


def _is_ask(call: Call) -> bool:
    """Whether a goal is a holdsAt with everything in it bound.

    What has compound arguments is found in another way, see `_found`.
    """
    ref = reference(call.goal)
    return (
        ref is not None
        and ref.reading == "holdsAt"
        and not (ref.entity is not None and compound_arguments(ref.entity))
        and all(v.name in call.bound for v in variables(ref.goal))
    )


def _is_timed(call: Call) -> bool:
    """Whether a goal is a holdsAt at a time-point that is known."""
    ref = reference(call.goal)
    return (
        ref is not None
        and ref.reading == "holdsAt"
        and all(v.name in call.bound for v in variables(ref.time))
    )


def _is_search(call: Call) -> bool:
    """Whether a goal is a holdsAt of some instances, known by an argument."""
    ref = reference(call.goal)
    if ref is None or ref.reading != "holdsAt":
        return False
    named = name_and_args(ref.entity) if ref.entity is not None else None
    args = named[1] if named is not None else ()
    known = [all(v.name in call.bound for v in variables(arg)) for arg in args]
    return not all(known) and any(
        isinstance(arg, Var) and is_known for arg, is_known in zip(args, known, strict=True)
    )
