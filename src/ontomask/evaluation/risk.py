"""What can be found: each measure is one function of the case and one line in `RISKS` (_registry.py).

Attacks succeed on records: a suppressed record is linked to nobody and counts with probability 0 in MRL and SRL.
"""

from __future__ import annotations

from .case import Case
from .linkage import links, own_distances


def k(case: Case) -> int:
    """The smallest class of the release: how many records share the masked quasi-identifiers (0: nothing released)."""
    return int(case.sizes.min()) if len(case.sizes) else 0


def classes(case: Case) -> int:
    """Classes of the release: distinct masked tuples."""
    return len(case.sizes)


def records_below_k(case: Case) -> int:
    """Released records in classes of fewer than the k asked for (2 where none was: unique records)."""
    sizes = case.sizes
    return int(sizes[sizes < case.k].sum())


def share_below_k(case: Case) -> float:
    """The same as a share of the released records, in percent."""
    return 100.0 * records_below_k(case) / max(1, case.released)


def prosecutor_max(case: Case) -> float:
    """The chance of an intruder who knows that a person is in the release, for the worst class: 1/size."""
    return 1.0 / k(case) if k(case) else 0.0


def prosecutor_mean(case: Case) -> float:
    """The same on average over the released records, which is classes/records."""
    return classes(case) / case.released if case.released else 0.0


def mrl(case: Case) -> float:
    """Record linkage by matching, in percent (FUSION 14-15).

    A masked record is linked to the original records that are equal to it, and found with probability 1/their number
    when its own is among them. Suppressed records count as never found.
    """
    entries = case.kept & (case.same[case.flow.target] == case.flow.source)
    found = case.flow.count[entries] / case.tuples.counts[case.flow.source[entries]]
    return 100.0 * float(found.sum()) / max(1, case.tuples.n)


def srl(case: Case) -> float | None:
    """Semantic record linkage, in percent (THESIS 8.1-8.4).

    An original record is linked to the masked records at the least record distance (in the fixed point of
    `Tuples.geometry`, so that ties are exact), and found with probability 1/their number when its own is among them.
    """
    if not case.fits:
        return None
    least, number = links(case)
    found = case.kept & (own_distances(case) == least[case.flow.source])
    chances = case.flow.count[found] / number[case.flow.source[found]]
    return 100.0 * float(chances.sum()) / max(1, case.tuples.n)
