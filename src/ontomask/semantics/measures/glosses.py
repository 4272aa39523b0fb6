"""Measures for taxonomies that carry glosses (a WordNet folder): THESIS eq. 3.6-3.8 and 3.14.

Words are compared folded (case, spaces, hyphens do not count). A neighbourhood is a concept with its parents and children;
features are the parts, members, substances and attributes that a WordNet dictionary lists; a description is the gloss
without its example sentences and without function words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import illegal
from ...taxonomy.lexicon import fold
from ...taxonomy.taxonomy import Taxonomy
from .base import Floats
from .items import Items
from .views import View, by_view
from .words import labels, numbered, with_neighbours

_WORD = re.compile(r"[^\W\d_]+")
_EXAMPLES = re.compile(r';?\s*".*', re.DOTALL)
_FUNCTION_WORDS = """
a about after all also an and any are as at be because been before being between both but by can could do does during each
either especially etc for from had has have having he her him his if in into is it its like may more most much no not of
off often on one or other out over she should so some such than that the their them then there these they this those
through to under until up upon used usually very was were what when where which while who whom whose will with within
without would you your
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


def description(gloss: str) -> list[str]:
    """The words of a definition, each once.

    >>> description('a motor vehicle with four wheels; "he needs a car"')
    ['motor', 'vehicle', 'four', 'wheels']
    """
    found = _WORD.findall(_EXAMPLES.sub("", gloss).casefold())
    return [word for word in dict.fromkeys(found) if word not in FUNCTION_WORDS]


def _labels(view: View) -> Items:
    return view.kept(("words", "labels"), lambda: labels(view.taxonomy))  # type: ignore[no-any-return]


def _neighbours(view: View) -> Items:
    return view.kept(  # type: ignore[no-any-return]
        ("words", "neighbours"), lambda: with_neighbours(view.taxonomy, _labels(view))
    )


def _features(view: View) -> Items:
    def make() -> Items:
        of = view.taxonomy.features
        return numbered([fold(part) for part in of.get(c, ())] for c in range(len(view.taxonomy.graph)))

    return view.kept(("words", "features"), make)  # type: ignore[no-any-return]


def _descriptions(view: View) -> Items:
    def make() -> Items:
        of = dict(view.taxonomy.glosses)
        return numbered(description(of.get(c, "")) for c in range(len(view.taxonomy.graph)))

    return view.kept(("words", "descriptions"), make)  # type: ignore[no-any-return]


@by_view("rodriguez", symmetric=False)
def rodriguez(view: View, weights: Sequence[float] = (1 / 3, 1 / 3, 1 / 3)) -> Floats:
    """The weighted sum of how well synsets, features and neighbourhoods match (Rodríguez & Egenhofer 2003).

    Each of the three is matched as `tversky` does: |A∩B|/(|A∩B| + g|A\\B| + (1 − g)|B\\A|), with its g. Where neither concept
    has anything of a kind (most have no features) there is nothing to match, and the other kinds share its weight.
    """
    given = np.asarray(weights, np.float64)
    if given.shape != (3,) or (given < 0).any() or not given[0] > 0:
        raise illegal("weights", "rodriguez", "be three numbers ≥ 0 for synsets (> 0), features and neighbours", weights)
    depth = view.taxonomy.graph.depth.astype(np.float64)
    one, other = view.first(depth), view.second(depth)
    g = np.minimum(one, other) / (one + other)
    matched: Any = 0.0
    counted: Any = 0.0
    for weight, items in zip(given, (_labels(view), _features(view), _neighbours(view)), strict=True):
        size = np.diff(items.ptr)
        both, first, second = view.shared(items), view.first(size), view.second(size)
        there = first + second > 0
        whole = both + g * (first - both) + (1.0 - g) * (second - both)
        matched = matched + weight * np.divide(both, whole, out=np.zeros_like(both), where=there)
        counted = counted + weight * there
    similarity: Floats = matched / counted
    return similarity


@by_view("xsim")
def xsim(view: View) -> Floats:
    """X-similarity (Petrakis et al. 2006): 1 where the synsets share a word, else max(neighbourhoods, descriptions).

    Each is |A∩B|/|A∪B|; that of the neighbourhoods is the greater one of is-a neighbourhoods and of parts.
    """

    def overlap(items: Items) -> Floats:
        size = np.diff(items.ptr)
        both = view.shared(items)
        either = view.first(size) + view.second(size) - both
        return np.divide(both, either, out=np.zeros_like(both), where=either > 0)

    near = np.maximum(overlap(_neighbours(view)), overlap(_features(view)))
    same = view.shared(_labels(view)) > 0
    found: Floats = np.where(same, 1.0, np.maximum(near, overlap(_descriptions(view))))
    return found


@by_view("vector")
def vector(view: View) -> Floats:
    """The cosine of gloss vectors (Patwardhan & Pedersen 2006).

    A word's vector counts with which words it stands in one gloss, over all glosses of the taxonomy; words that occur once
    say nothing about others and are left out, the rest counts by its rarity (ln(N/df)). A concept's vector is the sum over
    the words of its gloss and of its neighbours' glosses.
    """
    own, contexts = view.kept("gloss vectors", lambda: _vectors(view.taxonomy, _descriptions(view)))

    def vectors(concepts: Any) -> Any:
        from scipy.sparse import diags

        distinct, back = np.unique(concepts, return_inverse=True)
        rows = own[distinct] @ contexts
        length = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).reshape(-1))
        return (diags(np.where(length > 0, 1.0 / np.where(length > 0, length, 1.0), 0.0)) @ rows).tocsr()[back.reshape(-1)]

    return view.products(vectors(view.left), vectors(view.right))


def _vectors(taxonomy: Taxonomy, descriptions: Items) -> tuple[Any, Any]:
    """(concept × word: words of its gloss and of its neighbours'; word × word: how often in one gloss, by rarity)."""
    from scipy.sparse import csr_matrix, diags, identity

    graph = taxonomy.graph
    n = len(graph)
    words = csr_matrix((np.ones(len(descriptions.items)), descriptions.items, descriptions.ptr), shape=(n, descriptions.size))
    often = np.asarray(words.sum(axis=0)).reshape(-1)
    words = words[:, often > 1]
    rarity = diags(np.log(n / often[often > 1]))
    child = np.repeat(np.arange(n), np.diff(graph.up_ptr))
    up = csr_matrix((np.ones(len(child)), (child, graph.up)), shape=(n, n))
    around = identity(n, format="csr") + up + up.T
    return (around @ words).tocsr(), (words.T @ words @ rarity).tocsr()
