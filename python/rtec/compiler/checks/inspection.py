"""What surrounds a description: the predicates of its background, and what goals may do.

SWI-Prolog answers both in one call, without loading anything: background files are read,
not run, and goals are followed by library(sandbox).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from rtec import bridge
from rtec.compiler.bodies import goals
from rtec.compiler.declarations import all_references
from rtec.compiler.description import Description, Rule, split_fvp
from rtec.compiler.emit import term_text
from rtec.compiler.references import entity_key, is_temporal
from rtec.compiler.terms import Term, Var, conjuncts
from rtec.errors import Place

Verdict = tuple[Literal["ok", "unknown", "refused"], str]
ClauseId = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Note:
    """Something wrong in a background file: `syntax`, `file`, `clause` or `directive`."""

    kind: str
    path: str
    line: int
    column: int
    text: str

    @property
    def place(self) -> Place | None:
        """Where it is, if in a line."""
        if not self.line:
            return None
        try:
            lines = Path(self.path).read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError:
            lines = []
        text = lines[self.line - 1].rstrip("\r") if self.line <= len(lines) else None
        return Place(self.path, self.line, self.column, self.column + 1, text)


@dataclass
class Inspection:
    """What SWI-Prolog says about a description and its background.

    Attributes:
        defined: Name and arity of the predicates of the background.
        opaque: Whether the background may define more than could be seen.
        notes: What is wrong with background files.
        verdicts: For the text of a goal, whether it may be called.
        delays: For the clause of a delay (by the start of its span), what it comes to: numbers
            and, for anything else, texts. None where that is not known before the run.
        clashes: For two clauses of delays, the earlier first, the delays that both give to one
            instance.
        files: The background files that were read, nested ones too.
    """

    defined: frozenset[tuple[str, int]] = frozenset()
    opaque: bool = True
    notes: tuple[Note, ...] = ()
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    delays: dict[ClauseId, list[int | str] | None] = field(default_factory=dict)
    clashes: dict[tuple[ClauseId, ClauseId], list[int | str] | None] = field(default_factory=dict)
    files: tuple[str, ...] = ()


def clause_id(rule: Rule) -> ClauseId:
    """By what the clause of a rule is known here."""
    return rule.clause.span.path, rule.clause.span.start


def inspect(description: Description, background: Sequence[str]) -> Inspection:
    """Look at background files, goals and delays."""
    names = sorted(_names(description))
    texts = list(dict.fromkeys(_goal_texts(description)))
    delays = [rule for rule in description.of_kind("delay") if _is_computed(rule)]
    pairs = list(_rivals(description))
    rows: list[str | list[str]] = [_delay_pair(description, rule) for rule in delays]
    rows += [[_delay_of(description, rule) for rule in pair] for pair in pairs]
    files, notes, defined, opaque, verdicts, values = bridge.call(
        "bridge_inspect", list(background), _plain_text(description), texts, rows, names
    )
    return Inspection(
        frozenset((str(name), int(arity)) for name, arity in defined),
        bool(opaque),
        tuple(Note(str(k), str(p), int(line), int(c), str(t)) for k, p, line, c, t in notes),
        dict(zip(texts, map(_verdict, verdicts), strict=True)),
        {clause_id(r): _values(row) for r, row in zip(delays, values[: len(delays)], strict=True)},
        {
            (clause_id(one), clause_id(other)): _values(row)
            for (one, other), row in zip(pairs, values[len(delays) :], strict=True)
        },
        tuple(str(file) for file in files),
    )


def _names(description: Description) -> set[str]:
    """Names of all events and fluents, which the compiled program makes its own names of."""
    found = {entity_key(rule.entity)[0] for rule in description.rules}
    found |= {ref.key[0] for ref in all_references(description) if ref.key is not None}
    for hint in description.hints:
        fvp = split_fvp(hint.args[0])
        found.add(entity_key(fvp[0] if fvp else hint.args[0])[0])
    return found - {""}


def goal_text(description: Description, goal: Term) -> str:
    """How a goal is asked about: as it was written, so that its operators are understood."""
    source = description.sources.get(goal.span.path) if goal.span else None
    if goal.span is None or source is None:
        return term_text(goal, 1200)
    return source.text[goal.span.start : goal.span.end]


def _goal_texts(description: Description) -> list[str]:
    bodies = [rule.body for rule in description.rules]
    bodies += [hint.body for hint in description.hints]
    bodies += [clause.body for clause in description.helpers]
    bodies += [clause.body for clause in description.directives]
    return [
        goal_text(description, goal.term)
        for body in bodies
        for goal in goals(body)
        if not is_temporal(goal.term)
    ]


def _plain_text(description: Description) -> str:
    """The plain predicates of the description, as they were written."""
    parts = []
    for clause in [*description.helpers, *description.directives]:
        source = description.sources.get(clause.span.path)
        if source is not None:
            parts.append(source.text[clause.span.start : clause.span.end] + " .\n")
    return "".join(parts)


def _is_computed(rule: Rule) -> bool:
    return isinstance(rule.delay, Var) and not any(
        is_temporal(goal.term) for goal in goals(rule.body)
    )


def _delay_pair(description: Description, rule: Rule) -> str:
    assert rule.delay is not None
    return f"({goal_text(description, rule.delay)})-({goal_text(description, rule.body)})"


def _rivals(description: Description) -> Iterator[tuple[Rule, Rule]]:
    """Yield pairs of delays of one fluent to different values, of which one has conditions."""
    delays = [
        rule
        for rule in description.of_kind("delay")
        if not any(is_temporal(goal.term) for goal in goals(rule.body))
    ]
    for one, other in combinations(delays, 2):
        if entity_key(one.entity) == entity_key(other.entity) and one.target != other.target:
            if conjuncts(one.body) or conjuncts(other.body):
                yield one, other


def _delay_of(description: Description, rule: Rule) -> str:
    assert rule.value is not None
    fluent, value = (goal_text(description, term) for term in (rule.entity, rule.value))
    return f"(({fluent})=({value}))-({_delay_pair(description, rule)})"


def _verdict(row: list[Any]) -> Verdict:
    if row[0] == "refused":
        return "refused", str(row[1])
    if row[0] == "unknown":
        return "unknown", f"{row[1]}/{row[2]}"
    return "ok", ""


def _values(row: Any) -> list[int | str] | None:
    if isinstance(row, str):
        return None
    return [int(value) if kind == "integer" else str(value) for kind, value in row]
