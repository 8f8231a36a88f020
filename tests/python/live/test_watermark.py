"""From when on records of a live source count: by the order of lines, and by nothing else."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rtec.runtime.faults import Faults
from rtec.runtime.layouts import Layouts
from rtec.runtime.lines import Lines, read_lines
from rtec.runtime.records import Input
from rtec.runtime.rows import read_json_lines
from rtec.runtime.watermark import Watermark

LAYOUTS = Layouts({"e": (Input("e", 1, "event"),), "f": (Input("f", 1, "interval"),)})

lines = st.lists(
    st.tuples(st.sampled_from(["e", "-e", "f", "unknown", "?"]), st.integers(-5, 60)), max_size=12
)


def known(given: list[tuple[str, int]], lateness: int) -> list[tuple[int, int]]:
    """Say by the definition from when on each record counts: its number, and the time-point."""
    seen: list[int] = []
    result = []
    for number, (name, arrival) in enumerate(given):
        if name == "?":
            continue
        past = [q for q in range(-100, 100) if any(a - lateness > q for a in seen)]
        seen.append(arrival)
        if name != "unknown":
            result.append((number, next(q for q in range(arrival, 200) if q not in past)))
    return result


def pipe_line(number: int, name: str, arrival: int) -> str:
    if name == "?":
        return "not a record"
    fields = f"{arrival}|{number}" + (f"|{number + 1}|true" if name == "f" else "")
    return f"{name}|{fields}|x"


def json_line(number: int, name: str, arrival: int) -> str:
    if name == "?":
        return '{"name": "e"'
    item: dict[str, Any] = {"name": name.lstrip("-"), "time": number, "args": ["x"]}
    item["arrival"] = arrival
    if name == "f":
        item |= {"end": number + 1, "value": "true"}
    if name == "-e":
        item["op"] = "-"
    return json.dumps(item)


@given(lines, st.integers(0, 20), st.sets(st.integers(1, 11)), st.booleans())
def test_how_lines_come_together_makes_no_difference(
    given: list[tuple[str, int]], lateness: int, cuts: set[int], as_json: bool
) -> None:
    write, read = (json_line, read_json_lines) if as_json else (pipe_line, read_lines)
    texts = [write(number, *each) for number, each in enumerate(given)]
    mark, faults = Watermark(lateness), Faults("skip")
    found = []
    edges = [0, *sorted(c for c in cuts if c < len(texts)), len(texts)]
    for start, end in zip(edges, edges[1:], strict=False):
        block = Lines("".join(f"{t}\n" for t in texts[start:end]).encode(), "s", start + 1)
        for batch in read(block, LAYOUTS, faults, mark):
            found += list(zip(batch.time.tolist(), batch.arrival.tolist(), strict=True))
    assert sorted(found) == known(given, lateness)
    arrivals = [a for name, a in given if name != "?"]
    if arrivals:
        assert mark.floor == max(arrivals) - lateness
    times = [n for n, (name, _) in enumerate(given) if name not in ("?", "unknown")]
    assert mark.first == (times[0] if times else None)


@given(st.lists(st.integers(0, 50), max_size=8), st.integers(0, 9))
def test_by_the_clock_arrivals_stay_as_they_are(arrivals: list[int], lateness: int) -> None:
    mark = Watermark(lateness, raises=False)
    assert mark.floors(np.array(arrivals, np.int64)) is None
    assert [mark.known(a) for a in arrivals] == arrivals


def test_a_source_may_say_what_time_it_is() -> None:
    mark = Watermark(lateness=5)
    mark.move(31)
    assert mark.floor == 31
    assert mark.known(20) == 31
    mark.move(10)
    assert mark.floor == 31
