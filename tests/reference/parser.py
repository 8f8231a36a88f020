"""A small reader for the descriptions in tests, so that they can be written as text.

It knows the operators of `printer` and nothing more, and shares nothing with the
product's reader.
"""

from __future__ import annotations

import re
from itertools import count

from rtec.compiler.terms import (
    NIL,
    TRUE,
    Atom,
    Clause,
    Compound,
    Num,
    Span,
    Term,
    Var,
    list_term,
)

from .printer import INFIX, PREFIX

_NOWHERE = Span("test", 0, 0)

_TOKEN = re.compile(
    r"""\s*(?:%[^\n]*\n\s*)*
    (?P<token>
        (?P<number>\d+\.\d+|\d+)
      | (?P<var>[A-Z_]\w*)
      | (?P<name>[a-z]\w*|\[\]|!)
      | '(?P<quoted>(?:[^'\\]|\\.)*)'
      | (?P<punct>[()\[\]|,;])
      | (?P<stop>\.(?=\s|%|$))
      | (?P<symbol>[-+*/\\^<>=~:.?@\#&$]+)
      | (?P<eof>$)
    )""",
    re.VERBOSE,
)


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str, bool]] = []
        position = 0
        while position <= len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise SyntaxError(f"cannot read {text[position:position + 30]!r}")
            found = match.groupdict()
            kind = next(k for k, v in found.items() if v is not None and k != "token")
            opens = text[match.end() : match.end() + 1] == "("
            self.tokens.append((kind, match[kind], opens))
            position = match.end()
            if kind == "eof":
                break
        self.at = 0
        self.anonymous = count(1)

    def peek(self) -> tuple[str, str, bool]:
        return self.tokens[self.at]

    def take(self) -> tuple[str, str, bool]:
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, text: str) -> None:
        _, found, _ = self.take()
        if found != text:
            raise SyntaxError(f"expected {text!r}, found {found!r}")

    def term(self, priority: int) -> Term:
        left, left_priority = self.primary(priority)
        while True:
            kind, text, _ = self.peek()
            if kind in ("quoted", "number", "var") or text not in INFIX:
                return left
            own, left_max, right_max = INFIX[text]
            if own > priority or left_priority > left_max:
                return left
            self.take()
            left = Compound(text, (left, self.term(right_max)))
            left_priority = own

    def primary(self, priority: int) -> tuple[Term, int]:
        kind, text, opens = self.take()
        if kind == "number":
            return Num(float(text) if "." in text else int(text)), 0
        if kind == "var":
            return Var(f"_{next(self.anonymous)}" if text == "_" else text), 0
        if text == "(":
            inner = self.term(1200)
            self.expect(")")
            return inner, 0
        if text == "[":
            return self.list_rest(), 0
        if kind == "quoted":
            text = re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(m[1], m[1]), text)
        elif kind not in ("name", "symbol"):
            raise SyntaxError(f"unexpected {text!r}")
        if opens:
            self.take()
            args = self.arguments(")")
            return Compound(text, tuple(args)), 0
        if text == "-" and self.peek()[0] == "number":
            number = self.take()[1]
            return Num(-float(number) if "." in number else -int(number)), 0
        if kind != "quoted" and text in PREFIX:
            own, inner_max = PREFIX[text]
            return Compound(text, (self.term(min(inner_max, priority)),)), own
        return Atom(text), 0

    def arguments(self, closing: str) -> list[Term]:
        items = [self.term(999)]
        while self.peek()[1] == ",":
            self.take()
            items.append(self.term(999))
        self.expect(closing)
        return items

    def list_rest(self) -> Term:
        items = [self.term(999)]
        while self.peek()[1] == ",":
            self.take()
            items.append(self.term(999))
        tail: Term = NIL
        if self.peek()[1] == "|":
            self.take()
            tail = self.term(999)
        self.expect("]")
        return list_term(items, tail)

    def clause(self) -> Clause:
        self.anonymous = count(1)
        head: Term | None = None
        body: Term = TRUE
        if self.peek()[1] == ":-":
            self.take()
            body = self.term(1199)
        else:
            head = self.term(1199)
            if self.peek()[1] == ":-":
                self.take()
                body = self.term(1199)
        if self.take()[0] != "stop":
            raise SyntaxError(f"expected a full stop after {head}")
        return Clause(head, body, _NOWHERE)


def parse(text: str) -> list[Clause]:
    """Read clauses.

    >>> parse("holdsFor(f(X)=v, []) :- X > -1.")[0].body
    Compound(functor='>', args=(Var(name='X'), Num(value=-1)))
    """
    parser = _Parser(text)
    clauses = []
    while parser.peek()[0] != "eof":
        clauses.append(parser.clause())
    return clauses
