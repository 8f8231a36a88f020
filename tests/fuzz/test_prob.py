"""Descriptions and streams that are almost right, thrown at `rtec run --prob`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.mutations import LAMP, LINES, PEOPLE, spoilt_bytes, spoilt_descriptions
from fuzz.outcomes import OUT, accept, call

pytest.importorskip("problog.program", reason="ProbLog is not installed")

PROBS = ["0.5", "0.25", "0.9", "1", "0", "0.125"]
UNCERTAIN = "".join(
    line if line.startswith("-") or not number % 4 else f"{PROBS[number % len(PROBS)]}::{line}"
    for number, line in enumerate(re.findall(r".*\n", LINES))
)
FEWER = settings(max_examples=settings.default.max_examples // 2)


@pytest.fixture(scope="module", autouse=True)
def _no_cache() -> Iterator[None]:
    """Leave the user's cache of programs alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "RTEC_CACHE", "off")
        yield


@st.composite
def options(draw: st.DrawFn) -> list[str]:
    """Flags of which some make no sense."""
    chosen = ["--prob", "--time-limit", "2", "--skip-filters"]
    choices = {
        "--threshold": ["0", "0.5", "1", "1/3", "2", "x", ""],
        "--support-set": ["1", "3", "0", "-1"],
        "--durations": ["3,1", "0,1", "3", "nan,1"],
        "--step": ["1", "5", "100"],
        "--window": ["5", "20"],
        "--tick": ["1", "2"],
        "--fluent": ["on", "location", "nosuch"],
        "--on-error": ["skip", "stop"],
    }
    for flag, values in choices.items():
        if draw(st.integers(0, 4)) == 0:
            chosen += [flag, draw(st.sampled_from(values))]
    return chosen + draw(st.sampled_from([[], ["--merge"], ["--credible-only"]]))


def run_command(description: bytes, stream: bytes, flags: list[str]) -> None:
    arguments = ["run", "--desc", "@d.prolog", "--stream", "@s", "--out", f"@{OUT}", *flags]
    accept(call(arguments, {"d.prolog": description, "s": stream}))


@pytest.mark.parametrize("description", [LAMP, PEOPLE])
def test_before_they_are_spoilt_all_is_well(description: str) -> None:
    files = {"d.prolog": description.encode(), "s": UNCERTAIN.encode()}
    arguments = ["run", "--desc", "@d.prolog", "--stream", "@s", "--out", f"@{OUT}", "--prob"]
    outcome = call([*arguments, "--step", "5"], files)
    assert outcome.code == (description == PEOPLE), outcome.said  # all of it hangs on a delay
    accept(outcome)


@FEWER
@given(spoilt_descriptions(), options())
def test_a_spoilt_description(description: bytes, flags: list[str]) -> None:
    run_command(description, UNCERTAIN.encode(), flags)


@FEWER
@given(st.sampled_from([LAMP, PEOPLE]), spoilt_bytes([UNCERTAIN.encode()]), options())
def test_a_spoilt_stream(description: str, stream: bytes, flags: list[str]) -> None:
    without_delays = re.sub(r"^(fi|p)\(.*\n", "", description, flags=re.MULTILINE)
    run_command(without_delays.encode(), stream, flags)
