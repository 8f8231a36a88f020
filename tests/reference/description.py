"""The clauses of a description, sorted by what their heads say (LANGUAGE.md, section 3)."""

from __future__ import annotations

from dataclasses import dataclass, field

from rtec.compiler.terms import TRUE, Clause, Compound, Term, Var, name_and_args

from .solver import Key

_DECLARATIONS = {
    "event",
    "simpleFluent",
    "sDFluent",
    "inputEntity",
    "outputEntity",
    "cachingOrder",
    "cachingOrder2",
    "index",
    "needsGrounding",
    "collectIntervals",
    "points",
}


def fluent_key(fluent: Term) -> Key:
    """Name and arity of a fluent or event."""
    split = name_and_args(fluent)
    if split is None:
        raise ValueError(f"neither an event nor a fluent: {fluent}")
    return split[0], len(split[1])


def split_fvp(fvp: Term) -> tuple[Term, Term]:
    """Fluent and value of `F=V`."""
    if isinstance(fvp, Compound) and fvp.functor == "=" and fvp.arity == 2:
        return fvp.args[0], fvp.args[1]
    raise ValueError(f"not a fluent-value pair: {fvp}")


@dataclass
class Description:
    """Rules by kind, each list in source order.

    Heads of `initiations` and `terminations` are `rule(F=V, T1, T, T2)`, whichever
    spelling they were written in; the other clauses are as written.
    """

    initiations: dict[Key, list[Clause]] = field(default_factory=dict)
    terminations: dict[Key, list[Clause]] = field(default_factory=dict)
    initially: dict[Key, list[Clause]] = field(default_factory=dict)
    static: dict[Key, list[Clause]] = field(default_factory=dict)
    events: dict[Key, list[Clause]] = field(default_factory=dict)
    delays: dict[Key, list[Clause]] = field(default_factory=dict)
    postponable: list[Clause] = field(default_factory=list)
    groundings: list[Clause] = field(default_factory=list)
    dynamic_domains: list[Term] = field(default_factory=list)
    built_from_points: list[Term] = field(default_factory=list)
    plain: list[Clause] = field(default_factory=list)

    @property
    def simple(self) -> list[Key]:
        """The simple fluents."""
        keys = [*self.initiations, *self.terminations, *self.initially, *self.delays]
        return list(dict.fromkeys(keys))


def sort_clauses(clauses: list[Clause]) -> Description:
    """Sort the clauses of a description; what is no temporal head is plain Prolog."""
    result = Description()
    for clause in clauses:
        _sort_clause(clause, result)
    return result


def _sort_clause(clause: Clause, result: Description) -> None:
    head = clause.head
    if not isinstance(head, Compound):
        result.plain.append(clause)
        return
    args = head.args
    match head.functor, head.arity:
        case ("initiatedAt" | "terminatedAt" as kind, 2):
            rule = Compound("rule", (args[0], Var("_From"), args[1], Var("_To")))
            _add_rule(result, kind == "initiatedAt", rule, clause.body, clause)
        case ("initiatedAt" | "terminatedAt" as kind, 4):
            rule = Compound("rule", args)
            _add_rule(result, kind == "initiatedAt", rule, clause.body, clause)
        case ("initiates" | "terminates" as kind, 3):
            rule = Compound("rule", (args[1], Var("_From"), args[2], Var("_To")))
            happens: Term = Compound("happensAt", (args[0], args[2]))
            body = happens if clause.body == TRUE else Compound(",", (happens, clause.body))
            _add_rule(result, kind == "initiates", rule, body, clause)
        case ("initially", 1):
            result.initially.setdefault(_fvp_key(args[0]), []).append(clause)
        case ("holdsFor", 2):
            result.static.setdefault(_fvp_key(args[0]), []).append(clause)
        case ("happensAt", 2):
            result.events.setdefault(fluent_key(args[0]), []).append(clause)
        case ("fi", 3):
            result.delays.setdefault(_fvp_key(args[0]), []).append(clause)
        case ("p", 1):
            result.postponable.append(clause)
        case ("grounding", 1):
            result.groundings.append(clause)
        case ("dynamicDomain", 1):
            result.dynamic_domains.append(args[0])
        case ("buildFromPoints", 1):
            result.built_from_points.append(args[0])
        case (name, _) if name in _DECLARATIONS:
            pass
        case _:
            result.plain.append(clause)


def _add_rule(
    result: Description, initiation: bool, head: Compound, body: Term, clause: Clause
) -> None:
    rules = result.initiations if initiation else result.terminations
    rules.setdefault(_fvp_key(head.args[0]), []).append(Clause(head, body, clause.span))


def _fvp_key(fvp: Term) -> Key:
    return fluent_key(split_fvp(fvp)[0])
