"""Coded checks of a draft: one check, one function, one line in CHECKS; each has a fixture named after it in the tests.

Errors refuse a file, warnings are reported with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .._progress import along
from .draft import Draft, Problem
from .graph import climb, csr

MOST = 20  # findings of one code that are spelled out; the rest is counted


def empty(draft: Draft) -> Iterator[Problem]:
    if not draft.concepts and not draft.edges:
        yield Problem("empty", "error", "there is no concept in it")


def duplicate_id(draft: Draft) -> Iterator[Problem]:
    seen: set[str] = set()
    for id_ in draft.concepts:
        if id_ in seen:
            yield Problem("duplicate-id", "error", f"the id '{id_}' is defined twice")
        seen.add(id_)


def self_loop(draft: Draft) -> Iterator[Problem]:
    for child, parent in draft.edges:
        if child == parent:
            yield Problem("self-loop", "error", f"'{child}' is its own parent")


def unknown_parent(draft: Draft) -> Iterator[Problem]:
    """Only where the file defines its concepts apart from its links."""
    if not draft.concepts:
        return
    known = set(draft.concepts)
    for child, parent in draft.edges:
        for id_ in (child, parent):
            if id_ not in known:
                role = "parent" if id_ == parent else "child"
                yield Problem("unknown-parent", "error", f"'{id_}', a {role} in '{child}' → '{parent}', is not defined")


def cycle(draft: Draft) -> Iterator[Problem]:
    ids = draft.ids()
    index = {id_: c for c, id_ in enumerate(ids)}
    child, parent = draft.links(index)
    child, parent = child[child != parent], parent[child != parent]  # a self-loop is a finding of its own
    up_ptr, up = csr(child, parent, len(ids))
    down_ptr, down = csr(parent, child, len(ids))
    order, _ = climb(up_ptr, down_ptr, down)
    if len(order) == len(ids):
        return
    # Whatever is left has a left-over parent: climbing them must come round to a concept met before.
    left = np.ones(len(ids), bool)
    left[order] = False
    c = int(np.flatnonzero(left)[0])
    path: list[int] = []
    met: dict[int, int] = {}
    while c not in met:
        met[c] = len(path)
        path.append(c)
        c = next(int(p) for p in up[up_ptr[c] : up_ptr[c + 1]] if left[p])
    ring = [ids[i] for i in path[met[c] :]]
    shown = ring if len(ring) <= 8 else [*ring[:4], "…", *ring[-3:]]
    yield Problem("cycle", "error", "its is-a links form a cycle: " + " → ".join([*shown, ring[0]]))


def _defined(draft: Draft) -> list[str]:
    """What the file defines; where it defines nothing apart from its links, whatever they name."""
    return list(dict.fromkeys(draft.concepts)) or draft.ids()


def without_label(draft: Draft) -> Iterator[Problem]:
    if not draft.labels:
        return
    for id_ in _defined(draft):
        if not draft.labels.get(id_):
            yield Problem("without-label", "warning", f"'{id_}' has no label; its id stands in")


def several_roots(draft: Draft) -> Iterator[Problem]:
    children = {child for child, _ in draft.edges}
    roots = [id_ for id_ in _defined(draft) if id_ not in children]
    if len(roots) > 1:
        shown = ", ".join(f"'{r}'" for r in roots[:5]) + (" …" if len(roots) > 5 else "")
        yield Problem("several-roots", "warning", f"it has {len(roots)} roots ({shown}); a virtual one stands above")


def unreachable(draft: Draft) -> Iterator[Problem]:
    """Concepts that no link touches, beside others that are linked."""
    if not draft.edges:
        return
    linked = {id_ for link in draft.edges for id_ in link}
    for id_ in draft.ids():
        if id_ not in linked:
            yield Problem("unreachable", "warning", f"'{id_}' has neither a parent nor a child")


CHECKS: dict[str, Callable[[Draft], Iterator[Problem]]] = {
    "empty": empty,
    "duplicate-id": duplicate_id,
    "self-loop": self_loop,
    "unknown-parent": unknown_parent,
    "cycle": cycle,
    "without-label": without_label,
    "several-roots": several_roots,
    "unreachable": unreachable,
}


def check(draft: Draft) -> list[Problem]:
    """Every finding of every check; of each code at most MOST are spelled out."""
    found: list[Problem] = []
    for code, run in along(CHECKS.items(), len(CHECKS)):
        mine = list(run(draft))
        found += mine[:MOST]
        if len(mine) > MOST:
            found.append(Problem(code, mine[0].severity, f"{len(mine) - MOST} more of the kind '{code}'"))
    return found
