"""Blocks of pipe-separated lines."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtec.errors import StreamError
from rtec.runtime.faults import Faults
from rtec.runtime.layouts import Layouts
from rtec.runtime.lines import Lines, arrivals, read_lines
from rtec.runtime.records import Input, Record, read_field

LAYOUTS = Layouts(
    {
        "speed": (Input("speed", 2, "event"),),
        "ping": (Input("ping", 0, "event"), Input("ping", 1, "event")),
        "near": (Input("near", 2, "interval"),),
        "walk": (Input("walk", 1, "point"),),
        "mood": (Input("mood", 1, "fluent"),),
    }
)


def read(text: str | bytes, faults: Faults | None = None) -> list[Record]:
    data = text.encode() if isinstance(text, str) else text
    made = read_lines(Lines(data, "file.csv", 10), LAYOUTS, faults or Faults())
    return [record for batch in made for record in batch.records()]


def test_kinds_of_lines() -> None:
    text = """speed|5|4|tug|3.5
ping|6|6
ping|7|6|a
near|9|2|8|true|tug|ferry
walk|3|3|true|id0
mood|4|2|4|good|ann
mood|4|3|bad|ann
-speed|8|4|tug|3.5
"""
    assert sorted(read(text), key=lambda r: (r.name, r.time, str(r))) == sorted(
        [
            Record("speed", 4, ("tug", 3.5), 5),
            Record("ping", 6, (), 6),
            Record("ping", 6, ("a",), 7),
            Record("near", 2, ("tug", "ferry"), 9, 8, "true"),
            Record("walk", 3, ("id0",), 3, None, "true"),
            Record("mood", 2, ("ann",), 4, 4, "good"),
            Record("mood", 3, ("ann",), 4, None, "bad"),
            Record("speed", 4, ("tug", 3.5), 8, op="-"),
        ],
        key=lambda r: (r.name, r.time, str(r)),
    )


@pytest.mark.parametrize(
    "text",
    [
        "speed|5|4|a|b\nping|6|6\n",
        "speed|5|4|a|b\r\nping|6|6\r\n",
        "speed|5|4|a|b|\nping|6|6|\n",
        "\n\nspeed|5|4|a|b\n   \nping|6|6",
        "speed|5|4|a|b|\r\n\r\nping|6|6|",
    ],
)
def test_line_ends_trailing_bars_and_blank_lines(text: str) -> None:
    assert read(text) == [Record("speed", 4, ("a", "b"), 5), Record("ping", 6, (), 6)]


def test_blanks_and_letters_are_kept() -> None:
    [record] = read("speed|5|4| Caf\u00e9 \u20ac |\u03b1\n")
    assert record.args == (" Caf\u00e9 \u20ac ", "\u03b1")


def test_empty_arguments_inside_a_line_are_empty_atoms() -> None:
    [record] = read("speed|5|4||x\n")
    assert record.args == ("", "x")


def test_nothing() -> None:
    assert read("") == [] and read("\n\n") == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("speed|5", "2 fields only"),
        ("speed", "1 field only"),
        ("speed|5|4|a", "4 fields; it needs name, arrival, time and 2 arguments"),
        ("speed|5|4|a|b|c", "6 fields"),
        ("speed|5|x|a|b", "time of `speed` is `x`, not an integer"),
        ("speed||4|a|b", "arrival of `speed` is ``, not an integer"),
        ("speed|5|4.0|a|b", "`4.0`, not an integer"),
        ("speed|5| 4|a|b", "` 4`, not an integer"),
        ("speed|99999999999999999999|4|a|b", "not an integer"),
        ("near|9|8|7|true|a|b", "ends at 7, before its start 8"),
        ("near|9|8|inf|true|a|b", "end of `near` is `inf`"),
        ("ping|5|6|7|8", "name, arrival, time and no arguments, or name, arrival, time and 1 arg"),
        ("1.5::speed|5|4|a|b", "prob of `speed` is `1.5`, not a number from 0 to 1"),
        ("-0.5::speed|5|4|a|b", "prob of `speed` is `-0.5`"),
        ("nan::speed|5|4|a|b", "prob of `speed` is `nan`"),
        ("::speed|5|4|a|b", "prob of `speed` is ``"),
        ("0.5::speed|5|x|a|b", "time of `speed` is `x`, not an integer"),
        ("0.5::speed|5|4|a", "4 fields; it needs name, arrival, time and 2 arguments"),
        (b"speed|5|4|\xff\xfe|b", "not text"),
        (b"speed|5|4|\0|b", "not text"),
        (b"\x89PNG\r\n\x1a\n\0\0", "not text"),
    ],
)
def test_malformed_lines_are_located(line: str | bytes, reason: str) -> None:
    data = line.encode() if isinstance(line, str) else line
    text = b"ping|1|1\n" * 3 + data + b"\n" + b"ping|2|2\n" * 2
    with pytest.raises(StreamError) as caught:
        read(text)
    [problem] = caught.value.problems
    assert reason in problem.message
    assert problem.place is not None
    assert (problem.place.path, problem.place.line) == ("file.csv", 13)
    faults = Faults("skip")
    assert len(read(text, faults)) == 5
    assert faults.skipped >= 1 and faults.first is not None
    assert faults.first.message == problem.message


def test_a_probability_comes_before_the_name() -> None:
    text = """0.8::speed|5|4|a::b|c
