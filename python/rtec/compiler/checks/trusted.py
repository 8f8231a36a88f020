"""Check: goals that only a trusted description may call, and what is wrong in background files."""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.checks.case import Case
from rtec.compiler.checks.inspection import goal_text
from rtec.compiler.checks.predicates import LANGUAGE
from rtec.compiler.emit import term_text
from rtec.compiler.references import entity_key, is_temporal
from rtec.compiler.terms import Clause, Compound, Term, Var, is_goal, subterms
from rtec.errors import Problem

_HOOK = ("preProcessing", 1)
_EXPANSIONS = {(f"{what}_expansion", arity) for what in ("term", "goal") for arity in (2, 4)}
_HARMLESS = ("dynamic", "discontiguous", "multifile", "style_check", "table")
_STANDARD = {
    ":-", "-->", "?-", ";", "|", "->", "*->", ",", "\\+", "=", "\\=", "==", "\\==", "@<", "@>",
    "@=<", "@>=", "is", "=:=", "=\\=", "<", ">", "=<", ">=", "=..", ":", "+", "-", "*", "/", "//",
    "mod", "rem", "**", "^", "not", "dynamic", "discontiguous",
}  # fmt: skip
_MEND = "mend the background file"
_REMEDY = "run with --trust if you trust the description"


def check_trusted(case: Case) -> Iterator[Problem]:
    """Report goals and clauses that the sandbox refuses."""
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
    for clause in case.description.helpers:
        reason = _meddling(clause)
        if reason:
            yield case.error("refused-goal", reason, clause.head, _REMEDY)
    if _HOOK in case.inspection.defined and _HOOK not in helpers:
        message = "`preProcessing/1` of the background is called only in trusted descriptions"
        yield Problem(message, "refused-goal", None, _REMEDY)


def _meddling(clause: Clause) -> str | None:
    """Why a plain clause of the description reaches too far, if it does."""
    if clause.head is None:
        return None
    name, arity = entity_key(clause.head)
    if is_goal(clause.head, ":", 2):
        return "a description may not define predicates of other modules"
    if (name, arity) in _EXPANSIONS:
        return f"`{name}/{arity}` changes how code is read"
    if name.startswith("rtec_"):
        return f"`{name}/{arity}`: names that begin with rtec_ are reserved"
    if (name, arity) == _HOOK:
        return "`preProcessing/1` is called only in trusted descriptions"
    return None


def check_background(case: Case) -> Iterator[Problem]:
    """Report syntax errors, missing files and refused directives of background files."""
    for note in case.inspection.notes:
        if note.kind == "directive":
            if not case.trust:
                message = f"background may not do this: {note.text}"
                yield Problem(message, "refused-goal", note.place, _REMEDY)
        elif note.kind == "syntax":
            text = note.text.removeprefix("Syntax error: ")
            text = text[:1].lower() + text[1:]
            yield Problem(f"syntax error: {text}", "syntax", note.place, _MEND)
        else:
            slug = "file" if note.kind == "file" else "background"
            yield Problem(note.text, slug, note.place, _MEND)


def check_directives(case: Case) -> Iterator[Problem]:
    """Report directives of the description that have no effect, or too much of one."""
    for clause in case.description.directives:
        body = clause.body
        place = case.description.place(clause.span)
        name = body.functor if isinstance(body, Compound) else ""
        if name not in (*_HARMLESS, "op", "use_module"):
            yield Problem(
                "the directive has no effect in a description",
                "ignored-directive",
                place,
                "put it into a background file",
                severity="warning",
            )
        elif not case.trust and not _is_harmless(body):
            yield Problem(
                "the directive reaches beyond the description", "refused-goal", place, _REMEDY
            )


def _is_harmless(body: Term) -> bool:
    if not isinstance(body, Compound) or any(is_goal(p, ":", 2) for p in subterms(body)):
        return False
    if body.functor == "op":
        return body.arity == 3 and not any(
            getattr(part, "name", None) in _STANDARD for part in subterms(body.args[2])
        )
    if body.functor == "use_module":
        library = body.args[0]
        if not (isinstance(library, Compound) and library.functor == "library"):
            return False
        path = term_text(library.args[0])
        return ".." not in path and not path.startswith(("/", "'/"))
    return True
