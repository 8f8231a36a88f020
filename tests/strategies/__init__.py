"""Hypothesis strategies: random descriptions, streams for them, and runs over both."""

from .descriptions import RandomDescription, descriptions
from .streams import streams
from .windowings import Run, windowings

__all__ = ["RandomDescription", "Run", "descriptions", "streams", "windowings"]
