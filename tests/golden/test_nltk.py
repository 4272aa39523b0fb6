"""NLTK as an oracle for path, lch and wup, over the same dictionary files (Debian's wordnet-base, WordNet 3.0)."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import pytest

import ontomask as om
from ontomask._registry import MEASURES
from ontomask.taxonomy.taxonomy import Taxonomy
from tests.oracles import DICTIONARY, nltk_wordnet

PAIRS = 2000


class Oracle:
    """NLTK's reader and our taxonomy of the same folder, with random pairs of concepts."""

    def __init__(self, reader: Any, tax: Taxonomy) -> None:
        rng = np.random.default_rng(2010)
        self.tax, self.reader = tax, reader
        self.left, self.right = rng.integers(0, len(tax), (2, PAIRS)).astype(np.int32)
        self.left[:20] = self.right[:20]
        self.synsets = [(self.synset(a), self.synset(b)) for a, b in zip(self.left, self.right, strict=True)]

    def synset(self, concept: int) -> Any:
        return self.reader.synset_from_pos_and_offset("n", int(self.tax.ids([concept])[0][:8]))

    def up(self, c: int) -> dict[int, int]:
        """Every ancestor of concept c with the fewest links up to it."""
        a = self.tax.graph.ancestry
        part = slice(a.ptr[c], a.ptr[c + 1])
        return dict(zip(self.tax.graph.by_rank[a.ranks[part]].tolist(), a.links[part].tolist(), strict=True))

    def path(self, a: int, b: int) -> int:
        return int(MEASURES.load("path").pairs(self.tax, [a], [b])[0])

    def measured(self, name: str, **options: object) -> np.ndarray:
        return MEASURES.load(name).pairs(self.tax, self.left, self.right, **options)


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    if not (DICTIONARY / "data.noun").is_file():
        pytest.skip(f"there is no WordNet dictionary in {DICTIONARY}: install Debian's wordnet-base")
    pytest.importorskip("nltk")
    return Oracle(nltk_wordnet(tmp_path_factory.mktemp("nltk")), om.load_taxonomy(DICTIONARY))


def test_path(oracle: Oracle) -> None:
    theirs = [a.path_similarity(b) for a, b in oracle.synsets]
    assert 1 / (oracle.measured("path") + 1) == pytest.approx(np.asarray(theirs), abs=1e-9)


def test_lch(oracle: Oracle) -> None:
    deepest = int(np.argmax(oracle.tax.graph.depth))
    links = oracle.synset(deepest).max_depth()
    assert links == 19  # NLTK counts links where ALGORITHMS counts nodes
    assert oracle.tax.max_depth == links + 1
    oracle.reader._max_depth["n", False] = links  # what NLTK would find in ten seconds by asking each synset
    theirs = np.asarray([a.lch_similarity(b) for a, b in oracle.synsets])
    assert 1 - oracle.measured("lch", depth=19) == pytest.approx(theirs / log(2 * 19), abs=1e-9)


def nltk_subsumer(oracle: Oracle, a: int, b: int) -> int:
    """The common ancestor of greatest shortest-path depth; ties: the first concept itself, else the first by name."""
    root = oracle.tax.graph.root
    common = oracle.up(a).keys() & oracle.up(b).keys()
    depth = {c: oracle.up(c)[root] for c in common}
    best = [c for c in common if depth[c] == max(depth.values())]
    return a if a in best else min(best, key=lambda c: oracle.synset(c).name())


def test_wup_with_the_rule_of_nltk_is_that_of_nltk(oracle: Oracle) -> None:
    graph, same = oracle.tax.graph, 0
    ours = oracle.measured("wup")
    for k, (a, b) in enumerate(zip(oracle.left.tolist(), oracle.right.tolist(), strict=True)):
        theirs = oracle.synsets[k][0].wup_similarity(oracle.synsets[k][1])
        lcs = nltk_subsumer(oracle, a, b)
        twice = 2 * int(graph.depth[lcs])
        assert theirs == pytest.approx(twice / (twice + oracle.path(a, lcs) + oracle.path(b, lcs)), abs=1e-9)
        chosen = graph.subsumer(np.asarray([a, b], np.int32))
        if chosen == lcs and oracle.path(a, lcs) == oracle.up(a)[lcs] and oracle.path(b, lcs) == oracle.up(b)[lcs]:
            same += 1
            assert 1 - ours[k] == pytest.approx(theirs, abs=1e-9)
    assert same / PAIRS > 0.9
