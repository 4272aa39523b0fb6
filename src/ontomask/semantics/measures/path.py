"""Shortest paths over a common ancestor: THESIS eq. 3.1 (Rada et al. 1989)."""

from __future__ import annotations

import numpy as np

from ..._kernels import measures as kernels
from ...taxonomy.taxonomy import Taxonomy
from .base import Floats, Rule, by_rule
from .items import Items


def shortest(taxonomy: Taxonomy, table: Floats) -> Rule:
    """The rule whose distance is table[links of the shortest path]."""
    items = Items.ancestors(taxonomy)
    most = len(table) - 1
    return Rule(
        form=kernels.TABLE,
        items=items,
        own=np.zeros(len(taxonomy.graph)),
        weight=np.full(items.size, most, np.int32),
        table=np.ascontiguousarray(table[::-1]),  # the score is `most` less the links
        climbs=True,
        bound=float(table.max()),
    )


def longest(taxonomy: Taxonomy) -> int:
    """The most links that a shortest path may have: up from the deepest concept to the root and down again."""
    return 2 * (taxonomy.max_depth - 1)


@by_rule("path")
def path(taxonomy: Taxonomy, normalised: bool = False) -> Rule:
    """min over common ancestors a of up(c1,a) + up(c2,a); `normalised` divides by the largest possible, 2(D − 1)."""
    most = longest(taxonomy)
    links = np.arange(most + 1, dtype=np.float64)
    return shortest(taxonomy, links / most if normalised and most else links)
