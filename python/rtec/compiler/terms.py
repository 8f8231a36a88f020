"""Prolog terms in Python, each with the place in the source it was read from.

Spans never take part in comparison or hashing, so two terms are equal when
they are the same term, wherever they were written. Numbers are Python's `int`
and `float`, wrapped in `Num` so that they too can carry a span.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` (left out) of the text of one file."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Var:
    """A variable; `_` variables get distinct names `_1`, `_2` from the reader."""

    name: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Atom:
    """An atom, `[]` included."""

    name: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Num:
    """An integer or a float; `1` and `1.0` are different terms, as in Prolog."""

    value: int | float
    span: Span | None = field(default=None, compare=False, repr=False)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Num)
            and type(self.value) is type(other.value)
            and self.value == other.value
        )

    def __hash__(self) -> int:
        return hash((type(self.value).__name__, self.value))


@dataclass(frozen=True, slots=True)
class Str:
    """A string literal in double quotes."""

    text: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Compound:
    """A functor with at least one argument (`a()` is not used here).

    A list `[a,b|T]` is `Compound("[|]", (a, Compound("[|]", (b, T))))`, ending in `Atom("[]")`.
    """

    functor: str
    args: tuple[Term, ...]
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def arity(self) -> int:
        """How many arguments it has."""
        return len(self.args)


Term: TypeAlias = Var | Atom | Num | Str | Compound

TRUE = Atom("true")
NIL = Atom("[]")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause as read: `head :- body`, a fact (body `true`), or a directive (no head)."""

    head: Term | None
    body: Term
    span: Span
    singletons: tuple[str, ...] = ()

    @property
    def is_directive(self) -> bool:
        """Whether it is `:- goal` rather than a clause."""
        return self.head is None


def compound(functor: str, *args: Term) -> Compound:
    """Make a compound without a span."""
    return Compound(functor, args)


def list_term(items: list[Term], tail: Term = NIL) -> Term:
    """Make a Prolog list."""
    term = tail
    for item in reversed(items):
        term = Compound("[|]", (item, term))
    return term


def list_items(term: Term) -> tuple[list[Term], Term]:
    """Take a list apart: its items, and its tail (`NIL` for a proper list).

    >>> list_items(list_term([Atom("a"), Var("X")]))[0]
    [Atom(name='a'), Var(name='X')]
    """
    items: list[Term] = []
    while isinstance(term, Compound) and term.functor == "[|]" and term.arity == 2:
        items.append(term.args[0])
        term = term.args[1]
    return items, term


def conjuncts(term: Term) -> list[Term]:
    """Flatten `a, (b, c)` to `[a, b, c]`; `true` is the empty conjunction."""
    result: list[Term] = []
    todo = [term]
    while todo:
        goal = todo.pop()
        if isinstance(goal, Compound) and goal.functor == "," and goal.arity == 2:
            todo.extend((goal.args[1], goal.args[0]))
        elif goal != TRUE:
            result.append(goal)
    return result


def conjunction(goals: list[Term]) -> Term:
    """Join goals with `,`; none is `true`."""
    if not goals:
        return TRUE
    term = goals[-1]
    for goal in reversed(goals[:-1]):
        term = Compound(",", (goal, term))
    return term


def subterms(term: Term) -> Iterator[Term]:
    """Yield the term and everything inside it, left to right."""
    todo: list[Term] = [term]
    while todo:
        item = todo.pop()
        yield item
        if isinstance(item, Compound):
            todo.extend(reversed(item.args))


def variables(term: Term) -> list[Var]:
    """List the variables of a term once each, in order of first occurrence."""
    return list({v.name: v for v in subterms(term) if isinstance(v, Var)}.values())


def is_goal(term: Term, name: str, arity: int) -> bool:
    """Whether `term` is a compound (or, for arity 0, an atom) `name/arity`."""
    if arity == 0:
        return isinstance(term, Atom) and term.name == name
    return isinstance(term, Compound) and term.functor == name and term.arity == arity


def name_and_args(term: Term) -> tuple[str, tuple[Term, ...]] | None:
    """Split an event or fluent into its name and arguments; None for anything else."""
    if isinstance(term, Atom):
        return term.name, ()
    if isinstance(term, Compound):
        return term.functor, term.args
    return None
