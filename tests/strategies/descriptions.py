"""Random event descriptions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from reference.inputs import to_term
from reference.parser import parse
from reference.printer import to_prolog
from reference.records import Scalar
from rtec.compiler.terms import Atom, Clause, Compound, Term, Var, compound, subterms

from .conditions import Pool
from .definitions import (
    delayed_effects,
    draw_simple_signature,
    draw_types,
    output_events,
    simple_rules,
)
from .scope import chance, choose, make_clause
from .signatures import IDS, NUMBERS, EventSignature, FluentSignature
from .statics import Constructs, static_fluents

_LAYOUTS = {
    "intervals": "collectIntervals",
    "built": "buildFromPoints",
    "points": "points",
}

_RULES = """
first(X) :- linked(X, _).
apart(X, Y) :- \\+ linked(X, Y), \\+ linked(Y, X).
"""

_DURATIONS = """
intDurGreater([], _, []).
intDurGreater([(S,E)|R], D, L) :-
    ( longer(S, E, D) -> L = [(S,E)|I] ; L = I ),
    intDurGreater(R, D, I).
longer(_, inf, _) :- !.
longer(S, E, D) :- E - S > D.
"""


@dataclass(frozen=True, repr=False)
class RandomDescription:
    """A description, its background, and the input that it speaks of."""

    clauses: list[Clause]
    background: list[Clause]
    events: list[EventSignature]
    fluents: list[FluentSignature]

    @property
    def text(self) -> str:
        """The description as Prolog."""
        return to_prolog(self.clauses)

    @property
    def background_text(self) -> str:
        """The background as Prolog."""
        return to_prolog(self.background)

    def __repr__(self) -> str:
        return f"RandomDescription(\n{self.text}\n% background\n{self.background_text})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Let hypothesis show a failing description as Prolog."""
        printer.text(repr(self))


@st.composite
def descriptions(
    draw: st.DrawFn,
    *,
    levels: int = 3,
    cycles: bool = False,
    delays: bool = False,
    allen: bool = False,
    durations: bool = False,
    changes: bool = True,
    open_initially: bool = True,
    search_defaults: bool = True,
    groundings: bool = False,
    several_groundings: bool = False,
    domains: bool = False,
    point_triggers: bool = False,
    several_delays: bool = False,
    distances: tuple[int, ...] = (),
    tick: int = 1,
) -> RandomDescription:
    """Make a description of several levels over a few input events and fluents.

    Args:
        draw: Given by hypothesis.
        levels: How many levels of definitions at most.
        cycles: Whether simple fluents may depend on each other through holdsAt.
        delays: Whether there may be `fi` and `p`.
        allen: Whether static fluents may use Allen's relations.
        durations: Whether static fluents may filter intervals by their length.
        changes: Whether initiatedAt and terminatedAt may be conditions.
        open_initially: Whether `initially` may have `_` for its arguments.
        search_defaults: Whether rules may look for instances that have a default.
        groundings: Whether `grounding` may say which instances there are.
        several_groundings: Whether values of one fluent may have different ones, or none.
        domains: Whether the stream may, by `dynamicDomain`.
        point_triggers: Whether initiatedAt and terminatedAt may be the first condition of a rule.
        several_delays: Whether there may be more than one `fi` from a value.
        distances: How many ticks from its own time-point a rule may look.
        tick: The tick of the run, of which delays and durations are multiples.
    """
    events = [EventSignature(f"e{i}", draw_types(draw)) for i in range(choose(draw, 1, 2, 3))]
    fluents = [draw_input_fluent(draw, f"i{i}") for i in range(choose(draw, 0, 1, 2))]
    maker = _Maker(
        cycles, delays, several_delays, open_initially, groundings, several_groundings, domains,
        Constructs(allen, durations, tick, complements=domains),
    )  # fmt: skip
    if domains:
        events = [replace(events[0], types=("id", *events[0].types[:1])), *events[1:]]
    pool = Pool(
        tuple(events), tuple(fluents), changes=changes, search_defaults=search_defaults,
        point_triggers=point_triggers,
        distances=tuple(d * tick for d in distances), domain=domains,
    )  # fmt: skip
    clauses: list[Clause] = _sources(draw, events) if domains else []
    for level in range(1, choose(draw, *range(1, levels + 1)) + 1):
        lower = pool
        for i in range(choose(draw, 1, 2)):
            made, rules = draw(maker.definitions(f"{level}{'ab'[i]}", lower))
            clauses += rules
            pool = replace(
                pool, events=(*pool.events, *made.events), fluents=(*pool.fluents, *made.fluents)
            )
    used = names_in(clauses)
    fluents = [f for f in fluents if f.name in used]
    clauses += [d for f in fluents for d in input_declarations(f)]
    background = draw(backgrounds(tick)) + (parse(_DURATIONS) if durations else [])
    return RandomDescription(
        clauses, background, [e for e in events if e.name in used], fluents
    )


@dataclass(frozen=True)
class _Maker:
    """Makes definitions with what is allowed."""

    cycles: bool
    delays: bool
    several_delays: bool
    open_initially: bool
    groundings: bool
    several_groundings: bool
    domains: bool
    constructs: Constructs

    def definitions(
        self, name: str, pool: Pool
    ) -> st.SearchStrategy[tuple[Pool, list[Clause]]]:
        """One definition, or a cycle of some: what it adds to the pool, and the clauses."""
        return _definition(self, name, pool)

    def kinds(self, pool: Pool) -> list[str]:
        """What may be defined over a pool."""
        return [
            *("simple", "simple", "event"),
            *(("static", "static") if pool.fluents else ()),
            *(("cycle", "cycle") if self.cycles else ()),
        ]


