"""Prolog arithmetic and the standard order of terms, as far as descriptions need them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from rtec.compiler.terms import Atom, Compound, Num, Str, Term, Var

from .unify import Subst, walk

Number: TypeAlias = int | float


class GoalError(Exception):
    """A goal that Prolog too would refuse: unbound arithmetic, an unknown predicate."""


def _divide(a: Number, b: Number) -> Number:
    if isinstance(a, int) and isinstance(b, int) and a % b == 0:
        return a // b
    return a / b


_BINARY: dict[str, Callable[[Number, Number], Number]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "//": lambda a, b: int(a / b),
    "mod": lambda a, b: a % b,
    "min": min,
    "max": max,
}

_UNARY: dict[str, Callable[[Number], Number]] = {"-": lambda a: -a, "abs": abs, "+": lambda a: a}

_COMPARE: dict[str, Callable[[Number, Number], bool]] = {
    "=:=": lambda a, b: a == b,
    "=\\=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "=<": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}

COMPARISONS = tuple(_COMPARE)


def evaluate_number(term: Term, s: Subst) -> Number:
    """The value of an arithmetic expression; `inf` is infinite."""
    term = walk(term, s)
    if isinstance(term, Num):
        return term.value
    if term == Atom("inf"):
        return math.inf
    if isinstance(term, Compound) and term.arity == 2 and term.functor in _BINARY:
        left, right = (evaluate_number(a, s) for a in term.args)
        return _BINARY[term.functor](left, right)
    if isinstance(term, Compound) and term.arity == 1 and term.functor in _UNARY:
        return _UNARY[term.functor](evaluate_number(term.args[0], s))
    raise GoalError(f"not a number: {term}")


def compare_numbers(op: str, left: Term, right: Term, s: Subst) -> bool:
    """Whether `left op right`, both evaluated."""
    return _COMPARE[op](evaluate_number(left, s), evaluate_number(right, s))


def order_key(term: Term) -> tuple[object, ...]:
    """A sort key for the standard order: variables, numbers, atoms, strings, compounds."""
    if isinstance(term, Var):
        return (0, term.name)
    if isinstance(term, Num):
        return (1, term.value, isinstance(term.value, int))
    if isinstance(term, Atom):
        return (2, term.name)
    if isinstance(term, Str):
        return (3, term.text)
    return (4, term.arity, term.functor, tuple(order_key(a) for a in term.args))
