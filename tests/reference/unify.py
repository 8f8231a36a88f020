"""Substitutions and unification, by copying dictionaries.

A substitution maps names of variables to terms and is never changed, only extended into a
new one, so that backtracking needs no undoing.
"""

from __future__ import annotations

from itertools import count
from typing import TypeAlias

from rtec.compiler.terms import Clause, Compound, Term, Var, subterms

Subst: TypeAlias = dict[str, Term]

_fresh = count()


def walk(term: Term, s: Subst) -> Term:
    """Follow the bindings of a variable; look at nothing inside."""
    while isinstance(term, Var) and term.name in s:
        term = s[term.name]
    return term


def resolve(term: Term, s: Subst) -> Term:
    """Put the bindings of `s` everywhere inside `term`."""
    term = walk(term, s)
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(resolve(a, s) for a in term.args))
    return term


def unify(a: Term, b: Term, s: Subst) -> Subst | None:
    """Extend `s` so that `a` and `b` are the same term, or say None.

    >>> from rtec.compiler.terms import Atom
    >>> unify(Compound("f", (Var("X"), Atom("b"))), Compound("f", (Atom("a"), Var("Y"))), {})
    {'X': Atom(name='a'), 'Y': Atom(name='b')}
    """
    a, b = walk(a, s), walk(b, s)
    if isinstance(a, Var):
        return s if a == b else {**s, a.name: b}
    if isinstance(b, Var):
        return {**s, b.name: a}
    if isinstance(a, Compound) and isinstance(b, Compound):
        if a.functor != b.functor or a.arity != b.arity:
            return None
        for x, y in zip(a.args, b.args, strict=True):
            extended = unify(x, y, s)
            if extended is None:
                return None
            s = extended
        return s
    return s if a == b else None


def matches(a: Term, b: Term) -> bool:
    """Whether two terms that share no variables have a common instance."""
    return unify(a, b, {}) is not None


def is_ground(term: Term) -> bool:
    """Whether the term has no variables."""
    return not any(isinstance(t, Var) for t in subterms(term))


def rename(*terms: Term) -> tuple[Term, ...]:
    """Give the variables of the terms, taken together, names that nobody else has."""
    suffix = f"#{next(_fresh)}"

    def go(term: Term) -> Term:
        if isinstance(term, Var):
            return Var(term.name + suffix)
        if isinstance(term, Compound):
            return Compound(term.functor, tuple(go(a) for a in term.args))
        return term

    return tuple(go(t) for t in terms)


def rename_clause(clause: Clause) -> tuple[Term, Term]:
    """Head and body of a clause, with fresh variables.

    Needed where a clause is called from another one; a rule that is evaluated by itself, from
    the empty substitution, may keep its names.
    """
    assert clause.head is not None
    head, body = rename(clause.head, clause.body)
    return head, body
