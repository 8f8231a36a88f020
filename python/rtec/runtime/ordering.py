"""Records in the order the engine likes best: by first argument, then time.

The engine sorts the initiations and terminations that rules find by fluent and
time. Rules find them in the order of the facts, and sorting what is nearly sorted
is cheap; so facts are handed over by entity. Nothing but speed depends on it.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rtec.runtime.records import Column, Ints, RecordBatch


def by_entity(batch: RecordBatch) -> RecordBatch:
    """Order a batch by its first argument, then by time."""
    if len(batch) < 2 or not batch.args:
        return batch
    ranks = _ranks(batch.args[0])
    if ranks is None:
        return batch
    return batch.filter(np.lexsort((batch.time, ranks)))


def _ranks(column: Column) -> Ints | Column | None:
    """Numbers that order a column as Prolog would; None if it mixes types."""
    if column.dtype != object:
        return column
    try:
        encoded = pa.array(column, pa.string()).dictionary_encode()
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return None
    order = pc.array_sort_indices(encoded.dictionary).to_numpy()
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return np.asarray(rank[encoded.indices.to_numpy()])
