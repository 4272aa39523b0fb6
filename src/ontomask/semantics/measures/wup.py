"""How deep the common subsumer lies: SWAP eq. 3, THESIS eq. 3.3, FUSION ch. 4 (Wu & Palmer 1994)."""

from __future__ import annotations

import numpy as np

from ..._kernels import measures as kernels
from ...taxonomy.taxonomy import Taxonomy
from .base import Rule, by_rule
from .items import Items


def _deepest(taxonomy: Taxonomy, without: int) -> Rule:
    """The rule about L = LCS(c1, c2): 1 − 2d/(2d + up(c1,L) + up(c2,L)), d = depth(L) less the nodes left out.

    The greatest `depth << bits | (most − links)` is that of the greatest depth and, among those, of the fewest links.
    """
    items = Items.ancestors(taxonomy)
    bits = max(1, (2 * int(items.links.max(initial=0))).bit_length())
    return Rule(
        form=kernels.WUP,
        items=items,
        own=np.zeros(len(taxonomy.graph)),
        weight=((taxonomy.graph.depth_by_rank << bits) + (1 << bits) - 1).astype(np.int32),
        table=np.asarray([without, bits], np.float64),
        climbs=True,
    )


@by_rule("wup")
def wup(taxonomy: Taxonomy) -> Rule:
    """1 − 2·depth(L)/(2·depth(L) + up(c1,L) + up(c2,L)), L = LCS(c1, c2), depth in nodes (root = 1)."""
    return _deepest(taxonomy, without=0)


@by_rule("wup-links")
def wup_links(taxonomy: Taxonomy) -> Rule:
    """The same with depth in links (root = 0): concepts that share only the root are at distance 1."""
    return _deepest(taxonomy, without=1)
