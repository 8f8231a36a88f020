"""Series that are known as a whole, given to oPIEC batch by batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from rtec.errors import ConfigError, Problem
from rtec.prob.many import gather
from rtec.prob.opiec import Opiec
from rtec.prob.pmis import Pmis
from rtec.prob.series import Rows


def replay(
    rows: Rows, batch: int, rng: np.random.Generator | int = 0, **settings: Any
) -> tuple[Pmis, list[Opiec]]:
    """Feed each series to a stream of its own, `batch` rows at a time.

    Args:
        rows: Checked and sorted series.
        batch: How many rows of a series make a batch.
        rng: A generator, or a seed; each series draws from a child of it.
        settings: As for `Opiec`.

    Returns:
        The intervals known at the end, and the streams.
    """
    if batch < 1:
        raise ConfigError(Problem(f"batch is {batch}; it has to be at least 1", "prob-batch"))
    parent = np.random.default_rng(rng)
    streams = []
    for first, end in zip(rows.offsets[:-1].tolist(), rows.offsets[1:].tolist(), strict=True):
        stream = Opiec(rng=parent.spawn(1)[0], **settings)
        probs, times = rows.probs[first:end], rows.times[first:end]
        if batch == 1:
            for prob, time in zip(probs.tolist(), times.tolist(), strict=True):
                stream.push(prob, time)
        else:
            for i in range(0, end - first, batch):
                stream.update(probs[i : i + batch], times[i : i + batch])
        streams.append(stream)
    model = streams[0] if streams else Opiec(**settings)
    return gather(streams, rows.labels, model.scale, model.tick), streams
