"""The worked example of SWAP: figures 1 to 4, Wu & Palmer's distance with depths in nodes."""

from __future__ import annotations

import numpy as np
import pytest

from ontomask.methods.rank_swapping import ranked
from ontomask.semantics.spaces.taxonomy import TaxonomySpace
from ontomask.taxonomy.taxonomy import Taxonomy

EDGES = [
    ("coma", "nervous system"),
    ("neuropathy", "nervous system"),
    ("varicella", "nervous system"),
    ("hepatic coma", "coma"),
    ("hypoglycemic coma", "coma"),
    ("ophthalmicus", "varicella"),
    ("auricularis", "varicella"),
]
# The attribute of figure 4, in the order of the source.
VALUES = [
    "nervous system", "varicella", "coma", "neuropathy", "ophthalmicus", "auricularis", "hepatic coma", "hypoglycemic coma",
]  # fmt: skip


def space(values: list[str]) -> TaxonomySpace:
    tax = Taxonomy.from_edges(EDGES)
    return TaxonomySpace("disorder", tax, tax.indices(values), measure="wup")


def test_the_ranking_of_figure_4() -> None:
    """Neuropathy is the value farthest from all; then nervous system, coma and varicella, and all others alike."""
    attribute = space(VALUES)
    order = ranked(attribute, np.arange(8, dtype=np.int32), np.ones(8, np.int64))
    words = [VALUES[i] for i in order]
    assert words[:2] == ["neuropathy", "nervous system"]
    assert set(words[2:4]) == {"coma", "varicella"}
    to_neuropathy = attribute.between([VALUES.index("neuropathy")], order)[0]
    assert to_neuropathy == pytest.approx([0, 1 / 3, 0.5, 0.5, 0.6, 0.6, 0.6, 0.6])


def test_the_fault_of_a_fixed_ranking_in_figure_4() -> None:
    """Hepatic coma and ophthalmicus stand in one interval of the ranking by neuropathy, and are .67 apart."""
    attribute = space(VALUES)
    assert attribute.between([6], [4])[0, 0] == pytest.approx(2 / 3)
    assert attribute.between([6], [2])[0, 0] == pytest.approx(0.2)


def test_the_reference_depends_on_the_records_not_only_on_the_values() -> None:
    """A value of which there are many is not marginal: the sum of distances goes over records (eq. 5)."""
    attribute = space(["coma", "neuropathy", "hepatic coma"])
    alike = ranked(attribute, np.arange(3, dtype=np.int32), np.ones(3, np.int64))
    assert alike[0] == 1
    many = ranked(attribute, np.arange(3, dtype=np.int32), np.asarray([1, 9, 1]))
    assert many[0] == 2
