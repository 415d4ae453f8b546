"""Curves on logarithmic axes, as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from xml.sax.saxutils import escape

import numpy as np

WIDTH, HEIGHT = 820, 460
LEFT, RIGHT, TOP, BOTTOM = 70, 270, 48, 56
"""Room beside the axes; names of curves stand at the right."""

COLORS = ("#0b6e99", "#5aa9c9", "#b4530a", "#e0a14f")
LINE = 17
"""Least distance of two names."""


@dataclass(frozen=True)
class Curve:
    """One curve."""

    name: str
    """In one line, or several."""
    points: list[tuple[float, float]]
    """Positive numbers."""


@dataclass(frozen=True)
class _Axis:
    """A logarithmic axis from whole decade to whole decade, in pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (log10(value) - self.low) * (self.end - self.start) / (
            self.high - self.low
        )

    @property
    def decades(self) -> list[int]:
        return list(range(ceil(self.low), floor(self.high) + 1))


def exponent(points: list[tuple[float, float]]) -> float:
    """The power of one number in the other, by least squares."""
    return float(np.polyfit(*np.log(np.array(points)).T, 1)[0])


def chart(title: str, across: str, up: str, ticks: list[int], curves: list[Curve]) -> str:
    """A picture of curves; ``ticks`` are named on the horizontal axis, decades on the other."""
    values = [y for curve in curves for _, y in curve.points]
    x = _Axis(log10(ticks[0]), log10(ticks[-1]), LEFT, WIDTH - RIGHT)
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    y = _Axis(low, high, HEIGHT - BOTTOM, TOP)
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        _text(LEFT, 26, title, size=16),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, across, anchor="middle"),
        _text(LEFT, TOP - 6, up, size=12, color="#555"),
    ]
    for decade in y.decades:
        at = y(10.0**decade)
        parts.append(_line(LEFT, at, WIDTH - RIGHT, at, "#ddd"))
        parts.append(_text(LEFT - 8, at + 4, _power(decade), anchor="end"))
    for tick in ticks:
        at = x(tick)
        parts.append(_line(at, TOP, at, HEIGHT - BOTTOM, "#eee"))
        parts.append(_text(at, HEIGHT - BOTTOM + 20, str(tick), anchor="middle"))
    for curve, color in zip(curves, COLORS, strict=False):
        places = [(x(a), y(b)) for a, b in curve.points]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{color}"/>' for a, b in places]
    parts += _names(curves, x, y)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">\n{body}\n</svg>\n'
    )


def _names(curves: list[Curve], x: _Axis, y: _Axis) -> list[str]:
    """Each line at the height where its curve ends, but not on another, nor below the axes."""
    named = list(zip(curves, COLORS, strict=False))
    named.sort(key=lambda pair: y(pair[0].points[-1][1]))
    lines, last = [], TOP - LINE
    for curve, color in named:
        a, b = curve.points[-1]
        for line in curve.name.splitlines():
            last = max(last + LINE, y(b) + 4)
            lines.append((max(x(a), x.end) + 12, last, line, color))
    excess = max(0.0, last - y.start)
    return [_text(at, height - excess, line, color=color) for at, height, line, color in lines]


def _text(
    x: float, y: float, text: str, size: int = 13, anchor: str = "start", color: str = "#222"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{color}">{escape(text)}</text>'
    )


def _line(x: float, y: float, to_x: float, to_y: float, color: str) -> str:
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{color}"/>'


def _power(decade: int) -> str:
    return f"{10**decade:,}".replace(",", " ") if decade >= 0 else f"{10.0**decade:g}"
