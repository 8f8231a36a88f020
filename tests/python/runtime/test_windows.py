"""Query times and windows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtec.errors import ConfigError
from rtec.runtime.windows import Window, Windowing, check_range, default_start


def query_times(size: int, step: int, start: int, end: int) -> list[int]:
    return [w.query_time for w in Windowing(size, step).windows(start, end)]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 30, [10, 20, 30]),
        (0, 31, [10, 20, 30, 31]),
        (0, 5, [5]),
        (0, 0, [0]),
        (-5, 12, [5, 12]),
    ],
)
def test_the_last_query_time_is_cut_to_the_end(start: int, end: int, expected: list[int]) -> None:
    assert query_times(10, 10, start, end) == expected


#        0         10        20
#        [---------|                  the first window holds its start,
#                  (---------|        the second does not
def test_the_first_window_holds_the_start() -> None:
    first, second = Windowing(10, 10).windows(0, 20)
    assert (first, second) == (Window(-1, 10), Window(10, 20))
    assert 0 in first and 10 in first and 10 not in second and 20 in second


def test_windows_may_overlap() -> None:
    assert list(Windowing(15, 10).windows(0, 30)) == [
        Window(-5, 10),
        Window(5, 20),
        Window(15, 30),
    ]


def test_windows_with_gaps_are_warned_of() -> None:
    gaps = Windowing(5, 10)
    assert [w.start for w in gaps.windows(0, 20)] == [5, 15]
    warning = gaps.warning()
    assert warning is not None and warning.severity == "warning" and "never seen" in str(warning)
    assert Windowing(10, 10).warning() is None


@pytest.mark.parametrize(("size", "step"), [(0, 1), (-5, 1), (1, 0), (1, -1)])
def test_lengths_have_to_be_positive(size: int, step: int) -> None:
    with pytest.raises(ConfigError, match="at least 1"):
        Windowing(size, step)


def test_without_an_end_windows_go_on() -> None:
    windows = Windowing(10, 10).windows(0)
    assert [next(windows).query_time for _ in range(4)] == [10, 20, 30, 40]


def test_a_run_cannot_end_before_it_starts() -> None:
    with pytest.raises(ConfigError, match="before its start"):
        check_range(10, 9)
    check_range(10, 10)
    check_range(None, 9)


@given(st.integers(-1000, 1000), st.integers(1, 50))
def test_default_start_is_the_last_multiple_before(first: int, step: int) -> None:
    start = default_start(first, step)
    assert start % step == 0 and start < first <= start + step


@given(st.integers(1, 30), st.integers(1, 30), st.integers(-50, 50), st.integers(0, 99))
def test_every_time_point_is_seen_when_windows_meet(
    size: int, step: int, start: int, length: int
) -> None:
    windows = list(Windowing(max(size, step), step).windows(start, start + length))
    for point in range(start, start + length + 1):
        assert any(point in w for w in windows)
