"""What distances cost: matrices and pairs over the nouns of WordNet, spaces, centroids; other packages beside them.

Other packages are asked where they are installed: nltk and nxontology come with the extras test and bench, semsimian and hpo3
by their names (hpo3 brings its own Human Phenotype Ontology, so ours is measured on the published one too).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numba
import numpy as np
from tests.oracles import DICTIONARY, nltk_wordnet

import ontomask as om
from ontomask._registry import MEASURES
from ontomask.semantics.geometry import build_geometry
from ontomask.semantics.measures.base import ByRule
from ontomask.semantics.spaces.taxonomy import TaxonomySpace

from .data import folder

SIDE = 10_000
PAIRS = 4_000_000
TARGETS = {"jaccard": 0.1, "logsc": 0.1, "path": 0.25, "wup": 0.25, "resnik": 0.25, "lin": 0.25, "jcn": 0.25}
TURNS = 5

COLD = """
import sys
from pathlib import Path
from time import perf_counter, process_time
import numpy as np, ontomask as om

def peak():  # of this program alone: getrusage would start from what its parent had
    return next(int(line.split()[1]) * 1024 for line in Path("/proc/self/status").open() if line.startswith("VmHWM"))

tax = om.load_taxonomy("wordnet")
rng = np.random.default_rng(0)
rows, columns = (tax.ids(rng.choice(len(tax), 10_000, replace=False)) for _ in range(2))
tax.indices(rows)
start, cpu = perf_counter(), process_time()
if sys.argv[1] == "memory":  # what is compiled and derived from the taxonomy is there before
    tax.distances(rows[:5], columns[:5], dtype=np.float32)
