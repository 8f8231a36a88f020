"""Static fluents, point by point: what a holdsFor rule says about one time-point.

A union is true where one of its lists is, an intersection where all are, a complement where none
is. A rule that combines interval lists in no other way says the same thing at every time-point;
one that looks at whole intervals (their length, an Allen relation) does not, and is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rtec.compiler.bodies import goals
from rtec.compiler.candidates import candidate_literals
from rtec.compiler.description import Rule
from rtec.compiler.lifting import is_pointwise
from rtec.compiler.references import Reference, is_temporal, reference
from rtec.compiler.terms import NIL, Atom, Compound, Term, Var, conjuncts, list_items, variables
from rtec.prob.probec.rules import Unsupported

Expression: TypeAlias = "int | tuple[str, tuple[Expression, ...]]"
"""The number of a literal, or `and`, `or`, `not` of expressions."""

NOWHERE: Expression = ("or", ())


@dataclass(frozen=True)
class StaticRule:
    """A holdsFor rule taken apart.

    Attributes:
        rule: The rule.
        literals: The fluents it reads.
        guards: Its goals of ordinary Prolog, in order.
        expression: Where it holds, in terms of where its literals hold.
        needed: Sets of literals, of which one must hold somewhere for the rule to hold anywhere.
        may_fail: Whether it leaves instances that hold nowhere to the clauses after it.
    """

    rule: Rule
    literals: tuple[Reference, ...]
    guards: tuple[Term, ...]
    expression: Expression
    needed: tuple[frozenset[int], ...]
    may_fail: bool = False


def static_rule(rule: Rule, skip_filters: bool = False) -> StaticRule:
    """Take a holdsFor rule apart.

    Args:
        rule: The rule.
        skip_filters: Whether a filter of whole intervals that gives the result, as in
            `intDurGreater(I1, 600, I)`, lets everything pass.

    Raises:
        Unsupported: It looks at whole intervals, or is not a plain conjunction.
    """
    reader = _Reader(rule, skip_filters)
    for goal in conjuncts(rule.body):
        reader.take(goal)
    return reader.result()


class _Reader:
    def __init__(self, rule: Rule, skip_filters: bool) -> None:
        self.rule = rule
        self.skip_filters = skip_filters
        self.literals: list[Reference] = []
        self.guards: list[Term] = []
        self.made: dict[str, Expression] = {}
        self.tested: list[tuple[str, Term]] = []
        self.cut = False

    def take(self, goal: Term) -> None:
        ref = reference(goal)
        if ref is not None:
            self._literal(ref)
        elif isinstance(goal, Compound) and is_pointwise(goal):
            self._combine(goal)
        elif goal == Atom("!"):
            self.cut = True
        elif not any(v.name in self.made for v in variables(goal)):
            self._guard(goal)
        elif not self._alias(goal) and not self._filter(goal):
            self._test(goal)

    def result(self) -> StaticRule:
        rule = self.rule
        if isinstance(rule.time, Var):
            expression = self.made.get(rule.time.name)
            if expression is None:
                raise Unsupported("intervals that no condition gives", rule.clause.span)
        elif rule.time == NIL:
            expression = NOWHERE
        else:
            raise Unsupported("intervals that are written down", rule.clause.span)
        _, alternatives = candidate_literals(rule)
        self._check_tests(alternatives)
        head = {v.name for t in (rule.entity, rule.value) if t is not None for v in variables(t)}
        for literal in self.literals:
            for variable in variables(literal.goal.args[0]):
                if variable.name not in head:
                    raise Unsupported(
                        f"a static fluent that depends on `{variable.name}`, "
                        "which is not in its head,",
                        literal.goal.span,
                    )
        return StaticRule(
            rule,
            tuple(self.literals),
            tuple(self.guards),
            expression,
            tuple(alternatives),
            bool(self.tested),
        )

    def _literal(self, ref: Reference) -> None:
        if ref.reading != "holdsFor" or not isinstance(ref.time, Var) or ref.entity is None:
            raise Unsupported("a condition of this kind in a holdsFor rule", ref.goal.span)
        if ref.time.name in self.made:
            raise Unsupported("a comparison of whole interval lists", ref.goal.span)
        self.made[ref.time.name] = len(self.literals)
        self.literals.append(ref)

    def _guard(self, goal: Term) -> None:
        for each in goals(goal):
            if is_temporal(each.term):
                raise Unsupported("a fluent inside a control construct", goal.span)
        if self.cut:
            raise Unsupported("a condition after a cut", goal.span)
        self.guards.append(goal)

    def _combine(self, goal: Compound) -> None:
        output = goal.args[-1]
        if not isinstance(output, Var) or output.name in self.made:
            raise Unsupported("a comparison of whole interval lists", goal.span)
        if goal.functor == "relative_complement_all":
            kept, without = self._list_of(goal.args[0]), self._lists(goal.args[1])
            made: Expression = ("and", (kept, ("not", (("or", without),))))
        elif goal.functor == "complement_all":
            made = ("not", (("or", self._lists(goal.args[0])),))
        elif goal.functor == "union_all":
            made = ("or", self._lists(goal.args[0]))
        else:
            parts = self._lists(goal.args[0])
            made = ("and", parts) if parts else NOWHERE
        self.made[output.name] = made

    def _lists(self, term: Term) -> tuple[Expression, ...]:
        items, tail = list_items(term)
        if tail != NIL:
            raise Unsupported("a list of intervals that is known only at run time", term.span)
        return tuple(self._list_of(item) for item in items)

    def _list_of(self, term: Term) -> Expression:
        if term == NIL:
            return NOWHERE
        if isinstance(term, Var) and term.name in self.made:
            return self.made[term.name]
        raise Unsupported("intervals that no condition gives", term.span)

    def _alias(self, goal: Term) -> bool:
        if not isinstance(goal, Compound) or (goal.functor, goal.arity) != ("=", 2):
            return False
        for one, other in (goal.args, goal.args[::-1]):
            if isinstance(one, Var) and isinstance(other, Var):
                if one.name in self.made and other.name not in self.made:
                    self.made[other.name] = self.made[one.name]
                    return True
        return False

    def _filter(self, goal: Term) -> bool:
        """Let everything pass a filter, if that is wanted."""
        result = self.rule.time
        found = [v for v in variables(goal) if v.name in self.made]
        last = isinstance(goal, Compound) and goal.args[-1] == result
        if not self.skip_filters or not last or len(found) != 1:
            return False
        assert isinstance(result, Var)
        self.made.setdefault(result.name, self.made[found[0].name])
        return True

    def _test(self, goal: Term) -> None:
        """Note a test for emptiness; anything else looks at whole intervals."""
        inner = goal
        equal = False
        if isinstance(inner, Compound) and inner.functor in ("\\+", "not") and inner.arity == 1:
            inner, equal = inner.args[0], True
        names = ("=", "==") if equal else ("\\=", "\\==")
        if isinstance(inner, Compound) and inner.functor in names and inner.arity == 2:
            for one, other in (inner.args, inner.args[::-1]):
                if isinstance(one, Var) and other == NIL:
                    self.tested.append((one.name, goal))
                    return
        raise Unsupported("a condition on whole intervals", goal.span)

    def _check_tests(self, alternatives: list[frozenset[int]]) -> None:
        """A test for emptiness says nothing if the result would be empty anyway."""
        for name, goal in self.tested:
            literal = self.made.get(name)
            if not isinstance(literal, int) or not all(literal in a for a in alternatives):
                raise Unsupported("a condition on whole intervals", goal.span)
