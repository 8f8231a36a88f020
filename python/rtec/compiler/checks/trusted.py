"""Check: goals that only a trusted description may call, and what is wrong in background files."""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.checks.case import Case
from rtec.compiler.checks.inspection import goal_text
from rtec.compiler.checks.predicates import LANGUAGE
from rtec.compiler.references import entity_key, is_temporal
from rtec.compiler.terms import Clause, Compound, Var
from rtec.errors import Problem

_HOOK = ("preProcessing", 1)
_KEPT = ("dynamic", "discontiguous", "multifile", "use_module", "op", "style_check", "table")
_MEND = "mend the background file"
_REMEDY = "run with --trust if you trust the description"


def check_trusted(case: Case) -> Iterator[Problem]:
    """Report goals and directives that the sandbox refuses."""
    if case.trust:
        return
    helpers = case.entities.helpers
    ours = LANGUAGE - case.inspection.defined
    for clause, goal in case.goals():
        term = goal.term
        if is_temporal(term) or entity_key(term) in helpers | ours:
            continue
        verdict, text = case.inspection.verdicts.get(
            goal_text(case.description, term), ("ok", "")
        )
        if verdict == "refused":
            if isinstance(term, Var):
                text = f"`{term.name}` is called as a goal that is known only when it runs"
            yield case.error(
                "refused-goal",
                f"rules may not do this: {text}",
                case.name_place(term) if term.span else case.description.place(clause.span),
                _REMEDY,
            )
    yield from _hooks(case)


def _hooks(case: Case) -> Iterator[Problem]:
    place = None
    if _HOOK not in case.entities.helpers | case.inspection.defined:
        return
    for clause in case.description.helpers:
        if clause.head is not None and entity_key(clause.head) == _HOOK:
            place = case.description.place(clause.head.span)
            break
    yield Problem(
        "`preProcessing/1` is called only in trusted descriptions",
        "refused-goal",
        place,
        _REMEDY,
    )


def check_background(case: Case) -> Iterator[Problem]:
    """Report syntax errors, missing files and refused directives of background files."""
    for note in case.inspection.notes:
        if note.kind == "directive":
            if not case.trust:
                yield Problem(
                    f"background may not do this on loading: {note.text}",
                    "refused-goal",
                    note.place,
                    _REMEDY,
                )
        elif note.kind == "syntax":
            text = note.text.removeprefix("Syntax error: ")
            text = text[:1].lower() + text[1:]
            yield Problem(f"syntax error: {text}", "syntax", note.place, _MEND)
        else:
            slug = "file" if note.kind == "file" else "background"
            yield Problem(note.text, slug, note.place, _MEND)


def check_directives(case: Case) -> Iterator[Problem]:
    """Report directives of the description that have no effect."""
    for clause in case.description.directives:
        if not _is_kept(clause):
            yield Problem(
                "the directive has no effect in a description",
                "ignored-directive",
                case.description.place(clause.span),
                "put it into a background file",
                severity="warning",
            )


def _is_kept(clause: Clause) -> bool:
    body = clause.body
    return isinstance(body, Compound) and body.functor in _KEPT
