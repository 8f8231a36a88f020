"""Pass: every mistake in a description, reported together and in source order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rtec.compiler.checks.allen import check_allen
from rtec.compiler.checks.case import Case
from rtec.compiler.checks.contradictions import check_contradictions
from rtec.compiler.checks.cycles import check_static_cycles, list_cycles
from rtec.compiler.checks.declared import check_declared
from rtec.compiler.checks.delays import check_delays
from rtec.compiler.checks.first_condition import check_first_condition
from rtec.compiler.checks.inspection import Inspection, inspect
from rtec.compiler.checks.intervals import check_intervals
from rtec.compiler.checks.names import check_names
from rtec.compiler.checks.numbers import check_numbers
from rtec.compiler.checks.order import check_order
from rtec.compiler.checks.predicates import check_predicates
from rtec.compiler.checks.safety import check_safety
from rtec.compiler.checks.singletons import check_singletons
from rtec.compiler.checks.sorts import check_sorts
from rtec.compiler.checks.stratification import check_stratification
from rtec.compiler.checks.stream_names import StreamNames, names_of_streams
from rtec.compiler.checks.trusted import check_background, check_directives, check_trusted
from rtec.compiler.checks.values import check_values
from rtec.errors import Problem

__all__ = ["CHECKS", "Case", "Inspection", "StreamNames", "inspect", "names_of_streams", "problems"]

CHECKS: tuple[Callable[[Case], Iterator[Problem]], ...] = (
    check_background,
    check_sorts,
    check_names,
    check_declared,
    check_predicates,
    check_trusted,
    check_directives,
    check_first_condition,
    check_allen,
    check_delays,
    check_intervals,
    check_order,
    check_static_cycles,
    check_stratification,
    check_safety,
    check_values,
    check_contradictions,
    check_numbers,
    check_singletons,
    list_cycles,
)
"""Where two checks stumble over the same place, the earlier one speaks."""


def problems(case: Case) -> list[Problem]:
    """Run every check; the problems come in source order, one for each place."""
    found = list(case.description.problems)
    for check in CHECKS:
        found.extend(check(case))
    unique: dict[object, Problem] = {}
    for number, problem in enumerate(found):
        place = problem.place
        where = (place.path, place.line, place.column) if place else number
        key = (where, problem.severity == "note")
        unique.setdefault(key, problem)
    order = {path: i for i, path in enumerate(case.description.sources)}

    def position(problem: Problem) -> tuple[int, str, int, int]:
        place = problem.place
        if place is None:
            return -1, "", 0, 0
        return order.get(place.path, len(order)), place.path, place.line, place.column

    return sorted(unique.values(), key=position)
