"""Pictures of series: the probability curve, the threshold, and what was recognised, as SVG.

Under each curve there are bars: the time-points that reach the threshold by themselves, the
credible intervals, and the other maximal intervals. Where a credible interval goes on though the
curve is below the threshold, its bar has another colour: point-wise recognition misses that part.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from rtec.prob.gaps import Gaps
from rtec.prob.pmis import Pmis
from rtec.prob.scale import FloatArray, IntArray

WIDTH = 960
_LEFT, _RIGHT = 118, 24
_CHART, _LANE, _HEAD, _FOOT = 150, 16, 34, 30
_ROWS = 5
_DOTS = 80
_STYLE = """
text { font: 12px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #334155 }
.title { font-size: 14px; font-weight: 600; fill: #0f172a }
.axis { stroke: #cbd5e1; stroke-width: 1 }
.grid { stroke: #eef2f6; stroke-width: 1 }
.curve { fill: none; stroke: #1e3a5f; stroke-linejoin: round }
.under { fill: #1e3a5f; fill-opacity: .08; stroke: none }
.dot { fill: #1e3a5f }
.threshold { stroke: #b45309; stroke-width: 1.4; stroke-dasharray: 6 4 }
.band { fill: #0d9488; fill-opacity: .08 }
.points { fill: #94a3b8 }
.credible { fill: #0d9488 }
.missed { fill: #f59e0b }
.other { fill: #99d5cd }
.kept { stroke: #7c3aed; stroke-width: 1.5 }
.limit { font-size: 11px; fill: #b45309 }
.small { font-size: 11px; fill: #64748b }
"""


@dataclass(frozen=True, slots=True)
class Panel:
    """One series in a picture.

    Attributes:
        title: What is written above it.
        times: Time-points, ascending.
        probs: Their probabilities.
        threshold: The threshold.
        intervals: The maximal intervals.
        gaps: What missing time-points mean.
        kept: Starts in the support set, to be marked on the axis.
    """

    title: str
    times: IntArray
    probs: FloatArray
    threshold: float
    intervals: Pmis
    gaps: Gaps = "zero"
    kept: Sequence[int] = ()


def draw(panels: Sequence[Panel], note: str = "") -> str:
    """Draw series under each other."""
    body: list[str] = []
    top = 44.0
    for panel in panels:
        drawn, height = _Chart(panel, top).draw()
        body += drawn
        top += height
    if note:
        body.append(f'<text class="small" x="{_LEFT}" y="{top + 6:.0f}">{escape(note)}</text>')
        top += 18
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top:.0f}" '
        f'viewBox="0 0 {WIDTH} {top:.0f}" role="img">'
    )
    marked = any(panel.kept for panel in panels)
    parts = [head, f"<style>{_STYLE}</style>"]
    parts.append(f'<rect width="{WIDTH}" height="{top:.0f}" fill="#ffffff"/>')
    return "\n".join([*parts, *_legend(marked), *body, "</svg>", ""])


def _legend(marked: bool) -> list[str]:
    entries = [
        ("points", "time-point reaches the threshold"),
        ("credible", "credible interval"),
        ("missed", "credible, though below the threshold"),
        ("other", "other maximal interval"),
    ]
    parts, x = [], 24.0
    for name, text in entries:
        parts.append(f'<rect class="{name}" x="{x:.0f}" y="15" width="16" height="8" rx="2"/>')
        parts.append(f'<text class="small" x="{x + 21:.0f}" y="23">{text}</text>')
        x += 34 + 5.9 * len(text)
    if marked:
        parts.append(_cross(x + 8, 19))
        parts.append(f'<text class="small" x="{x + 21:.0f}" y="23">start kept</text>')
    return parts


class _Chart:
    """The drawing of one panel, from `top` downwards."""

    def __init__(self, panel: Panel, top: float) -> None:
        self.panel = panel
        self.top = top
        self.first, self.last = _extent(panel)
        tick = panel.intervals.tick
        # A time-point is as wide as a tick, so that bars meet and single points can be seen.
        self.low, self.high = self.first - tick / 2, self.last + tick / 2
        self.scale = (WIDTH - _LEFT - _RIGHT) / max(self.high - self.low, 1e-9)

    def x(self, time: float) -> float:
        return _LEFT + (time - self.low) * self.scale

    def y(self, prob: float) -> float:
        return self.top + _HEAD + _CHART * (1.0 - prob)

    def draw(self) -> tuple[list[str], float]:
        panel = self.panel
        parts = [f'<text class="title" x="{_LEFT}" y="{self.top + 18:.0f}">{escape(panel.title)}']
        parts[0] += "</text>"
        parts += self._bands() + self._frame() + self._curve()
        lane = self.top + _HEAD + _CHART + _FOOT
        reached = _runs(panel.times, panel.probs >= panel.threshold, panel.intervals.tick)
        parts += self._lane("points", lane, "points", reached)
        lane += _LANE
        chosen = panel.intervals.credible
        credible = [pair for pair, yes in zip(panel.intervals, chosen, strict=True) if yes]
        parts += self._lane("credible", lane, "credible", credible)
        parts += self._bars("missed", lane, self._missed(credible, reached), 9)
        lane += _LANE
        others = [pair for pair, yes in zip(panel.intervals, chosen, strict=True) if not yes]
        rows, left_out = _pack(others, _ROWS)
        if others:
            parts += self._label("others", lane + 7)
        for row in rows:
            parts += self._bars("other", lane, row, 4)
            lane += 6
        if left_out:
            text = f"and {left_out} more that overlap these"
            parts.append(f'<text class="small" x="{_LEFT}" y="{lane + 11:.0f}">{text}</text>')
            lane += 16
        return parts, lane + 16 - self.top

    def _bands(self) -> list[str]:
        pairs = zip(self.panel.intervals, self.panel.intervals.credible, strict=True)
        return [
            f'<rect class="band" {self._span(pair)} y="{self.y(1):.1f}" height="{_CHART}"/>'
            for pair, yes in pairs
            if yes
        ]

    def _frame(self) -> list[str]:
        right = WIDTH - _RIGHT
        parts = []
        for prob in (0.0, 0.25, 0.5, 0.75, 1.0):
            y = self.y(prob)
            style = "axis" if prob == 0 else "grid"
            parts.append(f'<line class="{style}" x1="{_LEFT}" x2="{right}" y1="{y}" y2="{y}"/>')
            parts.append(
                f'<text class="small" x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{prob:g}</text>'
            )
        bottom = self.y(0)
        for time in _ticks(self.first, self.last):
            x = self.x(time)
            parts.append(
                f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{bottom}" y2="{bottom + 4}"/>'
                f'<text class="small" x="{x:.1f}" y="{bottom + 17}" text-anchor="middle">'
                f"{time}</text>"
            )
        y = self.y(self.panel.threshold)
        parts.append(
            f'<line class="threshold" x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="limit" x="{_LEFT - 38}" y="{y + 4:.1f}" text-anchor="end">threshold '
            f"{self.panel.threshold:.4g}</text>"
        )
        shown = [t for t in self.panel.kept if self.first <= t <= self.last]
        parts += [_cross(self.x(time), bottom) for time in shown]
        return parts

    def _curve(self) -> list[str]:
        parts = []
        for times, probs in _stretches(self.panel):
            points = self._points(times, probs)
            line = " ".join(f"{x:.1f},{self.y(p):.1f}" for x, p in points)
            base = self.y(0)
            parts.append(
                f'<polygon class="under" points="{points[0][0]:.1f},{base} {line} '
                f'{points[-1][0]:.1f},{base}"/>'
            )
            width = 0.8 if len(times) > WIDTH else 1.6
            parts.append(f'<polyline class="curve" stroke-width="{width}" points="{line}"/>')
            if len(points) <= _DOTS:
                parts += [
                    f'<circle class="dot" cx="{x:.1f}" cy="{self.y(p):.1f}" r="2.4"/>'
                    for x, p in points
                ]
        return parts

    def _points(self, times: FloatArray, probs: FloatArray) -> list[tuple[float, float]]:
        """Thin out a curve with many more points than pixels: lowest and highest of each pixel."""
        if len(times) <= 2 * WIDTH:
            return [(self.x(t), p) for t, p in zip(times.tolist(), probs.tolist(), strict=True)]
        pixels = ((times - self.low) * self.scale).astype(np.int64)
        firsts = np.flatnonzero(np.diff(pixels, prepend=pixels[0] - 1))
        lows = np.minimum.reduceat(probs, firsts).tolist()
        highs = np.maximum.reduceat(probs, firsts).tolist()
        points = []
        for i, pixel in enumerate(pixels[firsts].tolist()):
            x = _LEFT + pixel + 0.5
            pair = [(x, lows[i]), (x, highs[i])]
            points += pair if i % 2 else pair[::-1]
        return points

    def _missed(
        self, credible: list[tuple[int, int]], reached: list[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Find the parts of credible intervals in which no time-point reaches the threshold."""
        tick = self.panel.intervals.tick
        parts = []
        for start, end in credible:
            at = start
            for first, last in reached:
                if last < at or first > end:
                    continue
                if first > at:
                    parts.append((at, first - tick))
                at = last + tick
            if at <= end:
                parts.append((at, end))
        return parts

    def _lane(
        self, label: str, y: float, style: str, pairs: Sequence[tuple[int, int]]
    ) -> list[str]:
        return self._label(label, y + 9) + self._bars(style, y, pairs, 9)

    def _label(self, label: str, y: float) -> list[str]:
        return [f'<text class="small" x="{_LEFT - 8}" y="{y:.0f}" text-anchor="end">{label}</text>']

    def _bars(
        self, style: str, y: float, pairs: Sequence[tuple[int, int]], height: int
    ) -> list[str]:
        return [
            f'<rect class="{style}" {self._span(pair)} y="{y:.1f}" height="{height}" rx="1.5"/>'
            for pair in _visible(pairs, 1.0 / self.scale)
        ]

    def _span(self, pair: tuple[int, int]) -> str:
        half = self.panel.intervals.tick / 2
        left, right = self.x(pair[0] - half), self.x(pair[1] + half)
        return f'x="{left:.1f}" width="{max(right - left, 1.0):.1f}"'


def _extent(panel: Panel) -> tuple[int, int]:
    if len(panel.times) == 0:
        return 0, 1
    return int(panel.times[0]), int(panel.times[-1])


def _visible(pairs: Sequence[tuple[int, int]], pixel: float) -> list[tuple[int, int]]:
    """Join bars that are less than a pixel apart, so that a picture never has too many."""
    joined: list[tuple[int, int]] = []
    for start, end in pairs:
        if joined and len(pairs) > WIDTH and start - joined[-1][1] < pixel:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _runs(
    times: IntArray, wanted: np.ndarray[tuple[int], np.dtype[np.bool_]], tick: int
) -> list[tuple[int, int]]:
    """List the runs of consecutive time-points that are wanted."""
    picked = times[wanted]
    if len(picked) == 0:
        return []
    breaks = np.flatnonzero(np.diff(picked) > tick)
    starts = picked[np.concatenate(([0], breaks + 1))]
    ends = picked[np.concatenate((breaks, [len(picked) - 1]))]
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _pack(pairs: Sequence[tuple[int, int]], most: int) -> tuple[list[list[tuple[int, int]]], int]:
    """Put intervals into rows in which none overlap; say how many found no row."""
    rows: list[list[tuple[int, int]]] = []
    left_out = 0
    for pair in pairs:
        for row in rows:
            if row[-1][1] < pair[0]:
                row.append(pair)
                break
        else:
            if len(rows) < most:
                rows.append([pair])
            else:
                left_out += 1
    return rows, left_out


def _stretches(panel: Panel) -> list[tuple[FloatArray, FloatArray]]:
    """Cut or fill the curve at gaps, in the way that gaps are read."""
    tick = panel.intervals.tick
    times, probs = panel.times.astype(np.float64), panel.probs
    if len(times) == 0:
        return []
    before = np.flatnonzero(np.diff(panel.times) > tick)
    if len(before) == 0:
        return [(times, probs)]
    if panel.gaps == "split":
        return list(zip(np.split(times, before + 1), np.split(probs, before + 1), strict=True))
    held = probs[before] if panel.gaps == "hold" else np.zeros(len(before))
    at = np.stack((times[before] + tick, times[before + 1] - tick), axis=1).reshape(-1)
    where = np.repeat(before + 1, 2)
    return [(np.insert(times, where, at), np.insert(probs, where, np.repeat(held, 2)))]


def _ticks(first: int, last: int) -> list[int]:
    """Choose round time-points for the axis."""
    span = max(last - first, 1)
    step = 10 ** math.floor(math.log10(span / 4))
    for factor in (1, 2, 5, 10):
        if span / (step * factor) <= 10:
            step *= factor
            break
    whole = max(1, int(step))
    return list(range(math.ceil(first / whole) * whole, last + 1, whole))


def _cross(x: float, y: float) -> str:
    return (
        f'<path class="kept" d="M{x - 3.5:.1f} {y - 3.5:.1f}l7 7m0 -7l-7 7"><title>start kept'
        "</title></path>"
    )
