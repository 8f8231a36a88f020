"""What is stored, by the names of the language: holdsFor/2, holdsAt/2, happensAt/2."""

from __future__ import annotations

from rtec.compiler.lifting import AUX_PREFIX
from rtec.compiler.lowering.lowered import Section, general
from rtec.compiler.lowering.static import StaticLowering
from rtec.compiler.references import Key
from rtec.compiler.terms import (
    NIL,
    Atom,
    Compound,
    Term,
    Var,
    compound,
    conjunction,
    list_term,
)


class ReaderLowering(StaticLowering):
    """Adds the clauses by which rules, background files and people read what is stored."""

    def _readers(self) -> None:
        """Clauses of holdsFor/2, holdsAt/2 and happensAt/2 over what is stored."""
        entities = self.entities
        section = self.out.section("What is stored, by the names of the language")
        for key in sorted({*entities.simple, *entities.static, *entities.input_fluents}):
            if key[0].startswith(AUX_PREFIX):
                continue
            self._reader(section, key)
        self._combined(section)
        for name, arity in sorted(entities.input_events | entities.output_events):
            event = general((name, arity))
            args = event.args if isinstance(event, Compound) else ()
            section.add(
                compound("happensAt", event, Var("T")), compound(f"happens_{name}", Var("T"), *args)
            )
        for key, mode in sorted(entities.input_fluents.items()):
            if mode != "interval":
                self._point_reader(section, key)
        section.add(
            compound("holdsAt", compound("=", Var("F"), Var("V")), Var("T")),
            conjunction(
                [
                    compound("holdsFor", compound("=", Var("F"), Var("V")), Var("Is")),
                    compound("holds_at", Var("Is"), Var("T")),
                ]
            ),
        )

    def _asks(self) -> None:
        """Clauses by which rules ask whether something holds at a time-point.

        The first interval is looked at in place; for the others, and for how such a clause may
        replace itself, see prolog/rtec/pieces.pl. Where what stands in C is asked for, clauses
        before these are added, see prolog/rtec/links.pl.
        """
        section = self.out.section("Whether something holds at a time-point")
        value, found, time, later = Var("V"), Var("V1"), Var("T"), Var("Is")
        for reader, key in sorted(self.asked.items()):
            name = f"ask_{reader}"
            beyond = compound("rtec_later", later, time, Atom(name))
            self._ask_clause(section, name, key, [self._first(reader, key, value)], beyond)
        for reader, key in sorted(self.searched.items()):
            goals = [self._first(reader, key, found), compound("==", found, value)]
            beyond = compound("holds_at", later, time)
            self._ask_clause(section, f"search_{reader}", key, goals, beyond)

    def _first(self, reader: str, key: Key, value: Var) -> Term:
        """A goal that finds intervals (S,E) and Is."""
        intervals = compound("[|]", compound(",", Var("S"), Var("E")), Var("Is"))
        return Compound(reader, (*_arguments(key), value, intervals))

    def _ask_clause(
        self, section: Section, name: str, key: Key, goals: list[Term], beyond: Term
    ) -> None:
        time = Var("T")
        here = compound("->", compound("<", time, Var("E")), compound(">=", time, Var("S")))
        self.out.declare(name, key[1] + 2)
        section.add(
            Compound(name, (*_arguments(key), Var("V"), time)),
            conjunction([*goals, compound(";", here, beyond)]),
        )

    def _point_reader(self, section: Section, key: Key) -> None:
        """The clause of holdsAtIE/2, by which background files read reported points."""
        fluent = general(key)
        args = fluent.args if isinstance(fluent, Compound) else ()
        section.add(
            compound("holdsAtIE", compound("=", fluent, Var("V")), Var("T")),
            Compound(f"point_{key[0]}", (Var("T"), Var("V"), *args)),
        )

    def _reader(self, section: Section, key: Key) -> None:
        fluent = general(key)
        args = fluent.args if isinstance(fluent, Compound) else ()
        if ("terminated", key) in self.kept:
            self._terminated(section, key, args)
        section.add(
            compound("holdsFor", compound("=", fluent, Var("V")), Var("Is")),
            Compound(self.holds(key), (*args, Var("V"), Var("Is"))),
        )

    def _terminated(self, section: Section, key: Key, args: tuple[Term, ...]) -> None:
        """The clause by which a body asks whether a value is broken."""
        breaks = self.symbol("breaks", key)
        time, value, known = Var("T"), Var("V"), Var("Known")
        earlier = Compound(breaks, (Var("T1"), *args, Var("K1"), Var("V1")))
        was = compound("memberchk", Var("K1"), list_term([Atom("c"), Atom("i")]))
        in_time = compound("=<", Var("T1"), time)
        section.add(
            Compound(self.symbol("terminated", key), (time, *args, value)),
            conjunction(
                [
                    Compound(breaks, (time, *args, Var("K"), Var("V0"))),
                    compound("findall", Var("V1"), conjunction([earlier, was, in_time]), known),
                    compound("breaks_value", Var("K"), Var("V0"), known, value),
                ]
            ),
        )
        if args:
            self._terminated_by_pattern(section, key, args)

    def _terminated_by_pattern(self, section: Section, key: Key, args: tuple[Term, ...]) -> None:
        """A pattern breaks instances that nobody has met as well."""
        time, value = Var("T"), Var("V")
        met = Compound(self.symbol("breaks", key), (Var("_"), *args, Var("_"), Var("_")))
        section.add(
            Compound(self.symbol("terminated", key), (time, *args, value)),
            conjunction(
                [
                    compound("ground", Compound(key[0], (*args, value))),
                    compound("\\+", met),
                    Compound(self.symbol("patterns", key), (time, *args, Var("K"), Var("V0"))),
                    compound("breaks_value", Var("K"), Var("V0"), NIL, value),
                ]
            ),
        )

    def _combined(self, section: Section) -> None:
        """Fluents whose values come from several stores, or have a default."""
        entities = self.entities
        for key in sorted({*entities.simple, *entities.static, *entities.input_fluents}):
            kinds = entities.kinds_of(key)
            if len(kinds) < 2 and key not in self.defaults:
                continue
            fluent = general(key)
            args = fluent.args if isinstance(fluent, Compound) else ()
            head = Compound(self.holds(key), (*args, Var("V"), Var("Is")))
            for kind in kinds:
                fact = Compound(self.store(key, kind), (*args, Var("V"), Var("Is")))
                hidden = compound("\\==", Var("V"), Atom("$none"))
                section.add(head, conjunction([fact, hidden]))
            if key in self.defaults:
                unknown = Compound(self.store(key, "simple"), (*args, Var("_"), Var("_")))
                default: list[Term] = [compound("ground", fluent)] if args else []
                default += [
                    compound("\\+", unknown),
                    compound(self.symbol("default", key), fluent, Var("V")),
                    compound("rtec_run", Var("Start"), Var("Tick"), Var("_")),
                    compound(
                        "findall",
                        Var("T"),
                        compound(self.symbol("broken", key), fluent, Var("T")),
                        Var("Ts"),
                    ),
                    compound("default_intervals", Var("Ts"), Var("Start"), Var("Tick"), Var("Is")),
                ]
                section.add(head, conjunction(default))


def _arguments(key: Key) -> tuple[Term, ...]:
    fluent = general(key)
    return fluent.args if isinstance(fluent, Compound) else ()
