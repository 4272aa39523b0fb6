"""Shared ancestors: SETS eq. 1 and THESIS eq. 3.9."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...taxonomy.graph import Ints
from ...taxonomy.taxonomy import Taxonomy
from .base import Distances


class _Shared:
    def __init__(self, name: str, log: bool) -> None:
        self.name, self.log = name, log

    def matrix(
        self, taxonomy: Taxonomy, rows: Ints, columns: Ints, dtype: npt.DTypeLike = np.float64, **options: Any
    ) -> Distances:
        from scipy.sparse import csr_matrix

        a = taxonomy.graph.ancestry
        n = len(taxonomy.graph)
        whole = csr_matrix((np.ones(len(a.ranks), np.float64), a.ranks, a.ptr), shape=(n, n))
        shared = (whole[rows] @ whole[columns].T).toarray()
        size = np.diff(a.ptr)
        either = size[rows][:, None] + size[columns][None, :] - shared
        d = (either - shared) / either
        return (np.log2(1 + d) if self.log else d).astype(dtype)  # type: ignore[no-any-return]

    def pairs(
        self, taxonomy: Taxonomy, left: Ints, right: Ints, dtype: npt.DTypeLike = np.float64, **options: Any
    ) -> Distances:
        return np.asarray(
            [self.matrix(taxonomy, np.asarray([x]), np.asarray([y]), dtype)[0, 0] for x, y in zip(left, right, strict=True)]
        )


jaccard = _Shared("jaccard", False)
logsc = _Shared("logsc", True)
