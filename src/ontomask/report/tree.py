"""A centroid choice drawn on its little taxonomy: one class, its words, and the word that was chosen for all of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from ..errors import plural
from ..evaluation.statistics import minimum_hierarchy
from ..flow import Flow, Tuples
from ..semantics.spaces.base import Space
from .pictures import Picture, shortened
from .svg import Canvas, number
from .why import Classes
from .words import said

MOST_NODES = 18
ROW, GAP = 34, 24
NAMED, NAMELESS = 172, 112  # how wide a box is
TRIED = 40  # classes looked at before giving up


@dataclass(frozen=True)
class Node:
    code: int
    records: int
    mean: float  # mean distance to the records of the class
    column: int
    row: float


@dataclass(frozen=True)
class Choice:
    """One class of one attribute, laid out: parents left of children, the chosen node among them."""

    space: Space
    records: int
    chosen: int
    nodes: dict[int, Node]
    links: list[tuple[int, int, bool]]  # parent, child, whether it is the child's first parent


def choose(tuples: Tuples, flow: Flow) -> Choice | None:
    """The most telling class: of a taxonomy's attribute, with three to eight words that a page can show."""
    for j, space in enumerate(tuples.spaces):
        if space.kind != "taxonomy" or not len(flow.targets):
            continue
        kept = flow.target >= 0
        value = tuples.codes[flow.source[kept], j].astype(np.int64)
        cells = np.unique(flow.target[kept].astype(np.int64) * space.q + value)
        distinct = np.bincount(cells // space.q, minlength=len(flow.targets))
        fit = np.flatnonzero((distinct >= 3) & (distinct <= 8))
        classes = Classes(tuples, flow)
        for target in fit[np.lexsort((fit, -flow.sizes[fit], -distinct[fit]))][:TRIED]:
            codes, counts = classes.values(int(target), j)
            around = minimum_hierarchy(space, codes.astype(np.int64))
            chosen = int(flow.targets[target, j])
            if len(around) <= MOST_NODES and chosen in around:
                return _laid(space, around.tolist(), dict(zip(codes.tolist(), counts.tolist(), strict=True)), chosen)
    return None


def draw(choice: Choice, names: bool) -> Picture:
    """The picture; without `names` only the shape, the numbers of records and the distances are shown."""
    space, nodes = choice.space, choice.nodes
    columns, rows = max(n.column for n in nodes.values()), max(n.row for n in nodes.values())
    title = f"One choice in “{space.name}”: the word for a class of {plural(choice.records, 'record')}"
    best = nodes[choice.chosen]
    means = Counter(round(n.mean, 9) for n in nodes.values())
    least = min(n.mean for n in nodes.values())
    what = f"“{said(space, choice.chosen)}”" if names else "The marked word"
    how = (
        f"{what} has the least mean distance to the {plural(choice.records, 'record')}, {number(best.mean)}"
        + (" (others have the same)" if means[round(best.mean, 9)] > 1 else "")
        if best.mean <= least + 1e-9
        else f"{what} was chosen; its mean distance to the {plural(choice.records, 'record')} is {number(best.mean)}"
    )
    box = NAMED if names else NAMELESS
    step = box + GAP
    c = Canvas("tree", max(640, 24 + step * columns + box), int(40 + ROW * (rows + 1)), title, f"{title}. {how}.")

    def place(n: Node) -> tuple[float, float]:
        return 12 + step * n.column, 24 + ROW * n.row

    for parent, child, first in choice.links:
        (x1, y1), (x2, y2) = place(nodes[parent]), place(nodes[child])
        c.curve(x1 + box, y1 + 13, x2, y2 + 13, "link" if first else "link second")
    for n in nodes.values():
        x, y = place(n)
        cls = "node chosen" if n.code == choice.chosen else "node held" if n.records else "node"
        c.rect(x, y, box, 27, cls, round_=5)
        word = shortened(said(space, n.code), 19) if names else ("a word" if n.records else "a concept")
        c.text(x + 7, y + 17, word + (f" ×{n.records:,}" if n.records else ""), "nodetext")
        c.text(x + box - 6, y + 17, f"{n.mean:.2f}", "nodevalue", "end")
    order = sorted(nodes.values(), key=lambda n: (n.mean, n.column, n.row))
    table = tuple(
        (
            said(space, n.code) if names else ("a word" if n.records else "a concept"),
            f"{n.records:,}",
            f"{n.mean:.3f}",
            "chosen" if n.code == choice.chosen else "",
        )
        for n in order
    )
    return Picture(c.svg() + Markup("<p class='note'>{}.</p>").format(how), title, ("", "records", "mean distance", ""), table)


def _laid(space: Space, around: list[int], records: dict[int, int], chosen: int) -> Choice:
    codes = np.asarray(list(records), np.int32)
    counts = np.asarray(list(records.values()), np.int64)
    n = int(counts.sum())
    means = dict(zip(around, (space.between(around, codes) @ counts / n).tolist(), strict=True))
    inside = set(around)
    parents = {c: _parents(space, c, inside) for c in around}
    column: dict[int, int] = {}
    for c in sorted(around, key=lambda c: int(space.depth[c])):  # a parent is never deeper than its child
        column[c] = 1 + max((column[p] for p in parents[c]), default=-1)
    children: dict[int, list[int]] = {c: [] for c in around}
    for c in around:
        if parents[c]:
            children[parents[c][0]].append(c)
    row: dict[int, float] = {}
    free = 0

    def settle(c: int) -> None:  # at most MOST_NODES deep
        nonlocal free
        for child in children[c]:
            settle(child)
        if children[c]:
            row[c] = sum(row[x] for x in children[c]) / len(children[c])
        else:
            row[c] = free
            free += 1

    for c in around:
        if not parents[c]:
            settle(c)
    nodes = {c: Node(c, records.get(c, 0), means[c], column[c], row[c]) for c in around}
    links = [(p, c, i == 0) for c in around for i, p in enumerate(parents[c])]
    return Choice(space, n, chosen, nodes, links)


def _parents(space: Space, code: int, inside: set[int]) -> list[int]:
    """The nearest candidates above, among those drawn."""
    part = slice(int(space.up_ptr[code]), int(space.up_ptr[code + 1]))
    above = [(int(a), int(n)) for a, n in zip(space.up[part], space.links[part], strict=True) if a != code and int(a) in inside]
    return [a for a, n in above if n == 1]
