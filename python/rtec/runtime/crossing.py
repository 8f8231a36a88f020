"""Records on their way to Prolog: as lists, or by where their columns stand in memory.

The second way needs the library in C (rtec.native). Python then makes no lists and janus no
terms of them: the library reads the arrays themselves.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from rtec import bridge
from rtec.runtime.records import Column, RecordBatch, TermText, has_terms

_PREFIXES = {"event": "happens", "interval": "interval", "point": "point"}


def by_lists(verb: str, batch: RecordBatch) -> tuple[Any, ...]:
    """A batch as the loader to call, its columns, and which of them may hold terms."""
    columns = _columns(batch)
    lists = [column.tolist() for column in columns]
    flags = [int(has_terms(column)) for column in columns]
    if any(flags):
        lists = [_cells(cells) if flag else cells for cells, flag in zip(lists, flags, strict=True)]
    else:
        flags = []
    return f"{verb}_{_PREFIXES[batch.kind]}_{batch.name}", lists, flags


def columns_in_memory() -> ColumnsInMemory | None:
    """Return what hands batches over without lists, if Prolog has the library for it."""
    library = bridge.call("bridge_native")
    try:
        return ColumnsInMemory(library) if library else None
    except OSError:
        return None


class ColumnsInMemory:
    """Hands batches over by the addresses of their columns.

    The columns are kept until `release`, which is for when Prolog has read them.
    """

    def __init__(self, library: str) -> None:
        """Take the library that Prolog has loaded.

        Raises:
            OSError: Python cannot load it.
        """
        self._codes = ctypes.CDLL(library).rtec_codes
        self._codes.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]
        self._codes.restype = ctypes.c_int64
        self._kept: list[Column] = []

    def load(self, batch: RecordBatch) -> tuple[Any, ...]:
        """A batch as the predicate of its facts, how many they are, and its columns."""
        columns = [self._column(column) for column in _columns(batch)]
        return f"{_PREFIXES[batch.kind]}_{batch.name}", len(batch), columns

    def release(self) -> None:
        """Give up what Prolog has read."""
        self._kept.clear()

    def _column(self, column: Column) -> list[Any]:
        if column.dtype == np.int64:
            return ["int", self._address(column)]
        if column.dtype == np.float64:
            return ["float", self._address(column)]
        # Equal cells are mostly one object, so objects are counted rather than compared.
        cells = np.ascontiguousarray(column, dtype=object)
        codes, firsts = np.empty(len(cells), np.int32), np.empty(len(cells), np.int64)
        count = self._codes(
            cells.ctypes.data, len(cells), codes.ctypes.data, firsts.ctypes.data
        )
        if count < 0:
            raise MemoryError
        distinct = cells[firsts[:count]]
        flag = int(has_terms(distinct))
        listed = distinct.tolist()
        return ["cells", self._address(codes), flag, _cells(listed) if flag else listed]

    def _address(self, column: Column) -> int:
        whole = np.ascontiguousarray(column)
        self._kept.append(whole)
        return whole.ctypes.data


def _columns(batch: RecordBatch) -> list[Column]:
    optional = [batch.end, batch.value]
    return [batch.time, *(c for c in optional if c is not None), *batch.args]


def _cells(cells: list[Any]) -> list[Any]:
    """Cells in which the texts of compound terms are told from atoms."""
    return [(cell,) if isinstance(cell, TermText) else cell for cell in cells]
