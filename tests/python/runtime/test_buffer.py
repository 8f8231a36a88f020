"""What is due at a query time: the buffer against a list of records and a loop over it."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from rtec.runtime.buffer import Buffer, Counts, Due
from rtec.runtime.records import Record, RecordBatch, batches
from rtec.runtime.windows import Window, Windowing


def add(buffer: Buffer, *records: Record) -> None:
    for batch in batches(records):
        buffer.add(batch)


def plain(made: list[RecordBatch]) -> list[Record]:
    return [replace(r, arrival=None, op="+") for b in made for r in b.records()]


def event(time: int, arrival: int, op: str = "+", who: object = "a") -> Record:
    return Record("e", time, (who,), arrival, op=op)  # type: ignore[arg-type]


def test_on_time_late_and_lost() -> None:
    """
    time      1   3   5          query times 5, 10, 15; window 6
    arrival   5   7   12
    """
    buffer = Buffer(start=0)
    add(buffer, event(1, 5), event(3, 7), event(5, 12))
    one = buffer.take(Window(-1, 5))
    assert [r.time for r in plain(one.insert)] == [1]
    assert one.counts == Counts(on_time=1)
    two = buffer.take(Window(4, 10))
    assert two.insert == [] and two.counts == Counts(lost=1)
    assert [r.time for r in plain(two.lost)] == [3]
    three = buffer.take(Window(4, 15))
    assert [r.time for r in plain(three.insert)] == [5]
    assert three.counts == Counts(late=1)


def test_records_wait_for_their_time() -> None:
    buffer = Buffer()
    add(buffer, event(12, 3))
    assert buffer.take(Window(0, 10)).records == 0
    due = buffer.take(Window(10, 20))
    assert due.records == 1 and due.counts == Counts(on_time=1)


def test_records_before_the_start_are_lost() -> None:
    buffer = Buffer(start=10)
    add(buffer, event(9, 10), event(10, 10))
    due = buffer.take(Window(-20, 20))
    assert [r.time for r in plain(due.insert)] == [10]
    assert due.counts == Counts(on_time=1, lost=1)


#   window      (------]
#   a      [--)              last point before the window: lost
#   b        [--)            reaches into it
#   c            [-----)     starts in it
def test_intervals_are_lost_when_their_last_point_is() -> None:
    buffer = Buffer(tick=2)
    for name, start, end in (("a", 4, 12), ("b", 4, 14), ("c", 12, 30)):
        add(buffer, Record("f", start, (name,), 15, end, "true"))
    due = buffer.take(Window(10, 20))
    assert [r.args for r in plain(due.insert)] == [("b",), ("c",)]
    assert due.counts == Counts(on_time=2, lost=1)


#   window 1   (----------]
#   window 2         (----------]
#   record   [----------------)     comes in the first window, is taken back in the second
def test_what_lies_before_the_window_is_settled() -> None:
    buffer = Buffer(start=0)
    add(buffer, Record("f", 4, (), 15, 30, "true"), Record("f", 4, (), 25, 30, "true", "-"))
    late = buffer.take(Window(10, 20))
    assert plain(late.insert) == [Record("f", 11, (), None, 30, "true")]
    back = buffer.take(Window(15, 25))
    assert plain(back.retract) == [Record("f", 11, (), None, 30, "true")]
    assert plain(back.rest) == [Record("f", 11, (), None, 16, "true")]
    assert back.counts == Counts(retracted=1) and back.records == 1


def test_empty_intervals_count_but_are_not_handed_over() -> None:
    buffer = Buffer()
    add(buffer, Record("f", 5, (), 5, 5, "true"))
    due = buffer.take(Window(0, 10))
    assert due.insert == [] and due.counts == Counts(on_time=1)


def test_retraction_of_a_record_that_is_still_waiting() -> None:
    buffer = Buffer()
    add(buffer, event(3, 4), event(3, 5, "-"))
    due = buffer.take(Window(0, 10))
    assert due.records == 0 and due.counts == Counts(retracted=1)


def test_retraction_of_a_record_that_was_handed_over() -> None:
    buffer = Buffer()
    add(buffer, event(3, 4), event(3, 15, "-"), event(4, 4))
    assert buffer.take(Window(0, 10)).records == 2
    due = buffer.take(Window(0, 20))
    assert plain(due.retract) == [Record("e", 3, ("a",))] and due.insert == []
    assert due.counts == Counts(retracted=1)


def test_retraction_of_a_record_that_comes_later() -> None:
    buffer = Buffer()
    add(buffer, event(3, 4, "-"), event(3, 15), event(3, 16))
    assert buffer.take(Window(0, 10)).records == 0
    due = buffer.take(Window(0, 20))
    assert len(plain(due.insert)) == 1
    assert due.counts == Counts(late=1, retracted=1)


def test_retraction_is_forgotten_with_its_window() -> None:
    buffer = Buffer()
    add(buffer, event(3, 4, "-"))
    buffer.take(Window(0, 10))
    buffer.take(Window(3, 13))
    add(buffer, event(3, 14))
    assert buffer.take(Window(4, 14)).counts == Counts(lost=1)


def test_retraction_that_comes_too_late_is_lost() -> None:
    buffer = Buffer()
    add(buffer, event(3, 4), event(3, 30, "-"))
    buffer.take(Window(0, 10))
    due = buffer.take(Window(20, 30))
    assert due.retract == [] and due.counts == Counts(lost=1)
    assert due.lost[0].retract is not None


def test_a_revision_is_a_retraction_and_a_new_record() -> None:
    buffer = Buffer()
    add(buffer, event(3, 4))
    buffer.take(Window(0, 10))
    add(buffer, event(3, 12, "-"), event(5, 12))
    due = buffer.take(Window(0, 20))
    assert (plain(due.retract), plain(due.insert)) == (
        [Record("e", 3, ("a",))],
        [Record("e", 5, ("a",))],
    )


def test_equal_records_are_retracted_one_by_one() -> None:
    buffer = Buffer()
    add(buffer, event(3, 3), event(3, 3))
    assert buffer.take(Window(0, 10)).records == 2
    add(buffer, event(3, 11, "-"))
    assert len(plain(buffer.take(Window(0, 11)).retract)) == 1
    add(buffer, event(3, 12, "-"))
    assert len(plain(buffer.take(Window(0, 12)).retract)) == 1
    add(buffer, event(3, 13, "-"))
    assert buffer.take(Window(0, 13)).retract == []


def test_an_integer_does_not_retract_a_float() -> None:
    buffer = Buffer()
    add(buffer, event(3, 3, who=1), event(3, 4, "-", who=1.0))
    due = buffer.take(Window(0, 10))
    assert plain(due.insert) == [Record("e", 3, (1,))]


def test_a_pickled_buffer_goes_on() -> None:
    buffer = Buffer(start=0)
    add(buffer, event(3, 4), event(8, 15), event(9, 9, "-"))
    buffer.take(Window(-1, 10))
    copy = pickle.loads(pickle.dumps(buffer))
    for each in (buffer, copy):
        add(each, event(3, 14, "-"), event(9, 19))
    one, two = (b.take(Window(0, 20)) for b in (buffer, copy))
    assert (plain(one.insert), plain(one.retract)) == (plain(two.insert), plain(two.retract))
    assert one.counts == two.counts == Counts(late=1, retracted=2)


_inserts = st.builds(
    lambda kind, time, delay, length, who: Record(
        kind,
        time,
        (who,),
        time + delay,
        time + length if kind == "i" else None,
        None if kind == "e" else "v",
    ),
    st.sampled_from("eip"),
    st.integers(-2, 12),
    st.integers(-3, 8),
    st.integers(0, 6),
    st.sampled_from(["a", 1]),
)


@st.composite
def _with_retractions(draw: st.DrawFn) -> list[Record]:
    """Records, and retractions of some of them that arrive before or after what they retract."""
    records = draw(st.lists(_inserts, max_size=12))
    for record in list(records):
        for delay in draw(st.lists(st.integers(-4, 8), max_size=2)):
            records.append(replace(record, arrival=(record.arrival or 0) + delay, op="-"))
    return draw(st.permutations(records))


@given(_with_retractions(), st.integers(1, 10), st.integers(1, 5), st.integers(1, 2), st.booleans())
def test_equals_a_plain_loop(
    records: list[Record], size: int, step: int, tick: int, at_once: bool
) -> None:
    """The engine's records after each query time are those that the rules say."""
    buffer = Buffer(start=0, tick=tick)
    model = _Model(records, tick)
    rest = list(records)
    known: Counter[Record] = Counter()
    totals = Counts()
    for window in Windowing(size, step).windows(0, 20):
        arrived = rest if at_once else [r for r in rest if (r.arrival or 0) <= window.query_time]
        rest = [r for r in rest if r not in arrived]
        add(buffer, *arrived)
        due = buffer.take(window)
        _apply(known, due)
        totals.add(due.counts)
        expected = model.take(window)
        inside = Counter({r: n for r, n in known.items() if model.last(r) > window.start})
        assert _cut(inside, window, tick) == _cut(expected, window, tick)
    assert totals == model.counts


