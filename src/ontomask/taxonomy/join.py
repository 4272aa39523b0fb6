"""Several taxonomies as one: side by side under a virtual root, or glued where they mean the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ..errors import illegal, listed
from .build import build
from .draft import Draft, Problem
from .taxonomy import Taxonomy

WAYS = ("root", "ids", "labels", "xrefs")
Concept = tuple[int, int]  # (which taxonomy, which of its concepts)


def join_taxonomies(taxonomies: Sequence[Taxonomy], by: str = "root", name: str = "") -> Taxonomy:
    """One taxonomy out of several.

    by="root"    they stand side by side; several roots get a virtual one above them;
    by="ids"     concepts with the same id are one;
    by="labels"  concepts that share a label are one, preferred labels first;
    by="xrefs"   concepts that refer to one another, or to the same concept elsewhere, are one.

    Only what is unambiguous is glued: a label or reference that several concepts of one taxonomy have glues nothing, and two
    concepts of one taxonomy never become one. Where glueing would make a cycle (for one taxonomy a is a b, for the other b is
    an a), the concepts on it stay apart, and `problems` says which. A glued concept has the id and the labels of the first
    taxonomy, then the others' labels; the others' ids lead to it. An id that two taxonomies use for different concepts gets
    the second's name before it ("name:id").

    >>> pets = Taxonomy.from_edges([("parrot", "pet")], name="pets")
    >>> birds = Taxonomy.from_edges([("parrot", "bird"), ("canary", "bird")], name="birds")
    >>> join_taxonomies([pets, birds], by="labels").parents("parrot")
    ['pet', 'bird']
    """
    given = list(taxonomies)
    if not given or not all(isinstance(tax, Taxonomy) for tax in given):
        raise illegal("taxonomies", "join_taxonomies", "be a list of one Taxonomy or more", [type(t).__name__ for t in given])
    if by not in WAYS:
        raise illegal("by", "join_taxonomies", f"be one of {', '.join(WAYS)}", by)
    pairs = [] if by == "root" else list({"ids": _same_id, "labels": _same_label, "xrefs": _same_reference}[by](given))
    apart: set[Concept] = set()
    while True:
        glue = _Glue(given, pairs, apart)
        contradictory = _in_cycles(given, glue)
        if not contradictory:
            break
        apart |= contradictory  # fewer are glued each time: this ends
    draft = _draft(given, glue)
    draft.name = name or " + ".join(tax.name or f"taxonomy {i}" for i, tax in enumerate(given, 1))
    if apart:
        shown = sorted(given[i].lexicon.label(c) for i, c in apart)
        message = f"{len(apart)} concepts are not glued because the taxonomies contradict each other there: {listed(shown, 6)}"
        draft.problems.append(Problem("contradiction", "warning", message))
    return build(draft)


class _Glue:
    """Which concepts are one: disjoint sets, each with at most one concept of each taxonomy."""

    def __init__(self, taxonomies: list[Taxonomy], pairs: list[tuple[Concept, Concept]], apart: set[Concept]) -> None:
        """Of the pairs, those become one that have no part in `apart` and put no two concepts of one taxonomy together."""
        self.above: dict[Concept, Concept] = {}
        self.members: dict[Concept, list[Concept]] = {}
        self.virtual = {(i, tax.graph.root) for i, tax in enumerate(taxonomies) if tax.virtual_root}
        for one, other in pairs:
            if one not in apart and other not in apart:
                self.join(one, other)

    def find(self, concept: Concept) -> Concept:
        """The first member of the concept's set."""
        while (above := self.above.get(concept, concept)) != concept:
            concept = above
        return concept

    def join(self, one: Concept, other: Concept) -> None:
        """Make two sets one, unless that would put two concepts of one taxonomy together."""
        a, b = sorted((self.find(one), self.find(other)))
        if a == b or a in self.virtual or b in self.virtual:
            return
        all_of_them = [*self.members.get(a, [a]), *self.members.get(b, [b])]
        if len({tax for tax, _ in all_of_them}) == len(all_of_them):
            self.above[b] = a
            self.members[a] = all_of_them


def _in_cycles(taxonomies: list[Taxonomy], glue: _Glue) -> set[Concept]:
    """The glued concepts that lie on a cycle of the joint links."""
    if not glue.members:
        return set()
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    starts = np.cumsum([0, *(len(tax.graph) for tax in taxonomies)])
    joint = np.arange(starts[-1])
    for i, c in glue.above:
        j, first = glue.find((i, c))
        joint[starts[i] + c] = starts[j] + first
    graphs = [(start, tax.graph) for start, tax in zip(starts, taxonomies, strict=False)]
    child = joint[np.concatenate([start + np.repeat(np.arange(len(g)), np.diff(g.up_ptr)) for start, g in graphs])]
    parent = joint[np.concatenate([start + g.up for start, g in graphs])]
    links = coo_array((np.ones(len(child), np.int32), (child, parent)), shape=(len(joint), len(joint)))
    _, component = connected_components(links, connection="strong")
    together = np.bincount(component)[component] > 1  # on a cycle with another
    return {
        member
        for (i, c), members in glue.members.items()
        if glue.find((i, c)) == (i, c) and together[starts[i] + c]
        for member in members
    }


