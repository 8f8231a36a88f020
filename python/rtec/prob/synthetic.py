"""Synthetic series of probabilities, the same for the same seed."""

from __future__ import annotations

import numpy as np

from rtec.prob.scale import FloatArray


def rendez_vous(points: int, seed: int) -> FloatArray:
    """Make a series like that of two vessels: mostly apart, at times together, noisy.

    Encounters last about 411 time-points. The curve rises and falls over a few time-points, and
    one in twenty values is far too low, as if a signal had been lost.
    """
    rng = np.random.default_rng(seed)
    together = np.zeros(points)
    at = 0
    while at < points:
        at += int(rng.exponential(900)) + 100
        length = int(rng.normal(411, 60))
        together[at : at + length] = 1.0
        at += length
    level = np.convolve(together, np.ones(15) / 15, mode="same")
    noisy = level * rng.normal(0.85, 0.1, points) + (1 - level) * rng.gamma(2.0, 0.05, points)
    lost = rng.random(points) < 0.05
    clipped: FloatArray = np.clip(np.where(lost, noisy * 0.3, noisy), 0, 1)
    return clipped.round(4)
