r"""Programs that find the ground rules of a level: which rules may fire, when, and because of what.

The engine is asked with events only. A rule becomes the rule of an event that happens wherever the
rule may fire, negations left open; its last argument lists what the rule rests on:

    initiatedAt(f(X)=true, T) :-               happensAt(rtec_rule_1(X, true, [N1,N2,[0|L]]), T) :-
        happensAt(e(X), T),                        happensAt(e(X, N1), T),
        holdsAt(g(X)=low, T),          ==>         holdsAt(g(X, N2)=low, T),
        rank(X, 3),                                rank(X, 3),
        \+ happensAt(d(X, _), T).                   findall([N3], happensAt(d(X, _, N3), T), L).

Every record, and every fluent and event of a lower level that may hold or happen, is handed over
with a number as its last argument, 0 if it is certain. A list that begins with 0 is a negation:
none of the lists after it is true as a whole; one that begins with 1 says that they all are.
Open arguments of a head become the atom `$any`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from rtec.compiler.bodies import goals
from rtec.compiler.declarations import infer_entities
from rtec.compiler.dependencies import build_graph
from rtec.compiler.description import Description, Hint, Rule, split_fvp
from rtec.compiler.lowering import Lowering, bound_variables
from rtec.compiler.module_text import module_text
from rtec.compiler.program import Program
from rtec.compiler.reader import make_source, read_clauses
from rtec.compiler.references import Key, Reference, entity_key, is_temporal
from rtec.compiler.terms import (
    NIL,
    TRUE,
    Atom,
    Clause,
    Compound,
    Num,
    Span,
    Term,
    Var,
    compound,
    conjunction,
    conjuncts,
    list_term,
    name_and_args,
    variables,
)
from rtec.prob.probec_plan import Level, Plan, TimedRule
from rtec.prob.probec_rules import Absent, Asked, Body, Listed, Plain
from rtec.prob.probec_static import Expression, StaticRule

ANY = "$any"
NOW = "rtec_now"
MOST_LISTED = 12
"""How many uncertain items a list (`findall`) may have."""

TimedKind: TypeAlias = Literal["initiated", "terminated", "initially", "default", "event"]

_CHOICE = f"""
rtec_choice(Pairs, Items, In, Out) :-
    rtec_uncertain(Pairs, 0, N),
    ( N > {MOST_LISTED} -> throw(error(resource_error(uncertain_items_of_a_list), _)) ; true ),
    rtec_choose(Pairs, Items, In, Out).
rtec_choose([], [], [], []).
rtec_choose([Item-Proof|Pairs], Items, In, Out) :-
    ( rtec_certain(Proof)
    -> Items = [Item|Items1], rtec_choose(Pairs, Items1, In, Out)
    ;  Items = [Item|Items1], In = [Proof|In1], rtec_choose(Pairs, Items1, In1, Out)
    ;  Out = [Proof|Out1], rtec_choose(Pairs, Items, In, Out1)
    ).
rtec_certain([]).
rtec_certain([0|Proof]) :- rtec_certain(Proof).
rtec_uncertain([], N, N).
rtec_uncertain([_-Proof|Pairs], N0, N) :-
    ( rtec_certain(Proof) -> N1 = N0 ; N1 is N0+1 ),
    rtec_uncertain(Pairs, N1, N).
