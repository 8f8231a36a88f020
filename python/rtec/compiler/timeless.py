"""Which plain predicates answer the same at every query time.

Rules may call predicates of the description and of background files. Where such a predicate
reads what holds or happens, or the query time, its answers change while nothing that the rule
itself names does; reasoning about changes alone must know of it. A predicate is looked at
together with everything it may call; where that is in doubt, it counts as changing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rtec.compiler.description import Description
from rtec.compiler.reader import make_source, read_clauses
from rtec.compiler.terms import Atom, Clause, Compound, Term, name_and_args, subterms

_CHANGING = {
    "happensAt", "holdsAt", "holdsFor", "holdsAtIE", "initiatedAt", "terminatedAt", "queryTime",
    "iePList", "preProcessing", "assert", "asserta", "assertz", "retract", "retractall", "erase",
    "nb_setval", "nb_getval", "b_setval", "b_getval", "recorda", "recordz", "recorded", "flag",
    "random", "random_between", "random_member", "random_float", "get_time", "statistics",
    "call", "term_to_atom", "atom_to_term", "=..", "apply",
}  # fmt: skip


def changing_names(description: Description, files: Iterable[str]) -> set[str]:
    """Names of the plain predicates whose answers may depend on more than their arguments."""
    calls: dict[str, set[str]] = {}
    domains = {_name(hint.args[0]) for hint in description.hints_of("dynamicDomain")}
    for clause in description.helpers:
        _note_calls(clause, calls)
    for file in files:
        text = Path(file).read_text(encoding="utf-8", errors="replace")
        if ":-" in text:
            for clause in read_clauses(make_source(file, text))[0]:
                _note_calls(clause, calls)
    changing = _CHANGING | domains
    found = set(changing)
    while more := {name for name, called in calls.items() if called & found} - found:
        found |= more
    return found


def _note_calls(clause: Clause, calls: dict[str, set[str]]) -> None:
    """Note everything in a body that may be a call, whatever control construct it stands in."""
    if clause.head is None or clause.body == Atom("true"):
        return
    names = calls.setdefault(_name(clause.head), set())
    names |= {_name(term) for term in subterms(clause.body) if isinstance(term, Atom | Compound)}


def _name(term: Term) -> str:
    named = name_and_args(term)
    return named[0] if named else ""
