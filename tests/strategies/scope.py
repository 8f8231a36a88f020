"""The variables of one rule while it is being made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st
from reference.inputs import to_term
from rtec.compiler.terms import Clause, Compound, Span, Term, Var, conjunction, subterms

from .signatures import DOMAINS, Type

Item = TypeVar("Item")

TIME = Var("T")
NOWHERE = Span("random", 0, 0)


# Making a strategy costs more than drawing from it.
_INDEX = [st.integers(0, n) for n in range(40)]
_BOOLEAN = st.booleans()


def choose(draw: st.DrawFn, *items: Item) -> Item:
    """One of the items; the first is the simplest."""
    return items[draw(_INDEX[len(items) - 1])] if len(items) > 1 else items[0]


def chance(draw: st.DrawFn) -> bool:
    """Yes or no; no is simpler."""
    return draw(_BOOLEAN)


class Scope:
    """Draws arguments, and knows which variables are bound so far."""

    def __init__(self, draw: st.DrawFn) -> None:
        """Begin a rule with no variables."""
        self.draw = draw
        self.bound: dict[Type, list[Var]] = {t: [] for t in DOMAINS}
        self._count = Counter[str]()

    def name(self, prefix: str) -> Var:
        """A variable that the rule does not have yet."""
        self._count[prefix] += 1
        return Var(f"{prefix}{self._count[prefix]}")

    def choose(self, *items: Item) -> Item:
        """One of the items; the first is the simplest."""
        return choose(self.draw, *items)

    def chance(self) -> bool:
        """Yes or no; no is simpler."""
        return chance(self.draw)

    def constant(self, type_: Type) -> Term:
        """A constant of a domain."""
        return to_term(self.choose(*DOMAINS[type_]))

    def fresh(self, type_: Type) -> Var:
        """A new variable, which the condition that it goes into binds."""
        variable = self.name("X" if type_ == "id" else "N")
        self.bound[type_].append(variable)
        return variable

    def known(self, type_: Type) -> Term:
        """A bound variable if there is one, or a constant."""
        return self.choose(*self.bound[type_], self.constant(type_))

    def open(self, type_: Type) -> Term:
        """A bound variable, a constant, or a variable that stands for anything."""
        return self.choose(self.known(type_), self.name("_"))

    def binding(self, types: tuple[Type, ...]) -> list[Term]:
        """Arguments of a condition that binds: new variables, known ones and constants."""
        args: list[Term] = []
        for type_ in types:
            makers: list[Callable[[Type], Term]] = [self.fresh, self.fresh, self.known]
            args.append(self.choose(*makers)(type_))
        return args

    def knowns(self, types: tuple[Type, ...]) -> list[Term]:
        """Arguments that are all bound when the condition is reached."""
        return [self.known(t) for t in types]

    def opens(self, types: tuple[Type, ...]) -> list[Term]:
        """Arguments of which some may stand for anything."""
        return [self.open(t) for t in types]


def make_clause(head: Term, goals: list[Term]) -> Clause:
    """A clause in which a variable that occurs once says so by its name."""
    body = conjunction(goals)
    times = Counter(v.name for t in (head, body) for v in subterms(t) if isinstance(v, Var))

    def go(term: Term) -> Term:
        if isinstance(term, Var) and times[term.name] == 1 and not term.name.startswith("_"):
            return Var(f"_{term.name}")
        if isinstance(term, Compound):
            return Compound(term.functor, tuple(go(a) for a in term.args))
        return term

    return Clause(go(head), go(body), NOWHERE)
