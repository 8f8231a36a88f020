"""The field rule, and records in columns."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from rtec.errors import StreamError
from rtec.runtime.records import (
    Record,
    TermText,
    batches,
    column,
    concat,
    has_terms,
    is_compound,
    read_field,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("007", 7),
        ("-0", 0),
        ("-12", -12),
        ("123456789012345678901", 123456789012345678901),
        ("-3.5", -3.5),
        ("003.50", 3.5),
        ("1.5e-7", 1.5e-7),
        ("1.5E3", 1500.0),
        ("1e-07", 1e-07),
        ("2e+16", 2e16),
        ("12e5", "12e5"),
        ("1.0e999", "1.0e999"),
        ("+5", "+5"),
        ("5.", "5."),
        (".5", ".5"),
        ("-", "-"),
        ("", ""),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("2024-05-01", "2024-05-01"),
        ("10.0.0.1", "10.0.0.1"),
        ("inf", "inf"),
        ("nan", "nan"),
        ("\u0663", "\u0663"),
        (" 7", " 7"),
        ("7 ", "7 "),
        ("Ann Lee", "Ann Lee"),
        ("left (2)", "left (2)"),
        ("Caf\u00e9", "Caf\u00e9"),
    ],
)
def test_field(text: str, value: object) -> None:
    read = read_field(text)
    assert (type(read), read) == (type(value), value)


@pytest.mark.parametrize(
    "text",
    ["f(a)", "f(a,g(B,[1,2]))", "[a]", "[a,f(b)]", "'My f'(a)", "f(')')", 'f("(")', "f((a,b))"],
)
def test_compound_text_is_a_term(text: str) -> None:
    assert type(read_field(text)) is TermText


@pytest.mark.parametrize(
    "text", ["f(", "f(a))", "f(a)g(b)", "(a)", "F(a)", "f (a)", "[]", "[a", "f(a])", "3(a)", "f[a]"]
)
def test_other_text_is_an_atom(text: str) -> None:
    assert not is_compound(text)
    assert type(read_field(text)) is str


def test_columns_keep_what_numbers_are() -> None:
    assert column([1, 2.0]).tolist() == [1, 2.0]
    assert [type(v) for v in column([1, 2.0]).tolist()] == [int, float]
    assert column([2**63]).tolist() == [2**63]
    assert column([]).tolist() == []


def test_batches_by_name_kind_and_arity() -> None:
    made = batches(
        [
            Record("a", 1, ("x",)),
            Record("a", 2, ("y", 3)),
            Record("a", 3, ("z",), arrival=9),
            Record("f", 4, ("x",), value="true", end=8),
            Record("f", 5, ("x",), value=1.5, op="-", prob=0.5),
        ]
    )
    assert [b.key for b in made] == [
        ("a", "event", 1),
        ("a", "event", 2),
        ("f", "interval", 1),
        ("f", "point", 1),
    ]
    assert made[0].arrival.tolist() == [1, 9]
    assert made[3].retract is not None and made[3].retract.tolist() == [True]
    again = [r for b in made for r in b.records()]
    assert again[1] == Record("a", 3, ("z",), 9)
    assert again[3] == Record("f", 4, ("x",), 4, 8, "true")
    assert again[4] == Record("f", 5, ("x",), 5, None, 1.5, "-", 0.5)


def test_concat_does_not_turn_integers_into_floats() -> None:
    [one] = batches([Record("a", 1, (5,))])
    [two] = batches([Record("a", 2, (5.0,), op="-")])
    both = concat([one, two])
    assert [type(v) for v in both.args[0].tolist()] == [int, float]
    assert both.retract is not None and both.retract.tolist() == [False, True]
    assert both.filter(np.array([1])).time.tolist() == [2]


def test_terms_are_found() -> None:
    [made] = batches([Record("a", 1, ("f(x)", "y"))])
    assert has_terms(made.args[0]) and not has_terms(made.args[1])


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (Record("a", 1.5), "not an integer"),  # type: ignore[arg-type]
        (Record("a", True), "not an integer"),
        (Record("a", 2**63), "64 bits"),
        (Record("", 1), "name"),
        (Record("a", 5, value="v", end=4), "before its start"),
        (Record("a", 5, end=9), "no value"),
        (Record("a", 5, op="*"), "neither"),
        (Record("a", 5, prob=1.5), "0 to 1"),
        (Record("a", 5, (None,)), "neither a number nor a text"),  # type: ignore[arg-type]
        (Record("a", 5, (float("nan"),)), "not a number"),
        (Record("a", 5, "xy"), "not a list"),
    ],
)
def test_wrong_records_are_refused(record: Record, reason: str) -> None:
    with pytest.raises(StreamError, match=reason):
        batches([record])


@pytest.mark.parametrize(
    "records",
    [
        [Record("e", 3, ("a", 1, 2.5)), Record("e", 4, ("b", 2, 3.5), op="-")],
        [Record("e", 3, ("a", TermText("f(x)"))), Record("e", 4, (7, 2.5), prob=0.5)],
        [Record("f", 3, (), 5, 9, "true"), Record("f", 4, (), 5, 9, TermText("g(1)"))],
        [Record("h", 3, (2**70,), value=7), Record("h", 4, (7,), value=8)],
    ],
)
def test_a_pickled_batch_is_the_same(records: list[Record]) -> None:
    [batch] = batches(records)
    [copy] = pickle.loads(pickle.dumps([batch], protocol=5))
    assert list(copy.records()) == list(batch.records()) and copy.key == batch.key
    kinds = [type(arg) for record in copy.records() for arg in (*record.args, record.value)]
    assert kinds == [type(arg) for record in records for arg in (*record.args, record.value)]
    columns = [*copy.args, copy.time, copy.end, copy.value, copy.retract, copy.prob]
    like = [*batch.args, batch.time, batch.end, batch.value, batch.retract, batch.prob]
    assert [c is not None and c.dtype for c in columns] == [c is not None and c.dtype for c in like]