speed|5|6|a|3.5
1::speed|5|7|0.1::x|1
0.25::-ping|6|6|
"""
    assert read(text) == [
        Record("speed", 4, ("a::b", "c"), 5, prob=0.8),
        Record("speed", 6, ("a", 3.5), 5, prob=1.0),
        Record("speed", 7, ("0.1::x", 1), 5, prob=1.0),
        Record("ping", 6, (), 6, op="-", prob=0.25),
    ]
    assert arrivals(text.encode()).tolist() == [5, 5, 5, 6]


def test_a_probability_that_is_none_is_shown() -> None:
    with pytest.raises(StreamError) as caught:
        read("ping|1|1\n1.25::ping|2|2\n")
    assert str(caught.value).splitlines() == [
        "file.csv:11:1: error: "
        "the prob of `ping` is `1.25`, not a number from 0 to 1 [record-prob]",
        "   11 | 1.25::ping|2|2",
        "      | ^^^^",
    ]


def test_the_first_malformed_line_is_reported() -> None:
    with pytest.raises(StreamError, match=r"^file\.csv:11:1: .*`x`"):
        read("ping|1|1\nspeed|x|1|a|b\nping|1\n")


def test_unknown_names_are_counted() -> None:
    faults = Faults()
    assert read("sped|1|1|a|b\nping|1|1\n-sped|x|y\nsped|1|1\nother|1|2\n", faults)
    assert faults.unknown == {"sped": 3, "other": 1}
    first, second = faults.warnings(["speed", "ping"])
    assert "`sped`: 3 records left out" in str(first) and "did you mean `speed`?" in str(first)
    assert second.severity == "warning" and "`other`: 1 record left out" in str(second)


def test_skipped_records_are_summed_up() -> None:
    faults = Faults("skip")
    read("ping|x|1\nping|1|1\nping|1\n", faults)
    assert str(faults.warnings()[0]).startswith("file.csv:10:1: warning: 2 records malformed")


def test_arrivals() -> None:
    assert arrivals(b"a|5|1\n\nb|x|1\nc|3|1|\nd").tolist() == [5, 3]


_field = st.one_of(
    st.integers(-99, 99).map(str),
    st.floats(-9, 9).map(lambda x: f"{x:.2f}"),
    st.text(st.characters(codec="utf-8", exclude_characters="|\n\r\0"), max_size=4),
)
_time = st.integers(-50, 50).map(str) | st.sampled_from(["", "x", "1.0"])
_lines = st.lists(
    st.builds(
        lambda prob, name, arrival, rest: [prob + name, arrival, *rest],
        st.sampled_from(["", "", "0.8::", "1::", "1e-07::", "2::", "x::", "::"]),
        st.sampled_from(["speed", "-speed", "ping", "near", "walk", "mood", "who"]),
        _time,
        st.lists(st.one_of(_time, _field), max_size=6),
    ),
    max_size=12,
)


@given(_lines)
def test_equals_reading_line_by_line(fields: list[list[str]]) -> None:
    """A block is read as its lines are, one at a time, by the plainest code."""
    text = "".join("|".join(f) + "\n" for f in fields)
    faults = Faults("skip")
    expected = [_plain(f) for f in fields]
    unknown = sum(1 for f, e in zip(fields, expected, strict=True) if e == "unknown")
    bad = sum(1 for e in expected if e is None)
    found = [replace(r, prob=1.0 if r.prob is None else r.prob) for r in read(text, faults)]
    assert sorted(map(repr, found)) == sorted(repr(e) for e in expected if isinstance(e, Record))
    assert (faults.unknown.total(), faults.skipped) == (unknown, bad)


def _plain(fields: list[str]) -> Record | str | None:
    before, colons, after = fields[0].partition("::")
    record = _certain([after if colons else before, *fields[1:]])
    if not isinstance(record, Record):
        return record
    prob = read_field(before) if colons else 1
    return replace(record, prob=float(prob)) if not isinstance(prob, str) and prob <= 1 else None


def _certain(fields: list[str]) -> Record | str | None:
    if len(fields) > 1 and fields[-1] == "":
        fields = fields[:-1]
    if len(fields) < 3:
        return None
    op = "-" if fields[0].startswith("-") else "+"
    name = fields[0].removeprefix("-")
    arities = {"speed": [2], "ping": [0, 1], "near": [2], "walk": [1], "mood": [1]}.get(name)
    if arities is None:
        return "unknown"
    values = [read_field(f) for f in fields[1:]]
    count = len(values)
    if name in ("speed", "ping"):
        if count - 2 not in arities or not all(isinstance(v, int) for v in values[:2]):
            return None
        return Record(name, values[1], tuple(values[2:]), values[0], op=op)  # type: ignore[arg-type]
    if count - 4 in arities and name != "walk":
        if not all(isinstance(v, int) for v in values[:3]) or values[2] < values[1]:  # type: ignore[operator]
            return None
        return Record(name, values[1], tuple(values[4:]), values[0], values[2], values[3], op)  # type: ignore[arg-type]
    if count - 3 in arities and name != "near":
        if not all(isinstance(v, int) for v in values[:2]):
            return None
        return Record(name, values[1], tuple(values[3:]), values[0], None, values[2], op)  # type: ignore[arg-type]
    return None
