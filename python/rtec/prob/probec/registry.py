"""The instances of fluents that are remembered from window to window."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping

from rtec.compiler.references import Key
from rtec.model import Scalar
from rtec.prob.probec.facts import Facts
from rtec.prob.probec.ground import Fluent, Fvp, typed


class Registry:
    """The instances that are remembered, so that they stay the same from window to window."""

    def __init__(self, facts: Facts, levels: Mapping[Key, int]) -> None:
        """Share numbers with facts; take the levels of simple fluents."""
        self._facts = facts
        self._levels = levels
        self._fvps: dict[Hashable, Fvp] = {}
        self._fluents: dict[Key, dict[Hashable, Fluent]] = {}

    def fvp(self, key: Key, args: tuple[Scalar, ...], value: Scalar) -> Fvp:
        """Find or make a fluent-value pair."""
        name = (key, typed(args), typed((value,)))
        found = self._fvps.get(name)
        if found is None:
            number, level = next(self._facts.numbers), self._levels.get(key, 0)
            found = self._fvps[name] = Fvp(key, args, value, number, level)
        return found

    def fluent(self, key: Key, args: tuple[Scalar, ...]) -> Fluent:
        """Find or make an instance of a simple fluent."""
        shelf = self._fluents.setdefault(key, {})
        name = typed(args)
        found = shelf.get(name)
        if found is None:
            found = shelf[name] = Fluent(key, args)
        return found

    def value(self, fluent: Fluent, value: Scalar) -> Fvp:
        """Find or make a value of a simple fluent."""
        name = typed((value,))
        found = fluent.values.get(name)
        if found is None:
            found = fluent.values[name] = self.fvp(fluent.key, fluent.args, value)
            found.fluent = fluent
        return found

    def fluents(self, key: Key) -> Iterable[Fluent]:
        """All instances of a simple fluent."""
        return self._fluents.get(key, {}).values()

    def forget(self, fvps: Collection[Fvp], fluents: Collection[Fluent]) -> None:
        """Forget everything but these, and the fluents that these are values of."""
        values: set[Fvp] = set()
        for shelf in self._fluents.values():
            for name, fluent in list(shelf.items()):
                if fluent in fluents or any(fvp in fvps for fvp in fluent.values.values()):
                    values.update(fluent.values.values())
                else:
                    del shelf[name]
        self._fvps = {n: f for n, f in self._fvps.items() if f in fvps or f in values}