before = peak()
d = tax.distances(rows, columns, dtype=np.float32)
print(perf_counter() - start, process_time() - cpu, (peak() - before) / d.nbytes)
"""


def run() -> dict[str, Any]:
    tax = om.load_taxonomy("wordnet")
    rng = np.random.default_rng(0)
    rows, columns = (rng.choice(len(tax), SIDE, replace=False).astype(np.int32) for _ in range(2))
    left, right = rng.integers(0, len(tax), (2, PAIRS)).astype(np.int32)
    threads = numba.get_num_threads()
    found: dict[str, Any] = {"threads": threads, "measures": {}, "others": {}}
    for name in MEASURES:
        measure = MEASURES.load(name)
        if not isinstance(measure, ByRule):
            continue
        cost = {}
        for dtype in ("float32", "float64"):
            measure.matrix(tax, rows, columns, dtype=dtype)
            cost[dtype] = best(lambda m=measure, t=dtype: m.matrix(tax, rows, columns, dtype=t))
        numba.set_num_threads(1)
        measure.pairs(tax, left[:5], right[:5], dtype=np.float32)
        alone = best(lambda m=measure: m.pairs(tax, left, right, dtype=np.float32))
        numba.set_num_threads(threads)
        found["measures"][name] = {**cost, "pairs_per_second_and_core": PAIRS / alone["cpu"]}
    found["cold"] = dict(zip(("wall", "cpu"), fresh("cold"), strict=False))
    found["memory_of_result"] = fresh("memory")[2]
    found["space"] = space(tax, rng)
    found["centroid"] = centroid(tax, rng)
    for name, ask in (("nltk", ask_nltk), ("nxontology", ask_nxontology), ("semsimian", ask_semsimian), ("hpo3", ask_hpo3)):
        try:
            found["others"][name] = ask(tax, rng)
        except (ImportError, FileNotFoundError) as missing:
            found["others"][name] = {"missing": str(missing)}
    return found


def timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def best(work: Callable[[], object]) -> dict[str, float]:
    """The least wall clock and processor seconds of some turns; the latter hardly depend on what else the machine does."""
    wall, cpu = [], []
    for _ in range(TURNS):
        before = process_time()
        wall.append(timed(work))
        cpu.append(process_time() - before)
    return {"wall": min(wall), "cpu": min(cpu)}


def fresh(what: str) -> list[float]:
    """[seconds, processor seconds, memory in results] of the first 10,000 × 10,000 distances of a process.

    "cold": nothing is compiled yet; "memory": everything is, and the taxonomy's ancestors are there.
    """
    with tempfile.TemporaryDirectory() as cache:
        told = {"NUMBA_CACHE_DIR": cache} if what == "cold" else {}
        out = subprocess.run(
            [sys.executable, "-c", COLD, what], env={**os.environ, **told}, capture_output=True, text=True, check=True
        )
    return [float(x) for x in out.stdout.split()]


def space(tax: om.Taxonomy, rng: np.random.Generator) -> dict[str, float]:
    """An attribute of 5,000 distinct nouns: its candidates, then all its distances in fixed point."""
    values = rng.choice(len(tax), 5000, replace=False)
    build_geometry([TaxonomySpace("warm", tax, values)])
    start = perf_counter()
    made = TaxonomySpace("noun", tax, values)
    middle = perf_counter()
    build_geometry([made])
    return {"candidates": made.h, "space_seconds": middle - start, "geometry_seconds": perf_counter() - middle}


def centroid(tax: om.Taxonomy, rng: np.random.Generator) -> dict[str, float]:
    """The centroid of a million records with 5,000 distinct nouns, given one by one and as values with counts."""
    values = np.asarray(tax.ids(rng.choice(len(tax), 5000, replace=False)))
    records = values[(len(values) * rng.random(1_000_000) ** 2).astype(np.int64)].tolist()
    distinct, counts = np.unique(records, return_counts=True)
    chosen = om.centroid(records, tax)
    assert om.centroid(distinct.tolist(), tax, counts) == chosen
    return {
        "records_seconds": min(timed(lambda: om.centroid(records, tax)) for _ in range(3)),
        "counts_seconds": min(timed(lambda: om.centroid(distinct.tolist(), tax, counts)) for _ in range(3)),
    }


def ours(tax: om.Taxonomy, name: str, left: np.ndarray, right: np.ndarray) -> float:
    """Pairs per second and core."""
    measure = MEASURES.load(name)
    many = (np.tile(side, max(1, PAIRS // len(side))).astype(np.int32) for side in (left, right))
    one, other = many
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    measure.pairs(tax, one[:5], other[:5])
    seconds = best(lambda: measure.pairs(tax, one, other))["cpu"]
    numba.set_num_threads(threads)
    return len(one) / seconds


def ask_nltk(tax: om.Taxonomy, rng: np.random.Generator) -> dict[str, Any]:
    if not DICTIONARY.is_dir():
        raise FileNotFoundError("there is no WordNet dictionary: install Debian's wordnet-base")
    left, right = rng.integers(0, len(tax), (2, 2000))
    with tempfile.TemporaryDirectory() as place:
        reader = nltk_wordnet(Path(place))
        synsets = [[reader.synset_from_pos_and_offset("n", int(i[:8])) for i in tax.ids(side)] for side in (left, right)]
        seconds = timed(lambda: [a.wup_similarity(b) for a, b in zip(*synsets, strict=True)])
    return {"measure": "wup", "pairs_per_second": 2000 / seconds, "ours": ours(tax, "wup", left, right)}


def ask_nxontology(tax: om.Taxonomy, rng: np.random.Generator) -> dict[str, Any]:
    from nxontology import NXOntology

    theirs = NXOntology()
    child = np.repeat(np.arange(len(tax)), np.diff(tax.graph.up_ptr)).tolist()
    theirs.graph.add_edges_from(zip(tax.graph.up.tolist(), child, strict=True))
    theirs.freeze()
    left, right = rng.integers(0, len(tax), (2, 20_000))
    pairs = list(zip(left.tolist(), right.tolist(), strict=True))
    for _ in range(2):  # it keeps ancestors: the second turn is warm
        seconds = timed(lambda: [theirs.similarity(a, b).batet for a, b in pairs])
    return {"measure": "jaccard", "pairs_per_second": len(pairs) / seconds, "ours": ours(tax, "jaccard", left, right)}


def ask_semsimian(tax: om.Taxonomy, rng: np.random.Generator) -> dict[str, Any]:
    from semsimian import Semsimian

    a = tax.graph.ancestry
    ids = [f"X:{c}" for c in range(len(tax))]
    above = tax.graph.by_rank[a.ranks].tolist()
    below = np.repeat(np.arange(len(tax)), np.diff(a.ptr)).tolist()
    closure = [(ids[c], "is_a", ids[p]) for c, p in zip(below, above, strict=True)]  # it wants every ancestor, not the links
    theirs = Semsimian(spo=closure, predicates=["is_a"], pairwise_similarity_attributes=None, resource_path=None)
    left, right = rng.integers(0, len(tax), (2, 300))
    some = ({ids[c] for c in left}, {ids[c] for c in right})
    theirs.jaccard_similarity(ids[left[0]], ids[right[0]])
    pairs = [(ids[x], ids[y]) for x in left for y in right]
    seconds = timed(lambda: [theirs.jaccard_similarity(x, y) for x, y in pairs])
    assert all(len(side) for side in some)
    return {
        "measure": "jaccard",
        "pairs_per_second": len(pairs) / seconds,
        "ours": ours(tax, "jaccard", np.repeat(left, 300), np.tile(right, 300)),
    }


def ask_hpo3(tax: om.Taxonomy, rng: np.random.Generator) -> dict[str, Any]:
    from pyhpo import Ontology, helper

    Ontology()
    terms = list(Ontology)
    draw = rng.integers(0, len(terms), (2, 200_000))
    pairs = [(terms[a], terms[b]) for a, b in draw.T.tolist()]
    seconds = timed(lambda: helper.batch_similarity(pairs, kind="omim", method="lin"))
    hpo = om.load_taxonomy(folder() / "hpo" / "hp.obo.gz")
    mine = rng.integers(0, len(hpo), (2, 200_000))
    return {"measure": "lin", "pairs_per_second": len(pairs) / seconds, "ours": ours(hpo, "lin", *mine)}


def table(result: dict[str, Any]) -> str:
    threads = result["threads"]
    lines = [
        f"Distances of 10,000 × 10,000 nouns of WordNet, warm, {threads} threads, the result allocated anew each time; in "
        "parentheses processor seconds of both threads together. Pairs are of all 82,115 nouns.",
        "",
        "| measure | matrix float32, s (processor) | target, s | matrix float64, s (processor) | million pairs/s and core |",
        "|---|---|---|---|---|",
    ]
    for name, cost in result["measures"].items():
        small, large = cost["float32"], cost["float64"]
        lines.append(
            f"| {name} | {small['wall']:.3f} ({small['cpu']:.3f}) | {TARGETS.get(name, '')} | {large['wall']:.3f} "
            f"({large['cpu']:.3f}) | {cost['pairs_per_second_and_core'] / 1e6:.1f} |"
        )
    made, middle = result["space"], result["centroid"]
    lines += [
        "",
        f"The first matrix of a new process, everything compiled anew: {result['cold']['wall']:.1f} s "
        f"({result['cold']['cpu']:.1f} s of processor). Peak memory beside what "
        f"was there before: {result['memory_of_result']:.2f} times the result.",
        f"An attribute of 5,000 distinct nouns ({made['candidates']:,} candidates): {made['space_seconds']:.3f} s, its "
        f"distances in fixed point {made['geometry_seconds']:.2f} s.",
        f"The centroid of a million records with 5,000 distinct nouns: {middle['records_seconds']:.2f} s from records, "
        f"{middle['counts_seconds']:.2f} s from counts.",
        "",
        "| package | measure | its pairs/s | ours on one core, pairs/s | times |",
        "|---|---|---|---|---|",
    ]
    for name, told in result["others"].items():
        if "missing" in told:
            lines.append(f"| {name} | not installed | | | |")
        else:
            times = told["ours"] / told["pairs_per_second"]
            lines.append(
                f"| {name} | {told['measure']} | {told['pairs_per_second']:,.0f} | {told['ours']:,.0f} | {times:,.0f} |"
            )
    return "\n".join(lines)
