"""Shared ancestors: SETS eq. 1 and THESIS eq. 3.9 (Batet, Sánchez & Valls)."""

from __future__ import annotations

import numpy as np

from ..._kernels import measures as kernels
from ...taxonomy.taxonomy import Taxonomy
from .base import Rule, by_rule
from .items import Items

LARGEST_TABLE = 1 << 20  # distances that are tabulated; with more, each logarithm is taken anew


@by_rule("jaccard")
def jaccard(taxonomy: Taxonomy) -> Rule:
    """(|T1 ∪ T2| − |T1 ∩ T2|) / |T1 ∪ T2|, T the ancestors of a concept and itself."""
    return Rule(form=kernels.JACCARD, items=Items.ancestors(taxonomy), own=np.zeros(len(taxonomy.graph)), counting=True)


@by_rule("logsc")
def logsc(taxonomy: Taxonomy) -> Rule:
    """log2(1 + jaccard)."""
    items = Items.ancestors(taxonomy)
    own = np.zeros(len(taxonomy.graph))
    most = int(np.diff(items.ptr).max(initial=0))
    stride = most + 1
    if (2 * most + 1) * stride > LARGEST_TABLE:
        return Rule(form=kernels.LOGSC, items=items, own=own, counting=True)
    # The distance depends on |T1| + |T2| and |T1 ∩ T2| alone.
    sizes, shared = np.mgrid[0 : 2 * most + 1, 0:stride]
    either = sizes - shared
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.where(shared < either, (either - shared) / either, 0.0)
    table = np.ascontiguousarray(np.log2(1.0 + apart).reshape(-1))
    return Rule(form=kernels.SIZED, items=items, own=own, weight=np.asarray([stride], np.int32), table=table, counting=True)
