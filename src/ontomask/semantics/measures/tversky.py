"""Words of a concept and its neighbours: THESIS eq. 3.4-3.5 (Tversky 1977)."""

from __future__ import annotations

import numpy as np

from ..._kernels import measures as kernels
from ...errors import TaxonomyError
from ...taxonomy.taxonomy import Taxonomy
from .base import Rule, by_rule
from .words import labels, with_neighbours


@by_rule("tversky", symmetric=False)
def tversky(taxonomy: Taxonomy) -> Rule:
    """1 − |A∩B|/(|A∩B| + g|A\\B| + (1 − g)|B\\A|), A and B the labels of c1 and c2 and of their parents and children.

    g = depth(c1)/(depth(c1) + depth(c2)) where depth(c1) ≤ depth(c2), else 1 minus that. So g ≤ ½ whichever comes first: what
    the second concept has of its own weighs more, and the distance there is not the distance back.
    """
    if not len(taxonomy.lexicon.labels):
        raise TaxonomyError("The measure 'tversky' compares labels, and this taxonomy has none. Choose another measure: logsc.")
    return Rule(
        form=kernels.TVERSKY,
        items=with_neighbours(taxonomy, labels(taxonomy)),
        own=taxonomy.graph.depth.astype(np.float64),
        counting=True,
    )