@st.composite
def _definition(
    draw: st.DrawFn, maker: _Maker, name: str, pool: Pool
) -> tuple[Pool, list[Clause]]:
    kind = choose(draw, *maker.kinds(pool))
    if kind == "static":
        static, rules = draw(static_fluents(f"s{name}", pool.fluents, maker.constructs))
        return Pool((), (static,)), rules
    if kind == "event":
        event, rules = draw(output_events(f"o{name}", pool))
        return Pool((event,)), rules
    count = choose(draw, 1, 2, 3) if kind == "cycle" else 1
    names = [f"f{name}{i or ''}" for i in range(count)]
    members = tuple(draw_simple_signature(draw, n, maker.open_initially) for n in names)
    inner = replace(pool, cyclic=members if kind == "cycle" else ())
    clauses: list[Clause] = []
    for member in members:
        grounded = draw(_groundings(maker, member))
        clauses += draw(simple_rules(member, inner, bool(grounded) and maker.domains))
        if maker.delays:
            clauses += draw(delayed_effects(member, maker.constructs.tick, maker.several_delays))
        clauses += grounded
    return Pool((), members), clauses


@st.composite
def _groundings(draw: st.DrawFn, maker: _Maker, member: FluentSignature) -> list[Clause]:
    """Say now and then which instances of a fluent there are, or let the stream say so."""
    if maker.domains and "number" not in member.types and chance(draw):
        return groundings_of(member, "seen")
    if not maker.groundings or not chance(draw):
        return []
    clauses = groundings_of(member)
    if maker.several_groundings and chance(draw):
        # Some values for other instances than the rest, or for any.
        others = groundings_of(member, "first")
        clauses = [choose(draw, a, b) for a, b in zip(clauses, others, strict=True)]
        clauses = clauses[choose(draw, 0, 1) :]
    return clauses


def _sources(draw: st.DrawFn, events: list[EventSignature]) -> list[Clause]:
    """The domain `seen/1`, and the input events that name its members."""
    found = [make_clause(compound("dynamicDomain", compound("seen", Var("_1"))), [])]
    for number, event in enumerate(events):
        if "id" in event.types and (number == 0 or chance(draw)):
            args: list[Term] = [Var(f"X{i}") for i, _ in enumerate(event.types, 1)]
            named = args[event.types.index("id")]
            found.append(make_clause(compound("grounding", event.term(args)), [
                compound("seen", named)
            ]))  # fmt: skip
    return found


def draw_input_fluent(draw: st.DrawFn, name: str) -> FluentSignature:
    """An input fluent."""
    values: tuple[Scalar, ...] = choose(draw, ("true",), ("low", "high"))
    layout = choose(draw, *_LAYOUTS)
    return FluentSignature(name, draw_types(draw), values, layout=layout)


def input_declarations(fluent: FluentSignature) -> list[Clause]:
    """How the records of an input fluent look."""
    blanks: list[Term] = [Var(f"_{i}") for i, _ in enumerate(fluent.types, 1)]
    predicate = _LAYOUTS[fluent.layout or "intervals"]
    return [
        make_clause(compound(predicate, fluent.fvp(blanks, value)), [])
        for value in fluent.value_terms
    ]


def groundings_of(fluent: FluentSignature, ids: str = "special") -> list[Clause]:
    """Say which instances of a fluent there are."""
    args: list[Term] = [Var(f"X{i}") for i, _ in enumerate(fluent.types, 1)]
    domain = {"id": ids, "number": "digit"}
    goals: list[Term] = [
        compound(domain[t], x) for t, x in zip(fluent.types, args, strict=True)
    ]
    return [
        make_clause(compound("grounding", fluent.fvp(args, value)), goals)
        for value in fluent.value_terms
    ]


@st.composite
def backgrounds(draw: st.DrawFn, tick: int) -> list[Clause]:
    """The facts that rules may ask for."""
    # No predicate is without facts: Prolog would refuse to call it.
    facts: list[tuple[str, tuple[Scalar, ...]]] = []
    facts += [("special", (x,)) for i, x in enumerate(IDS) if i == 0 or chance(draw)]
    facts += [("linked", (x, choose(draw, *IDS))) for x in IDS[: choose(draw, 1, 2, 3)]]
    facts += [("rank", (x, choose(draw, *NUMBERS))) for x in IDS]
    facts += [("patience", (x, choose(draw, 1, 2, 3, 5) * tick)) for x in IDS]
    facts += [("digit", (n,)) for n in NUMBERS]
    heads = [Compound(name, tuple(to_term(a) for a in args)) for name, args in facts]
    return [make_clause(head, []) for head in heads] + parse(_RULES)


def names_in(clauses: list[Clause]) -> set[str]:
    """All names that occur in clauses."""
    terms = [t for c in clauses for part in (c.head, c.body) if part for t in subterms(part)]
    return {t.functor for t in terms if isinstance(t, Compound)} | {
        t.name for t in terms if isinstance(t, Atom)
    }
