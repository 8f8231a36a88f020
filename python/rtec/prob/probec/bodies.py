"""Writes conditions as goals that say what they rest on.

What is asked gets a variable for its number. A negation becomes a list of all ways in which it
could fail, each a list of numbers; a list of all that holds becomes one of the lists that are
possible, with what then has to be there and what must not.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from rtec.compiler.references import Key, Reference
from rtec.compiler.terms import (
    Atom,
    Compound,
    Num,
    Term,
    Var,
    compound,
    conjunction,
    list_term,
    name_and_args,
)
from rtec.prob.probec.plan import Plan
from rtec.prob.probec.rules import Absent, Asked, Body, Listed, Plain

ANY = "$any"
NOW = "rtec_now"
TOO_LONG = "uncertain_items_of_a_list"
MOST_LISTED = 8
"""How many uncertain items a list (`findall`) may have."""

CHOICE = rf"""
rtec_choice(Pairs, Items, In, Out) :-
    rtec_uncertain(Pairs, 0, N),
    ( N > {MOST_LISTED} -> throw(error(resource_error({TOO_LONG}), _)) ; true ),
    rtec_choose(Pairs, Items, In, Out).
rtec_choose([], [], [], []).
rtec_choose([Item-Proof|Pairs], Items, In, Out) :-
    ( rtec_certain(Proof)
    -> Items = [Item|Items1], rtec_choose(Pairs, Items1, In, Out)
    ;  Items = [Item|Items1], In = [Proof|In1], rtec_choose(Pairs, Items1, In1, Out)
    ;  Out = [Proof|Out1], rtec_choose(Pairs, Items, In, Out1)
    ).
rtec_certain([]).
rtec_certain([0|Proof]) :- rtec_certain(Proof).
rtec_uncertain([], N, N).
rtec_uncertain([_-Proof|Pairs], N0, N) :-
    ( rtec_certain(Proof) -> N1 = N0 ; N1 is N0+1 ),
    rtec_uncertain(Pairs, N1, N).
"""
"""Choosing a list: its items, the proofs of those, and the proofs of the others."""


def change_name(reading: str, name: str) -> str:
    """The event by which a level learns that a fluent may start, end, be initiated or broken."""
    return f"rtec_{reading}_{name}"


def known_name(name: str) -> str:
    """The fluent by which a level learns which instances of an open fluent are known."""
    return f"rtec_known_{name}"


class BodyWriter:
    """Writes the bodies of one level's rules.

    Attributes:
        time: The time-point of the rule that is being written.
        reads: How fluents and events are read: the reading, and name and arity.
    """

    def __init__(self, plan: Plan) -> None:
        """Begin with nothing read."""
        self.plan = plan
        self.time = Var("RtecT")
        self.reads: set[tuple[str, Key]] = set()
        self.numbers = itertools.count(1)

    def body(self, body: Body) -> tuple[list[Term], list[Term]]:
        """Write conditions as goals; give the terms that say what they rest on."""
        written: list[Term] = []
        literals: list[Term] = []
        for condition in body:
            if isinstance(condition, Plain):
                written.append(condition.goal)
            elif isinstance(condition, Asked):
                number = self.variable("N")
                written.append(self._asked(condition.ref, number))
                literals.append(number)
            elif isinstance(condition, Absent):
                proof, found = self.variable("P"), self.variable("L")
                written.append(compound("findall", proof, self._proofs(condition, proof), found))
                literals.append(compound("[|]", Num(0), found))
            else:
                written += self._listed(condition, literals)
        return written, literals

    def _listed(self, condition: Listed, literals: list[Term]) -> list[Term]:
        proof, pairs = self.variable("P"), self.variable("L")
        chosen, others = self.variable("In"), self.variable("Out")
        template = compound("-", condition.template, proof)
        literals.append(compound("[|]", Num(1), chosen))
        literals.append(compound("[|]", Num(0), others))
        return [
            compound("findall", template, self._proofs(condition, proof), pairs),
            compound("rtec_choice", pairs, condition.result, chosen, others),
        ]

    def _proofs(self, condition: Absent | Listed, proof: Var) -> Term:
        options = []
        for inner in condition.bodies:
            written, literals = self.body(inner)
            options.append(conjunction([*written, compound("=", proof, list_term(literals))]))
        return any_of(options)

    def variable(self, prefix: str) -> Var:
        """A variable that no rule has."""
        return Var(f"Rtec{prefix}{next(self.numbers)}")

    def _asked(self, ref: Reference, number: Var) -> Term:
        assert ref.entity is not None and ref.key is not None
        named = name_and_args(ref.entity)
        assert named is not None
        self.reads.add((ref.reading, ref.key))
        if ref.reading == "happens":
            return compound("happensAt", Compound(named[0], (*named[1], number)), self.time)
        assert ref.value is not None
        if ref.reading == "holdsAt":
            numbered = Compound(named[0], (*named[1], number))
            goal = compound("holdsAt", compound("=", numbered, ref.value), self.time)
            return self.or_default(ref, goal, number)
        name = change_name(ref.reading, named[0])
        event = Compound(name, (*named[1], ref.value, number))
        return compound("happensAt", event, self.time)

    def or_default(self, ref: Reference, goal: Term, number: Var) -> Term:
        """An instance of an open fluent of which nothing is known has its initial value."""
        assert ref.key is not None and ref.entity is not None and ref.value is not None
        named = name_and_args(ref.entity)
        if ref.key not in self.plan.defaults or named is None:
            return goal
        self.reads.add(("known", ref.key))
        known = Compound(known_name(named[0]), (*named[1], Atom("x")))
        unknown: list[Term] = [compound("ground", ref.entity)]
        unknown.append(
            compound("\\+", compound("holdsAt", compound("=", known, Atom("true")), self.time))
        )
        unknown.append(self.default(ref.key, compound("=", ref.entity, ref.value)))
        return compound(";", goal, conjunction([*unknown, compound("=", number, Num(0))]))

    def default(self, key: Key, subject: Term) -> Term:
        """Match a fluent with the first initial value that it has whatever its arguments."""
        options = []
        for rule in self.plan.defaults[key]:
            assert rule.value is not None
            whole = compound("d", compound("=", rule.entity, rule.value), rule.body)
            renamed = renamed_apart(whole, next(self.numbers))
            assert isinstance(renamed, Compound)
            options.append(compound(",", compound("=", subject, renamed.args[0]), renamed.args[1]))
        return compound("once", any_of(options))


def any_of(options: Sequence[Term]) -> Term:
    """Join goals with `;`; none fails."""
    if not options:
        return Atom("fail")
    result = options[-1]
    for option in reversed(options[:-1]):
        result = compound(";", option, result)
    return result


def renamed_apart(term: Term, number: int) -> Term:
    """The same term with variables of its own."""
    if isinstance(term, Var):
        return Var(f"{term.name}_{number}")
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(renamed_apart(a, number) for a in term.args), term.span)
    return term
