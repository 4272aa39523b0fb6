"""THESIS figures 37-42: three methods with and without meaning, on clinical records."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ontomask import Microaggregation, Recoding, Resampling, Suppression, Tuples
from ontomask.flow import Flow, make_flow

from .findings import Claim, Finding, always, measured, mostly, said, table, wins
from .tables import CLINICAL, clinical, size, without_meaning

TITLE = "Clinical records"
KS = (2, 3, 4, 5, 8, 10, 15)
SEEDS = 3  # of resampling
ALPHAS = (0, 0.1, 0.25, 0.5, 0.75, 0.9, 1)
MIDDLE = 8
MEASURES = ("sse", "kl", "srl", "loss_percent", "changed")
METHODS = ("recoding", "microaggregation", "resampling")
Mask = Callable[[int, int], Flow]  # k, seed
Figures = dict[str, list[dict[str, float]]]  # by method, by k: measures


def study() -> list[Finding]:
    tuples = clinical()
    data = f"{CLINICAL}: {size(tuples)}; the source: 3,006 records, 2,331 tuples, 2,073 unique; logsc"
    found = {name: [_measured(tuples, name, mask, k) for k in KS] for name, mask in _maskings(tuples).items()}
    meaning = _meaning(data, found, *_flatness(tuples))
    return [meaning, _sse_kl(data, found), _linked(data, found), _scores(data, found), _seconds(data, found)]


def _maskings(tuples: Tuples) -> dict[str, Mask]:
    """Semantic and plain (values equal or different, modes) variants by name, as functions of k and seed."""
    tuples.geometry.layout  # noqa: B018 - made once for all methods
    plain = without_meaning(tuples)

    def recoding_plain(k: int, seed: int) -> Flow:
        flow = Recoding(k).mask(plain, np.random.default_rng(seed))
        return make_flow(flow.source, flow.targets[flow.target], flow.count)  # value codes are the same in both

    return {
        "recoding": lambda k, seed: Recoding(k).mask(tuples, np.random.default_rng(seed)),
        "microaggregation": lambda k, seed: Microaggregation(k).mask(tuples, np.random.default_rng(seed)),
        "resampling": lambda k, seed: Resampling(k).mask(tuples, np.random.default_rng(seed)),
        "recoding, plain": recoding_plain,
        "microaggregation, plain": lambda k, seed: Microaggregation(k, distance="equality", centroid="mode").mask(
            tuples, np.random.default_rng(seed)
        ),
        "resampling, plain": lambda k, seed: Resampling(k, distance="equality", centroid="mode").mask(
            tuples, np.random.default_rng(seed)
        ),
        "suppression": lambda k, seed: Suppression(k).mask(tuples, np.random.default_rng(seed)),
        "refined": lambda k, seed: Microaggregation(k, variant="refined").mask(tuples, np.random.default_rng(seed)),
    }


def _measured(tuples: Tuples, name: str, mask: Mask, k: int) -> dict[str, float]:
    """Means over the seeds where lots are drawn, of the plain variants SSE only; the time is that of the quicker run."""
    rows, times = [], []
    for seed in range(SEEDS if name.startswith("resampling") else 1):
        start = time.perf_counter()
        flow = mask(k, seed)
        times.append(time.perf_counter() - start)
        rows.append({measure: measured(tuples, flow, measure) for measure in (MEASURES if name in METHODS else MEASURES[:1])})
    if name in METHODS:
        start = time.perf_counter()
        mask(k, 0)
        times.append(time.perf_counter() - start)
    return {measure: float(np.mean([row[measure] for row in rows])) for measure in rows[0]} | {"seconds": min(times)}


def _by_k(found: Figures, name: str, measure: str) -> list[float]:
    return [row[measure] for row in found[name]]


def _shown(found: Figures, names: tuple[str, ...], measure: str) -> str:
    return table("k", names, [(k, [found[n][i][measure] for n in names]) for i, k in enumerate(KS)])


def _flatness(tuples: Tuples) -> tuple[float, float]:
    """(mean distance of two different first diagnoses; share of tuples whose nearest other one has a diagnosis in common)"""
    first = tuples.spaces[0]
    square = first.distances[: first.q]
    far = np.zeros((tuples.p, tuples.p))
    same = np.zeros((tuples.p, tuples.p), bool)
    for j, space in enumerate(tuples.spaces):
        codes = tuples.codes[:, j]
        far += space.distances[: space.q][np.ix_(codes, codes)]
        same |= codes[:, None] == codes[None, :]
    np.fill_diagonal(far, np.inf)
    nearest = far.argmin(axis=1)
    return float(square.sum() / (square.size - first.q)), float(same[np.arange(tuples.p), nearest].mean())


def _meaning(data: str, found: Figures, apart: float, equal: float) -> Finding:
    names = (*METHODS, *(f"{m}, plain" for m in METHODS), "suppression", "refined")
    gain = {m: 1 - np.asarray(_by_k(found, m, "sse")) / np.asarray(_by_k(found, f"{m}, plain", "sse")) for m in METHODS}
    mean = {m: float(g.mean()) for m, g in gain.items()}
    better = [always(_by_k(found, m, "sse"), _by_k(found, f"{m}, plain", "sse"), 0.02) for m in METHODS]
    last = {n: found[n][-1]["sse"] for n in ("microaggregation", "suppression")}
    shown = ", ".join(f"{m} {100 * mean[m]:.0f} %" for m in METHODS)
    return Finding(
        "THESIS figure 37",
        "SSE with meaning, without (plain), and of suppression",
        data,
        _shown(found, names, "sse"),
        [
            Claim(
                "SSE grows with k",
                all(always(_by_k(found, n, "sse")[:-1], _by_k(found, n, "sse")[1:], 0.02) for n in names[:3]),
            ),
            Claim(
                "with meaning each method loses less at every k (resampling: up to 2 % of chance)",
                all(better),
                f"on average {shown} less",
            ),
            Claim("microaggregation gains most", mean["microaggregation"] == max(mean.values()), shown),
            Claim(
                "it keeps more than half of what is lost without meaning",
                mean["microaggregation"] > 0.5,
                f"{100 * mean['microaggregation']:.0f} % of it",
                f"Over the ICD-9-CM tree two different diagnoses are {apart:.2f} apart on average, and for {100 * equal:.0f} "
                "% of the tuples the one nearest in meaning has a diagnosis in common, which equality sees as well: a tree "
                "of six levels has little more to offer. SNOMED CT is deeper and gives most concepts several parents.",
            ),
            Claim("resampling gains least, since it samples at random first", mean["resampling"] == min(mean.values()), shown),
            Claim(
                "suppression loses several times as much as semantic microaggregation (the source, k = 15: 2,875 and 645)",
                last["suppression"] > 2 * last["microaggregation"],
                f"k = 15: {said(last['suppression'])} and {said(last['microaggregation'])}",
            ),
        ],
    )


def _sse_kl(data: str, found: Figures) -> Finding:
    sse, kl = ({m: _by_k(found, m, measure) for m in METHODS} for measure in ("sse", "kl"))
    changed = {m: float(np.mean(_by_k(found, m, "changed"))) for m in METHODS}
    heads = [f"{measure}, {m}" for measure in ("SSE", "KL") for m in METHODS]
    rows = [(k, [x[m][i] for x in (sse, kl) for m in METHODS]) for i, k in enumerate(KS)]
    return Finding(
        "THESIS figure 38",
        "meaning (SSE) and distribution (KL)",
        data,
        table("k", heads, rows),
        [
            Claim(
                "microaggregation keeps meaning best, closely followed by recoding",
                mostly(sse["microaggregation"], sse["recoding"]),
                f"microaggregation not above recoding in {wins(sse['microaggregation'], sse['recoding'])}",
                "With the weight of eq. 4.2 SA-MDAV changes fewest records, but by more (see figure 21); `refined` in figure "
                "37 shows what microaggregation can keep.",
            ),
            Claim(
                "resampling keeps least",
                always(sse["recoding"], sse["resampling"]) and always(sse["microaggregation"], sse["resampling"]),
            ),
            Claim(
                "recoding keeps the distribution best, since it writes tuples that the table holds",
                always(kl["recoding"], kl["microaggregation"]) and always(kl["recoding"], kl["resampling"]),
                f"not above microaggregation in {wins(kl['recoding'], kl['microaggregation'])}",
                "All that recoding writes is indeed held by the table. But KL asks which original tuples are left, and "
                f"recoding gives up more of them: it changes {changed['recoding']:.0f} % of the records on average, "
                f"microaggregation {changed['microaggregation']:.0f} %, whose centroids mostly are tuples of the table, too.",
            ),
            Claim("resampling keeps it worst, above all at high k", kl["resampling"][-1] == max(kl[m][-1] for m in METHODS)),
        ],
    )


def _linked(data: str, found: Figures) -> Finding:
    risk = {m: _by_k(found, m, "srl") for m in METHODS}
    late = [i for i, k in enumerate(KS) if k >= 4]
    lowest = all(risk["resampling"][i] == min(risk[m][i] for m in METHODS) for i in late)
    highest = mostly(risk["recoding"], risk["microaggregation"]) and mostly(risk["resampling"], risk["microaggregation"])
    return Finding(
        "THESIS figure 39",
        "records linked by meaning (SRL, %)",
        data,
        _shown(found, METHODS, "srl"),
        [
            Claim("resampling is linked least from k = 4 on", lowest),
            Claim("microaggregation is linked most", highest),
            Claim(
                "recoding is linked least at k = 2",
                risk["recoding"][0] == min(risk[m][0] for m in METHODS),
                ", ".join(f"{m} {said(risk[m][0])} %" for m in METHODS),
                "Resampling puts together records that happen to stand at the same place of two random samples: already at k "
                "= 2 almost none of them is near to what it becomes.",
            ),
        ],
    )


def _scores(data: str, found: Figures) -> Finding:
    half = {m: [0.5 * r["loss_percent"] + 0.5 * r["srl"] for r in found[m]] for m in METHODS}
    at = KS.index(MIDDLE)
    by_alpha = [(a, [a * found[m][at]["loss_percent"] + (1 - a) * found[m][at]["srl"] for m in METHODS]) for a in ALPHAS]
    best = {m: sum(half[m][i] == min(half[x][i] for x in METHODS) for i in range(len(KS))) for m in METHODS}
    return Finding(
        "THESIS figures 40 and 41",
        "the score α·L + (1 − α)·SRL",
        data,
        table("k (α = 0.5)", METHODS, [(k, [half[m][i] for m in METHODS]) for i, k in enumerate(KS)])
        + "\n\n"
        + table(f"α (k = {MIDDLE})", METHODS, by_alpha),
        [
            Claim(
                "microaggregation is the best choice where meaning is to be kept at a moderate risk: it has the best balance",
                best["microaggregation"] == max(best.values()),
                ", ".join(f"{m} best at {best[m]} of {len(KS)} k" for m in METHODS),
                "The balance follows the loss, which is nearly the same for the two methods that stand on distances.",
            ),
        ],
        "The text that describes these two figures is missing in our copy of the source; the claim is that of its conclusion.",
    )


def _seconds(data: str, found: Figures) -> Finding:
    times = {m: _by_k(found, m, "seconds") for m in METHODS}
    micro = times["microaggregation"]
    return Finding(
        "THESIS figure 42",
        "seconds",
        data,
        _shown(found, METHODS, "seconds"),
        [
            Claim("resampling is the fastest", all(always(times["resampling"], times[m], 0.2) for m in METHODS)),
            Claim(
                "microaggregation gets faster as k grows",
                micro[-1] < 0.8 * micro[0],
                f"{said(micro[0])} and {said(micro[-1])} s",
                "The source goes through all tuples for each cluster, and larger k make fewer clusters. Here the next tuple "
                "is found by a pruned search, so the time goes into adding tuples to clusters, of which there are as many "
                "whatever k.",
            ),
            Claim(
                "recoding takes almost the same time whatever k",
                max(times["recoding"]) < 3 * min(times["recoding"]),
                f"{said(min(times['recoding']))} to {said(max(times['recoding']))} s",
                "Recoding goes on until every group has k records, so more of it is to be done for a larger k; the source's "
                "time is ruled by distances that it works out beforehand.",
            ),
        ],
    )
