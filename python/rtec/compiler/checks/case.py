"""What the checks look at: a description, what was inferred of it, and what surrounds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from rtec.compiler.bodies import Goal, goals
from rtec.compiler.checks.inspection import Inspection
from rtec.compiler.checks.stream_names import StreamNames
from rtec.compiler.declarations import Entities, infer_entities
from rtec.compiler.dependencies import Graph, build_graph
from rtec.compiler.description import Description, Hint, Rule
from rtec.compiler.emit import term_text
from rtec.compiler.references import Reference, reference
from rtec.compiler.terms import Atom, Clause, Compound, Term
from rtec.errors import Place, Problem

_IDLE = {"fail", "false"}
_COMMENTS = re.compile(r"^\s*%.*$", re.MULTILINE)
_WHOLE = 1_000_000
_WORD = re.compile(r"\w+")


@dataclass(eq=False)
class Case:
    """One description under examination.

    Attributes:
        description: As read, before any pass has changed it.
        inspection: What its background defines, and what its goals may do.
        stream: What the named streams contain; None if no stream is named.
        trust: Whether goals may do anything.
    """

    description: Description
    inspection: Inspection = field(default_factory=Inspection)
    stream: StreamNames | None = None
    trust: bool = False

    @cached_property
    def entities(self) -> Entities:
        """The kinds of everything."""
        return infer_entities(self.description)

    @cached_property
    def graph(self) -> Graph:
        """What depends on what, without auxiliaries."""
        return build_graph(self.description, self.entities)

    @cached_property
    def rules(self) -> list[Rule]:
        """The rules, without fillers such as `initially(_) :- fail`."""
        return [rule for rule in self.description.rules if not is_filler(rule.body)]

    @cached_property
    def hints(self) -> list[Hint]:
        """The declarations, without fillers."""
        return [hint for hint in self.description.hints if not is_filler(hint.body)]

    @cached_property
    def lost_text(self) -> str:
        """Text of the files with syntax errors that no clause was read from.

        A name in there may be defined by a clause that could not be read. Of a clause that was
        read and refused only the head counts.
        """
        broken = {p.place.path for p in self.description.problems if p.place}
        parts: list[str] = []
        for path, source in self.description.sources.items():
            if path not in broken:
                continue
            position = 0
            for clause in sorted(self._clauses(path), key=lambda c: c.span.start):
                parts.append(source.text[position : clause.span.start])
                position = max(position, clause.span.end)
            parts.append(source.text[position:])
        heads = [c.head for c in self.description.refused]
        parts += [self.text(head, _WHOLE) for head in heads if head is not None]
        return _COMMENTS.sub("", "\n".join(parts))

    @cached_property
    def _lost_words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.lost_text))

    def _clauses(self, path: str) -> list[Clause]:
        d = self.description
        clauses = [r.clause for r in d.rules] + [h.clause for h in d.hints] + d.refused
        return [c for c in clauses + d.helpers + d.directives if c.span.path == path]

    def may_be_lost(self, name: str) -> bool:
        """Whether a name occurs in text that could not be read."""
        return name in (self._lost_words if _WORD.fullmatch(name) else self.lost_text)

    def references(self) -> Iterator[Reference]:
        """Yield every temporal goal, in source order per kind of clause."""
        for _, goal in self.goals():
            found = reference(goal.term)
            if found is not None:
                yield found

    def goals(self) -> Iterator[tuple[Clause, Goal]]:
        """Yield every goal of rules, declarations and helpers with its clause."""
        for rule in self.rules:
            for goal in goals(rule.body):
                yield rule.clause, goal
        for hint in self.hints:
            for goal in goals(hint.body):
                yield hint.clause, goal
        for clause in self.description.helpers:
            for goal in goals(clause.body):
                yield clause, goal

    def error(
        self, slug: str, message: str, at: Term | Place | None, remedy: str | None = None
    ) -> Problem:
        """Make an error at a term."""
        return Problem(message, slug, self._place(at), remedy)

    def warning(
        self, slug: str, message: str, at: Term | Place | None, remedy: str | None = None
    ) -> Problem:
        """Make a warning at a term."""
        return Problem(message, slug, self._place(at), remedy, severity="warning")

    def note(
        self, slug: str, message: str, at: Term | Place | None, remedy: str | None = None
    ) -> Problem:
        """Make a note at a term: nothing is wrong, but it is good to know."""
        return Problem(message, slug, self._place(at), remedy, severity="note")

    def _place(self, at: Term | Place | None) -> Place | None:
        if at is None or isinstance(at, Place):
            return at
        return self.description.place(at.span)

    def name_place(self, term: Term) -> Place | None:
        """Where the name of an event or fluent stands, without its arguments."""
        if not isinstance(term, Compound) or term.span is None:
            return self._place(term)
        source = self.description.sources.get(term.span.path)
        if source is None or not source.text.startswith(term.functor, term.span.start):
            return self._place(term)
        return source.place(term.span.start, term.span.start + len(term.functor))

    def text(self, term: Term, longest: int = 80) -> str:
        """How a term is written in the description, on one line, cut where it gets long."""
        source = self.description.sources.get(term.span.path) if term.span else None
        text = term_text(term)
        if term.span is not None and source is not None:
            written = " ".join(source.text[term.span.start : term.span.end].split())
            if written and "%" not in written and "/*" not in written:
                text = written
        return text if len(text) <= longest else text[: longest - 3] + "..."

    def pair(self, fluent: Term, value: Term) -> str:
        """How a fluent with its value is written."""
        return f"{self.text(fluent)}={self.text(value)}"

    def line(self, clause: Clause) -> int:
        """The line that a clause begins on."""
        place = self.description.place(clause.span)
        return place.line if place else 0


def is_filler(body: Term) -> bool:
    """Whether a body is just `fail`, as in `needsGrounding(_,_,_) :- fail`."""
    return isinstance(body, Atom) and body.name in _IDLE
