"""Rule bodies: which goals stand in them, under which control constructs.

`holdsAt`, `happensAt` and the like may stand anywhere that a goal may stand:
under conjunction, disjunction, negation, if-then-else, `findall` and so on.
This file is the only one that knows which arguments of which predicates are goals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rtec.compiler.terms import Compound, Term

GOAL_ARGUMENTS: dict[tuple[str, int], tuple[int, ...]] = {
    (",", 2): (0, 1),
    (";", 2): (0, 1),
    ("->", 2): (0, 1),
    ("*->", 2): (0, 1),
    ("\\+", 1): (0,),
    ("not", 1): (0,),
    ("once", 1): (0,),
    ("ignore", 1): (0,),
    ("call", 1): (0,),
    ("forall", 2): (0, 1),
    ("findall", 3): (1,),
    ("findall", 4): (1,),
    ("aggregate_all", 3): (1,),
    ("aggregate_all", 4): (2,),
    ("setof", 3): (1,),
    ("bagof", 3): (1,),
    ("^", 2): (1,),
}

_NEGATIONS = {("\\+", 1), ("not", 1)}
_LOCAL = {("findall", 3), ("findall", 4), ("aggregate_all", 3), ("aggregate_all", 4), ("forall", 2)}

_COUNTING = _LOCAL - {("forall", 2)}


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal of a body that is not a control construct.

    Attributes:
        term: The goal itself.
        negated: Whether it stands under a negation.
        local: Whether its variables stay inside (findall, forall and the like).
        branch: Whether it stands in a disjunction or if-then-else.
    """

    term: Term
    negated: bool = False
    local: bool = False
    branch: bool = False


def goals(body: Term) -> Iterator[Goal]:
    """Yield the goals of a body, left to right."""
    yield from _goals(body, Goal(body))


def _goals(term: Term, around: Goal) -> Iterator[Goal]:
    if isinstance(term, Compound):
        key = (term.functor, term.arity)
        positions = GOAL_ARGUMENTS.get(key)
        if positions is not None:
            inside = Goal(
                term,
                around.negated or key in _NEGATIONS,
                around.local or key in _LOCAL,
                around.branch or term.functor in (";", "->", "*->"),
            )
            for position in positions:
                yield from _goals(term.args[position], inside)
            return
    yield Goal(term, around.negated, around.local, around.branch)


def map_goals(
    body: Term, change: Callable[[Term], Term], counted: Callable[[Term], Term] | None = None
) -> Term:
    """Replace every goal that is not a control construct by what `change` gives.

    Where solutions are counted (findall and the like), `counted` is used instead if given.
    """
    if isinstance(body, Compound):
        key = (body.functor, body.arity)
        positions = GOAL_ARGUMENTS.get(key)
        if positions is not None:
            inside = counted if counted is not None and key in _COUNTING else change
            args = tuple(
                map_goals(arg, inside, counted) if i in positions else arg
                for i, arg in enumerate(body.args)
            )
            functor = "\\+" if body.functor == "not" else body.functor
            return Compound(functor, args, body.span)
    return change(body)