def _unambiguous(keys: Iterable[tuple[str, int]]) -> dict[str, int]:
    """key → the one concept that has it."""
    found: dict[str, int] = {}
    several: set[str] = set()
    for key, c in keys:
        if found.setdefault(key, c) != c:
            several.add(key)
    return {key: c for key, c in found.items() if key not in several}


def _pairs(tables: list[dict[str, int]]) -> Iterator[tuple[Concept, Concept]]:
    for i, mine in enumerate(tables):
        for j in range(i + 1, len(tables)):
            for key, c in mine.items():
                if key in tables[j]:
                    yield (i, c), (j, tables[j][key])


def _same_id(taxonomies: list[Taxonomy]) -> Iterator[tuple[Concept, Concept]]:
    yield from _pairs([tax.lexicon.index for tax in taxonomies])


def _same_label(taxonomies: list[Taxonomy]) -> Iterator[tuple[Concept, Concept]]:
    from .lexicon import fold

    preferred = [_unambiguous((fold(tax.lexicon.label(c)), c) for c in range(len(tax.graph))) for tax in taxonomies]
    any_label = []
    for tax in taxonomies:
        lexicon = tax.lexicon
        ends = lexicon.sense_ptr.tolist()
        senses = lexicon.senses.tolist()
        any_label.append(
            {k: senses[a] for k, a, b in zip(lexicon.keys.to_pylist(), ends, ends[1:], strict=False) if b == a + 1}
        )
    yield from _pairs(preferred)  # these first: once glued, a concept is not torn away by a lesser label
    yield from _pairs(any_label)


def _same_reference(taxonomies: list[Taxonomy]) -> Iterator[tuple[Concept, Concept]]:
    """A concept is known by its id, by its references and, elsewhere, by its taxonomy's name before the id ("MESH:D009203")."""
    tables = []
    names = [_squash(tax.name) for tax in taxonomies]
    for i, tax in enumerate(taxonomies):
        keys = [(id_.casefold(), c) for id_, c in tax.lexicon.index.items()]
        for c, there in tax.xrefs.items():
            for reference in there:
                keys.append((reference.casefold(), c))
                prefix, colon, rest = reference.partition(":")
                if colon and any(n and j != i and _squash(prefix).startswith(n) for j, n in enumerate(names)):
                    keys.append((rest.casefold(), c))
        tables.append(_unambiguous(keys))
    yield from _pairs(tables)


def _squash(text: str) -> str:
    """SNOMED CT, SNOMEDCT_US → snomedct, snomedctus."""
    return re.sub(r"[\W_]", "", text).casefold()


def _draft(taxonomies: list[Taxonomy], glue: _Glue) -> Draft:
    """Concepts in the order of the taxonomies; glued ones where the first of them stands."""
    draft = Draft()
    ids: dict[Concept, str] = {}
    taken: set[str] = set()
    for i, tax in enumerate(taxonomies):
        for c, id_ in enumerate(tax.lexicon.ids.to_pylist()):
            here = (i, c)
            if here in glue.virtual:
                continue
            first = glue.find(here)
            if first == here:
                while id_ in taken:
                    id_ = f"{tax.name or i + 1}:{id_}"
                taken.add(id_)
                draft.concepts.append(id_)
                ids[here] = id_
            else:
                ids[here] = ids[first]
                draft.aliases.setdefault(id_, ids[first])
    for i, tax in enumerate(taxonomies):
        _add(draft, tax, {c: id_ for (j, c), id_ in ids.items() if j == i})
    draft.edges = list(dict.fromkeys(draft.edges))
    draft.licence = "; ".join(dict.fromkeys(tax.licence for tax in taxonomies if tax.licence))
    return draft


def _add(draft: Draft, tax: Taxonomy, ids: dict[int, str]) -> None:
    """Everything that one taxonomy says, under the joint ids."""
    for c, id_ in ids.items():
        draft.edges += [(id_, ids[p]) for p in tax.graph.parents(c).tolist() if p in ids]
        labels = tax.lexicon.labels_of(c)
        draft.labels[id_] = list(dict.fromkeys([*draft.labels.get(id_, []), *labels]))
    for c, gloss in tax.glosses.items():
        draft.glosses.setdefault(ids[c], gloss)
    for rows, target in ((tax.features, draft.features), (tax.xrefs, draft.xrefs)):
        for c, texts in rows.items():
            target.setdefault(ids[c], []).extend(texts)
    for old, c in tax.aliases.items():
        draft.aliases.setdefault(old, ids[c])
    for position, key in enumerate(tax.lexicon.keys.to_pylist()):
        senses = (ids[c] for c in tax.lexicon.senses_at(position).tolist() if c in ids)
        draft.senses[key] = list(dict.fromkeys([*draft.senses.get(key, []), *senses]))
