"""What random descriptions speak of: events and fluents over two small domains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from reference.inputs import to_term
from reference.records import Scalar
from rtec.compiler.terms import Atom, Compound, Term

IDS: tuple[Scalar, ...] = ("a", "b", "c")
NUMBERS: tuple[Scalar, ...] = (0, 1, 2, 3)

# The type of an argument: one of the domains.
Type: TypeAlias = str
DOMAINS: dict[Type, tuple[Scalar, ...]] = {"id": IDS, "number": NUMBERS}


@dataclass(frozen=True)
class Signature:
    """The name of an event or a fluent, and the types of its arguments."""

    name: str
    types: tuple[Type, ...]

    def term(self, args: list[Term]) -> Term:
        """The event or fluent with these arguments."""
        return Compound(self.name, tuple(args)) if args else Atom(self.name)


@dataclass(frozen=True)
class EventSignature(Signature):
    """An event."""


@dataclass(frozen=True)
class FluentSignature(Signature):
    """A fluent.

    Attributes:
        values: The values that it may have.
        value_type: The domain of its values, if rules may take them from arguments.
        layout: For an input fluent: `intervals`, `built` (from points) or `points`.
        is_simple: Whether rules initiate it.
        is_open: Whether `initially` gives every instance a value, so that the instances
            cannot be listed.
    """

    values: tuple[Scalar, ...] = ("true",)
    value_type: Type | None = None
    layout: str | None = None
    is_simple: bool = False
    is_open: bool = False

    def fvp(self, args: list[Term], value: Term) -> Term:
        """`F=V` with these arguments."""
        return Compound("=", (self.term(args), value))

    @property
    def value_terms(self) -> list[Term]:
        """The values as terms."""
        return [to_term(v) for v in self.values]
