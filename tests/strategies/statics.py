"""Random definitions of static fluents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st
from reference.allen import MODE_SPELLINGS, RELATIONS
from rtec.compiler.terms import NIL, Atom, Clause, Num, Term, Var, compound, list_term

from .scope import Scope, chance, choose, make_clause
from .signatures import FluentSignature, Type

_RESULT = Var("I")


@dataclass(frozen=True)
class Constructs:
    """Which constructs beyond the set operations may occur, and the tick that scales them.

    Complements are of instances that the stream names (`seen/1`).
    """

    allen: bool = False
    durations: bool = False
    tick: int = 1
    complements: bool = False


@st.composite
def static_fluents(
    draw: st.DrawFn, name: str, fluents: tuple[FluentSignature, ...], constructs: Constructs
) -> tuple[FluentSignature, list[Clause]]:
    """Make a static fluent over fluents of lower levels, by one clause or two."""
    value = choose(draw, "true", "high")
    first = _Clause(draw, fluents, constructs)
    signature = FluentSignature(name, tuple(first.types.values()), (value,))
    ids = [v for v, t in first.types.items() if t == "id"]
    args: list[Term] = [Var(v) for v in first.types]
    fvp = signature.fvp(args, Atom(value))
    head = compound("holdsFor", fvp, _RESULT)
    if constructs.complements and ids and len(ids) == len(args) and chance(draw):
        named: list[Term] = [compound("seen", arg) for arg in args]
        grounding = make_clause(compound("grounding", fvp), named)
        return signature, [make_clause(head, first.complement()), grounding]
    if not ids or not chance(draw):
        return signature, [make_clause(head, first.goals(last=True))]
    # A second clause gives the intervals of the instances that the first one turns away.
    gate = compound("special", Var(choose(draw, *ids)))
    cut: list[Term] = [Atom("!")] if chance(draw) else []
    clauses = [make_clause(head, [gate, *cut, *first.goals(last=False)])]
    if chance(draw):
        empty = compound("holdsFor", signature.fvp(args, Atom(value)), NIL)
        return signature, [*clauses, make_clause(empty, [])]
    second = _Clause(draw, fluents, constructs, first.types)
    return signature, [*clauses, make_clause(head, second.goals(last=True))]


class _Clause:
    """One body: some holdsFor conditions, then constructs over their intervals.

    Every condition has all variables of the head. With a union of `f(X)` and `g`, an instance
    of the union would hold wherever g does, also before anything bound its X; then it
    would matter when the instance was first seen.
    """

    def __init__(
        self,
        draw: st.DrawFn,
        fluents: tuple[FluentSignature, ...],
        constructs: Constructs,
        types: dict[str, Type] | None = None,
    ) -> None:
        self.scope = Scope(draw)
        self.constructs = constructs
        self.operands: list[Term] = []
        if types is None:
            fluent = self.scope.choose(*fluents)
            self.types: dict[str, Type] = {}
            args = [self._first_argument(t) for t in fluent.types]
            self._add(fluent, args)
        else:
            self.types = types
        self.covering = [f for f in fluents if not _missing(self.types, f)]
        count = self.scope.choose(1, 2, 3)
        while len(self.operands) < count:
            fluent = self.scope.choose(*self.covering)
            self._add(fluent, self._arguments(fluent))

    def _add(self, fluent: FluentSignature, args: list[Term]) -> None:
        self.operands.append(fluent.fvp(args, self.scope.choose(*fluent.value_terms)))

    def _first_argument(self, type_: Type) -> Term:
        if len(self.types) < 2 and self.scope.choose(True, True, False):
            variable = self.scope.name("X" if type_ == "id" else "N")
            self.types[variable.name] = type_
            return variable
        return self.scope.choose(*self._known(type_), self.scope.constant(type_))

    def _arguments(self, fluent: FluentSignature) -> list[Term]:
        """Arguments with every variable of the head, in any order, and something else besides."""
        args: list[Term | None] = [None] * len(fluent.types)
        for variable, type_ in self.types.items():
            free = [
                i for i, t in enumerate(fluent.types) if t == type_ and args[i] is None
            ]
            args[self.scope.choose(*free)] = Var(variable)
        return [
            self.scope.choose(*self._known(type_), self.scope.constant(type_))
            if arg is None
            else arg
            for arg, type_ in zip(args, fluent.types, strict=True)
        ]

    def _known(self, type_: Type) -> list[Term]:
        return [Var(v) for v, t in self.types.items() if t == type_]

    def goals(self, last: bool) -> list[Term]:
        """The body; checks for emptiness only where another clause cannot take over."""
        goals: list[Term] = []
        lists: list[Term] = []
        for operand in self.operands:
            intervals = self.scope.name("I")
            goals.append(compound("holdsFor", operand, intervals))
            lists.append(intervals)
        combine, needed = self._combine(lists)
        if last and needed is not None and self.scope.chance():
            # The result is empty if this list is, so the check changes nothing.
            check = self.scope.choose(
                compound("\\=", needed, NIL), compound("\\+", compound("=", needed, NIL))
            )
            goals.insert(lists.index(needed) + 1, check)
        return goals + combine

    def complement(self) -> list[Term]:
        """A body that holds wherever its conditions do not."""
        lists: list[Term] = [self.scope.name("I") for _ in self.operands]
        reads: list[Term] = [
            compound("holdsFor", operand, intervals)
            for operand, intervals in zip(self.operands, lists, strict=True)
        ]
        return [*reads, compound("complement_all", list_term(lists), _RESULT)]

    def _combine(self, lists: list[Term]) -> tuple[list[Term], Term | None]:
        """Goals that make the result, and a list without which it would be empty."""
        kinds: list[Callable[[list[Term]], tuple[list[Term], Term | None]]] = [
            self._union,
            self._intersection,
        ]
        if len(lists) > 1:
            kinds += [self._relative_complement, self._union_less, self._outside]
        if self.constructs.allen and len(lists) > 1:
            kinds += [self._allen, self._allen]
        if self.constructs.durations:
            kinds.append(self._longer)
        return self.scope.choose(*kinds)(lists)

    def _union(self, lists: list[Term]) -> tuple[list[Term], Term | None]:
        return [compound("union_all", list_term(lists), _RESULT)], None

    def _intersection(self, lists: list[Term]) -> tuple[list[Term], Term | None]:
        return [compound("intersect_all", list_term(lists), _RESULT)], lists[0]

    def _relative_complement(self, lists: list[Term]) -> tuple[list[Term], Term | None]:
        others = list_term(lists[1:])
        return [compound("relative_complement_all", lists[0], others, _RESULT)], lists[0]

    def _union_less(self, lists: list[Term]) -> tuple[list[Term], Term | None]:
        both = self.scope.name("U")
        return [
            compound("union_all", list_term(lists[:-1]), both),
            compound("relative_complement_all", both, list_term(lists[-1:]), _RESULT),
        ], None

    def _outside(self, lists: list[Term]) -> tuple[list[Term], Term | None]:
        # Cut to the first list, so that only instances with intervals come out.
        rest = self.scope.name("O")
        return [
            compound("complement_all", list_term(lists[1:]), rest),
            compound("intersect_all", list_term([lists[0], rest]), _RESULT),
        ], lists[0]

    def _allen(self, lists: list[Term]) -> tuple[list[Term], Term | None]:
        relation = self.scope.choose(*RELATIONS)
        source, target, mode = lists[0], lists[1], Atom(self.scope.choose(*MODE_SPELLINGS))
        if len(lists) > 2:
            joined = self.scope.name("U")
            goals: list[Term] = [compound("union_all", list_term(lists[1:]), joined)]
            return [
                *goals,
                compound("allen", Atom(relation), source, joined, mode, _RESULT),
            ], source
        if self.scope.chance():
            return [compound(relation, source, target, mode, _RESULT)], source
        return [compound("allen", Atom(relation), source, target, mode, _RESULT)], source

    def _longer(self, lists: list[Term]) -> tuple[list[Term], Term | None]:
        both = self.scope.name("U")
        least = Num(self.scope.choose(1, 2, 4, 8) * self.constructs.tick)
        return [
            compound("union_all", list_term(lists), both),
            compound("intDurGreater", both, least, _RESULT),
        ], None


def _missing(types: dict[str, Type], fluent: FluentSignature) -> bool:
    """Whether a fluent has too few arguments of some type to have all variables."""
    return bool(Counter(types.values()) - Counter(fluent.types))
