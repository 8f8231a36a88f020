"""Terms and clauses as Prolog text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rtec.compiler.terms import (
    NIL,
    TRUE,
    Atom,
    Clause,
    Num,
    Str,
    Term,
    Var,
    conjuncts,
    list_items,
)

# Operator: its priority, and the highest priorities its left and right sides may have.
INFIX: dict[str, tuple[int, int, int]] = {
    ";": (1100, 1099, 1100),
    "->": (1050, 1049, 1050),
    ",": (1000, 999, 1000),
    **{
        op: (700, 699, 699)
        for op in ("=", "\\=", "==", "\\==", "is", "=:=", "=\\=", "<", ">", "=<", ">=")
    },
    "+": (500, 500, 499),
    "-": (500, 500, 499),
    "*": (400, 400, 399),
    "/": (400, 400, 399),
    "//": (400, 400, 399),
    "mod": (400, 400, 399),
}

PREFIX: dict[str, tuple[int, int]] = {
    "\\+": (900, 900),
    "not": (900, 900),
    "dynamic": (1150, 1149),
}

_PLAIN_ATOM = re.compile(r"[a-z][A-Za-z0-9_]*|\[\]|!|[-+*/\\^<>=~:.?@#&$]+")


def _atom(name: str) -> str:
    if _PLAIN_ATOM.fullmatch(name):
        return name
    escaped = name.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


def _variable(name: str) -> str:
    """A name that Prolog takes for a variable, also for a renamed one."""
    name = re.sub(r"\W", "_", name)
    return name if name[0].isupper() or name[0] == "_" else f"_{name}"


def to_text(term: Term, priority: int = 1200) -> str:
    """The text of a term, with brackets where the priority around it asks for them.

    >>> from rtec.compiler.terms import compound
    >>> to_text(compound("=", compound("gap", Var("V")), Atom("farFromPorts")))
    'gap(V)=farFromPorts'
    """
    if isinstance(term, Var):
        return _variable(term.name)
    if isinstance(term, Atom):
        text = _atom(term.name)
        return f"({text})" if term.name in INFIX or term.name in PREFIX else text
    if isinstance(term, Num):
        return repr(term.value)
    if isinstance(term, Str):
        return '"' + term.text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if term.functor == "[|]" and term.arity == 2:
        return _list(term)
    if term.arity == 2 and term.functor in INFIX:
        own, left, right = INFIX[term.functor]
        op = term.functor if term.functor in (",", "=") else f" {term.functor} "
        text = to_text(term.args[0], left) + op + to_text(term.args[1], right)
        return f"({text})" if own > priority else text
    if term.arity == 1 and term.functor in PREFIX:
        own, inner = PREFIX[term.functor]
        text = f"{term.functor} {to_text(term.args[0], inner)}"
        return f"({text})" if own > priority else text
    return f"{_atom(term.functor)}({','.join(to_text(a, 999) for a in term.args)})"


def _list(term: Term) -> str:
    items, tail = list_items(term)
    text = ",".join(to_text(i, 999) for i in items)
    return f"[{text}]" if tail == NIL else f"[{text}|{to_text(tail, 999)}]"


def clause_to_text(clause: Clause) -> str:
    """The text of one clause, a condition a line."""
    if clause.head is None:
        return f":- {to_text(clause.body)}."
    head = to_text(clause.head)
    if clause.body == TRUE:
        return f"{head}."
    goals = ",\n    ".join(to_text(g, 999) for g in conjuncts(clause.body))
    return f"{head} :-\n    {goals}."


def to_prolog(clauses: Iterable[Clause]) -> str:
    """The text of a description, to be given to the engine."""
    return "".join(clause_to_text(c) + "\n" for c in clauses)
