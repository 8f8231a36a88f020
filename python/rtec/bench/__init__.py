"""Benchmarks: `rtec bench NAME` runs the `command` of the module NAME."""
