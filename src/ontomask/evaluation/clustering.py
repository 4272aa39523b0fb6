"""Does a cluster analysis find the same groups? Ward's clustering of original and masked records, compared (FUSION 4.3).

Ward's method starts from the distances of records. Equal records are at distance 0 and join first at no cost, so it may as
well start from distinct tuples that weigh as much as they have records: the partition is the same, the cost is p², not n².
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..semantics.spaces.base import Floats, Ints, Longs
from .case import Case

MOST = 2_000  # distinct tuples beyond which a sample of as many records is clustered: p² distances are held at once
SEED = 20120401  # of that sample: the same masking gets the same figure


def clustering(case: Case) -> float:
    """Distance of the partitions of original and masked records into `case.clusters` clusters, from 0 (the same) to 1.

    Suppressed records say "anything", as in the other losses. With more than `MOST` distinct tuples before or after, the
    figure is that of a random sample of `MOST` records (`sampled` tells).
    """
    source, target, count = case.flow.source, case.flow.target, case.flow.count
    if not len(source):
        return 0.0
    if sampled(case):
        source, target, count = _sample(source, target, count)
    before = _clusters(case, case.tuples.codes[source], count)
    after = _clusters(case, case.outcomes[target], count)
    return partition_distance(before, after, count)


def sampled(case: Case) -> bool:
    """Whether `clustering` looks at a sample."""
    return max(case.tuples.p, len(case.flow.targets)) > MOST


def partition_distance(left: npt.ArrayLike, right: npt.ArrayLike, counts: npt.ArrayLike) -> float:
    """(2·H(AB) − H(A) − H(B)) / H(AB) of two partitions, entropies in bits (FUSION eq. 10-13, López de Mántaras 1991).

    `left[i]` and `right[i]` are the clusters of entry i, which stands for `counts[i]` records. 0 where both are one cluster.

    >>> partition_distance([0, 0, 1, 1], [5, 5, 7, 7], [1, 1, 1, 1])
    0.0
    >>> partition_distance([0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 1, 1])
    1.0
    """
    weight = np.asarray(counts, np.float64)
    _, a = np.unique(np.asarray(left), return_inverse=True)
    _, b = np.unique(np.asarray(right), return_inverse=True)
    a, b = a.reshape(-1), b.reshape(-1)
    both = _entropy(a * (b.max(initial=0) + 1) + b, weight)
    return max(0.0, (2 * both - _entropy(a, weight) - _entropy(b, weight)) / both) if both > 0 else 0.0


def ward(distances: Floats, counts: npt.ArrayLike, clusters: int) -> Ints:
    """Ward's partition of weighted points into so many clusters, numbered by first appearance: int32[p].

    `distances` float64[p, p], any dissimilarity; `counts` records of each point. Joining clusters A and B costs
    |A||B|/(|A|+|B|)·d² for points, and for clusters what the Lance-Williams recurrence makes of it. A chain of nearest
    neighbours finds all joins in O(p²); ties go to the cluster that comes first.
    """
    size = np.asarray(counts, np.float64).copy()
    p = len(size)
    cost = distances**2 * (size[:, None] * size[None, :] / (size[:, None] + size[None, :]))
    np.fill_diagonal(cost, np.inf)
    joins: list[tuple[float, int, int]] = []
    alive = np.ones(p, bool)
    chain: list[int] = []
    for _ in range(p - 1):
        if not chain:
            chain.append(int(np.argmax(alive)))
        while True:
            # Invariant: each link of the chain is nearest to the one before it, and costs do not grow along the chain.
            last = chain[-1]
            near = int(np.argmin(cost[last]))
            if len(chain) > 1 and cost[last, chain[-2]] <= cost[last, near]:
                near = chain[-2]
                break
            chain.append(near)
        del chain[-2:]
        keep, gone = min(last, near), max(last, near)
        joins.append((float(cost[keep, gone]), keep, gone))
        row = (size[keep] + size) * cost[keep] + (size[gone] + size) * cost[gone] - size * cost[keep, gone]
        row /= size[keep] + size[gone] + size
        alive[gone] = False
        row[~alive] = np.inf
        row[keep] = np.inf
        cost[keep], cost[:, keep] = row, row
        cost[gone], cost[:, gone] = np.inf, np.inf
        size[keep] += size[gone]
    return _cut(p, joins, clusters)


def _cut(p: int, joins: list[tuple[float, int, int]], clusters: int) -> Ints:
    """The clusters after the cheapest p − clusters joins."""
    into = list(range(p))

    def root(x: int) -> int:
        while into[x] != x:
            into[x] = into[into[x]]
            x = into[x]
        return x

    for _, keep, gone in sorted(joins, key=lambda j: j[0])[: max(0, p - clusters)]:
        into[root(gone)] = root(keep)
    _, at, number = np.unique([root(x) for x in range(p)], return_index=True, return_inverse=True)
    by_appearance = np.empty(len(at), np.int32)
    by_appearance[np.argsort(at)] = np.arange(len(at), dtype=np.int32)
    cut: Ints = by_appearance[number.reshape(-1)]
    return cut


def _clusters(case: Case, rows: Ints, count: Longs) -> Ints:
    """The cluster of each entry, from the distances of its tuples (candidate codes)."""
    distinct, inverse = np.unique(rows, axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    weight = np.bincount(inverse, weights=count)
    far = np.zeros((len(distinct), len(distinct)))
    for j, space in enumerate(case.tuples.spaces):
        present, code = np.unique(distinct[:, j], return_inverse=True)
        code = code.reshape(-1)
        far += case.shares[j] * space.between(present, present)[np.ix_(code, code)]
    return ward(far, weight, case.clusters)[inverse]


def _sample(source: Ints, target: Ints, count: Longs) -> tuple[Ints, Ints, Longs]:
    """`MOST` records drawn without replacement, as entries of the flow."""
    rng = np.random.default_rng(SEED)
    drawn = np.sort(rng.choice(int(count.sum()), MOST, replace=False))
    entry, number = np.unique(np.searchsorted(np.cumsum(count), drawn, side="right"), return_counts=True)
    return source[entry], target[entry], number.astype(np.int64)


def _entropy(part: npt.NDArray[np.int64], weight: Floats) -> float:
    share = np.bincount(part, weights=weight)
    share = share[share > 0] / weight.sum()
    return float(-(share @ np.log2(share)))
