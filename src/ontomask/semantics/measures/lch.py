"""Path length on a log scale: THESIS eq. 3.2 (Leacock & Chodorow 1998)."""

from __future__ import annotations

import numpy as np

from ...errors import illegal
from ...taxonomy.taxonomy import Taxonomy
from .base import Rule, by_rule
from .path import longest, shortest


@by_rule("lch")
def lch(taxonomy: Taxonomy, depth: int | None = None) -> Rule:
    """1 − sim/sim(identical), with sim = −ln((path + 1)/(2D)).

    D is the depth of the taxonomy in nodes; `depth` puts another number in its place (NLTK takes 19 for WordNet 3.0).
    """
    nodes = taxonomy.max_depth if depth is None else depth
    if isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 1:
        raise illegal("depth", "lch", "be an int ≥ 1 (or None: that of the taxonomy)", depth)
    return shortest(taxonomy, np.log(np.arange(longest(taxonomy) + 1) + 1.0) / np.log(2.0 * nodes))
