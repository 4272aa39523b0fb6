"""The sum behind distance covariance: over all pairs of records, the product of two centred distances."""

from __future__ import annotations

import numpy as np

from . import kernel


@kernel()
def product_sums(left, right, ptr, column, count, symmetric, begin, end, sums):  # type: ignore[no-untyped-def]
    """Σ over ordered pairs of records of left·right, by the left value of the first record, into sums float64[a].

    `left` float64[a, a] and `right` float64[b, b] hold something about each pair of values of two attributes. The
    records come as their contingency table in CSR form: `ptr` int64[a+1], `column` int32[r], `count` float64[r].
    `symmetric`: both matrices are, so that each pair of different left values is visited once.

    With N the table, row x of N·right is made, multiplied with every cell of N, and forgotten: nothing larger than the
    two matrices is ever held. Turns begin … end−1 of 0 … a−1 are done, one row each, always summed in the same order.
    """
    a, b = len(left), len(right)
    row = np.empty(b, np.float64)
    for turn in range(begin, end):
        x = turn // 2 if turn % 2 == 0 else a - 1 - turn // 2  # both ends by turns: early rows visit more pairs
        for z in range(b):
            row[z] = 0.0
        for i in range(ptr[x], ptr[x + 1]):
            n, y = count[i], column[i]
            for z in range(b):
                row[z] += n * right[y, z]
        total = 0.0
        for x2 in range(x if symmetric else 0, a):
            inner = 0.0
            for i in range(ptr[x2], ptr[x2 + 1]):
                inner += count[i] * row[column[i]]
            total += (2.0 if symmetric and x2 > x else 1.0) * left[x, x2] * inner
        sums[x] = total