def _cut(records: Counter[Record], window: Window, tick: int) -> Counter[Record]:
    """Leave out the parts of intervals before the window."""
    first = max((window.start // tick + 1) * tick, 0)
    found: Counter[Record] = Counter()
    for record, count in records.items():
        late = record.end is not None and record.time <= window.start
        found[replace(record, time=first) if late else record] += count
    return +found


def _apply(known: Counter[Record], due: Due) -> None:
    for record in plain(due.retract):
        assert known[record] > 0
        known[record] -= 1
    known.update(plain(due.insert))


class _Model:
    """Record by record: who is known, who is owed a retraction."""

    def __init__(self, records: list[Record], tick: int) -> None:
        self.waiting = records
        self.tick = tick
        self.known: Counter[Record] = Counter()
        self.owed: Counter[Record] = Counter()
        self.counts = Counts()
        self.before: int | None = None

    def last(self, record: Record) -> int:
        return record.time if record.end is None else max(record.end - self.tick, record.time)

    def take(self, window: Window) -> Counter[Record]:
        lower = max(window.start, -1)
        self.owed = Counter({r: n for r, n in self.owed.items() if self.last(r) > window.start})
        due = [r for r in self.waiting if max(r.arrival or 0, r.time) <= window.query_time]
        self.waiting = [r for r in self.waiting if max(r.arrival or 0, r.time) > window.query_time]
        self.counts.lost += sum(self.last(r) <= lower for r in due)
        due = [r for r in due if self.last(r) > lower]
        inserts = [replace(r, arrival=None) for r in due if r.op == "+"]
        self.owed.update(replace(r, arrival=None, op="+") for r in due if r.op == "-")
        for record in inserts:
            if self.owed[record]:
                self.owed[record] -= 1
                self.counts.retracted += 1
                continue
            self.known[record] += 1
            if self.before is None or record.time > self.before:
                self.counts.on_time += 1
            else:
                self.counts.late += 1
        for record in list(self.owed):
            while self.owed[record] and self.known[record] and self.last(record) > window.start:
                self.owed[record] -= 1
                self.known[record] -= 1
                self.counts.retracted += 1
        self.before = window.query_time
        return Counter(
            {
                r: n
                for r, n in self.known.items()
                if n and self.last(r) > window.start and r.end != r.time
            }
        )
