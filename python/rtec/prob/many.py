"""oPIEC over many series at once, whose rows arrive together in batches."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from rtec.errors import Problem, StreamError
from rtec.prob.blocks import LONGEST_GAP, too_long
from rtec.prob.durations import Durations
from rtec.prob.gaps import Gaps
from rtec.prob.joint import take_together
from rtec.prob.opiec import Opiec
from rtec.prob.pmis import Pmis
from rtec.prob.scale import DECIMALS, Scale, Threshold
from rtec.prob.series import Rows, bad_order, rows_of

Batch: TypeAlias = pa.Table | pa.RecordBatch | Mapping[str, Any]

COLUMNS = ("series", "time", "prob")

_WORTH_JOINING = 12
"""From so many rows a series on, array operations over all series are faster than loops."""


class OpiecMany:
    """Probabilistic maximal intervals of many growing series.

    >>> streams = OpiecMany(0.5)
    >>> found = streams.update({"series": ["a", "b", "a"], "time": [1, 7, 2], "prob": [1, 0.2, 0]})
    >>> found.to_arrow().to_pylist()
    [{'series': 'a', 'start': 1, 'end': 2, 'prob': 0.5, 'credible': True}]
    >>> streams["b"].support_set()
    [(7, 0.0)]
    """

    def __init__(
        self,
        threshold: Threshold = 0.5,
        *,
        bound: int | None = None,
        durations: Durations | None = None,
        rng: np.random.Generator | int = 0,
        tick: int = 1,
        gaps: Gaps = "zero",
        decimals: int = DECIMALS,
        keep: bool = True,
    ) -> None:
        """Start without series; each one begins with its first row. Settings are as in `Opiec`."""
        self._rng = np.random.default_rng(rng)
        self._settings: dict[str, Any] = {
            "threshold": threshold,
            "bound": bound,
            "durations": durations,
            "tick": tick,
            "gaps": gaps,
            "decimals": decimals,
            "keep": keep,
        }
        model = Opiec(**self._settings)
        self.scale, self.tick, self.gaps, self.keep = model.scale, tick, gaps, keep
        self._streams: dict[Any, Opiec] = {}
        self._type: pa.DataType = pa.string()

    def update(self, batch: Batch) -> Pmis:
        """Take the next rows, of any number of series.

        Args:
            batch: Columns `series`, `prob` and, if rows do not follow directly, `time`.

        Returns:
            The intervals that end in this batch, with their series in the order of its rows.

        Raises:
            RowError: A row cannot be used. Nothing has changed then.
        """
        rows = _rows(batch, self.tick)
        assert rows.labels is not None
        self._type = rows.labels.type
        names = rows.labels.to_pylist()
        timed = "time" in _names(batch)
        known = [self._streams.get(name) for name in names]
        rows = rows if timed else _follow(rows, known, self.tick)
        _check_follows(rows, known, self.tick, self.gaps)
        streams = [stream or self._new(name) for name, stream in zip(names, known, strict=True)]
        firsts = self._take(rows, streams)
        return gather(streams, rows.labels, self.scale, self.tick, firsts)

    def intervals(self) -> Pmis:
        """Tell the intervals of all series known so far."""
        labels = pa.array(list(self._streams), self._type)
        return gather(list(self._streams.values()), labels, self.scale, self.tick)

    def forget(self, before: int) -> None:
        """Drop the known intervals that end before a time-point."""
        for stream in self._streams.values():
            stream.forget(before)

    def drop(self, name: Any) -> None:
        """Forget a series that has ended, with all its intervals."""
        del self._streams[name]

    def __getitem__(self, name: Any) -> Opiec:
        return self._streams[name]

    def __contains__(self, name: Any) -> bool:
        return name in self._streams

    def __len__(self) -> int:
        return len(self._streams)

    def _new(self, name: Any) -> Opiec:
        stream = Opiec(**self._settings, rng=self._rng.spawn(1)[0])
        self._streams[name] = stream
        return stream

    def _take(self, rows: Rows, streams: list[Opiec]) -> list[int]:
        """Give each stream its rows; say at which time-point those of each begin."""
        offsets, tick = rows.offsets, self.tick
        firsts = rows.times[offsets[:-1]]
        counts = np.diff(offsets)
        spans = (rows.times[offsets[1:] - 1] - firsts) // tick
        dense = spans == counts - 1
        for k, (stream, first, span) in enumerate(
            zip(streams, firsts.tolist(), spans.tolist(), strict=True)
        ):
            last = first - tick if stream.last is None else stream.last[0]
            stream.check_room(span + (first - last) // tick)
            if last + tick != first:
                dense[k] = False
        scores = self.scale.scores(rows.probs)
        joined = np.flatnonzero(dense & (counts >= _WORTH_JOINING))
        alone = np.flatnonzero(dense & (counts < _WORTH_JOINING))
        if len(joined):
            parts = [scores[offsets[k] : offsets[k + 1]] for k in joined]
            take_together([streams[k] for k in joined], parts, firsts[joined])
        for k in alone.tolist():
            streams[k].take_next(int(firsts[k]), scores[offsets[k] : offsets[k + 1]].tolist())
        for k in np.flatnonzero(~dense).tolist():
            part = slice(int(offsets[k]), int(offsets[k + 1]))
            streams[k].take_batch(rows.probs[part], rows.times[part])
        return list(firsts.tolist())


def gather(
    streams: Sequence[Opiec],
    labels: pa.Array | None,
    scale: Scale,
    tick: int,
    since: Sequence[int] | None = None,
) -> Pmis:
    """Collect the intervals of several streams; of each, those that end at `since` or after it."""
    columns: tuple[array[int], ...] = (array("q"), array("q"), array("q"))
    counts = [
        stream.known.append_to(columns, None if since is None else since[k])
        for k, stream in enumerate(streams)
    ]
    codes = np.repeat(np.arange(len(streams)), np.array(counts, dtype=np.int64))
    return Pmis(columns[0], columns[1], columns[2], scale, tick, codes, labels)


def _names(batch: Batch) -> list[str]:
    return list(batch) if isinstance(batch, Mapping) else list(batch.schema.names)


def _rows(batch: Batch, tick: int) -> Rows:
    names = _names(batch)
    for name in ("series", "prob"):
        if name not in names:
            raise StreamError(Problem(f"column `{name}` is missing", "prob-columns"))
    for name in names:
        if name not in COLUMNS:
            raise StreamError(
                Problem(
                    f"column `{name}` is not known",
                    "prob-columns",
                    remedy=f"the columns are {', '.join(COLUMNS)}",
                )
            )
    times = batch["time"] if "time" in names else None
    return rows_of(batch["prob"], times, batch["series"], tick)


def _follow(rows: Rows, known: list[Opiec | None], tick: int) -> Rows:
    """Let the rows of each series follow what came before."""
    shift = [0 if stream is None or stream.last is None else stream.last[0] for stream in known]
    counts = np.diff(rows.offsets)
    times = rows.times + np.repeat(np.array(shift, dtype=np.int64), counts)
    return Rows(times, rows.probs, rows.offsets, rows.labels, rows.order)


def _check_follows(rows: Rows, known: list[Opiec | None], tick: int, gaps: Gaps) -> None:
    """Refuse rows that cannot follow what came before, and gaps too long to fill."""
    firsts = rows.offsets[:-1]
    before = np.empty(len(rows.times), dtype=np.int64)
    before[1:] = rows.times[:-1]
    before[firsts] = [
        rows.times[first] - tick if stream is None or stream.last is None else stream.last[0]
        for first, stream in zip(firsts.tolist(), known, strict=True)
    ]
    steps = rows.times - before
    wrong = (steps <= 0) | (steps % tick != 0)
    long = np.zeros_like(wrong) if gaps == "split" else steps > LONGEST_GAP * tick
    if not (wrong | long).any():
        return
    bad = np.flatnonzero(wrong | long)
    places = bad if rows.order is None else rows.order[bad]
    place, row = bad[np.argmin(places)], int(places.min())
    time, last = int(rows.times[place]), int(before[place])
    raise bad_order(row, time, last, tick) if wrong[place] else too_long(row, time, last, tick)
