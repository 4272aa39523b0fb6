"""The report's pictures: real SVG with axes, units and a text alternative (a table of the same figures)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from .svg import Canvas, number, powers, ticks

WIDTH = 640


@dataclass(frozen=True)
class Picture:
    """What a template shows: the drawing, its caption and the figures behind it."""

    svg: Markup
    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Series = Mapping[str, Sequence[float]]


def columns(name: str, title: str, labels: Sequence[str], series: Series, x_label: str, y_label: str) -> Picture:
    """Upright bars side by side: one group for each label, one bar for each series."""
    left, right, top, bottom = 56, 8, 34, 52
    height = 260
    marks = ticks(max((max(v, default=0.0) for v in series.values()), default=0.0))
    said = f"{title}. " + _spoken(labels, series)
    c = Canvas(name, WIDTH, height, title, said)
    floor, span = height - bottom, height - bottom - top
    _frame(c, marks, lambda y: floor - span * y / marks[-1], left, WIDTH - right, y_label)
    group = (WIDTH - left - right) / max(1, len(labels))
    wide = min(34.0, group * 0.8 / max(1, len(series)))
    for i, label in enumerate(labels):
        middle = left + group * (i + 0.5)
        for s, (who, values) in enumerate(series.items()):
            tall = span * values[i] / marks[-1]
            x = middle + (s - len(series) / 2) * wide
            c.rect(x, floor - tall, wide - 2, tall, f"s{s}", f"{who}, {label}: {number(values[i])}")
        c.text(middle, floor + 16, label, "tick", "middle")
    c.text((left + WIDTH - right) / 2, height - 10, x_label, "axis", "middle")
    _legend(c, list(series), left)
    return Picture(c.svg(), title, (x_label, *series), _rows(labels, series))


def bars(name: str, title: str, labels: Sequence[str], series: Series, x_label: str, top_value: float | None = None) -> Picture:
    """Lying bars, for labels that are words."""
    left, right, bottom = 190, 46, 44
    top = 34 if len(series) > 1 else 8
    thick = 13 if len(series) > 1 else 18
    each = thick * len(series) + 9
    height = top + each * max(1, len(labels)) + bottom
    most = max((max(v, default=0.0) for v in series.values()), default=0.0)
    marks = ticks(most if top_value is None else max(most, top_value))
    c = Canvas(name, WIDTH, height, title, f"{title}. " + _spoken(labels, series))
    span = WIDTH - left - right
    for t in marks:
        x = left + span * t / marks[-1]
        c.line(x, top, x, height - bottom, "grid")
        c.text(x, height - bottom + 16, number(t), "tick", "middle")
    for i, label in enumerate(labels):
        y = top + each * i + 4
        c.text(left - 8, y + each / 2, shortened(label, 28), "label", "end")
        for s, (who, values) in enumerate(series.items()):
            long = span * values[i] / marks[-1]
            c.rect(left, y + thick * s, long, thick - 2, f"s{s}", f"{who}, {label}: {number(values[i])}")
            c.text(left + long + 4, y + thick * s + thick - 4, number(values[i]), "value")
    c.text(left + span / 2, height - 8, x_label, "axis", "middle")
    if len(series) > 1:
        _legend(c, list(series), left)
    return Picture(c.svg(), title, ("", *series), _rows(labels, series))


def steps(
    name: str,
    title: str,
    series: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    x_label: str,
    y_label: str,
    mark: tuple[float, str] | None = None,
    staircase: bool = True,
) -> Picture:
    """Curves over a logarithmic axis that starts at 1; `staircase`: a value holds until the next x. `mark` is a line at x."""
    left, right, top, bottom = 56, 14, 34, 52
    height = 280
    most = max([2.0, *(max(x, default=1.0) for x, _ in series.values()), *([mark[0]] if mark else [])])
    marks = ticks(max((max(y, default=0.0) for _, y in series.values()), default=1.0))
    floor, span = height - bottom, height - bottom - top
    wide = WIDTH - left - right

    def at(x: float) -> float:
        return left + wide * math.log(x) / math.log(most)

    def up(y: float) -> float:
        return floor - span * y / marks[-1]

    spoken = "; ".join(f"{who}: from {number(y[0])} to {number(y[-1])}" for who, (_, y) in series.items() if len(y))
    c = Canvas(name, WIDTH, height, title, f"{title}. {y_label} by {x_label}. {spoken}.")
    _frame(c, marks, up, left, WIDTH - right, y_label)
    for t in powers(1, most):
        c.line(at(t), floor, at(t), floor + 4, "axisline")
        c.text(at(t), floor + 16, number(t), "tick", "middle")
    if mark:
        c.line(at(mark[0]), top, at(mark[0]), floor, "promise")
        beyond = at(mark[0]) > left + 0.85 * wide  # no room to the right of the line
        c.text(at(mark[0]) + (-4 if beyond else 4), top + 10, mark[1], "value", "end" if beyond else "start")
    for s, (xs, ys) in enumerate(series.values()):
        points: list[tuple[float, float]] = []
        for x, y in zip(xs, ys, strict=True):
            if staircase and points:
                points.append((at(x), points[-1][1]))
            points.append((at(x), up(y)))
        if staircase and points:
            points.append((at(most), points[-1][1]))
        c.path(points, f"curve c{s}")
    c.text((left + WIDTH - right) / 2, height - 10, x_label, "axis", "middle")
    _legend(c, list(series), left)
    rows = [(who, number(x), number(y)) for who, (xs, ys) in series.items() for x, y in _thinned(xs, ys)]
    return Picture(c.svg(), title, ("", x_label, y_label), tuple(rows))


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    group: str
    label: str
    best: bool = False


def scatter(name: str, title: str, dots: Sequence[Dot], x_label: str, y_label: str) -> Picture:
    """Points in groups told apart by form and colour; those marked best are joined by a line (an efficient frontier)."""
    left, right, bottom = 56, 16, 52
    groups = list(dict.fromkeys(d.group for d in dots))
    places = _legend_places(groups, left)
    top = 26 + int(places[-1][1]) if places else 26  # the drawing begins below the last line of the legend
    height = top + 362 - bottom
    across, along = ticks(max((d.x for d in dots), default=1.0)), ticks(max((d.y for d in dots), default=1.0))
    floor, span = height - bottom, height - bottom - top
    wide = WIDTH - left - right
    best = sorted((d for d in dots if d.best), key=lambda d: (d.x, -d.y))
    spoken = f"{title}. {len(dots)} points of {len(groups)} kinds. Best trade-offs: " + "; ".join(
        f"{d.group} {d.label}: {number(d.x)}, {number(d.y)}" for d in best
    )
    c = Canvas(name, WIDTH, height, title, spoken)

    def at(d: Dot) -> tuple[float, float]:
        return left + wide * d.x / across[-1], floor - span * d.y / along[-1]

    _frame(c, along, lambda y: floor - span * y / along[-1], left, WIDTH - right, y_label)
    for t in across:
        x = left + wide * t / across[-1]
        c.line(x, floor, x, floor + 4, "axisline")
        c.text(x, floor + 16, number(t), "tick", "middle")
    c.path([at(d) for d in best], "frontier")
    labelled: list[tuple[float, float]] = []
    for d in dots:
        x, y = at(d)
        g = groups.index(d.group)
        c.mark(x, y, g, f"s{g % 8}", f"{d.group}, {d.label}: {x_label} {number(d.x)}, {y_label} {number(d.y)}")
        # Below and to the left of the frontier a label is mostly free; where it is not, the mark's own title says it.
        end, base = max(x - 8, left + 38), y + 16
        clear = all(abs(end - u) > 38 or abs(base - v) > 12 for u, v in labelled)
        if d.best and clear and not any(end - 42 < u < end + 6 and abs(base - 4 - v) < 9 for u, v in map(at, dots)):
            labelled.append((end, base))
            c.text(end, base, d.label, "value", "end")
    c.text((left + WIDTH - right) / 2, height - 10, x_label, "axis", "middle")
    for g, (who, (x, y)) in enumerate(zip(groups, places, strict=True)):
        c.mark(x + 6, y - 4, g, f"s{g % 8}")
        c.text(x + 16, y, who, "tick")
    rows = tuple((d.group, d.label, number(d.x), number(d.y), "yes" if d.best else "") for d in dots)
    return Picture(c.svg(), title, ("", "", x_label, y_label, "on the frontier"), rows)


def shares(name: str, title: str, labels: Sequence[str], series: Series, x_label: str) -> Picture:
    """Lying bars of parts that add up, in percent."""
    left, right, top, bottom = 190, 16, 52, 44
    each = 30
    height = top + each * max(1, len(labels)) + bottom
    c = Canvas(name, WIDTH, height, title, f"{title}. " + _spoken(labels, series))
    span = WIDTH - left - right
    for t in (0, 25, 50, 75, 100):
        x = left + span * t / 100
        c.line(x, top, x, height - bottom, "grid")
        c.text(x, height - bottom + 16, str(t), "tick", "middle")
    for i, label in enumerate(labels):
        x = float(left)
        y = top + each * i + 5
        c.text(left - 8, y + 13, shortened(label, 28), "label", "end")
        for s, (who, values) in enumerate(series.items()):
            long = span * values[i] / 100
            c.rect(x, y, long, each - 10, f"s{s}", f"{who}, {label}: {number(values[i])} %", 0)
            x += long
    c.text(left + span / 2, height - 8, x_label, "axis", "middle")
    _legend(c, list(series), 8)
    return Picture(c.svg(), title, ("", *series), _rows(labels, series))


def shortened(text: str, most: int) -> str:
    """At most so many small letters' width; capitals and digits are wider.

    >>> shortened("a label of many words", 12), shortened("HP:0000568", 10)
    ('a label of …', 'HP:0000…')
    """
    widths = [1.2 if c.isupper() or c.isdigit() else 1.0 for c in text]
    if sum(widths) <= most:
        return text
    room, kept = most - 1.0, 0
    while widths[kept] <= room:
        room, kept = room - widths[kept], kept + 1
    return text[:kept] + "…"


def _frame(c: Canvas, marks: Sequence[float], place: Callable[[float], float], left: float, right: float, y_label: str) -> None:
    for t in marks:
        y = place(t)
        c.line(left, y, right, y, "grid" if t else "axisline")
        c.text(left - 6, y + 4, number(t), "tick", "end")
    middle = (place(marks[0]) + place(marks[-1])) / 2
    c.text(13, middle, y_label, "axis", "middle", turned=True)


def _legend(c: Canvas, names: Sequence[str], left: float) -> None:
    x, y = float(left), 16.0
    for s, who in enumerate(names):
        wide = 24 + 6.6 * len(who)
        if x + wide > c.width:
            x, y = float(left), y + 17
        c.rect(x, y - 9, 10, 10, f"s{s}")
        c.text(x + 15, y, who, "tick")
        x += wide + 12


def _legend_places(names: Sequence[str], left: float) -> list[tuple[float, float]]:
    """Where each name of a legend of marks begins, in as many lines as they need."""
    places, x, y = [], float(left), 14.0
    for who in names:
        if x + 22 + 6.6 * len(who) > WIDTH:
            x, y = float(left), y + 18
        places.append((x, y))
        x += 30 + 6.6 * len(who)
    return places


def _rows(labels: Sequence[str], series: Series) -> tuple[tuple[str, ...], ...]:
    return tuple((label, *(number(v[i]) for v in series.values())) for i, label in enumerate(labels))


def _spoken(labels: Sequence[str], series: Series) -> str:
    return " ".join(
        f"{label}: " + ", ".join(f"{who} {number(v[i])}" for who, v in series.items()) + "." for i, label in enumerate(labels)
    )


def _thinned(xs: Sequence[float], ys: Sequence[float], most: int = 25) -> list[tuple[float, float]]:
    """At most so many points of a curve, the first and the last among them."""
    n = len(xs)
    keep = range(n) if n <= most else sorted({round(i * (n - 1) / (most - 1)) for i in range(most)})
    return [(xs[i], ys[i]) for i in keep]
