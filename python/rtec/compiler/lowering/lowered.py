"""What lowering makes: sections of clauses, and the predicates whose facts change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rtec.compiler.references import Key
from rtec.compiler.terms import (
    TRUE,
    Atom,
    Clause,
    Compound,
    Num,
    Term,
    Var,
    compound,
)


@dataclass
class Section:
    """Clauses that belong together, under a title, with the rule each came from."""

    title: str
    clauses: list[tuple[Term, Term, Clause | None]] = field(default_factory=list)

    def add(self, head: Term, body: Term = TRUE, origin: Clause | None = None) -> None:
        """Append a clause."""
        self.clauses.append((head, body, origin))


@dataclass
class Lowered:
    """What emission writes down: sections of clauses, and the predicates that change."""

    sections: list[Section] = field(default_factory=list)
    dynamic: list[tuple[str, int]] = field(default_factory=list)
    state: list[tuple[str, int]] = field(default_factory=list)

    def section(self, title: str) -> Section:
        """Start a new section."""
        self.sections.append(Section(title))
        return self.sections[-1]

    def declare_store(self, section: Section, key: Key, store: str) -> None:
        """Declare the store of a fluent, with the clause `add_STORE(F,V,Is)` that fills it."""
        if (store, key[1] + 2) in self.dynamic:
            return
        self.declare(store, key[1] + 2, state=True)
        fluent = general(key)
        args = fluent.args if isinstance(fluent, Compound) else ()
        fact = Compound(store, (*args, Var("V"), Var("Is")))
        section.add(
            compound(f"add_{store}", fluent, Var("V"), Var("Is")), compound("assertz", fact)
        )

    def declare(self, name: str, arity: int, state: bool = False) -> None:
        """Declare a predicate whose facts change; `state` ones survive a query time."""
        if (name, arity) not in self.dynamic:
            self.dynamic.append((name, arity))
            if state:
                self.state.append((name, arity))


def heads(sections: list[Section]) -> Iterable[Term]:
    """The heads of all clauses."""
    for section in sections:
        for head, _, _ in section.clauses:
            yield head


def functor(term: Term) -> str:
    """The functor of a compound; empty for anything else."""
    return term.functor if isinstance(term, Compound) else ""


def indicator(key: Key) -> Term:
    """The term `name/arity`."""
    return compound("/", Atom(key[0]), Num(key[1]))


def general(key: Key) -> Term:
    """The most general event or fluent of a name and arity."""
    name, arity = key
    if arity == 0:
        return Atom(name)
    return Compound(name, tuple(Var(f"A{i}") for i in range(1, arity + 1)))
