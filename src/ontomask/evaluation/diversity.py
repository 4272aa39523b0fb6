"""What a class gives away about confidential columns: l-diversity and t-closeness, per column, over released records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ..flow import SUPPRESSED
from ..semantics.spaces.base import Floats, Ints, Longs
from .case import Case, Confidential

CELLS = 4_000_000  # of a dense class × value table at a time
CLOSE = 1e-12
T = TypeVar("T")


def l_distinct(case: Case) -> dict[str, int] | None:
    """The fewest distinct confidential values in a class (Machanavajjhala et al. 2007); 0 where nothing is released."""
    return _per_column(case, lambda c: min(np.diff(_classes(c).start).tolist(), default=0))


def l_entropy(case: Case) -> dict[str, float] | None:
    """exp of the least entropy of a class: as many values as if all were equally frequent."""
    return _per_column(case, lambda c: _entropy(_classes(c)))


def t_equal(case: Case) -> dict[str, float] | None:
    """The largest distance of a class's distribution from the release's, all values being equally far (Li et al. 2007).

    The earth mover's distance under equality is half the sum of the differences, which is 1 − the mass in common.
    """
    return _per_column(case, lambda c: _equal(_classes(c)))


def t_semantic(case: Case) -> dict[str, float] | None:
    """The same earth mover's distance, moving mass from one value to another at their semantic distance."""
    return _per_column(case, lambda c: _semantic(_classes(c), c.space.distances[: c.space.q]))


def _per_column(case: Case, measure: Callable[[Confidential], T]) -> dict[str, T] | None:
    return {name: measure(column) for name, column in case.confidential.items()} or None


@dataclass(frozen=True, eq=False)
class Classes:
    """Distributions of the released classes: class i holds `share[j]` of value `code[j]`, start[i] ≤ j < start[i+1]."""

    start: Longs  # int64[classes + 1]
    code: Ints
    share: Floats
    whole: Floats  # float64[q]: the distribution in the release


def _classes(column: Confidential) -> Classes:
    q = column.space.q
    shown = (column.target != SUPPRESSED) & (column.count > 0)
    key = column.target[shown].astype(np.int64) * q + column.code[shown]
    cells, inverse = np.unique(key, return_inverse=True)
    count = np.bincount(inverse.reshape(-1), weights=column.count[shown], minlength=len(cells))
    target, code = cells // q, (cells % q).astype(np.int32)
    start = np.append(np.flatnonzero(np.diff(target, prepend=-1)), len(cells)).astype(np.int64)
    sizes = np.add.reduceat(count, start[:-1]) if len(cells) else np.zeros(0)
    whole = np.bincount(code, weights=count, minlength=q)
    return Classes(start, code, count / np.repeat(sizes, np.diff(start)), whole / max(1.0, whole.sum()))


def _entropy(classes: Classes) -> float:
    if not len(classes.share):
        return 0.0
    entropies = np.add.reduceat(-classes.share * np.log(classes.share), classes.start[:-1])
    return float(np.exp(entropies.min()))


def _equal(classes: Classes) -> float:
    if not len(classes.share):
        return 0.0
    common = np.add.reduceat(np.minimum(classes.share, classes.whole[classes.code]), classes.start[:-1])
    return max(0.0, 1.0 - float(common.min()))


def _semantic(classes: Classes, distances: Floats) -> float:
    """The largest earth mover's distance of a class from the whole.

    Where the values lie on a line it has a closed form. Elsewhere each class gets a cheap upper bound (common mass stays,
    the rest is spread in proportion); exact transports are solved from the highest bound down until none can be larger.
    """
    if not len(classes.share):
        return 0.0
    line = _line(distances)
    if line is not None:
        return max(_along(dense, classes.whole, line) for _, dense in _dense(classes))
    bounds = np.concatenate([_spread(dense, classes.whole, distances) for _, dense in _dense(classes)])
    worst = 0.0
    for i in np.argsort(-bounds, kind="stable"):
        if bounds[i] <= worst + CLOSE:
            break
        part = slice(classes.start[i], classes.start[i + 1])
        worst = max(worst, transport(classes.share[part], classes.whole, distances[classes.code[part]]))
    return worst


def _dense(classes: Classes) -> Iterator[tuple[int, Floats]]:
    """(first class, float64[some classes, q]) part by part."""
    number, q = len(classes.start) - 1, len(classes.whole)
    step = max(1, CELLS // q)
    for first in range(0, number, step):
        last = min(number, first + step)
        part = slice(classes.start[first], classes.start[last])
        dense = np.zeros((last - first, q))
        dense[np.repeat(np.arange(last - first), np.diff(classes.start[first : last + 1])), classes.code[part]] = classes.share[
            part
        ]
        yield first, dense


def _line(distances: Floats) -> Floats | None:
    """Coordinates of the values where every distance is a difference of coordinates, else None."""
    start = int(np.argmax(distances.sum(axis=1)))
    x = distances[start]
    return x if np.allclose(np.abs(x[:, None] - x[None, :]), distances, rtol=0, atol=1e-9) else None


def _along(dense: Floats, whole: Floats, x: Floats) -> float:
    order = np.argsort(x, kind="stable")
    flow = np.abs(np.cumsum(dense[:, order] - whole[order], axis=1))[:, :-1]
    return float((flow @ np.diff(x[order])).max())


def _spread(dense: Floats, whole: Floats, distances: Floats) -> Floats:
    surplus, lack = np.maximum(dense - whole, 0), np.maximum(whole - dense, 0)
    moved = surplus.sum(axis=1)
    cost: Floats = ((surplus @ distances) * lack).sum(axis=1) / np.where(moved > 0, moved, 1)
    return cost


def transport(have: Floats, want: Floats, distances: Floats) -> float:
    """Least cost of turning the masses `have` into `want` (equal sums), `distances[i, j]` per unit from i to j."""
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, kron, vstack

    there = np.flatnonzero(want)
    cost = distances[:, there]
    rows, columns = cost.shape
    leave = kron(eye_array(rows), np.ones((1, columns)))
    arrive = kron(np.ones((1, rows)), eye_array(columns))
    # The last equation follows from the others; with it, rounding could make the system infeasible.
    equations = vstack([leave, arrive]).tocsr()[:-1]
    found = linprog(cost.ravel(), A_eq=equations, b_eq=np.concatenate([have, want[there]])[:-1], method="highs")
    return float(found.fun)
