"""Which fields a record has: decided by its name and by how many fields there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rtec.runtime.records import Input, Kind


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields of a record after name and arrival, and how many arguments come last."""

    kind: Kind
    arity: int

    @property
    def fields(self) -> int:
        """How many fields a line of this layout has, name and arrival included."""
        return len(_LEADING[self.kind]) + self.arity

    def __str__(self) -> str:
        count = self.arity
        args = "no arguments" if not count else f"{count} argument{'s' if count > 1 else ''}"
        return f"{', '.join(_LEADING[self.kind])} and {args}"


_LEADING: dict[Kind, tuple[str, ...]] = {
    "event": ("name", "arrival", "time"),
    "interval": ("name", "arrival", "start", "end", "value"),
    "point": ("name", "arrival", "time", "value"),
}
_KINDS: dict[str, tuple[Kind, ...]] = {
    "event": ("event",),
    "interval": ("interval",),
    "point": ("point",),
    "fluent": ("interval", "point"),
}


class Layouts:
    """The layouts of everything that a description reads.

    Two inputs of one name may fit the same number of fields; then the one named first counts.
    """

    def __init__(self, inputs: Mapping[str, Sequence[Input]]) -> None:
        """Take the inputs of a program, by name."""
        self._layouts = {
            name: tuple(Layout(kind, i.arity) for i in entries for kind in _KINDS[i.kind])
            for name, entries in inputs.items()
        }

    def __contains__(self, name: str) -> bool:
        return name in self._layouts

    def of_line(self, name: str, fields: int) -> Layout | None:
        """Find the layout of a line from its name and its number of fields."""
        return next((lay for lay in self._layouts[name] if lay.fields == fields), None)

    def fits(self, name: str, kind: Kind, arity: int) -> bool:
        """Whether a description reads records of this name, kind and number of arguments."""
        return Layout(kind, arity) in self._layouts[name]

    def describe(self, kind: Kind, arity: int) -> str:
        """Say which fields a record of this kind has."""
        return str(Layout(kind, arity))

    def expected(self, name: str) -> str:
        """Say which fields a record of this name has to have."""
        return ", or ".join(str(lay) for lay in dict.fromkeys(self._layouts[name]))
