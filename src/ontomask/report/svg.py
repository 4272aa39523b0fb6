"""Small pieces of SVG: a canvas that collects escaped elements, scales, ticks, numbers as people write them.

No style is written into elements: everything visible hangs on classes, so that one style sheet serves light, dark and
print, and a page can forbid all inline style.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from markupsafe import Markup, escape


def number(x: float | int | None, digits: int = 3) -> str:
    """A number for readers: thousands apart, few digits.

    >>> number(30162), number(0.18293), number(12.0), number(None)
    ('30,162', '0.183', '12', '–')
    """
    if x is None or (isinstance(x, float) and not math.isfinite(x)):
        return "–"
    if isinstance(x, int) or (x == int(x) and abs(x) < 1e15):
        return f"{int(x):,}"
    if abs(x) >= 1000:
        return f"{x:,.0f}"
    return f"{x:.{digits}g}"


def ticks(top: float, about: int = 5) -> list[float]:
    """Round numbers from 0 to at least `top`.

    >>> ticks(83)
    [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    """
    if top <= 0 or not math.isfinite(top):
        return [0.0, 1.0]
    rough = top / about
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(s * size for s in (1.0, 2.0, 2.5, 5.0, 10.0) if s * size >= rough - 1e-12)
    return [round(i * step, 12) for i in range(math.ceil(top / step - 1e-9) + 1)]


def powers(low: float, high: float) -> list[float]:
    """1, 2, 5, 10, 20 … that span [low, high]; only powers of ten where that would crowd."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(max(high, low)))
    digits = (1, 2, 5) if last - first <= 2 else (1,)
    found = [d * 10.0**e for e in range(first, last + 1) for d in digits]
    return [x for x in found if low <= x <= high * 1.0001] or [low]


@dataclass
class Canvas:
    """An SVG of fixed coordinates that scales with the page; `name` makes its ids unique within it."""

    name: str
    width: int
    height: int
    title: str
    description: str
    parts: list[Markup] = field(default_factory=list)

    def line(self, x1: float, y1: float, x2: float, y2: float, cls: str) -> None:
        self.parts.append(Markup(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{cls}"/>'))

    def rect(self, x: float, y: float, width: float, height: float, cls: str, tip: str = "", round_: float = 1.5) -> None:
        inner = Markup("<title>{}</title>").format(tip) if tip else Markup("")
        shape = f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{max(0.0, height):.1f}" rx="{round_}"'
        self.parts.append(Markup(f'{shape} class="{cls}">') + inner + Markup("</rect>"))

    def text(self, x: float, y: float, said: str, cls: str = "", anchor: str = "start", turned: bool = False) -> None:
        turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
        head = Markup(f'<text x="{x:.1f}" y="{y:.1f}" class="{cls}" text-anchor="{anchor}"{turn}>')
        self.parts.append(head + escape(said) + Markup("</text>"))

    def path(self, points: Sequence[tuple[float, float]], cls: str) -> None:
        if points:
            d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
            self.parts.append(Markup(f'<path d="{d}" class="{cls}"/>'))

    def curve(self, x1: float, y1: float, x2: float, y2: float, cls: str) -> None:
        """A link that leaves and arrives level, as in a tree drawn from left to right."""
        mid = (x1 + x2) / 2
        d = f"M{x1:.1f} {y1:.1f}C{mid:.1f} {y1:.1f} {mid:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
        self.parts.append(Markup(f'<path d="{d}" class="{cls}"/>'))

    def mark(self, x: float, y: float, shape: int, cls: str, tip: str = "") -> None:
        """A point whose form, not only its colour, tells what it belongs to."""
        inner = Markup("<title>{}</title>").format(tip) if tip else Markup("")
        r = 5.0
        forms = (
            f"M{x - r} {y}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0",
            f"M{x - r} {y - r}h{2 * r}v{2 * r}h{-2 * r}z",
            f"M{x} {y - r - 1}L{x + r + 1} {y + r - 1}H{x - r - 1}z",
            f"M{x} {y - r - 1}L{x + r + 1} {y}L{x} {y + r + 1}L{x - r - 1} {y}z",
            f"M{x} {y + r + 1}L{x + r + 1} {y - r + 1}H{x - r - 1}z",
            f"M{x - r} {y - 2}h3v-3h4v3h3v4h-3v3h-4v-3h-3z",
        )
        self.parts.append(Markup(f'<path d="{forms[shape % len(forms)]}" class="{cls}">') + inner + Markup("</path>"))

    def svg(self) -> Markup:
        head = Markup(
            '<svg viewBox="0 0 {} {}" width="{}" role="img" aria-labelledby="{}-t {}-d" class="picture">'
            '<title id="{}-t">{}</title><desc id="{}-d">{}</desc>'
        ).format(self.width, self.height, self.width, self.name, self.name, self.name, self.title, self.name, self.description)
        return head + Markup("").join(self.parts) + Markup("</svg>")
