"""What masking keeps of the statistics of words: semantic mean, variance, covariance, correlation, RMSE (SWAP 4.1).

A column is its distinct values, with the records of each; two columns together are their contingency table. All figures
come exactly from these counts: what is defined over pairs of records (n²) is summed over pairs of values (q²).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from .._kernels.centroid import fixed_sums
from .._kernels.covariance import product_sums
from .._kernels.threads import in_parts
from .._progress import each, several, stages
from ..errors import DataError
from ..semantics.geometry import BITS
from ..semantics.rulers import SetRuler
from ..semantics.spaces.base import Floats, Ints, Longs, Space
from ..semantics.spaces.sets import SetSpace
from .case import MOST_SETS, Case

PART = 1 << 18  # products that are worth handing to another thread
KEPT = 1 << 26  # distances of a space that are worked out once and kept
BLOCK = 1 << 25  # distances held at once while a mean is looked for
MOST_WEIGHED = 1 << 29  # distances that are worked out to find a mean exactly
SAMPLE, BEST = 2_000, 500
MOST_VALUES = 15_000  # of a column, for statistics that need the distances of all its values at once
ZERO = 1e-14  # a mean product this small beside the mean squares (a correlation of 1e-7) is the rounding of an exact 0


@dataclass(frozen=True, eq=False)
class Centred:
    """One attribute of n records, ready to be compared with another one.

    `code` int32[n or p]: the distinct value of each entry; `count` int64: records of each entry; `distances`
    float64[q, q]: the double-centred distances of the distinct values (SWAP eq. 15).
    """

    code: Ints
    count: Longs
    distances: Floats

    @cached_property
    def square(self) -> float:
        """The mean, over all pairs of records, of the squared centred distance: sdVar²."""
        w = _records(self.code, self.count, len(self.distances))
        return float(w @ (self.distances * self.distances) @ w / w.sum() ** 2)

    @property
    def variance(self) -> float:
        """sdVar = sdCov(X, X) (SWAP eq. 14)."""
        return float(np.sqrt(self.square))


def centred(distances: npt.ArrayLike, codes: npt.ArrayLike, counts: npt.ArrayLike | None = None) -> Centred:
    """Double-centre `distances` float64[q, q] of values by the records that hold them.

    `codes[i]` is the value of entry i, which stands for `counts[i]` records (default 1).
    """
    d, code = np.asarray(distances, np.float64), np.asarray(codes, np.int32)
    count = np.ones(len(code), np.int64) if counts is None else np.asarray(counts, np.int64)
    n = count.sum()
    if n < 1:
        raise DataError("Statistics need at least one record. Got none.")
    w = _records(code, count, len(d)) / n
    rows, columns = d @ w, w @ d
    return Centred(code, count, d - rows[:, None] - columns[None, :] + float(w @ rows))


def variance(distances: npt.ArrayLike, counts: npt.ArrayLike) -> float:
    """sdVar from the distances of the q distinct values and the records of each (SWAP eq. 14 with X = Y).

    >>> variance([[0, 1], [1, 0]], [5, 5])
    0.5
    """
    return centred(distances, np.arange(len(np.asarray(counts))), counts).variance


def covariance(left: Centred, right: Centred) -> float:
    """sdCov of two attributes of the same entries: sqrt(Σ A·B)/n over all pairs of records (SWAP eq. 14).

    Distances of meanings need not be of negative type, so the sum under the root can be negative: that counts as 0.
    """
    if len(right.distances) > len(left.distances):  # the kernel reads whole rows of the right one: let it be the smaller
        left, right = right, left
    q = len(right.distances)
    cells, at = np.unique(left.code.astype(np.int64) * q + right.code, return_inverse=True)
    count = np.bincount(at.reshape(-1), weights=left.count, minlength=len(cells))
    ptr = np.searchsorted(cells // q, np.arange(len(left.distances) + 1)).astype(np.int64)
    symmetric = all(np.array_equal(m, m.T) for m in (left.distances, right.distances))
    column = (cells % q).astype(np.int32)
    a = len(left.distances)
    sums = np.empty(a, np.float64)
    in_parts(
        lambda begin, end: product_sums(left.distances, right.distances, ptr, column, count, symmetric, begin, end, sums),
        a,
        max(1, PART * a // (len(cells) * (a + q) + 1)),
    )
    product = float(sums.sum() / count.sum() ** 2)
    return float(np.sqrt(product)) if product > ZERO * np.sqrt(left.square * right.square) else 0.0


def correlation(left: Centred, right: Centred) -> float:
    """sdCor = sdCov/sqrt(sdVar·sdVar), from 0 (independent) to 1; 0 where a variance is 0 (SWAP eq. 16).

    >>> same = [[0, 1], [1, 0]]
    >>> correlation(centred(same, [0, 0, 1, 1]), centred(same, [1, 1, 0, 0]))
    1.0
    >>> correlation(centred(same, [0, 0, 1, 1]), centred(same, [0, 1, 0, 1]))
    0.0
    """
    spread = left.variance * right.variance
    return min(1.0, covariance(left, right) / float(np.sqrt(spread))) if spread > 0 else 0.0


def rmse(distances: npt.ArrayLike, counts: npt.ArrayLike) -> float:
    """sqrt(mean sd²) over records, where entry i moved `counts[i]` records by `distances[i]` (SWAP 4.1, metric 3)."""
    w = np.asarray(counts, np.float64)
    return float(np.sqrt(np.asarray(distances, np.float64) ** 2 @ w / w.sum())) if len(w) else 0.0


def mean(space: Space, codes: npt.ArrayLike, counts: npt.ArrayLike) -> int:
    """sμ: the candidate of H(values) with the least sum of distances to all records (SWAP eq. 13; ALGORITHMS 3).

    `codes` are candidate codes, so that the mean of a masked column, whose words the table may never have held, is found
    in the same way. Ties: most records of its own, then the deepest, then the smallest number. Where there are more than
    MOST_WEIGHED pairs of candidates and values, only the candidates that are BEST on a sample of the records are weighed.
    """
    given, weight = np.asarray(codes, np.int64), np.asarray(counts, np.int64)
    own = np.zeros(space.h, np.int64)
    np.add.at(own, given, weight)
    values = np.flatnonzero(own)
    if not len(values):
        raise DataError("A mean needs at least one record. Got none.")
    if isinstance(space, SetSpace):
        values = values[values != space.top]  # "anything" is not a set of the table; the ruler knows those
        if not len(values):
            return space.top
        sums = SetRuler(space, values, own[values], "average", True).sums(np.arange(len(values)))
        return int(values[np.lexsort((values, -own[values], sums))[0]])
    among = minimum_hierarchy(space, values)
    if len(among) * len(values) > MOST_WEIGHED:
        upto = np.cumsum(own[values])
        some, times = np.unique(np.searchsorted(upto, np.linspace(1, upto[-1], SAMPLE)), return_counts=True)
        among = among[np.argsort(_sums(space, among, values[some], times), kind="stable")[:BEST]]
    sums = _sums(space, among, values, own[values])
    return int(among[np.lexsort((space.tie[among], -space.depth[among], -own[among], sums))[0]])


def _sums(space: Space, among: Longs, values: Longs, weights: Longs) -> Longs:
    """Σ w·sd of each candidate, int64, some rows at a time."""
    scale = (1 << BITS) / space.largest
    rows = max(1, BLOCK // len(values))
    blocks = (among[i : i + rows] for i in range(0, len(among), rows))
    sums: Longs = np.concatenate([fixed_sums(_between(space, block, values), weights, scale) for block in blocks])
    return sums


def describe(case: Case) -> dict[str | tuple[str, str], dict[str, Any]]:
    """Everything of SWAP 4.1, original beside masked: by attribute mean, variance, RMSE; by pair of attributes correlation.

    Each figure but the RMSE is a mapping of "original" and "masked" and how they differ. Means are words. A suppressed
    record says "anything" in every attribute, as in the losses. Columns of more than MOST_VALUES distinct values have
    neither variance nor correlation.
    """
    tuples, flow, spaces = case.tuples, case.flow, case.tuples.spaces
    found: dict[str | tuple[str, str], dict[str, Any]] = {}
    if not tuples.n:
        return found
    sides: list[list[Centred] | None] = []
    m = len(spaces)
    columns, pairs = stages(2 * m, m * (m - 1))
    for j, space in each(list(enumerate(spaces)), columns):
        before = (tuples.codes[:, j], tuples.counts)
        after = (case.outcomes[flow.target, j], flow.count)
        means = [int(case.middle[j]), mean(space, *after)]
        most = MOST_SETS if space.lazy else MOST_VALUES
        many = max(len(np.unique(codes)) for codes, _ in (before, after)) > most
        both = None if many else [_column(space, *before), _column(space, *after)]
        sides.append(both)
        found[space.name] = {
            "mean": {
                "original": space.say(means[0]),
                "masked": space.say(means[1]),
                "distance": float(space.between(means[:1], means[1:])[0, 0]),
            },
            "rmse": rmse(case.distances[:, j], flow.count),
        }
        if both:
            found[space.name]["variance"] = _beside(*(side.variance for side in both))
    for i, j in each(list(combinations(range(m), 2)), pairs):
        left, right = sides[i], sides[j]
        if left and right:
            values = several([partial(correlation, left[s], right[s]) for s in (0, 1)])
            found[spaces[i].name, spaces[j].name] = {"correlation": _beside(*values)}
    return found


def _beside(original: float, masked: float) -> Mapping[str, float]:
    return {"original": original, "masked": masked, "change": abs(masked - original)}


def _column(space: Space, codes: Ints, counts: Longs) -> Centred:
    """A column of candidate codes, centred over the candidates that occur."""
    present, code = np.unique(codes, return_inverse=True)
    return centred(_between(space, present, present), code.reshape(-1), counts)


def _between(space: Space, rows: npt.NDArray[Any], columns: npt.NDArray[Any]) -> Floats:
    """Distances of candidates, read from the space's own table where it has them."""
    if int(columns.max()) < space.q and space.h * space.q <= KEPT:
        known: Floats = space.distances[np.ix_(rows, columns)]
        return known
    return space.between(rows, columns)


def minimum_hierarchy(space: Space, values: Longs) -> Longs:
    """H(values): what lies between the values and their least common subsumer; the values where they have none."""
    lists = [slice(int(space.up_ptr[v]), int(space.up_ptr[v + 1])) for v in values]
    above = np.concatenate([space.up[s] for s in lists])
    climbed = np.bincount(above, weights=np.concatenate([space.links[s] for s in lists]), minlength=space.h)
    covered = np.bincount(above, minlength=space.h)
    common = np.flatnonzero(covered == len(values))
    if not len(common):
        return values
    lowest = common[np.lexsort((space.tie[common], climbed[common], -space.depth[common]))[0]]
    return np.asarray([c for c in np.flatnonzero(covered) if lowest in space.ancestors(int(c))], np.int64)


def _records(code: Ints, count: Longs, q: int) -> Floats:
    records: Floats = np.bincount(code, weights=count, minlength=q).astype(np.float64)
    return records
