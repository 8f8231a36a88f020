"""Pass: rules become engine calls, each with the rule it came from.

The names of what is emitted follow the entities: `happens_e` and `holds_f` are
the stored facts of an event and a fluent, `points_f` the initiations and
terminations of a simple fluent, `candidates_f` and `intervals_f` a static one.
"""

from rtec.compiler.lowering.binding import bound_variables
from rtec.compiler.lowering.deltas import DeltaLowering
from rtec.compiler.lowering.lowered import Lowered, Section
from rtec.compiler.lowering.program import Lowering

__all__ = ["DeltaLowering", "Lowered", "Lowering", "Section", "bound_variables"]
