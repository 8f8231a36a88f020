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

from collections.abc import Iterable
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
from rtec.prob.probec.bodies import (
    ANY,
    CHOICE,
    NOW,
    BodyWriter,
    any_of,
    change_name,
    renamed_apart,
)
from rtec.prob.probec.plan import Level, Plan, TimedRule
from rtec.prob.probec.static_rules import Expression, StaticRule

TimedKind: TypeAlias = Literal["initiated", "terminated", "initially", "default", "event"]


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


def level_program(plan: Plan, level: Level, background: tuple[str, ...], name: str) -> LevelProgram:
    """Write the program of a level."""
    return _Writer(plan, level).write(background, name)


class _Writer(BodyWriter):
    def __init__(self, plan: Plan, level: Level) -> None:
        super().__init__(plan)
        self.level = level
        self.rules: list[Rule] = []
        self.timed: dict[str, Timed] = {}
        self.defined: dict[str, Defined] = {}
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
        choice, _ = read_clauses(make_source("rtec", CHOICE))
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
        body, literals = self.body(timed.body)
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
            initial = self.variable("V")
            found = self.default(key, compound("=", rule.entity, initial))
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
            renamed = renamed_apart(compound("g", hint.args[0], hint.body), next(self.numbers))
            assert isinstance(renamed, Compound)
            options.append(compound(",", compound("=", subject, renamed.args[0]), renamed.args[1]))
        return [any_of(options)]

    # -- static fluents ----------------------------------------------------------------

    def _static(self, static: StaticRule) -> None:
        rule = static.rule
        key = entity_key(rule.entity)
        named = name_and_args(rule.entity)
        assert named is not None and rule.value is not None
        arguments = [*named[1], rule.value]
        for needed in static.needed:
            self.time = Var("RtecT")
            numbers = [self.variable("N") for _ in static.literals]
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
        return self.or_default(ref, compound("happensAt", event, self.time), number)

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
        renamed = renamed_apart(whole, next(self.numbers))
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
