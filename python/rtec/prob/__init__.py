"""Noisy streams: how likely fluents are, and in which intervals they are likely enough.

| what | where |
| --- | --- |
| how likely fluents are at each time-point (stage 1) | the folder `probec` |
| intervals of whole series (stage 2, PIEC) | `piec`, `maximal`, `credibility`, `pmis` |
| intervals while series arrive (oPIEC) | `opiec`, `known`, `blocks`; of many, `many`, `joint` |
| what bounded memory keeps (oPIEC^b, oPIEC^bd) | `support`, `durations` |
| numbers without rounding, rows, missing time-points | `scale`, `series`, `gaps` |
| both stages over a stream, and what is written | `pipeline`, `stage_two`, `sink` |
| `rtec opiec`: files in, tables and pictures out | `tables`, `replay`, `output`, `plot` |
| `rtec noise` | `noise`, `distance` |
| how well bounded memory does | `accuracy`, `folds`, `synthetic` |
"""

from rtec.prob.durations import Durations
from rtec.prob.many import OpiecMany
from rtec.prob.opiec import Opiec
from rtec.prob.piec import piec
from rtec.prob.pmis import Pmis

__all__ = ["Durations", "Opiec", "OpiecMany", "Pmis", "piec"]
