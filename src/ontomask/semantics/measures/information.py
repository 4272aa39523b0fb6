"""Information content: THESIS eq. 3.10-3.13 (Resnik 1995, Lin 1998, Jiang & Conrath 1997).

IC is intrinsic by default (Seco et al. 2004): IC(c) = 1 − ln(hypo(c) + 1)/ln(N), hypo = proper descendants. With `counts`
(concept, by id or label → occurrences) it is −ln p(c), where an occurrence of a concept also counts for each of its ancestors.
A concept never counted would carry infinite information; it gets as much as one counted once, −ln(1/total). L is the common
ancestor of greatest IC.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..._kernels import measures as kernels
from ...errors import illegal
from ...taxonomy.taxonomy import Taxonomy
from .base import Floats, Rule, by_rule
from .items import Items

Counts = Mapping[str, float]


def information(taxonomy: Taxonomy, counts: Counts | None = None) -> Floats:
    """IC of every concept, float64[N]."""
    graph = taxonomy.graph
    if counts is None:
        n = len(graph)
        return 1.0 - np.log(graph.hyponyms + 1.0) / np.log(n) if n > 1 else np.zeros(n)
    own = np.zeros(len(graph))
    for concept, count in counts.items():
        if not 0 <= count < np.inf:
            raise illegal("counts", "a measure of information", "be numbers ≥ 0", count)
        own[taxonomy.index(concept)] += count
    if not own.any():
        raise illegal("counts", "a measure of information", "count at least one occurrence", dict(counts))
    a = graph.ancestry
    below = np.bincount(a.ranks, weights=np.repeat(own, np.diff(a.ptr)), minlength=len(graph))[graph.rank]
    total = below[graph.root]
    found = np.where(below > 0, -np.log(np.where(below > 0, below, 1.0) / total), 0.0)
    found[below == 0] = max(float(np.log(total)), float(found.max()))
    return found + 0.0  # −0 becomes 0


def _most_informative(taxonomy: Taxonomy, form: int, counts: Counts | None, resnik: bool = False) -> Rule:
    ic = information(taxonomy, counts)
    values, rank = np.unique(ic[taxonomy.graph.by_rank], return_inverse=True)
    return Rule(
        form=form,
        items=Items.ancestors(taxonomy),
        own=ic,
        weight=rank.reshape(-1).astype(np.int32),
        table=1.0 - values / values[-1] if resnik and values[-1] > 0 else values,
        bound=float(values[-1]) if form == kernels.JCN else 1.0,
    )


@by_rule("resnik")
def resnik(taxonomy: Taxonomy, counts: Counts | None = None) -> Rule:
    """1 − IC(L)/max IC."""
    return _most_informative(taxonomy, kernels.TABLE, counts, resnik=True)


@by_rule("lin")
def lin(taxonomy: Taxonomy, counts: Counts | None = None) -> Rule:
    """1 − 2·IC(L)/(IC(c1) + IC(c2)); 0 where neither concept carries any information."""
    return _most_informative(taxonomy, kernels.LIN, counts)


@by_rule("jcn")
def jcn(taxonomy: Taxonomy, counts: Counts | None = None) -> Rule:
    """(IC(c1) + IC(c2) − 2·IC(L))/2."""
    return _most_informative(taxonomy, kernels.JCN, counts)
