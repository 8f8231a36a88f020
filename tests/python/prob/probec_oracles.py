"""Two ways to work out probabilities that share nothing with the product.

`by_worlds` goes through all possible streams and asks the reference evaluator about each.
`by_problog` writes the description, with the axioms of the calculus, as a ProbLog program.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TypeAlias

from probec_cases import BACKGROUND, Case, Fact
from reference import Record, evaluate, parse
from rtec.compiler.program import Program
from rtec.compiler.source_files import read_description
from rtec.prob.probec import FluentSeries
from rtec.runtime import records

Point: TypeAlias = tuple[str, tuple[str, ...], str, int]

AXIOMS = """
holds(F=V, 0) :- initially(F=V).
holds(F=V, T) :- T > 0, P is T-1, initiatedAt(F=V, P), \\+ broken(F=V, P).
holds(F=V, T) :- T > 0, P is T-1, holds(F=V, P), \\+ broken(F=V, P).
broken(F=V, T) :- terminatedAt(F=V, T).
broken(F=V, T) :- initiatedAt(F=W, T), V \\= W.
holdsAt(FV, T) :- holds(FV, T).
initially(nothing=nothing).
initiatedAt(nothing=nothing, 99).
terminatedAt(nothing=nothing, 99).
happensAt(nothing, 99).
"""


def compiled(case: Case, folder: Path) -> Program:
    """The program of a case."""
    rules, background = folder / "rules.prolog", folder / "background.prolog"
    rules.write_text(case.text)
    background.write_text(BACKGROUND)
    description = read_description([rules])
    assert not description.problems
    return Program("rules.prolog", "", (str(background),), {}, frozenset(), description=description)


def record(fact: Fact) -> records.Record:
    """A fact as a record of a stream."""
    return records.Record(
        fact.name, fact.time, fact.args, fact.time, fact.end, fact.value, prob=fact.prob
    )


def points(answer: FluentSeries) -> dict[Point, float]:
    """What an answer says at each of its time-points, without zeros."""
    return {
        (s.fluent, s.args, s.value, t): s.at(t)
        for s in answer
        for t in answer.time_points().tolist()
        if s.at(t) > 0.0
    }


def by_worlds(case: Case, start: int, end: int) -> dict[Point, float]:
    """Add up the probabilities of all possible streams in which something holds."""
    clauses, background = parse(case.text), parse(BACKGROUND)
    uncertain = [i for i, fact in enumerate(case.facts) if fact.prob is not None]
    found: dict[Point, float] = {}
    for choice in product((True, False), repeat=len(uncertain)):
        weight = 1.0
        for i, chosen in zip(uncertain, choice, strict=True):
            prob = case.facts[i].prob or 0.0
            weight *= prob if chosen else 1.0 - prob
        gone = {i for i, chosen in zip(uncertain, choice, strict=True) if not chosen}
        stream = [
            Record(f.name, f.time, f.time, f.args, f.value, f.end)
            for i, f in enumerate(case.facts)
            if i not in gone
        ]
        result = evaluate(clauses, background, stream, start, end)
        for (name, args, value), intervals in result.fluents.items():
            for first, last in intervals:
                for t in range(max(first, start), min(end + 1, last or end + 1)):
                    point = (name, args, value, t)
                    found[point] = found.get(point, 0.0) + weight
    return found


def by_problog(case: Case, queries: set[Point]) -> dict[Point, float]:
    """Ask ProbLog about points, from scratch for the whole history."""
    from problog import get_evaluatable
    from problog.program import PrologString

    lines = [case.text, BACKGROUND, AXIOMS]
    for fact in case.facts:
        chance = "" if fact.prob is None else f"{fact.prob}::"
        lines.append(f"{chance}happensAt({fact.name}({', '.join(fact.args)}), {fact.time}).")
    names = {}
    for name, args, value, t in sorted(queries):
        goal = f"holds({name}({','.join(args)})={value},{t})"
        names[goal] = (name, args, value, t)
        lines.append(f"query({goal}).")
    answers = get_evaluatable().create_from(PrologString("\n".join(lines))).evaluate()
    return {names[str(goal).replace(" ", "")]: float(prob) for goal, prob in answers.items()}


def differences(
    found: dict[Point, float], expected: dict[Point, float]
) -> dict[Point, tuple[float, float]]:
    """Where two answers are not the same, up to rounding."""
    return {
        point: (found.get(point, 0.0), expected.get(point, 0.0))
        for point in {*found, *expected}
        if abs(found.get(point, 0.0) - expected.get(point, 0.0)) > 1e-9
    }
