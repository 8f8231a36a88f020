"""Rules in the form that Prob-EC works with: alternatives, each a list of conditions.

A body may have conjunctions, disjunctions, negations and so on around what it asks of events and
fluents. Here it becomes a few plain lists: what is asked, what must be absent, what is counted,
and ordinary Prolog, which is certain. What has no probability by the rules of the calculus, or
none that could be worked out from one time-point to the next, is refused with its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rtec.compiler.bodies import goals
from rtec.compiler.description import Description, Rule
from rtec.compiler.references import Key, Reference, reference
from rtec.compiler.terms import (
    TRUE,
    Atom,
    Compound,
    Num,
    Span,
    Term,
    Var,
    compound,
    name_and_args,
    subterms,
    variables,
)


@dataclass(frozen=True)
class Plain:
    """A goal of ordinary Prolog: true or not, whatever happens."""

    goal: Term


@dataclass(frozen=True)
class Asked:
    """An event or fluent that has to be there."""

    ref: Reference


@dataclass(frozen=True)
class Absent:
    """Conditions none of which may be met: a negation."""

    bodies: tuple[Body, ...]


@dataclass(frozen=True)
class Listed:
    """The list of a template for all ways to meet conditions: `findall`."""

    template: Term
    bodies: tuple[Body, ...]
    result: Term


_TESTS = {("->", 2), ("*->", 2)}
Condition: TypeAlias = Plain | Asked | Absent | Listed
Body: TypeAlias = tuple[Condition, ...]


class Unsupported(Exception):
    """Something in a rule has no probability that can be worked out; it says what, and where."""

    def __init__(self, what: str, span: Span | None) -> None:
        """Say what stands in the rule, and where."""
        super().__init__(what)
        self.what = what
        self.span = span


def asked(body: Body) -> Iterator[Reference]:
    """Yield everything that a body asks of events and fluents, under negations too."""
    for condition in body:
        if isinstance(condition, Asked):
            yield condition.ref
        elif isinstance(condition, Absent | Listed):
            for inner in condition.bodies:
                yield from asked(inner)


class Normaliser:
    """Takes bodies apart."""

    def __init__(self, description: Description, domains: set[Key], readers: set[Key]) -> None:
        """Take what surrounds the rules.

        Args:
            description: The description.
            domains: Predicates whose solutions come from the stream.
            readers: Plain predicates of the description that ask for events or fluents.
        """
        self.description = description
        self.domains = domains
        self.readers = readers
        self._rule_variables: Counter[str] = Counter()
        self._rule: Rule | None = None

    def bodies(self, rule: Rule) -> list[Body]:
        """The alternatives of a rule.

        Raises:
            Unsupported: With what stands in the way.
        """
        if rule.time is not None and not isinstance(rule.time, Var):
            raise Unsupported("a time-point that is not a variable", rule.clause.span)
        self._rule = rule
        heads = [t for t in (rule.entity, rule.value, rule.time) if t is not None]
        self._rule_variables = _occurrences(*heads, rule.body)
        return [_with_range(rule, body) for body in self._alternatives(rule.body, set())]

    # -- control ---------------------------------------------------------------------

    def _alternatives(self, term: Term, bound: set[str]) -> list[Body]:
        """Take a goal apart; `bound` has the variables of the goals before it, and grows."""
        if term == TRUE:
            return [()]
        if not self._is_temporal(term):
            result = self._plain(term)
        elif isinstance(term, Compound):
            result = self._control(term, bound)
        else:
            raise Unsupported("a goal that is known only at run time", _span(term))
        bound.update(v.name for v in variables(term))
        return result

    def _plain(self, term: Term) -> list[Body]:
        for goal in goals(term):
            if goal.term == Atom("!"):
                raise Unsupported("a cut", _span(term))
            named = name_and_args(goal.term)
            if named is not None and (named[0], len(named[1])) in self.domains:
                raise Unsupported(
                    f"`{named[0]}/{len(named[1])}`, whose solutions depend on the stream,",
                    _span(goal.term),
                )
        return [(Plain(term),)]

    def _control(self, term: Compound, bound: set[str]) -> list[Body]:
        key, args = (term.functor, term.arity), term.args
        if key == (",", 2):
            left = self._alternatives(args[0], bound)
            right = self._alternatives(args[1], bound)
            return [(*a, *b) for a in left for b in right]
        if key == (";", 2):
            return self._disjunction(args[0], args[1], bound)
        if key in _TESTS:
            return self._disjunction(term, Atom("fail"), bound)
        if key in (("\\+", 1), ("not", 1)):
            return [(Absent(tuple(self._alternatives(args[0], set(bound)))),)]
        if key == ("forall", 2):
            counter = compound(",", args[0], compound("\\+", args[1]))
            return [(Absent(tuple(self._alternatives(counter, set(bound)))),)]
        if key in (("call", 1), ("once", 1)):
            if key == ("once", 1):
                self._binds_nothing(args[0], bound)
            return self._alternatives(args[0], bound)
        if key == ("findall", 3):
            bodies = tuple(self._alternatives(args[1], set(bound)))
            return [(Listed(args[0], bodies, args[2]),)]
        if key == ("aggregate_all", 3):
            return [self._aggregate(term, bound)]
        ref = reference(term)
        if ref is not None:
            return [self._asked(ref)]
        raise Unsupported(f"`{term.functor}/{term.arity}` around a fluent or an event", term.span)

    def _disjunction(self, left: Term, right: Term, bound: set[str]) -> list[Body]:
        if not isinstance(left, Compound) or (left.functor, left.arity) not in _TESTS:
            return [*self._alternatives(left, set(bound)), *self._alternatives(right, set(bound))]
        condition, then = left.args
        inside = set(bound)
        if left.functor == "->" and self._is_temporal(condition):
            self._binds_nothing(condition, bound)
            first = self._alternatives(condition, inside)
        elif left.functor == "->":
            first = self._plain(compound("once", condition))
        else:
            first = self._alternatives(condition, inside)
        inside.update(v.name for v in variables(condition))
        met = [(*a, *b) for a in first for b in self._alternatives(then, inside)]
        unmet = self._alternatives(compound("\\+", condition), set(bound))
        return met + [(*a, *b) for a in unmet for b in self._alternatives(right, set(bound))]

    def _aggregate(self, term: Compound, bound: set[str]) -> Body:
        """A summary of a list, once the list is known."""
        what, goal, result = term.args
        bodies = tuple(self._alternatives(goal, set(bound)))
        items = Var(f"RtecItems{term.span.start if term.span else id(term)}")
        item, other = Var("RtecItem"), Var("RtecOther")
        if what == Atom("count"):
            return Listed(Atom("x"), bodies, items), Plain(compound("length", items, result))
        if not isinstance(what, Compound) or what.arity > 2:
            raise Unsupported("an aggregate of an unknown kind", term.span)
        pair = what.arity == 2
        template = compound("-", *what.args) if pair else what.args[0]
        member = compound("member", compound("-", item, other) if pair else item, items)
        summary = Compound(what.functor, (item, other) if pair else (item,))
        return (
            Listed(template, bodies, items),
            Plain(compound("aggregate_all", summary, member, result)),
        )

    # -- what is asked -----------------------------------------------------------------

    def _asked(self, ref: Reference) -> Body:
        rule = self._rule
        assert rule is not None
        if ref.entity is None:
            raise Unsupported("an event or fluent that is known only at run time", ref.goal.span)
        if ref.reading == "holdsFor":
            raise Unsupported("`holdsFor` in a rule about time-points", ref.goal.span)
        if ref.reading == "terminated" and not isinstance(ref.value, Atom | Num):
            raise Unsupported("a termination of a value that is not given", ref.goal.span)
        if rule.time is None or ref.time != rule.time:
            raise Unsupported("a condition at another time-point", ref.goal.span)
        tests: list[Condition] = []
        if ref.bounds is not None:
            lower, upper = ref.bounds
            tests = [
                Plain(test)
                for bound, test in (
                    (lower, compound("=<", lower, ref.time)),
                    (upper, compound("<", ref.time, upper)),
                )
                if not (isinstance(bound, Var) and bound.name.startswith("_"))
            ]
        return Asked(ref), *tests

    def _is_temporal(self, term: Term) -> bool:
        for goal in goals(term):
            if reference(goal.term) is not None:
                return True
            named = name_and_args(goal.term)
            if named is not None and (named[0], len(named[1])) in self.readers:
                raise Unsupported(
                    f"`{named[0]}/{len(named[1])}`, which asks for events or fluents itself,",
                    _span(goal.term),
                )
        return False

    def _binds_nothing(self, term: Term, bound: set[str]) -> None:
        """Refuse a goal of which the first solution would matter."""
        inside = _occurrences(term)
        for name, count in inside.items():
            if name not in bound and self._rule_variables[name] > count:
                raise Unsupported(
                    f"a choice of the first solution, which binds `{name}`", _span(term)
                )


def _with_range(rule: Rule, body: Body) -> Body:
    """Give T1 and T2 of a 4-argument head values around the time-point that the rule is at."""
    used = {v.name for c in _plain_goals(body) for v in variables(c)}
    used |= {v.name for ref in asked(body) for v in variables(ref.goal)}
    bounds: list[Condition] = []
    assert rule.time is not None or (rule.lower is None and rule.upper is None)
    if isinstance(rule.lower, Var) and rule.lower.name in used and rule.time is not None:
        bounds.append(Plain(compound("=", rule.lower, rule.time)))
    if isinstance(rule.upper, Var) and rule.upper.name in used and rule.time is not None:
        bounds.append(Plain(compound("is", rule.upper, compound("+", rule.time, Num(1)))))
    return (*body[:1], *bounds, *body[1:])


def _plain_goals(body: Body) -> Iterator[Term]:
    for condition in body:
        if isinstance(condition, Plain):
            yield condition.goal
        elif isinstance(condition, Absent | Listed):
            for inner in condition.bodies:
                yield from _plain_goals(inner)


def _occurrences(*terms: Term) -> Counter[str]:
    return Counter(t.name for term in terms for t in subterms(term) if isinstance(t, Var))


def _span(term: Term) -> Span | None:
    return term.span