"""


@dataclass(frozen=True)
class Timed:
    """A rule about time-points in a program: what its events mean."""

    kind: TimedKind
    key: Key


@dataclass(frozen=True)
class Defined:
    """A clause of a static fluent in a program: its events give the numbers of its literals."""

    key: Key
    expression: Expression


@dataclass(frozen=True)
class LevelProgram:
    """The program of one level.

    Attributes:
        program: What the engine runs.
        timed: What the events of rules about time-points mean, by their name.
        defined: The same for clauses of static fluents.
        reads: How fluents and events are read: the reading, and name and arity.
        cyclic: Whether the level has to be asked until nothing new comes out.
    """

    program: Program
    timed: dict[str, Timed]
    defined: dict[str, Defined]
    reads: frozenset[tuple[str, Key]]
    cyclic: bool


def change_name(reading: str, name: str) -> str:
    """The event by which a level learns that a fluent may start, end, be initiated or broken."""
    return f"rtec_{reading}_{name}"


def known_name(name: str) -> str:
    """The fluent by which a level learns which instances of an open fluent are known."""
    return f"rtec_known_{name}"


def level_program(plan: Plan, level: Level, background: tuple[str, ...], name: str) -> LevelProgram:
    """Write the program of a level."""
    return _Writer(plan, level).write(background, name)


class _Writer:
    def __init__(self, plan: Plan, level: Level) -> None:
        self.plan = plan
        self.level = level
        self.numbers = itertools.count(1)
        self.rules: list[Rule] = []
        self.timed: dict[str, Timed] = {}
        self.defined: dict[str, Defined] = {}
        self.reads: set[tuple[str, Key]] = set()
        self.time = Var("RtecT")
        self.groundings = _groundings(plan.description)

    def write(self, background: tuple[str, ...], name: str) -> LevelProgram:
        for timed in self.level.timed:
            self._timed(timed)
        for static in self.level.static:
            self._static(static)
        description = self._description()
        entities = infer_entities(description)
        graph = build_graph(description, entities)
        lowered = Lowering(description, entities, graph).lower()
        text = module_text(name, lowered, description)
        program = Program(name, text, background, {}, frozenset())
        return LevelProgram(
            program, self.timed, self.defined, frozenset(self.reads), self.level.cyclic
        )

    def _description(self) -> Description:
        original = self.plan.description
        helpers = [
            clause
            for clause in original.helpers
            if not any(is_temporal(goal.term) for goal in goals(clause.body))
        ]
        choice, _ = read_clauses(make_source("rtec", _CHOICE))
        return replace(
            original,
            rules=self.rules,
            hints=list(self._declarations()),
            helpers=[*helpers, *choice],
        )

    def _declarations(self) -> Iterable[Hint]:
        """How the records of the fluents that are read are laid out."""
        for name, arity in sorted(key for reading, key in self.reads if reading == "holdsAt"):
            blanks = tuple(Var(f"_{i}") for i in range(arity + 1))
            fvp = compound("=", Compound(name, blanks), Var("_V"))
            layout = "points" if self.plan.is_of_points((name, arity)) else "collectIntervals"
            yield Hint(layout, (fvp,), TRUE, _CLAUSE)

    # -- rules about time-points -----------------------------------------------------

    def _timed(self, timed: TimedRule) -> None:
        rule, key = timed.rule, timed.key
        kind: TimedKind = rule.kind  # type: ignore[assignment]
        if kind == "initially":
            if rule in self.plan.defaults.get(key, ()):
                return
            self.time = Var("RtecT")
            front: list[Term] = [self._now()]
        else:
            assert isinstance(rule.time, Var)
            self.time = rule.time
            front = []
        body, literals = self._body(timed.body)
        value = rule.value
        if kind in ("initiated", "initially"):
            body += self._grounded(rule)
        named = name_and_args(rule.entity)
        assert named is not None
        arguments = [*named[1], *([] if value is None else [value])]
        body += self._close(arguments, rule)
        name = self._emit([*front, *body], arguments, list_term(literals), rule.clause)
        self.timed[name] = Timed(kind, key)
        if kind in ("initiated", "terminated") and key in self.plan.defaults:
            initial = self._variable("V")
            found = self._default(key, compound("=", rule.entity, initial))
            name = self._emit([*body, found], [*named[1], initial], NIL, rule.clause)
            self.timed[name] = Timed("default", key)

    def _now(self) -> Term:
        self.reads.add(("now", (NOW, 0)))
        return compound("happensAt", Atom(NOW), self.time)

    def _emit(self, body: list[Term], arguments: list[Term], last: Term, clause: Clause) -> str:
        name = f"rtec_rule_{next(self.numbers)}"
        event = Compound(name, (*arguments, last))
        self.rules.append(Rule("event", event, None, self.time, conjunction(body), clause))
        return name

    def _close(self, arguments: list[Term], rule: Rule) -> list[Term]:
        """Bind open arguments of a head to `$any`."""
        bound = bound_variables(rule.body)
        found = {v.name: v for argument in arguments for v in variables(argument)}
        return [
            compound(";", compound("->", compound("var", v), compound("=", v, Atom(ANY))), TRUE)
            for name, v in found.items()
            if name not in bound
        ]

    def _grounded(self, rule: Rule) -> list[Term]:
        """Let declared groundings supply and restrict the instances of a fluent."""
        key = entity_key(rule.entity)
        hints = self.groundings.get(key)
        if hints is None:
            return []
        assert rule.value is not None
        subject = compound("=", rule.entity, rule.value)
        options = []
        for hint in hints:
            renamed = _renamed(compound("g", hint.args[0], hint.body), next(self.numbers))
            assert isinstance(renamed, Compound)
            options.append(compound(",", compound("=", subject, renamed.args[0]), renamed.args[1]))
        return [_any_of(options)]

    # -- bodies ------------------------------------------------------------------------

    def _body(self, body: Body) -> tuple[list[Term], list[Term]]:
        """Write conditions as goals; give the terms that say what they rest on."""
        written: list[Term] = []
        literals: list[Term] = []
        for condition in body:
            if isinstance(condition, Plain):
                written.append(condition.goal)
            elif isinstance(condition, Asked):
                number = self._variable("N")
                written.append(self._asked(condition.ref, number))
                literals.append(number)
            elif isinstance(condition, Absent):
                proof, found = self._variable("P"), self._variable("L")
                written.append(compound("findall", proof, self._proofs(condition, proof), found))
                literals.append(compound("[|]", Num(0), found))
            else:
                written += self._listed(condition, literals)
        return written, literals

    def _listed(self, condition: Listed, literals: list[Term]) -> list[Term]:
        proof, pairs = self._variable("P"), self._variable("L")
        chosen, others = self._variable("In"), self._variable("Out")
        template = compound("-", condition.template, proof)
        literals.append(compound("[|]", Num(1), chosen))
        literals.append(compound("[|]", Num(0), others))
        return [
            compound("findall", template, self._proofs(condition, proof), pairs),
            compound("rtec_choice", pairs, condition.result, chosen, others),
        ]

    def _proofs(self, condition: Absent | Listed, proof: Var) -> Term:
        options = []
        for inner in condition.bodies:
            written, literals = self._body(inner)
            options.append(conjunction([*written, compound("=", proof, list_term(literals))]))
        return _any_of(options)

    def _variable(self, prefix: str) -> Var:
        return Var(f"Rtec{prefix}{next(self.numbers)}")

    def _asked(self, ref: Reference, number: Var) -> Term:
        assert ref.entity is not None and ref.key is not None
        named = name_and_args(ref.entity)
        assert named is not None
        self.reads.add((ref.reading, ref.key))
        if ref.reading == "happens":
            return compound("happensAt", Compound(named[0], (*named[1], number)), self.time)
        assert ref.value is not None
        if ref.reading == "holdsAt":
            numbered = Compound(named[0], (*named[1], number))
            goal = compound("holdsAt", compound("=", numbered, ref.value), self.time)
            return self._or_default(ref, goal, number)
        name = change_name(ref.reading, named[0])
        event = Compound(name, (*named[1], ref.value, number))
        return compound("happensAt", event, self.time)

    def _or_default(self, ref: Reference, goal: Term, number: Var) -> Term:
        """An instance of an open fluent of which nothing is known has its initial value."""
        assert ref.key is not None and ref.entity is not None and ref.value is not None
        named = name_and_args(ref.entity)
        if ref.key not in self.plan.defaults or named is None:
            return goal
        self.reads.add(("known", ref.key))
        known = Compound(known_name(named[0]), (*named[1], Atom("x")))
        unknown: list[Term] = [compound("ground", ref.entity)]
        unknown.append(
            compound("\\+", compound("holdsAt", compound("=", known, Atom("true")), self.time))
        )
        unknown.append(self._default(ref.key, compound("=", ref.entity, ref.value)))
        return compound(";", goal, conjunction([*unknown, compound("=", number, Num(0))]))

    def _default(self, key: Key, subject: Term) -> Term:
        """Match a fluent with the first initial value that it has whatever its arguments."""
        options = []
        for rule in self.plan.defaults[key]:
            assert rule.value is not None
            whole = compound("d", compound("=", rule.entity, rule.value), rule.body)
            renamed = _renamed(whole, next(self.numbers))
            assert isinstance(renamed, Compound)
            options.append(compound(",", compound("=", subject, renamed.args[0]), renamed.args[1]))
        return compound("once", _any_of(options))

    # -- static fluents ----------------------------------------------------------------

    def _static(self, static: StaticRule) -> None:
        rule = static.rule
        key = entity_key(rule.entity)
        named = name_and_args(rule.entity)
        assert named is not None and rule.value is not None
        arguments = [*named[1], rule.value]
        for needed in static.needed:
            self.time = Var("RtecT")
            numbers = [self._variable("N") for _ in static.literals]
            body: list[Term] = [self._now()]
            body += [self._present(static.literals[i], numbers[i]) for i in sorted(needed)]
            body += static.guards
            body += self._grounded(rule)
            body += [self._not_before(rule, earlier) for earlier in self._earlier(static)]
            for i, literal in enumerate(static.literals):
                if i not in needed:
                    absent = compound("=", numbers[i], Num(-1))
                    found = self._present(literal, numbers[i])
                    body.append(compound(";", compound("*->", found, TRUE), absent))
            open_heads = [v for argument in arguments for v in variables(argument)]
            body += [compound("ground", list_term(list(open_heads)))] if open_heads else []
            name = self._emit(body, arguments, list_term(list(numbers)), rule.clause)
            self.defined[name] = Defined(key, static.expression)

    def _present(self, ref: Reference, number: Var) -> Term:
        assert ref.key is not None and ref.entity is not None and ref.value is not None
        named = name_and_args(ref.entity)
        assert named is not None
        self.reads.add(("any", ref.key))
        event = Compound(change_name("any", named[0]), (*named[1], ref.value, number))
        return self._or_default(ref, compound("happensAt", event, self.time), number)

    def _earlier(self, static: StaticRule) -> list[StaticRule]:
        """The clauses of the same fluent that come first."""
        key = entity_key(static.rule.entity)
        same = [s for s in self.level.static if entity_key(s.rule.entity) == key]
        return same[: same.index(static)]

    def _not_before(self, rule: Rule, earlier: StaticRule) -> Term:
        """The first clause that applies to an instance is the one that counts."""
        assert rule.value is not None and earlier.rule.value is not None
        head = compound("=", earlier.rule.entity, earlier.rule.value)
        whole = compound("e", head, conjunction(list(earlier.guards)))
        renamed = _renamed(whole, next(self.numbers))
        assert isinstance(renamed, Compound)
        same = compound("=", renamed.args[0], compound("=", rule.entity, rule.value))
        return compound("\\+", conjunction([same, *conjuncts(renamed.args[1])]))


_CLAUSE = Clause(Atom("rtec"), TRUE, Span("rtec", 0, 0))


def _groundings(description: Description) -> dict[Key, list[Hint]]:
    """Declared groundings, without the domains that hold everything in the stream."""
    domains = {entity_key(hint.args[0]) for hint in description.hints_of("dynamicDomain")}
    found: dict[Key, list[Hint]] = {}
    for hint in description.hints_of("grounding"):
        fvp = split_fvp(hint.args[0])
        if fvp is not None:
            plain = [goal for goal in conjuncts(hint.body) if not _is_domain(goal, domains)]
            found.setdefault(entity_key(fvp[0]), []).append(replace(hint, body=conjunction(plain)))
    return found


def _is_domain(goal: Term, domains: set[Key]) -> bool:
    named = name_and_args(goal)
    return named is not None and (named[0], len(named[1])) in domains


def _any_of(options: Sequence[Term]) -> Term:
    if not options:
        return Atom("fail")
    result = options[-1]
    for option in reversed(options[:-1]):
        result = compound(";", option, result)
    return result


def _renamed(term: Term, number: int) -> Term:
    """The same term with variables of its own."""
    if isinstance(term, Var):
        return Var(f"{term.name}_{number}")
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(_renamed(a, number) for a in term.args), term.span)
    return term
