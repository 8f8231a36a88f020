"""The bundled applications over their samples: stored results, and windows of every size.

Results are merged over the run: each fluent-value pair once, with all its intervals.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rtec.bench.apps import CAVIAR, caviar_folder
from rtec.cli import execute
from rtec.runtime.sidecar import find_description, read_sidecar

APPLICATIONS = [
    "activity", "immune", "maritime", "netbill", "phage", "toy", "transport", "voting",
]  # fmt: skip


def merged(name: str, folder: Path, *options: str) -> str:
    """What `rtec run --merge` writes for an application."""
    out = folder / f"{name}.jsonl"
    command = ["run", "--desc", f"{name}.prolog", "--merge", "--quiet", "--out", str(out)]
    assert execute([*command, *options]) == 0
    return out.read_text()


@pytest.mark.parametrize("name", APPLICATIONS)
def test_stored_results(
    name: str, tmp_path: Path, root: Path, golden: Callable[[Path, str], None]
) -> None:
    """An application recognises what it recognised before."""
    golden(root / "descriptions" / name / "expected.jsonl", merged(name, tmp_path))


@pytest.mark.parametrize("name", ["voting", "netbill"])
def test_windows_of_every_size(name: str, tmp_path: Path) -> None:
    """Windows of 10 to 80, in steps of 5 and 10, give what the whole stream gives."""
    whole = merged(name, tmp_path, "--end", "60", "--window", "1000", "--step", "1000")
    for window in ("10", "20", "40", "80"):
        for step in ("5", "10"):
            part = merged(name, tmp_path, "--end", "60", "--window", window, "--step", step)
            assert part == whole, (window, step)


@pytest.mark.parametrize("name", ["activity", "maritime", "transport", "immune", "phage"])
def test_one_window_over_everything(name: str, tmp_path: Path) -> None:
    """The windows that an application comes with give what the whole stream gives."""
    whole = merged(name, tmp_path, "--window", "1000000", "--step", "1000000")
    assert merged(name, tmp_path) == whole


def test_activity_on_caviar(tmp_path: Path) -> None:
    """The command of activity's README finds every activity, as one window does."""
    folder = caviar_folder()
    if folder is None:
        pytest.skip("reads the CAVIAR records, which are not in ../shared/data/caviar")
    streams = [option for name in CAVIAR for option in ("--stream", str(folder / name))]
    run = [*streams, "--start", "0", "--end", "1006800"]
    found = merged("activity", tmp_path, *run, "--window", "100000", "--step", "100000")
    fluents = {json.loads(line)["fluent"] for line in found.splitlines()}
    assert fluents >= {"moving", "walking_together", "meeting", "fighting", "leaving_object"}
    whole = merged("activity", tmp_path, *run, "--window", "1006800", "--step", "1006800")
    assert found == whole


SITUATIONS = """
anchoredOrMoored changingSpeed disappearedInArea drifting gap highSpeedNearCoast loitering lowSpeed
movingSpeed pilotBoarding rendezVous searchAndRescue stopped suspiciousRendezVous trawling tugging
underWay withinArea
""".split()


def test_every_situation_at_sea_occurs(root: Path) -> None:
    """The sample shows every situation, near ports and far from them, at every speed."""
    text = (root / "descriptions" / "maritime" / "expected.jsonl").read_text()
    rows = [json.loads(line) for line in text.splitlines()]
    assert {row["fluent"] for row in rows} >= set(SITUATIONS)
    values = {(row["fluent"], row["value"]) for row in rows}
    for fluent in ("gap", "stopped"):
        assert values >= {(fluent, "nearPorts"), (fluent, "farFromPorts")}
    assert values >= {("movingSpeed", value) for value in ("below", "normal", "above")}


@pytest.mark.parametrize("name", APPLICATIONS)
def test_by_changes(name: str, tmp_path: Path) -> None:
    """Reasoning by changes, in windows of several steps, gives what reasoning from scratch does."""
    window = read_sidecar(find_description(f"{name}.prolog")).window
    assert window is not None
    cut = ["--window", str(2 * window), "--step", str(max(1, window // 2))]
    by_changes = merged(name, tmp_path, *cut, "--incremental", "always")
    assert by_changes == merged(name, tmp_path, *cut)
