"""A description as read: its clauses sorted into rules, declarations and plain Prolog."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rtec.compiler.reader import Source
from rtec.compiler.terms import Atom, Clause, Compound, Span, Term, Var, compound, is_goal
from rtec.errors import Place, Problem

RuleKind = Literal["initiated", "terminated", "initially", "static", "event", "delay", "postponed"]


@dataclass(frozen=True)
class Rule:
    """One rule with a head that rtec knows.

    Attributes:
        kind: What the head says.
        entity: The fluent, or for kind "event" the event.
        value: The fluent's value; None for events.
        time: The time-point of the head, or the interval list of a static fluent.
        lower: The T1 of a 4-argument head, else None.
        upper: The T2 of a 4-argument head, else None.
        target: The value that a delay leads to.
        delay: The R of a delay.
        body: What stands after `:-`, with the trigger of `initiates` in front.
        clause: The clause it was read from.
        context: Literals of the rule that an auxiliary was lifted from: they say for which
            instances it is wanted.
        fixed: Of a static rule, the arguments that are constants in all rules of its fluent.
    """

    kind: RuleKind
    entity: Term
    value: Term | None
    time: Term | None
    body: Term
    clause: Clause
    lower: Term | None = None
    upper: Term | None = None
    target: Term | None = None
    delay: Term | None = None
    context: tuple[Term, ...] = ()
    fixed: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Hint:
    """A declaration: `index`, `grounding`, `collectIntervals`, ... with its body."""

    name: str
    args: tuple[Term, ...]
    body: Term
    clause: Clause


@dataclass
class Description:
    """Everything that was read, before anything is inferred."""

    sources: dict[str, Source]
    rules: list[Rule] = field(default_factory=list)
    hints: list[Hint] = field(default_factory=list)
    helpers: list[Clause] = field(default_factory=list)
    directives: list[Clause] = field(default_factory=list)
    refused: list[Clause] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def place(self, span: Span | None) -> Place | None:
        """Where a span is, for people."""
        if span is None or span.path not in self.sources:
            return None
        return self.sources[span.path].place(span.start, span.end)

    def of_kind(self, *kinds: RuleKind) -> list[Rule]:
        """The rules of these kinds, in source order."""
        return [rule for rule in self.rules if rule.kind in kinds]

    def hints_of(self, *names: str) -> list[Hint]:
        """The declarations of these names, in source order."""
        return [hint for hint in self.hints if hint.name in names]


HINTS = {
    ("index", 2), ("grounding", 1), ("dynamicDomain", 1), ("collectIntervals", 1),
    ("buildFromPoints", 1), ("points", 1), ("event", 1), ("simpleFluent", 1), ("sDFluent", 1),
    ("inputEntity", 1), ("outputEntity", 1), ("cachingOrder", 1), ("cachingOrder", 2),
    ("needsGrounding", 3), ("internalEntity", 1), ("temporalDistance", 1),
    ("collectGrounds", 2), ("dgrounded", 2), ("buildFromPoints2", 1), ("collectIntervals2", 2),
    ("cyclic", 1),
}  # fmt: skip

HEADS = {
    ("initiatedAt", 2), ("initiatedAt", 4), ("terminatedAt", 2), ("terminatedAt", 4),
    ("initiates", 3), ("terminates", 3), ("initially", 1), ("holdsFor", 2), ("happensAt", 2),
    ("fi", 3), ("p", 1), ("holdsAt", 2),
}  # fmt: skip


def sort_clauses(clauses: list[Clause], sources: dict[str, Source]) -> Description:
    """Sort clauses into rules, declarations, directives and plain Prolog."""
    description = Description(sources)
    for clause in clauses:
        head = clause.head
        if head is None:
            description.directives.append(clause)
        elif isinstance(head, Compound) and (head.functor, head.arity) in HINTS:
            description.hints.append(Hint(head.functor, head.args, clause.body, clause))
        elif isinstance(head, Compound) and (head.functor, head.arity) in HEADS:
            _add_rule(description, clause, head)
        else:
            description.helpers.append(clause)
    return description


def split_fvp(term: Term) -> tuple[Term, Term] | None:
    """Take `F=V` apart."""
    if is_goal(term, "=", 2) and isinstance(term, Compound):
        fluent, value = term.args
        if isinstance(fluent, Atom | Compound):
            return fluent, value
    return None


def _add_rule(description: Description, clause: Clause, head: Compound) -> None:
    if head.functor == "holdsAt":
        description.refused.append(clause)
        description.problems.append(
            Problem(
                "`holdsAt` cannot stand in a head",
                "holdsat-in-head",
                description.place(head.span),
                "say what starts and ends it with initiatedAt/2 and terminatedAt/2, "
                "or where it holds with holdsFor/2",
            )
        )
        return
    if head.functor == "happensAt":
        event, time = head.args
        if not isinstance(event, Atom | Compound):
            _bad_head(description, clause, head, "an event is an atom or a compound")
            return
        description.rules.append(Rule("event", event, None, time, clause.body, clause))
        return
    if clause.body == Atom("fail"):
        return  # a filler such as `initially(_) :- fail`
    position = 1 if head.functor in ("initiates", "terminates") else 0
    fvp = split_fvp(head.args[position])
    if fvp is None and head.functor in ("fi", "p") and not _looks_like_fvp(head):
        description.helpers.append(clause)
        return
    if fvp is None:
        _bad_head(
            description,
            clause,
            head,
            "a fluent in a head is written with its value, as in `f(X)=true`",
        )
        return
    fluent, value = fvp
    rule = _rule_of(clause, head, fluent, value)
    if rule is None:
        _bad_head(
            description,
            clause,
            head,
            "both sides of `fi` are values of the same fluent, as in `fi(f(X)=a, f(X)=b, 10)`",
        )
        return
    description.rules.append(rule)


def _looks_like_fvp(head: Compound) -> bool:
    return any(is_goal(arg, "=", 2) for arg in head.args)


def _rule_of(clause: Clause, head: Compound, fluent: Term, value: Term) -> Rule | None:
    name, args, body = head.functor, head.args, clause.body
    kinds: dict[str, RuleKind] = {
        "initiatedAt": "initiated", "initiates": "initiated",
        "terminatedAt": "terminated", "terminates": "terminated",
    }  # fmt: skip
    if name in ("initiatedAt", "terminatedAt"):
        if head.arity == 2:
            return Rule(kinds[name], fluent, value, args[1], body, clause)
        return Rule(kinds[name], fluent, value, args[2], body, clause, lower=args[1], upper=args[3])
    if name in ("initiates", "terminates"):
        trigger = compound("happensAt", args[0], args[2])
        trigger = Compound(trigger.functor, trigger.args, head.span)
        full = trigger if body == Atom("true") else compound(",", trigger, body)
        return Rule(kinds[name], fluent, value, args[2], full, clause)
    if name == "initially":
        return Rule("initially", fluent, value, None, body, clause)
    if name == "holdsFor":
        return Rule("static", fluent, value, args[1], body, clause)
    if name == "p":
        return Rule("postponed", fluent, value, None, body, clause)
    target = split_fvp(args[1])
    if target is None or target[0] != fluent:
        return None
    return Rule("delay", fluent, value, None, body, clause, target=target[1], delay=args[2])


def _bad_head(description: Description, clause: Clause, head: Compound, remedy: str) -> None:
    description.refused.append(clause)
    description.problems.append(
        Problem(
            f"the head `{head.functor}/{head.arity}` is malformed",
            "bad-head",
            description.place(head.span),
            remedy,
        )
    )


def is_variable(term: Term | None) -> bool:
    """Whether a term is a variable."""
    return isinstance(term, Var)
