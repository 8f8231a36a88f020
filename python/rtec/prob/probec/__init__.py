"""Prob-EC: how likely fluents are at each time-point, given how likely the records are.

    answer = probabilities("rules.prolog", records, start=0, end=100)
    answer.get("moving", ("mike", "sarah")).at(22)

The way of data:

| step | file | what it does |
| --- | --- | --- |
| once | `plan`, `rules`, `static_rules` | what can be given probabilities, rules in a plain form |
| once | `program`, `bodies` | a program for the engine that tells proofs, one for each level |
| each window | `facts`, `registry` | records and instances get numbers, for proofs to name |
| each window | `grounding`, `asking`, `ground` | the engine finds what may change, and proofs |
| each time-point | `inertia`, `state`, `coupling` | proofs become formulas, then a state |
| each formula | `formulas`, `exact`, `circuits` | a probability: in closed form, or by ProbLog |
| the answer | `series`, `methods` | series of probabilities, and how they were worked out |

`engine` puts this together.
"""

from rtec.prob.probec.engine import ProbEC, probabilities
from rtec.prob.probec.methods import Method
from rtec.prob.probec.series import FluentSeries, Series

__all__ = ["FluentSeries", "Method", "ProbEC", "Series", "probabilities"]
