"""Draft → Taxonomy: number the concepts, run the checks, add a virtual root where there are several."""

from __future__ import annotations

import numpy as np

from .._progress import stages
from ..errors import TaxonomyError
from .checks import check
from .draft import Draft, Problem
from .graph import Graph
from .lexicon import build_lexicon, fold
from .taxonomy import Taxonomy

ROOT_LABEL = "anything"


def build(draft: Draft) -> Taxonomy:
    """Compile a draft; errors found by the checks refuse it, warnings stay with the taxonomy (`tax.problems`)."""
    checking, linking, wording = stages(2, 1, 1)
    with checking:
        problems = [*draft.findings(), *check(draft)]
    errors = [p for p in problems if p.severity == "error"]
    if errors:
        raise TaxonomyError(_refusal(draft, errors))
    with linking:
        ids = draft.ids()
        index = {id_: c for c, id_ in enumerate(ids)}
        child, parent = draft.links(index)
    has_parent = np.zeros(len(ids), bool)
    has_parent[child] = True
    roots = np.flatnonzero(~has_parent)
    labels = [draft.labels.get(id_) or [id_] for id_ in ids]
    virtual = len(roots) > 1
    if virtual:
        child = np.concatenate([child, roots.astype(np.int32)])
        parent = np.concatenate([parent, np.full(len(roots), len(ids), np.int32)])
        ids = [*ids, _free("*", index)]
        labels.append([ROOT_LABEL])
    graph = Graph.from_links(child, parent, len(ids), len(ids) - 1 if virtual else int(roots[0]))
    senses: dict[str, list[int]] = {}
    for key, found in draft.senses.items():  # several spellings may fold into one
        senses.setdefault(fold(key), []).extend(index[i] for i in found if i in index)
    with wording:
        lexicon = build_lexicon(ids, labels, senses)
    return Taxonomy(
        graph=graph,
        lexicon=lexicon,
        name=draft.name,
        version=draft.version,
        licence=draft.licence,
        virtual_root=virtual,
        problems=tuple(p for p in problems if p.severity != "error"),
        glosses={index[i]: text for i, text in draft.glosses.items() if i in index},
        features={index[i]: list(parts) for i, parts in draft.features.items() if i in index},
        xrefs={index[i]: list(there) for i, there in draft.xrefs.items() if i in index},
        aliases={old: index[new] for old, new in draft.aliases.items() if new in index},
    )


def _free(id_: str, taken: dict[str, int]) -> str:
    while id_ in taken:
        id_ += "*"
    return id_


def _refusal(draft: Draft, errors: list[Problem]) -> str:
    where = f"The taxonomy '{draft.name}'" if draft.name else "The taxonomy"
    first = "; ".join(p.message + (f" (line {p.line})" if p.line else "") for p in errors[:3])
    more = f"; and {len(errors) - 3} more" if len(errors) > 3 else ""
    return f"{where} cannot be used: {first}{more}. Mend the file, or list every finding with: ontomask taxonomy check FILE"
