"""Whether two terms of different clauses could be the same at run time."""

from __future__ import annotations

from rtec.compiler.terms import Compound, Term, Var

Bindings = dict[tuple[int, str], tuple[int, Term]]


def may_unify(one: Term, other: Term) -> bool:
    """Whether terms of two clauses unify; their variables are different ones.

    >>> from rtec.compiler.terms import Atom
    >>> f = lambda *args: Compound("f", args)
    >>> may_unify(f(Var("X"), Atom("a")), f(Atom("b"), Var("X")))
    True
    >>> may_unify(f(Var("X"), Var("X")), f(Atom("a"), Atom("b")))
    False
    """
    bindings: Bindings = {}
    return _unify((0, one), (1, other), bindings)


def all_unify(ones: list[Term], others: list[Term]) -> bool:
    """Whether terms unify pairwise, sharing variables on either side."""
    bindings: Bindings = {}
    pairs = zip(ones, others, strict=True)
    return all(_unify((0, one), (1, other), bindings) for one, other in pairs)


def _unify(one: tuple[int, Term], other: tuple[int, Term], bindings: Bindings) -> bool:
    todo = [(one, other)]
    steps = 0
    while todo:
        steps += 1
        if steps > 10_000:  # a term bound to a part of itself; never seen, and no reason to hang
            return True
        (side_a, a), (side_b, b) = todo.pop()
        side_a, a = _walk(side_a, a, bindings)
        side_b, b = _walk(side_b, b, bindings)
        if isinstance(a, Var):
            if not (isinstance(b, Var) and (side_a, a.name) == (side_b, b.name)):
                bindings[side_a, a.name] = (side_b, b)
        elif isinstance(b, Var):
            bindings[side_b, b.name] = (side_a, a)
        elif isinstance(a, Compound) and isinstance(b, Compound):
            if (a.functor, a.arity) != (b.functor, b.arity):
                return False
            pairs = zip(a.args, b.args, strict=True)
            todo.extend(((side_a, x), (side_b, y)) for x, y in pairs)
        elif a != b:
            return False
    return True


def _walk(side: int, term: Term, bindings: Bindings) -> tuple[int, Term]:
    while isinstance(term, Var) and (side, term.name) in bindings:
        side, term = bindings[side, term.name]
    return side, term
