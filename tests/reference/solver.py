"""Prolog by the book: depth-first resolution over a substitution, one goal at a time.

Temporal goals (`happensAt`, `holdsFor`, ...) come in as extra predicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from rtec.compiler.terms import (
    NIL,
    Atom,
    Clause,
    Compound,
    Num,
    Term,
    Var,
    list_items,
    list_term,
    name_and_args,
)

from .arithmetic import COMPARISONS, GoalError, compare_numbers, evaluate_number, order_key
from .unify import Subst, is_ground, rename_clause, resolve, unify, walk

Key: TypeAlias = tuple[str, int]
Predicate: TypeAlias = Callable[[tuple[Term, ...], Subst], Iterator[Subst]]


class Frame:
    """The clause that a cut commits to."""

    def __init__(self) -> None:
        self.cut = False


def list_of(term: Term, s: Subst) -> list[Term]:
    """The items of a proper list."""
    items, tail = list_items(resolve(term, s))
    if tail != NIL:
        raise GoalError(f"not a list: {term}")
    return items


def _maybe(s: Subst | None) -> Iterator[Subst]:
    if s is not None:
        yield s


def _if(condition: bool, s: Subst) -> Iterator[Subst]:
    if condition:
        yield s


class Solver:
    """Answers goals over some clauses and extra predicates."""

    def __init__(self, clauses: list[Clause], extra: Mapping[Key, Predicate]) -> None:
        """Take the clauses in order; directives other than `dynamic` say nothing here."""
        self.clauses: dict[Key, list[Clause]] = {}
        for clause in clauses:
            if clause.head is None:
                self._directive(clause.body)
            else:
                self.add(clause)
        self.builtins: dict[Key, Predicate] = {**_BUILTINS, **extra}

    def add(self, clause: Clause) -> None:
        """Add a clause at the end of its predicate."""
        assert clause.head is not None
        split = name_and_args(clause.head)
        assert split is not None
        self.clauses.setdefault((split[0], len(split[1])), []).append(clause)

    def declare(self, key: Key) -> None:
        """Make a predicate known, so that calling it without clauses fails quietly."""
        self.clauses.setdefault(key, [])

    def _directive(self, goal: Term) -> None:
        if isinstance(goal, Compound) and goal.functor == "dynamic":
            todo = list(goal.args)
            while todo:
                spec = todo.pop()
                if isinstance(spec, Compound) and spec.functor in (",", "[|]"):
                    todo.extend(spec.args)
                elif isinstance(spec, Compound) and spec.functor == "/":
                    name, arity = spec.args
                    assert isinstance(name, Atom) and isinstance(arity, Num)
                    self.declare((name.name, int(arity.value)))

    def solve(self, goal: Term, s: Subst, frame: Frame | None = None) -> Iterator[Subst]:
        """Yield a substitution for each way in which the goal succeeds."""
        frame = frame or Frame()
        goal = walk(goal, s)
        split = name_and_args(goal)
        if split is None:
            raise GoalError(f"not a goal: {goal}")
        name, args = split
        match name, len(args):
            case ("true", 0):
                yield s
            case ("fail" | "false", 0):
                return
            case ("!", 0):
                yield s
                frame.cut = True
            case (",", 2):
                for s1 in self.solve(args[0], s, frame):
                    yield from self.solve(args[1], s1, frame)
                    if frame.cut:
                        return
            case (";", 2):
                yield from self._disjunction(args[0], args[1], s, frame)
            case ("->", 2):
                yield from self._if_then_else(args[0], args[1], Atom("fail"), s, frame)
            case ("\\+" | "not", 1):
                if self.first(args[0], s) is None:
                    yield s
            case ("findall", 3):
                found = [resolve(args[0], s1) for s1 in self.solve(args[1], s)]
                yield from _maybe(unify(args[2], list_term(found), s))
            case ("aggregate_all", 3):
                yield from self._aggregate(args[0], args[1], args[2], s)
            case ("forall", 2):
                if all(self.first(args[1], s1) is not None for s1 in self.solve(args[0], s)):
                    yield s
            case ("once", 1):
                yield from _maybe(self.first(args[0], s))
            case key:
                yield from self._call(key, args, goal, s)

    def first(self, goal: Term, s: Subst) -> Subst | None:
        """The first solution, if there is one."""
        return next(self.solve(goal, s), None)

    def _disjunction(self, left: Term, right: Term, s: Subst, frame: Frame) -> Iterator[Subst]:
        left = walk(left, s)
        if isinstance(left, Compound) and left.functor == "->" and left.arity == 2:
            yield from self._if_then_else(left.args[0], left.args[1], right, s, frame)
            return
        yield from self.solve(left, s, frame)
        if not frame.cut:
            yield from self.solve(right, s, frame)

    def _if_then_else(
        self, condition: Term, then: Term, otherwise: Term, s: Subst, frame: Frame
    ) -> Iterator[Subst]:
        s1 = self.first(condition, s)
        if s1 is not None:
            yield from self.solve(then, s1, frame)
        else:
            yield from self.solve(otherwise, s, frame)

    def _aggregate(self, spec: Term, goal: Term, result: Term, s: Subst) -> Iterator[Subst]:
        spec = walk(spec, s)
        if spec == Atom("count"):
            yield from _maybe(unify(result, Num(len(list(self.solve(goal, s)))), s))
            return
        if not (isinstance(spec, Compound) and spec.functor in ("sum", "max", "min")):
            raise GoalError(f"aggregate_all over {spec} is not known here")
        values = [evaluate_number(spec.args[0], s1) for s1 in self.solve(goal, s)]
        if spec.functor == "sum":
            yield from _maybe(unify(result, Num(sum(values)), s))
        elif values:
            value = max(values) if spec.functor == "max" else min(values)
            yield from _maybe(unify(result, Num(value), s))

    def _call(self, key: Key, args: tuple[Term, ...], goal: Term, s: Subst) -> Iterator[Subst]:
        # What a description defines itself comes before what is built in.
        if key in self.clauses:
            frame = Frame()
            for clause in self.clauses[key]:
                head, body = rename_clause(clause)
                s1 = unify(head, goal, s)
                if s1 is not None:
                    yield from self.solve(body, s1, frame)
                if frame.cut:
                    return
        elif key in self.builtins:
            yield from self.builtins[key](args, s)
        else:
            raise GoalError(f"unknown predicate {key[0]}/{key[1]}")


def _member(args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
    for item in list_of(args[1], s):
        yield from _maybe(unify(args[0], item, s))


def _memberchk(args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
    yield from _maybe(next(_member(args, s), None))


def _length(args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
    yield from _maybe(unify(args[1], Num(len(list_of(args[0], s))), s))


def _between(args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
    low, high = (int(evaluate_number(a, s)) for a in args[:2])
    for n in range(low, high + 1):
        yield from _maybe(unify(args[2], Num(n), s))


def _append(args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
    joined = list_term(list_of(args[0], s), resolve(args[1], s))
    yield from _maybe(unify(args[2], joined, s))


def _sum_list(args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
    total = sum(evaluate_number(a, s) for a in list_of(args[0], s))
    yield from _maybe(unify(args[1], Num(total), s))


def _sort(args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
    items = sorted(dict.fromkeys(list_of(args[0], s)), key=order_key)
    yield from _maybe(unify(args[1], list_term(items), s))


def _is(args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
    yield from _maybe(unify(args[0], Num(evaluate_number(args[1], s)), s))


def _comparison(op: str) -> Predicate:
    return lambda args, s: _if(compare_numbers(op, args[0], args[1], s), s)


def _identical(args: tuple[Term, ...], s: Subst) -> bool:
    return resolve(args[0], s) == resolve(args[1], s)


_BUILTINS: dict[Key, Predicate] = {
    ("=", 2): lambda args, s: _maybe(unify(args[0], args[1], s)),
    ("\\=", 2): lambda args, s: _if(unify(args[0], args[1], s) is None, s),
    ("==", 2): lambda args, s: _if(_identical(args, s), s),
    ("\\==", 2): lambda args, s: _if(not _identical(args, s), s),
    ("is", 2): _is,
    ("length", 2): _length,
    ("member", 2): _member,
    ("memberchk", 2): _memberchk,
    ("between", 3): _between,
    ("append", 3): _append,
    ("sum_list", 2): _sum_list,
    ("sort", 2): _sort,
    ("ground", 1): lambda args, s: _if(is_ground(resolve(args[0], s)), s),
    ("var", 1): lambda args, s: _if(isinstance(walk(args[0], s), Var), s),
    ("nonvar", 1): lambda args, s: _if(not isinstance(walk(args[0], s), Var), s),
    ("number", 1): lambda args, s: _if(isinstance(walk(args[0], s), Num), s),
    ("atom", 1): lambda args, s: _if(isinstance(walk(args[0], s), Atom), s),
    **{(op, 2): _comparison(op) for op in COMPARISONS},
}
