"""The least SSE of any k-anonymous masking of a small table by representatives, by integer programming."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.optimize import LinearConstraint, milp
from scipy.sparse import coo_array

from ontomask.flow import Tuples


def representatives(tuples: Tuples, only_ancestors: bool = False) -> np.ndarray:
    """All candidate tuples, or those of the values' ancestors: int32[r, m]."""
    options = []
    for j, space in enumerate(tuples.spaces):
        above = {int(a) for v in set(tuples.codes[:, j].tolist()) for a in space.ancestors(v)}
        options.append(sorted(above) if only_ancestors else range(space.h))
    return np.asarray(list(product(*options)), np.int32)


def squares(tuples: Tuples, centres: np.ndarray) -> np.ndarray:
    """float64[p, r]: squared record distance of each tuple to each representative."""
    g = tuples.geometry
    d = np.zeros((tuples.p, len(centres)))
    for j in range(tuples.m):
        d += g.table(j)[np.ix_(centres[:, j], tuples.codes[:, j])].T * g.unit
    return d**2


def least_sse(tuples: Tuples, k: int, only_ancestors: bool = False, seconds: float = 60.0) -> tuple[float, float]:
    """(the least SSE found, a bound that no masking is below): equal when the solver has finished in time.

    x[t, c] records of tuple t go to representative c, which is used (y[c] = 1) by at least k records or by none.
    """
    centres = representatives(tuples, only_ancestors)
    cost = squares(tuples, centres)
    p, r = cost.shape
    w = tuples.counts.astype(np.float64)
    x = np.arange(p * r).reshape(p, r)
    y = p * r + np.arange(r)
    ones = np.ones(p * r)
    t_of, c_of = np.divmod(np.arange(p * r), r)
    everyone = coo_array((ones, (t_of, x.reshape(-1))), shape=(p, p * r + r))
    enough = coo_array(
        (
            np.concatenate([ones, np.full(r, -float(k))]),
            (np.concatenate([c_of, np.arange(r)]), np.concatenate([x.reshape(-1), y])),
        ),
        shape=(r, p * r + r),
    )
    used = coo_array(
        (np.concatenate([ones, -w[t_of]]), (np.tile(np.arange(p * r), 2), np.concatenate([x.reshape(-1), y[c_of]]))),
        shape=(p * r, p * r + r),
    )
    upper = np.concatenate([w[t_of], np.ones(r)])
    found = milp(
        np.concatenate([cost.reshape(-1), np.zeros(r)]),
        integrality=np.ones(p * r + r),
        bounds=(0, upper),
        constraints=[
            LinearConstraint(everyone.tocsr(), w, w),
            LinearConstraint(enough.tocsr(), 0),
            LinearConstraint(used.tocsr(), ub=0),
        ],
        options={"time_limit": seconds, "mip_rel_gap": 1e-7},
    )
    return float(found.fun), float(found.mip_dual_bound)
