"""What was lost: each measure is one function of the case and one line in `LOSSES` (_registry.py).

The distance of an original and a masked record is the mean over attributes of sd, weighted where attributes are.
"""

from __future__ import annotations

import math

import numpy as np

from .case import Case


def similarity(case: Case) -> float:
    """Mean over records and attributes of 1 − sd (FUSION 8-9): 1 where nothing changed."""
    return 1.0 - distance(case)


def distance(case: Case) -> float:
    """The complement of the similarity: the mean record distance (FUSION 9)."""
    n = case.tuples.n
    return float(case.flow.count @ case.distance) / n if n else 0.0


def sse(case: Case) -> float:
    """Sum over records of the squared record distance (THESIS 6.2)."""
    return float(case.flow.count @ case.distance**2)


def sst(case: Case) -> float:
    """The same against the centroid of the whole table: what one class of all records would cost (THESIS 6.3)."""
    if not case.tuples.p:
        return 0.0
    far = np.zeros(case.tuples.p)
    for j, space in enumerate(case.tuples.spaces):
        from_middle = space.between(case.middle[j : j + 1], np.arange(space.q))[0]
        far += case.shares[j] * from_middle[case.tuples.codes[:, j]]
    return float(case.tuples.counts @ far**2)


def loss_percent(case: Case) -> float:
    """L = 100·SSE/SST (THESIS 6.4); 0 where nothing was lost, infinite where all records were equal and some changed."""
    lost, total = sse(case), sst(case)
    if lost == 0.0:
        return 0.0
    return 100.0 * lost / total if total else math.inf


def rmse(case: Case) -> dict[str, float]:
    """Per attribute the root of the mean over records of sd² (SWAP 4.1)."""
    n = max(1, case.tuples.n)
    squares = case.flow.count @ case.distances**2
    return {s.name: math.sqrt(float(x) / n) for s, x in zip(case.tuples.spaces, squares, strict=True)}


def dm(case: Case) -> int:
    """Discernibility: the sum over classes of the squared size (FUSION 1); all suppressed records are one class."""
    sizes = case.sizes.astype(object)  # Python integers: a billion records squared do not fit 64 bits
    return int((sizes**2).sum()) + case.flow.suppressed**2


def kl(case: Case) -> float:
    """Kullback-Leibler divergence of the tuples' frequencies, in nats (THESIS 9.2).

    The sum over the distinct **original** tuples of f ln(f/f*), f and f* being the shares of the original and of the
    masked records that say it; f* is floored at 1/(2n) where a tuple is gone.
    """
    n = case.tuples.n
    if not n:
        return 0.0
    after = np.zeros(case.tuples.p)
    sizes = np.append(case.flow.sizes, case.flow.suppressed)
    there = case.same >= 0
    np.add.at(after, case.same[there], sizes[there])
    f, masked = case.tuples.counts / n, np.maximum(after / n, 1 / (2 * n))
    return float(f @ np.log(f / masked))


def suppressed(case: Case) -> int:
    """Records that are not released."""
    return case.flow.suppressed


def changed(case: Case) -> float:
    """Share of records, in percent, in which some attribute changed, the suppressed ones included."""
    moved = (case.outcomes[case.flow.target] != case.tuples.codes[case.flow.source]).any(axis=1) | ~case.kept
    return 100.0 * float(case.flow.count @ moved) / max(1, case.tuples.n)
