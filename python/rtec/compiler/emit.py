"""Terms to Prolog text, laid out one goal a line so that people can read it."""

from __future__ import annotations

import re

from rtec.compiler.terms import Atom, Compound, Num, Str, Term, Var, conjuncts, list_items

_PLAIN_ATOM = re.compile(r"[a-z][A-Za-z0-9_]*\Z")
_SYMBOL_ATOM = re.compile(r"[#$&*+\-./:<=>?@^~\\]+\Z")
_INFIX = {
    ":-": (1200, "xfx"), ";": (1100, "xfy"), "|": (1100, "xfy"), "->": (1050, "xfy"),
    "*->": (1050, "xfy"), ",": (1000, "xfy"), "=": (700, "xfx"), "\\=": (700, "xfx"),
    "==": (700, "xfx"), "\\==": (700, "xfx"), "@<": (700, "xfx"), "@>": (700, "xfx"),
    "@=<": (700, "xfx"), "@>=": (700, "xfx"), "is": (700, "xfx"), "=:=": (700, "xfx"),
    "=\\=": (700, "xfx"), "<": (700, "xfx"), ">": (700, "xfx"), "=<": (700, "xfx"),
    ">=": (700, "xfx"), "=..": (700, "xfx"), ":": (200, "xfy"), "+": (500, "yfx"),
    "-": (500, "yfx"), "*": (400, "yfx"), "/": (400, "yfx"), "//": (400, "yfx"),
    "mod": (400, "yfx"), "rem": (400, "yfx"), "**": (200, "xfx"), "^": (200, "xfy"),
}  # fmt: skip


def atom_text(name: str) -> str:
    r"""Quote an atom where Prolog needs it.

    >>> [atom_text(n) for n in ("a", "B", "[]", "it's", "=")]
    ['a', "'B'", '[]', "'it\\'s'", '=']
    """
    if _PLAIN_ATOM.match(name) or name in ("[]", "!", ";", "{}") or _SYMBOL_ATOM.match(name):
        return name
    escaped = name.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    escaped = escaped.replace("\t", "\\t").replace("\r", "\\r").replace("\0", "\\0\\")
    return f"'{escaped}'"


def number_text(value: int | float) -> str:
    """Write a number as Prolog reads it."""
    if isinstance(value, int):
        return str(value)
    text = repr(value)
    if text in ("inf", "-inf", "nan"):
        return text
    if "e" in text and "." not in text:
        text = text.replace("e", ".0e")
    return text


def term_text(term: Term, precedence: int = 999) -> str:
    """Write a term on one line; operators get parentheses where `precedence` asks for them."""
    if isinstance(term, Var):
        return term.name
    if isinstance(term, Atom):
        text = atom_text(term.name)
        return f"({text})" if precedence < 1200 and term.name in _INFIX else text
    if isinstance(term, Num):
        text = number_text(term.value)
        return f"({text})" if text.startswith("-") and precedence < 700 else text
    if isinstance(term, Str):
        return '"' + term.text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return _compound_text(term, precedence)


def _compound_text(term: Compound, precedence: int) -> str:
    if term.functor == "[|]" and term.arity == 2:
        items, tail = list_items(term)
        inside = ", ".join(term_text(i) for i in items)
        return f"[{inside}]" if tail == Atom("[]") else f"[{inside}|{term_text(tail)}]"
    if term.functor == "\\+" and term.arity == 1:
        text = f"\\+ {term_text(term.args[0], 900)}"
        return f"({text})" if precedence < 900 else text
    if term.functor == "-" and term.arity == 1:
        return f"-({term_text(term.args[0])})"
    if term.functor == "{}" and term.arity == 1:
        return "{" + term_text(term.args[0], 1200) + "}"
    if term.arity == 2 and term.functor in _INFIX:
        priority, kind = _INFIX[term.functor]
        left = term_text(term.args[0], priority if kind == "yfx" else priority - 1)
        right = term_text(term.args[1], priority if kind == "xfy" else priority - 1)
        spaced = term.functor if term.functor in (":", "/", "**", "^") else f" {term.functor} "
        if term.functor == ",":
            spaced = ", "
        text = f"{left}{spaced}{right}"
        return f"({text})" if priority > precedence else text
    args = ", ".join(term_text(a) for a in term.args)
    return f"{atom_text(term.functor)}({args})"


def clause_text(head: Term, body: Term | None = None) -> str:
    """Write a clause with one goal a line.

    >>> print(clause_text(Atom("a"), Compound(",", (Atom("b"), Atom("c")))))
    a :-
        b,
        c.
    """
    goals = conjuncts(body) if body is not None else []
    if not goals:
        return f"{term_text(head)}."
    lines = ",\n    ".join(term_text(g) for g in goals)
    return f"{term_text(head)} :-\n    {lines}."
