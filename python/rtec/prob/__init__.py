"""Probabilistic maximal intervals."""

from rtec.prob.durations import Durations
from rtec.prob.many import OpiecMany
from rtec.prob.opiec import Opiec
from rtec.prob.piec import piec
from rtec.prob.pmis import Pmis

__all__ = ["Durations", "Opiec", "OpiecMany", "Pmis", "piec"]
