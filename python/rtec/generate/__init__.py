"""Seeded generators of streams for the bundled descriptions.

Each application has a module with a function `stream(seed, entities)` that yields blocks for
ever; the same seed and number of entities give the same records. The feedback loops of `immune`
and `phage` have no input events: for them, facts with starting levels and delays are made.
"""

from __future__ import annotations

from rtec.generate.applications import APPLICATIONS, Application, generate, make_facts

__all__ = ["APPLICATIONS", "Application", "generate", "make_facts"]
