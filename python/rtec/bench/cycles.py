"""`rtec bench cycles`: fluents that depend on each other, in windows of 10 to 160 time-points.

The stages of a motion in voting form a cycle (thesis, Figure 3.1). Evaluated by the axioms alone,
cost is exponential in the window (Figure 4.1); here every rule is evaluated at most once per
time-point, so cost per time-point should stay as it is.
"""

from __future__ import annotations

import click

from rtec.bench.growth import queries_option, rate_option, report_growth, windows_option
from rtec.bench.report import Report, json_option, seed_option


@click.command("cycles")
@rate_option
@windows_option
@queries_option
@seed_option
@json_option
def command(rate: float, windows: str, queries: int, seed: int, json_file: str | None) -> None:
    """Measure voting, whose fluents depend on each other, in windows of growing size.

    If cost per time-point stays the same, cost is linear in the window.
    """
    report = Report("cycles")
    report_growth(report, "voting", "voting", rate, seed, queries, windows)
    report.write(json_file)
