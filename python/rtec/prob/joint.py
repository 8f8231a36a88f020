"""One step of oPIEC for several series, in array operations over all of them.

For each series, what matters of its support set is followed by the sums of its batch. The series
are then moved so that each lies below the one before it, which keeps them apart in one search.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rtec.prob.maximal import maximal_pairs, strict_minima
from rtec.prob.opiec import Opiec, useful
from rtec.prob.scale import LARGEST_SUM, IntArray


def take_together(streams: Sequence[Opiec], batches: Sequence[IntArray], begins: IntArray) -> None:
    """Give each stream its next batch, of consecutive time-points.

    Args:
        streams: Streams with the same settings.
        batches: The scores of each, at least one.
        begins: The time-point at which the batch of each begins.
    """
    tick = streams[0].tick
    scores = np.concatenate(batches)
    counts = np.array([len(batch) for batch in batches], dtype=np.int64)
    ends = np.cumsum(counts)
    firsts = ends - counts
    carried = np.array([stream.sum for stream in streams], dtype=np.int64)
    sums = _running_sums(scores, firsts, counts, carried)
    tops = np.maximum.reduceat(sums, firsts).tolist()
    finals = sums[ends - 1].tolist()

    picked = [
        useful(stream.support, top, final)
        for stream, top, final in zip(streams, tops, finals, strict=True)
    ]
    held = np.array([len(depths) for _, depths in picked], dtype=np.int64)
    sizes = held + 1 + counts
    bases = np.cumsum(sizes) - sizes
    whole = np.empty(int(sizes.sum()), dtype=np.int64)
    origins = bases + held
    is_held = _spread(bases, held)
    whole[is_held] = np.concatenate([depths for _, depths in picked])
    whole[origins] = carried
    whole[_spread(origins + 1, counts)] = sums
    if not _move_apart(whole, bases, sizes):
        for k, stream in enumerate(streams):
            stream.take_next(int(begins[k]), scores[firsts[k] : ends[k]])
        return

    before, last = maximal_pairs(whole)
    owner = np.searchsorted(bases, before, side="right") - 1
    now_ending = last > origins[owner]
    before, last, owner = before[now_ending], last[now_ending], owner[now_ending]
    starts = begins[owner] + (before - origins[owner]) * tick
    from_support = before < origins[owner]
    if from_support.any():
        held_times = np.empty(len(whole), dtype=np.int64)
        held_times[is_held] = np.concatenate(
            [
                np.array(stream.support.times[first : first + count], dtype=np.int64)
                for stream, (first, _), count in zip(streams, picked, held.tolist(), strict=True)
            ]
        )
        starts[from_support] = held_times[before[from_support]]
    found_ends = begins[owner] + (last - origins[owner] - 1) * tick
    totals = whole[last] - whole[before]

    minima = strict_minima(whole)
    home = np.searchsorted(bases, minima, side="right") - 1
    inside = (minima >= origins[home]) & (minima < bases[home] + sizes[home] - 1)
    minima, home = minima[inside], home[inside]
    place = minima - origins[home]
    depths = -np.where(place == 0, carried[home], sums[firsts[home] + place - 1])

    found = np.searchsorted(owner, np.arange(len(streams) + 1)).tolist()
    fresh = np.searchsorted(home, np.arange(len(streams) + 1)).tolist()
    new_times = begins[home] + place * tick
    nows = (begins + (counts - 1) * tick).tolist()
    final_scores = scores[ends - 1].tolist()
    for k, stream in enumerate(streams):
        if not stream.keep:
            stream.known.forget()
        here = slice(found[k], found[k + 1])
        stream.known.extend(starts[here], found_ends[here], totals[here])
        first, end = fresh[k], fresh[k + 1]
        deepest = stream.support.deepest
        if deepest is not None:
            first += int(np.searchsorted(depths[first:end], deepest, side="right"))
        stream.support.extend(new_times[first:end], depths[first:end], nows[k], tick)
        stream.sum = finals[k]
        stream.last = (nows[k], final_scores[k])


def _running_sums(
    scores: IntArray, firsts: IntArray, counts: IntArray, carried: IntArray
) -> IntArray:
    sums: IntArray = np.cumsum(scores)
    before = np.zeros(len(firsts), dtype=np.int64)
    before[1:] = sums[firsts[1:] - 1]
    sums += np.repeat(carried - before, counts)
    return sums


def _spread(firsts: IntArray, counts: IntArray) -> IntArray:
    """List the positions of runs that begin at `firsts` and are `counts` long."""
    ends = np.cumsum(counts)
    spread: IntArray = np.arange(int(ends[-1])) + np.repeat(firsts - (ends - counts), counts)
    return spread


def _move_apart(whole: IntArray, bases: IntArray, sizes: IntArray) -> bool:
    """Put each series below the one before it; say whether 64 bits have the room."""
    highest = np.maximum.reduceat(whole, bases)
    lowest = np.minimum.reduceat(whole, bases)
    if float((highest - lowest).astype(np.float64).sum()) + len(bases) > LARGEST_SUM:
        return False
    moves = np.zeros(len(bases), dtype=np.int64)
    moves[1:] = lowest[:-1] - highest[1:] - 1
    whole += np.repeat(np.cumsum(moves) - highest[0], sizes)
    return True
