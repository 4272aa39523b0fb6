"""Every measure as its source defines it, over dicts and sets: one function per name of the registry.

Each takes a `World` and two concept ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from math import log, log2, sqrt

from ontomask.taxonomy.taxonomy import Taxonomy


class World:
    """A taxonomy as plain Python: parents and labels by id."""

    def __init__(self, tax: Taxonomy, counts: Mapping[str, float] | None = None) -> None:
        ids = tax.ids(range(len(tax.graph)))
        self.tax, self.ids, self.counts = tax, ids, counts
        self.number = {c: i for i, c in enumerate(ids)}
        self.parents = {c: tax.parents(c) for c in ids}
        self.children = {c: [k for k in ids if c in self.parents[k]] for c in ids}

    @cached_property
    def up(self) -> dict[str, dict[str, int]]:
        """up[c][a]: fewest links from c to each ancestor-or-self a, breadth first."""
        found = {}
        for c in self.ids:
            links, ring = {c: 0}, [c]
            while ring:
                ring = [p for x in ring for p in self.parents[x] if p not in links]
                links |= dict.fromkeys(ring, 1 + max(links.values()))
            found[c] = links
        return found

    @cached_property
    def depth(self) -> dict[str, int]:
        def nodes(c: str) -> int:
            return 1 + max((nodes(p) for p in self.parents[c]), default=0)

        return {c: nodes(c) for c in self.ids}

    def common(self, a: str, b: str) -> list[str]:
        return [c for c in self.up[a] if c in self.up[b]]

    def path(self, a: str, b: str) -> int:
        return min(self.up[a][c] + self.up[b][c] for c in self.common(a, b))

    def lcs(self, a: str, b: str) -> str:
        return min(self.common(a, b), key=lambda c: (-self.depth[c], self.up[a][c] + self.up[b][c], self.number[c]))

    @cached_property
    def ic(self) -> dict[str, float]:
        n = len(self.ids)
        below = {c: [d for d in self.ids if c in self.up[d]] for c in self.ids}
        if self.counts is None:
            return {c: 1 - log(len(below[c])) / log(n) if n > 1 else 0.0 for c in self.ids}
        total = sum(self.counts.values())
        seen = {c: sum(self.counts.get(d, 0) for d in below[c]) for c in self.ids}
        known = {c: -log(k / total) for c, k in seen.items() if k}
        return {c: known.get(c, max(log(total), max(known.values()))) for c in self.ids}

    def shared_information(self, a: str, b: str) -> float:
        return max(self.ic[c] for c in self.common(a, b))

    def words(self, c: str) -> set[str]:
        return {w for x in (c, *self.parents[c], *self.children[c]) for w in self.tax.labels(x)}

    def features(self, c: str) -> set[str]:
        return set(self.tax.features.get(self.number[c], ()))

    def description(self, c: str) -> set[str]:
        """Of the glosses that the tests make: words and nothing else."""
        return set(self.tax.glosses.get(self.number[c], "").split())


def path(w: World, a: str, b: str) -> float:
    return w.path(a, b)


def lch(w: World, a: str, b: str) -> float:
    deepest = max(w.depth.values())

    def similarity(links: int) -> float:
        return -log((links + 1) / (2 * deepest))

    return 1 - similarity(w.path(a, b)) / similarity(0)


def wup(w: World, a: str, b: str, without: int = 0) -> float:
    lcs = w.lcs(a, b)
    twice = 2 * (w.depth[lcs] - without)
    links = w.up[a][lcs] + w.up[b][lcs]
    return 1 - twice / (twice + links) if links else 0.0


def wup_links(w: World, a: str, b: str) -> float:
    return wup(w, a, b, without=1)


def jaccard(w: World, a: str, b: str) -> float:
    one, other = set(w.up[a]), set(w.up[b])
    return (len(one | other) - len(one & other)) / len(one | other)


def logsc(w: World, a: str, b: str) -> float:
    return log2(1 + jaccard(w, a, b))


def resnik(w: World, a: str, b: str) -> float:
    most = max(w.ic.values())
    return 1 - w.shared_information(a, b) / most if a != b and most > 0 else 0.0


def lin(w: World, a: str, b: str) -> float:
    both = w.ic[a] + w.ic[b]
    return 1 - 2 * w.shared_information(a, b) / both if a != b and both > 0 else 0.0


def jcn(w: World, a: str, b: str) -> float:
    return (w.ic[a] + w.ic[b] - 2 * w.shared_information(a, b)) / 2


def tversky(w: World, a: str, b: str) -> float:
    one, other = w.words(a), w.words(b)
    deep, deeper = w.depth[a], w.depth[b]
    g = deep / (deep + deeper) if deep <= deeper else 1 - deep / (deep + deeper)
    both = len(one & other)
    return 1 - both / (both + g * len(one - other) + (1 - g) * len(other - one))


def matched(w: World, a: str, b: str, one: set[str], other: set[str]) -> float:
    g = min(w.depth[a], w.depth[b]) / (w.depth[a] + w.depth[b])
    both = len(one & other)
    return both / (both + g * len(one - other) + (1 - g) * len(other - one))


def rodriguez(w: World, a: str, b: str, weights: tuple[float, float, float] = (1 / 3, 1 / 3, 1 / 3)) -> float:
    found, counted = 0.0, 0.0
    for weight, of in zip(weights, (lambda c: set(w.tax.labels(c)), w.features, w.words), strict=True):
        if of(a) | of(b):
            found += weight * matched(w, a, b, of(a), of(b))
            counted += weight
    return 1 - found / counted if a != b else 0.0


def overlap(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def xsim(w: World, a: str, b: str) -> float:
    if set(w.tax.labels(a)) & set(w.tax.labels(b)):
        return 0.0
    return 1 - max(overlap(of(a), of(b)) for of in (w.words, w.features, w.description))


def vector(w: World, a: str, b: str) -> float:
    if a == b:
        return 0.0
    often = Counter(word for c in w.ids for word in w.description(c))

    def context(word: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for c in w.ids:
            if word in w.description(c):
                found.update(other for other in w.description(c) if often[other] > 1)
        return Counter({other: times * log(len(w.ids) / often[other]) for other, times in found.items()})

    def total(c: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for x in (c, *w.parents[c], *w.children[c]):
            for word in w.description(x):
                if often[word] > 1:
                    found.update(context(word))
        return found

    one, other = total(a), total(b)
    lengths = sqrt(sum(x * x for x in one.values()) * sum(x * x for x in other.values()))
    return 1 - sum(one[word] * other[word] for word in one) / lengths if lengths else 1.0


GLOSS_TWINS: dict[str, Callable[[World, str, str], float]] = {"rodriguez": rodriguez, "xsim": xsim, "vector": vector}
TWINS: dict[str, Callable[[World, str, str], float]] = {
    "path": path,
    "lch": lch,
    "wup": wup,
    "wup-links": wup_links,
    "jaccard": jaccard,
    "logsc": logsc,
    "resnik": resnik,
    "lin": lin,
    "jcn": jcn,
    "tversky": tversky,
}
