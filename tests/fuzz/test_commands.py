"""Random bytes, and descriptions and streams that are almost right, thrown at the commands.

Thousands of cases with RTEC_DEEP=1. Whatever comes, the command is done, or says in one message
what is wrong and leaves nothing half-written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.mutations import (
    DESCRIPTIONS,
    LAMP,
    LINES,
    STREAMS,
    options,
    spoilt_descriptions,
    spoilt_streams,
)
from fuzz.outcomes import OUT, accept, call, call_apart

LIMIT = ["--time-limit", "2"]
FEWER = settings(max_examples=settings.default.max_examples // 2)


@pytest.fixture(scope="module", autouse=True)
def _no_cache() -> Iterator[None]:
    """Leave the user's cache of programs alone."""
    before = os.environ.get("RTEC_CACHE")
    os.environ["RTEC_CACHE"] = "off"
    yield
    if before is None:
        del os.environ["RTEC_CACHE"]
    else:
        os.environ["RTEC_CACHE"] = before


def run_command(description: bytes, stream: bytes, *flags: str) -> None:
    arguments = ["run", "--desc", "@d.prolog", "--stream", "@s", "--out", f"@{OUT}", *LIMIT, *flags]
    accept(call(arguments, {"d.prolog": description, "s": stream}))


@pytest.mark.parametrize("description", DESCRIPTIONS)
@pytest.mark.parametrize("stream", STREAMS)
def test_before_they_are_spoilt_all_is_well(description: str, stream: bytes) -> None:
    files = {"d.prolog": description.encode(), "s": stream}
    arguments = ["run", "--desc", "@d.prolog", "--stream", "@s", "--out", f"@{OUT}"]
    outcome = call([*arguments, "--window", "10", "--step", "5", "--quiet"], files)
    assert outcome.code == 0, outcome.said
    assert outcome.out is not None
    accept(outcome)


@FEWER
@given(description=st.binary(max_size=300))
def test_random_bytes_as_a_description(description: bytes) -> None:
    run_command(description, LINES.encode())
    accept(call(["check", "@d.prolog"], {"d.prolog": description}))


@FEWER
@given(stream=st.binary(max_size=300))
def test_random_bytes_as_a_stream(stream: bytes) -> None:
    run_command(LAMP.encode(), stream)


@given(description=spoilt_descriptions())
def test_checking_a_spoilt_description(description: bytes) -> None:
    accept(call(["check", "@d.prolog"], {"d.prolog": description}))


@given(description=spoilt_descriptions(), stream=st.sampled_from(STREAMS), flags=options())
def test_running_a_spoilt_description(description: bytes, stream: bytes, flags: list[str]) -> None:
    run_command(description, stream, *flags)


@given(
    description=st.sampled_from(DESCRIPTIONS),
    stream=spoilt_streams(),
    flags=options(),
)
def test_running_a_spoilt_stream(description: str, stream: bytes, flags: list[str]) -> None:
    run_command(description.encode(), stream, *flags)


@FEWER
@given(background=spoilt_descriptions())
def test_a_spoilt_background(background: bytes) -> None:
    files = {"d.prolog": LAMP.encode(), "s": LINES.encode(), "b.prolog": background}
    arguments = ["run", "--desc", "@d.prolog", "--background", "@b.prolog", "--stream", "@s"]
    accept(call([*arguments, "--out", f"@{OUT}", *LIMIT], files))


@FEWER
@given(sidecar=st.binary(max_size=60) | st.sampled_from(
    [b'window = "a"', b"window = 5\nwindow = 6", b"step = -1", b"stream = [1]", b"[tick]",
     b'background = ["no such file"]', b"tick = 1e3", b"end = 99999999999999999999"]
))  # fmt: skip
def test_a_spoilt_sidecar(sidecar: bytes) -> None:
    files = {"d.prolog": LAMP.encode(), "s": LINES.encode(), "d.toml": sidecar}
    arguments = ["run", "--desc", "@d.prolog", "--stream", "@s", "--out", f"@{OUT}"]
    accept(call([*arguments, *LIMIT], files))


# What could end or disturb a process is tried in processes of its own.
HOSTILE = [
    b":- halt.\n" + LAMP.encode(),
    LAMP.encode() + b"happensAt(x, T) :- happensAt(press(_), T), halt.\n",
    LAMP.encode() + b"happensAt(x, T) :- happensAt(press(_), T), shell('touch made').\n",
    LAMP.encode() + b":- initialization(shell('touch made')).\n",
    LAMP.encode() + b"happensAt(x, T) :- happensAt(press(_), T), G = shell('touch made'), G.\n",
    LAMP.encode() + b"happensAt(x, T) :- happensAt(press(_), T), deep(0).\n"
    b"deep(N) :- deep(s(N)), a.\na.\n",
    LAMP.encode() + b"happensAt(x, T) :- happensAt(press(_), T), wide([a]).\n"
    b"wide(L) :- append(L, L, M), wide(M).\n",
    LAMP.encode() + b"happensAt(x, T) :- happensAt(press(_), T), repeat, fail.\n",
    b"f(" * 20000,
    LAMP.encode() + b"holdsFor(odd=true, I) :- holdsFor(on(_)=true, _), I = [(5,3)|a].\n",
    LAMP.encode() + b"happensAt(x, T) :- happensAt(press(_), T), throw(f(_, T)).\n",
    b"\xff\xfe\x00\x00",
    b"",
    b"'",
    b"/*",
    os.urandom(2000),
]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_a_process_of_its_own(number: int, tmp_path: Path) -> None:
    (tmp_path / "d.prolog").write_bytes(HOSTILE[number])
    (tmp_path / "s.csv").write_text(LINES)
    arguments = ["run", "--desc", "d.prolog", "--stream", "s.csv", "--out", OUT, *LIMIT]
    accept(call_apart(arguments, tmp_path))
