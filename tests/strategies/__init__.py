"""Hypothesis strategies: random descriptions, streams for them, and runs over both."""

from .cases import Case, cases
from .descriptions import RandomDescription, descriptions
from .loops import loops
from .meetings import Meetings, meetings
from .streams import streams
from .windowings import Run, windowings

__all__ = [
    "Case",
    "Meetings",
    "RandomDescription",
    "Run",
    "cases",
    "descriptions",
    "loops",
    "meetings",
    "streams",
    "windowings",
]
