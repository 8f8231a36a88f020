"""Random streams for a random description."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from reference.records import Record, Scalar

from .descriptions import RandomDescription
from .signatures import DOMAINS, FluentSignature, Signature
from .windowings import Run


@st.composite
def streams(
    draw: st.DrawFn,
    description: RandomDescription,
    run: Run,
    *,
    most_delay: int = 10,
    retractions: bool = False,
    most_records: int = 40,
) -> list[Record]:
    """Make the records of a run, in no order.

    Args:
        draw: Given by hypothesis.
        description: What the records are for.
        run: The start, end and tick of the run.
        most_delay: How many ticks after its time a record arrives at most.
        retractions: Whether records may be taken back.
        most_records: How many draws at most; a run of points is one draw.
    """
    makers = [_events(e, run) for e in description.events]
    makers += [_intervals(f, run) for f in description.fluents if f.layout == "intervals"]
    makers += [_points(f, run) for f in description.fluents if f.layout != "intervals"]
    if not makers:
        return []
    least = draw(st.sampled_from([0, most_records // 4, most_records // 2]))
    drawn = draw(st.lists(st.one_of(makers), min_size=least, max_size=most_records))
    late = st.one_of(st.just(0), st.integers(0, most_delay * run.tick))
    records = [
        replace(record, arrival=record.time + draw(late)) for group in drawn for record in group
    ]
    if retractions and records:
        for record in draw(st.lists(st.sampled_from(records), max_size=4)):
            # Not before the record: what is taken back has been said.
            records.append(replace(record, op="-", arrival=record.arrival + draw(late)))
    said = [r for r in records if r.op == "+"]
    repeated = draw(st.lists(st.sampled_from(said), max_size=2)) if said else []
    return records + repeated


def _times(run: Run) -> st.SearchStrategy[int]:
    return st.sampled_from(run.points)


def _args(signature: Signature) -> st.SearchStrategy[tuple[Scalar, ...]]:
    return st.tuples(*(st.sampled_from(DOMAINS[t]) for t in signature.types))


def _events(signature: Signature, run: Run) -> st.SearchStrategy[list[Record]]:
    return st.builds(
        lambda time, args: [Record(signature.name, time, time, args)],
        _times(run),
        _args(signature),
    )


def _intervals(fluent: FluentSignature, run: Run) -> st.SearchStrategy[list[Record]]:
    return st.builds(
        lambda time, args, value, length: [
            Record(fluent.name, time, time, args, value, time + length * run.tick)
        ],
        _times(run),
        _args(fluent),
        st.sampled_from(fluent.values),
        st.integers(1, 8),
    )


def _points(fluent: FluentSignature, run: Run) -> st.SearchStrategy[list[Record]]:
    return st.builds(
        lambda time, args, value, count: [
            Record(fluent.name, t, t, args, value)
            for t in range(time, min(time + count * run.tick, run.end + 1), run.tick)
        ],
        _times(run),
        _args(fluent),
        st.sampled_from(fluent.values),
        st.integers(1, 6),
    )
