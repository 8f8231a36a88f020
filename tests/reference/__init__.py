"""A reference evaluator that is too simple to be wrong.

It evaluates the published axioms time-point by time-point over a whole stream. Of the
product it uses the term structures and nothing else.
"""

from .evaluator import Result, evaluate
from .memory import NotStratified
from .parser import parse
from .printer import to_prolog
from .records import Record, to_lines
from .windows import Windowing, evaluate_window, query_times

__all__ = [
    "NotStratified",
    "Record",
    "Result",
    "Windowing",
    "evaluate",
    "evaluate_window",
    "parse",
    "query_times",
    "to_lines",
    "to_prolog",
]
